package server

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

const second = int(1e9) / int(tickNS) // in ticks, about

// keeping keeps places for 90 s and finds silence after two.
func keeping(c *Config) { c.ResumeMS, c.TimeoutMS = 90000, 2000 }

// guestWith adds a guest whose handshake is changed.
func (st *stage) guestWith(name string, change func(*handshake.ClientConfig)) *guest {
	st.t.Helper()
	g := st.join(name)
	cfg := handshake.ClientConfig{Server: "stage", Rand: random, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites())}
	change(&cfg)
	var err error
	if g.hs, err = handshake.NewClient(cfg); err != nil {
		st.t.Fatal(err)
	}
	return g
}

// back is a guest that shows another's ticket, from another address.
func (st *stage) back(old *guest) *guest {
	st.t.Helper()
	ticket := old.hs.Session().Resume
	if len(ticket) != handshake.ResumeSize {
		st.t.Fatalf("a ticket of %d bytes", len(ticket))
	}
	return st.guestWith(old.name, func(c *handshake.ClientConfig) { c.Resume = ticket })
}

// silence makes a guest stop, and leaves it out.
func (st *stage) silence(g *guest) { g.mute, g.deaf = true, true }

// Who is not heard of for 20 s comes back to the same id, body, health and score,
// with other keys; the body stood there all the while, others were told of no
// parting, and the rules neither.
func TestVanishedPlayerComesBack(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	bea := st.join("Bea")
	st.rules.ops = append(st.rules.ops,
		rules.Op{Kind: rules.OpScore, ID: c.id, Value: 7, Value2: 2, Value3: 9},
		rules.Op{Kind: rules.OpHUD, ID: c.id, Text: "streak=3"})
	st.run(second)
	st.silence(g)
	before := *st.s.World().Player(c.id)
	told := count[*wire.Gone](bea)
	at := 0
	for i := range 20 * second {
		st.run(1)
		p := st.s.World().Player(c.id)
		if p == nil || !p.Alive() {
			t.Fatalf("no body after %d ticks", i)
		}
		if c.away && at == 0 {
			at = i
		}
	}
	if !c.away || at < 2*second-3 || at > 3*second {
		t.Fatalf("found out after %d ticks: away %v", at, c.away)
	}
	after := st.s.World().Player(c.id)
	if d := after.Pos.Dist(before.Pos); d > 0.1 || after.Health != before.Health {
		t.Errorf("the body moved %v, health %d of %d", d, after.Health, before.Health)
	}
	joined, left := len(st.rules.joined), len(st.rules.left)

	again := st.back(g)
	st.run(second)
	if again.wel == nil || again.wel.ID != g.wel.ID || again.wel.Seed != g.wel.Seed || !c.playing() || c.away {
		t.Fatalf("welcome %+v, bye %q", again.wel, again.bye)
	}
	if r := st.s.match.scores[c.id]; r == nil || r.Kills != 7 || r.Points != 9 {
		t.Errorf("score %+v", r)
	}
	if p := st.s.World().Player(c.id); p == nil || !p.Alive() || p.Pos.Dist(before.Pos) > 0.1 || p.Health != before.Health {
		t.Errorf("another body: %+v", p)
	}
	if len(st.rules.joined) != joined || len(st.rules.left) != left || count[*wire.Gone](bea) != told {
		t.Error("the rules or others were told of a parting")
	}
	if a, b := g.hs.Session(), again.hs.Session(); a.Send == b.Send || a.Recv == b.Recv || a.Send == b.Recv || string(a.Resume) == string(b.Resume) {
		t.Error("keys or ticket are the same")
	}
	names, hud := map[string]bool{}, ""
	for _, m := range again.got {
		switch m := m.(type) {
		case *wire.Player:
			names[m.Name] = true
		case *wire.HUD:
			hud = m.Key + "=" + m.Value
		}
	}
	if !names["Ada"] || !names["Bea"] || hud != "streak=3" || again.snap == 0 {
		t.Errorf("told of %v, of %q, %d snapshots", names, hud, again.snap)
	}
	if st.seated() != 2 {
		t.Errorf("%d seated", st.seated())
	}
	// The body obeys again.
	from := st.s.World().Player(c.id).Pos
	again.mute = true
	for range second {
		again.link.Send(again.packet(state.Cmd{Tick: st.s.Tick() + 2, Forward: 127}), st.at)
		st.run(1)
	}
	if d := st.s.World().Player(c.id).Pos.Dist(from); d < 0.5 {
		t.Errorf("walked %v m", d)
	}
}

