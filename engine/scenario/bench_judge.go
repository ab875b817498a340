package scenario

import (
	"fmt"
	"math"
	"slices"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
)

// Moment is one tick of a server, as far as what clients showed is judged by it.
type Moment struct {
	Tick    state.Tick
	Bodies  []Body
	Doors   []state.DoorState
	Pieces  []state.Piece
	Shots   []sim.ShotRecord
	Starved []state.ID // whose command had to be made up
}

// Body is a player at the end of a tick's movement.
type Body struct {
	ID     state.ID
	Sample rewind.Sample // as lag compensation stores it, before the tick's shots
	Lives  bool          // after them
	RTTms  float32       // as the server measures it
}

// Why says what became of a shot that hit on its client's screen.
type Why uint8

// The outcomes. From WhyTargetDead on they are no question of geometry and count
// neither for nor against the agreement.
const (
	WhyAgreed       Why = iota // the server hit the same player
	WhyNotRun                  // the server had no such command: lost or late
	WhyNotFired                // it had, but the weapon did not fire
	WhyShooterMoved            // the shooter's eye or aim was another one on the server
	WhyCapped                  // seen longer ago than is compensated
	WhyClamped                 // tested at another time than was shown
	WhyDrawnBetween            // drawn where it was not, between two updates
	WhyDrawnEarly              // before the first
	WhyDrawnCarried            // past the last
	WhyOther                   // another player was in the way
	WhyBlocked                 // the level was
	WhyUnknown
	WhyTargetDead  // by then
	WhyShooterDead // by then
	WhyShooterSent // to another place by a spawn or teleport, before its client knew
	NumWhy
)

func (w Why) String() string {
	return [...]string{
		"agreed", "command_not_run", "not_fired", "shooter_elsewhere", "view_capped", "view_clamped", "drawn_between_updates",
		"drawn_before_first", "drawn_past_last", "other_player_in_way", "level_in_way", "unexplained", "target_dead", "shooter_dead", "shooter_sent_elsewhere", "unknown",
	}[min(w, NumWhy)]
}

// Variant is a way to choose the time at which a shot is tested.
type Variant uint8

// The variants. All but the first are wrong, and are there to show that this is
// noticed.
const (
	VariantFull    Variant = iota // as shown, between ticks
	VariantNearest                // the tick nearest to that
	VariantLatency                // the round trip alone
	VariantNone                   // now
	NumVariants
)

func (v Variant) String() string {
	return [...]string{"as_shown", "nearest_tick", "latency_only", "none", "unknown"}[min(v, NumVariants)]
}

// Verdict is what a judge found.
type Verdict struct {
	Shots   int // of bullets, by clients
	Why     [NumWhy]int
	Unshown int // hits on the server that were none on the screen
	// Moved counts shown hits, those agreed on among them, whose shooter stood or
	// aimed otherwise on the server: something had pushed it, of which its client did
	// not know yet. StillAgreed is how many of them hit all the same.
	Moved, StillAgreed int
	Tested             int // shown hits that the variants were tried on
	Agreed             [NumVariants]int
	Retests            int       // of shots as the server tested them …
	Differs            int       // … that came out otherwise than on the server
	Turn               []float64 // degrees per second that targets move across the line of sight
	Across             []float64 // the same, metres per second
	Range              []float64 // metres to the target
	ByRange            [NumRanges]Hits

	Ago []float64 // milliseconds between what a shot's client showed and its test

	Near, Far [NumDrawn][]float64 // centimetres between what was drawn and the truth
	Unplaced  int                 // drawn when they had no living body
}

// Judge compares what clients showed with what their server did. It is handed the
// server's ticks in order, and a client's notes before the ticks that they name or
// soon after.
type Judge struct {
	lv    *level.Level
	set   *tables.Set
	rate  int
	past  *rewind.History
	gone  scenery.Bits // the pieces that are broken
	now   state.Tick
	offs  []level.Pose
	scene trace.Scene
	aims  map[aimKey]Aim
	seen  []Sighting
	Verdict

	// Lost is told of every shown hit that the server did not agree with. May be nil.
	Lost func(a *Aim, why Why)
}

type aimKey struct {
	shooter state.ID
	tick    state.Tick
}

// longestMS is how far back a judge remembers.
const longestMS = 1000

// NewJudge makes a Judge of a match of so many players at most.
func NewJudge(w *trace.World, set *tables.Set, players, rate int) *Judge {
	lv := w.Level()
	j := &Judge{
		lv: lv, set: set, rate: rate, past: rewind.New(players, len(lv.Doors), rate, longestMS),
		offs: make([]level.Pose, max(len(lv.Models), 1)), aims: map[aimKey]Aim{},
	}
	j.past.KeepPieces(len(lv.Pieces))
	j.gone = scenery.NewBits(len(lv.Pieces))
	j.scene = trace.Scene{W: w, Poses: j.offs}
	return j
}

