package scenario

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/boxes"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Bounds of what a file may ask for: the work of a scene is limited by them.
const (
	mostSeconds = 120
	mostPlayers = 128
	mostRows    = 4096 // slabs, events, places of a path
	mostPairs   = 64   // measured
)

// checker makes a Scene of a File, or says what is wrong with it and where.
type checker struct {
	f     *File
	file  string
	lines lineIndex
	scale float64 // metres per unit
	err   error
}

// bad records the first fault.
func (c *checker) bad(key, format string, args ...any) {
	if c.err != nil {
		return
	}
	line := c.lines[key]
	for k := key; line == 0; line = c.lines[k] {
		i := len(k) - 1
		for i >= 0 && k[i] != '.' {
			i--
		}
		if i < 0 {
			break
		}
		k = k[:i]
	}
	c.err = &Fault{c.file, line, tableNumber.ReplaceAllString(fmt.Sprintf(format, args...), "$1[$2]")}
}

// tableNumber is how keys name the table that they are in; people are told in the
// words of package config.
var tableNumber = regexp.MustCompile(`\b(slab|door|player|vehicle|event|expect)\.(\d+)`)

// number refuses what is no number or out of range.
func (c *checker) number(key string, v, lo, hi float64) float64 {
	if math.IsNaN(v) || v < lo || v > hi {
		c.bad(key, "%s = %v is outside %v to %v", key, v, lo, hi)
		return lo
	}
	return v
}

// point turns three numbers into a place in metres.
func (c *checker) point(key string, p []float64) vec.V3 {
	if len(p) != 3 {
		c.bad(key, "%s needs three numbers [x, y, z]", key)
		return vec.V3{}
	}
	for _, v := range p {
		c.number(key, v, -1e6, 1e6)
	}
	return vec.V3{X: float32(p[0] * c.scale), Y: float32(p[1] * c.scale), Z: float32(p[2] * c.scale)}
}

func (c *checker) few(key string, n, most int) {
	if n > most {
		c.bad(key, "%d of %s are too many; %d are allowed", n, key, most)
	}
}

func (c *checker) scene(load func(string) (*level.Level, error)) (*Scene, error) {
	f := c.f
	s := &Scene{File: f, Path: c.file, lines: c.lines, load: load, ids: map[string]int{}}
	switch f.Units {
	case "map":
		c.scale = 1.0 / level.UnitsPerMetre
	case "metres":
		c.scale = 1
	default:
		c.bad("units", "units = %q is neither \"metres\" nor \"map\"", f.Units)
	}
	if f.Name == "" {
		c.bad("name", "the scene needs a name")
	}
	c.number("tick_rate", float64(f.TickRate), 10, 240)
	c.number("snapshot_hz", float64(f.SnapshotHz), 0, float64(f.TickRate))
	c.number("seconds", f.Seconds, 0.01, mostSeconds)
	c.number("frame_hz", f.FrameHz, 10, 1000)
	c.number("buffer_ms", f.BufferMS, 0, 500)
	c.number("range_m", f.RangeM, 0, 1e6)
	c.number("spectate_delay_s", f.SpectateDelayS, 0, mostDelayS)
	c.few("slab", len(f.Slab), mostRows)
	c.few("door", len(f.Door), 64)
	c.few("player", len(f.Player), mostPlayers)
	c.few("event", len(f.Event), mostRows)
	c.few("measure", len(f.Measure), mostPairs)
	if len(f.Player) == 0 && c.err == nil {
		c.bad("player", "a scene needs a [[player]]")
	}
	if c.err != nil {
		return nil, c.err
	}
	set := tables.Arena()
	s.moves, s.optics = set.Movement, set.Optics
	if v := c.number("body.half", f.Body.Half, 0, 1e4); v > 0 {
		s.moves.HalfWidth = float32(v * c.scale)
	}
	if v := c.number("body.height", f.Body.Height, 0, 1e4); v > 0 {
		s.moves.StandHeight = float32(v * c.scale)
	}
	if v := c.number("body.eye", f.Body.Eye, 0, 1e4); v > 0 {
		s.moves.StandEye = float32(v * c.scale)
	}
	s.set, s.scale = set, c.scale
	c.earshots(s)
	c.players(s)
	c.vehicles(s)
	if c.err != nil {
		return nil, c.err
	}
	c.events(s)
	c.expects(s)
	c.pairs(s)
	if c.err != nil {
		return nil, c.err
	}
	c.build(s, load)
	if c.err != nil {
		return nil, c.err
	}
	s.world = trace.New(s.level)
	s.closed = s.doorStates()
	s.broken = s.pieceStates()
	if c.smoke(s); c.err != nil {
		return nil, c.err
	}
	return s, nil
}

