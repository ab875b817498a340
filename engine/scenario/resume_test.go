package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
)

// roaming is a way out that can be cut, and whose address can change on the way
// without its owner's knowing.
type roaming struct {
	link.Link
	cut bool
}

func (r *roaming) Send(p []byte, to link.Addr) error {
	if r.cut {
		return nil
	}
	return r.Link.Send(p, to)
}

func (r *roaming) Recv(buf []byte) (int, link.Addr, bool) {
	n, from, ok := r.Link.Recv(buf)
	for ; ok && r.cut; n, from, ok = r.Link.Recv(buf) {
	}
	return n, from, ok && !r.cut
}

// traveller is one true client of a true server, over a bad line that roams.
type traveller struct {
	t    *testing.T
	loop *link.Loop
	at   link.Addr
	key  handshake.Key
	door *link.Port
	s    *server.Server
	way  *roaming
	sim  *link.Sim
	c    *client.Client
	now  int64
	maps maps
}

func travel(t *testing.T, change func(*client.Config)) *traveller {
	t.Helper()
	v := &traveller{t: t, loop: link.NewLoop(), at: netip.MustParseAddrPort("192.0.2.1:27960"), now: 1, maps: maps{}}
	var err error
	if v.key, err = handshake.NewKey(rand.NewChaCha8([32]byte{5})); err != nil {
		t.Fatal(err)
	}
	v.serve()
	v.way = &roaming{}
	v.roam("203.0.113.7:4000")
	bad := link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.02, Seed: *seed}
	if v.sim, err = link.NewSim(v.way, bad, bad); err != nil {
		t.Fatal(err)
	}
	cfg := client.Config{
		Link: v.sim, Server: v.at, Name: "Ada", Hello: handshake.ClientConfig{Rand: rand.NewChaCha8([32]byte{6})}, Tables: arena,
		Load: func(n string, _ [32]byte) (client.Loaded, error) { return v.maps.load(n) },
		Input: func(_ *client.Client, tick state.Tick) state.Cmd {
			return state.Cmd{Forward: 100, Yaw: state.Angle16(tick * 97), Buttons: state.BtnFire * state.Buttons(tick/32%2)}
		},
	}
	if change != nil {
		change(&cfg)
	}
	if v.c, err = client.New(cfg); err != nil {
		t.Fatal(err)
	}
	return v
}

// serve starts a server, or a new one in its place.
func (v *traveller) serve() {
	v.t.Helper()
	port, err := v.loop.Attach(v.at, 4096)
	if err != nil {
		v.t.Fatal(err)
	}
	v.s, err = server.New(server.Config{
		Name: "there", TickRate: rate, MaxClients: 4, Seed: *seed, Links: []link.Link{port}, Key: v.key, Rand: rand.NewChaCha8([32]byte{7}),
		Start: v.maps.start, Rotation: []string{"pit"}, TimeoutMS: 5000, ResumeMS: 90000,
	})
	if err != nil {
		v.t.Fatal(err)
	}
	v.door = port
}

// roam gives the client another address.
func (v *traveller) roam(to string) {
	v.t.Helper()
	p, err := v.loop.Attach(netip.MustParseAddrPort(to), 512)
	if err != nil {
		v.t.Fatal(err)
	}
	v.way.Link = p
}

func (v *traveller) run(seconds float64) {
	const sub = 4
	for range int(seconds * rate) {
		for k := range int64(sub) {
			v.sim.Advance(v.now)
			if k == 0 {
				v.s.Step(v.now)
			}
			v.c.Advance(v.now)
			v.now += 1e9 / rate / sub
		}
	}
	if err := v.s.Check(); err != nil {
		v.t.Error(err)
	}
}

// plays checks that snapshots come, and that nothing was mispredicted.
func (v *traveller) plays(id state.ID) {
	v.t.Helper()
	before := v.c.Stats().Snapshots
	v.run(1)
	s := v.c.Stats()
	if v.c.State() != client.Playing || v.c.ID() != id || s.Snapshots < before+12 {
		v.t.Fatalf("%v (%s), id %d, %d snapshots in a second", v.c.State(), v.c.Reason(), v.c.ID(), s.Snapshots-before)
	}
	if s.Errors != 0 {
		v.t.Errorf("%d prediction errors, worst %v", s.Errors, s.WorstError)
	}
	if p := v.s.World().Player(id); p == nil {
		v.t.Error("no body")
	}
}