// After 90 s the place is gone: others and the rules are told, and the ticket leads
// to a join like any other.
func TestPlaceIsGivenUpAfterItsTime(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpScore, ID: c.id, Value: 7})
	bea, _ := st.seat("Bea")
	st.silence(g)
	st.run(89 * second)
	if len(st.rules.left) != 0 || st.s.World().Player(c.id) == nil {
		t.Fatal("given up before 90 s")
	}
	st.run(3 * second)
	if len(st.rules.left) != 1 || count[*wire.Gone](bea) != 1 || st.s.World().Player(c.id) != nil {
		t.Fatalf("not given up after 92 s\n%s", &st.log)
	}
	again := st.back(g)
	st.run(second)
	if again.wel == nil || len(st.rules.joined) != 3 {
		t.Fatalf("no ordinary join: %v, %v", again.bye, st.rules.joined)
	}
	if r := st.s.match.scores[again.wel.ID]; r == nil || r.Kills != 0 {
		t.Errorf("score %+v", r)
	}
}

// Tickets of another server, altered ones and used ones lead to an ordinary join,
// and touch nobody.
func TestBadTicketsJoinLikeAnybody(t *testing.T) {
	other := newStage(t, keeping)
	og, _ := other.seat("Olga")
	st := newStage(t, func(c *Config) { keeping(c); c.MaxClients = 8 })
	g, c := st.seat("Ada")
	used := append([]byte(nil), g.hs.Session().Resume...)
	again := st.back(g)
	st.run(second)
	if again.wel == nil || again.wel.ID != c.id || g.bye == "" {
		t.Fatal("did not come back")
	}
	altered := append([]byte(nil), again.hs.Session().Resume...)
	altered[40] ^= 1
	for what, ticket := range map[string][]byte{"of another server": og.hs.Session().Resume, "altered": altered, "used": used} {
		b := st.guestWith("Bob", func(c *handshake.ClientConfig) { c.Resume = ticket })
		st.run(second)
		if b.wel == nil || b.wel.ID == c.id {
			t.Errorf("%s: %+v", what, b.wel)
		}
	}
	if again.bye != "" || st.s.conns[0] != c || c.name != "Ada" || st.seated() != 4 {
		t.Errorf("Ada was touched: %q, %d seated", again.bye, st.seated())
	}
}

