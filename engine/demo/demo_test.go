package demo_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

var seed = flag.Uint64("seed", 1, "seed of the random frames")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func header() demo.Header {
	return demo.Header{Level: "pit", LevelHash: [32]byte{1}, TablesHash: [32]byte{2}, TickRate: 20, Seed: 7, Server: "here", Client: 3}
}

// world makes random frames, each from the one before.
type world struct {
	*rand.Rand
	f demo.Frame
}

func (w *world) id() state.ID {
	if w.IntN(3) == 0 {
		return state.FirstThing + state.ID(w.IntN(40))
	}
	return state.ID(1 + w.IntN(40))
}

func (w *world) q() state.Q {
	return state.Q{X: int32(w.IntN(1<<16) - 1<<15), Y: int32(w.IntN(1<<16) - 1<<15), Z: int32(w.IntN(4096))}
}

func (w *world) event() state.Event {
	e := state.Event{
		Kind: state.EventKind(w.IntN(int(state.NumEvents))), Weapon: uint8(w.IntN(4)), Actor: w.id(), Param: int32(w.IntN(1000) - 500),
		Pos: w.q().V3(), Dir: vec.V3{X: w.Float32()*2 - 1, Z: 1}, Yaw: state.Angle16(w.IntN(3)),
	}
	only := state.ID(w.IntN(3))
	e = wire.Rounded(&e)
	e.Only = only
	return e
}

// step changes some of everything and returns a copy of it all.
func (w *world) step() demo.Frame {
	f := &w.f
	f.Tick += 1 + state.Tick(w.IntN(50)/49*w.IntN(100))
	f.Source = vis.Source(w.IntN(3))
	if w.IntN(6) == 0 {
		f.Entities = append(f.Entities, state.Entity{Kind: state.KindPlayer, Pos: w.q()})
		for {
			id := w.id()
			if f.Find(id) < 0 {
				f.Entities[len(f.Entities)-1].ID = id
				break
			}
			if len(f.Entities) > 50 {
				f.Entities = f.Entities[:len(f.Entities)-1]
				break
			}
		}
	}
	if n := len(f.Entities); n > 0 && w.IntN(10) == 0 {
		k := w.IntN(n)
		f.Entities = append(f.Entities[:k:k], f.Entities[k+1:]...)
	}
	for i := range f.Entities {
		e := &f.Entities[i]
		e.Pos = wire.Extrapolate(e, 1, 20)
		switch w.IntN(5) {
		case 0:
			e.Vel, e.Yaw, e.Pitch = w.q(), state.Angle16(w.Uint32()), state.Angle16(w.Uint32())
		case 1:
			e.Pos, e.Teleports = w.q(), e.Teleports+1
		case 2:
			e.Kind, e.Team, e.Weapon, e.Owner = state.Kind(w.IntN(int(state.NumKinds))), uint8(w.IntN(256)), uint8(w.IntN(9)), w.id()
			e.Health, e.Pose, e.Duck, e.Lean = uint8(w.Uint32()), state.Pose(w.Uint32()), uint8(w.Uint32()), int8(w.Uint32())
		case 3:
			e.Stride, e.ShotSeq = e.Stride+3, uint8(w.Uint32())
		}
	}
	if w.IntN(20) == 0 {
		f.Doors = make([]state.DoorState, w.IntN(4))
	}
	if len(f.Pieces) == 0 || w.IntN(300) == 0 {
		f.Pieces = make([]state.Piece, w.IntN(70))
	}
	if n := len(f.Pieces); n > 0 && w.IntN(5) == 0 {
		f.Pieces[w.IntN(n)] = state.Piece{Broken: w.IntN(3) > 0, At: f.Tick - state.Tick(w.IntN(3))}
	}
	if n := len(f.Doors); n > 0 && w.IntN(5) == 0 {
		f.Doors[w.IntN(n)] = state.DoorState{Open: w.IntN(2) == 0, Start: f.Tick - state.Tick(w.IntN(9)), From: uint16(w.Uint32())}
	}
	f.Events = nil
	for range w.IntN(4) {
		f.Events = append(f.Events, w.event())
	}
	if w.IntN(8) == 0 {
		f.Roster = nil
		for i := range w.IntN(5) {
			f.Roster = append(f.Roster, state.Score{ID: state.ID(i + 1), Kills: int16(w.Uint32()), Deaths: -1, Points: 3, Ping: 80, Bot: i%2 == 0, Name: fmt.Sprintf("p%d", i)})
		}
	}
	if w.IntN(10) == 0 {
		f.Viewers = make([]demo.Viewer, w.IntN(6))
	}
	for i := range f.Viewers {
		v := &f.Viewers[i]
		v.ID = state.ID(i + 1)
		v.Told = append([]demo.Told{}, v.Told...)
		for len(v.Told) < len(f.Entities) {
			v.Told = append(v.Told, demo.Told{})
		}
		v.Told = v.Told[:len(f.Entities)]
		for k := range v.Told {
			if w.IntN(10) == 0 {
				v.Told[k] = demo.Told{}
				if w.IntN(2) == 0 {
					v.Told[k] = demo.Told{Told: true, Reason: vis.Reason(w.IntN(int(vis.NumReasons))), Interval: uint8(w.IntN(4))}
				}
			}
		}
		v.Doors = make([]bool, len(f.Doors))
		for k := range v.Doors {
			v.Doors[k] = w.IntN(4) > 0
		}
		v.Events = nil
		for _, e := range f.Events {
			if w.IntN(2) == 0 {
				e.Only = 0
				if w.IntN(4) == 0 {
					e.Actor = 0
				}
				v.Events = append(v.Events, e)
			}
		}
		if w.IntN(30) == 0 {
			v.Watching = w.id()
		}
		if w.IntN(10) == 0 {
			v.Own = demo.Own{Health: int16(w.Uint32()), Armor: 50, Blind: uint16(w.Uint32()) & 255, Owned: uint8(w.Uint32()), Ammo: [state.NumWeapons]uint16{1: uint16(w.Uint32())}}
		}
	}
	return clone(f)
}