// build makes the level.
func (c *checker) build(s *Scene, load func(string) (*level.Level, error)) {
	f := c.f
	if f.Map != "" {
		if len(f.Slab)+len(f.Door) > 0 {
			c.bad("map", "a scene has a map, or slabs and doors of its own, not both")
			return
		}
		if load == nil {
			c.bad("map", "maps cannot be loaded here")
			return
		}
		l, err := load(f.Map)
		if err != nil {
			c.bad("map", "%v", err)
			return
		}
		s.level = l
		return
	}
	var lv boxes.Level
	for i, sl := range f.Slab {
		key := fmt.Sprintf("slab.%d", i)
		kind, ok := map[string]level.Contents{"": level.Solid, "solid": level.Solid, "glass": level.Glass, "clip": level.PlayerClip, "weaponclip": level.WeaponClip}[sl.Kind]
		if !ok {
			c.bad(key+".kind", "kind = %q is none of solid, glass, clip and weaponclip", sl.Kind)
			return
		}
		box := c.box(key, sl.Min, sl.Max)
		if c.err != nil {
			return
		}
		s.slabs = append(s.slabs, DrawnSlab{box, kind == level.Solid})
		lv.Slabs = append(lv.Slabs, boxes.Slab{Box: box, Contents: kind, Piece: sl.Piece})
	}
	for i, d := range f.Door {
		key := fmt.Sprintf("door.%d", i)
		box := c.box(key, d.Min, d.Max)
		c.number(key+".open", d.Open, 0, 1)
		made := c.door(key, &d)
		if c.err != nil {
			return
		}
		lv.Doors = append(lv.Doors, boxes.Door{Box: box, Door: made})
		s.doors = append(s.doors, box)
	}
	var err error
	if s.level, err = lv.Build(f.Name); err != nil {
		c.bad("slab", "%v", err)
		return
	}
}

// door makes out how a door moves.
func (c *checker) door(key string, d *DoorSpec) level.Door {
	if d.Hinge == nil {
		if d.Degrees != 0 || d.Turn != 0 {
			c.bad(key, "degrees and degrees_per_second need a hinge = [x, y]")
		}
		speed := c.number(key+".speed", d.Speed*c.scale, 0.01, 1000)
		return boxes.Slide(c.point(key+".move", d.Move), float32(speed))
	}
	if d.Move != nil || d.Speed != 0 {
		c.bad(key, "a door has a hinge, or move and speed, not both")
	}
	if len(d.Hinge) != 2 {
		c.bad(key+".hinge", "hinge needs two numbers [x, y]")
		return level.Door{}
	}
	c.number(key+".degrees", math.Abs(d.Degrees), 1, 180)
	turn := c.number(key+".degrees_per_second", d.Turn, 0.01, 10000)
	return boxes.Swing(c.point(key+".hinge", []float64{d.Hinge[0], d.Hinge[1], 0}), float32(d.Degrees), float32(turn))
}

func (c *checker) box(key string, lo, hi []float64) vec.Box {
	b := vec.Box{Min: c.point(key+".min", lo), Max: c.point(key+".max", hi)}
	if c.err == nil && !(b.Min.X < b.Max.X && b.Min.Y < b.Max.Y && b.Min.Z < b.Max.Z) {
		c.bad(key, "min of a box must be below max in all three directions")
	}
	return b
}

