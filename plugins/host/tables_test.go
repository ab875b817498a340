//go:build unix

package host_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// tuned is a match of the sample rules with settings.
func tuned(set map[string]string) rules.Match {
	m := *rulestest.Match(nil, true)
	m.Settings = set
	return m
}

// Rules that want a match to begin with what cannot be are refused in a sentence that
// names the plugin, the value and what it may be.
func TestBadTablesRefuseTheStart(t *testing.T) {
	many := ""
	for i := range 33 {
		many += fmt.Sprintf("movement.gravity=%d ", i)
	}
	for begins, want := range map[string]string{
		"movement.gravity=500":       "movement.gravity = 500 is outside 0 to 200",
		"movement.gravity=nan":       "movement.gravity = NaN is not a finite number",
		"movement.gravty=10":         `no number of the tables is named "movement.gravty"; near are movement.gravity`,
		"weapon.rifle.mag=1.5":       "weapon.rifle.mag = 1.5 is not a whole number, from 0 to 255",
		"movement.crouch_height=1.9": "CrouchHeight 1.9 is above StandHeight 1.75",
		many:                         "33 values of the tables other than the server's, and at most 32 may be",
	} {
		cfg, _ := config(t, "rules")
		_, err := host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: tuned(map[string]string{"begins": begins})})
		if err == nil {
			t.Fatalf("%s is taken", begins)
		}
		for _, part := range []string{"plugin", want, cfg.Path, "wants a match that begins with"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", begins, err, part)
			}
		}
	}
}

// The host asks for what a match begins with once: of a process that goes on with it,
// what it says is compared and not used.
func TestRestartedRulesKeepTheTablesOfTheMatch(t *testing.T) {
	for _, wavers := range []bool{false, true} {
		clock := newStepped()
		cfg, log := config(t, "rules")
		cfg.Wait, cfg.Clock = true, clock
		if wavers {
			cfg.Env = append(cfg.Env, "DOES=wavers")
		}
		r := startRules(t, host.RulesConfig{Config: cfg, Match: tuned(map[string]string{"begins": "movement.gravity=12"})})
		want := []tables.Value{{Name: "movement.gravity", To: 12}}
		var in rules.TickIn
		for tick := range state.Tick(40) {
			if tick == 20 {
				clock.step(2 * time.Minute)
				kill(t, r.Stats().PID, syscall.SIGKILL)
			}
			r.Submit(sample.Tick(&in, tick, 3))
			r.Take()
			if got := r.Tables(); !slices.Equal(got, want) {
				t.Fatalf("tick %d: the match begins with %v", tick, got)
			}
		}
		if s := r.Stats(); s.Restarts != 1 {
			t.Fatalf("%d restarts", s.Restarts)
		}
		says := strings.Contains(log.String(), "would begin one with other tables than it began with: it keeps those")
		if says != wavers || wavers && !strings.Contains(log.String(), "sounds.step = 3") {
			t.Errorf("wavers %v, the log says so: %v\n%s", wavers, says, log)
		}
	}
}

// ledgered plays ticks of a stage and keeps what becomes of tables.
type ledgered struct {
	stage *host.RulesStage
	in    rules.TickIn
	tick  state.Tick
	said  []rules.Op // the operations on tables
	at    []state.Tick
}

func (l *ledgered) play(ticks int) {
	for range ticks {
		for _, op := range l.stage.Take() {
			if op.Kind == rules.OpTable {
				l.said, l.at = append(l.said, op), append(l.at, l.tick)
			}
		}
		l.stage.Submit(sample.Tick(&l.in, l.tick, 4))
		l.tick++
	}
}

func stageOf(t *testing.T, set map[string]string, clock host.Clock) (*ledgered, host.RulesConfig) {
	t.Helper()
	cfg, _ := config(t, "rules")
	cfg.Wait, cfg.Clock = true, clock
	rc := host.RulesConfig{Config: cfg, Match: tuned(set), Save: 2 * time.Second}
	s, err := host.StartRulesStage(t.Context(), host.RulesStageConfig{RulesConfig: rc})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &ledgered{stage: s}, rc
}

// Rules that change tables and are killed around each change change them as those do
// that are never killed: each change once, in its tick.
func TestTableChangesAreMadeOnceThroughKills(t *testing.T) {
	set := map[string]string{"retunes": "1"}
	calm, _ := stageOf(t, set, newStepped())
	calm.play(400)
	clock := newStepped()
	wild, _ := stageOf(t, set, clock)
	kills := 0
	for wild.tick < 400 {
		if n := wild.tick % 50; n >= 48 && n <= 49 || n == 0 && wild.tick > 0 || wild.tick == 115 { // the 50th of ticks changes
			pid := wild.stage.Stats().PID
			clock.step(2 * time.Minute)
			kill(t, pid, syscall.SIGKILL)
			kills++
			eventually(t, 20*time.Second, "another process", func() bool { n := wild.stage.Stats().PID; return n != 0 && n != pid })
		}
		wild.play(1)
	}
	if !slices.Equal(calm.said, wild.said) || !slices.Equal(calm.at, wild.at) {
		t.Fatalf("never killed: %v in ticks %v\nkilled: %v in ticks %v", calm.said, calm.at, wild.said, wild.at)
	}
	if s := wild.stage.Stats(); len(calm.said) < 15 || kills < 20 || s.Restarts != kills || s.Differ != 0 {
		t.Errorf("says nothing: %d changes, %d kills, %d restarts, %d ticks answered otherwise", len(calm.said), kills, s.Restarts, s.Differ)
	}
}