// clone is a deep copy in which nothing and empty are the same.
func clone(f *demo.Frame) demo.Frame {
	g := *f
	g.Entities = append([]state.Entity{}, f.Entities...)
	g.Doors = append([]state.DoorState{}, f.Doors...)
	g.Pieces = append([]state.Piece{}, f.Pieces...)
	g.Events = append([]state.Event{}, f.Events...)
	g.Roster = append([]state.Score{}, f.Roster...)
	g.Viewers = append([]demo.Viewer{}, f.Viewers...)
	for i := range g.Viewers {
		v := &g.Viewers[i]
		v.Told = append([]demo.Told{}, v.Told...)
		v.Doors = append([]bool{}, v.Doors...)
		v.Events = append([]state.Event{}, v.Events...)
	}
	return g
}

// record writes n random frames.
func record(t testing.TB, seed uint64, n int) ([]byte, []demo.Frame) {
	t.Helper()
	var out bytes.Buffer
	r, err := demo.NewRecorder(&out, header(), demo.Options{Queue: n + 1})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.f.Tick = 3840 // a minute into the match
	var all []demo.Frame
	for range n {
		f := w.step()
		all = append(all, f)
		r.Put(&f)
	}
	if k, err := r.Close(); k != n || err != nil {
		t.Fatal(k, err)
	}
	return out.Bytes(), all
}

func open(t testing.TB, b []byte) *demo.Reader {
	t.Helper()
	r, err := demo.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same reads frames until the end and compares.
func same(t *testing.T, r *demo.Reader, want []demo.Frame) {
	t.Helper()
	var f demo.Frame
	for i := range want {
		if err := r.Next(&f); err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		if got := clone(&f); !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("frame %d:\n%+v\nwant\n%+v", i, got, want[i])
		}
	}
	if err := r.Next(&f); err != io.EOF {
		t.Fatalf("after the end: %v", err)
	}
}

// What is read is what was written, from the start and from every position.
func TestFramesReadAreFramesWritten(t *testing.T) {
	t.Logf("seed %d", *seed)
	b, want := record(t, *seed, 100)
	r := open(t, b)
	i := r.Info()
	h := header()
	h.Schema = wire.SchemaHash()
	if i.Header != h || i.First != want[0].Tick || i.Last != want[99].Tick || i.Frames != 100 || i.Keyframes < 3 || i.Truncated || i.Cut() != nil {
		t.Errorf("%+v", i)
	}
	same(t, r, want)
	for k := range want {
		if err := r.Seek(want[k].Tick); err != nil {
			t.Fatal(err)
		}
		same(t, r, want[k:min(k+100, 100)])
	}
	for _, c := range []struct {
		tick state.Tick
		from int
	}{{0, 0}, {1<<32 - 1, 99}} {
		if err := r.Seek(c.tick); err != nil {
			t.Fatal(err)
		}
		same(t, r, want[c.from:])
	}
}

