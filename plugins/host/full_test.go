//go:build unix

package host_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
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

// envFull makes this test program be a host on a system on which no file can grow.
const envFull = "SIGHTLINE_TEST_FULL"

// TestNoFileCanGrow runs a host whose every write to a file fails (RLIMIT_FSIZE 0, which
// its plugins inherit), as on a disk that is full: rules save, are killed and come back
// and lose nothing, for state and journal are in memory; a policy without a level is
// killed and comes back; one that needs a copy of its level is refused with a sentence.
func TestNoFileCanGrow(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envFull+"="+filepath.Join(bins, "plugin"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "nothing was lost\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

func fullHost(file string) {
	signal.Ignore(syscall.SIGXFSZ) // so that a write fails, as on a full disk, and does not kill
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
		fail(err)
	}
	if err := os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprintf("full-%d", os.Getpid())), []byte("x"), 0o600); err == nil {
		fail("files can grow")
	}
	_ = os.Remove(filepath.Join(os.TempDir(), fmt.Sprintf("full-%d", os.Getpid())))
	cfg := func(mode string) host.Config {
		return host.Config{
			Path: file, Env: []string{"SAMPLE=" + mode}, TickRate: 64, Wait: true, StartLimit: 30 * time.Second,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
	}
	ctx := context.Background()

	r, err := host.StartRules(ctx, host.RulesConfig{Config: cfg("rules"), Match: match(), Save: time.Second / 4})
	if err != nil {
		fail(err)
	}
	m := match()
	value := sample.RulesSpec().New()
	if err := value.Start(&m); err != nil {
		fail(err)
	}
	var tin rules.TickIn
	var got, want []rules.Op
	for tick := state.Tick(1); tick <= 120; tick++ {
		if tick == 70 {
			_ = syscall.Kill(r.Stats().PID, syscall.SIGKILL)
		}
		r.Submit(sample.Tick(&tin, tick, 6))
		want = append(want, value.Tick(&tin, nil)...)
		got = append(got, r.Take()...)
	}
	for end := time.Now().Add(30 * time.Second); len(got) < len(want) && time.Now().Before(end); {
		got = append(got, r.Take()...)
	}
	if s := r.Stats(); fmt.Sprint(got) != fmt.Sprint(want) || s.Restarts != 1 {
		fail(fmt.Sprintf("%d operations are not the %d that they should be: %+v", len(got), len(want), s))
	}
	if _, tick, ok := r.Saved(); !ok || tick < 80 {
		fail(fmt.Sprintf("state of tick %d, %v", tick, ok))
	}
	r.Close()

	_, err = host.StartPolicy(ctx, host.PolicyConfig{Config: cfg("policy"), Level: &host.Level{Name: "room.map", Data: []byte("{}")}})
	if err == nil || !strings.Contains(err.Error(), "copy level room.map") || !strings.Contains(err.Error(), "file too large") {
		fail(fmt.Sprintf("of a level that cannot be copied: %v", err))
	}
	p, err := host.StartPolicy(ctx, host.PolicyConfig{Config: cfg("policy"), Fallback: oddPairs{}})
	if err != nil {
		fail(err)
	}
	var in vis.Input
	others := 0
	for tick := state.Tick(1); tick <= 60; tick++ {
		if tick == 20 {
			_ = syscall.Kill(p.Stats().PID, syscall.SIGKILL)
		}
		p.Submit(sample.Input(&in, tick, 6))
		if p.Collect().Source != vis.FromPolicy {
			others++
		}
	}
	if s := p.Stats(); others > 4 || s.Restarts != 1 {
		fail(fmt.Sprintf("%d ticks were decided by others: %+v", others, s))
	}
	p.Close()
	fmt.Println("nothing was lost")
}

func fail(why any) {
	fmt.Println(why)
	os.Exit(1)
}
