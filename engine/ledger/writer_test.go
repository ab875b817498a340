package ledger_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// A full disk ends the ledger with one sentence, and the ticks go on.
func TestFullDiskStopsTheLedgerAndNotTheMatch(t *testing.T) {
	for _, full := range []int{1, 40, 300, 20_000} {
		store := &shelf{full: full}
		said := make(chan error, 8)
		w, err := ledger.NewWriter(store, head(), ledger.Options{Wait: true, Stopped: func(err error) { said <- err }})
		if err != nil {
			t.Fatal(err)
		}
		m := newMatch(*seed, 0)
		for range 2000 {
			m.step()
			m.put(w)
		}
		why := <-said // at once, not when the match is over
		if err := w.Close(); !errors.Is(err, errFull) || len(said) != 0 || !errors.Is(why, errFull) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d bytes: %v, said %v", full, err, why)
		}
		b := store.parts[1].Bytes()
		if len(b) > full {
			t.Fatal(len(b))
		}
		r, err := ledger.Open(strings.NewReader(string(b)), int64(len(b)))
		switch {
		case full < 200:
			if err == nil {
				t.Error("a header that is not there was read")
			}
		case err != nil:
			t.Errorf("%d bytes: %v", full, err)
		default:
			i := r.Info()
			if c := i.Cut(); c == nil || full > 10_000 && i.Records < 100 {
				t.Errorf("%d bytes: %+v", full, i)
			}
		}
	}
}

// stuck is a store whose first write waits.
type stuck struct {
	shelf
	let chan struct{}
}

func (s *stuck) Create(n int) (io.WriteCloser, error) {
	<-s.let
	return s.shelf.Create(n)
}

// A disk that does not answer costs ticks of the ledger, not of the match: Done comes
// back, memory is bounded, and what was lost is counted in the file.
func TestSlowDiskNeverDelaysATick(t *testing.T) {
	for _, opt := range []ledger.Options{{Queue: 8}, {Queue: 1000, Bytes: 8 << 10}} {
		store := &stuck{let: make(chan struct{})}
		w, err := ledger.NewWriter(store, head(), opt)
		if err != nil {
			t.Fatal(err)
		}
		m := newMatch(*seed, 0)
		w.Name(3, "Ada", false)
		for range 500 {
			m.step()
			m.put(w)
		}
		lost := w.Stats().Lost
		if lost < 300 {
			t.Fatalf("%d ticks lost", lost)
		}
		w.Name(4, "Bob", true)
		close(store.let)
		for range 100000 { // the writer takes its turn
			if w.Stats().Ticks+lost >= 500 {
				break
			}
			runtime.Gosched()
		}
		m.step()
		m.put(w)
		last := m.truth()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := opened(t, store.parts[1].Bytes())
		var rec ledger.Record
		loose := 0
		p := &ledger.Replay{Ended: func(d *ledger.Disclosure) {
			if d.Loose {
				loose++
			}
		}}
		for r.Next(&rec) == nil {
			p.Add(&rec)
		}
		if p.Lost != lost || len(p.Open(0)) != len(last.knew) || p.Name(3) != "Ada" || p.Name(4) != "Bob" {
			t.Errorf("lost %d, want %d; %d open, want %d; %q %q", p.Lost, lost, len(p.Open(0)), len(last.knew), p.Name(3), p.Name(4))
		}
		if p.Finish(r.Info().Last); loose == 0 {
			t.Error("nothing is marked as uncertain")
		}
	}
}