// While the old connection lives it goes on until the new one is confirmed, which
// only the true client can do; then it ends with a reason.
func TestTicketReplacesALivingSession(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	again := st.back(g)
	again.link.Close()
	thief := st.dialAt("203.0.113.80:80")
	again.link = thief
	again.deaf, again.mute = true, true
	var buf [link.MaxPacket]byte
	for range 10 { // up to the accept, and no further
		if pkt := again.hs.Step(st.now); pkt != nil {
			thief.Send(pkt, st.at)
		}
		st.run(1)
		for n, _, ok := thief.Recv(buf[:]); ok; n, _, ok = thief.Recv(buf[:]) {
			if err := again.hs.Handle(buf[:n], st.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if again.hs.State() != handshake.Joined || g.bye != "" || c.away || c.peer.addr == thief.Addr() {
		t.Fatalf("%v; replaced before it was confirmed: %q", again.hs.State(), g.bye)
	}
	var err error
	if again.ch, err = netchan.New(channelOf(again.hs.Session()), st.now); err != nil {
		t.Fatal(err)
	}
	snaps := g.snap
	st.run(10)
	if g.snap <= snaps {
		t.Fatal("the old session does not go on")
	}
	again.deaf, again.mute = false, false
	st.run(10)
	if g.bye != "you came back on another connection" || c.peer.addr != thief.Addr() || again.wel == nil || again.wel.ID != g.wel.ID {
		t.Errorf("old %q, new %+v", g.bye, again.wel)
	}
	if st.seated() != 1 {
		t.Errorf("%d seated", st.seated())
	}
}

// A full server has room for who left a place in it, and for nobody else; the place
// is kept over a change of level.
func TestPlaceInAFullServer(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	for i := range 3 {
		st.join(fmt.Sprint("p", i))
	}
	st.run(second)
	st.silence(g)
	st.run(3 * second)
	if st.s.freeSlot() >= 0 || !c.away {
		t.Fatalf("away %v, slot %d", c.away, st.s.freeSlot())
	}
	late := st.join("Zoe")
	st.run(second)
	if late.wel != nil || late.hs.State() != handshake.Failed || !strings.Contains(late.hs.Err().Error(), "full") {
		t.Errorf("%v %v", late.hs.State(), late.hs.Err())
	}
	if err := st.s.Change("b"); err != nil {
		t.Fatal(err)
	}
	st.run(second)
	again := st.back(g)
	st.run(second)
	if again.wel == nil || again.wel.ID != g.wel.ID || st.seated() != 4 {
		t.Errorf("%+v, bye %q", again.wel, again.bye)
	}
	if len(st.rules.joined) != 4 {
		t.Errorf("the new level's rules know of %v", st.rules.joined)
	}
}

// A goodbye, a kick and a breach of the protocol end it for good.
func TestPartingKeepsNoPlace(t *testing.T) {
	st := newStage(t, keeping)
	for i, part := range []func(g *guest){
		func(g *guest) {
			pkt, _ := g.ch.SealGoodbye(nil, "enough", st.now)
			g.link.Send(pkt, st.at)
		},
		func(g *guest) { st.s.Kick(g.name, "kicked") },
		func(g *guest) {
			if err := g.ch.QueueReliable([]byte{200, 1, 2}); err != nil {
				t.Fatal(err)
			}
			g.link.Send(g.keepAlive(), st.at)
		},
	} {
		g, c := st.seat(fmt.Sprint("p", i))
		part(g)
		st.silence(g)
		st.run(3)
		if c.away || st.s.byPlace(c.place) != nil || st.seated() != 0 {
			t.Errorf("%d: away %v, %d seated", i, c.away, st.seated())
		}
	}
}

// rebind gives a guest another address, as a NAT does: it does not notice.
func (st *stage) rebind(g *guest, to string) (old link.Link) {
	old = g.link
	g.link = st.dialAt(to)
	return old
}

// probes makes a guest that hears nothing send path packets, and answer questions.
func (g *guest) probes() {
	g.st.t.Helper()
	name := g.hs.Session().Name
	var buf [link.MaxPacket]byte
	for {
		n, _, ok := g.link.Recv(buf[:])
		if !ok {
			break
		}
		g.ch.Open(buf[:n], g.st.now)
		if number, ok := g.ch.Asked(); ok {
			g.link.Send(g.ch.SealAnswer(handshake.AppendPath(nil, name, nil), number, g.st.now), g.st.at)
		}
	}
	g.link.Send(g.ch.SealProbe(handshake.AppendPath(nil, name, nil), g.st.now), g.st.at)
}

// A client whose address changes keeps its session: it is found within two round
// trips of its first path packet, and what was on the old address ends nothing.
func TestSessionFollowsItsClient(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	for i := range 5 {
		old := st.rebind(g, fmt.Sprintf("203.0.113.%d:%d", 10+i, 4000+i))
		g.deaf, g.mute = true, true
		st.run(16)
		n := 0
		for ; n < 6 && c.peer.addr != g.link.(*link.Port).Addr(); n++ {
			g.probes()
			st.run(1)
		}
		if n > 3 {
			t.Fatalf("move %d: not found after %d ticks", i, n)
		}
		g.deaf, g.mute = false, false
		drain(old)
		before := g.snap
		st.run(20)
		if n, _ := drain(old); n != 0 || g.snap < before+4 || g.bye != "" {
			t.Errorf("move %d: %d packets to the old address, %d snapshots", i, n, g.snap-before)
		}
	}
	if c.away || st.seated() != 1 || count[*wire.Welcome](g) != 1 {
		t.Errorf("%d seated, %d welcomes", st.seated(), count[*wire.Welcome](g))
	}
}

// Bound: who captures a client's packets and sends them from an address of his own
// gets one question for each that the server has not had, never more bytes than
// he sent, and the session stays where it is, with its old packets and with new
// ones that he held back; forged answers move nothing.
func TestAttackMoveSession(t *testing.T) {
	st := newStage(t, keeping)
	g, c := st.seat("Ada")
	home := c.peer
	thief := st.dialAt("198.51.100.66:666")
	name := g.hs.Session().Name
	var held [][]byte
	in, out, questions := 0, 0, 0
	steal := func(pkt []byte) {
		thief.Send(pkt, st.at)
		in += len(pkt)
		st.s.receive(st.now)
		n, bytes := drain(thief)
		questions, out = questions+n, out+bytes
		if n > 1 || bytes > len(pkt) {
			t.Fatalf("%d bytes answered with %d packets, %d bytes", len(pkt), n, bytes)
		}
	}
	for i := range 100 {
		probe := g.ch.SealProbe(handshake.AppendPath(nil, name, nil), st.now)
		held = append(held, probe)
		if i%2 == 0 { // delivered; then replayed
			g.link.Send(probe, st.at)
			st.run(1)
			steal(probe)
			steal(probe[handshake.PathHead:])
		} else { // held back, and sent first by the thief, bare and in its envelope
			steal(probe[handshake.PathHead:])
			steal(probe)
			steal(probe)
			st.run(1)
		}
	}
	if questions > 50 {
		t.Errorf("%d questions for 50 packets", questions)
	}
	for _, p := range held {
		steal(p)
	}
	before := questions
	for i := range 256 { // answers without the keys
		fake := append([]byte(nil), held[0]...)
		fake[handshake.PathHead+i%8] ^= byte(i + 1)
		steal(fake)
	}
	if questions != before || c.peer != home || g.bye != "" || st.seated() != 1 {
		t.Errorf("%d questions for forgeries, at %v", questions-before, c.peer)
	}
	if out > in {
		t.Errorf("%d bytes answered with %d", in, out)
	}
	// A question that the thief passes on is answered from home, which moves nothing.
	probe := g.ch.SealProbe(handshake.AppendPath(nil, name, nil), st.now)
	thief.Send(probe, st.at)
	st.s.receive(st.now)
	var buf [link.MaxPacket]byte
	n, _, ok := thief.Recv(buf[:])
	if !ok {
		t.Fatal("no question")
	}
	if _, _, err := g.ch.Open(buf[:n], st.now); err != nil {
		t.Fatal(err)
	}
	number, ok := g.ch.Asked()
	if !ok {
		t.Fatal("nothing asked")
	}
	g.link.Send(g.ch.SealAnswer(handshake.AppendPath(nil, name, nil), number, st.now), st.at)
	st.run(20)
	if c.peer != home {
		t.Errorf("moved to %v", c.peer)
	}
	// Nor does an answer whose envelope he took off, and a packet of his own after it.
	thief.Send(g.ch.SealProbe(handshake.AppendPath(nil, name, nil), st.now), st.at)
	st.s.receive(st.now)
	if n, _, ok = thief.Recv(buf[:]); !ok {
		t.Fatal("no question")
	}
	if _, _, err := g.ch.Open(buf[:n], st.now); err != nil {
		t.Fatal(err)
	}
	if number, ok = g.ch.Asked(); !ok {
		t.Fatal("nothing asked")
	}
	g.link.Send(g.ch.SealAnswer(nil, number, st.now), st.at)
	st.s.receive(st.now)
	thief.Send(g.ch.SealProbe(handshake.AppendPath(nil, name, nil), st.now), st.at)
	st.s.receive(st.now)
	if c.peer != home {
		t.Errorf("moved to %v by an answer from home", c.peer)
	}
}

// An address that a NAT gave to another session: who is reached there now has it,
// and the one before keeps its place.
func TestAddressChangesHands(t *testing.T) {
	st := newStage(t, keeping)
	a, ca := st.seat("Ada")
	b, cb := st.seat("Bea")
	st.silence(b)
	st.silence(a)
	taken := b.link
	a.link.Close()
	a.link = taken
	drain(taken)
	for range 4 {
		a.probes()
		st.run(1)
	}
	if ca.peer.addr != taken.(*link.Port).Addr() || !cb.away {
		t.Fatalf("at %v, Bea away %v", ca.peer.addr, cb.away)
	}
	back := st.back(b)
	st.run(second / 2)
	if back.wel == nil || back.wel.ID != cb.id || st.seated() != 2 {
		t.Errorf("%+v, %d seated", back.wel, st.seated())
	}
}

// Bound: one /24 of IPv4 and one /56 of IPv6 take half of the slots, whatever their
// addresses; a private network, which one household or hall may be, takes all.
func TestAttackSlotsFromOneNetwork(t *testing.T) {
	for _, f := range []struct {
		addr string
		want int
	}{{"203.0.113.%d:7", 8}, {"[2001:db8:0:1%02x::1]:7", 8}, {"192.168.7.%d:7", 16}, {"[fd00:1:2:3%02x::1]:7", 16}} {
		st := newStage(t, func(c *Config) { c.MaxClients = 16 })
		for i := range 20 {
			g := st.join("")
			g.link.Close()
			g.link = st.dialAt(fmt.Sprintf(f.addr, i+1))
		}
		st.run(40)
		if n := st.seated(); n != f.want {
			t.Errorf("%s: %d slots of 16, want %d", f.addr, n, f.want)
		}
		if f.want == 16 {
			continue
		}
		g := st.join("Ada")
		g.link.Close()
		g.link = st.dialAt("198.51.100.1:7")
		st.run(40)
		if g.wel == nil {
			t.Errorf("%s: an honest guest was kept out", f.addr)
		}
	}
}

// A ban holds for every form of an address, and of IPv6 for the household.
func TestBansKnowEveryForm(t *testing.T) {
	bans, err := ParseBans([]string{"127.0.0.1", " 192.0.2.0/24", "2001:db8:1:2::7", "[2001:db8:9::1]", "::ffff:198.51.100.0/120", "2001:db8:f000::/40"})
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[string]bool{
		"127.0.0.1": true, "::ffff:127.0.0.1": true, "127.0.0.2": false, "::1": false,
		"192.0.2.200": true, "::ffff:192.0.2.9": true, "192.0.3.1": false, "198.51.100.9": true, "198.51.101.9": false,
		"2001:db8:1:2::1": true, "2001:db8:1:2:ffff::": true, "2001:db8:1:3::1": false, "2001:db8:9::2": true,
		"2001:db8:f0ab::1": true, "2001:db8:1:2::1%eth0": true,
	} {
		if got := bans.Has(netip.MustParseAddr(a)); got != want {
			t.Errorf("%s: %v", a, got)
		}
	}
	for _, bad := range []string{"", "localhost", "192.0.2.1:5", "1.2.3.4/40"} {
		if _, err := ParseBans([]string{bad}); err == nil {
			t.Errorf("%q is an address", bad)
		}
	}
	st := newStage(t, func(c *Config) { c.Bans = bans })
	at := func(addr string) *guest {
		g := st.join("x")
		g.link.Close()
		g.link = st.dialAt(addr)
		st.run(20)
		return g
	}
	for _, addr := range []string{"127.0.0.1:77", "[::ffff:127.0.0.1]:78", "[2001:db8:1:2::99]:5"} {
		if g := at(addr); g.hs.State() != handshake.Failed || !strings.Contains(g.hs.Err().Error(), "banned") {
			t.Errorf("%s: %v %v", addr, g.hs.State(), g.hs.Err())
		}
	}
	g := at("203.0.113.5:1")
	if g.wel == nil {
		t.Fatal("kept out")
	}
	more, _ := ParseBans([]string{"203.0.113.5"})
	st.s.SetBans(more)
	st.run(3)
	if g.bye == "" || st.seated() != 0 {
		t.Error("whoever is there is not banned")
	}
}
