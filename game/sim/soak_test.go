package sim_test

import (
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// crowd drives players with random keys and respawns the dead.
type crowd struct {
	r    *rig
	rnd  vec.Rand
	in   []sim.Input
	rows []rules.PlayerRow
	ops  []rules.Op
	// reversed hands the inputs over backwards.
	reversed bool
}

func newCrowd(t testing.TB, n int, seed uint64) *crowd {
	c := &crowd{r: newRig(t, func(cfg *sim.Config) { cfg.Set = tables.Arena() }), rnd: vec.NewRand(seed)}
	for i := range n {
		c.r.s.Join(state.ID(i+1), 0)
	}
	c.in = make([]sim.Input, n)
	for i := range c.in {
		c.in[i].ID = state.ID(i + 1)
	}
	return c
}

func (c *crowd) step() {
	s := c.r.s
	c.rows, c.ops = s.RulesRows(c.rows[:0]), c.ops[:0]
	for i := range c.rows {
		if row := &c.rows[i]; row.DeadFor > 20 || row.Flags&state.Spectating != 0 {
			at := vec.New(c.rnd.Signed()*19, c.rnd.Signed()*19, 0.1)
			c.ops = append(c.ops, rules.Op{Kind: rules.OpSpawn, ID: row.ID, Pos: at, Yaw: c.rnd.Signed() * 180})
		}
	}
	if n, in := s.Apply(c.ops), s.BadOps()[sim.BadPlace]; n != 0 && in == 0 { // inside a wall: again next time
		c.r.t.Fatalf("tick %d: %d spawns dropped: %v", s.Tick(), n, s.BadOps())
	}
	for i := range c.in {
		in := &c.in[i]
		in.Cmd.Tick = s.Tick() + 1
		if c.rnd.Intn(12) == 0 {
			in.Cmd.Forward, in.Cmd.Right = int8(c.rnd.Uint64()), int8(c.rnd.Uint64())
			in.Cmd.Buttons = state.Buttons(c.rnd.Uint64()) & 0x3ff
			in.Cmd.Weapon = uint8(c.rnd.Intn(40))
			in.Rewind256 = uint32(c.rnd.Intn(8000))
			in.Starved = c.rnd.Intn(20) == 0
		}
		in.Cmd.Yaw += state.Angle16(c.rnd.Intn(2000)) - 700
		in.Cmd.Pitch = state.AngleOf(c.rnd.Signed() * 40)
	}
	if c.reversed {
		slices.Reverse(c.in)
		defer slices.Reverse(c.in)
	}
	s.Step(c.in)
}

func TestCrowdKeepsTheWorldSound(t *testing.T) {
	const seed = 42
	c := newCrowd(t, 16, seed)
	var kills, hits, taken, teleports, doors, bursts int
	for range 2000 {
		c.step()
		if err := c.r.s.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, e := range c.r.s.Events() {
			switch e.Kind {
			case state.EvKill:
				kills++
			case state.EvHit:
				hits++
			case state.EvPickup:
				taken++
			case state.EvTeleport:
				teleports++
			case state.EvDoor:
				doors++
			case state.EvExplode:
				bursts++
			}
		}
	}
	t.Logf("%d kills, %d hits, %d pickups, %d teleports, %d door turns, %d bursts", kills, hits, taken, teleports, doors, bursts)
	if kills == 0 || hits == 0 || taken == 0 || doors == 0 || bursts == 0 {
		t.Error("the crowd did not do everything")
	}
}

func TestSameInputsGiveTheSameWorld(t *testing.T) {
	a, b := newCrowd(t, 12, 7), newCrowd(t, 12, 7)
	for range 800 {
		a.step()
		b.step()
		if a.r.s.Hash() != b.r.s.Hash() {
			t.Fatalf("the worlds part in tick %d", a.r.s.Tick())
		}
	}
	other := newCrowd(t, 12, 8)
	for range 800 {
		other.step()
	}
	if a.r.s.Hash() == other.r.s.Hash() {
		t.Error("the hash does not see the difference")
	}
}

// The order in which inputs arrive must not matter.
func TestInputOrderDoesNotMatter(t *testing.T) {
	a, b := newCrowd(t, 12, 7), newCrowd(t, 12, 7)
	b.reversed = true
	for range 300 {
		a.step()
		b.step()
		if a.r.s.Hash() != b.r.s.Hash() {
			t.Fatalf("the worlds part in tick %d", a.r.s.Tick())
		}
	}
}

func TestSteadyTickAllocatesNothing(t *testing.T) {
	c := newCrowd(t, 16, 3)
	for range 600 {
		c.step()
	}
	if n := testing.AllocsPerRun(400, c.step); n != 0 {
		t.Fatalf("%v allocations per tick", n)
	}
}

func BenchmarkStep16(b *testing.B) {
	c := newCrowd(b, 16, 3)
	b.ReportAllocs()
	for b.Loop() {
		c.step()
	}
}
