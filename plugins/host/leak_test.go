//go:build linux

package host_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
)

var restarts = flag.Int("restarts", 16, "crashes of TestCrashesLeaveNothingBehind")

// children returns the processes that this one has started and that have not ended.
func children(t *testing.T) (pids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		var letter string
		var parent, pid int
		fmt.Sscanf(rest, "%s %d", &letter, &parent)
		fmt.Sscanf(f, "/proc/%d/", &pid)
		if parent == os.Getpid() && letter != "Z" {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestCrashesLeaveNothingBehind is report S-21: process after process is killed, and
// file handles, goroutines, folders and memory stay what they were; starts that fail
// leave no process; and a process that is none of the host's is never ended.
func TestCrashesLeaveNothingBehind(t *testing.T) {
	clock := newStepped()
	cfg, _ := config(t, "policy")
	cfg.Wait, cfg.Clock = true, clock
	p := startPolicy(t, host.PolicyConfig{Config: cfg, Fallback: oddPairs{}})
	rcfg, _ := config(t, "rules")
	rcfg.Wait, rcfg.Clock = true, clock
	r := startRules(t, host.RulesConfig{Config: rcfg, Match: match(), Save: time.Second / 8})
	var in vis.Input
	var rin rules.TickIn
	tick := state.Tick(0)
	crash := func(n int) {
		for range n {
			pids := [2]int{p.Stats().PID, r.Stats().PID}
			clock.step(2 * time.Minute)
			for _, pid := range pids {
				kill(t, pid, syscall.SIGKILL)
			}
			eventually(t, time.Minute, "others", func() bool {
				a, b := p.Stats(), r.Stats()
				return a.PID != 0 && b.PID != 0 && a.PID != pids[0] && b.PID != pids[1]
			})
			for range 10 {
				tick++
				p.Submit(sample.Input(&in, tick, 4))
				p.Collect()
				r.Submit(sample.Tick(&rin, tick, 4))
				r.Take()
			}
		}
	}
	type level struct {
		files, goroutines, children int
		heap                        int64
	}
	measure := func() (l level) {
		fds, _ := os.ReadDir("/proc/self/fd")
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return level{len(fds), runtime.NumGoroutine(), len(children(t)), int64(m.HeapAlloc)}
	}
	crash(4)
	before := measure()
	crash(*restarts / 2)
	var after level
	eventually(t, 30*time.Second, "files, goroutines and processes as before", func() bool {
		after = measure()
		return after.files <= before.files+2 && after.goroutines <= before.goroutines+4 && after.children <= before.children
	})
	if grown := after.heap - before.heap; grown > 4<<20 {
		t.Errorf("%d MiB more after %d crashes", grown>>20, *restarts)
	}
	t.Logf("%d crashes: %+v, then %+v", *restarts, before, after)
	if s := p.Stats(); s.Restarts != 4+*restarts/2 || r.Stats().Differ != 0 {
		t.Errorf("%+v", s)
	}
	for _, mode := range []string{"exit3", "hello", "panic"} {
		bad, _ := config(t, mode)
		if q, err := host.StartPolicy(t.Context(), host.PolicyConfig{Config: bad}); err == nil {
			q.Close()
			t.Errorf("%s started", mode)
		}
	}
	eventually(t, 30*time.Second, "failed starts leave no process", func() bool { return len(children(t)) <= before.children })
}
