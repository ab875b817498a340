package host_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// oneBook is a ledger's store in memory.
type oneBook struct{ bytes.Buffer }

func (b *oneBook) Create(n int) (io.WriteCloser, error) {
	if n > 1 {
		return nil, errors.New("one part is enough")
	}
	return b, nil
}
func (b *oneBook) Remove(int) error { return nil }
func (b *oneBook) Close() error     { return nil }

// readLedger replays a ledger.
func readLedger(t *testing.T, b []byte, p *ledger.Replay) ledger.Info {
	t.Helper()
	r, err := ledger.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var rec ledger.Record
	for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
		p.Add(&rec)
	}
	if i := r.Info(); !errors.Is(err, io.EOF) || i.Cut() != nil {
		t.Fatal(err, i.Cut())
	}
	return r.Info()
}

// A policy's process is killed in a match, and the ledger says from when to when
// somebody else decided.
func TestKilledPolicyChangesTheSourceInTheLedger(t *testing.T) {
	t.Logf("seed %d", *seed)
	r := newRoom(t, "plugin.wait", "true")
	h := host.Stepped(r.set, r.levels, r.slog(), *seed)
	cfg := r.scene(h, "pit", 6)
	var book oneBook
	w, err := ledger.NewWriter(&book, ledger.Header{Level: "pit", TickRate: 64, Seed: *seed, Rate: 0.01}, ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	want := map[state.Tick]vis.Source{}
	cfg.Hooks = server.Ledger(server.Hooks{Decided: func(in *vis.Input, ans *vis.Answer) { want[in.Tick] = ans.Source }},
		func() *ledger.Writer { return w })
	slain, kills, back := 0, 0, 0
	cfg.Each = func(m *scenario.Match) {
		// The first time another process is there at once, the second only after a while.
		p, _, _ := h.Plugins()
		if m.Report.Ticks == 300 || kills == 1 && back == 100 {
			slain, kills, back = p.PID, kills+1, 0
			slay(t, slain)
		}
		if slain != 0 && p.PID != 0 && p.PID != slain {
			back++
		}
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < 500 || n < 20000 && (kills < 2 || back < 100); n++ {
		m.Step()
	}
	m.Close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var sources []vis.Source
	var at []state.Tick
	by := [3]int{}
	p := &ledger.Replay{
		Ended: func(d *ledger.Disclosure) { by[d.Who]++ },
		Other: func(r *ledger.Record) {
			if r.Kind == ledger.Source {
				sources, at = append(sources, r.Who), append(at, r.Tick)
			}
		},
	}
	readLedger(t, book.Bytes(), p)
	t.Logf("sources %v at %v; disclosures begun by source %v", sources, at, by)
	if len(sources) < 3 || sources[0] != vis.FromPolicy || !slices.Contains(sources, vis.FromFallback) || sources[len(sources)-1] != vis.FromPolicy {
		t.Errorf("sources %v at %v", sources, at)
	}
	for tick, source := range want {
		i := 0
		for i < len(at) && int32(at[i]-tick) <= 0 {
			i++
		}
		if i == 0 || sources[i-1] != source {
			t.Fatalf("tick %d was decided by %v: the ledger has %v at %v", tick, source, sources, at)
		}
	}
}

// sv.ledger names a folder; each level has a ledger there, and one that cannot be
// written is said once and harms no match.
func TestHostKeepsALedgerOfEachLevel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledgers")
	w := tape(t, "sv.ledger", dir, "sv.ledger_sample", "0.2")
	w.playing()
	if got := w.say("map pit"); strings.Contains(got, "unknown") {
		t.Fatal(got)
	}
	w.playing()
	w.Stop("the test is over")
	files, err := filepath.Glob(filepath.Join(dir, "*"+ledger.Ext))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v %v", files, err)
	}
	for i, level := range []string{"corner", "pit"} {
		b, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		p := &ledger.Replay{}
		info := readLedger(t, b, p)
		if info.Level != level || info.TickRate != 64 || info.Policy != "policy-deaddrop" || info.LevelHash == [32]byte{} || info.Rate != 0.2 || info.Records == 0 || !strings.Contains(files[i], level) {
			t.Errorf("%s: %+v", files[i], info)
		}
	}
}

func TestLedgerThatCannotBeWrittenIsSaidOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := tape(t, "sv.ledger", dir)
	w.playing()
	if line := <-w.told; !strings.Contains(line, "the match goes on") || strings.Contains(line, "\n") {
		t.Errorf("%q", line)
	}
	w.playing()
	w.Stop("the test is over")
	if len(w.told) > 0 {
		t.Errorf("and again: %q", <-w.told)
	}
}