// Rules that take over begin with their own tables, and with nothing of what those
// before made of them; those that go on with the match as it was leave them alone.
func TestRulesThatTakeOverBringTheirTables(t *testing.T) {
	own := rules.ResetTables(0, true)
	gravity := func(to float32) rules.Op { return rules.SetTable(tables.Value{Name: "movement.gravity", To: to}, 0) }
	for name, c := range map[string]struct {
		from, to map[string]string // settings
		fresh    bool              // rules that cannot read the state
		want     []rules.Op
	}{
		"nobody changes any":           {nil, nil, false, nil},
		"afresh, nobody changes any":   {nil, nil, true, nil},
		"the same go on":               {map[string]string{"begins": "movement.gravity=12", "retunes": "1"}, map[string]string{"begins": "movement.gravity=12"}, false, nil},
		"the same begin afresh":        {map[string]string{"begins": "movement.gravity=12", "retunes": "1"}, map[string]string{"begins": "movement.gravity=12"}, true, []rules.Op{own, gravity(12)}},
		"others begin with other ones": {map[string]string{"begins": "movement.gravity=12"}, map[string]string{"begins": "movement.gravity=9"}, false, []rules.Op{own, gravity(9)}},
		"others begin with none":       {map[string]string{"begins": "movement.gravity=12"}, nil, false, []rules.Op{own}},
		"afresh after changes":         {map[string]string{"retunes": "1"}, nil, true, []rules.Op{own}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, rc := stageOf(t, c.from, newStepped())
			l.play(120)
			before := len(l.said)
			rc.Match.Settings = c.to
			if c.fresh {
				rc.Env = append(slices.Clone(rc.Env), "DOES=forgets")
			}
			said := make(chan string, 1)
			if err := l.stage.Swap(rc, nil, func(s string, err error) { said <- fmt.Sprint(s, err) }); err != nil {
				t.Fatal(err)
			}
			l.play(20)
			if s := <-said; strings.Contains(s, "afresh") != c.fresh {
				t.Error(s)
			}
			if got := l.said[before:]; !slices.Equal(got, c.want) {
				t.Errorf("became of the tables: %v, want %v", got, c.want)
			}
			if got := l.stage.Tables(); !slices.Equal(got, sample.Values(c.to["begins"])) {
				t.Errorf("the present rules began with %v", got)
			}
		})
	}
}

// Of rules that take over and want what cannot be there is no change.
func TestRulesThatWantBadTablesDoNotTakeOver(t *testing.T) {
	l, rc := stageOf(t, map[string]string{"begins": "movement.gravity=12"}, newStepped())
	l.play(10)
	pid := l.stage.Stats().PID
	rc.Match.Settings = map[string]string{"begins": "movement.gravity=-3"}
	failed := make(chan error, 1)
	if err := l.stage.Swap(rc, nil, func(_ string, err error) { failed <- err }); err != nil {
		t.Fatal(err)
	}
	l.play(10)
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "movement.gravity = -3 is outside 0 to 200") {
		t.Error(err)
	}
	if len(l.said) != 0 || l.stage.Stats().PID != pid {
		t.Errorf("%v, process %d, was %d", l.said, l.stage.Stats().PID, pid)
	}
}

// The linked-in rules of the same name go on with the tables as they are; a linked-in
// version that would begin with other ones brings those.
func TestLinkedInRulesThatTakeOverKeepTables(t *testing.T) {
	for name, c := range map[string]struct {
		begins string
		want   []rules.Op
	}{
		"the same": {"movement.gravity=12", nil},
		"others": {"movement.gravity=9", []rules.Op{
			rules.ResetTables(0, true), rules.SetTable(tables.Value{Name: "movement.gravity", To: 9}, 0),
		}},
		"impossible": {"movement.gravity=900", []rules.Op{rules.ResetTables(0, true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newStepped()
			cfg, log := config(t, "rules")
			cfg.Path, cfg.Name = filepath.Join(t.TempDir(), "rules-sample"), "rules-sample"
			install(t, cfg.Path, "plugin")
			cfg.Wait, cfg.Clock = true, clock
			rc := host.RulesConfig{Config: cfg, Match: tuned(map[string]string{"begins": "movement.gravity=12"}), Save: time.Second}
			s, err := host.StartRulesStage(t.Context(), host.RulesStageConfig{
				RulesConfig: rc, OnFailure: host.Builtin, Linked: func() rules.Rules { return &beginning{sample.RulesSpec().New(), c.begins} },
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			l := &ledgered{stage: s}
			l.play(100)
			a := &act{wild: &wild{t: t}, stage: s, cfg: rc, clock: clock}
			a.ruin()
			l.play(20)
			if _, builtin := s.Name(); !builtin || !slices.Equal(l.said, c.want) {
				t.Errorf("builtin %v; became of the tables: %v, want %v\n%s", builtin, l.said, c.want, log)
			}
		})
	}
}

// beginning is rules that begin with something of their own.
type beginning struct {
	rules.Rules
	with string
}

func (b *beginning) Tables() []tables.Value { return sample.Values(b.with) }

// What is no number is an operation that is dropped by itself, and the rest is done.
func TestNoNumberForATableIsDropped(t *testing.T) {
	op := rules.SetTable(tables.Value{Name: "movement.gravity", To: float32(math.NaN())}, 0)
	if host.IsSane(&op) {
		t.Error("NaN is taken for a number")
	}
	if op.Pos.X = 3; !host.IsSane(&op) {
		t.Error("a change of tables is taken for nonsense")
	}
}