// Add takes notes of clients.
func (j *Judge) Add(aims []Aim, seen []Sighting) {
	for _, a := range aims {
		j.Shots++
		if a.Target != 0 && int32(a.Tick-j.now) <= 0 && j.now != 0 {
			j.Why[WhyNotRun]++ // that tick has been without it
			continue
		}
		j.aims[aimKey{a.Shooter, a.Tick}] = a
	}
	j.seen = append(j.seen, seen...)
}

// Tick takes the next tick of the server.
func (j *Judge) Tick(m *Moment) {
	j.now = m.Tick
	j.past.Begin(m.Tick)
	for i := range m.Bodies {
		j.past.Put(m.Bodies[i].ID, m.Bodies[i].Sample)
	}
	j.past.PutDoors(m.Doors)
	for i, p := range m.Pieces {
		j.gone.Set(i, p.Broken)
	}
	j.past.PutPieces(j.gone)
	j.places()
	for i := range m.Shots {
		j.shot(m, &m.Shots[i])
	}
	for i := range m.Bodies { // what was not fired
		b := &m.Bodies[i]
		key := aimKey{b.ID, m.Tick}
		a, ok := j.aims[key]
		if !ok {
			continue
		}
		delete(j.aims, key)
		if a.Target == 0 {
			continue
		}
		why := WhyNotFired
		switch {
		case !b.Sample.Alive:
			why = WhyShooterDead
		case j.sent(b.ID):
			why = WhyShooterSent
		case slices.Contains(m.Starved, b.ID):
			why = WhyNotRun
		}
		j.lost(&a, why)
	}
}

func (j *Judge) lost(a *Aim, why Why) {
	j.Why[why]++
	if j.Lost != nil {
		j.Lost(a, why)
	}
}

// settleTicks is how long after its time a sighting is judged: by then the update is
// past that somebody was drawn early by.
const settleTicks = 16

// places judges the sightings whose time has come.
func (j *Judge) places() {
	rest := j.seen[:0]
	for i := range j.seen {
		s := &j.seen[i]
		if int32(j.now-s.View.Tick) < settleTicks {
			rest = append(rest, *s)
			continue
		}
		truth, ok := j.past.At(s.Target, s.View)
		if !ok {
			j.Unplaced++
			continue
		}
		was, _ := j.past.Sample(s.Target, s.View.Tick)
		is, _ := j.past.Sample(s.Target, s.View.Tick+settleTicks)
		if s.Drawn == DrawnEarly && was.Teleports != is.Teleports {
			s.Drawn = DrawnJumped
		}
		cm := float64(truth.Pos.Dist(s.At)) * 100
		if s.Near {
			j.Near[s.Drawn] = append(j.Near[s.Drawn], cm)
		} else {
			j.Far[s.Drawn] = append(j.Far[s.Drawn], cm)
		}
	}
	j.seen = rest
}

// shot judges one shot of the server's.
func (j *Judge) shot(m *Moment, r *sim.ShotRecord) {
	if r.Result == sim.ShotFlies {
		return
	}
	key := aimKey{r.Shooter, r.Tick}
	a, ok := j.aims[key]
	if !ok {
		return
	}
	delete(j.aims, key)
	j.Ago = append(j.Ago, float64(claimed256(&a))/256/float64(j.rate)*1000)
	hit := state.ID(0)
	if r.Result == sim.ShotPlayer || r.Result == sim.ShotGone {
		hit = r.Target // struck, though perhaps dead since
	}
	if a.Target == 0 {
		if hit != 0 {
			j.Unshown++
		}
		return
	}
	defer j.byRange(&a, r)()
	moved := a.Origin.Dist(r.Origin) > 0.001 || a.Dir.Dist(r.Dir) > 1e-5
	dead := r.Result == sim.ShotGone && hit == a.Target || hit != a.Target && !lives(m, a.Target)
	if !moved && !dead {
		j.variants(m, &a, r)
	}
	if moved && !dead && !j.sent(a.Shooter) {
		j.Moved++
		if hit == a.Target {
			j.StillAgreed++
		}
	}
	switch {
	case dead:
		j.lost(&a, WhyTargetDead)
	case moved && hit != a.Target && j.sent(a.Shooter):
		j.lost(&a, WhyShooterSent)
	case hit == a.Target:
		j.Why[WhyAgreed]++
	case moved:
		j.lost(&a, WhyShooterMoved)
	default:
		j.lost(&a, j.why(&a, r))
	}
}

// sent reports whether a player was sent to another place lately.
func (j *Judge) sent(id state.ID) bool {
	is, _ := j.past.Sample(id, j.now)
	was, ok := j.past.Sample(id, j.now-settleTicks)
	return ok && was.Teleports != is.Teleports
}

func lives(m *Moment, id state.ID) bool {
	for i := range m.Bodies {
		if m.Bodies[i].ID == id {
			return m.Bodies[i].Lives
		}
	}
	return false
}

// claimed256 is how long before its tick a shot was seen.
func claimed256(a *Aim) int64 {
	return int64(int32(a.Tick-a.View.Tick))*256 - int64(a.View.Frac)
}

