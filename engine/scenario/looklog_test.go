package scenario_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// What was logged and is compared afterwards gives, to the last frame, what is found
// where server and clients are looked at while they run.
func TestLogsOfAMatchSayWhatTheMatchDid(t *testing.T) {
	got := maps{}
	cfg := config(got, "pit", 6)
	bad := link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02}
	cfg.Up, cfg.Down = bad, bad
	loaded, err := got.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	set := tables.Arena()
	live, later := scenario.NewOnlooker(loaded.World, &set, rate), scenario.NewOnlooker(loaded.World, &set, rate)
	live.Range, later.Range = 30, 30
	var truthFile bytes.Buffer
	var eyeFiles [2]bytes.Buffer
	truth := scenario.NewTruthLog(&truthFile, 1<<30)
	eyes := [2]*scenario.EyeLog{scenario.NewEyeLog(&eyeFiles[0], 1<<30), scenario.NewEyeLog(&eyeFiles[1], 1<<30)}
	var now scenario.Truth
	var heard scenario.Heard
	var look scenario.Glimpse
	var err1 error
	on := false
	var shown []client.Shown
	cfg.Hooks = server.Hooks{Decided: func(in *vis.Input, ans *vis.Answer) {
		live.Decided(in, ans)
		now.Asked(in, ans)
	}}
	cfg.Truth = func(m *scenario.Match) {
		live.Tick(m.Server, m.Now)
		now.At = m.Now
		now.Take(m.Server)
		truth.Add(&now)
	}
	cfg.Snapshot = func(m *scenario.Match, i int, s *snapshot.Snapshot, at int64) {
		if heard.Take(m.Crew.Bots()[i].ID(), s, at) {
			live.Heard(&heard)
			eyes[i%2].Heard(&heard)
		}
	}
	cfg.Frame = func(m *scenario.Match, at int64) {
		live.On = on
		for i, b := range m.Crew.Bots() {
			live.Frame(b.Client, at)
			if look.Take(b.Client, at, &shown) {
				eyes[i%2].Frame(&look, on)
			}
		}
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for k := range 6 * rate {
		on = k > rate && k < 5*rate
		m.Step()
	}
	for _, f := range []func() error{truth.Flush, eyes[0].Flush, eyes[1].Flush} {
		err1 = errors.Join(err1, f())
	}
	if err1 != nil || truth.Full() {
		t.Fatal(err1, truth.Full())
	}
	r, err := scenario.NewTruthReader(&truthFile)
	if err != nil {
		t.Fatal(err)
	}
	var readers []*scenario.EyeReader
	for i := range eyeFiles {
		e, err := scenario.NewEyeReader(&eyeFiles[i])
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, e)
	}
	if err := later.Compare(r, readers); err != nil {
		t.Fatal(err)
	}
	a, b := &live.Complete, &later.Complete
	if a.Frames < 6*4*rate*3 || a.Visible == 0 || len(a.Preload) == 0 || len(a.Delivery) == 0 || len(a.Render) != len(a.Delivery) {
		t.Errorf("too little was seen: %+v", a)
	}
	for _, s := range []*scenario.Complete{a, b} { // clients come in another order
		for _, v := range [][]float64{s.Preload, s.Delivery, s.Render} {
			slices.Sort(v)
		}
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("seen   %+v\nlogged %+v", a, b)
	}
	for _, ms := range a.Delivery {
		if ms < 30 || ms > 200 {
			t.Errorf("a snapshot was on its way for %g ms", ms)
		}
	}
}

// aTruth and its kin are one of each record, with a value in each field.
func aTruth() scenario.Truth {
	return scenario.Truth{
		Tick: 4294967295, At: -3, IDs: []state.ID{3, 512},
		Bodies: []state.Body{
			{Pos: state.Q{X: -1 << 31, Y: 1<<31 - 1, Z: 7}, Vel: state.Q{X: 1}, Yaw: 65535, Pitch: 1, Duck: 255, Lean: -128, Teleports: 9, Alive: true},
			{Lean: 127},
		},
		Doors:  []state.DoorState{{Open: true, Start: 77, From: 65535}, {}},
		Pieces: []state.Piece{{Broken: true, At: 8}, {}},
		Smokes: []state.Smoke{{ID: 2000, Start: 5, Pos: vec.New(1, -2, 3.5), Radius: 900}},
		Holes:  []state.Hole{{ID: 2001, Smoke: 2000, Start: 6, Pos: vec.New(0, 0.25, -9), Radius: 3}},
		Told:   []scenario.Told{{Viewer: 1, Target: 2, Reason: vis.EyeEye}, {Viewer: 2, Target: 1, Reason: vis.Hidden}},
	}
}

