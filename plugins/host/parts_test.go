package host

import (
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"pgregory.net/rapid"
)

func TestBackoffIsAtOnceThenSlowerThenOff(t *testing.T) {
	at := time.Unix(1000, 0)
	type row struct {
		after, lasted, want time.Duration
		ok                  bool
	}
	for name, rows := range map[string][]row{
		"a storm": {
			{0, 0, 0, true}, {time.Second, 0, 500 * time.Millisecond, true},
			{time.Second, 0, time.Second, true}, {time.Second, 0, 0, false},
		},
		"every 25 seconds it grows to 30 s": {
			{0, 0, 0, true}, {25 * time.Second, 0, 500 * time.Millisecond, true}, {25 * time.Second, 0, time.Second, true},
			{25 * time.Second, 0, 2 * time.Second, true}, {25 * time.Second, 0, 4 * time.Second, true},
			{25 * time.Second, 0, 8 * time.Second, true}, {25 * time.Second, 0, 16 * time.Second, true},
			{25 * time.Second, 0, 30 * time.Second, true}, {25 * time.Second, 0, 30 * time.Second, true},
		},
		"a long life is forgiven": {
			{0, 0, 0, true}, {time.Hour, time.Hour, 0, true}, {time.Hour, time.Hour, 0, true}, {time.Hour, time.Hour, 0, true},
		},
	} {
		var b backoff
		now := at
		for i, r := range rows {
			now = now.Add(r.after)
			if got, ok := b.next(now, r.lasted); got != r.want && r.ok || ok != r.ok {
				t.Errorf("%s, failure %d: %v %v, wanted %v %v", name, i, got, ok, r.want, r.ok)
			}
		}
	}
}

// TestStandingPermitsOnlyWhatHoldOrFallbackPermit compares the guard with the
// rule said plainly, over players who join, leave, die, teleport and change place
// in the list.
func TestStandingPermitsOnlyWhatHoldOrFallbackPermit(t *testing.T) {
	input := func(t *rapid.T, tick state.Tick) *vis.Input {
		in := &vis.Input{Tick: tick, TickRate: 64}
		ids := rapid.Permutation([]int{1, 2, 3, 4, 5, 6}).Draw(t, "ids")
		for _, id := range ids[:rapid.IntRange(0, 6).Draw(t, "n")] {
			in.Subjects = append(in.Subjects, vis.Subject{
				ID: state.ID(id), Alive: rapid.IntRange(0, 5).Draw(t, "alive") > 0, Teleports: uint8(rapid.IntRange(0, 5).Draw(t, "tele") / 5),
			})
			if rapid.Bool().Draw(t, "viewer") {
				in.Viewers = append(in.Viewers, vis.Viewer{ID: state.ID(id), Subject: len(in.Subjects) - 1})
			}
		}
		in.SizeAsked()
		return in
	}
	answer := func(t *rapid.T, in *vis.Input) *vis.Answer {
		a := &vis.Answer{}
		a.Reset(in)
		for v := range in.Viewers {
			for s := range in.Subjects {
				if rapid.Bool().Draw(t, "permit") {
					reason := rapid.SampledFrom([]vis.Reason{vis.EyeEye, vis.Untested}).Draw(t, "reason")
					a.Allow(v, s, reason, in.Tick+rapid.Uint32Range(0, 8).Draw(t, "hold"), 1)
				}
			}
		}
		return a
	}
	var st standing
	var out vis.Answer
	rapid.Check(t, func(t *rapid.T) {
		then := input(t, 100)
		old := answer(t, then)
		now := input(t, 100+rapid.Uint32Range(0, 8).Draw(t, "age"))
		fb := answer(t, now)
		st.set(old, then)
		st.fill(now, fb, 4, &out)
		for v := range now.Viewers {
			for s := range now.Subjects {
				held := false
				for ov := range then.Viewers {
					for os := range then.Subjects {
						held = held || now.Tick-then.Tick <= 4 && old.Permitted(ov, os) && old.Hold[ov*old.Subjects+os] >= now.Tick &&
							then.Viewers[ov].ID == now.Viewers[v].ID && then.Subjects[os] == now.Subjects[s] &&
							then.Subjects[then.Viewers[ov].Subject] == now.Subjects[now.Viewers[v].Subject]
					}
				}
				i := v*len(now.Subjects) + s
				decided := fb.Permitted(v, s) && fb.Reason[i] != vis.Untested
				if got := out.Permitted(v, s); got != (held || decided) {
					t.Fatalf("pair %d,%d: permitted %v, held %v, fallback %v", v, s, got, held, decided)
				}
				if out.Permitted(v, s) && (out.Reason[i] == vis.Late) != held {
					t.Fatalf("pair %d,%d: reason %v, held %v", v, s, out.Reason[i], held)
				}
			}
		}
	})
}

