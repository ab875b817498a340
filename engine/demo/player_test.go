package demo_test

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

func player(t testing.TB, src io.ReaderAt, size int) *demo.Player {
	t.Helper()
	r, err := demo.Open(src, int64(size))
	if err != nil {
		t.Fatal(err)
	}
	p, err := demo.NewPlayer(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// even is a demo of one player who walks a metre in each of n ticks.
func even(t testing.TB, n int, skip func(i int) bool) []byte {
	t.Helper()
	var out bytes.Buffer
	r, err := demo.NewRecorder(&out, header(), demo.Options{Queue: n + 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if skip == nil || !skip(i) {
			r.Put(&demo.Frame{Tick: state.Tick(1000 + i), Entities: []state.Entity{{ID: 1, Kind: state.KindPlayer, Pos: state.Q{X: int32(256 * i)}}}})
		}
	}
	if _, err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// x is where the player of an even demo is shown.
func x(p *demo.Player) float64 {
	a, b, f := p.Frames()
	u, v := a.Entities[0].Pos.V3().X, b.Entities[0].Pos.V3().X
	return float64(u + (v-u)*f)
}

// Whatever way a place is reached, what is shown there is the same: by playing, by
// seeking, forwards and backwards, across keyframes.
func TestSeekingShowsWhatPlayingShows(t *testing.T) {
	t.Logf("seed %d", *seed)
	b, _ := record(t, *seed, 400)
	rng := rand.New(rand.NewPCG(*seed, 9))
	play, seek := player(t, bytes.NewReader(b), len(b)), player(t, bytes.NewReader(b), len(b))
	type place struct {
		at   float64
		a, b demo.Frame
		f    float32
	}
	var all []place
	for ended := false; !ended; ended, _ = play.Ended() {
		fa, fb, f := play.Frames()
		all = append(all, place{play.At(), clone(fa), clone(fb), f})
		play.SetSpeed(0.1 + rng.Float64()*3)
		play.Advance(0.01+rng.Float64()*0.1, nil)
	}
	if len(all) < 100 {
		t.Fatalf("%d places", len(all))
	}
	for range 3 * len(all) {
		w := &all[rng.IntN(len(all))]
		if err := seek.Seek(w.at); err != nil {
			t.Fatal(err)
		}
		a, b, f := seek.Frames()
		if ga, gb := clone(a), clone(b); f != w.f || !reflect.DeepEqual(ga, w.a) || !reflect.DeepEqual(gb, w.b) {
			t.Fatalf("place %v: %d %d %v, played %d %d %v", w.at, a.Tick, b.Tick, f, w.a.Tick, w.b.Tick, w.f)
		}
	}
}

// Every frame is passed once and in order, at any speed.
func TestEveryFrameIsPassedOnce(t *testing.T) {
	b := even(t, 300, nil)
	for _, speed := range []float64{0.1, 0.7, 1, 8, 100, math.NaN(), -3} {
		p := player(t, bytes.NewReader(b), len(b))
		p.SetSpeed(speed)
		if k := p.Speed(); !(k >= demo.MinSpeed && k <= demo.MaxSpeed) {
			t.Fatal(k)
		}
		next, steps := state.Tick(1001), 0
		for ended := false; !ended; ended, _ = p.Ended() {
			before := p.At()
			p.Advance(0.02, func(f *demo.Frame) {
				if f.Tick != next {
					t.Fatalf("%d, not %d", f.Tick, next)
				}
				next++
			})
			if d := p.At() - before - 0.02*p.Speed()*20; d > 1e-6 || p.At() < 1298 && d < -1e-6 {
				t.Fatalf("speed %v: %v ticks too many", speed, d)
			}
			if w := p.At() - 1000; math.Abs(x(p)-w) > 1e-3 {
				t.Fatalf("at %v it is drawn at %v", w, x(p))
			}
			if steps++; steps > 10000 {
				t.Fatal("no end")
			}
		}
		if next != 1300 || p.Seconds() != p.Length() {
			t.Errorf("speed %v ends before %d, %v of %v", speed, next, p.Seconds(), p.Length())
		}
	}
}

// Seeking and stepping with nothing playing, before the start, after the end and to
// nonsense: an end of the demo, never a fault (O-35).
func TestSeekAnywhereAtAnyTime(t *testing.T) {
	b := even(t, 100, nil)
	p := player(t, bytes.NewReader(b), len(b))
	for _, c := range []struct{ to, want float64 }{
		{-5, 1000}, {math.Inf(-1), 1000}, {math.NaN(), 1000}, {1e300, 1099}, {math.Inf(1), 1099}, {1050.25, 1050.25}, {1099, 1099}, {0, 1000},
	} {
		for _, paused := range []bool{true, false} {
			p.Paused = paused
			if err := p.Seek(c.to); err != nil || p.At() != c.want || math.Abs(x(p)-(c.want-1000)) > 1e-3 {
				t.Errorf("seek %v: at %v, drawn at %v, %v", c.to, p.At(), x(p), err)
			}
		}
	}
	p.Paused = true
	p.Seek(1050.5)
	for _, c := range []struct {
		by   int
		want float64
	}{{1, 1051}, {1, 1052}, {-1, 1051}, {-3, 1048}, {-9999, 1000}, {9999, 1099}, {1, 1099}} {
		if err := p.Step(c.by, nil); err != nil || p.At() != c.want {
			t.Errorf("step %d: at %v, %v", c.by, p.At(), err)
		}
	}
	p.Advance(1, nil)
	if p.At() != 1099 {
		t.Error("a paused demo plays")
	}
}

// A time in which nobody was there is passed over; seeking into it shows what was
// before.
func TestEmptyTimeIsPassedOver(t *testing.T) {
	b := even(t, 1000, func(i int) bool { return i >= 50 && i < 900 || i == 20 })
	p := player(t, bytes.NewReader(b), len(b))
	steps := 0
	for ended := false; !ended; ended, _ = p.Ended() {
		p.Advance(0.05, nil)
		steps++
	}
	if steps > 160 {
		t.Errorf("%d steps of a tick for 149 frames", steps)
	}
	if p.Seek(1500); p.At() != 1049 || x(p) != 49 {
		t.Error(p.At(), x(p))
	}
	if p.Seek(1020.5); math.Abs(x(p)-20.5) > 1e-3 {
		t.Error("one missing frame is not blended over:", x(p))
	}
}

// A fork reads the same, and neither moves the other.
func TestForksReadTheSame(t *testing.T) {
	b, want := record(t, *seed, 60)
	r := open(t, b)
	var f demo.Frame
	for range 20 {
		if err := r.Next(&f); err != nil {
			t.Fatal(err)
		}
	}
	same(t, r.Fork(), want)
	same(t, r, want[20:])
	same(t, r.Fork(), want)
}

// counting counts what is read.
type counting struct {
	*bytes.Reader
	n int
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	c.n += len(b)
	return c.Reader.ReadAt(b, at)
}

// A seek reads two seconds of records, however long the demo is, and allocates
// nothing.
func TestSeekIsShortAndNeedsNoMemory(t *testing.T) {
	const n = 40000
	b := even(t, n, nil)
	src := &counting{Reader: bytes.NewReader(b)}
	p := player(t, src, len(b))
	rng := rand.New(rand.NewPCG(*seed, 5))
	most := len(b) * 50 / n * 2
	for range 200 {
		src.n = 0
		p.Seek(1000 + rng.Float64()*n)
		if src.n > most {
			t.Fatalf("%d bytes read, of %d", src.n, len(b))
		}
	}
	if k := testing.AllocsPerRun(100, func() { p.Seek(1000 + rng.Float64()*n); p.Advance(0.1, nil) }); k > 0 {
		t.Errorf("%v allocations", k)
	}
}

// Damage in the middle of an indexed file ends the playing there with a sentence.
func TestDamageInTheMiddleEndsThePlaying(t *testing.T) {
	b := bytes.Clone(even(t, 300, nil))
	b[len(b)/3] ^= 0x40
	p := player(t, bytes.NewReader(b), len(b))
	for range 10000 {
		p.Advance(0.05, nil)
	}
	if ended, err := p.Ended(); !ended || err == nil || p.At() > 1200 {
		t.Error(ended, err, p.At())
	}
	if err := p.Seek(1290); err != nil || x(p) != 290 {
		t.Error(err)
	}
}

// What a viewer knew is what it was told, with what was kept from it taken out.
func TestKnownIsWhatWasTold(t *testing.T) {
	f := demo.Frame{Entities: []state.Entity{
		{ID: 1, Kind: state.KindPlayer, Health: 90}, {ID: 2, Kind: state.KindPlayer, Health: 80}, {ID: 3, Kind: state.KindPlayer, Health: 70},
		{ID: 4, Kind: state.KindPlayer, Health: 60}, {ID: 1030, Kind: state.KindRocket, Owner: 4}, {ID: 1031, Kind: state.KindRocket, Owner: 3},
	}}
	yes := demo.Told{Told: true, Reason: vis.EyeEye}
	v := demo.Viewer{ID: 1, Told: []demo.Told{{}, {Told: true, Reason: vis.Teammate}, yes, {}, yes, yes}}
	want := []state.Entity{
		{ID: 1, Kind: state.KindPlayer, Health: 90}, {ID: 2, Kind: state.KindPlayer, Health: 80}, {ID: 3, Kind: state.KindPlayer},
		{ID: 1030, Kind: state.KindRocket}, {ID: 1031, Kind: state.KindRocket, Owner: 3},
	}
	if got := f.Known(&v, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := f.Known(&demo.Viewer{ID: 2}, nil); len(got) != 1 || got[0].ID != 2 {
		t.Errorf("%+v", got)
	}
}

// Names of demos stay in their folder on every system; a file without anything to
// play is removed.
func TestFilesStayInTheirFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demos")
	for _, bad := range []string{"", "../x", "/tmp/x", "C:x", "a/b", `a\b`, ".x", "-x", "..", "a\x00b", demo.Ext, strings.Repeat("n", 300), "ünicode", "a b"} {
		if f, err := demo.Create(dir, bad); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v", bad, f, err)
		}
	}
	f, err := demo.Create(dir, "one")
	if err != nil || f.Name() != "one.sldemo" {
		t.Fatal(err)
	}
	if _, err := demo.Create(dir, "one.sldemo"); err == nil || !strings.Contains(err.Error(), "already") {
		t.Error(err)
	}
	if kept, err := f.Close(); kept || err != nil {
		t.Error(kept, err)
	}
	f, _ = demo.Create(dir, "two")
	f.Write(even(t, 5, nil))
	if kept, err := f.Close(); !kept || err != nil {
		t.Error(kept, err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
		t.Error(names)
	}
	r, done, err := demo.OpenFile(filepath.Join(dir, "two.sldemo"))
	if err != nil || r.Info().Frames != 5 {
		t.Fatal(err)
	}
	done()
	for _, name := range []string{dir, filepath.Join(dir, "none.sldemo")} {
		if _, _, err := demo.OpenFile(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Error(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "..", "out"), filepath.Join(dir, "link.sldemo")); err != nil {
		t.Fatal(err)
	}
	if _, err := demo.Create(dir, "link"); err == nil {
		t.Error("a link was followed")
	}
}
