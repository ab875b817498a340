package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// A client that is stopped for 12 s, as by a signal, is accepted again within 2 s
// and mispredicts nothing.
func TestSuspendedClientComesBack(t *testing.T) {
	cfg := config(maps{}, "pit", 3)
	cfg.Seconds = 20
	const from, back = 4 * rate, 16 * rate
	cfg.Stalled = func(bot, tick int) bool { return bot == 0 && tick >= from && tick < back }
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range back + 2*rate {
		m.Step()
	}
	b := m.Crew.Bots()[0]
	starved := b.Stats().Starved
	if b.State() != client.Playing {
		t.Fatalf("%v: %s", b.State(), b.Reason())
	}
	for range 4 * rate {
		m.Step()
	}
	s := b.Stats()
	if s.Errors != 0 || s.WorstError != 0 && s.Explained != s.Corrections {
		t.Errorf("%d prediction errors, worst %.3f m", s.Errors, s.WorstError)
	}
	if n := s.Starved - starved; n > rate/2 { // 3 % loss starves now and then
		t.Errorf("%d of %d commands were made up 2 s after it came back", n, 4*rate)
	}
	// The client's clock went on, so nothing has to be set anew, except where packets
	// from before the stop still lay in the line: then it is set back once, and forth.
	if s.Resyncs > 4 {
		t.Errorf("%d resyncs: a long stop is jumped, once", s.Resyncs)
	}
	t.Log(m.Finish())
}

// stub is a server that lets one client in and then sends what it is told.
type stub struct {
	t    *testing.T
	port *link.Port
	hs   *handshake.Server
	ch   *netchan.Channel
	peer link.Addr
	now  int64
	c    *client.Client

	input func(state.Tick) state.Cmd // the victim's hands
}

func newStub(t *testing.T, m maps) *stub {
	t.Helper()
	loop, at := link.NewLoop(), netip.MustParseAddrPort("127.0.0.1:5")
	port, err := loop.Attach(at, 0)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{4})
	key, err := handshake.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	s := &stub{t: t, port: port, now: 1}
	s.input = func(state.Tick) state.Cmd { return state.Cmd{Forward: 100} }
	s.hs, err = handshake.NewServer(handshake.ServerConfig{
		Key: key, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites()), Rand: random,
		Authentic: func(se *handshake.Session, pkt []byte) bool {
			return netchan.Authentic(netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}, pkt)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	mine, err := loop.Dial(0)
	if err != nil {
		t.Fatal(err)
	}
	s.c, err = client.New(client.Config{
		Link: mine, Server: at, Name: "victim", Hello: handshake.ClientConfig{Rand: random}, Tables: arena,
		Load:  func(n string, _ [32]byte) (client.Loaded, error) { return m.load(n) },
		Input: func(_ *client.Client, tick state.Tick) state.Cmd { return s.input(tick) },
		Event: func(*state.Event, bool) {}, Notice: func(wire.Message) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := m.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		s.step()
	}
	set := tables.Arena()
	s.say(wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: rate, Tick: 1000, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()}))
	if s.c.State() != client.Playing {
		t.Fatalf("%v: %s", s.c.State(), s.c.Reason())
	}
	return s
}

// step runs both ends for 10 ms.
func (s *stub) step() {
	s.now += 10_000_000
	s.c.Advance(s.now)
	var buf [link.MaxPacket]byte
	for {
		n, from, ok := s.port.Recv(buf[:])
		if !ok {
			return
		}
		if s.ch != nil {
			s.ch.Open(buf[:n], s.now)
			continue
		}
		reply, ev := s.hs.Handle(buf[:n], from, s.now)
		if reply != nil {
			s.port.Send(reply, from)
		}
		if ev.Kind == handshake.EventConfirmed {
			se := ev.Session
			ch, err := netchan.New(netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}, s.now)
			if err != nil {
				s.t.Fatal(err)
			}
			ch.Open(buf[:n], s.now)
			s.ch, s.peer = ch, from
		}
	}
}

func (s *stub) send(payload []byte) {
	s.t.Helper()
	pkt, _, err := s.ch.Seal(nil, payload, s.now)
	if err != nil {
		s.t.Fatal(err)
	}
	s.port.Send(pkt, s.peer)
	s.step()
}

func (s *stub) say(m []byte) {
	s.t.Helper()
	if err := s.ch.QueueReliable(m); err != nil {
		s.t.Fatal(err)
	}
	s.send(nil)
}

