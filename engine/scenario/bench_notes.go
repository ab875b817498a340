package scenario

import (
	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// Drawn is how a client came by the place at which it drew another player.
type Drawn uint8

// The ways.
const (
	DrawnBetween Drawn = iota // between two updates
	DrawnEarly                // before the first one: it has just come into view
	DrawnCarried              // past the last one
	DrawnJumped               // at a time when it was on the other side of a teleport or spawn
	NumDrawn
)

func (d Drawn) String() string {
	return [...]string{"between updates", "before the first", "past the last", "over a jump", "unknown"}[min(d, NumDrawn)]
}

// Aim is a shot as the screen of its client showed it.
type Aim struct {
	Shooter     state.ID
	Tick        state.Tick  // of the command
	View        rewind.Time // when others were drawn
	Origin, Dir vec.V3
	Target      state.ID // whom it hit there; 0 nobody
	Drawn       Drawn    // how the target was
	Late        uint32   // how much earlier than View it was drawn, 256ths of a tick
}

// Sighting is where a client drew another player.
type Sighting struct {
	Viewer, Target state.ID
	View           rewind.Time // of that target
	At             vec.V3
	Near           bool // within 50 m of the viewer
	Drawn          Drawn
}

// Notes are what the clients of one crew showed. A Notes belongs to the goroutine
// of its crew.
type Notes struct {
	On   bool
	Aims []Aim
	Seen []Sighting

	crew  *bots.Crew
	shown []client.Shown
}

// NewNotes begins to watch a crew, as its bots' only watcher.
func NewNotes(crew *bots.Crew) *Notes {
	n := &Notes{crew: crew}
	for _, b := range crew.Bots() {
		b.Watch = func(e *state.Event, predicted bool) { n.event(b, e, predicted) }
	}
	return n
}

// event notes whom a shot hits on its client's screen.
func (n *Notes) event(b *bots.Bot, e *state.Event, predicted bool) {
	if !n.On || !predicted || e.Kind != state.EvFire {
		return
	}
	set := b.Tables()
	if int(e.Weapon) >= len(set.Weapons) || set.Weapons[e.Weapon].Projectile {
		return
	}
	tick, frac := b.Shown()
	a := Aim{Shooter: b.ID(), Tick: b.Commanded(), View: rewind.Time{Tick: tick, Frac: frac}, Origin: e.Pos, Dir: e.Dir}
	end := e.Pos.Mad(set.Weapons[e.Weapon].Range, e.Dir)
	best := b.Scene().Ray(e.Pos, end, level.MaskShot).Frac
	n.shown = b.Others(n.shown[:0])
	for k := range n.shown {
		o := &n.shown[k]
		if f, ok := hull(b, o, e.Pos, end); ok && f < best {
			best, a.Target = f, 0
		}
		if !other(b, o) {
			continue
		}
		pose := hitbox.Pose{Pos: o.At, Yaw: state.AngleOf(o.YawDeg), Duck: uint8(o.Duck01*255 + 0.5), Lean: lean(o.Lean11)}
		if hit, ok := hitbox.Ray(&set.Movement, pose, e.Pos, end); ok && hit.Frac < best {
			best, a.Target, a.Drawn, a.Late = hit.Frac, o.ID, drawn(o), o.Late
		}
	}
	n.Aims = append(n.Aims, a)
}

// hull returns where a line enters a vehicle that is drawn, as a fraction: it stops
// bullets. The one that the player sits in does not.
func hull(b *bots.Bot, o *client.Shown, from, to vec.V3) (float32, bool) {
	types := b.Tables().Vehicles[:]
	if o.Kind != state.KindVehicle || o.ID == b.Riding() || int(o.Weapon) >= len(types) {
		return 0, false
	}
	f, _, ok := vehicle.Ray(vehicle.Pose{Pos: o.At, Yaw: o.YawDeg, Pitch: o.PitchDeg}, &types[o.Weapon], from, to, 0)
	return f, ok
}

// aboard reports whether somebody sits in the vehicle that the bot drives, which is
// drawn where it is predicted to be, with all in it.
func aboard(me *state.Player, o *client.Shown) bool {
	return vehicle.Drives(me) && o.Seat != 0 && o.At.Dist(me.Pos) < 3
}

// lean is a Shown's lean as it was sent.
func lean(v float32) int8 {
	if v < 0 {
		return int8(v*127 - 0.5)
	}
	return int8(v*127 + 0.5)
}

// other reports whether a subject is somebody else, drawn alive.
func other(b *bots.Bot, o *client.Shown) bool {
	return o.Kind == state.KindPlayer && o.ID != b.ID() && o.Pose&state.PoseDead == 0
}

func drawn(o *client.Shown) Drawn {
	switch {
	case o.Early:
		return DrawnEarly
	case o.Extrapolated:
		return DrawnCarried
	}
	return DrawnBetween
}

// Look notes where every living bot's client draws the others now.
func (n *Notes) Look() {
	if !n.On {
		return
	}
	for _, b := range n.crew.Bots() {
		tick, frac := b.Shown()
		me := b.Own()
		if tick == 0 || b.State() != client.Playing || !me.Alive() {
			continue
		}
		n.shown = b.Others(n.shown[:0])
		for k := range n.shown {
			if o := &n.shown[k]; other(b, o) && !aboard(me, o) {
				at, part := state.Earlier(tick, frac, o.Late)
				n.Seen = append(n.Seen, Sighting{
					Viewer: b.ID(), Target: o.ID, View: rewind.Time{Tick: at, Frac: part}, At: o.At,
					Near: me.Pos.Dist(o.At) <= nearM, Drawn: drawn(o),
				})
			}
		}
	}
}
