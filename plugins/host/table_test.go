//go:build unix

package host_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

// harmed runs a policy and rules that do harm in tick 10, in lockstep, for so many
// ticks each: nothing is disclosed that should not be, and no operation is lost or
// given twice. It returns what the logs say.
func harmed(t *testing.T, harm string, ticks int, change func(*host.Config), check func(kind, log string, s host.Stats)) {
	t.Run("policy", func(t *testing.T) {
		t.Parallel()
		cfg, log := config(t, "policy")
		cfg.Wait, cfg.Env, cfg.Clock = true, append(cfg.Env, "DOES="+harm, "ONCE=1"), newStepped()
		change(&cfg)
		p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
		g := &guarded{t: t, p: p}
		var in vis.Input
		others := 0
		for tick := state.Tick(1); tick <= state.Tick(ticks); tick++ {
			if a := g.tick(sample.Input(&in, tick, 6)); a.Source != vis.FromPolicy {
				others++
			}
		}
		if others > 5 {
			t.Errorf("%d ticks were decided by others", others)
		}
		check("policy", log.String(), p.Stats())
	})
	t.Run("rules", func(t *testing.T) {
		t.Parallel()
		cfg, log := config(t, "rules")
		cfg.Wait, cfg.Env, cfg.Clock = true, append(cfg.Env, "DOES="+harm, "ONCE=1"), newStepped()
		change(&cfg)
		r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
		lossless(t, r, ticks, nil)
		check("rules", log.String(), r.Stats())
	})
}

// lossless gives rules so many ticks and says whether each has the operations of rules
// that nothing happens to.
func lossless(t *testing.T, r *host.Rules, ticks int, each func(tick int)) {
	t.Helper()
	m := match()
	value := sample.RulesSpec().New()
	if err := value.Start(&m); err != nil {
		t.Fatal(err)
	}
	inline := rules.Inline(value)
	var in rules.TickIn
	var got, want []rules.Op
	for tick := 1; tick <= ticks; tick++ {
		r.Submit(sample.Tick(&in, state.Tick(tick), 6))
		inline.Submit(&in)
		if each != nil {
			each(tick)
		}
		got, want = append(got, r.Take()...), append(want, inline.Take()...)
	}
	eventually(t, 30*time.Second, "every operation", func() bool { got = append(got, r.Take()...); return len(got) >= len(want) })
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d operations are not the %d that they should be", len(got), len(want))
	}
}

// TestAFloodOfLogEndsIt: 40 MB of log in one tick end the process, which is started
// again; the host's log has some hundred lines of it and says why.
func TestAFloodOfLogEndsIt(t *testing.T) {
	harmed(t, "flood", 20, func(*host.Config) {}, func(kind, log string, s host.Stats) {
		if n := strings.Count(log, "\n"); n > 300 || s.Restarts == 0 {
			t.Errorf("%s: %d lines of it, %d restarts", kind, n, s.Restarts)
		}
		if !strings.Contains(log, "it wrote more than 32 MiB to its log") {
			t.Errorf("%s: the log does not say why", kind)
		}
	})
}

// TestChatterIsLeftOut: thousands of lines are no fault, and are not written down.
func TestChatterIsLeftOut(t *testing.T) {
	harmed(t, "chatter", 20, func(*host.Config) {}, func(kind, log string, s host.Stats) {
		if n := strings.Count(log, "chatter"); n > 250 || s.Restarts != 0 {
			t.Errorf("%s: %d lines of it, %d restarts", kind, n, s.Restarts)
		}
	})
}

// TestAHogOfMemoryIsReplaced: half a gigabyte ends it where 200 MiB are allowed.
func TestAHogOfMemoryIsReplaced(t *testing.T) {
	if _, err := os.Stat("/proc/self/statm"); err != nil {
		t.Log("this system does not tell")
		return
	}
	harmed(t, "hog", 12, func(c *host.Config) { c.MemoryMB = 200 }, func(kind, log string, s host.Stats) {
		if !strings.Contains(log, "200 are allowed (plugin.memory_mb)") || s.Memory < 1<<20 || s.Memory > 200<<20 {
			t.Errorf("%s: the log does not say why, or it has %d bytes now", kind, s.Memory)
		}
	})
}

