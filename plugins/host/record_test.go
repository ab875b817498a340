package host_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// record plays so many ticks of a world and returns them as a record.
func record(t testing.TB, ticks int) []byte {
	t.Helper()
	w := plugintest.NewWorld(t, 3, 1, 6)
	p, err := open.Spec().New(vis.Env{World: w.Trace, TickRate: plugintest.TickRate})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r, err := host.NewRecorder(vis.Inline(p), &b, host.RecordHead{
		Policy: "open", TickRate: plugintest.TickRate, Seed: 3, Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range ticks {
		r.Submit(w.Step())
		r.Collect()
	}
	if kept, missed, err := r.Close(); kept+missed != ticks || err != nil {
		t.Fatalf("%d kept and %d missed of %d: %v", kept, missed, ticks, err)
	}
	return b.Bytes()
}

// A record gives back what was asked and answered, and knows when it was cut short.
func TestRecordGivesBackWhatWasAsked(t *testing.T) {
	b := record(t, 50)
	w := plugintest.NewWorld(t, 3, 1, 6)
	r, err := host.NewRecordReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if h := r.Head; h.Policy != "open" || h.Level == nil || !bytes.Equal(h.Level.Data, w.Data) || h.Level.Hash != w.Level.Hash {
		t.Errorf("head %+v", h)
	}
	var in vis.Input
	var out vis.Answer
	n := 0
	for ; ; n++ {
		tick, err := r.Next(&in, &out)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		want := w.Step()
		for int32(tick-want.Tick) > 0 { // of a disk that was behind
			want = w.Step()
		}
		if tick != want.Tick || len(in.Subjects) != 6 || in.Subjects[2].Eye != want.Subjects[2].Eye || !out.Permitted(0, 1) {
			t.Fatalf("tick %d: %+v", tick, in.Subjects[2])
		}
	}
	if n == 0 {
		t.Error("nothing was kept")
	}
	r, err = host.NewRecordReader(bytes.NewReader(b[:len(b)-3]))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next(&in, &out)
	}
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("a record that was cut short ends as if it were whole")
	}
}

// full is a disk with so much room.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// A full disk ends the record and no tick.
func TestFullDiskEndsTheRecord(t *testing.T) {
	w := plugintest.NewWorld(t, 3, 1, 6)
	p, err := open.Spec().New(vis.Env{World: w.Trace, TickRate: plugintest.TickRate})
	if err != nil {
		t.Fatal(err)
	}
	r, err := host.NewRecorder(vis.Inline(p), &full{left: 100_000}, host.RecordHead{TickRate: plugintest.TickRate})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		in := w.Step()
		r.Submit(in)
		if a := r.Collect(); a.Tick != in.Tick {
			t.Fatalf("tick %d is answered by %d", in.Tick, a.Tick)
		}
	}
	kept, _, err := r.Close()
	if !errors.Is(err, errFull) || kept == 0 || kept == 1000 {
		t.Errorf("%d kept: %v", kept, err)
	}
	r.Submit(w.Step()) // after its end it still decides
	if r.Collect() == nil {
		t.Error("no answer")
	}
}

func FuzzRecord(f *testing.F) {
	b := record(f, 3)
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte("SLPR1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := host.NewRecordReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		var in vis.Input
		var out vis.Answer
		for n := 0; n < 50; n++ {
			if _, err := r.Next(&in, &out); err != nil {
				return
			}
		}
	})
}