// A client whose address changes on the way, again and again, plays on: it is found
// within a second over a bad line, in the same session.
func TestClientIsFollowedToItsNewAddress(t *testing.T) {
	v := travel(t, nil)
	v.run(3)
	id := v.c.ID()
	v.plays(id)
	for i := range 4 {
		v.roam(fmt.Sprintf("198.51.100.%d:%d", i+1, 1000*i+2000))
		v.run(1)
		v.plays(id)
	}
	if s := v.c.Stats(); s.Levels != 1 {
		t.Errorf("%d levels were loaded", s.Levels)
	}
	if n := v.s.Stats().Clients; n != 1 {
		t.Errorf("%d clients", n)
	}
}

// A client that is cut off for 20 s, longer than either side waits, comes back by
// itself to its id, body and score, from another address and without loading the
// level again.
func TestClientComesBackByItself(t *testing.T) {
	v := travel(t, func(c *client.Config) { c.TimeoutMS = 3000 })
	v.run(3)
	id := v.c.ID()
	v.plays(id)
	v.s.World().Player(id).Health = 61
	score := v.s.Scores()
	v.way.cut = true
	v.run(10)
	if !v.c.Resuming() || v.c.State() != client.Connecting {
		t.Fatalf("%v: %s", v.c.State(), v.c.Reason())
	}
	if p := v.s.World().Player(id); p == nil || p.Health != 61 {
		t.Fatal("the body is gone")
	}
	v.run(10)
	v.way.cut = false
	v.roam("198.51.100.9:9")
	v.run(2)
	if v.c.Resuming() {
		t.Fatal("not back after 2 s")
	}
	v.plays(id)
	if p := v.s.World().Player(id); p.Health != 61 {
		t.Errorf("health %d", p.Health)
	}
	if now := v.s.Scores(); len(now) != 1 || now[0] != score[0] {
		t.Errorf("score %+v, was %+v", now, score)
	}
	if s := v.c.Stats(); s.Levels != 2 || v.c.Own() == nil { // begun twice
		t.Errorf("%d levels were begun", s.Levels)
	}
}

// After 90 s the place is gone, and the client that still tries joins anew; a
// server that was started anew with the same key lets it in as a newcomer.
func TestClientJoinsAnewWhenItsPlaceIsGone(t *testing.T) {
	v := travel(t, func(c *client.Config) { c.TimeoutMS, c.ReconnectMS = 3000, 120000 })
	v.run(3)
	v.way.cut = true
	v.run(95)
	if n := v.s.Stats().Clients; n != 0 {
		t.Fatalf("%d clients after 95 s", n)
	}
	v.way.cut = false
	v.run(2)
	v.plays(v.c.ID())
	if n := v.s.Stats().Clients; n != 1 {
		t.Errorf("%d clients", n)
	}
	v.door.Close() // the server vanishes without a word
	v.serve()
	v.run(6)
	v.plays(v.c.ID())
}

// A server that is gone for good is given up after both times, in one sentence.
func TestClientGivesUpInTheEnd(t *testing.T) {
	v := travel(t, func(c *client.Config) { c.TimeoutMS, c.ReconnectMS = 2000, 5000 })
	v.run(3)
	v.way.cut = true
	v.run(6)
	if v.c.State() == client.Gone {
		t.Fatal("given up too early")
	}
	v.run(2)
	want := "the server has not been heard of for 2 s, and did not answer for 5 s more"
	if v.c.State() != client.Gone || v.c.Reason() != want {
		t.Errorf("%v: %q", v.c.State(), v.c.Reason())
	}
	w := travel(t, func(c *client.Config) { c.TimeoutMS, c.ReconnectMS = 2000, -1 })
	w.run(3)
	w.way.cut = true
	w.run(3)
	if w.c.State() != client.Gone || !strings.Contains(w.c.Reason(), "not been heard of for 2 s") {
		t.Errorf("%v: %q", w.c.State(), w.c.Reason())
	}
}
