//go:build unix

package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/plugins/host"
)

// act is a wild match of a RulesStage, on a clock that is told to move, whose binary
// lies where it can be taken away.
type act struct {
	*wild
	stage *host.RulesStage
	cfg   host.RulesConfig
	log   *logged
	clock *stepped
}

func newAct(t *testing.T, failure host.OnFailure) *act {
	t.Helper()
	a := &act{clock: newStepped()}
	var cfg host.Config
	cfg, a.log = config(t, "rules")
	cfg.Path, cfg.Name = filepath.Join(t.TempDir(), "rules-duel"), "rules-duel"
	install(t, cfg.Path, "rules-duel")
	var err error
	cfg.Wait, cfg.Clock = true, a.clock
	a.cfg = host.RulesConfig{Config: cfg, Match: *rulestest.Match(map[string]string{"warmup_s": "1", "time_limit_s": "3", "over_s": "1"}, true), Save: time.Second}
	a.stage, err = host.StartRulesStage(t.Context(), host.RulesStageConfig{
		RulesConfig: a.cfg, OnFailure: failure, Linked: func() rules.Rules { return duel.New() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.stage.Close)
	a.wild = newWild(t, duel.Spec(), a.cfg.Match, a.stage)
	return a
}

// ruin takes the binary away and kills the process: no restart helps.
func (a *act) ruin() {
	a.t.Helper()
	if err := os.Rename(a.cfg.Path, a.cfg.Path+".away"); err != nil {
		a.t.Fatal(err)
	}
	kill(a.t, a.stage.Stats().PID, syscall.SIGKILL)
	eventually(a.t, 30*time.Second, "given up", func() bool {
		a.clock.step(100 * time.Millisecond)
		return a.stage.Stats().State == "off"
	})
}

// TestRulesThatKeepFailingPauseTheMatch: while they are off nobody decides, for so long
// as Stalled says; started by hand they go on as if nothing had been.
func TestRulesThatKeepFailingPauseTheMatch(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	for range 150 {
		a.tick(nil)
	}
	a.ruin()
	if ops := a.stage.Take(); len(ops) > 0 {
		a.inline.Take()
	}
	a.clock.step(2 * time.Second)
	if d := a.stage.Stalled(); d < time.Second {
		t.Errorf("stalled for %v", d)
	}
	if !strings.Contains(a.log.String(), "the match stands still: its rules keep failing") {
		t.Error("the log does not say so")
	}
	if err := os.Rename(a.cfg.Path+".away", a.cfg.Path); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	if err := a.stage.Swap(a.cfg, nil, func(s string, err error) { said <- s }); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		a.tick(nil)
	}
	if s := <-said; !strings.Contains(s, "with the scores and the round") {
		t.Error(s)
	}
	if a.stage.Stalled() != 0 || a.stage.Stats().PID == 0 {
		t.Errorf("%v, %+v", a.stage.Stalled(), a.stage.Stats())
	}
}

// TestLinkedInRulesTakeOver: with builtin the match goes on by the rules of the same
// name in this process, operation for operation; and a process takes over from those.
func TestLinkedInRulesTakeOver(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Builtin)
	for range 170 {
		a.tick(nil)
	}
	a.ruin()
	for range 150 {
		a.tick(nil)
	}
	if s := a.stage.Stats(); s.State != "builtin" || s.PID != 0 || a.stage.Stalled() != 0 {
		t.Errorf("%+v", s)
	}
	if _, builtin := a.stage.Name(); !builtin || !strings.Contains(a.log.String(), "the linked-in rules go on with the match") {
		t.Error("the log does not say so")
	}
	if err := os.Rename(a.cfg.Path+".away", a.cfg.Path); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1)
	if err := a.stage.Swap(a.cfg, nil, func(s string, err error) { said <- s }); err != nil {
		t.Fatal(err)
	}
	for range 250 {
		a.tick(nil)
	}
	if s := <-said; !strings.Contains(s, "with the scores and the round") || a.stage.Stats().PID == 0 {
		t.Error(s)
	}
}

// TestTheMatchEndsWithItsRules: with end players are told, and the match is over.
func TestTheMatchEndsWithItsRules(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.End)
	for range 100 {
		a.tick(nil)
	}
	a.ruin()
	ops := a.stage.Take()
	if len(rulestest.Find(ops, rules.OpEndMatch, 0)) != 1 || len(rulestest.Find(ops, rules.OpAnnounce, 0)) == 0 {
		t.Errorf("%+v", ops)
	}
	if ops = a.stage.Take(); len(ops) != 0 {
		t.Errorf("twice: %+v", ops)
	}
}

