package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// The pieces of brittle, a hall along x with a floor at 0.
const (
	pane  = iota // at x 0, from wall to wall
	crate        // at x 4, from wall to wall, two bullets strong
	plank        // a floor of its own, 2 m above the other, at x 10 to 14
	vault        // at x 16, only explosions harm it
)

func brittle(t testing.TB) *trace.World {
	t.Helper()
	b := level.NewBuilder("brittle")
	add := func(m int, bx vec.Box, c level.Contents) {
		if err := b.AddBox(m, bx, c, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, box(-20, -4, -1, 24, 4, 0), level.Solid)
	add(0, box(-21, -5, -1, -20, 5, 9), level.Solid)
	add(0, box(24, -5, -1, 25, 5, 9), level.Solid)
	add(0, box(-20, -5, -1, 24, -4, 9), level.Solid)
	add(0, box(-20, 4, -1, 24, 5, 9), level.Solid)
	add(0, box(-20, -5, 8, 24, 5, 9), level.Solid)
	for _, p := range []struct {
		box vec.Box
		level.Piece
	}{
		{box(0, -4, 0, 0.1, 4, 8), level.Piece{Material: level.Pane, Health: 1}},
		{box(4, -4, 0, 4.5, 4, 8), level.Piece{Material: level.Wood, Health: 20}},
		{box(10, -2, 1.8, 14, 2, 2), level.Piece{Material: level.Wood, Health: 10}},
		{box(16, -4, 0, 16.5, 4, 8), level.Piece{Material: level.Metal, Health: 50, Explosive: true}},
	} {
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		add(m, p.box, level.Solid)
		p.Model = m
		if !b.AddPiece(p.Piece) {
			t.Fatal("no room for a piece")
		}
	}
	b.AddSpawn(vec.New(-10, 0, 0.1), 0, 0)
	return trace.New(b.Build())
}

func newBrittle(t testing.TB) *rig {
	return newRig(t, func(c *sim.Config) { c.World = brittle(t) })
}

func breakOp(i int32, broken bool) rules.Op {
	op := rules.Op{Kind: rules.OpPiece, Value: i}
	if broken {
		op.Value2 = 1
	}
	return op
}

func (r *rig) broken(i int) bool { return r.s.Pieces()[i].Broken }

// A bullet breaks a pane and goes on with the table's share; the pane is gone for
// everything in that tick.
func TestBulletGoesOnThroughThePaneThatItBreaks(t *testing.T) {
	r := newBrittle(t)
	r.enter(1, vec.New(-10, 0, 0), 0)
	r.enter(2, vec.New(2, 0, 0), 180)
	r.run(20)
	eye, far := r.s.Eye(1), vec.New(2, 0, 1)
	if sc := r.s.Scene(); !sc.Blocked(eye, far, level.MaskShot) || sc.Blocked(eye, far, level.MaskSight) {
		t.Fatal("a pane stops shots and never sight")
	}
	r.aim(1, far)
	s := r.shot(1)
	w := r.s.Set().Weapons[tables.Rifle]
	if s.Result != sim.ShotPlayer || s.Target != 2 || s.Panes != 1 {
		t.Fatalf("%+v", s)
	}
	whole := float32(w.Damage)
	if s.Part == 0 && s.Damage != int32(vec.Floor(float32(whole*w.GlassShare)+0.5)) {
		t.Errorf("%d damage, of %v with a share of %v", s.Damage, whole, w.GlassShare)
	}
	p := r.s.Pieces()[pane]
	if !p.Broken || p.At != r.s.Tick() || r.count(state.EvBreak) != 1 {
		t.Errorf("%+v in tick %d, %d events", p, r.s.Tick(), r.count(state.EvBreak))
	}
	if r.s.Scene().Blocked(eye, far, level.MaskShot) {
		t.Error("it stops shots in the tick in which it breaks")
	}
	r.run(60)
	r.aim(1, far)
	if s := r.shot(1); s.Panes != 0 || s.Result != sim.ShotPlayer {
		t.Errorf("the second shot: %+v", s)
	}
}

// A solid piece stops every bullet, also the one that breaks it, and blocks sight
// until then.
func TestSolidPieceStopsBulletsUntilItBreaks(t *testing.T) {
	r := newBrittle(t)
	r.enter(1, vec.New(1, 0, 0), 0)
	r.enter(2, vec.New(8, 0, 0), 180)
	r.run(20)
	eye, far := r.s.Eye(1), r.s.Eye(2)
	r.aim(1, far)
	for n := range 2 {
		if !r.s.Scene().Blocked(eye, far, level.MaskSight) {
			t.Fatal("in sight before it broke")
		}
		if s := r.shot(1); s.Result != sim.ShotWorld || s.Why != sim.WhyBlocked {
			t.Fatalf("shot %d: %+v", n, s)
		}
		if r.broken(crate) != (n == 1) {
			t.Fatalf("after %d shots: %+v, %d left", n+1, r.s.Pieces()[crate], r.s.PieceLeft(crate))
		}
	}
	if r.s.Scene().Blocked(eye, far, level.MaskSight|level.MaskShot|level.MaskMove) {
		t.Error("blocks in the tick in which it broke")
	}
	if s := r.shot(1); s.Target != 2 {
		t.Errorf("%+v", s)
	}
}

// A shot meets what stood on its shooter's screen: both ways round.
func TestShotsSeePiecesAsTheShooterDid(t *testing.T) {
	for _, c := range []struct {
		name   string
		broken bool // by now; on the screen the other way round
		back   uint32
		hit    bool
	}{
		{"broke since", true, 10, false},
		{"broke since, without rewind", true, 0, true},
		{"mended since", false, 10, true},
		{"mended since, without rewind", false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newBrittle(t)
			r.enter(1, vec.New(1, 0, 0), 0)
			r.enter(2, vec.New(8, 0, 0), 180)
			r.apply(0, breakOp(crate, !c.broken))
			r.run(60)
			r.aim(1, r.s.Eye(2))
			r.run(1)
			r.apply(0, breakOp(crate, c.broken))
			r.run(3)
			r.back[1] = c.back * 256
			left := r.s.PieceLeft(crate)
			s := r.shot(1)
			if hit := s.Result == sim.ShotPlayer; hit != c.hit {
				t.Errorf("%+v", s)
			}
			if c.back > 0 && r.s.PieceLeft(crate) != left {
				t.Errorf("a piece was harmed that was not there for the shooter, or is not any more")
			}
		})
	}
}

