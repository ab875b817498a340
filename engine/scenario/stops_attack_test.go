package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// withOther encodes a snapshot in which player 2 is known.
func (s *stub) withOther(enc *snapshot.Encoder, tick state.Tick, e state.Entity) []byte {
	s.t.Helper()
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	f.Reset(tick)
	own := vis.Own{ID: 1, Interp: 768, LastCmd: tick}
	own.Player.Health = 100
	f.Own = append(f.Own, own)
	f.Entities = append(f.Entities, e)
	in.Reset(tick, rate)
	in.Subjects = append(in.Subjects, vis.Subject{ID: e.ID, Kind: e.Kind, Alive: true, Pos: e.Pos.V3()})
	in.Viewers = append(in.Viewers, vis.Viewer{Subject: -1, ID: 1})
	in.SizeAsked()
	ans.Reset(&in)
	ans.Allow(0, 0, vis.Open, tick, 0)
	vis.Build(&f, &in, &ans, 0, &v)
	var w bits.Writer
	w.Reset(make([]byte, s.ch.Budget()))
	if err := enc.Encode(&w, &v, s.ch.Sent()+1); err != nil {
		s.t.Fatal(err)
	}
	return append([]byte(nil), w.Bytes()...)
}

// A mover that stops is drawn at its exact last place once the interpolation delay has
// gone by, with nothing more said of it: no creep, and no carrying on.
func TestWhoStopsIsDrawnWhereItStopped(t *testing.T) {
	s := newStub(t, maps{})
	enc := snapshot.NewEncoder(rate)
	e := state.Entity{ID: 2, Kind: state.KindPlayer, Weapon: 1}
	tick := state.Tick(1000)
	step := func() {
		tick++
		s.send(s.withOther(enc, tick, e))
		for _, a := range s.ch.DrainAcks(nil) {
			if !a.Lost {
				enc.Acked(a.Seq)
			}
		}
		s.now += 1_000_000_000/rate - 10_000_000 // send has gone on by 10 ms
	}
	for range 2 * rate {
		e.Vel = state.Q{X: 5 * 256}
		e.Pos.X += 5 * 256 / rate
		step()
	}
	if o := s.c.Others(nil); len(o) != 1 || o[0].At.X >= e.Pos.V3().X {
		t.Fatalf("while it moves: %+v, it is at %v", o, e.Pos.V3())
	}
	e.Vel = state.Q{}
	stopped := e.Pos.V3()
	for n := range rate {
		step()
		o := s.c.Others(nil)
		if len(o) != 1 {
			t.Fatalf("%d are drawn", len(o))
		}
		if over := o[0].At.X - stopped.X; over > 0.005 {
			t.Fatalf("%d ticks after it stopped: %.3f m past its last place", n, over)
		}
		if n >= 16 && o[0].At != stopped { // a quarter of a second: a delay of 3 ticks, and jitter
			t.Fatalf("%d ticks after it stopped: at %v, want %v", n, o[0].At, stopped)
		}
	}
}

// Old and repeated packets, as by a proxy that keeps and shuffles them, end nothing:
// what is older than what the client has is passed over.
func TestShuffledServerPacketsAreDroppedSilently(t *testing.T) {
	s := newStub(t, maps{})
	enc := snapshot.NewEncoder(rate)
	tick := state.Tick(1000)
	rng := vec.NewRand(6)
	var newest state.Tick
	for range 60 {
		var held [][]byte
		for range 8 {
			tick++
			pkt, _, err := s.ch.Seal(nil, s.good(enc, tick), s.now)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, pkt)
		}
		for range 24 {
			s.port.Send(held[rng.Intn(len(held))], s.peer)
		}
		s.step()
		if at, _ := s.c.Settled(); int32(at-newest) < 0 {
			t.Fatalf("the newest state went from tick %d back to %d", newest, at)
		} else {
			newest = at
		}
		for _, a := range s.ch.DrainAcks(nil) {
			if !a.Lost {
				enc.Acked(a.Seq)
			}
		}
	}
	if st := s.c.Stats(); s.c.State() != client.Playing || st.BadSnapshots != 0 || st.Dropped == 0 || st.Snapshots < 60 {
		t.Errorf("%v (%s), %d snapshots, %d bad, %d dropped", s.c.State(), s.c.Reason(), st.Snapshots, st.BadSnapshots, st.Dropped)
	}
}

// A server that has been up for four days is joined like a new one: everybody plays
// within 2 s, nothing is mispredicted, no clock has to be jumped again.
func TestServerUpForDaysIsJoined(t *testing.T) {
	cfg := config(maps{}, "pit", 4)
	cfg.FirstTick = 4 * 24 * 3600 * rate
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.Now = 4 * 24 * 3600 * 1_000_000_000
	for range 2 * rate {
		m.Step()
	}
	before := make([]client.Stats, 4)
	for i, b := range m.Crew.Bots() {
		if before[i] = b.Stats(); b.State() != client.Playing || before[i].Commands == 0 {
			t.Errorf("after 2 s: %v, %d commands", b.State(), before[i].Commands)
		}
	}
	for range 4 * rate {
		m.Step()
	}
	for i, b := range m.Crew.Bots() {
		s := b.Stats()
		if s.Errors != 0 || s.Resyncs > before[i].Resyncs || s.Starved-before[i].Starved > rate/2 {
			t.Errorf("%d errors, %d resyncs, %d made up", s.Errors, s.Resyncs-before[i].Resyncs, s.Starved-before[i].Starved)
		}
	}
}

// A snapshot of the level before that is overtaken by the next level's welcome is not
// taken for one of that level, whose ticks begin anew: the client plays on.
func TestSnapshotOfTheLevelBeforeIsPassedOver(t *testing.T) {
	m := maps{}
	l, err := m.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	set := tables.Arena()
	s := newStub(t, m)
	enc := snapshot.NewEncoder(rate)
	for tick := state.Tick(90000); tick < 90010; tick++ {
		s.send(s.good(enc, tick))
	}
	enc.Reset()
	late, _, err := s.ch.Seal(nil, s.good(enc, 90011), s.now)
	if err != nil {
		t.Fatal(err)
	}
	late = append([]byte(nil), late...)
	s.say(wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: rate, Tick: 5, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()}))
	s.port.Send(late, s.peer)
	s.step()
	before := s.c.Stats().Snapshots
	enc = snapshot.NewEncoder(rate)
	for tick := state.Tick(5); tick < 25; tick++ {
		s.send(s.good(enc, tick))
	}
	if at, _ := s.c.Settled(); s.c.Stats().Snapshots-before != 20 || at != 24 {
		t.Errorf("%d of 20 snapshots of the new level were taken, the newest is of tick %d", s.c.Stats().Snapshots-before, at)
	}
}
