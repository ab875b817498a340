package scenario

import (
	"math"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// Scene is a file that was read and checked. Runs with different policies share it,
// and what is true of it whatever the policy. It belongs to one goroutine.
type Scene struct {
	File *File
	Path string

	lines  lineIndex
	load   func(string) (*level.Level, error)
	level  *level.Level
	world  *trace.World
	moves  tables.Movement
	optics [tables.NumOptics]tables.Optic
	set    tables.Set // of it the earshots
	scale  float64    // metres per unit
	ids    map[string]int
	actors []actor
	cars   []car
	events []event
	pairs  []pair
	slabs  []DrawnSlab
	doors  []vec.Box
	closed [][]state.DoorState // by tick, from -warm on
	broken [][]state.Piece     // likewise
	truths []truth             // by pair, when they were sampled
	seen   map[pairOf]float64  // when a pair first sees each other, when it was asked
	smoke  clouds
	left   int // things that are carried and left
}

// DrawnSlab is a slab in metres.
type DrawnSlab struct {
	Box    vec.Box
	Blocks bool // sight
}

// actor is a player whose every place is known.
type actor struct {
	name   string
	team   uint8
	ducked bool
	client bool
	path   []place
	turn   []heading
	from   float64 // when it joins
	until  float64 // when it dies
	optic  int     // of Scene.optics
	aims   []Interval
	leans  []heading // when it wants to lean how far, -1 to 1
	rides  []ride

	rtt, jitter, interp float64 // seconds
	loss                float64
}

type place struct {
	t  float64
	at vec.V3
}

type heading struct{ t, yaw float64 }

type pair struct{ v, t int }

type event struct {
	EventSpec
	tick        int
	who, target int
	at          vec.V3 // of a camera
}

// warm is for how long everybody stands before the scene begins, seconds: policies
// that remember have then something to remember.
const warm = 0.5

// base is the tick in which the scene begins.
const base = 4096

func (s *Scene) warmTicks() int { return s.ceil(warm) }
func (s *Scene) ticks() int     { return s.ceil(s.File.Seconds) }

// ceil returns the first tick at or after a time.
func (s *Scene) ceil(t float64) int { return int(math.Ceil(t*float64(s.File.TickRate) - 1e-6)) }

func (s *Scene) seconds(tick int) float64 { return float64(tick) / float64(s.File.TickRate) }

// feet returns where an actor stands at a time.
func (a *actor) feet(t float64) vec.V3 {
	if when := min(t, a.until); len(a.rides) > 0 { // who dies in a seat lies there
		if r := a.riding(when); r != nil {
			return vehicle.SeatPos(r.in.pose(when), r.in.of, r.seat)
		}
	}
	i := len(a.path) - 1
	for i > 0 && a.path[i].t > t {
		i--
	}
	p := a.path[i]
	if i+1 == len(a.path) || math.IsInf(p.t, -1) || t <= p.t {
		return p.at
	}
	q := a.path[i+1]
	return p.at.Lerp(q.at, float32((t-p.t)/(q.t-p.t)))
}

// yaw returns where an actor looks.
func (a *actor) yaw(t float64) float32 {
	i := len(a.turn) - 1
	for i > 0 && a.turn[i].t > t {
		i--
	}
	h := a.turn[i]
	if i+1 == len(a.turn) || math.IsInf(h.t, -1) {
		return float32(h.yaw)
	}
	n := a.turn[i+1]
	return float32(h.yaw + (n.yaw-h.yaw)*(t-h.t)/(n.t-h.t))
}

func (a *actor) there(t float64) bool { return t >= a.from }
func (a *actor) alive(t float64) bool { return t >= a.from && t < a.until }

// player returns an actor as the movement code knows it.
func (s *Scene) player(a *actor, t float64) state.Player {
	rate := float32(s.File.TickRate)
	at := a.feet(t)
	p := state.Player{
		Pos: at, Vel: at.Sub(a.feet(t - 1/float64(rate))).Scale(rate), Yaw: state.AngleOf(a.yaw(t)),
		Team: a.team, Teleports: 1, Health: 100, Weapon: 1,
	}
	if a.ducked {
		p.Duck, p.Flags = 255, state.Ducked
	}
	p.Lean = int8(127 * a.lean(t, float64(s.moves.LeanMS)/1000))
	if r := a.riding(t); r != nil && a.alive(t) {
		p.Lean = 0
		r.sit(&p, t, rate)
	} else if a.riding(t-1/float64(rate)) != nil {
		p.Vel = vec.V3{} // it has just got out
	}
	if !a.alive(t) {
		p.Flags |= state.Dead
		p.Health = 0
	}
	return p
}

// eye returns the place of an actor's eye.
func (s *Scene) eye(a *actor, t float64) vec.V3 {
	p := s.player(a, t)
	return pmove.Eye(&p, &s.moves)
}

// box returns the space of an actor's body.
func (s *Scene) box(a *actor, t float64) vec.Box {
	p := s.player(a, t)
	return pmove.Body(&p, &s.moves).Move(p.Pos)
}

// doorStates plays the doors.
func (s *Scene) doorStates() [][]state.DoorState {
	w, n := s.warmTicks(), s.ticks()
	now := make([]state.DoorState, len(s.level.Doors))
	for i := range s.File.Door {
		d := &s.File.Door[i]
		// Long at rest where it stands: a swing that never moves from there.
		now[i] = scenery.Between(&s.level.Doors[i], state.DoorState{}, scenery.Close, false, float32(d.Open), base+state.Tick(s.File.TickRate)*2*mostSeconds)
	}
	var out [][]state.DoorState
	for k := -w; k <= n; k++ {
		for i := range s.events {
			e := &s.events[i]
			if e.Kind != "door" || e.tick != k || e.Door >= len(now) {
				continue
			}
			d := &s.level.Doors[e.Door]
			now[e.Door] = scenery.Turn(d, now[e.Door], e.Open, base+state.Tick(k), s.File.TickRate)
		}
		out = append(out, slices.Clone(now))
	}
	return out
}

// doorsAt returns the doors' states of a time, and what part of a tick has passed.
func (s *Scene) doorsAt(t float64) ([]state.DoorState, state.Tick, uint8) {
	at := t * float64(s.File.TickRate)
	k := int(math.Floor(at))
	part := uint8((at - float64(k)) * 255)
	i := min(max(k+s.warmTicks(), 0), len(s.closed)-1)
	return s.closed[i], state.Tick(base + k), part
}

// Names returns the players' names.
func (s *Scene) Names() []string {
	var out []string
	for i := range s.actors {
		out = append(out, s.actors[i].name)
	}
	return out
}

// Level returns the level that the scene is in.
func (s *Scene) Level() *level.Level { return s.level }

// Slabs and Doors return what was built, in metres; nothing of a map.
func (s *Scene) Slabs() []DrawnSlab { return s.slabs }

// Doors returns the doors where they are closed.
func (s *Scene) Doors() []vec.Box { return s.doors }

// Eye returns the place of a player's eye at a time.
func (s *Scene) Eye(player int, t float64) vec.V3 { return s.eye(&s.actors[player], t) }

// Feet returns where a player stands at a time.
func (s *Scene) Feet(player int, t float64) vec.V3 { return s.actors[player].feet(t) }

// turned returns the scene mirrored in its x axis, or not, and then turned by so many
// quarters.
func (s *Scene) turned(quarters int, mirror bool) (*Scene, error) {
	point := func(p []float64) []float64 {
		if len(p) < 3 {
			return p
		}
		q := slices.Clone(p)
		o := len(q) - 3
		x, y := q[o], q[o+1]
		if mirror {
			y = -y
		}
		for range quarters {
			x, y = -y, x
		}
		q[o], q[o+1] = x, y
		return q
	}
	box := func(lo, hi []float64) ([]float64, []float64) {
		a, b := point(lo), point(hi)
		for i := range a {
			a[i], b[i] = min(a[i], b[i]), max(a[i], b[i])
		}
		return a, b
	}
	yaw := func(v float64) float64 {
		if mirror {
			v = -v
		}
		return v + 90*float64(quarters)
	}
	f := *s.File
	f.Slab, f.Door, f.Player = slices.Clone(f.Slab), slices.Clone(f.Door), slices.Clone(f.Player)
	for i := range f.Slab {
		f.Slab[i].Min, f.Slab[i].Max = box(f.Slab[i].Min, f.Slab[i].Max)
	}
	for i := range f.Door {
		d := &f.Door[i]
		d.Min, d.Max = box(d.Min, d.Max)
		d.Move = point(d.Move)
		if len(d.Hinge) == 2 {
			d.Hinge = point([]float64{d.Hinge[0], d.Hinge[1], 0})[:2]
		}
		if mirror {
			d.Degrees = -d.Degrees
		}
	}
	f.Event = slices.Clone(f.Event)
	for i := range f.Event {
		f.Event[i].Place = point(f.Event[i].Place)
	}
	for i := range f.Player {
		p := &f.Player[i]
		p.Feet, p.Eye, p.Yaw = point(p.Feet), point(p.Eye), yaw(p.Yaw)
		p.Path, p.Turn = turnedWay(p.Path, p.Turn, point, yaw)
	}
	turnedCars(&f, point, yaw)
	c := &checker{f: &f, file: s.Path, lines: lineIndex{}}
	return c.scene(s.load)
}

// World returns what rays are traced through.
func (s *Scene) World() *trace.World { return s.world }

// Index returns which player has a name; -1 none.
func (s *Scene) Index(name string) int {
	if i, ok := s.ids[name]; ok {
		return i
	}
	return -1
}

// Yaw returns where a player looks at a time, degrees.
func (s *Scene) Yaw(player int, t float64) float32 { return s.actors[player].yaw(t) }

// Stands reports whether a player is in one place throughout.
func (s *Scene) Stands(player int) bool {
	for _, p := range s.actors[player].path {
		if p.at != s.actors[player].path[0].at {
			return false
		}
	}
	return true
}
