package bits_test

import (
	"bytes"
	"errors"
	"math"
	"testing"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/net/bits"
	"pgregory.net/rapid"
)

// op is one written value, so that a random list can be written and read.
type op struct {
	kind, n int
	v       uint64
	p       []byte
}

func (o op) write(w *bits.Writer) {
	switch o.kind {
	case 0:
		w.Bits(o.v, o.n)
	case 1:
		w.Bool(o.v&1 == 1)
	case 2:
		w.Golomb(uint32(o.v), o.n%32)
	case 3:
		w.Uvar(uint32(o.v))
	case 4:
		w.Svar(int32(o.v))
	case 5:
		w.F32(math.Float32frombits(uint32(o.v)))
	case 6:
		w.Raw(o.p)
	case 7:
		w.Blob(o.p)
	case 8:
		w.String(string(o.p), 64)
	case 9:
		w.Align()
	}
}

func (o op) check(t *rapid.T, r *bits.Reader) {
	var got, want uint64
	switch o.kind {
	case 0:
		got, want = r.Bits(o.n), o.v
		if o.n < 64 {
			want &= 1<<o.n - 1
		}
	case 1:
		want = o.v & 1
		if r.Bool() {
			got = 1
		}
	case 2:
		got, want = uint64(r.Golomb(o.n%32)), o.v&math.MaxUint32
	case 3:
		got, want = uint64(r.Uvar()), o.v&math.MaxUint32
	case 4:
		got, want = uint64(uint32(r.Svar())), o.v&math.MaxUint32
	case 5:
		got, want = uint64(math.Float32bits(r.F32())), o.v&math.MaxUint32
	case 6:
		p := make([]byte, len(o.p))
		if r.Raw(p); !bytes.Equal(p, o.p) {
			t.Fatalf("raw: got %x, want %x", p, o.p)
		}
	case 7:
		if p := r.Blob(make([]byte, 64)); !bytes.Equal(p, o.p) {
			t.Fatalf("blob: got %x, want %x", p, o.p)
		}
	case 8:
		if s := r.String(64); s != string(o.p) {
			t.Fatalf("string: got %q, want %q", s, o.p)
		}
	case 9:
		r.Align()
	}
	// A NaN may be made quiet on its way through a float register.
	if o.kind == 5 && math.IsNaN(float64(math.Float32frombits(uint32(want)))) {
		return
	}
	if got != want {
		t.Fatalf("op %+v: got %x, want %x", o, got, want)
	}
}

func drawOp(t *rapid.T) op {
	return op{
		kind: rapid.IntRange(0, 9).Draw(t, "kind"),
		n:    rapid.IntRange(0, 64).Draw(t, "n"),
		v:    rapid.Uint64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift"),
		p:    rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "p"),
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w bits.Writer
		buf := bytes.Repeat([]byte{0xA5}, 8192) // old content must not show
		w.Reset(buf)
		var ops []op
		for range rapid.IntRange(0, 40).Draw(t, "count") {
			o := drawOp(t)
			if rapid.IntRange(0, 4).Draw(t, "taken back") == 0 {
				mark := w.Tell()
				drawOp(t).write(&w)
				w.Truncate(mark)
			}
			o.write(&w)
			ops = append(ops, o)
		}
		if w.Overflowed() {
			t.Fatal("overflow in a buffer that is large enough")
		}
		if n := w.Len() & 7; n > 0 && w.Bytes()[len(w.Bytes())-1]>>n != 0 {
			t.Fatal("padding of the last byte is not zero")
		}
		var r bits.Reader
		r.Reset(w.Bytes())
		for _, o := range ops {
			o.check(t, &r)
		}
		if r.Err() != nil || r.Remaining() > 7 || r.Tell() != w.Len() {
			t.Fatalf("after reading all: err %v, %d bits left", r.Err(), r.Remaining())
		}
	})
}

func TestSmallBufferKeepsWhatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 40).Draw(t, "size")
		buf := bytes.Repeat([]byte{0x5A}, size+16)
		var w bits.Writer
		w.Reset(buf[:size])
		var kept []op
		for range rapid.IntRange(0, 30).Draw(t, "count") {
			o := drawOp(t)
			mark := w.Tell()
			o.write(&w)
			if w.Err() != nil {
				if w.Room() != 0 {
					t.Fatal("room after an overflow")
				}
				w.Truncate(mark)
				if w.Err() != nil || w.Tell() != mark {
					t.Fatal("truncate did not take the overflow back")
				}
				continue
			}
			kept = append(kept, o)
		}
		for _, b := range buf[size:] {
			if b != 0x5A {
				t.Fatal("wrote past the length of the buffer")
			}
		}
		var r bits.Reader
		r.Reset(w.Bytes())
		for _, o := range kept {
			o.check(t, &r)
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
	})
}

func TestGolombLengths(t *testing.T) {
	for _, c := range []struct {
		v    uint32
		k, n int
	}{{0, 0, 1}, {1, 0, 3}, {2, 0, 3}, {6, 0, 5}, {0, 3, 4}, {7, 3, 4}, {8, 3, 6}, {23, 3, 6}, {24, 3, 8}, {math.MaxUint32, 0, 65}, {math.MaxUint32, 31, 34}} {
		var w bits.Writer
		w.Reset(make([]byte, 16))
		w.Golomb(c.v, c.k)
		if w.Len() != c.n {
			t.Errorf("Golomb(%d, %d) took %d bits, want %d", c.v, c.k, w.Len(), c.n)
		}
	}
}

