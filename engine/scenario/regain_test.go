package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/link"
)

// curtain is a policy that shows everybody but one subject, while it hides. For so many
// ticks it holds it first: known, and nothing newer told.
type curtain struct {
	out  vis.Answer
	who  state.ID
	on   bool
	hold int
	held int
}

func (h *curtain) Submit(in *vis.Input) {
	h.out.Reset(in)
	if h.held++; !h.on {
		h.held = 0
	}
	for v := range in.Viewers {
		for s := range in.Subjects {
			switch {
			case !h.on || in.Subjects[s].ID != h.who:
				h.out.Allow(v, s, vis.Open, in.Tick, 0)
			case h.held <= h.hold:
				h.out.Allow(v, s, vis.Held, in.Tick, vis.NoNews)
			}
		}
	}
}
func (h *curtain) Collect() *vis.Answer { return &h.out }

// Somebody goes out of view, takes another weapon, crouches and comes back, while the
// client stands still for half a second or a tenth of the packets is lost: it is drawn
// once, as it is now, and never while it is away. O-18.
func TestWhoComesBackIsDrawnOnceAsItIsNow(t *testing.T) {
	for _, c := range []struct {
		name  string
		loss  float64
		pause bool
	}{{"a client that stands still", 0, true}, {"a tenth is lost", 0.1, false}, {"both", 0.1, true}} {
		line := link.SimConfig{LatencyMS: 30, JitterMS: 3, Loss: c.loss}
		policy := &curtain{who: 2}
		a := &actor{at: rules.Spawn{Pos: vec.New(-30, 5, 0.1)}}
		b := &actor{at: rules.Spawn{Pos: vec.New(-20, 5, 0.1)}}
		weapon, crouch := uint8(tables.Rifle), false
		b.input = func(*actor, state.Tick) state.Cmd {
			cmd := state.Cmd{Weapon: weapon}
			if crouch {
				cmd.Buttons = state.BtnCrouch
			}
			return cmd
		}
		stopped := false
		a.stop = func(int) bool { return stopped }
		s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}, policy: policy})
		s.rules.do = append(s.rules.do,
			rules.Op{Kind: rules.OpGive, ID: 2, Weapon: tables.Rifle, Value: 20}, rules.Op{Kind: rules.OpGive, ID: 2, Weapon: tables.Rocket, Value: 5})
		s.run(1500)
		copies := func() (n int, last client.Shown) {
			for _, o := range a.Others(nil) {
				if o.ID == 2 {
					n, last = n+1, o
				}
			}
			return n, last
		}
		for round := range 6 {
			if n, _ := copies(); n != 1 {
				t.Fatalf("%s, round %d: drawn %d times before", c.name, round, n)
			}
			stopped = c.pause
			s.run(60)
			policy.on = true
			weapon, crouch = tables.Rifle+tables.Rocket-weapon, !crouch
			if !c.pause {
				s.run(300)
				for range 200 {
					s.run(1)
					if n, _ := copies(); n != 0 {
						t.Fatalf("%s, round %d: drawn while it is away", c.name, round)
					}
				}
			}
			s.run(380)
			policy.on = false
			s.run(60)
			stopped = false
			bad := 0
			for ms := range 700 {
				s.run(1)
				n, o := copies()
				if n > 1 {
					t.Fatalf("%s, round %d: drawn %d times", c.name, round, n)
				}
				now := s.player(1)
				if n == 1 && ms > 300 && (o.Weapon != now.Weapon || o.Pose&state.PoseDucked != 0 != (now.Flags&state.Ducked != 0)) || n == 0 && ms > 300 {
					bad++
				}
			}
			if bad > 0 {
				n, o := copies()
				t.Errorf("%s, round %d: %d ms otherwise than it is; %d times, weapon %d of %d", c.name, round, bad, n, o.Weapon, s.player(1).Weapon)
			}
		}
		if err := s.srv.Check(); err != nil {
			t.Error(err)
		}
	}
}