// A file that was cut off plays up to the cut and says so; before its first frame
// is whole it is refused with a sentence.
func TestCutFilePlaysUpToTheCut(t *testing.T) {
	b, want := record(t, *seed, 60)
	last := 0
	for n := 0; n < len(b); n += 1 + n/40 {
		r, err := demo.Open(bytes.NewReader(b[:n]), int64(n))
		if err != nil {
			if !errors.Is(err, demo.ErrDamaged) && !errors.Is(err, demo.ErrForeign) || strings.Contains(err.Error(), "\n") || last > 0 {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		i := r.Info()
		if !i.Truncated || i.Frames < last || i.Last != want[i.Frames-1].Tick || i.Whole > int64(n) {
			t.Fatalf("%d bytes: %+v", n, i)
		}
		if err := i.Cut(); !errors.Is(err, demo.ErrCut) || !strings.Contains(err.Error(), fmt.Sprintf("up to tick %d", i.Last)) {
			t.Fatal(err)
		}
		last = i.Frames
		same(t, r, want[:last])
	}
	if last < 50 {
		t.Errorf("the longest cut had %d frames", last)
	}
}

// Demos of other engines, texts and nothing are refused with one sentence.
func TestForeignFilesAreRefused(t *testing.T) {
	le := binary.LittleEndian
	quake := binary.LittleEndian.AppendUint32(nil, 12) // message number and length, as in dm_68 to dm_71
	quake = binary.LittleEndian.AppendUint32(quake, 16384)
	quake = append(quake, make([]byte, 16384)...)
	good, _ := record(t, 1, 3)
	other := bytes.Clone(good)
	other[8]++
	schema := bytes.Clone(good)
	schema[20]++
	for name, c := range map[string]struct {
		data []byte
		want error
		part string
	}{
		"empty":       {nil, demo.ErrForeign, "empty"},
		"dm_68":       {quake, demo.ErrForeign, "Quake III"},
		"dm_68 cut":   {append(quake, 13, 0, 0, 0, 100), demo.ErrForeign, "of this engine"},
		"dm_71":       {append(bytes.Clone(quake), 13, 0, 0, 0, 200, 1, 0, 0), demo.ErrForeign, "Quake III"},
		"dm2":         {append(le.AppendUint32(le.AppendUint32(nil, 600), 34<<8|12), make([]byte, 600)...), demo.ErrForeign, "Quake II"},
		"quake dem":   {append(le.AppendUint32([]byte("-1\n"), 300), make([]byte, 300)...), demo.ErrForeign, "a demo of Quake "},
		"HL2DEMO":     {append([]byte("HL2DEMO\x00"), quake...), demo.ErrForeign, "CS:GO"},
		"HLDEMO":      {append([]byte("HLDEMO\x00\x00"), quake...), demo.ErrForeign, "Half-Life"},
		"PBDEMS2":     {append([]byte("PBDEMS2\x00"), quake...), demo.ErrForeign, "Counter-Strike 2"},
		"zip":         {append([]byte("PK\x03\x04"), quake...), demo.ErrForeign, "zip"},
		"text":        {[]byte("hello"), demo.ErrForeign, "text"},
		"noise":       {bytes.Repeat([]byte{0xfe, 1, 0x80}, 400), demo.ErrForeign, "of this engine"},
		"version":     {other, demo.ErrVersion, "layout is number"},
		"header":      {schema, demo.ErrDamaged, "header"},
		"only a head": {good[:8], demo.ErrDamaged, "header"},
	} {
		if _, err := demo.Open(bytes.NewReader(c.data), int64(len(c.data))); !errors.Is(err, c.want) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// full is a disk with room for n bytes.
type full struct {
	n   int
	out bytes.Buffer
}

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	k := min(len(b), f.n)
	f.n -= k
	f.out.Write(b[:k])
	if k < len(b) {
		return k, errFull
	}
	return k, nil
}

// A full disk ends the recording with a sentence; what was written plays.
func TestFullDiskEndsTheRecordingOnly(t *testing.T) {
	for _, room := range []int{0, 10, 300, 20000} {
		disk := &full{n: room}
		var said []error
		r, err := demo.NewRecorder(disk, header(), demo.Options{Stopped: func(err error) { said = append(said, err) }})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{Rand: rand.New(rand.NewPCG(*seed, 2))}
		for range 200 {
			f := w.step()
			r.Put(&f)
		}
		if _, err = r.Close(); !errors.Is(err, errFull) || len(said) != 1 || said[0] != err {
			t.Errorf("room for %d: %v, said %v", room, err, said)
		}
		if room == 20000 {
			if i := open(t, disk.out.Bytes()).Info(); !i.Truncated || i.Frames < 5 {
				t.Errorf("%+v", i)
			}
		}
	}
}

// short is a full disk from which something can be taken back.
type short struct{ full }

func (s *short) Shorten(n int64) error {
	s.n += s.out.Len() - int(n)
	s.out.Truncate(int(n))
	return nil
}

// Where a file can be cut back, what a full disk leaves is a whole demo: the last
// frames make room for the index.
func TestFullDiskLeavesAWholeDemo(t *testing.T) {
	whole, most := 0, 0
	for room := 0; room < 30000; room += 1 + room/4 {
		disk := &short{full{n: room}}
		r, err := demo.NewRecorder(disk, header(), demo.Options{Queue: 400})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{Rand: rand.New(rand.NewPCG(*seed, 2))}
		w.f.Tick = 100
		var all []demo.Frame
		for range 100 {
			f := w.step()
			all = append(all, f)
			r.Put(&f)
		}
		n, err := r.Close()
		b := disk.out.Bytes()
		got, open := demo.Open(bytes.NewReader(b), int64(len(b)))
		switch {
		case err == nil:
			if n != 100 || open != nil {
				t.Fatalf("room for %d: %d frames, %v", room, n, open)
			}
		case !errors.Is(err, errFull):
			t.Fatal(err)
		case open != nil:
			if whole > 0 {
				t.Fatalf("room for %d: %v", room, open)
			}
			continue
		}
		if i := got.Info(); i.Cut() == nil {
			if whole++; i.Frames != n || i.Frames < most {
				t.Fatalf("room for %d: %+v, %d frames", room, i, n)
			}
			most = n
			same(t, got, all[:n])
		} else if whole > 0 {
			t.Fatalf("room for %d: %v", room, i.Cut())
		}
	}
	if whole < 10 || most < 50 {
		t.Errorf("%d whole demos, the longest of %d frames", whole, most)
	}
}

// stuck is a disk that does not answer until it is let go.
type stuck struct {
	let sync.WaitGroup
	out bytes.Buffer
}

func (s *stuck) Write(b []byte) (int, error) {
	s.let.Wait()
	return s.out.Write(b)
}

// A disk that hangs never holds up the ticks: the queue is bounded, the recording
// ends, and what was in the queue plays.
func TestSlowDiskEndsTheRecordingOnly(t *testing.T) {
	for _, opt := range []demo.Options{{Queue: 10}, {Queue: 1000, Bytes: 4000}} {
		disk := &stuck{}
		disk.let.Add(1)
		r, err := demo.NewRecorder(disk, header(), opt)
		if err != nil {
			t.Fatal(err)
		}
		w := &world{Rand: rand.New(rand.NewPCG(*seed, 3))}
		for range 300 {
			f := w.step()
			r.Put(&f) // returns though nothing is written
		}
		disk.let.Done()
		n, err := r.Close()
		if !errors.Is(err, demo.ErrSlow) || n == 0 || n > 60 {
			t.Errorf("%d frames: %v", n, err)
		}
		if i := open(t, disk.out.Bytes()).Info(); i.Truncated || i.Frames != n {
			t.Errorf("%+v", i)
		}
	}
}

// Closing twice, and frames after the end, are nothing.
func TestClosedRecorderTakesNothing(t *testing.T) {
	var out bytes.Buffer
	r, err := demo.NewRecorder(&out, header(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	n := out.Len()
	r.Put(&demo.Frame{Tick: 1})
	if k, err := r.Close(); k != 0 || err != nil || out.Len() != n {
		t.Error(k, err, out.Len(), n)
	}
	bad := header()
	bad.TickRate = 0
	if _, err := demo.NewRecorder(&out, bad, demo.Options{}); err == nil {
		t.Error("no tick rate was taken")
	}
}

// Steady recording and reading allocate nothing.
func TestSteadyRecordingDoesNotAllocate(t *testing.T) {
	r, err := demo.NewRecorder(io.Discard, header(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := &world{Rand: rand.New(rand.NewPCG(*seed, 4))}
	for range 100 {
		f := w.step()
		r.Put(&f)
	}
	f := w.step()
	// The writer's turn gives the buffer back: it is on the same processor here.
	n := testing.AllocsPerRun(200, func() { f.Tick++; r.Put(&f); runtime.Gosched() })
	if n > 0.5 {
		t.Errorf("%v allocations per frame", n)
	}
}