// TestRulesChangeBetweenTwoRounds: nothing happens while a round is played; at its end
// another process of the same rules goes on with score and phase, operation for
// operation.
func TestRulesChangeBetweenTwoRounds(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	for range 100 { // the round began at tick 64
		a.tick(nil)
	}
	pid := a.stage.Stats().PID
	said := make(chan string, 1)
	if err := a.stage.Swap(a.cfg, nil, func(s string, err error) { said <- s }); err != nil {
		t.Fatal(err)
	}
	if err := a.stage.Swap(a.cfg, nil, nil); err == nil || !strings.Contains(err.Error(), "under way already") {
		t.Error(err)
	}
	for range 100 {
		a.tick(nil)
	}
	if a.stage.Stats().PID != pid {
		t.Error("the rules changed while a round was played")
	}
	if next := a.stage.Coming(); next != "rules-duel" {
		t.Errorf("%q waits for the end of the round", next)
	}
	for range 300 {
		a.tick(nil)
	}
	if s := <-said; s != "rules-duel runs the match now, with the scores and the round of rules-duel" {
		t.Error(s)
	}
	if n := a.stage.Stats().PID; n == pid || n == 0 || runs(pid) || a.stage.Coming() != "" {
		t.Errorf("process %d, now %d, and still to come %q", pid, n, a.stage.Coming())
	}
}

// TestAMatchThatEndsSaysSoToTheRulesThatWait: nobody is told of another cause.
func TestAMatchThatEndsSaysSoToTheRulesThatWait(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	for range 100 {
		a.tick(nil)
	}
	said := make(chan error, 1)
	if err := a.stage.Swap(a.cfg, nil, func(_ string, err error) { said <- err }); err != nil {
		t.Fatal(err)
	}
	a.stage.Close()
	if err := <-said; err != host.ErrMatchEnded {
		t.Error(err)
	}
}

// TestOtherRulesBeginAfresh: rules that cannot read the state of those before begin the
// match with the players who are there, and say so.
func TestOtherRulesBeginAfresh(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	for range 40 {
		a.tick(nil)
	}
	cfg := a.cfg
	cfg.Name, cfg.Path, cfg.Match.Settings = "rules-teams", filepath.Join(bins, "rules-teams"), map[string]string{"warmup_s": "1"}
	said := make(chan string, 1)
	if err := a.stage.Swap(cfg, func() rules.Rules { return teams.New() }, func(s string, err error) { said <- s }); err != nil {
		t.Fatal(err)
	}
	teamed := 0
	for range 200 {
		ops := a.stage.Take()
		teamed += len(rulestest.Find(ops, rules.OpSetTeam, 0))
		a.w.Done(ops)
		a.stage.Submit(a.w.Advance())
	}
	if s := <-said; !strings.Contains(s, "begun it afresh: it cannot go on from the state of rules-duel") || !strings.Contains(s, "damaged or of another version") {
		t.Error(s)
	}
	if teamed < 8 {
		t.Errorf("%d players were given a team, of 8", teamed)
	}
}

// TestRulesThatCannotStartChangeNothing: what is missing is refused at once, what does
// not start at the end of the round; the match goes on operation for operation.
func TestRulesThatCannotStartChangeNothing(t *testing.T) {
	t.Parallel()
	a := newAct(t, host.Pause)
	for range 20 {
		a.tick(nil)
	}
	pid := a.stage.Stats().PID
	cfg := a.cfg
	cfg.Name, cfg.Path = "rules-none", filepath.Join(t.TempDir(), "none")
	if err := a.stage.Swap(cfg, nil, nil); err == nil || !strings.Contains(err.Error(), "was not found") {
		t.Error(err)
	}
	cfg.Name, cfg.Path, cfg.Env = "plugin", filepath.Join(bins, "plugin"), []string{"SAMPLE=exit3"}
	failed := make(chan error, 1)
	if err := a.stage.Swap(cfg, nil, func(_ string, err error) { failed <- err }); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		a.tick(nil)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Error(err)
	}
	if s := a.stage.Stats(); s.PID != pid || s.Restarts != 0 {
		t.Errorf("process %d, now %+v", pid, s)
	}
}

// TestNothingIsLostBeforeTheFirstState: rules that are given up before they have saved
// anything are gone on with from all that has happened, by the same rules anew and by
// those that are linked in.
func TestNothingIsLostBeforeTheFirstState(t *testing.T) {
	for name, failure := range map[string]host.OnFailure{"pause": host.Pause, "builtin": host.Builtin} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAct(t, failure)
			for range 50 {
				a.tick(nil)
			}
			if _, tick, ok := a.stage.Saved(); ok {
				t.Fatalf("there is a state of tick %d", tick)
			}
			a.ruin()
			if failure == host.Pause {
				if err := os.Rename(a.cfg.Path+".away", a.cfg.Path); err != nil {
					t.Fatal(err)
				}
				said := make(chan string, 1)
				if err := a.stage.Swap(a.cfg, nil, func(s string, err error) { said <- s }); err != nil {
					t.Fatal(err)
				}
				defer func() {
					if s := <-said; !strings.Contains(s, "with the scores and the round") {
						t.Error(s)
					}
				}()
			}
			for range 200 {
				a.tick(nil)
			}
			if a.ops < 100 {
				t.Errorf("only %d operations", a.ops)
			}
		})
	}
}
