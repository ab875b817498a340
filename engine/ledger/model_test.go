package ledger_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

var seed = flag.Uint64("seed", 1, "seed of the random matches")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shelf is a store in memory.
type shelf struct {
	parts map[int]*part
	full  int // bytes that fit; 0 any number
	used  int
}

type part struct {
	bytes.Buffer
	s      *shelf
	closed bool
}

var errFull = errors.New("no space left on device")

func (s *shelf) Create(n int) (io.WriteCloser, error) {
	if s.parts == nil {
		s.parts = map[int]*part{}
	}
	if s.parts[n] != nil {
		return nil, errors.New("twice")
	}
	s.parts[n] = &part{s: s}
	return s.parts[n], nil
}

func (s *shelf) Remove(n int) error {
	if p := s.parts[n]; p == nil || !p.closed {
		return errors.New("not there, or open")
	}
	delete(s.parts, n)
	return nil
}

func (p *part) Write(b []byte) (int, error) {
	if p.s.full > 0 && p.s.used+len(b) > p.s.full {
		n := p.s.full - p.s.used
		p.Buffer.Write(b[:n])
		p.s.used = p.s.full
		return n, errFull
	}
	p.s.used += len(b)
	return p.Buffer.Write(b)
}

func (p *part) Close() error { p.closed = true; return nil }

func head() ledger.Header {
	return ledger.Header{Level: "pit", LevelHash: [32]byte{1}, TablesHash: [32]byte{2}, Server: "here", Policy: "deaddrop", TickRate: 64, Seed: 9, Rate: 0.05}
}

// match makes random ticks of answers, packets and acknowledgements.
type match struct {
	*rand.Rand
	in    vis.Input
	ans   vis.Answer
	tick  state.Tick
	rows  map[state.ID]bool // viewers
	alive map[state.ID]bool // subjects there
	kind  map[state.ID]state.Kind
	seq   map[state.ID]uint64
	know  map[[2]state.ID]vis.Reason
	fly   []flight
}

type flight struct {
	viewer state.ID
	seq    uint64
	due    state.Tick
	of     []state.ID
	lost   bool
}

func newMatch(seed uint64, first state.Tick) *match {
	return &match{
		Rand: rand.New(rand.NewPCG(seed, 7)), tick: first, rows: map[state.ID]bool{}, alive: map[state.ID]bool{},
		kind: map[state.ID]state.Kind{}, seq: map[state.ID]uint64{}, know: map[[2]state.ID]vis.Reason{},
	}
}

// step makes the next tick's Input and Answer.
func (m *match) step() {
	m.tick++
	for _, id := range []state.ID{1, 2, 3, 5, 9, 40} {
		if m.IntN(60) == 0 {
			m.rows[id] = !m.rows[id]
		}
	}
	for id := range state.ID(12) {
		if id++; m.IntN(40) == 0 {
			if _, ok := m.alive[id]; ok && m.IntN(2) == 0 {
				delete(m.alive, id)
			} else {
				m.alive[id], m.kind[id] = m.IntN(4) > 0, state.KindPlayer
			}
		}
		if t := state.FirstThing + id*90; m.IntN(30) == 0 {
			if _, ok := m.alive[t]; ok {
				delete(m.alive, t)
			}
			if m.IntN(3) > 0 {
				m.alive[t], m.kind[t] = true, state.Kind(2+m.IntN(3))
			}
		}
	}
	in := &m.in
	in.Reset(m.tick, 64)
	for _, id := range slices.Sorted(maps.Keys(m.alive)) { // not in the map's order: it differs from run to run
		in.Subjects = append(in.Subjects, vis.Subject{
			ID: id, Kind: m.kind[id], Alive: m.alive[id], Team: uint8(id % 3),
			Eye: vec.V3{X: float32(id)}, Chest: vec.V3{X: float32(id), Y: 1}, Yaw: float32(m.IntN(360)),
		})
	}
	m.Shuffle(len(in.Subjects), func(i, k int) { in.Subjects[i], in.Subjects[k] = in.Subjects[k], in.Subjects[i] })
	for _, id := range []state.ID{1, 2, 3, 5, 9, 40} {
		if !m.rows[id] {
			continue
		}
		v := vis.Viewer{ID: id, Subject: -1}
		for k := range in.Subjects {
			if in.Subjects[k].ID == id {
				v.Subject = k
			}
		}
		in.Viewers = append(in.Viewers, v)
	}
	in.SizeAsked()
	m.ans.Reset(in)
	m.ans.Source = vis.Source(max(0, m.IntN(40)-37))
	for v := range in.Viewers {
		for s := range in.Subjects {
			if m.IntN(20) > 0 {
				in.Ask(v, s)
			}
			pair := [2]state.ID{in.Viewers[v].ID, in.Subjects[s].ID}
			if m.IntN(15) == 0 {
				m.know[pair] = vis.Reason(m.IntN(int(vis.NumReasons)))
			}
			if r := m.know[pair]; r != vis.Hidden {
				m.ans.Allow(v, s, r, m.tick, 0)
			}
		}
	}
	vis.Gate(in, &m.ans)
}