// A tick of many players costs the tick's goroutine no memory.
func TestSteadyTicksDoNotAllocate(t *testing.T) {
	w, err := ledger.NewWriter(discard{}, head(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var in vis.Input
	var ans vis.Answer
	ids := []state.ID{}
	tick := state.Tick(0)
	turn := func() {
		tick++
		in.Reset(tick, 64)
		for id := range state.ID(64) {
			in.Subjects = append(in.Subjects, vis.Subject{ID: id + 1, Kind: state.KindPlayer, Alive: true})
			in.Viewers = append(in.Viewers, vis.Viewer{ID: id + 1, Subject: int(id)})
		}
		in.SizeAsked()
		ans.Reset(&in)
		ids = ids[:0]
		for v := range in.Viewers {
			for s := range in.Subjects {
				if in.Ask(v, s); (v+s+int(tick)/50)%3 == 0 {
					ans.Allow(v, s, vis.EyeEye, tick, 0)
				}
			}
			ids = append(ids, state.ID(v+1))
		}
		shot := ledger.Shot{Target: 2, Result: "player", Why: "clear"}
		w.Shot(1, &shot)
		w.Name(5, "Ada", false)
		w.Acked(1, uint64(tick), false)
		w.Decided(&in, &ans)
		for v := range in.Viewers {
			w.Packet(state.ID(v+1), uint64(tick), ids[:8])
		}
		w.Done(tick)
		for w.Stats().Ticks+w.Stats().Lost < int(tick) { // the writer's turn: on the same processor here
			runtime.Gosched()
		}
	}
	for range 300 {
		turn()
	}
	if n := testing.AllocsPerRun(300, turn); n > 0 {
		t.Errorf("%v allocations per tick", n)
	}
	if s := w.Stats(); s.Lost > 0 || s.Bytes == 0 {
		t.Errorf("%+v", s)
	}
}

type discard struct{}

func (discard) Create(int) (io.WriteCloser, error) { return discard{}, nil }
func (discard) Remove(int) error                   { return nil }
func (discard) Write(b []byte) (int, error)        { return len(b), nil }
func (discard) Close() error                       { return nil }

// BenchmarkTick is what the tick's goroutine pays with 100 players and 100 things,
// BenchmarkWriter what the Writer's does too.
func BenchmarkTick(b *testing.B)   { benchTick(b, ledger.Options{Queue: 4}) }
func BenchmarkWriter(b *testing.B) { benchTick(b, ledger.Options{Queue: 4, Wait: true}) }

func benchTick(b *testing.B, opt ledger.Options) {
	w, err := ledger.NewWriter(discard{}, head(), opt)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	var in vis.Input
	var ans vis.Answer
	for id := range state.ID(100) {
		in.Subjects = append(in.Subjects, vis.Subject{ID: id + 1, Kind: state.KindPlayer, Alive: true}, vis.Subject{ID: id + state.FirstThing, Kind: state.KindPickup, Alive: true})
		in.Viewers = append(in.Viewers, vis.Viewer{ID: id + 1, Subject: 2 * int(id)})
	}
	in.SizeAsked()
	ans.Reset(&in)
	for v := range in.Viewers {
		for s := range in.Subjects {
			if in.Ask(v, s); (v+s)%5 == 0 {
				ans.Allow(v, s, vis.EyeEye, 0, 0)
			}
		}
	}
	b.ReportAllocs()
	for tick := state.Tick(1); b.Loop(); tick++ {
		in.Tick, ans.Tick = tick, tick
		w.Decided(&in, &ans)
		w.Done(tick)
	}
}

// What the Writer is told of a shot, of names and of a client's own report is read
// again.
func TestShotsNamesAndReportsAreKept(t *testing.T) {
	store := &shelf{}
	w, err := ledger.NewWriter(store, head(), ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	var in vis.Input
	in.Reset(1, 64)
	in.Subjects = []vis.Subject{{ID: 1, Kind: state.KindPlayer, Alive: true}, {ID: 2, Kind: state.KindPlayer, Alive: true}}
	in.Viewers = []vis.Viewer{{ID: 1}}
	in.SizeAsked()
	in.Ask(0, 1)
	var ans vis.Answer
	ans.Reset(&in)
	ans.Allow(0, 1, vis.EyeEye, 1, 0)
	w.Name(1, "Ada", false)
	w.Name(2, "Bob", true)
	w.Decided(&in, &ans)
	w.Packet(1, 77, []state.ID{2})
	w.Done(1)
	shot := ledger.Shot{Target: 2, Near: 2, Weapon: "rifle", Result: "player", Why: "unshown", Shown: "not shown", Damage: -3, Killed: true, Evidence: true, Claimed256: -5, Used256: 9, Limit256: 1 << 20}
	w.Shot(1, &shot)
	w.Acked(1, 77, false)
	said := ledger.Claim{CameUS: 30_000, LeastUS: 20_000, MostUS: 45_000, Drawn: true, DrawnUS: 16_700, LookUS: 6944}
	w.Report(1, 2, 77, 1, said)
	w.Left(2, "quit")
	w.Plugin("policy-deaddrop ended: was ended by signal killed", 4711)
	w.Table("movement.gravity", 12.5, 2)
	in.Tick, ans.Source = 2, vis.FromFallback
	w.Decided(&in, &ans)
	w.Done(2)
	w.Done(3) // nobody is there any more
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := opened(t, store.parts[1].Bytes())
	var rec ledger.Record
	var d ledger.Disclosure
	kinds := map[ledger.Kind]int{}
	p := ledger.Replay{Ended: func(x *ledger.Disclosure) { d = *x }, Other: func(r *ledger.Record) {
		kinds[r.Kind]++
		if r.Kind == ledger.Fired && (r.Shot != shot || r.Viewer != 1) {
			t.Errorf("%+v", r.Shot)
		}
		if r.Kind == ledger.Plugin && (r.Tick != 2 || r.Count != 4711 || r.Text != "policy-deaddrop ended: was ended by signal killed") {
			t.Errorf("%+v", r)
		}
		if r.Kind == ledger.Table && (r.Tick != 2 || r.Count != 2 || r.Text != "movement.gravity" || r.To != 12.5) {
			t.Errorf("%+v", r)
		}
	}}
	for r.Next(&rec) == nil {
		p.Add(&rec)
	}
	if kinds[ledger.Table] != 1 || kinds[ledger.Fired] != 1 || kinds[ledger.Name] != 2 || kinds[ledger.Left] != 1 || kinds[ledger.Source] != 2 || kinds[ledger.Plugin] != 1 || p.Who != vis.FromFallback {
		t.Errorf("%v %v", kinds, p.Who)
	}
	if d.ViewerName != "Ada" || d.TargetName != "Bob" || d.Seq != 77 || d.Sent != 1 || d.Arrived != 2 || !d.HasClaim || d.Claim != said || d.ClaimSeq != 77 || d.ClaimAt != 1 || d.End != 3 || d.Cause != ledger.ViewerGone || p.Name(2) != "" {
		t.Errorf("%+v", d)
	}
}
