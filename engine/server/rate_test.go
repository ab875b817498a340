package server

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// world is a tick of one viewer, who is player 1 at the origin, and others on a
// line before it.
type tickWorld struct {
	tick  state.Tick
	at    map[state.ID]float32 // metres off
	known map[state.ID]bool
	every uint8 // 32nds of a second
	event []state.Event
	undis uint16
	scope vis.Scope // of viewer 1, who asks for it in every tick
}

func (w *tickWorld) view(v *vis.View) {
	var in vis.Input
	var f vis.Frame
	in.Reset(w.tick, 64)
	f.Reset(w.tick)
	add := func(id state.ID, x float32) {
		pos := vec.V3{X: x}
		in.Subjects = append(in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true, Pos: pos, Eye: pos})
		f.Entities = append(f.Entities, state.Entity{ID: id, Kind: state.KindPlayer, Pos: state.Quant(pos)})
	}
	add(1, 0)
	ids := make([]state.ID, 0, len(w.at))
	for id := range w.at {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		add(id, w.at[id])
	}
	if w.scope.Magnification > 0 {
		w.scope.Last = w.tick
	}
	in.Viewers = append(in.Viewers, vis.Viewer{Subject: 0, ID: 1, Scope: w.scope})
	f.Own = append(f.Own, vis.Own{ID: 1, Undisturbed: w.undis, Player: state.Player{Health: 100}})
	f.Events = append(f.Events, w.event...)
	in.SizeAsked()
	var ans vis.Answer
	ans.Reset(&in)
	for i := range in.Subjects {
		if w.known[in.Subjects[i].ID] {
			ans.Allow(0, i, vis.Open, 0, w.every)
		}
	}
	vis.Build(&f, &in, &ans, 0, v)
}

// run lets ticks pass and returns in which of them, from 0, a packet went out.
func (w *tickWorld) run(c *pace, p *Pace, ticks int) (sent []int) {
	var v vis.View
	for i := range ticks {
		w.tick++
		w.view(&v)
		if due, _ := c.due(p, &v, 64); due {
			c.wrote(&v)
			sent = append(sent, i)
		}
		w.event = nil
	}
	return sent
}

func newTickWorld() *tickWorld {
	return &tickWorld{tick: 1000, at: map[state.ID]float32{}, known: map[state.ID]bool{}, undis: 1000}
}

// TestPaceGoesByWhatAnOpticBringsNear: at 56 m through 8x an enemy is as near as at 7 m,
// within the cone only, and only somebody who is known makes packets.
func TestPaceGoesByWhatAnOpticBringsNear(t *testing.T) {
	for _, c := range []struct {
		metres float32
		scope  vis.Scope
		known  bool
		want   Class
	}{
		{56, vis.Scope{}, true, ClassHalf},
		{56, vis.Scope{Magnification: 8, HalfDeg: 5, RangeM: 1000, TurnDPS: 120, Since: 900}, true, ClassFull},
		{80, vis.Scope{Magnification: 8, HalfDeg: 5, RangeM: 1000, TurnDPS: 120, Since: 900}, true, ClassHalf},
		{-56, vis.Scope{Magnification: 8, HalfDeg: 5, RangeM: 1000, TurnDPS: 120, Since: 900}, true, ClassHalf},
		{56, vis.Scope{Magnification: 8, HalfDeg: 5, RangeM: 1000, TurnDPS: 120, Since: 900}, false, ClassQuarter},
	} {
		p := &Pace{}
		if err := p.check(64); err != nil {
			t.Fatal(err)
		}
		w, pc := newTickWorld(), &pace{}
		w.at[2], w.known[2], w.scope = c.metres, c.known, c.scope
		if w.run(pc, p, 40); pc.class != c.want {
			t.Errorf("%+v: %s", c, pc.class)
		}
	}
}

func TestPaceFollowsWhatIsKnown(t *testing.T) {
	p := &Pace{}
	if err := p.check(64); err != nil {
		t.Fatal(err)
	}
	w, c := newTickWorld(), &pace{}
	w.at[2] = 100
	w.run(c, p, 16)
	if n := len(w.run(c, p, 64)); n != 16 || c.class != ClassQuarter {
		t.Errorf("nobody known: %d packets in 64 ticks, %s", n, c.class)
	}
	w.known[2] = true
	sent := w.run(c, p, 65)
	if sent[0] != 0 {
		t.Errorf("a reveal waited until tick %d", sent[0])
	}
	if len(sent) != 33 || c.class != ClassHalf {
		t.Errorf("an enemy 100 m off: %d packets in 65 ticks, %s", len(sent), c.class)
	}
	w.every = 3
	if w.run(c, p, 20); c.class != ClassQuarter {
		t.Errorf("an enemy who is told of 10 times a second: %s", c.class)
	}
	w.every = 1
	w.run(c, p, 1)
	w.at[2] = 7
	if n := len(w.run(c, p, 64)); n != 64 || c.class != ClassFull {
		t.Errorf("an enemy 7 m off: %d packets in 64 ticks, %s", n, c.class)
	}
	w.at[2] = 100
	if w.run(c, p, 18); c.class != ClassFull {
		t.Errorf("left the full class within 0.3 s")
	}
	if w.run(c, p, 2); c.class != ClassHalf {
		t.Errorf("did not leave the full class after 0.3 s: %s", c.class)
	}
	w.event = []state.Event{{Kind: state.EvHurt, Target: 1, Only: 1}}
	if n := len(w.run(c, p, 19)); n < 18 || c.class != ClassFull {
		t.Errorf("hurt: %d packets in 19 ticks, %s", n, c.class)
	}
}

