//go:build unix

package host_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// stage is a match's policy in lockstep, in a world.
type stage struct {
	*host.Stage
	t *testing.T
	w *plugintest.World
}

func newStage(t *testing.T, name string) *stage {
	t.Helper()
	s := &stage{t: t, w: plugintest.NewWorld(t, 5, 1, 10)}
	s.Stage = host.NewStage(s.start(name), name)
	t.Cleanup(s.Close)
	return s
}

// start starts a policy for the stage's world.
func (s *stage) start(name string, env ...string) *host.Policy {
	s.t.Helper()
	cfg, _ := config(s.t, "policy")
	cfg.Path, cfg.Wait, cfg.Env = filepath.Join(bins, name), true, append(cfg.Env, env...)
	p, err := host.StartPolicy(s.t.Context(), host.PolicyConfig{Config: cfg, Seed: 5, Level: host.LevelOf(s.w.Name, s.w.Data, level.Options{}, s.w.Level)})
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// tick plays one and returns how many pairs were permitted.
func (s *stage) tick() (*vis.Answer, int) {
	s.Submit(s.w.Step())
	a := s.Collect()
	n := 0
	for v := range a.Viewers {
		for i := range a.Subjects {
			if a.Permitted(v, i) {
				n++
			}
		}
	}
	return a, n
}

// A shadow judges the same ticks and changes nothing.
func TestShadowChangesNothing(t *testing.T) {
	t.Parallel()
	s, alone := newStage(t, "policy-deaddrop"), newStage(t, "policy-deaddrop")
	if _, ok := s.ShadowReport(); ok {
		t.Error("there is a shadow at first")
	}
	s.Shadow(s.start("policy-open"), "policy-open")
	for tick := range 60 {
		a, _ := s.tick()
		b, _ := alone.tick()
		same(t, "with a shadow", a, b)
		if tick == 30 {
			if r, ok := s.ShadowReport(); !ok || r.Ticks != 30 || r.Missed != 0 {
				t.Errorf("after 30 ticks: %+v", r)
			}
		}
	}
	r, ok := s.StopShadow()
	// Everybody in the yard is sent by the one and few by the other, and nobody of these
	// is withheld by the one.
	if !ok || r.More == 0 || r.Less != 0 || r.Same == 0 || r.RaysWas == 0 || r.Rays != 0 {
		t.Errorf("%+v", r)
	}
	if text := r.String(); !strings.Contains(text, "policy-open judged 59 ticks") {
		t.Error(text)
	}
	if _, ok := s.StopShadow(); ok {
		t.Error("a shadow that was ended is there")
	}
	s.tick()
}

// A switch happens between two ticks, after the new one has judged some, and misses
// none.
func TestSwitchBetweenTwoTicks(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-deaddrop")
	for range 5 {
		s.tick()
	}
	old := s.Stats().PID
	s.Switch(s.start("policy-open"), "policy-open", func(err error) {})
	changed := 0
	for tick := 1; tick <= 40; tick++ {
		a, n := s.tick()
		if a.Source != vis.FromPolicy {
			t.Fatalf("tick %d is decided by the %v", tick, a.Source)
		}
		_, name := s.Live()
		if name == "policy-open" && changed == 0 {
			changed = tick
		}
		if all := 10 * 9; (n >= all) != (name == "policy-open") { // with oneself there are more
			t.Fatalf("tick %d: %d pairs, decided by %s", tick, n, name)
		}
	}
	if changed != 17 {
		t.Errorf("decides from tick %d on", changed)
	}
	if pid := s.Stats().PID; pid == old || pid == 0 {
		t.Errorf("process %d, before %d", pid, old)
	}
}

// A new policy that is killed within the time for which the old one stands by is
// replaced by it.
func TestSwitchRollsBackOnAMiss(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-deaddrop")
	told := make(chan error, 1)
	s.Switch(s.start("policy-open"), "policy-open", func(err error) { told <- err })
	for range 20 {
		s.tick()
	}
	p, name := s.Live()
	if name != "policy-open" {
		t.Fatal(name)
	}
	kill(t, p.Stats().PID, 9)
	for range 200 {
		if s.tick(); true {
			if _, name = s.Live(); name == "policy-deaddrop" {
				break
			}
		}
	}
	if name != "policy-deaddrop" {
		t.Fatal("the old one does not come back")
	}
	select {
	case err := <-told:
		if err == nil || !strings.Contains(err.Error(), "missed tick") {
			t.Errorf("told %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("nobody is told")
	}
	if a, _ := s.tick(); a.Source != vis.FromPolicy {
		t.Errorf("then the %v decides", a.Source)
	}
}

// A policy that answers nonsense never takes over.
func TestSwitchToNonsenseIsNone(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-deaddrop")
	cfg, _ := config(t, "nonsense")
	cfg.Wait = true
	p, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 1)
	s.Switch(p, "nonsense", func(err error) { told <- err })
	for range 40 {
		if a, _ := s.tick(); a.Source != vis.FromPolicy {
			t.Fatalf("the %v decides", a.Source)
		}
	}
	select {
	case err := <-told:
		if err == nil || !strings.Contains(err.Error(), "policy-deaddrop goes on") {
			t.Errorf("told %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("nobody is told")
	}
}

// What a stage decides can be recorded while it does.
func TestStageIsRecorded(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-open")
	var b bytes.Buffer
	rec, err := host.NewRecorder(nil, &b, host.RecordHead{Policy: "open", TickRate: 64})
	if err != nil {
		t.Fatal(err)
	}
	s.Record(rec)
	for range 20 {
		s.tick()
	}
	if kept, missed, err := s.Record(nil).Close(); kept != 20 || missed != 0 || err != nil {
		t.Errorf("%d kept, %d missed: %v", kept, missed, err)
	}
	r, err := host.NewRecordReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	var in vis.Input
	var out vis.Answer
	if tick, err := r.Next(&in, &out); tick != 1 || err != nil || !out.Permitted(0, 1) {
		t.Errorf("tick %d: %v", tick, err)
	}
}

// Whoever asks a stage something does not wait for the tick that waits for a policy, as
// in a debugger.
func TestAStageAnswersWhileATickWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t, "policy-open")
	s.tick()
	pid := s.Stats().PID
	kill(t, pid, syscall.SIGSTOP)
	s.Submit(s.w.Step())
	got := make(chan *vis.Answer, 1)
	go func() { got <- s.Collect() }()
	asked := make(chan string, 1)
	go func() {
		name := ""
		for range 200 { // until the tick certainly waits
			_, name = s.Live()
			time.Sleep(time.Millisecond)
		}
		asked <- name
	}()
	select {
	case name := <-asked:
		if name != "policy-open" {
			t.Error(name)
		}
	case <-got:
		t.Error("the tick did not wait")
	case <-time.After(5 * time.Second):
		t.Error("it waits for the tick")
	}
	kill(t, pid, syscall.SIGCONT)
	if a := <-got; a.Source != vis.FromPolicy {
		t.Errorf("the %v decides", a.Source)
	}
}