func aGlimpse() scenario.Glimpse {
	return scenario.Glimpse{
		Viewer: 4, Now: 1 << 60, Arrived: 9, Tick: 7, Frac: 255, Eye: vec.New(-3, 4, 1e9), Alive: true, Teleports: 200, Blind: 300, Drawn: []state.ID{1, 2, 512},
	}
}

func TestLogsKeepEveryField(t *testing.T) {
	var file bytes.Buffer
	l := scenario.NewTruthLog(&file, 1<<20)
	want := aTruth()
	next := aTruth() // as the one before in doors and pieces
	next.Tick, next.Told, next.IDs, next.Bodies = 0, nil, next.IDs[:1], next.Bodies[:1]
	l.Add(&want)
	l.Add(&next)
	if err := l.Flush(); err != nil || l.Full() {
		t.Fatal(err)
	}
	r, err := scenario.NewTruthReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*scenario.Truth{&want, &next} {
		var got scenario.Truth
		if err := r.Next(&got); err != nil || !same(&got, w) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, *w)
		}
	}
	if err := r.Next(&want); err != io.EOF {
		t.Error(err)
	}

	file.Reset()
	e := scenario.NewEyeLog(&file, 1<<20)
	g, h := aGlimpse(), scenario.Heard{Viewer: 6, Now: -1, Tick: 3, IDs: []state.ID{8}}
	e.Frame(&g, true)
	e.Heard(&h)
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	er, err := scenario.NewEyeReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	var gotG scenario.Glimpse
	var gotH scenario.Heard
	if heard, on, err := er.Next(&gotG, &gotH); heard || !on || err != nil || !reflect.DeepEqual(gotG, g) {
		t.Errorf("%v %v %v: %+v", heard, on, err, gotG)
	}
	if heard, _, err := er.Next(&gotG, &gotH); !heard || err != nil || !reflect.DeepEqual(gotH, h) {
		t.Errorf("%v %v: %+v", heard, err, gotH)
	}
	if _, _, err := er.Next(&gotG, &gotH); err != io.EOF {
		t.Error(err)
	}
}

// A log that is full leaves out what has no room and stays readable.
func TestALogIsBounded(t *testing.T) {
	var file bytes.Buffer
	l := scenario.NewTruthLog(&file, 1000)
	for range 100 {
		a := aTruth()
		l.Add(&a)
	}
	if err := l.Flush(); err != nil || !l.Full() || file.Len() > 1000 {
		t.Fatalf("%v: %d bytes, full %v", err, file.Len(), l.Full())
	}
	r, err := scenario.NewTruthReader(&file)
	n := 0
	for ; err == nil; n++ {
		var a scenario.Truth
		err = r.Next(&a)
	}
	if err != io.EOF || n < 5 {
		t.Errorf("%d records: %v", n, err)
	}
}

func TestADamagedLogIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"empty":          "",
		"another kind":   "sleyes.1",
		"cut off":        "sltruth1\x20\x00",
		"too long":       "sltruth1\xff\xff\xff\xff\x0f",
		"not of a form":  "sltruth1\x01\x00",
		"an odd varint":  "sltruth1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"half a varint":  "sltruth1\x80",
		"many of nobody": "sltruth1\x0e\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\x03",
	} {
		r, err := scenario.NewTruthReader(strings.NewReader(text))
		if err == nil {
			var a scenario.Truth
			err = r.Next(&a)
		}
		if !errors.Is(err, scenario.ErrLog) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func same(a, b *scenario.Truth) bool {
	trim := func(t *scenario.Truth) scenario.Truth {
		c := *t
		for _, p := range []any{&c.IDs, &c.Bodies, &c.Doors, &c.Pieces, &c.Smokes, &c.Holes, &c.Told} {
			if v := reflect.ValueOf(p).Elem(); v.Len() == 0 {
				v.SetZero()
			}
		}
		return c
	}
	return reflect.DeepEqual(trim(a), trim(b))
}

// Whatever a file holds, reading it ends, and what is read is written again as it was.
func FuzzTruthLog(f *testing.F) {
	var file bytes.Buffer
	l := scenario.NewTruthLog(&file, 1<<20)
	a := aTruth()
	l.Add(&a)
	a.Doors, a.Told = nil, nil
	l.Add(&a)
	if err := l.Flush(); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("sltruth1\x20\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := scenario.NewTruthReader(bytes.NewReader(data))
		for n := 0; err == nil; n++ {
			var a, b scenario.Truth
			if err = r.Next(&a); err != nil {
				break
			}
			var again bytes.Buffer
			l := scenario.NewTruthLog(&again, 1<<24)
			l.Add(&a)
			if err := l.Flush(); err != nil {
				t.Fatal(err)
			}
			back, err := scenario.NewTruthReader(&again)
			if err == nil {
				err = back.Next(&b)
			}
			if err != nil || !same(&a, &b) && !hasNaN(&a) {
				t.Fatalf("%v\n%+v\n%+v", err, a, b)
			}
		}
		if err != io.EOF && !errors.Is(err, scenario.ErrLog) {
			t.Fatal(err)
		}
	})
}

func hasNaN(a *scenario.Truth) bool {
	for i := range a.Smokes {
		if p := a.Smokes[i].Pos; p != p {
			return true
		}
	}
	for i := range a.Holes {
		if p := a.Holes[i].Pos; p != p {
			return true
		}
	}
	return false
}

func FuzzEyeLog(f *testing.F) {
	var file bytes.Buffer
	l := scenario.NewEyeLog(&file, 1<<20)
	g, h := aGlimpse(), scenario.Heard{Viewer: 6, Now: -1, Tick: 3, IDs: []state.ID{8}}
	l.Frame(&g, true)
	l.Heard(&h)
	if err := l.Flush(); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("sleyes.1\x02\x03\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := scenario.NewEyeReader(bytes.NewReader(data))
		for err == nil {
			var g, g2 scenario.Glimpse
			var h, h2 scenario.Heard
			var heard, on bool
			if heard, on, err = r.Next(&g, &h); err != nil {
				break
			}
			var again bytes.Buffer
			l := scenario.NewEyeLog(&again, 1<<24)
			if heard {
				l.Heard(&h)
			} else {
				l.Frame(&g, on)
			}
			if err := l.Flush(); err != nil {
				t.Fatal(err)
			}
			back, err := scenario.NewEyeReader(&again)
			if err == nil {
				_, _, err = back.Next(&g2, &h2)
			}
			if err != nil || !heard && g.Eye == g.Eye && !reflect.DeepEqual(g, g2) || heard && !reflect.DeepEqual(h, h2) {
				t.Fatalf("%v\n%+v %+v\n%+v %+v", err, g, h, g2, h2)
			}
		}
		if err != io.EOF && !errors.Is(err, scenario.ErrLog) {
			t.Fatal(err)
		}
	})
}

// A log that was ended takes no more: its file is whole while its process goes on.
func TestAnEndedLogIsWhole(t *testing.T) {
	var file bytes.Buffer
	l := scenario.NewEyeLog(&file, 1<<30)
	g, h := aGlimpse(), scenario.Heard{}
	l.Frame(&g, true)
	if full, err := l.End(); full || err != nil {
		t.Fatal(full, err)
	}
	for range 1 << 14 { // more than waits for being written
		l.Frame(&g, true)
	}
	r, err := scenario.NewEyeReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; err == nil; n++ {
		_, _, err = r.Next(&g, &h)
	}
	if n != 2 || err != io.EOF {
		t.Errorf("%d records and %v", n-1, err)
	}
}
