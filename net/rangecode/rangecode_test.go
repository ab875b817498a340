package rangecode_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/net/rangecode"
)

// step is one thing that was coded.
type step struct {
	table int // -1: raw
	sym   int
	raw   uint64
	n     int
}

func tables(r *rand.Rand) []rangecode.Table {
	var out []rangecode.Table
	for range 6 {
		counts := make([]uint64, 1+r.IntN(40))
		for i := range counts {
			counts[i] = uint64(r.IntN(1 << r.IntN(30)))
		}
		t := rangecode.Shares(counts)
		if !t.Valid() {
			panic("not a table")
		}
		out = append(out, t)
	}
	return out
}

func put(e *rangecode.Encoder, ts []rangecode.Table, s step) {
	if s.table < 0 {
		e.Raw(s.raw, s.n)
		return
	}
	e.Sym(ts[s.table], s.sym)
}

func random(r *rand.Rand, ts []rangecode.Table) step {
	if r.IntN(5) == 0 {
		n := r.IntN(65)
		v := r.Uint64()
		if n < 64 {
			v &= 1<<n - 1
		}
		return step{table: -1, raw: v, n: n}
	}
	k := r.IntN(len(ts))
	s := r.IntN(ts[k].Symbols())
	if r.IntN(2) == 0 { // likely ones, and long runs of 0xFF
		s = ts[k].Symbols() - 1
	}
	return step{table: k, sym: s}
}

func TestWhatIsPutComesOut(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		ts := tables(r)
		var steps []step
		var e rangecode.Encoder
		e.Reset(make([]byte, 4096))
		for range r.IntN(200) {
			s := random(r, ts)
			if r.IntN(4) == 0 { // a detour that is taken back
				m := e.Mark()
				for range r.IntN(20) {
					put(&e, ts, random(r, ts))
				}
				e.Back(&m)
			}
			put(&e, ts, s)
			steps = append(steps, s)
		}
		tell, most := e.Tell(), e.Bytes()
		out := e.Finish()
		if e.Overflowed() || len(out) > most || len(out)*8*16 > tell+2*8*16 {
			t.Fatalf("seed %d: %d bytes, told %d/16 bits", seed, len(out), tell)
		}
		var d rangecode.Decoder
		d.Reset(out)
		for i, s := range steps {
			if s.table < 0 {
				if v := d.Raw(s.n); v != s.raw {
					t.Fatalf("seed %d, step %d: raw %x, want %x", seed, i, v, s.raw)
				}
			} else if v := d.Get(ts[s.table]); v != s.sym {
				t.Fatalf("seed %d, step %d: symbol %d, want %d", seed, i, v, s.sym)
			}
		}
		if d.End(); d.Err() != nil {
			t.Fatalf("seed %d: %v", seed, d.Err())
		}
		// What ends well is what an Encoder makes of what came out.
		for _, b := range [][]byte{out[:max(len(out)-1, 0)], append(bytes.Clone(out), byte(r.IntN(256))), append(bytes.Clone(out), 0, 0)} {
			var again rangecode.Encoder
			again.Reset(make([]byte, 4096))
			d.Reset(b)
			for _, s := range steps {
				if s.table < 0 {
					again.Raw(d.Raw(s.n), s.n)
				} else {
					again.Sym(ts[s.table], d.Get(ts[s.table]))
				}
			}
			if d.End(); d.Err() == nil && !bytes.Equal(again.Finish(), b) {
				t.Fatalf("seed %d: two forms of one content:\n%x\n%x", seed, again.Finish(), b)
			}
		}
	}
}

// The size is that of the chances, to a byte.
func TestSymbolsCostWhatTheirChancesSay(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	table := rangecode.Shares([]uint64{9000, 500, 400, 90, 9, 1})
	var e rangecode.Encoder
	e.Reset(make([]byte, 1<<16))
	want := 0.0
	for range 20000 {
		s := 0
		for x := r.IntN(rangecode.Total); int(table[s+1]) <= x; s++ {
		}
		want -= math.Log2(float64(table[s+1]-table[s]) / rangecode.Total)
		e.Sym(table, s)
	}
	told := float64(e.Tell()) / 16
	got := float64(len(e.Finish()) * 8)
	if math.Abs(got-want) > want/500+16 || math.Abs(told-want) > want/500+16 {
		t.Fatalf("%.0f bits, told %.0f, the entropy is %.0f", got, told, want)
	}
}

