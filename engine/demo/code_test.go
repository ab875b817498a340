package demo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// Any bits behind a right checksum are a frame or an error, within the limits.
func FuzzFrame(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		b := make([]byte, rng.IntN(400))
		for i := range b {
			b[i] = byte(rng.Uint32() & rng.Uint32())
		}
		f.Add(b, b)
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var r bits.Reader
		c := code{r: &r, c: wire.Reading(&r), rate: 64}
		a, b := Frame{Tick: 1}, Frame{Tick: 2}
		r.Reset(first)
		if c.frame(&a, &Frame{}); r.Err() != nil {
			return
		}
		r.Reset(second)
		if c.frame(&b, &a); r.Err() != nil {
			return
		}
		for _, f := range []*Frame{&a, &b} {
			heard, late := 0, 0
			for i := range f.Viewers {
				heard += len(f.Viewers[i].Events)
				late += len(f.Viewers[i].Late)
				if len(f.Viewers[i].Told) != len(f.Entities) || len(f.Viewers[i].Doors) != len(f.Doors) {
					t.Fatal("not parallel")
				}
			}
			if len(f.Entities) > MaxSubjects || len(f.Viewers) > MaxViewers || len(f.Doors) > MaxDoors || len(f.Pieces) > MaxPieces || len(f.Events) > MaxEvents || heard > MaxHeard || late > MaxLate {
				t.Fatal("beyond the limits")
			}
		}
	})
}

// sealed makes a file out of a fuzzer's bytes: pieces of them become records with
// right checksums, so that what is behind these is reached.
func sealed(b []byte, indexed bool) []byte {
	h := Header{Schema: wire.SchemaHash(), TickRate: 64, Level: "pit"}
	file := h.append(nil)
	var keys []key
	first, tick, frames := state.Tick(0), state.Tick(0), uint32(0)
	for len(b) >= 3 {
		kind, n := byte(kindTick), min(int(b[1])|int(b[2]&3)<<8, len(b)-3)
		tick += state.Tick(b[2] >> 2)
		if b[0]&1 == 0 || len(keys) == 0 {
			kind = kindKey
			keys = append(keys, key{tick, int64(len(file))})
		}
		if frames == 0 {
			first = tick
		}
		rec := binary.LittleEndian.AppendUint32(make([]byte, recordSize), tick)
		rec = append(rec, b[3:3+n]...)
		seal(rec, kind)
		file, b = append(file, rec...), b[3+n:]
		frames++
	}
	if indexed {
		file = append(file, footer(keys, first, tick, frames, int64(len(file)))...)
	}
	return file
}

// Whatever a file holds, reading, seeking and playing it end, within the limits.
func FuzzReader(f *testing.F) {
	rng := rand.New(rand.NewPCG(2, 2))
	for mode := range uint8(3) {
		for range 6 {
			b := make([]byte, rng.IntN(600))
			for i := range b {
				b[i] = byte(rng.Uint32() & rng.Uint32())
			}
			f.Add(mode, b, uint32(rng.IntN(100)))
		}
	}
	f.Add(uint8(0), []byte(magic), uint32(1))
	f.Fuzz(func(t *testing.T, mode uint8, b []byte, tick uint32) {
		if mode %= 3; mode > 0 {
			b = sealed(b, mode == 2)
		}
		r, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		i := r.Info()
		if i.Whole > int64(len(b)) || i.Truncated != (i.Cut() != nil) || i.Frames < i.Keyframes {
			t.Fatalf("%+v", i)
		}
		var fr Frame
		for n := 0; n < 40 && r.Next(&fr) == nil; n++ {
			if len(fr.Viewers) > 0 {
				fr.Known(&fr.Viewers[0], nil)
			}
		}
		if r.Seek(tick) == nil {
			r.Next(&fr)
		}
		r.Who("a")
		p, err := NewPlayer(r)
		if err != nil {
			return
		}
		for n := range 20 {
			p.Advance(0.3, nil)
			if a, b, f := p.Frames(); a == nil || b == nil || !(f >= 0 && f <= 1) {
				t.Fatal(f)
			}
			p.Seek(float64(tick) + float64(n))
		}
	})
}

// A footer that lies is not believed: the file is walked through instead.
func TestLyingIndexIsNotBelieved(t *testing.T) {
	h := Header{Schema: wire.SchemaHash(), TickRate: 64}
	file := h.append(nil)
	start := int64(len(file))
	rec := append(make([]byte, recordSize), 5, 0, 0, 0)
	var buf [64]byte
	var w bits.Writer
	w.Reset(buf[:])
	c := code{w: &w, c: wire.Writing(&w), rate: 64}
	c.frame(&Frame{Tick: 5}, &Frame{})
	rec = append(rec, w.Bytes()...)
	seal(rec, kindKey)
	file = append(file, rec...)
	at := int64(len(file))
	for name, keys := range map[string][]key{
		"none": nil, "before the start": {{5, 0}}, "past the end": {{5, 1 << 40}}, "negative": {{5, -1}},
		"descending": {{5, start + 1}, {6, start}}, "same": {{5, start}, {5, start + 1}}, "wrong first": {{6, start}},
	} {
		b := append(append([]byte{}, file...), footer(keys, 5, 5, 1, at)...)
		r, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(name, err)
		}
		if i := r.Info(); !i.Truncated || i.Frames != 1 || i.First != 5 {
			t.Errorf("%s: %+v", name, i)
		}
	}
	// An index that names something else than a keyframe is found out in playing.
	b := append(append([]byte{}, file...), footer([]key{{5, start + 2}}, 5, 5, 1, at)...)
	r, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var f Frame
	if err := r.Next(&f); err == nil {
		t.Error("played from the middle of a record")
	}
	if crc32.ChecksumIEEE(rec[recordSize:]) != binary.LittleEndian.Uint32(rec[5:]) {
		t.Error("checksum")
	}
}