func (c *checker) players(s *Scene) {
	snap := 1000 / float64(s.File.TickRate)
	if s.File.SnapshotHz > 0 {
		snap = 1000 / float64(s.File.SnapshotHz)
	}
	for i := range c.f.Player {
		p := &c.f.Player[i]
		key := fmt.Sprintf("player.%d", i)
		if _, twice := s.ids[p.Name]; p.Name == "" || twice {
			c.bad(key+".name", "each player needs a name of its own")
			return
		}
		s.ids[p.Name] = i
		a := actor{name: p.Name, team: uint8(c.number(key+".team", float64(p.Team), 0, 255)), ducked: p.Ducked, client: p.Client == nil || *p.Client}
		a.rtt = c.number(key+".link.rtt_ms", p.Link.RTTms, 0, 2000) / 1000
		a.jitter = c.number(key+".link.jitter_ms", p.Link.JitterMS, 0, 1000) / 1000
		a.loss = c.number(key+".link.loss", p.Link.Loss, 0, 0.9)
		a.interp = 2 * snap / 1000
		if p.InterpMS != nil {
			a.interp = c.number(key+".interp_ms", *p.InterpMS, 0, 1000) / 1000
		}
		body := state.Player{}
		if p.Ducked {
			body.Duck, body.Flags = 255, state.Ducked
		}
		switch {
		case p.Feet != nil && p.Eye != nil:
			c.bad(key+".eye", "give feet or eye of a player, not both")
		case p.Feet != nil:
			a.path = append(a.path, place{at: c.point(key+".feet", p.Feet), t: math.Inf(-1)})
		case p.Eye != nil:
			a.path = append(a.path, place{at: c.point(key+".eye", p.Eye).Sub(pmove.Eye(&body, &s.moves)), t: math.Inf(-1)})
		case len(p.Path) == 0:
			c.bad(key, "player %s needs feet, eye or a path", p.Name)
		}
		c.way(key, "path", p.Path, &a)
		c.heads(key, p.Yaw, p.Turn, &a)
		if c.err != nil {
			return
		}
		if p.Optic != "" {
			a.optic = c.optic(key+".optic", p.Optic)
		}
		a.from, a.until = math.Inf(-1), math.Inf(1)
		s.actors = append(s.actors, a)
	}
}

// way reads the path of an actor.
func (c *checker) way(key, name string, path [][]float64, a *actor) {
	c.few(key+"."+name, len(path), mostRows)
	last := math.Inf(-1)
	for _, q := range path {
		if len(q) != 4 || !(q[0] > last) {
			c.bad(key+"."+name, "a path is made of [seconds, x, y, z], each later than the one before")
			return
		}
		last = c.number(key+"."+name, q[0], -1e4, 1e4)
		a.path = append(a.path, place{last, c.point(key+"."+name, q[1:])})
	}
}

// heads reads which way an actor looks.
func (c *checker) heads(key string, yaw float64, turn [][]float64, a *actor) {
	a.turn = append(a.turn, heading{math.Inf(-1), c.number(key+".yaw", yaw, -1e6, 1e6)})
	for _, q := range turn {
		if len(q) != 2 || !(q[0] > a.turn[len(a.turn)-1].t) {
			c.bad(key+".turn", "a turn is made of [seconds, degrees], each later than the one before")
			return
		}
		a.turn = append(a.turn, heading{q[0], c.number(key+".turn", q[1], -1e6, 1e6)})
	}
}

// who returns the player of a name.
func (c *checker) who(s *Scene, key, name string) int {
	i, ok := s.ids[name]
	if !ok || i >= len(s.actors) {
		c.bad(key, "%s = %q is no player of this scene", key, name)
		return 0
	}
	return i
}

func (c *checker) events(s *Scene) {
	for i, e := range c.f.Event {
		key := fmt.Sprintf("event.%d", i)
		c.number(key+".at", e.At, 0, c.f.Seconds)
		ev := event{EventSpec: e, tick: s.ceil(e.At), who: -1, target: -1}
		switch e.Kind {
		case "door":
			doors := len(c.f.Door)
			if c.f.Map != "" {
				doors = mostRows
			}
			if e.Door < 0 || e.Door >= doors {
				c.bad(key+".door", "there is no door %d", e.Door)
			}
		case "break":
			if pieces := c.pieces(); e.Piece < 0 || e.Piece >= pieces {
				c.bad(key+".piece", "there is no piece %d: a slab with piece = true is one", e.Piece)
			}
		case "teams":
		case "table":
			if err := tableEvent(&s.set, &e); err != nil {
				c.bad(key+".name", "%v", err)
			}
		case "camera", "mark", "full", "carry", "drop":
			c.lookEvent(s, &ev, key)
		case "smoke", "blast", "flash":
			c.cloudEvent(s, &ev, key)
		case "enter", "leave":
			if c.err == nil {
				c.seatEvent(s, &ev, key)
			}
		case "lean":
			ev.who = c.who(s, key+".player", e.Player)
			c.number(key+".lean", e.Lean, -1, 1)
		case "shot", "step", "jump", "land", "reload", "aim", "join", "die", "spectate":
			ev.who = c.who(s, key+".player", e.Player)
			if e.Kind == "spectate" && e.Target != "" {
				ev.target = c.who(s, key+".target", e.Target)
			}
			if c.err == nil && e.Kind == "join" {
				s.actors[ev.who].from = e.At
			}
			if c.err == nil && e.Kind == "die" {
				s.actors[ev.who].until = e.At
			}
		default:
			c.bad(key+".kind", "kind = %q is none of door, break, shot, step, jump, land, reload, aim, join, die, spectate, lean, camera, mark, full, carry, drop, teams, smoke, blast, flash, enter, leave and table", e.Kind)
		}
		s.events = append(s.events, ev)
	}
	slices.SortStableFunc(s.events, func(a, b event) int { return a.tick - b.tick })
	s.aimed()
	s.leaned()
}