// put hands the tick to a Writer, as a server would.
func (m *match) put(w *ledger.Writer) {
	rest := m.fly[:0]
	for _, f := range m.fly {
		switch {
		case int32(f.due-m.tick) > 0:
			rest = append(rest, f)
		case m.rows[f.viewer]:
			w.Acked(f.viewer, f.seq, f.lost)
		}
	}
	m.fly = rest
	w.Decided(&m.in, &m.ans)
	for v := range m.in.Viewers {
		if m.IntN(3) == 0 {
			continue
		}
		id := m.in.Viewers[v].ID
		m.seq[id]++
		f := flight{viewer: id, seq: m.seq[id], due: m.tick + state.Tick(1+m.IntN(9)), lost: m.IntN(6) == 0}
		for s := range m.in.Subjects {
			if m.ans.Permitted(v, s) && m.IntN(3) > 0 {
				f.of = append(f.of, m.in.Subjects[s].ID)
			}
		}
		w.Packet(id, f.seq, f.of)
		m.fly = append(m.fly, f)
	}
	w.Done(m.tick)
}

// truth is the plain model: what every viewer knew at every tick.
type truth struct {
	tick   state.Tick
	source vis.Source
	knew   map[[2]state.ID]vis.Reason
}

func (m *match) truth() truth {
	t := truth{m.tick, m.ans.Source, map[[2]state.ID]vis.Reason{}}
	for v := range m.in.Viewers {
		for s := range m.in.Subjects {
			if id := m.in.Subjects[s].ID; m.ans.Permitted(v, s) && id != m.in.Viewers[v].ID {
				t.knew[[2]state.ID{m.in.Viewers[v].ID, id}] = m.ans.Reason[v*len(m.in.Subjects)+s]
			}
		}
	}
	return t
}