// TestForkedChildrenEndWithIt: what a plugin has started ends with it, when it is
// killed and when the host stops it, though it holds the plugin's output open.
func TestForkedChildrenEndWithIt(t *testing.T) {
	child := func(t *testing.T, log *logged, nth int) (child, of int) {
		eventually(t, 30*time.Second, "a child", func() bool { return strings.Count(log.String(), "child ") >= nth })
		parts := strings.Split(log.String(), "child ")
		fmt.Sscanf(parts[nth], "%d of %d", &child, &of)
		return child, of
	}
	for _, kind := range []string{"policy", "rules"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			cfg, log := config(t, kind)
			cfg.Wait, cfg.Env = true, append(cfg.Env, "DOES=forks")
			var tick state.Tick
			var step func()
			var stop func()
			var stats func() host.Stats
			if kind == "policy" {
				p, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
				if err != nil {
					t.Fatal(err)
				}
				var in vis.Input
				step, stop, stats = func() { p.Submit(sample.Input(&in, tick, 4)); p.Collect() }, p.Close, p.Stats
			} else {
				r, err := host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: match()})
				if err != nil {
					t.Fatal(err)
				}
				var in rules.TickIn
				step, stop, stats = func() { r.Submit(sample.Tick(&in, tick, 4)); r.Take() }, r.Close, r.Stats
			}
			for ; tick < 12; tick++ {
				step()
			}
			c, of := child(t, log, 1)
			if !runs(c) || of != stats().PID {
				t.Fatalf("child %d of %d", c, of)
			}
			kill(t, of, syscall.SIGKILL)
			eventually(t, 30*time.Second, "the child has ended", func() bool { return !runs(c) })
			tick = 9
			for ; tick < 12; tick++ {
				step()
			}
			if kind == "rules" { // tick 10 of the journal was answered before
				stop()
				return
			}
			c, _ = child(t, log, 2)
			stop()
			eventually(t, 30*time.Second, "the second child has ended", func() bool { return !runs(c) })
		})
	}
}

