package mailbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

// piece is memory like a box's, in this process.
func piece() []byte { return make([]byte, pieceLen) }

func TestNewestWinsAndIsSeenOnce(t *testing.T) {
	mem := piece()
	w, r := NewWriter(mem), NewReader(mem)
	var got []byte
	if _, _, ok, err := r.Take(nil); ok || err != nil {
		t.Fatal("an empty box has a frame", err)
	}
	for n := 1; n <= 3*Slots; n++ {
		for i := range n % 7 {
			w.Put([]byte{byte(i)}, 1)
		}
		w.Put(bytes.Repeat([]byte{byte(n)}, n), int64(n))
		var stamp int64
		var ok bool
		var err error
		if got, stamp, ok, err = r.Take(got); !ok || err != nil || stamp != int64(n) || !bytes.Equal(got, bytes.Repeat([]byte{byte(n)}, n)) {
			t.Fatalf("frame %d: %v %d %v %v", n, got, stamp, ok, err)
		}
		if _, _, ok, err := r.Take(got); ok || err != nil {
			t.Fatalf("frame %d is seen twice: %v", n, err)
		}
	}
	if w.Put(make([]byte, slotSize), 0) {
		t.Error("takes a frame that is too long")
	}
}

// The counts go round after 2^32 frames, and the sequence after half as many.
func TestCountsGoRound(t *testing.T) {
	for _, from := range []uint32{1<<31 - 6, 1<<32 - 6} {
		mem := piece()
		w, r := NewWriter(mem), NewReader(mem)
		w.n, r.seen = from, from
		for i := range 12 {
			w.Put([]byte{byte(i)}, 0)
			if got, _, ok, err := r.Take(nil); !ok || err != nil || got[0] != byte(i) {
				t.Errorf("frame %d after %d: %v %v %v", i, from, got, ok, err)
			}
		}
	}
}

// Whatever byte of a piece is changed, a reader gets the frame as it was put, nothing,
// or an error, and the next frame whole.
func TestAnyChangedByteIsSeen(t *testing.T) {
	mem := piece()
	w, r := NewWriter(mem), NewReader(mem)
	frame := []byte("a frame of some bytes, of which none may be another")
	var at []int
	for i := range page {
		at = append(at, i)
	}
	for s := range Slots {
		for i := range slotHead + len(frame) {
			at = append(at, page+s*slotSize+i)
		}
	}
	lost := 0
	for k, i := range at {
		w.Put(frame, int64(k))
		was := mem[i]
		mem[i] ^= byte(1 + k%255)
		got, stamp, ok, err := r.Take(nil)
		if ok && (err != nil || !bytes.Equal(got, frame) || stamp != int64(k)) {
			t.Fatalf("byte %d: %q of %d, %v", i, got, stamp, err)
		}
		if !ok {
			lost++
		}
		mem[i] = was
		w.Put(frame, -1)
		if got, _, ok, err := r.Take(nil); !ok || err != nil || !bytes.Equal(got, frame) {
			t.Fatalf("the frame after byte %d was changed: %q %v", i, got, err)
		}
	}
	if lost < 60 {
		t.Errorf("only %d changes were noticed", lost)
	}
}

// A writer that is slower, or faster, than a reader in another goroutine never shows it
// half a frame. Run it with -race to see that the order is the machine's affair.
func TestNobodySeesHalfAFrame(t *testing.T) {
	if raceEnabled {
		return // the copy races by design: what it read is looked at afterwards
	}
	mem := piece()
	w, r := NewWriter(mem), NewReader(mem)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		frame := make([]byte, 4096)
		for n := uint32(1); ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			for i := 0; i < len(frame); i += 4 {
				binary.LittleEndian.PutUint32(frame[i:], n)
			}
			w.Put(frame[:n%4096&^3], int64(n))
		}
	}()
	var got []byte
	frames := 0
	for frames < 2000 {
		var ok bool
		var stamp int64
		got, stamp, ok, _ = r.Take(got)
		if !ok {
			continue
		}
		frames++
		for i := 0; i+4 <= len(got); i += 4 {
			if binary.LittleEndian.Uint32(got[i:]) != uint32(stamp) {
				t.Fatalf("half of frame %d, half of %d", stamp, binary.LittleEndian.Uint32(got[i:]))
			}
		}
	}
	close(stop)
	<-done
}

// FuzzTake lets anybody write into the memory of answers.
func FuzzTake(f *testing.F) {
	f.Add(uint64(1), uint32(4), uint32(8), []byte("frame"))
	f.Add(uint64(7), uint32(1<<31), uint32(0), []byte{})
	mem := piece()
	f.Fuzz(func(t *testing.T, seed uint64, newest, seq uint32, data []byte) {
		clear(mem[:2*page])
		for n := range uint32(Slots) {
			clear(mem[slotAt(n):][:slotHead])
		}
		w, r := NewWriter(mem), NewReader(mem)
		dice := rand.New(rand.NewPCG(seed, 1))
		for n := range 1 + seed%9 {
			w.Put(data, int64(n))
		}
		for range dice.IntN(6) {
			i := dice.IntN(2 * page)
			switch dice.IntN(4) {
			case 0:
				binary.LittleEndian.PutUint32(mem[newestAt:], newest)
			case 1:
				binary.LittleEndian.PutUint32(mem[slotAt(newest):], seq)
			case 2:
				binary.LittleEndian.PutUint32(mem[slotAt(newest)+4:], seq)
			default:
				mem[i] ^= byte(dice.Uint32())
			}
		}
		for range 3 {
			got, _, ok, err := r.Take(nil)
			if ok && (err != nil || !bytes.Equal(got, data)) {
				t.Fatalf("%q, wanted %q: %v", got, data, err)
			}
			if err != nil && !errors.Is(err, ErrTorn) && !errors.Is(err, ErrLength) && !errors.Is(err, ErrSum) {
				t.Fatal(err)
			}
		}
	})
}