func opened(t *testing.T, b []byte) *ledger.Reader {
	t.Helper()
	r, err := ledger.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compare reads a part and holds it, tick by tick, to the model.
func compare(t *testing.T, r *ledger.Reader, p *ledger.Replay, want []truth) {
	t.Helper()
	var rec ledger.Record
	err := r.Next(&rec)
	for i := range want {
		w := &want[i]
		for ; err == nil && int32(rec.Tick-w.tick) <= 0; err = r.Next(&rec) {
			p.Add(&rec)
		}
		got := p.Open(0)
		if len(got) != len(w.knew) || len(w.knew) > 0 && p.Who != w.source {
			t.Fatalf("tick %d: %d open, source %v; want %d, %v", w.tick, len(got), p.Who, len(w.knew), w.source)
		}
		for _, d := range got {
			if reason, ok := w.knew[[2]state.ID{d.Viewer, d.Target}]; !ok || reason != d.Reason {
				t.Fatalf("tick %d: %d of %d for %v; want %v %v", w.tick, d.Viewer, d.Target, d.Reason, ok, reason)
			}
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}

// What is read is, tick by tick, what the answers permitted, with the reasons and who
// decided; and each packet is where it was.
func TestLedgerEqualsThePlainModel(t *testing.T) {
	for k := range uint64(6) {
		s := *seed + k
		t.Run(fmt.Sprint("seed ", s), func(t *testing.T) {
			store := &shelf{}
			w, err := ledger.NewWriter(store, head(), ledger.Options{Wait: true, Queue: 4})
			if err != nil {
				t.Fatal(err)
			}
			first := state.Tick(0)
			if k%2 == 1 {
				first -= 300 // ticks wrap
			}
			m := newMatch(s, first)
			var want []truth
			type when struct {
				tick state.Tick
				seq  uint64
			}
			sent := map[[2]state.ID][]when{}
			for range 700 {
				m.step()
				m.put(w)
				for _, f := range m.fly {
					if n := m.seq[f.viewer]; f.seq == n {
						for _, id := range f.of {
							key := [2]state.ID{f.viewer, id}
							if l := sent[key]; len(l) == 0 || l[len(l)-1].seq != f.seq {
								sent[key] = append(l, when{m.tick, f.seq})
							}
						}
					}
				}
				want = append(want, m.truth())
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r := opened(t, store.parts[1].Bytes())
			if i := r.Info(); i.Truncated || i.Last != m.tick || i.Level != "pit" || i.Policy != "deaddrop" || i.Rate != 0.05 {
				t.Fatalf("%+v", i)
			}
			compare(t, r, &ledger.Replay{}, want)

			ended, came, samples := 0, 0, [2]int{}
			p := ledger.Replay{
				Ended: func(d *ledger.Disclosure) {
					ended++
					var in []when
					for _, x := range sent[[2]state.ID{d.Viewer, d.Target}] {
						if int32(x.tick-d.Begin) >= 0 && int32(x.tick-d.End) < 0 {
							in = append(in, x)
						}
					}
					sum := uint32(0)
					for _, n := range d.Held {
						sum += n
					}
					switch {
					case sum != d.Ticks() || d.Loose:
						t.Errorf("%+v", d)
					case len(in) == 0 && d.Seq != 0, len(in) > 0 && (d.Seq != in[0].seq || d.Sent != in[0].tick):
						t.Errorf("%+v: packets %v", d, in)
					case d.Cause != ledger.StillOpen && (d.Packets != uint32(len(in)) || len(in) > 0 && d.LastSeq != in[len(in)-1].seq):
						t.Errorf("%+v: packets %v", d, in)
					case d.HasCome && int32(d.Arrived-d.Sent) <= 0:
						t.Errorf("arrived before it was sent: %+v", d)
					}
					if d.HasCome {
						came++
					}
				},
				Other: func(r *ledger.Record) {
					if r.Kind == ledger.Sample {
						samples[min(r.Reason, 1)]++
					}
				},
			}
			r.Rewind()
			var rec ledger.Record
			for r.Next(&rec) == nil {
				p.Add(&rec)
			}
			p.Finish(r.Info().Last)
			if ended < 200 || came < 50 || samples[0] == 0 || samples[1] == 0 {
				t.Errorf("%d disclosures, %d arrived, samples %v: the test has shown nothing", ended, came, samples)
			}
		})
	}
}

// Every part reads alone and all of them together are the ledger; the oldest go.
func TestPartsReadAloneAndTheOldestGo(t *testing.T) {
	store := &shelf{}
	w, err := ledger.NewWriter(store, head(), ledger.Options{Wait: true, PartBytes: 8 << 10, Parts: 3})
	if err != nil {
		t.Fatal(err)
	}
	m := newMatch(*seed, 0)
	var want []truth
	for range 4000 {
		m.step()
		m.put(w)
		want = append(want, m.truth())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	last := w.Stats().Part
	if last < 5 || len(store.parts) != 3 {
		t.Fatalf("%d parts made, %d kept", last, len(store.parts))
	}
	all := &ledger.Replay{}
	for n := last - 2; n <= last; n++ {
		b := store.parts[n].Bytes()
		if len(b) > 128<<10 {
			t.Errorf("part %d has %d bytes", n, len(b))
		}
		r := opened(t, b)
		i := r.Info()
		if i.Truncated || i.Part != n {
			t.Fatalf("%+v", i)
		}
		var span []truth
		for k := range want {
			if int32(want[k].tick-i.First) >= 0 && int32(want[k].tick-i.Last) < 0 {
				span = append(span, want[k])
			}
		}
		var rec ledger.Record
		alone := &ledger.Replay{}
		for k := range span {
			for err = nil; err == nil && int32(rec.Tick-span[k].tick) <= 0; err = r.Next(&rec) {
				if rec.Kind != 0 {
					alone.Add(&rec)
					all.Add(&rec)
				}
			}
			for _, p := range []*ledger.Replay{alone, all} {
				if len(p.Open(0)) != len(span[k].knew) {
					t.Fatalf("part %d, tick %d: %d open, want %d", n, span[k].tick, len(p.Open(0)), len(span[k].knew))
				}
			}
		}
		for ; err == nil; err = r.Next(&rec) {
			all.Add(&rec)
		}
	}
}
