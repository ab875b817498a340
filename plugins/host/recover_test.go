//go:build unix

package host_test

import (
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/plugins/host"
)

// shipped are the rules with settings that let much happen in ten seconds.
var shipped = []struct {
	file string
	spec rules.Spec
	set  map[string]string
}{
	{"rules-bomb", bomb.Spec(), map[string]string{"warmup_s": "0", "freeze_s": "1", "round_s": "3"}},
	{"rules-duel", duel.Spec(), map[string]string{"warmup_s": "1", "time_limit_s": "4", "moon_s": "1", "gravity_pct": "70"}},
	{"rules-teams", teams.Spec(), map[string]string{"warmup_s": "0", "time_limit_s": "5"}},
}

// wild is a wild match of rules that run elsewhere beside ones in this process, which
// never end.
type wild struct {
	t      *testing.T
	w      *rulestest.World
	inline rules.Runner
	runner rules.Runner
	ticks  int
	ops    int // compared
	saves  []byte
}

func newWild(t *testing.T, spec rules.Spec, m rules.Match, runner rules.Runner) *wild {
	t.Helper()
	value := spec.New()
	if err := value.Start(&m); err != nil {
		t.Fatal(err)
	}
	return &wild{t: t, w: rulestest.New(8, 3), inline: rules.Inline(value), runner: runner}
}

// tick compares what is due and makes the next tick. between, when not nil, is called
// while the tick is with the rules.
func (m *wild) tick(between func()) {
	m.t.Helper()
	got, want := m.runner.Take(), m.inline.Take()
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		m.t.Fatalf("tick %d:\n got %+v\nwant %+v", m.ticks, got, want)
	}
	m.ops += len(want)
	if m.ticks > 0 {
		m.w.Done(want)
	}
	m.w.Chaos("/team red", "/team blue", "/buy ammo", "/drop", "hello")
	in := m.w.Advance()
	m.inline.Submit(in)
	m.runner.Submit(in)
	if between != nil {
		between()
	}
	m.ticks++
}

// TestKilledAtAnyTickRulesGoOn: the process of each shipped rules is killed with -9 at
// ten ticks of one match, before there is a state, just before and after one is saved,
// twice in a row, between two ticks and with a tick in its hands; every tick has the
// operations of rules that were never killed, at once.
func TestKilledAtAnyTickRulesGoOn(t *testing.T) {
	for _, c := range shipped {
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			clock := newStepped() // on which each life is a long one
			cfg, _ := config(t, "rules")
			cfg.Path, cfg.Wait, cfg.Clock = filepath.Join(bins, c.file), true, clock
			m := *rulestest.Match(c.set, true)
			r := startRules(t, host.RulesConfig{Config: cfg, Match: m, Save: 2 * time.Second})
			g := newWild(t, c.spec, m, r)
			kills := map[int]bool{0: true, 1: true, 90: true, 127: true, 128: true, 129: true, 200: true, 331: true, 384: true, 385: true}
			pids := map[int]bool{}
			end := func() {
				pid := r.Stats().PID
				pids[pid] = true
				clock.step(2 * time.Minute)
				kill(t, pid, syscall.SIGKILL)
				eventually(t, 20*time.Second, "another process", func() bool { n := r.Stats().PID; return n != 0 && n != pid })
			}
			for tick := range 500 {
				switch {
				case kills[tick] && tick%2 == 0:
					g.tick(end)
				case kills[tick]:
					end()
					fallthrough
				default:
					g.tick(nil)
				}
			}
			s := r.Stats()
			if s.Restarts != len(kills) || len(pids) != len(kills) || s.Differ != 0 || g.ops == 0 {
				t.Errorf("%d restarts of %d, %d processes killed, %d ticks done again otherwise, %d operations", s.Restarts, len(kills), len(pids), s.Differ, g.ops)
			}
		})
	}
}

// TestTenSecondsOfJournalAreDoneAgainInHalfASecond measures the worst that a save every
// ten seconds leaves to be done, from the kill to the answer of the next tick. The best
// of some tries counts: others may be at work on this machine.
func TestTenSecondsOfJournalAreDoneAgainInHalfASecond(t *testing.T) {
	best := time.Hour
	for try := 0; try < 5 && best >= 500*time.Millisecond; try++ {
		cfg, _ := config(t, "rules")
		cfg.Path, cfg.Wait = filepath.Join(bins, "rules-bomb"), true
		m := *rulestest.Match(shipped[0].set, true)
		r := startRules(t, host.RulesConfig{Config: cfg, Match: m})
		g := newWild(t, bomb.Spec(), m, r)
		for range 10*rulestest.Rate - 1 {
			g.tick(nil)
		}
		if n := r.Stats().Journal; n != 10*rulestest.Rate-1 {
			t.Fatalf("%d ticks in the journal", n)
		}
		at := time.Now()
		kill(t, r.Stats().PID, syscall.SIGKILL)
		g.tick(nil)
		r.Take()
		best = min(best, time.Since(at))
		if s := r.Stats(); s.Restarts != 1 || s.Differ != 0 {
			t.Errorf("%d restarts, %d ticks done again otherwise", s.Restarts, s.Differ)
		}
	}
	t.Logf("from the kill to the next answer, with 10 s of journal: %v", best)
	if best >= 500*time.Millisecond {
		t.Errorf("it took %v", best)
	}
}