// A pane that broke on the server and not yet on the screen costs the share, as it
// looked to the shooter, and breaks once.
func TestPaneBrokenSinceCostsItsShare(t *testing.T) {
	r := newBrittle(t)
	r.enter(1, vec.New(-10, 0, 0), 0)
	r.enter(2, vec.New(2, 0, 0), 180)
	r.run(20)
	r.aim(1, vec.New(2, 0, 1))
	r.run(1)
	r.apply(0, breakOp(pane, true))
	r.run(2)
	r.back[1] = 8 * 256
	if s := r.shot(1); s.Target != 2 || s.Panes != 1 {
		t.Errorf("%+v", s)
	}
	if n := r.count(state.EvBreak); n != 1 {
		t.Errorf("broke %d times", n)
	}
}

func TestOnlyExplosionsBreakSomePieces(t *testing.T) {
	r := newBrittle(t)
	r.enter(1, vec.New(8, 0, 0), 0)
	r.apply(0, rules.Op{Kind: rules.OpGive, ID: 1, Weapon: tables.Rocket, Value: 5})
	r.run(20)
	r.aim(1, vec.New(16, 0, 1))
	for range 10 {
		r.shot(1)
	}
	if r.broken(vault) || r.s.PieceLeft(vault) != 50 {
		t.Fatalf("bullets harmed it: %d left", r.s.PieceLeft(vault))
	}
	c := r.cmds[1]
	c.Weapon = tables.Rocket
	r.cmds[1] = c
	r.run(60)
	r.aim(1, vec.New(16, 0, 1))
	r.shot(1)
	r.run(60)
	if !r.broken(vault) {
		t.Errorf("a rocket left %d", r.s.PieceLeft(vault))
	}
	// The burst also reached the plank above, and not the crate behind it.
	if r.broken(crate) || r.broken(pane) {
		t.Error("a burst broke what is out of its reach")
	}
}

// Whoever stands on a piece that breaks falls, and its client is told of a force.
func TestStandingOnAPieceThatBreaksIsAFall(t *testing.T) {
	r := newBrittle(t)
	p := r.enter(1, vec.New(12, 0, 2), 0)
	r.run(30)
	m := int16(r.s.Scene().W.Level().Pieces[plank].Model)
	if p.Flags&state.OnGround == 0 || p.Ground != m {
		t.Fatalf("stands on %d", p.Ground)
	}
	forced, was := p.Forced, p.Pos
	r.apply(0, breakOp(plank, true))
	if p.Forced == forced {
		t.Error("nothing said that something acted")
	}
	r.run(1)
	if d := was.Sub(p.Pos); d.Z < 0 || d.Z > 0.1 || d.Flat() != (vec.V3{}) {
		t.Errorf("moved by %v in the first tick", d)
	}
	r.run(60)
	if p.Pos.Z > 0.01 || p.Flags&state.OnGround == 0 || p.Ground != 0 {
		t.Errorf("at %v on %d", p.Pos, p.Ground)
	}
	if p.Teleports != 1 {
		t.Errorf("%d teleports", p.Teleports)
	}
}

