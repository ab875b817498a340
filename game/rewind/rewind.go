package rewind

import (
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Sample is one player in one tick.
type Sample = state.Body

// SampleOf returns what is stored of a player.
func SampleOf(p *state.Player) Sample {
	return Sample{
		Pos: state.Quant(p.Pos), Vel: state.Quant(p.Vel), Yaw: p.Yaw, Pitch: p.Pitch, Duck: p.Duck, Lean: p.Lean,
		Teleports: p.Teleports, Alive: p.Alive(),
	}
}

// Time is an instant of the history: a tick and 256ths of the next interval.
type Time struct {
	Tick state.Tick
	Frac uint8
}

// History is the ring. Make one with New.
type History struct {
	depth   int
	rate    int
	cap256  uint32
	players int
	doors   int
	ring    []Sample // depth rows of players+1, by id
	shut    []state.DoorState
	gone    []uint64     // depth rows of a bit per breakable piece: broken
	words   int          // of a row of those
	stored  []state.Tick // per row
	full    int          // rows written so far, up to depth
	now     state.Tick
	row     int
}

// Depth returns how many ticks a history keeps for a longest rewind.
func Depth(maxRewindMS float32, tickRate int) int {
	return int((cap256(maxRewindMS, tickRate)+255)/256) + 2
}

// Cap256 returns a time as 256ths of a tick, at most a second's.
func Cap256(ms float32, tickRate int) uint32 { return cap256(ms, tickRate) }

// cap256 is the longest rewind in 256ths of a tick, at most a second.
func cap256(ms float32, tickRate int) uint32 {
	ticks := float32(vec.Clamp(ms, 0, 1000)*float32(tickRate)) / 1000
	return uint32(vec.Floor(float32(ticks*256) + 0.5))
}

// New makes a history for players with the ids 1..players and a level's doors.
func New(players, doors, tickRate int, maxRewindMS float32) *History {
	return NewDeep(players, doors, tickRate, maxRewindMS, 0)
}

// NewDeep makes a history that keeps so many ticks more than the longest rewind
// needs: an update that was sent rarely, or the last one before a gap, is older than
// the instant that is drawn from it.
func NewDeep(players, doors, tickRate int, maxRewindMS float32, more int) *History {
	d := Depth(maxRewindMS, tickRate) + max(more, 0)
	return &History{
		depth: d, rate: tickRate, cap256: cap256(maxRewindMS, tickRate), players: players, doors: doors,
		ring: make([]Sample, d*(players+1)), shut: make([]state.DoorState, d*doors), stored: make([]state.Tick, d),
	}
}

// Depth returns how many ticks h keeps.
func (h *History) Depth() int { return h.depth }

// Cap256 returns the longest rewind in 256ths of a tick.
func (h *History) Cap256() uint32 { return h.cap256 }

// Begin starts a tick, with nobody alive in it and its doors as they were. A tick
// that does not follow the last one forgets everything before it.
func (h *History) Begin(tick state.Tick) {
	if h.full > 0 && tick != h.now+1 {
		h.full = 0
	}
	last := h.row
	h.row = int(tick % state.Tick(h.depth))
	if tick == 0 && h.full > 0 {
		h.full = 0 // the counter wrapped: rows no longer follow each other
	}
	clear(h.samples(h.row))
	if h.full > 0 {
		copy(h.doorRow(h.row), h.doorRow(last))
	} else {
		clear(h.doorRow(h.row))
	}
	h.beginPieces(last)
	h.now, h.stored[h.row] = tick, tick
	h.full = min(h.full+1, h.depth)
}

// Put stores a player in the present tick; ids that it has no room for are
// ignored.
func (h *History) Put(id state.ID, s Sample) {
	if id >= 1 && int(id) <= h.players && h.full > 0 {
		h.samples(h.row)[id] = s
	}
}

// PutDoors stores the doors in the present tick.
func (h *History) PutDoors(d []state.DoorState) {
	if h.full > 0 {
		copy(h.doorRow(h.row), d)
	}
}

// Back returns the instant rewind256 before the present tick, and the rewind that
// was possible: never past the cap nor past what is stored.
func (h *History) Back(rewind256 uint32) (Time, uint32) {
	if h.full == 0 {
		return Time{}, 0
	}
	used := min(rewind256, h.cap256, uint32(h.full-1)*256)
	whole := (used + 255) / 256
	return Time{Tick: h.now - whole, Frac: uint8(whole*256 - used)}, used
}

// At returns a player's pose at an instant; false when it had no living body or
// the instant is not stored.
func (h *History) At(id state.ID, t Time) (hitbox.Pose, bool) {
	a, ok := h.Sample(id, t.Tick)
	if !ok || !a.Alive {
		return hitbox.Pose{}, false
	}
	at := a.Placed()
	if b, ok := h.Sample(id, t.Tick+1); ok && t.Frac != 0 {
		at = state.Blend(&a, &b, 1, uint32(t.Frac), h.rate)
	}
	return hitbox.Pose{Pos: at.Pos, Yaw: at.Yaw, Duck: at.Duck, Lean: at.Lean}, true
}

// Sample returns what was stored of a player in a tick.
func (h *History) Sample(id state.ID, tick state.Tick) (Sample, bool) {
	if id < 1 || int(id) > h.players || !h.holds(tick) {
		return Sample{}, false
	}
	return h.samples(int(tick % state.Tick(h.depth)))[id], true
}

// Doors returns the doors as stored in a tick, nil when it is not kept. Their
// poses at a Time are scenery.Poses(level, Doors(t.Tick), t.Tick, t.Frac, …). The
// slice is the history's own.
func (h *History) Doors(tick state.Tick) []state.DoorState {
	if !h.holds(tick) {
		return nil
	}
	return h.doorRow(int(tick % state.Tick(h.depth)))
}

func (h *History) holds(tick state.Tick) bool {
	back := h.now - tick
	return h.full > 0 && back < state.Tick(h.full) && h.stored[tick%state.Tick(h.depth)] == tick
}

func (h *History) samples(row int) []Sample {
	n := h.players + 1
	return h.ring[row*n : row*n+n]
}

func (h *History) doorRow(row int) []state.DoorState {
	return h.shut[row*h.doors : row*h.doors+h.doors]
}
