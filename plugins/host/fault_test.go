//go:build unix

package host_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// oddPairs is a fallback that permits pairs with an odd sum.
type oddPairs struct{}

func (oddPairs) Decide(in *vis.Input, out *vis.Answer) {
	for v := range in.Viewers {
		for s := range in.Subjects {
			if (v+s)%2 == 1 && in.IsAsked(v, s) {
				out.Allow(v, s, vis.EyeEye, in.Tick, 1)
			}
		}
	}
}

// guarded collects and checks the promise: a pair that the plugin did not decide
// now is permitted by the fallback or by a hold of the plugin's last answer, be it one
// that came in time or at most two ticks late.
type guarded struct {
	t  *testing.T
	p  *host.Policy
	hz int // tick rate; 0 is 64
}

func (g *guarded) tick(in *vis.Input) *vis.Answer {
	g.t.Helper()
	g.p.Submit(in)
	return g.check(in, g.p.Collect())
}

func (g *guarded) check(in *vis.Input, a *vis.Answer) *vis.Answer {
	g.t.Helper()
	if a.Tick != in.Tick || a.Viewers != len(in.Viewers) || a.Subjects != len(in.Subjects) {
		g.t.Fatalf("tick %d: answer of tick %d, %d×%d", in.Tick, a.Tick, a.Viewers, a.Subjects)
	}
	if a.Source == vis.FromPolicy {
		return a
	}
	last := g.p.Standing()
	most := state.Tick(4) // 62 ms
	if g.hz > 0 {
		most = state.Tick(62*g.hz+500) / 1000
	}
	for v := range in.Viewers {
		for s := range in.Subjects {
			held := last != nil && in.Tick-last.Tick <= most && last.Permitted(v, s) && last.Hold[v*last.Subjects+s] >= in.Tick
			if a.Permitted(v, s) && (v+s)%2 == 0 && !held {
				g.t.Errorf("tick %d: pair %d,%d is permitted (%v) by nobody", in.Tick, v, s, a.Reason[v*a.Subjects+s])
			}
			if !a.Permitted(v, s) && ((v+s)%2 == 1 && in.IsAsked(v, s) || held) {
				g.t.Errorf("tick %d: pair %d,%d is withheld against hold or fallback", in.Tick, v, s)
			}
		}
	}
	return a
}

// TestKilledPolicyComesBack: in lockstep, SIGKILL in the middle of a match costs
// no tick, discloses nothing that neither hold nor fallback permits, and a new
// process decides again, having restarted its own history.
func TestKilledPolicyComesBack(t *testing.T) { overBoth(t, killPolicy) }

// overBoth runs a test with the policy's frames in shared memory, where there is some,
// and over the stream.
func overBoth(t *testing.T, f func(t *testing.T, stream bool)) {
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprintf("stream=%v", stream), func(t *testing.T) { f(t, stream) })
	}
}

func killPolicy(t *testing.T, stream bool) {
	t.Parallel()
	cfg, log := config(t, "policy")
	cfg.Wait, cfg.Stream = true, stream
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	g := &guarded{t: t, p: p}
	var in vis.Input
	first := p.Stats().PID
	others := 0
	for tick := state.Tick(1); tick <= 60; tick++ {
		if tick == 20 {
			kill(t, first, syscall.SIGKILL)
		}
		if a := g.tick(sample.Input(&in, tick, 6)); a.Source != vis.FromPolicy {
			others++
		}
	}
	s := p.Stats()
	if s.PID == first || s.PID == 0 || s.Restarts != 1 {
		t.Errorf("first process %d, now %d, %d restarts", first, s.PID, s.Restarts)
	}
	if others == 0 || others > 4 {
		t.Errorf("%d ticks were decided by others, wanted one or two", others)
	}
	for _, want := range []string{"plugin ended", "killed", "plugin started", "fallback policy is in force"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
}

func kill(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
	if sig == syscall.SIGSTOP {
		eventually(t, 30*time.Second, "it has stopped", func() bool { return hasStopped(pid) })
	}
}

// hasStopped reports whether every thread of a process stands still, where the system
// tells: a signal takes its time, and one more answer may come before.
func hasStopped(pid int) bool {
	stats, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		return true
	}
	for _, f := range stats {
		if b, err := os.ReadFile(f); err == nil && !strings.Contains(string(b), ") T ") {
			return false
		}
	}
	return true
}