func TestReaderKeepsTheFirstError(t *testing.T) {
	var w bits.Writer
	w.Reset(make([]byte, 64))
	w.String("twelve bytes", 64)
	for _, c := range []struct {
		name string
		buf  []byte
		read func(*bits.Reader)
		want error
	}{
		{"past the end", []byte{1, 2}, func(r *bits.Reader) { r.Bits(17) }, bits.ErrShort},
		{"empty", nil, func(r *bits.Reader) { r.Bool() }, bits.ErrShort},
		{"too many bits", make([]byte, 20), func(r *bits.Reader) { r.Bits(65) }, bits.ErrShort},
		{"string above maximum", w.Bytes(), func(r *bits.Reader) { r.String(11) }, bits.ErrTooLong},
		{"string one byte short", w.Bytes()[:len(w.Bytes())-1], func(r *bits.Reader) { r.String(64) }, bits.ErrShort},
		{"endless prefix", bytes.Repeat([]byte{0xFF}, 100), func(r *bits.Reader) { r.Uvar() }, bits.ErrMalformed},
		{"dirty padding", []byte{0xFF, 0}, func(r *bits.Reader) { r.Bits(3); r.Align() }, bits.ErrMalformed},
		{"caller's own", []byte{0}, func(r *bits.Reader) { r.Fail(bits.ErrTooLong) }, bits.ErrTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r bits.Reader
			r.Reset(c.buf)
			c.read(&r)
			if !errors.Is(r.Err(), c.want) {
				t.Fatalf("error %v, want %v", r.Err(), c.want)
			}
			p := []byte{9, 9}
			r.Raw(p)
			if r.Bits(8) != 0 || r.Uvar() != 0 || r.Svar() != 0 || r.F32() != 0 || r.Bool() ||
				r.String(4) != "" || len(r.Blob(p)) != 0 || r.Rest() != nil || p[0] != 0 || r.Remaining() != 0 {
				t.Error("something other than zero after an error")
			}
			if !errors.Is(r.Err(), c.want) {
				t.Errorf("error became %v", r.Err())
			}
		})
	}
}

// Strings are framed by their length alone: no byte is special.
func TestStringsHoldAnyByte(t *testing.T) {
	for _, s := range []string{"", "plain", "\xff", "a\x00b", "\x80\x81", "half \xe2\x82", "\xff\xff\xff\xffgetinfo"} {
		var w bits.Writer
		w.Reset(make([]byte, 64))
		w.Bool(true)
		w.String(s, 60)
		w.Uvar(77)
		var r bits.Reader
		r.Reset(w.Bytes())
		r.Bool()
		if got := r.String(60); got != s || r.Uvar() != 77 {
			t.Errorf("%q came back as %q, or what follows is lost", s, got)
		}
	}
}

func TestLongStringIsCutBetweenCharacters(t *testing.T) {
	var w bits.Writer
	w.Reset(make([]byte, 64))
	w.String("aaé€", 5) // 2 + 2 + 3 bytes
	var r bits.Reader
	r.Reset(w.Bytes())
	if s := r.String(5); s != "aaé" || !utf8.ValidString(s) {
		t.Errorf("cut to %q", s)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	buf, p := make([]byte, 1200), make([]byte, 40)
	n := testing.AllocsPerRun(100, func() {
		var w bits.Writer
		w.Reset(buf)
		for i := range 50 {
			w.Bits(uint64(i), 13)
			w.Svar(int32(-i))
			w.F32(1.5)
		}
		w.Blob(p)
		w.String("name", 32)
		var r bits.Reader
		r.Reset(w.Bytes())
		for range 50 {
			r.Bits(13)
			r.Svar()
			r.F32()
		}
		r.Blob(p)
		if w.Err() != nil || r.Err() != nil {
			t.Fatal(w.Err(), r.Err())
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzReader drives a Reader with a script taken from the input itself.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []byte("some content"))
	f.Add([]byte{7, 8}, bytes.Repeat([]byte{0xFF}, 40))
	f.Fuzz(func(t *testing.T, script, data []byte) {
		var r bits.Reader
		r.Reset(data)
		var p [64]byte
		for _, s := range script {
			before, err := r.Tell(), r.Err()
			switch s & 15 {
			case 0, 1, 2:
				r.Bits(int(s >> 1))
			case 3:
				r.Golomb(int(s >> 3))
			case 4:
				r.Uvar()
			case 5:
				r.Svar()
			case 6:
				r.F32()
			case 7:
				r.Raw(p[:s>>2])
			case 8:
				r.Blob(p[:s>>2])
			case 9:
				if len(r.String(int(s))) > int(s) {
					t.Fatal("string above its maximum")
				}
			case 10:
				r.Align()
			case 11:
				r.Rest()
			}
			if r.Tell() < before || r.Tell() > len(data)*8 || err != nil && r.Err() != err {
				t.Fatalf("position %d after %d of %d, error %v after %v", r.Tell(), before, len(data)*8, r.Err(), err)
			}
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	buf := make([]byte, 1200)
	b.ReportAllocs()
	for b.Loop() {
		var w bits.Writer
		w.Reset(buf)
		for i := range 500 {
			w.Bits(uint64(i), 11)
		}
	}
}