func TestNoFallbackPermitsNothing(t *testing.T) {
	in := &vis.Input{Tick: 9, Subjects: make([]vis.Subject, 3), Viewers: make([]vis.Viewer, 3)}
	in.SizeAsked()
	var st standing
	var out vis.Answer
	st.fill(in, nil, 4, &out)
	eachPermit(&out, func(v, s, _ int) { t.Errorf("pair %d,%d", v, s) })
	if out.Source != vis.FromFallback {
		t.Error(out.Source)
	}
}

func TestHistogramIsWithinAnEighth(t *testing.T) {
	for us := uint64(0); us < 1<<22; us += us/50 + 1 {
		up := upper(bucket(us))
		if up < us || up > us+us/7 {
			t.Fatalf("%d µs counts as %d", us, up)
		}
	}
	var h histogram
	for i := range 1000 {
		h.add(time.Duration(i) * time.Microsecond)
	}
	if p := h.quantile(0.5).Microseconds(); p < 499 || p > 570 {
		t.Errorf("median %d", p)
	}
	h.add(-1)
	h.add(time.Hour)
}

func TestJournalForgetsWhatAStateCovers(t *testing.T) {
	var j journal
	for tick := state.Tick(5); tick < 15; tick++ {
		j.add(&rules.TickIn{Tick: tick}, 8)
	}
	if j.lost != 2 || j.entries[0].tick != 7 {
		t.Fatalf("%d lost, first %d", j.lost, j.entries[0].tick)
	}
	j.covered(10)
	if e := j.after(0, false); e == nil || e.tick != 11 {
		t.Fatalf("%+v", e)
	}
	if e := j.after(12, true); e == nil || e.tick != 13 {
		t.Fatalf("%+v", e)
	}
	if e := j.after(14, true); e != nil {
		t.Fatalf("%+v", e)
	}
	var in rules.TickIn
	if err := codec.DecodeTick(codec.MarkReplaying(j.entries[0].frame), &in); err != nil || !in.Replaying || in.Tick != 11 {
		t.Errorf("%+v %v", in, err)
	}
}

// TestOutputIsCappedAndKeepsTheLastLines: neither long lines nor many of them nor
// odd bytes harm the host's log.
func TestOutputIsCappedAndKeepsTheLastLines(t *testing.T) {
	var log bytes.Buffer
	o := newOutput(slog.New(slog.NewTextHandler(&log, nil)), WallClock())
	var in strings.Builder
	in.WriteString(`{"@level":"error","@message":"structured","b":2,"a":"x"}` + "\n")
	in.WriteString("\x1b[31mred\n" + strings.Repeat("long", 100000) + "\n\n")
	for i := range 1000 {
		fmt.Fprintf(&in, "line %d\n", i)
	}
	in.WriteString("no newline")
	o.read(bufio.NewReaderSize(strings.NewReader(in.String()), lineLimit), "stderr")
	if n := strings.Count(log.String(), "\n"); n > lineBurst+20 {
		t.Errorf("%d lines in the log", n)
	}
	if !strings.Contains(log.String(), "level=ERROR msg=structured a=x b=2") || strings.Contains(log.String(), "\x1b") {
		t.Error(log.String()[:400])
	}
	if l := o.tail(2); len(l) != 2 || l[1] != "no newline" || l[0] != "line 999" {
		t.Errorf("%q", l)
	}
	for line := range strings.Lines(log.String()) {
		if len(line) > lineLimit+200 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

func TestPrivateDirIsShortPrivateAndSwept(t *testing.T) {
	base, err := os.MkdirTemp("/tmp", "t")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	old := filepath.Join(base, dirPrefix+"4194300-x") // above the highest pid of most systems
	mine := filepath.Join(base, fmt.Sprintf("%s%d-x", dirPrefix, os.Getpid()))
	for _, d := range []string{old, mine} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := privateDir([]string{strings.Repeat("/long", 30), "", "/nowhere/at/all", base})
	if err != nil || filepath.Dir(dir) != base {
		t.Fatal(dir, err)
	}
	if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
		t.Error(st, err)
	}
	if _, err := os.Stat(old); err == nil && !processExists(4194300) {
		t.Error("the folder of a host that is gone is left")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error("a living host's folder is gone")
	}
	_, err = privateDir([]string{"/" + strings.Repeat("d", 100), "/nowhere/at/all"})
	for _, want := range []string{"too long", "103", "/nowhere/at/all", "TMPDIR"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("does not say %q: %v", want, err)
		}
	}
}