func TestASmallBufferOverflows(t *testing.T) {
	var e rangecode.Encoder
	e.Reset(make([]byte, 4))
	m := e.Mark()
	for i := range 8 {
		e.Raw(0xABCD+77*uint64(i), 16)
	}
	if !e.Overflowed() {
		t.Fatal("did not overflow")
	}
	e.Back(&m)
	if e.Raw(5, 8); e.Overflowed() || !bytes.Equal(e.Finish(), []byte{5}) {
		t.Fatal("does not come back")
	}
}

func TestNothingCostsNothing(t *testing.T) {
	var e rangecode.Encoder
	e.Reset(nil)
	if b := e.Finish(); len(b) != 0 || e.Overflowed() {
		t.Fatalf("%x", b)
	}
	var d rangecode.Decoder
	d.Reset(nil)
	for range 1000 {
		d.Raw(16)
	}
	if d.Err() != rangecode.ErrShort {
		t.Fatal(d.Err())
	}
}

func TestNothingIsAllocated(t *testing.T) {
	table := rangecode.Shares([]uint64{5, 1, 1})
	buf := make([]byte, 256)
	var e rangecode.Encoder
	var d rangecode.Decoder
	if n := testing.AllocsPerRun(100, func() {
		e.Reset(buf)
		for i := range 50 {
			m := e.Mark()
			e.Sym(table, i%3)
			e.Back(&m)
			e.Sym(table, i%3)
		}
		d.Reset(e.Finish())
		for range 50 {
			d.Get(table)
		}
	}); n > 0 {
		t.Fatalf("%v allocations", n)
	}
}

// FuzzDecoder reads anything: symbols stay inside their alphabets, and the end is
// found after at most a few bytes more than there are.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Add([]byte("some bytes"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := rand.New(rand.NewPCG(uint64(len(b)), 3))
		ts := tables(r)
		var d rangecode.Decoder
		d.Reset(b)
		raw := 0
		for range 100000 {
			s := random(r, ts)
			if s.table < 0 {
				if v := d.Raw(s.n); s.n < 64 && v >= 1<<s.n {
					t.Fatalf("%d bits give %x", s.n, v)
				}
				raw += s.n
			} else if v := d.Get(ts[s.table]); v < 0 || v >= ts[s.table].Symbols() {
				t.Fatalf("symbol %d of %d", v, ts[s.table].Symbols())
			}
			if d.Err() != nil {
				return
			}
			if raw > (len(b)+rangecode.Slack+8)*8 {
				t.Fatal("more came out than went in")
			}
		}
	})
}

func BenchmarkEncoder(b *testing.B) {
	table := rangecode.Shares([]uint64{900, 50, 40, 9, 1})
	buf := make([]byte, 1200)
	var e rangecode.Encoder
	b.ReportAllocs()
	for b.Loop() {
		e.Reset(buf)
		for i := range 500 {
			e.Sym(table, i%5)
		}
		e.Finish()
	}
}

// A long run of first symbols is all zeros, which Finish leaves out however many
// they are.
func TestARunOfFirstSymbols(t *testing.T) {
	unlikely := rangecode.Shares([]uint64{1, 1000})
	for _, n := range []int{1, 30, 300, 800} {
		var e rangecode.Encoder
		e.Reset(make([]byte, 1172))
		e.Sym(unlikely, 1)
		for range n {
			e.Sym(unlikely, 0)
		}
		b := e.Finish()
		if e.Overflowed() {
			t.Fatalf("%d symbols do not fit", n)
		}
		var d rangecode.Decoder
		d.Reset(b)
		if s := d.Get(unlikely); s != 1 {
			t.Errorf("first of %d: %d", n, s)
		}
		for i := range n {
			if s := d.Get(unlikely); s != 0 {
				t.Fatalf("symbol %d of %d: %d", i, n, s)
			}
		}
		if d.End(); d.Err() != nil {
			t.Errorf("%d symbols in %d bytes: %v", n, len(b), d.Err())
		}
	}
}
