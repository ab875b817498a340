package server

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/wire"
)

// claims is a stage whose server asks for reports, and what reaches the hook.
func claims(t *testing.T, asks bool) (st *stage, c *conn, got *[]ledger.Claim) {
	t.Helper()
	got = new([]ledger.Claim)
	st = newStage(t, func(cfg *Config) {
		start := cfg.Start
		cfg.Start = func(ref string) (*Match, error) {
			m, err := start(ref)
			if m != nil {
				m.Reveals = asks
			}
			return m, err
		}
		cfg.Hooks.Reveal = func(viewer, target state.ID, seq uint64, at state.Tick, m ledger.Claim) {
			if viewer != 1 || seq == 0 || at == 0 {
				t.Errorf("%d %d %d %d", viewer, target, seq, at)
			}
			*got = append(*got, m)
		}
	})
	_, c = st.seat("Ada")
	st.run(40)
	return st, c, got
}

const ms = 1_000_000

// Of two clocks that run apart by any amount, A − S is known to within the round trip,
// and the middle is right where both ways take equally long.
func TestClaimsAreBroughtToTheServersClock(t *testing.T) {
	for _, offset := range []int64{0, 5_000 * ms, 123_456_789 * ms} {
		var r reveals
		r.wrote(40, 7, 1_000*ms)
		r.learn(float64(1_030*ms+offset), 1_000*ms, float64(1_080*ms+offset), 1_110*ms) // 30 ms each way
		row := wire.Reveal{ID: 2, Came: 50_000, Drawn: true, Drew: 12_000, Look: 4_000}
		m := r.claim(r.packet(40), &row, float64(1_080*ms+offset), 1_110*ms)
		if m.CameUS != 30_000 || m.LeastUS != 0 || m.MostUS != 60_000 || m.DrawnUS != 12_000 || m.LookUS != 4_000 || m.Clamped {
			t.Errorf("offset %d: %+v", offset, m)
		}
		// A way up that is less held up narrows it: 10 ms instead of 30.
		r.learn(float64(2_030*ms+offset), 2_000*ms, float64(2_040*ms+offset), 2_050*ms)
		m = r.claim(r.packet(40), &row, float64(1_080*ms+offset), 2_050*ms)
		if m.CameUS < 19_900 || m.CameUS > 20_100 || m.MostUS > 40_200 || m.Clamped {
			t.Errorf("offset %d: %+v", offset, m)
		}
	}
}

// A hostile client's word is brought into what can be, and is marked.
func TestClaimsThatCannotBeAreClamped(t *testing.T) {
	st, c, got := claims(t, true)
	if c.reveals == nil {
		t.Fatal("not asked")
	}
	seq := c.ch.NewestAcked()
	word := func(row wire.Reveal) {
		st.s.reported(c, &wire.Reveals{Now: uint64(st.now) / 1000, Seq: seq, Rows: []wire.Reveal{row}}, st.now)
		st.run(20)
	}
	p := c.reveals.packet(seq)
	if p == nil || p.acked == 0 {
		t.Fatalf("%+v", p)
	}
	word(wire.Reveal{ID: 2, Drawn: true, Drew: math.MaxUint32})                         // drawn in an hour's time
	word(wire.Reveal{ID: 2, Came: math.MaxUint32, Drawn: true, Drew: 0, Look: 1 << 31}) // known an hour ago
	if len(*got) != 2 {
		t.Fatalf("%+v", *got)
	}
	for i, m := range *got {
		if heard := uint32(st.now-p.at) / 1000; !m.Clamped || m.CameUS > heard || m.DrawnUS > heard || m.MostUS < m.LeastUS {
			t.Errorf("%d: %+v", i, m)
		}
	}
	// Packets that there never were, the viewer itself, and who is no player.
	for _, row := range []wire.Reveal{{ID: 2, Back: math.MaxUint32}, {ID: 2, Back: 600}, {ID: c.id}, {ID: state.FirstThing}, {ID: 0}} {
		word(row)
	}
	st.s.reported(c, &wire.Reveals{Now: 1<<56 - 1, Seq: 1<<48 - 1, Rows: []wire.Reveal{{ID: 2}}}, st.now)
	if len(*got) != 2 {
		t.Errorf("%d claims", len(*got))
	}
}

// Reports beyond the limit are left out and counted; a server that does not ask takes
// none.
func TestReportsOfRevealsAreLimited(t *testing.T) {
	st, c, got := claims(t, true)
	m := &wire.Reveals{Now: uint64(st.now) / 1000, Seq: c.ch.NewestAcked(), Rows: []wire.Reveal{{ID: 2}}}
	for range 100 {
		st.s.reported(c, m, st.now)
	}
	st.run(70) // the counters are published once a second
	if len(*got) != revealBurst || st.s.Stats().RevealsLost != 100-revealBurst {
		t.Errorf("%d taken, %d left out", len(*got), st.s.Stats().RevealsLost)
	}
	st, c, got = claims(t, false)
	if c.reveals != nil {
		t.Error("asked")
	}
	st.s.reported(c, &wire.Reveals{Seq: c.ch.NewestAcked(), Rows: []wire.Reveal{{ID: 2}}}, st.now)
	if len(*got) != 0 {
		t.Error("taken")
	}
}