// TestKilledRulesLoseNothing: killed before and after a state was saved, rules
// give the operations of rules that were never killed, each once and in order. The
// first restart is at once and costs no tick; the second comes half a second
// later.
func TestKilledRulesLoseNothing(t *testing.T) {
	for _, c := range []struct {
		file string
		spec rules.Spec
		set  map[string]string
	}{
		{"plugin", sample.RulesSpec(), map[string]string{"hud": "1"}},
		{"rules-duel", duel.Spec(), nil},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			m := match()
			m.Settings = c.set
			killRules(t, c.file, c.spec, m)
		})
	}
}

func killRules(t *testing.T, file string, spec rules.Spec, m rules.Match) {
	cfg, _ := config(t, "rules")
	cfg.Path, cfg.Wait = filepath.Join(bins, file), true
	r := startRules(t, host.RulesConfig{Config: cfg, Match: m, Save: time.Second})
	value := spec.New()
	if err := value.Start(&m); err != nil {
		t.Fatal(err)
	}
	inline := rules.Inline(value)
	var in rules.TickIn
	var got, want []rules.Op
	pids := map[int]bool{}
	for tick := state.Tick(1); tick <= 260; tick++ {
		got, want = append(got, r.Take()...), append(want, inline.Take()...)
		if tick <= 130 && len(got) != len(want) {
			t.Fatalf("tick %d: %d operations, wanted %d", tick, len(got), len(want))
		}
		if tick == 30 || tick == 130 {
			pids[r.Stats().PID] = true
			kill(t, r.Stats().PID, syscall.SIGKILL)
		}
		sample.Tick(&in, tick, 8)
		r.Submit(&in)
		inline.Submit(&in)
	}
	want = append(want, inline.Take()...)
	eventually(t, 30*time.Second, "every operation", func() bool { got = append(got, r.Take()...); return len(got) >= len(want) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d operations differ from %d", len(got), len(want))
	}
	s := r.Stats()
	if pids[s.PID] || len(pids) != 2 || s.Restarts != 2 {
		t.Errorf("killed %v, now %d, %d restarts", pids, s.PID, s.Restarts)
	}
	if _, tick, ok := r.Saved(); !ok || tick < 100 {
		t.Errorf("state of tick %d, %v", tick, ok)
	}
}

// TestFrozenPluginIsReplaced: SIGSTOP stops no tick for longer than the deadline
// allows, and after 250 ms of silence another process is started.
func TestFrozenPluginIsReplaced(t *testing.T) { overBoth(t, freeze) }

func freeze(t *testing.T, stream bool) {
	const tickLen = time.Second / 64
	clock := newStepped()
	cfg, _ := config(t, "policy")
	cfg.Clock, cfg.Stream = clock, stream
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	rcfg, _ := config(t, "rules")
	rcfg.Clock = clock
	r := startRules(t, host.RulesConfig{Config: rcfg, Match: match()})
	g := &guarded{t: t, p: p}
	var in vis.Input
	var rin rules.TickIn
	pid, rpid := p.Stats().PID, r.Stats().PID
	var worst time.Duration
	stopped := 0 // ticks until the last of the two was found out
	for tick, began := state.Tick(1), time.Now(); ; tick++ {
		if tick == 10 {
			kill(t, pid, syscall.SIGSTOP)
			kill(t, rpid, syscall.SIGSTOP)
		}
		was := clock.Now()
		r.Take()
		p.Submit(sample.Input(&in, tick, 6))
		a := g.check(&in, clock.collect(p, tick >= 10 && p.Stats().PID == pid))
		r.Submit(sample.Tick(&rin, tick, 6))
		if tick == 10 { // else the clock runs before anything is owed
			eventually(t, 30*time.Second, "a tick is with both", func() bool {
				ps, rs := p.Stats(), r.Stats()
				return ps.Sent > ps.Received && rs.Sent > rs.Received
			})
		}
		took := clock.Now().Sub(was)
		worst = max(worst, took)
		ps, rs := p.Stats(), r.Stats()
		if tick > 10 && ps.PID != pid && rs.PID != rpid {
			// Both were found out. Those that come after have the time that they need: the
			// clock stands, and no tick goes by that the rules have not answered.
			if a.Source == vis.FromPolicy {
				break
			}
			eventually(t, 30*time.Second, "the rules have answered", func() bool { s := r.Stats(); return s.PID != 0 && s.Behind == 0 })
			if ps.PID == 0 || time.Since(began) > time.Second {
				time.Sleep(time.Millisecond) // another process is being started
			}
		} else if clock.step(tickLen - took); tick >= 10 {
			stopped++
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("not back: %+v\n%+v", p.Stats(), r.Stats())
		}
	}
	if worst > tickLen*2/5 {
		t.Errorf("a tick took %v while the plugins were frozen", worst)
	}
	if stopped < 16 || stopped > 20 {
		t.Errorf("found out after %d ticks, want 250 ms", stopped)
	}
	eventually(t, 20*time.Second, "the frozen processes are gone", func() bool { return !runs(pid) && !runs(rpid) })
}

// TestLateAnswersAreHeldAndThePluginIsRestarted: a policy that always answers
// after the deadline is not waited for, and is restarted for its misses.
func TestLateAnswersAreHeldAndThePluginIsRestarted(t *testing.T) {
	const tickLen = time.Second / 64
	clock := newStepped()
	cfg, log := config(t, "slow")
	cfg.Clock, cfg.Frozen = clock, time.Hour
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	g := &guarded{t: t, p: p}
	var in vis.Input
	standing := 0
	for tick := state.Tick(1); tick <= 400 && !strings.Contains(log.String(), "missed half of the last"); tick++ {
		was := clock.Now()
		p.Submit(sample.Input(&in, tick, 4))
		if a := g.check(&in, clock.collect(p, tick >= 10)); a.Source == vis.FromStanding {
			standing++
		}
		clock.step(tickLen - clock.Now().Sub(was))
	}
	eventually(t, 20*time.Second, "a restart", func() bool { return p.Stats().Restarts > 0 })
	if standing == 0 {
		t.Error("no standing answer was used")
	}
	if !strings.Contains(log.String(), "missed half of the last") {
		t.Error("the log does not say why")
	}
}

func TestNonsenseIsDroppedAndTurnsThePluginOff(t *testing.T) { overBoth(t, answerNonsense) }

func answerNonsense(t *testing.T, stream bool) {
	t.Parallel()
	cfg, _ := config(t, "nonsense")
	cfg.Wait, cfg.Stream = true, stream
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	g := &guarded{t: t, p: p}
	var in vis.Input
	for tick := state.Tick(1); tick <= 12; tick++ {
		if a := g.tick(sample.Input(&in, tick, 4)); a.Source != vis.FromFallback {
			t.Errorf("tick %d: %v", tick, a.Source)
		}
	}
	eventually(t, 30*time.Second, "off", func() bool { return p.Stats().State == "off" })
	if s := p.Stats(); s.Nonsense != 3 || s.Misses < 3 || s.PID != 0 {
		t.Errorf("%+v", s)
	}
	p.Restart()
	eventually(t, 30*time.Second, "up again", func() bool { return p.Stats().State == "up" })
}

func TestBadOperationsAreDroppedAlone(t *testing.T) {
	t.Parallel()
	cfg, log := config(t, "ops")
	cfg.Wait = true
	r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
	var in rules.TickIn
	for tick := state.Tick(1); tick <= 20; tick++ {
		r.Submit(sample.Tick(&in, tick, 2))
		if got := r.Take(); len(got) != 1 || got[0].Kind != rules.OpScore {
			t.Fatalf("%+v", got)
		}
	}
	for tick := state.Tick(21); tick <= 60; tick++ {
		r.Submit(sample.Tick(&in, tick, 2))
		r.Take()
	}
	eventually(t, 30*time.Second, "off", func() bool { return r.Stats().State == "off" })
	if !strings.Contains(log.String(), "100 operations") {
		t.Error("the log does not say why")
	}
	if r.Stalled() != 0 {
		r.Take()
	}
}

// TestNoPluginOutlivesAKilledHost is report O-21.
func TestNoPluginOutlivesAKilledHost(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second start finds what the first left
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), envHelper+"="+filepath.Join(bins, "plugin"))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		var a, b int
		if _, serr := fmt.Sscan(line, &a, &b); err != nil || serr != nil {
			t.Fatalf("%q %v %v", line, err, serr)
		}
		if !runs(a) || !runs(b) || a == b {
			t.Fatalf("plugins %d and %d", a, b)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		eventually(t, 3*time.Second, "both plugins gone", func() bool { return !runs(a) && !runs(b) })
	}
	// A start clears the folders that dead hosts left.
	cfg, _ := config(t, "policy")
	startPolicy(t, host.PolicyConfig{Config: cfg})
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "sl-*"))
	for _, dir := range left {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), "sl-%d-", &pid); err == nil && syscall.Kill(pid, 0) != nil {
			t.Errorf("%s is left of a host that is gone", dir)
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	cfg, log := config(t, "policy")
	p, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	pid := p.Stats().PID
	at := time.Now()
	p.Close()
	if runs(pid) {
		t.Error("the process still runs")
	}
	t.Logf("closed in %v", time.Since(at))
	if s := log.String(); strings.Contains(s, "ERROR") || strings.Contains(s, "WARN") {
		t.Error("a normal stop makes noise")
	}
}