// why explains a shown hit that the server did not find.
func (j *Judge) why(a *Aim, r *sim.ShotRecord) Why {
	claimed := claimed256(a)
	used := int64(r.Used256)
	at, _ := j.past.Back(uint32(max(claimed, 0)))
	who := j.test(a, r, uint32(max(claimed, 0)), a.Late)
	switch {
	case who == a.Target && used < claimed && r.Used256 < r.Claimed256:
		return WhyCapped
	case who == a.Target && used != claimed:
		return WhyClamped
	case who == a.Target:
		return WhyUnknown
	}
	at.Tick, at.Frac = state.Earlier(at.Tick, at.Frac, a.Late)
	pose, ok := j.past.At(a.Target, at)
	end := r.Origin.Mad(j.set.Weapons[r.Weapon].Range, r.Dir)
	if ok {
		_, ok = hitbox.Ray(&j.set.Movement, pose, r.Origin, end)
	}
	switch {
	case !ok && a.Drawn == DrawnEarly:
		return WhyDrawnEarly
	case !ok && a.Drawn == DrawnCarried:
		return WhyDrawnCarried
	case !ok:
		return WhyDrawnBetween
	case who != 0:
		return WhyOther
	}
	return WhyBlocked
}

// test fires a shot again, so many 256ths of a tick ago, and for its target late more,
// and returns whom it hits.
func (j *Judge) test(a *Aim, r *sim.ShotRecord, ago, late uint32) state.ID {
	at, _ := j.past.Back(ago)
	clear(j.offs)
	scenery.Poses(j.lv, j.past.Doors(at.Tick), at.Tick, at.Frac, j.rate, j.offs)
	scenery.PutPieces(j.lv, j.past.Gone(at.Tick), j.offs)
	end := r.Origin.Mad(j.set.Weapons[r.Weapon].Range, r.Dir)
	best, who := j.wall(r, end), state.ID(0)
	for id := state.ID(1); int(id) <= state.MaxPlayers; id++ {
		if now, ok := j.past.Sample(id, j.now); !ok || !now.Alive || id == r.Shooter {
			continue
		}
		then := at
		if id == a.Target {
			then, _ = j.past.Back(ago + late)
		}
		pose, ok := j.past.At(id, then)
		if !ok {
			continue
		}
		if hit, ok := hitbox.Ray(&j.set.Movement, pose, r.Origin, end); ok && hit.Frac < best {
			best, who = hit.Frac, id
		}
	}
	return who
}

// variants fires a shown hit again at the times that wrong rewinds would choose.
func (j *Judge) variants(m *Moment, a *Aim, r *sim.ShotRecord) {
	j.Tested++
	rtt := float32(0)
	for i := range m.Bodies {
		if m.Bodies[i].ID == r.Shooter {
			rtt = m.Bodies[i].RTTms
		}
	}
	back := [NumVariants]uint32{
		VariantFull:    r.Used256 + a.Late,
		VariantNearest: (r.Used256 + a.Late + 128) / 256 * 256,
		VariantLatency: uint32(rtt * float32(j.rate) / 1000 * 256),
	}
	for v, ago := range back {
		base := min(ago, r.Used256)
		who := j.test(a, r, base, ago-base)
		if who == a.Target {
			j.Agreed[v]++
		}
		if Variant(v) == VariantFull {
			j.Retests++
			if who != r.Target {
				j.Differs++
			}
		}
	}
	// How fast the target moved across the line of sight when it was seen.
	at, _ := j.past.Back(r.Used256 + a.Late)
	x, ok := j.past.Sample(a.Target, at.Tick)
	y, ok2 := j.past.Sample(a.Target, at.Tick+1)
	if !ok || !ok2 || x.Teleports != y.Teleports {
		return
	}
	to := x.Pos.V3().Sub(r.Origin)
	dist := to.Len()
	if dist < 0.1 {
		return
	}
	to = to.Scale(1 / dist)
	v := y.Pos.V3().Sub(x.Pos.V3()).Scale(float32(j.rate))
	across := v.Mad(-v.Dot(to), to).Len()
	j.Across = append(j.Across, float64(across))
	j.Range = append(j.Range, float64(dist))
	j.Turn = append(j.Turn, float64(across/dist)*180/math.Pi)
}

// lostBy is the part of Why that is not nothing, by name.
func (v *Verdict) lostBy(from, to Why) map[string]int {
	out := map[string]int{}
	for w := from; w < to; w++ {
		if v.Why[w] > 0 {
			out[w.String()] = v.Why[w]
		}
	}
	return out
}

// shown is how many shown hits count, and how many of them the server agreed with.
func (v *Verdict) shown() (hits, agreed int) {
	for w := range WhyTargetDead {
		hits += v.Why[w]
	}
	return hits, v.Why[WhyAgreed]
}

func (v *Verdict) String() string {
	n, ok := v.shown()
	return fmt.Sprintf("%d of %d shown hits agreed; lost %v, moot %v", ok, n, v.lostBy(WhyNotRun, WhyTargetDead), v.lostBy(WhyTargetDead, NumWhy))
}