// A piece is not mended into a body: it waits.
func TestMendingWaitsUntilNobodyStandsThere(t *testing.T) {
	r := newBrittle(t)
	r.apply(0, breakOp(-1, true))
	for i := range r.s.Pieces() {
		if !r.broken(i) {
			t.Fatalf("piece %d stands", i)
		}
	}
	p := r.enter(1, vec.New(4.25, 0, 0), 0)
	r.run(10)
	r.apply(0, breakOp(-1, false))
	r.run(5)
	if !r.broken(crate) || r.broken(pane) || r.s.Pieces()[pane].At == 0 {
		t.Fatalf("%+v", r.s.Pieces())
	}
	r.walk(1, 127, 0)
	for n := 0; r.broken(crate); n++ {
		if r.run(1); n > 200 {
			t.Fatal("is never mended")
		}
	}
	if p.Pos.X < 4.5+r.s.Set().Movement.HalfWidth-0.01 {
		t.Errorf("mended while a body stood at %v", p.Pos)
	}
	if r.s.PieceLeft(crate) != 20 {
		t.Errorf("mended with %d", r.s.PieceLeft(crate))
	}
	// Broken again while it waits, it stays so.
	r.apply(0, breakOp(crate, true))
	r.walk(1, 0, 0)
	r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(4.25, 0, 0)}, breakOp(crate, false), breakOp(crate, true))
	r.apply(0, rules.Op{Kind: rules.OpTeleport, ID: 1, Pos: vec.New(8, 0, 0)})
	r.run(5)
	if !r.broken(crate) {
		t.Error("an older word won")
	}
	r.apply(2, rules.Op{Kind: rules.OpPiece, Value: 4}, rules.Op{Kind: rules.OpPiece, Value: -2})
}

// The same seed gives the same world, whatever breaks; and a plain list of who is
// broken agrees with the scene, the history and the events.
func TestPiecesAreDeterministicAndAgree(t *testing.T) {
	const seed = 11
	play := func() uint64 {
		r := newBrittle(t)
		rnd := vec.NewRand(seed, 0)
		for id := state.ID(1); id <= 4; id++ {
			r.enter(id, vec.New(-14+3*float32(id), rnd.Signed()*2, 0), 0)
			r.apply(0, rules.Op{Kind: rules.OpSetFlags, ID: id, Flags: state.Invulnerable}, rules.Op{Kind: rules.OpGive, ID: id, Weapon: tables.Rocket, Value: 50})
		}
		plain := map[int]bool{}
		n := len(r.s.Pieces())
		for tick := range 400 {
			for id := state.ID(1); id <= 4; id++ {
				c := r.cmds[id]
				c.Forward, c.Yaw, c.Pitch = int8(rnd.Intn(255)-127), state.AngleOf(rnd.Signed()*40), state.AngleOf(rnd.Signed()*10)
				c.Buttons, c.Weapon = state.Buttons(rnd.Intn(2)), uint8(1+tick/100%2)
				r.cmds[id], r.back[id] = c, uint32(rnd.Intn(12*256))
			}
			mended := -1
			if rnd.Intn(20) == 0 {
				mended = rnd.Intn(n)
				r.apply(0, breakOp(int32(mended), false))
			}
			r.run(1)
			for _, e := range r.s.Events() {
				if e.Kind == state.EvBreak {
					plain[int(e.Param)] = true
				}
			}
			for i, p := range r.s.Pieces() {
				if !p.Broken && plain[i] {
					plain[i] = false // only ever mended by the operation
				}
				if p.Broken != plain[i] {
					t.Fatalf("seed %d tick %d: piece %d is %+v, events say %v", seed, r.s.Tick(), i, p, plain[i])
				}
				if was := scenery.Bits(r.s.History().Gone(r.s.Tick())); was.Has(i) != p.Broken {
					t.Fatalf("seed %d tick %d: the history has piece %d broken %v", seed, r.s.Tick(), i, was.Has(i))
				}
			}
		}
		if r.count(state.EvBreak) < 4 {
			t.Fatalf("seed %d: %d breaks", seed, r.count(state.EvBreak))
		}
		return r.s.Hash()
	}
	if a, b := play(), play(); a != b {
		t.Fatalf("seed %d: %x and %x", seed, a, b)
	}
}