func (c *checker) expects(s *Scene) {
	for i := range c.f.Expect {
		e := &c.f.Expect[i]
		key := fmt.Sprintf("expect.%d", i)
		n := 0
		for _, given := range []bool{e.Sent != nil, e.First != nil, e.HeldMS != nil, e.Transitions != nil, e.Missing != nil, e.Hears != "",
			e.Blind, e.RaysPerTick != nil, e.Untested != nil, e.Alike} {
			if given {
				n++
			}
		}
		if n != 1 {
			c.bad(key, "an [[expect]] says one of sent, first, held_ms, transitions, missing, hears, blind, rays_per_tick, untested and alike; this one says %d", n)
			return
		}
		if e.RaysPerTick == nil && e.Untested == nil && !e.Alike {
			c.who(s, key+".viewer", e.Viewer)
			_, known := things[e.Thing]
			switch {
			case e.Thing == "":
			case !known:
				c.bad(key+".thing", "thing = %q is none of corpse, objective and weapon", e.Thing)
			case e.Sent == nil || e.Target != "":
				c.bad(key+".thing", "a thing is sent or not, and stands instead of a target")
			}
			switch i, ok := s.ids[e.Target]; {
			case (e.Hears != "" || e.Thing != "") && e.Target == "":
			case ok && i >= len(s.actors):
				if e.Sent == nil && e.First == nil && e.Transitions == nil {
					c.bad(key+".target", "of a vehicle sent, first and transitions can be expected")
				}
			default:
				c.who(s, key+".target", e.Target)
			}
		}
		for name, p := range map[string][]float64{"first": e.First, "held_ms": e.HeldMS} {
			if p != nil && (len(p) != 2 || !(p[0] <= p[1])) {
				c.bad(key+"."+name, "%s needs two numbers, the least and the most", name)
			}
		}
		if e.Hears != "" {
			if audible[e.Hears] == state.EvNone {
				c.bad(key+".hears", "hears = %q is none of shot, step, jump, land, reload, seat, door and mark", e.Hears)
			}
			c.number(key+".within", e.Within, 0, 1e6)
			if len(e.Times) != 2 || e.Times[0] > e.Times[1] {
				c.bad(key+".times", "times needs two numbers, the least and the most")
			}
		}
		if e.To != 0 && e.To < e.From {
			c.bad(key+".to", "to is before from")
		}
	}
}

func (c *checker) pairs(s *Scene) {
	if c.err != nil {
		return
	}
	add := func(v, t int) {
		if v != t && !slices.Contains(s.pairs, pair{v, t}) {
			s.pairs = append(s.pairs, pair{v, t})
		}
	}
	for _, m := range c.f.Measure {
		if len(m) != 2 {
			c.bad("measure", "measure is made of pairs [viewer, target]")
			return
		}
		add(c.who(s, "measure", m[0]), c.who(s, "measure", m[1]))
	}
	if c.f.Measure == nil && len(s.actors) <= 3 {
		for v := range s.actors {
			for t := range s.actors {
				if a, b := &s.actors[v], &s.actors[t]; a.client && (a.team == 0 || a.team != b.team) {
					add(v, t)
				}
			}
		}
	}
	for i := range c.f.Expect {
		if e := &c.f.Expect[i]; e.Viewer != "" && e.Target != "" && s.ids[e.Target] < len(s.actors) && (c.f.Measure == nil || e.HeldMS != nil || e.Missing != nil) {
			add(s.ids[e.Viewer], s.ids[e.Target])
		}
	}
	c.few("expect", len(s.pairs), mostPairs)
}