// good makes a snapshot with a body and some others, encoded for the next packet.
func (s *stub) good(enc *snapshot.Encoder, tick state.Tick) []byte {
	s.t.Helper()
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	f.Reset(tick)
	own := vis.Own{ID: 1, Interp: 900, LastCmd: tick}
	own.Player.Health = 100
	f.Own = append(f.Own, own)
	in.Viewers = append(in.Viewers, vis.Viewer{ID: 1})
	ans.Reset(&in)
	vis.Build(&f, &in, &ans, 0, &v)
	var w bits.Writer
	w.Reset(make([]byte, s.ch.Budget()))
	if err := enc.Encode(&w, &v, s.ch.Sent()+1); err != nil {
		s.t.Fatal(err)
	}
	return append([]byte(nil), w.Bytes()...)
}

// Snapshots and messages with anything in them, sealed as the server would: a
// client ignores them and counts, or ends with a reason; it never falls over, and
// plays on with what is right.
func TestHostileServer(t *testing.T) {
	const seed = 11
	m := maps{}
	rng := rand.New(rand.NewPCG(seed, seed))
	s := newStub(t, m)
	enc := snapshot.NewEncoder(rate)
	tick := state.Tick(1000)
	valid := func() []byte { tick++; return s.good(enc, tick) }
	for range 20 {
		s.send(valid())
	}
	if st := s.c.Stats(); st.Snapshots != 20 || st.BadSnapshots != 0 {
		t.Fatalf("%d snapshots, %d bad", st.Snapshots, st.BadSnapshots)
	}
	for n := range len(valid()) { // cut at every byte
		s.send(valid()[:n])
	}
	for i := range len(valid()) * 8 { // each bit
		b := valid()
		if i < len(b)*8 {
			b[i/8] ^= 1 << (i % 8)
		}
		s.send(b)
	}
	for n := range 3000 {
		b := make([]byte, 1+rng.IntN(400))
		for i := range b {
			b[i] = byte(rng.Uint32() >> (n % 3 * 8) & [3]uint32{0xff, 0x11, 0x80}[n%3])
		}
		s.send(b)
	}
	for _, fill := range []byte{0, 0xff, 0x7f, 0x80, 0x55} {
		for n := 1; n < 1100; n += 97 {
			b := make([]byte, n)
			for i := range b {
				b[i] = fill
			}
			s.send(b)
		}
	}
	for op := range 256 { // no packets at all, from the server's address
		for n := range 4 {
			s.port.Send([]byte{byte(op), 1, 2, 3}[:n], s.peer)
		}
		s.step()
	}
	st := s.c.Stats()
	if s.c.State() != client.Playing || st.BadSnapshots < 100 {
		t.Fatalf("%v (%s), %d bad snapshots", s.c.State(), s.c.Reason(), st.BadSnapshots)
	}
	tick += 1 << 20
	enc.Reset()
	for range 5 * rate {
		s.send(valid())
	}
	if s.c.State() != client.Playing {
		t.Errorf("%v: %s", s.c.State(), s.c.Reason())
	}
	t.Logf("seed %d: %d bad snapshots of %d packets", seed, st.BadSnapshots, st.PacketsIn)
}

// A message that is not in the protocol, or a level that cannot be, ends the
// connection with a sentence.
func TestHostileMessages(t *testing.T) {
	m := maps{}
	rng := rand.New(rand.NewPCG(5, 5))
	ended := 0
	for n := range 60 {
		s := newStub(t, m)
		b := make([]byte, 1+rng.IntN(60))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		b[0] = byte(n * 4)
		s.say(b)
		s.send(nil)
		if s.c.State() == client.Gone {
			ended++
			if s.c.Reason() == "" {
				t.Errorf("message %x: ended without a reason", b)
			}
		}
	}
	if ended == 0 {
		t.Error("no message ended a connection")
	}
	for _, name := range []string{"../../x", "/etc/passwd", "C:x", "a\x00b", fmt.Sprint(make([]byte, 100))} {
		s := newStub(t, m)
		set := tables.Arena()
		s.say(wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: rate, Level: name, TablesHash: set.Hash()}))
		if s.c.State() != client.Gone || s.c.Reason() == "" {
			t.Errorf("level %q: %v", name, s.c.State())
		}
	}
}
