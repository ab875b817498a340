package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// The fixture, seen from above (x to the right, y up; a cell is 4 m):
//
//	 20 +----------+----------+
//	    |          |     L    |    L lift       P pad
//	    |  T       |          |    T teleport   v lava
//	  0 |          D          |    D door in the middle wall
//	    |  vv      |     P    |
//	    |          |          |
//	-20 +----------+----------+
//	   -20         0         20
//
// The floor is at 0, the ceiling at 12.
const (
	doorModel = 1
	liftModel = 2
)

func box(x0, y0, z0, x1, y1, z1 float32) vec.Box {
	return vec.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}
}

func fixture(t testing.TB) *trace.World {
	t.Helper()
	b := level.NewBuilder("fixture")
	add := func(model int, bx vec.Box, c level.Contents) {
		if err := b.AddBox(model, bx, c, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := b.Model(); err != nil {
			t.Fatal(err)
		}
	}
	// Floor with a pit of lava at (-16..-12, -12..-8), 1 m deep.
	add(0, box(-21, -21, -2, 21, 21, -1), level.Solid)
	add(0, box(-21, -21, -1, -16, 21, 0), level.Solid)
	add(0, box(-12, -21, -1, 21, 21, 0), level.Solid)
	add(0, box(-16, -21, -1, -12, -12, 0), level.Solid)
	add(0, box(-16, -8, -1, -12, 21, 0), level.Solid)
	add(0, box(-16, -12, -1, -12, -8, -0.1), level.Lava)
	add(0, box(-21, -21, 12, 21, 21, 13), level.Solid)
	add(0, box(-21, -21, -1, -20, 21, 13), level.Solid)
	add(0, box(20, -21, -1, 21, 21, 13), level.Solid)
	add(0, box(-21, -21, -1, 21, -20, 13), level.Solid)
	add(0, box(-21, 20, -1, 21, 21, 13), level.Solid)
	add(0, box(-0.5, -21, 0, 0.5, -1, 13), level.Solid) // middle wall
	add(0, box(-0.5, 1, 0, 0.5, 21, 13), level.Solid)
	add(0, box(-0.5, -1, 3, 0.5, 1, 13), level.Solid)
	add(doorModel, box(-0.25, -1, 0, 0.25, 1, 3), level.Solid)
	add(liftModel, box(8, 8, 0, 12, 12, 0.25), level.Solid)
	b.AddSpawn(vec.New(-10, 0, 0.1), 0, 0)
	b.AddSpawn(vec.New(10, 0, 0.1), 180, 0)
	b.AddSpawn(vec.New(-5, -15, 0.1), 90, 0)
	b.AddSpawn(vec.New(5, 15, 0.1), -90, 0)
	l := b.Build()
	l.Doors = []level.Door{
		{Model: doorModel, Move: vec.New(0, 0, 2.9), Speed: 6, Wait: 1, Trigger: box(-3, -1, 0, 3, 1, 3), Group: 0, Damage: 4},
		{Model: liftModel, Move: vec.New(0, 0, 4), Speed: 4, Wait: 1, Trigger: box(9, 9, 0.25, 11, 11, 2), Group: 1, Lift: true},
	}
	l.Teleports = []level.Teleport{{Box: box(-17, 7, 0, -15, 9, 2), Dest: vec.New(16, 16, 0.1), Yaw: -90}}
	l.Pads = []level.Pad{{Box: box(9, -11, 0, 11, -9, 0.5), Vel: vec.New(0, 0, 14)}}
	l.Hurts = []level.Hurt{{Box: box(15, 3, 0, 19, 5, 1), Damage: 10}, {Box: box(15, 6, 0, 19, 8, 1), Damage: 10, Slow: true}}
	l.Pickups = []level.Pickup{
		{Kind: level.PickHealth, Pos: vec.New(-10, 15, 0)},
		{Kind: level.PickRocketAmmo, Pos: vec.New(-6, 15, 0)},
		{Kind: level.PickArmor, Pos: vec.New(16, -16, 0), Delay: 1},
		{Kind: level.PickMega, Pos: vec.New(4, -16, 0)},
	}
	return trace.New(l)
}

// rig drives a Sim by hand.
type rig struct {
	t    testing.TB
	s    *sim.Sim
	cmds map[state.ID]state.Cmd
	back map[state.ID]uint32
	had  map[state.ID]state.Tick // newest packet of those who are tracked
	in   []sim.Input
	log  []state.Event // all events so far
}

const rate = 64

func newRig(t testing.TB, change func(*sim.Config)) *rig {
	t.Helper()
	cfg := sim.Config{World: fixture(t), Set: tables.Arena(), TickRate: rate, Seed: 1, MaxPlayers: 32, MaxRewindMS: 250}
	for w := range cfg.Set.Weapons { // exact aim
		cfg.Set.Weapons[w].SpreadDeg, cfg.Set.Weapons[w].SpreadMove, cfg.Set.Weapons[w].SpreadShot = 0, 0, 0
	}
	if change != nil {
		change(&cfg)
	}
	s, err := sim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, s: s, cmds: map[state.ID]state.Cmd{}, back: map[state.ID]uint32{}}
	t.Cleanup(func() {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// enter joins and spawns a player.
func (r *rig) enter(id state.ID, pos vec.V3, yaw float32) *state.Player {
	r.t.Helper()
	r.s.Join(id, 0)
	r.apply(0, rules.Op{Kind: rules.OpSpawn, ID: id, Pos: pos, Yaw: yaw})
	r.cmds[id] = state.Cmd{Yaw: state.AngleOf(yaw)}
	return r.s.Player(id)
}

func (r *rig) apply(bad int, ops ...rules.Op) {
	r.t.Helper()
	if got := r.s.Apply(ops); got != bad {
		r.t.Fatalf("%d operations dropped, want %d: %v of %+v", got, bad, r.s.BadOps(), ops)
	}
}

func (r *rig) run(ticks int) {
	r.t.Helper()
	for range ticks {
		r.in = r.in[:0]
		for _, id := range r.s.IDs() {
			c := r.cmds[id]
			c.Tick = r.s.Tick() + 1
			had, tracked := r.had[id]
			r.in = append(r.in, sim.Input{ID: id, Cmd: c, Rewind256: r.back[id], Tracked: tracked, Had: had})
		}
		r.s.Step(r.in)
		r.log = append(r.log, r.s.Events()...)
		if err := r.s.Check(); err != nil {
			r.t.Fatal(err)
		}
	}
}

// press changes a player's command.
func (r *rig) press(id state.ID, b state.Buttons) {
	c := r.cmds[id]
	c.Buttons = b
	r.cmds[id] = c
}

func (r *rig) walk(id state.ID, forward int8, yaw float32) {
	c := r.cmds[id]
	c.Forward, c.Yaw = forward, state.AngleOf(yaw)
	r.cmds[id] = c
}

// aim turns a player's view to a point.
func (r *rig) aim(id state.ID, at vec.V3) {
	c := r.cmds[id]
	y, p := vec.Angles(at.Sub(r.s.Eye(id)))
	c.Yaw, c.Pitch = state.AngleOf(y), state.AngleOf(p)
	r.cmds[id] = c
}

func (r *rig) count(k state.EventKind) (n int) {
	for _, e := range r.log {
		if e.Kind == k {
			n++
		}
	}
	return n
}

// shot fires a single round and returns its record.
func (r *rig) shot(id state.ID) sim.ShotRecord {
	r.t.Helper()
	r.press(id, state.BtnFire)
	defer r.press(id, 0)
	for range 200 {
		r.run(1)
		if s := r.s.LastShots(); len(s) > 0 {
			return s[0]
		}
	}
	r.t.Fatal("the weapon never fired")
	return sim.ShotRecord{}
}
