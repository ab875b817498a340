package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// sides puts the viewer and whom it sees into one team, those behind the wall into the
// other.
func sides(tick int) (ops []rules.Op) {
	if tick%16 != 0 {
		return nil
	}
	for id := state.ID(1); id <= 5; id++ {
		team := int32(1)
		if id == proveHidden || id == proveOther || id == 5 {
			team = 2
		}
		ops = append(ops, rules.Op{Kind: rules.OpSetTeam, ID: id, Value: team})
	}
	return ops
}

// lookOnAt takes the viewer out of play from a tick on, watching somebody or nobody.
func lookOnAt(at int, of state.ID) func(int) []rules.Op {
	return func(tick int) []rules.Op {
		if tick >= at { // again and again: the rules bring it back
			return []rules.Op{{Kind: rules.OpSpectate, ID: proveViewer, Value: int32(of)}}
		}
		return nil
	}
}

// watchesViewer has whom the viewer sees look on, watching the viewer or nobody. O-17.
func watchesViewer(whom state.ID) func(int) []rules.Op {
	return func(tick int) []rules.Op {
		if tick >= 260 {
			return []rules.Op{{Kind: rules.OpSpectate, ID: proveVisible, Value: int32(whom)}}
		}
		return nil
	}
}

// marksBy has clients mark what they look at, again and again.
func marksBy(who ...int) func(*proveWorld) {
	return func(w *proveWorld) {
		for _, n := range who {
			if w.tick%50 == 30 && n < len(w.clients) {
				w.clients[n].Mark()
			}
		}
	}
}

// Watching late, being watched, a free camera, a mark and somebody who joins out of
// sight: what the hidden player does, or where it enters, and whether anybody watches,
// shows in no byte, size or time of a packet.
func TestLookingOnMarkingAndJoiningTellNothing(t *testing.T) {
	for _, c := range []struct {
		name     string
		one, two script
		a, b     func(*proveConfig)
		happened func(a, b *proveWorld) bool
	}{
		{
			name: "spectator, late", one: shoots(2), two: walks(40),
			a: func(c *proveConfig) {
				c.ticks, c.spectate.DelayS, c.ops = 520, 0.75, lookOnAt(300, proveVisible)
			},
			happened: func(a, b *proveWorld) bool { return a.late > 100 && a.late == b.late && a.did[state.EvFire] > 2 },
		},
		{
			name: "free camera", one: shoots(1), two: still,
			a: func(c *proveConfig) {
				c.ticks, c.spectate, c.ops = 520, server.Spectate{DelayS: 0.5, Free: true}, lookOnAt(300, 0)
			},
			happened: func(a, b *proveWorld) bool { return a.late > 20 && a.late == b.late && a.did[state.EvFire] > 20 },
		},
		{
			name: "watched or not", one: walks(60), two: walks(60),
			a:        func(c *proveConfig) { c.ops = watchesViewer(proveViewer) },
			b:        func(c *proveConfig) { c.ops = watchesViewer(0) },
			happened: func(a, b *proveWorld) bool { return a.watchers > 50 && b.watchers == 0 },
		},
		{
			name: "mark", one: walks(60), two: still,
			a:        func(c *proveConfig) { c.ops, c.each = sides, marksBy(0, 1, 2, 3) },
			b:        func(c *proveConfig) { c.ops, c.each = sides, marksBy(0, 1) },
			happened: func(a, b *proveWorld) bool { return a.did[state.EvPing] > 1 && b.did[state.EvPing] == 0 && a.marks > 2 },
		},
		{
			name: "join", one: walks(60), two: creeps(30),
			a:        func(c *proveConfig) { c.at = [4]float32{2: 10} },
			b:        func(c *proveConfig) { c.at = [4]float32{2: 30} },
			happened: func(a, b *proveWorld) bool { return a.first.Dist(b.first) > 15 && len(a.clients[0].Scores()) >= 4 },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range policiesThatHide() {
				if p.quiet {
					continue // sends things through walls by its nature
				}
				cfg := proveConfig{spec: p.spec, seed: directed, path: 1, ticks: proveTicks}
				loaded := proveLevel(t, cfg.seed)
				one, two := cfg, cfg
				c.a(&one)
				if c.b == nil {
					c.b = c.a
				}
				c.b(&two)
				one.hidden, two.hidden = c.one, c.two
				a, b := runWorld(t, loaded, one), runWorld(t, loaded, two)
				if a.told || b.told || a.audible+b.audible > 0 {
					t.Errorf("%s: it was told of, or heard %d and %d times", p.spec.Name, a.audible, b.audible)
				}
				if kind, where := difference(a, b); kind != "" {
					t.Errorf("%s: shows by %s: %s", p.spec.Name, kind, where)
				}
				if !c.happened(a, b) {
					t.Errorf("%s: what could show has not happened: %v and %v, late %d and %d, marks %d, first %v and %v", p.spec.Name, a.did, b.did, a.late, b.late, a.marks, a.first, b.first)
				}
			}
		})
	}
}
