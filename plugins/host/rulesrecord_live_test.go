//go:build unix

package host_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/plugins/host"
)

// begins returns what a record is told that it has begun, or why not.
func begins(t *testing.T, record func(func(error)) error) error {
	t.Helper()
	said := make(chan error, 1)
	if err := record(func(err error) { said <- err }); err != nil {
		return err
	}
	select {
	case err := <-said:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("is never told whether the record has begun")
		return nil
	}
}

// Rules are recorded from the middle of a match on, though they are killed meanwhile:
// the same rules, started from the head, want the same again.
func TestRulesAreRecordedInTheMiddleOfAMatch(t *testing.T) {
	clock := newStepped()
	cfg, _ := config(t, "rules")
	cfg.Path, cfg.Wait, cfg.Clock = filepath.Join(bins, "rules-teams"), true, clock
	s, err := host.StartRulesStage(t.Context(), host.RulesStageConfig{RulesConfig: host.RulesConfig{
		Config: cfg, Match: *rulestest.Match(map[string]string{"warmup_s": "0"}, true),
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	w := rulestest.New(6, 5)
	play := func(ticks int) {
		for range ticks {
			w.Chaos("/team blue", "hello")
			s.Submit(w.Advance())
			w.Done(s.Take())
		}
	}
	play(100)
	if s.StopRecord() != nil {
		t.Error("something was recorded")
	}
	var b bytes.Buffer
	if err := begins(t, func(begun func(error)) error { return s.Record(&b, begun) }); err != nil {
		t.Fatal(err)
	}
	play(100)
	pid := s.Stats().PID
	clock.step(2 * time.Minute)
	kill(t, pid, syscall.SIGKILL)
	play(150)
	if now := s.Stats(); now.PID == pid || now.Restarts != 1 {
		t.Errorf("it was not started again: %+v", now)
	}
	kept, missed, err := s.StopRecord().Close()
	if kept != 250 || missed != 0 || err != nil {
		t.Fatalf("%d kept, %d missed: %v", kept, missed, err)
	}
	r, err := host.NewRulesRecordReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Head; h.Rules != "teams" || h.Match.SavedTick != 100 || len(h.Match.Saved) == 0 {
		t.Errorf("head %+v", h)
	}
	playAgain(t, teams.Spec(), b.Bytes())
}

// Rules that save nothing cannot be recorded from the middle on, and a sentence says so.
func TestStatelessRulesAreNotRecorded(t *testing.T) {
	cfg, _ := config(t, "ops")
	cfg.Wait = true
	r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
	var in rules.TickIn
	in.Tick = 1
	r.Submit(&in)
	r.Take()
	var b bytes.Buffer
	err := begins(t, func(begun func(error)) error { r.Record(&b, begun); return nil })
	if err == nil || !strings.Contains(err.Error(), "save no state") {
		t.Error(err)
	}
}