// TestSlowPlugins: on a clock that is told to move, answers come 5, 20 and 200 ms after
// they were asked for. At 64 Hz 5 ms are in time for a policy; operations of rules come
// as much later, none lost, and nobody is replaced.
func TestSlowPlugins(t *testing.T) {
	const tickLen = time.Second / 64
	for _, c := range []struct {
		ms           int
		misses, most uint64
	}{{5, 0, 0}, {20, 1, 2}, {200, 12, 14}} {
		delay := time.Duration(c.ms) * time.Millisecond
		t.Run(fmt.Sprintf("policy %d ms", c.ms), func(t *testing.T) {
			t.Parallel()
			clock := newStepped()
			cfg, _ := config(t, "policy")
			// By the stream, whose answers are counted when they come: those through shared
			// memory are looked for when a tick asks.
			cfg.Clock, cfg.Stream = clock, true
			p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
			g := &guarded{t: t, p: p}
			var in vis.Input
			pid := p.Stats().PID
			var since time.Time
			stopped := false
			for tick := state.Tick(1); tick <= 60; tick++ {
				was := clock.Now()
				if tick == 20 {
					kill(t, pid, syscall.SIGSTOP)
					stopped, since = true, was
				}
				p.Submit(sample.Input(&in, tick, 6))
				if stopped && delay < tickLen*2/5 {
					clock.step(delay)
					kill(t, pid, syscall.SIGCONT)
					stopped = false
				}
				g.check(&in, clock.collect(p, stopped))
				clock.step(tickLen - clock.Now().Sub(was))
				if stopped && clock.Now().Sub(since) >= delay {
					n := p.Stats().Answers
					kill(t, pid, syscall.SIGCONT)
					stopped = false
					eventually(t, 30*time.Second, "the late answer", func() bool { return p.Stats().Answers > n })
				}
			}
			if s := p.Stats(); s.Misses < c.misses || s.Misses > c.most || s.Restarts != 0 || s.PID != pid {
				t.Errorf("%+v", s)
			}
			if a := g.check(&in, &vis.Answer{Tick: in.Tick, Viewers: len(in.Viewers), Subjects: len(in.Subjects), Source: vis.FromPolicy}); a == nil {
				t.Error("no answer")
			}
		})
		t.Run(fmt.Sprintf("rules %d ms", c.ms), func(t *testing.T) {
			t.Parallel()
			clock := newStepped()
			cfg, _ := config(t, "rules")
			cfg.Clock = clock
			r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
			pid := r.Stats().PID
			lossless(t, r, 60, func(tick int) {
				if tick == 20 {
					kill(t, pid, syscall.SIGSTOP)
				}
				clock.step(tickLen)
				if tick-20 == int(delay/tickLen) {
					kill(t, pid, syscall.SIGCONT)
				}
				if tick < 20 || tick-20 >= int(delay/tickLen) {
					eventually(t, 30*time.Second, "answers", func() bool { return r.Stats().Answers >= uint64(tick) })
				}
			})
			if s := r.Stats(); s.Restarts != 0 || s.PID != pid {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestStoppedRulesLoseNothing: rules that are stopped are replaced after 250 ms, and
// the ticks that they owed are answered by those who come after.
func TestStoppedRulesLoseNothing(t *testing.T) {
	t.Parallel()
	clock := newStepped()
	cfg, log := config(t, "rules")
	cfg.Clock = clock
	r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
	pid := r.Stats().PID
	lossless(t, r, 80, func(tick int) {
		if tick == 20 {
			kill(t, pid, syscall.SIGSTOP)
		}
		clock.step(time.Second / 64)
		if tick < 20 {
			eventually(t, 30*time.Second, "answers", func() bool { return r.Stats().Answers >= uint64(tick) })
			return
		}
		eventually(t, 30*time.Second, "a tick is with it", func() bool { s := r.Stats(); return tick == 20 || s.PID != pid || s.Sent > s.Received })
	})
	if s := r.Stats(); s.PID == pid || s.Restarts != 1 || s.Differ != 0 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(log.String(), "frozen") {
		t.Error("the log does not say why")
	}
}

// TestMissesAreThoseOfOneLife: what a process missed is not held against the one that
// comes after it. Rules that are more than 125 ms late in half of 64 ticks are ended,
// however many of them are with the process, and ones that are less late are not.
func TestMissesAreThoseOfOneLife(t *testing.T) {
	t.Parallel()
	clock := newStepped() // which stands: nobody is frozen
	cfg, log := config(t, "rules")
	cfg.Clock = clock
	r := startRules(t, host.RulesConfig{Config: cfg, Match: match()})
	pid := r.Stats().PID
	first := pid
	answered := func(tick int) {
		t.Helper()
		eventually(t, 30*time.Second, fmt.Sprintf("tick %d is answered", tick), func() bool { s := r.Stats(); return s.PID == pid && s.Behind == 0 })
	}
	lossless(t, r, 150, func(tick int) {
		switch {
		case tick == 11 || tick == 51 || tick == 91:
			kill(t, pid, syscall.SIGSTOP)
		case tick == 41:
			kill(t, pid, syscall.SIGKILL)
			eventually(t, 30*time.Second, "another process", func() bool { s := r.Stats(); pid = s.PID; return pid != 0 && pid != first })
			answered(tick)
		case tick == 81:
			kill(t, pid, syscall.SIGCONT)
			answered(tick)
			if s := r.Stats(); s.Restarts != 1 || s.Misses < 58 {
				t.Errorf("%d restarts and %d misses, of which 22 of each life count", s.Restarts, s.Misses)
			}
		case tick == 140:
			eventually(t, 30*time.Second, "a third process", func() bool { // after half a second of rest
				clock.step(100 * time.Millisecond)
				s := r.Stats()
				return s.PID != 0 && s.PID != pid
			})
		case tick < 91 && !(tick > 11 && tick < 41 || tick > 51 && tick < 81):
			answered(tick)
		}
	})
	if s := r.Stats(); s.Restarts != 2 || !strings.Contains(log.String(), "it missed half of the last") {
		t.Errorf("after 49 ticks without an answer: %+v", s)
	}
}

// TestBothKindsRefuseToStart: what no plugin of either kind may be, in one sentence
// that says which file, who is older and what mends it.
func TestBothKindsRefuseToStart(t *testing.T) {
	dir := t.TempDir()
	noexec := filepath.Join(dir, "noexec")
	if err := os.WriteFile(noexec, []byte("\x7fELF"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, mode string
		want             []string
	}{
		{name: "prints first", mode: "hello", want: []string{`"hello"`, "print to stderr"}},
		{name: "older contract", mode: "oldcontract", want: []string{"speaks contract 0", "the plugin is older: rebuild it"}},
		{name: "newer contract", mode: "newcontract", want: []string{"speaks contract 99", "this engine is older"}},
		{name: "missing", path: filepath.Join(dir, "none"), want: []string{"was not found", "none"}},
		{name: "not executable", path: noexec, want: []string{"chmod +x", "noexec"}},
	} {
		for _, kind := range []string{"policy", "rules"} {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				t.Parallel()
				cfg, _ := config(t, c.mode)
				if c.path != "" {
					cfg.Path = c.path
				}
				var err error
				if kind == "policy" {
					_, err = host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg})
				} else {
					_, err = host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: match()})
				}
				if err == nil {
					t.Fatal("it started")
				}
				for _, want := range c.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("does not say %q: %v", want, err)
					}
				}
			})
		}
	}
}

