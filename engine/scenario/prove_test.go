package scenario_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

var proveWorlds = flag.Int("prove-worlds", 4, "worlds of each policy in the proof of non-interference")

// proveTicks is the length of a world: long enough for joins, deaths, a player who
// leaves and one who takes its place.
const proveTicks = 400

// hiding is a policy that keeps somebody behind a wall hidden. pvs is not one of them
// here: it hides nobody on a level without areas.
type hiding struct {
	spec vis.Spec
	// quiet says that it does so for players alone, and no nearer to a wall than it
	// moves them ahead: see proveConfig.
	quiet bool
}

func policiesThatHide() []hiding {
	return []hiding{
		{spec: deaddrop.Spec()}, {spec: reach.Spec()}, {spec: screen.Spec()}, {spec: netoptimize.Spec(), quiet: true},
	}
}

// pair is world n of a policy, under two paths of the hidden player.
func pair(t testing.TB, cfg proveConfig, n uint64) (a, b *proveWorld) {
	t.Helper()
	cfg.seed, cfg.ticks, cfg.loss = *seed*1000+n, max(cfg.ticks, proveTicks), 0.03
	if cfg.leak.name == "" || cfg.leak.theme > 0 {
		vary(&cfg, n)
	}
	loaded := cfg.furnish(proveLevelWith(t, cfg.seed, cfg.hinged))
	cfg.path = 2*n + 1
	a = runWorld(t, loaded, cfg)
	return a, runWorld(t, loaded, cfg.other(a))
}

// vary makes worlds unlike each other: rates of snapshots, bad lines, ticks that wrap,
// a viewer who watches somebody or nobody for a while, hidden players at the wall.
func vary(cfg *proveConfig, n uint64) {
	r := rand.New(rand.NewPCG(*seed, n))
	cfg.hz = []int{0, 0, 20, 32}[r.IntN(4)]
	cfg.loss = []float64{0, 0.03, 0.15}[r.IntN(3)]
	if r.IntN(3) == 0 {
		cfg.first = ^state.Tick(0) - state.Tick(r.IntN(proveTicks))
	}
	if !cfg.quiet && r.IntN(3) == 0 {
		cfg.at = [4]float32{-10, -14, -5.5, -4}
	}
	if r.IntN(2) == 0 {
		from, whom := 200+r.IntN(100), int32(proveVisible)
		if r.IntN(3) == 0 {
			whom = 0
		}
		cfg.ops = func(tick int) []rules.Op {
			if tick == from {
				return []rules.Op{{Kind: rules.OpSpectate, ID: proveViewer, Value: whom}}
			}
			return nil
		}
	}
	cfg.also(provedBreaks(cfg.seed, proveTicks))
	theme(cfg, n, r)
}

// Two worlds that differ in what a hidden player does alone give the viewer the same
// packets, byte for byte, at the same times; under a policy that hides nobody they
// do not, so that the test is worth something.
func TestNonInterference(t *testing.T) {
	t.Logf("seed %d", *seed)
	for _, p := range policiesThatHide() {
		t.Run(p.spec.Name, func(t *testing.T) {
			packets, void := 0, 0
			done, noPairs := tally{}, map[string]int{}
			for n := range uint64(*proveWorlds) {
				a, b := pair(t, proveConfig{spec: p.spec, quiet: p.quiet}, n)
				if why := noPair(a, b); why != "" {
					noPairs[why]++
					void++
					continue
				}
				if a.told || b.told {
					if void++; !p.quiet {
						t.Fatalf("world %d: %s sends somebody through a wall", n, p.spec.Name)
					}
					continue
				}
				if a.audible+b.audible > 0 {
					t.Fatalf("world %d: the hidden player was heard %d and %d times: it is no proof", n, a.audible, b.audible)
				}
				if kind, where := difference(a, b); kind != "" {
					t.Fatalf("world %d: the viewer can tell what is hidden by %s: %s", n, kind, where)
				}
				if a.views == 0 || a.events == 0 || len(a.got) < 90 {
					t.Fatalf("world %d: the viewer saw %d, heard %d in %d packets: nothing is proved", n, a.views, a.events, len(a.got))
				}
				packets += len(a.got)
				done.add(a, b)
			}
			t.Logf("%d packets in %d worlds are the same; %d do not count: %v; the hidden player did %v", packets, *proveWorlds-void, void, noPairs, done)
			if void*2 > *proveWorlds {
				t.Errorf("%s: %d worlds of %d do not count", p.spec.Name, void, *proveWorlds)
			}
			for _, what := range done.missing() {
				if *proveWorlds >= 16 && !p.quiet {
					t.Errorf("%s: no %s in %d worlds", p.spec.Name, what, *proveWorlds-void)
				}
			}
		})
	}
	for _, quiet := range []bool{false, true} {
		differ := 0
		for n := range uint64(*proveWorlds) {
			if kind, _ := difference(pair(t, proveConfig{spec: open.Spec(), quiet: quiet}, n)); kind != "" {
				differ++
			}
		}
		t.Logf("open, quiet %v: %d of %d worlds differ", quiet, differ, *proveWorlds)
		if differ*100 < 95**proveWorlds {
			t.Errorf("open, quiet %v, differs in only %d worlds of %d: the test would not see a leak", quiet, differ, *proveWorlds)
		}
	}
}