// TestPaceBypass: what acted on the own player does not wait, whatever the class.
func TestPaceBypass(t *testing.T) {
	p := &Pace{}
	if err := p.check(64); err != nil {
		t.Fatal(err)
	}
	w, c := newTickWorld(), &pace{}
	w.run(c, p, 8)
	w.undis = 0
	if sent := w.run(c, p, 1); len(sent) != 1 {
		t.Error("an outside force waited")
	}
	w.undis = 1
	if sent := w.run(c, p, 3); len(sent) != 0 {
		t.Errorf("the ticks after it sent %v", sent)
	}
}

// TestPaceFixed: a fixed rate of 20 Hz sends in the ticks at which k·20/64 gets
// to the next whole number, and in no other.
func TestPaceFixed(t *testing.T) {
	p := &Pace{Hz: 20}
	if err := p.check(64); err != nil {
		t.Fatal(err)
	}
	w, c := newTickWorld(), &pace{}
	w.at[2], w.known[2] = 3, true
	w.tick = 64*100 - 1
	w.run(c, p, 64)
	sent := w.run(c, p, 64*10)
	if len(sent) != 200 {
		t.Fatalf("%d packets in 10 s", len(sent))
	}
	for i := 1; i < len(sent); i++ {
		if d := sent[i] - sent[i-1]; d < 3 || d > 4 {
			t.Fatalf("%d ticks between packets", d)
		}
	}
	for _, hz := range []int{-1, 5} {
		if (&Pace{Hz: hz}).check(64) == nil {
			t.Errorf("%d Hz was taken", hz)
		}
	}
}

// TestPaceKeepsSecrets: two worlds that differ in whom the viewer does not know
// send in the same ticks and are in the same class.
func TestPaceKeepsSecrets(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	p := &Pace{}
	if err := p.check(64); err != nil {
		t.Fatal(err)
	}
	a, b := newTickWorld(), newTickWorld()
	ca, cb := &pace{}, &pace{}
	for range 2000 {
		for id := state.ID(2); id < 8; id++ {
			if rng.IntN(20) == 0 {
				a.at[id] = rng.Float32() * 60
				a.known[id] = rng.IntN(3) == 0
			}
			if b.known[id] = a.known[id]; b.known[id] {
				b.at[id] = a.at[id]
			} else if delete(b.at, id); rng.IntN(2) == 0 {
				b.at[id] = rng.Float32() * 60
			}
		}
		if rng.IntN(10) == 0 {
			a.event = []state.Event{{Kind: state.EvHurt, Target: 3, Only: 3}, {Kind: state.EvHit, Actor: 4, Only: 4}}
		}
		if x, y := a.run(ca, p, 1), b.run(cb, p, 1); len(x) != len(y) || ca.class != cb.class {
			t.Fatalf("tick %d: sent %v in %s and %v in %s", a.tick, x, ca.class, y, cb.class)
		}
	}
}

// TestBucket: a line that loses or delays packets is sent less, down to a floor,
// and recovers.
func TestBucket(t *testing.T) {
	var b bucket
	now := int64(1)
	second := func(lost bool, queue int64) (bytes int) {
		for range 64 {
			now += 1e9 / 64
			b.refill(now, 50e6+queue, 50e6)
			if b.tokens > 0 {
				n := b.room(1000)
				b.pay(n)
				bytes += n
				if b.arrived++; lost && b.arrived%2 == 0 {
					b.arrived--
					b.lost++
				}
			}
		}
		return bytes
	}
	second(false, 0)
	calm := second(false, 0)
	if calm < bucketMost/2 {
		t.Errorf("a good line is sent %d bytes a second", calm)
	}
	for range 20 {
		second(true, 0)
	}
	if n := second(true, 0); n > 2*bucketLeast || n < bucketLeast/2 {
		t.Errorf("a line that loses half is sent %d bytes a second", n)
	}
	for range 20 {
		second(false, 0)
	}
	if n := second(false, 0); n < calm/2 {
		t.Errorf("after it got well: %d bytes a second", n)
	}
	for range 20 {
		second(false, 300e6)
	}
	if n := second(false, 300e6); n > 2*bucketLeast {
		t.Errorf("a line with 300 ms in its queue is sent %d bytes a second", n)
	}
}

// Whoever loads is sent an empty packet now and then, and at once what must arrive.
func TestWhoLoadsIsSentLittle(t *testing.T) {
	st := newStage(t, nil)
	st.seat("Ada")
	_, c := st.seat("Bob")
	c.ready = false
	st.run(8)
	before := c.ch.Sent()
	st.run(64)
	if n := c.ch.Sent() - before; n != 64/idleEvery {
		t.Errorf("%d packets in 64 ticks", n)
	}
	st.run(1)
	before = c.ch.Sent()
	st.s.Say("hello")
	st.run(1)
	if c.ch.Sent() == before {
		t.Error("a message waited")
	}
}