// TestTheJournalNeedsNoDisk: state and journal are in memory, so that a disk that fills
// up in a match takes nothing of it: with states saved and a process killed, no file
// has been written.
func TestTheJournalNeedsNoDisk(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "j")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	t.Setenv("TMPDIR", dir)
	cfg, _ := config(t, "rules")
	cfg.Wait = true
	r := startRules(t, host.RulesConfig{Config: cfg, Match: match(), Save: time.Second / 4})
	lossless(t, r, 120, func(tick int) {
		if tick == 70 {
			kill(t, r.Stats().PID, syscall.SIGKILL)
		}
	})
	if _, tick, ok := r.Saved(); !ok || tick < 80 {
		t.Errorf("state of tick %d, %v", tick, ok)
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			t.Errorf("%s was written", path)
		}
		return nil
	})
}

// TestRestartsFailWithASentence: when the level cannot be written for the next process,
// because the disk is full, the fallback goes on, the log says which level, and once it can be
// the policy decides again.
func TestRestartsFailWithASentence(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "f")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	t.Setenv("TMPDIR", dir)
	name, data, lv := room(t)
	clock := newStepped()
	cfg, log := config(t, "policy")
	cfg.Wait, cfg.Clock = true, clock
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}, Level: host.LevelOf(name, data, level.Options{}, lv)})
	private, err := filepath.Glob(filepath.Join(dir, "sl-*"))
	if err != nil || len(private) != 1 {
		t.Fatal(private, err)
	}
	blocked := filepath.Join(private[0], "level.map")
	if err := os.Symlink("/dev/full", blocked); err != nil { // where every write finds the disk full
		t.Fatal(err)
	}
	g := &guarded{t: t, p: p}
	var in vis.Input
	g.tick(sample.Input(&in, 1, 6))
	kill(t, p.Stats().PID, syscall.SIGKILL)
	eventually(t, 30*time.Second, "a failed start", func() bool {
		return strings.Contains(log.String(), "copy level room.map") && strings.Contains(log.String(), "no space left on device")
	})
	if a := g.tick(sample.Input(&in, 2, 6)); a.Source == vis.FromPolicy {
		t.Error("who decided?")
	}
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	eventually(t, 30*time.Second, "another process", func() bool { clock.step(time.Second); return p.Stats().PID != 0 })
	for tick := state.Tick(3); tick < 8; tick++ {
		g.tick(sample.Input(&in, tick, 6))
	}
	if p.Stats().FromPolicy < 3 {
		t.Errorf("%+v", p.Stats())
	}
}