// TestPrintsGoToTheLog: prints to either stream after the start do no harm, and
// log lines keep their level.
func TestPrintsGoToTheLog(t *testing.T) {
	t.Parallel()
	cfg, log := config(t, "chatty")
	cfg.Wait = true
	p := startPolicy(t, host.PolicyConfig{Config: cfg})
	var in vis.Input
	for tick := state.Tick(1); tick <= 3; tick++ {
		p.Submit(sample.Input(&in, tick, 2))
		p.Collect()
	}
	for _, want := range []string{"a print to stdout", "a print to stderr", `level=WARN msg="a warning" plugin=plugin tick=1`, "long long"} {
		eventually(t, 30*time.Second, want, func() bool { return strings.Contains(log.String(), want) })
	}
	for line := range strings.Lines(log.String()) {
		if len(line) > 9<<10 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// TestAPanicIsInTheLog: why a plugin died in the middle of a match can be read.
func TestAPanicIsInTheLog(t *testing.T) {
	t.Parallel()
	cfg, log := config(t, "dies")
	cfg.Wait = true
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	var in vis.Input
	for tick := state.Tick(1); tick <= 6; tick++ {
		p.Submit(sample.Input(&in, tick, 2))
		if a := p.Collect(); a.Tick != tick {
			t.Errorf("tick %d: %d", tick, a.Tick)
		}
	}
	for _, want := range []string{"level=ERROR msg=\"panic in Decide after tick 2: tick three, at main.go:", "exit status 2", "stderr=\"[panic in Decide after tick 2: tick three, at main.go:"} {
		eventually(t, 30*time.Second, want, func() bool { return strings.Contains(log.String(), want) })
	}
	if strings.Contains(log.String(), "goroutine ") || strings.Contains(log.String(), "grpc") {
		t.Error("a page of frames that are not the author's")
	}
}
