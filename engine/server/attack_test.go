package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// Each test here is something that a stranger, or a player who wrote a client of
// his own, may try, with the bound that is promised.

// seat joins a guest, gives it a body, and stops it from sending by itself.
func (st *stage) seat(name string) (*guest, *conn) {
	st.t.Helper()
	g := st.join(name)
	st.run(30)
	if g.wel == nil {
		st.t.Fatalf("%s was not let in\n%s", name, &st.log)
	}
	st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: g.wel.ID, Pos: st.level.Spawns[0].Pos, Value: 100})
	st.run(2)
	c := st.s.conns[g.wel.ID-1]
	if p := st.s.World().Player(c.id); p == nil || !p.Alive() {
		st.t.Fatalf("%s has no body", name)
	}
	return g, c
}

// packet seals commands as the guest's next packet.
func (g *guest) packet(cmds ...state.Cmd) []byte {
	g.st.t.Helper()
	var w bits.Writer
	var plain [netchan.MaxPayload]byte
	w.Reset(plain[:g.ch.Budget()])
	wire.PutClient(&w, &wire.Client{HasSnap: true, SnapTick: g.st.s.Tick() - 2, Cmds: cmds})
	pkt, _, err := g.ch.Seal(nil, w.Bytes(), g.st.now)
	if err != nil {
		g.st.t.Fatal(err)
	}
	return pkt
}

// dialAt is a way in from an address.
func (st *stage) dialAt(addr string) *link.Port {
	st.t.Helper()
	p, err := st.loop.Attach(netip.MustParseAddrPort(addr), 300)
	if err != nil {
		st.t.Fatal(err)
	}
	return p
}

// drain empties a port and returns how many packets and bytes there were.
func drain(l link.Link) (n, bytes int) {
	var buf [link.MaxPacket]byte
	for {
		k, _, ok := l.Recv(buf[:])
		if !ok {
			return n, bytes
		}
		n, bytes = n+1, bytes+k
	}
}

// Bound: a stranger's packet is answered by at most one, no longer than itself;
// below 1,200 bytes by none.
func TestAttackAmplification(t *testing.T) {
	st := newStage(t, nil)
	p := st.dialAt("203.0.113.9:9")
	hs, err := handshake.NewClient(handshake.ClientConfig{Server: "stage", Rand: random, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites())})
	if err != nil {
		t.Fatal(err)
	}
	hello := append([]byte(nil), hs.Step(st.now)...)
	asked, answered := 0, 0
	for size := 0; size <= link.MaxPacket; size++ {
		for op := range 256 {
			pkt := make([]byte, size)
			copy(pkt, hello)
			if size > 0 {
				pkt[0] = byte(op)
			}
			p.Send(pkt, st.at)
			asked += size
		}
		st.run(1)
		n, bytes := drain(p)
		if answered += bytes; n > 1 || n > 0 && size != handshake.HelloSize || bytes > 64 {
			t.Fatalf("256 packets of %d bytes: %d answers, %d bytes", size, n, bytes)
		}
	}
	if answered == 0 || answered > asked/1000 || st.seated() != 0 {
		t.Errorf("%d bytes answered with %d, %d seated", asked, answered, st.seated())
	}
}

// Bound: 1,000 addresses that ask and never answer take no slot and are not kept;
// a real player joins in less than 2 s meanwhile, and nobody else is on the board.
func TestAttackHelloFlood(t *testing.T) {
	st := newStage(t, nil)
	var flood []*link.Port
	var hellos [][]byte
	for i := range 1000 {
		flood = append(flood, st.dialAt(fmt.Sprintf("198.51.%d.%d:%d", 100+i/250, 1+i%250, 1000+i)))
		hs, err := handshake.NewClient(handshake.ClientConfig{Server: "stage", Rand: random, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites())})
		if err != nil {
			t.Fatal(err)
		}
		hellos = append(hellos, append([]byte(nil), hs.Step(st.now)...))
	}
	g := st.join("Ada")
	ticks := 0
	for ; g.wel == nil && ticks < 2*rate; ticks++ {
		for i, p := range flood {
			p.Send(hellos[i], st.at)
			drain(p)
		}
		st.run(1)
		if n := st.s.hello[0].Pending(); n > 1 {
			t.Fatalf("%d pending", n)
		}
		if n := st.seated(); n > 1 {
			t.Fatalf("%d seated", n)
		}
	}
	if g.wel == nil {
		t.Fatalf("a real player was kept out for 2 s: %v", g.hs.State())
	}
	if len(st.s.match.scores) > 1 {
		t.Errorf("%d rows on the board", len(st.s.match.scores))
	}
}

// Bound: each single bit of a session's packet flipped changes nothing, and the
// packet itself is taken afterwards.
func TestAttackFlippedBits(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	g.mute = true
	before := c.ch.Stats(st.now).Received
	got := c.cmds.Got
	pkt := g.packet(state.Cmd{Tick: st.s.Tick() + 5})
	for i := range len(pkt) * 8 {
		bad := append([]byte(nil), pkt...)
		bad[i/8] ^= 1 << (i % 8)
		g.link.Send(bad, st.at)
		if i%200 == 199 {
			st.run(1)
			pkt = g.packet(state.Cmd{Tick: st.s.Tick() + 5})
		}
	}
	st.run(1)
	if r := c.ch.Stats(st.now).Received; r != before || c.cmds.Got != got || st.seated() != 1 || g.bye != "" {
		t.Fatalf("%d taken, %d commands, bye %q", r-before, c.cmds.Got-got, g.bye)
	}
	g.link.Send(g.packet(state.Cmd{Tick: st.s.Tick() + 5}), st.at)
	st.run(1)
	if c.ch.Stats(st.now).Received != before+1 || c.cmds.Got != got+1 {
		t.Error("the true packet was not taken")
	}
}

// Bound: whatever is doubled, shuffled and played again, each command counts once,
// and old packets do not keep a session alive.
func TestAttackReplay(t *testing.T) {
	st := newStage(t, func(c *Config) { c.TimeoutMS = 2000 })
	g, c := st.seat("Ada")
	g.mute = true
	st.run(5)
	got := c.cmds.Got
	var tape [][]byte
	for range 100 {
		var four [][]byte
		for k := range 4 {
			four = append(four, g.packet(state.Cmd{Tick: st.s.Tick() + 4 + state.Tick(k)}))
		}
		for k := range four { // the last first, each twice
			g.link.Send(four[3-k], st.at)
			g.link.Send(four[3-k], st.at)
		}
		tape = append(tape, four...)
		st.run(4)
	}
	if n := c.cmds.Got - got; n != 400 {
		t.Errorf("%d commands of 400", n)
	}
	at := c.ch.LastRecv()
	for range 110 {
		for _, p := range tape[:200] {
			g.link.Send(p, st.at)
		}
		st.run(1)
	}
	if c.cmds.Got-got != 400 || c.ch.LastRecv() != at || st.seated() != 1 {
		t.Errorf("a replay was taken: %d commands", c.cmds.Got-got)
	}
	for range 30 {
		for _, p := range tape[200:] {
			g.link.Send(p, st.at)
		}
		st.run(1)
	}
	if st.seated() != 0 || g.bye != "timed out" {
		t.Errorf("replays keep the session: bye %q", g.bye)
	}
}

// Bound: packets of another session, one's own that come back, and goodbyes that
// somebody else seals end nothing and are not taken.
func TestAttackForeignPackets(t *testing.T) {
	st := newStage(t, nil)
	a, ca := st.seat("Ada")
	b, cb := st.seat("Bea")
	a.mute, b.mute, a.deaf = true, true, true
	st.run(3)
	before := ca.ch.Stats(st.now).Received + cb.ch.Stats(st.now).Received
	var buf [link.MaxPacket]byte
	mirrored := 0
	for {
		n, _, ok := a.link.Recv(buf[:])
		if !ok {
			break
		}
		a.link.Send(buf[:n], st.at)
		b.link.Send(buf[:n], st.at)
		mirrored++
	}
	for range 5 {
		own, _ := b.ch.SealGoodbye(nil, "forged", st.now)
		a.link.Send(own, st.at) // Bea's true goodbye, from Ada's address
		strange, err := netchan.New(netchan.Config{Send: [32]byte{7}, Suite: netchan.ChaCha}, st.now)
		if err != nil {
			t.Fatal(err)
		}
		fake, _ := strange.SealGoodbye(nil, "forged", st.now)
		a.link.Send(fake, st.at)
		b.link.Send(fake, st.at)
		a.link.Send(b.packet(state.Cmd{Tick: st.s.Tick() + 2}), st.at)
	}
	st.run(2)
	if r := ca.ch.Stats(st.now).Received + cb.ch.Stats(st.now).Received; r != before || mirrored == 0 {
		t.Errorf("%d foreign packets were taken, %d mirrored", r-before, mirrored)
	}
	if st.seated() != 2 || b.bye != "" || strings.Contains(st.log.String(), "forged") {
		t.Errorf("%d seated, bye %q", st.seated(), b.bye)
	}
	a.deaf, a.mute, b.mute = false, false, false
	st.run(3)
	if ca.ch.Stats(st.now).Received == 0 || a.bye != "" || ca.ch.Stats(st.now).Received+cb.ch.Stats(st.now).Received <= before {
		t.Error("the true ones are not taken afterwards")
	}
}

// Bound: however many commands come and whatever they say, a tick consumes one,
// no more than the window waits, the body stays in the world and no faster than
// on foot, and another player is not touched.
func TestAttackCommandFlood(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	other, _ := st.seat("Bea")
	g.mute = true
	snaps, first := other.snap, st.s.Tick()
	got := c.cmds.Got
	odd := []state.Angle16{0, 0x7fff, 0x8000, 0x7fc0, 0x7f80, 0xffff, 0xff80}
	n := 0
	const ticks = 200
	for range ticks {
		next := st.s.Tick() + 1
		for k := range 40 {
			var cs []state.Cmd
			for j := range wire.MaxCmds {
				n++
				cs = append(cs, state.Cmd{
					Tick: next + state.Tick(k*wire.MaxCmds+j), Forward: -128, Right: 127, Up: -128, Buttons: math.MaxUint16,
					Yaw: odd[n%len(odd)], Pitch: odd[n/7%len(odd)], Weapon: uint8(n), ViewTick: state.Tick(n * 2654435761), ViewFrac: uint8(n),
				})
			}
			g.link.Send(g.packet(cs...), st.at)
			for _, far := range []state.Tick{next + 1<<31, next - 1, next - 1<<31, 0, math.MaxUint32, next + cmdWindow} {
				g.link.Send(g.packet(state.Cmd{Tick: far, Forward: 127}), st.at)
			}
		}
		at := st.s.World().Player(c.id).Pos
		st.run(1)
		p := st.s.World().Player(c.id)
		if d := p.Pos.Sub(at); p.Alive() && float64(d.X)*float64(d.X)+float64(d.Y)*float64(d.Y) > 0.6*0.6 { // 38 m/s
			t.Fatalf("moved %v in a tick", d)
		}
		if err := st.s.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if st.s.Tick() != first+ticks || c.cmds.Got-got > ticks+cmdWindow || c.cmds.Early == 0 {
		t.Errorf("%d ticks, %d commands taken", st.s.Tick()-first, c.cmds.Got-got)
	}
	if st.seated() != 2 || other.snap-snaps < ticks-1 {
		t.Errorf("%d seated, the other has %d snapshots", st.seated(), other.snap-snaps)
	}
}

// Bound: acknowledgements of packets that were never sent are counted and change
// neither what counts as received nor the round trip.
func TestAttackForgedAcks(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	g.mute = true
	st.run(2)
	acked, rtt := c.ch.NewestAcked(), c.rttNS
	cfg := netchan.Config{Suite: netchan.Suite(g.hs.Session().Suite), Send: g.hs.Session().Send, Recv: g.hs.Session().Recv}
	bad := uint64(0)
	for i, beyond := range []uint64{1, 5, 1000, 30000} {
		cfg.Sent, cfg.Received = g.ch.Sent()+uint64(i)*20, c.ch.Sent()+beyond
		liar, err := netchan.New(cfg, st.now)
		if err != nil {
			t.Fatal(err)
		}
		for range 18 { // the wide form is among them
			pkt, _, _ := liar.Seal(nil, nil, st.now)
			g.link.Send(pkt, st.at)
		}
		st.s.receive(st.now)
		if n := c.ch.Stats(st.now).Drops.BadAck; n == bad {
			t.Errorf("%d beyond the newest: not counted", beyond)
		} else {
			bad = n
		}
		if c.ch.NewestAcked() > c.ch.Sent() {
			t.Fatalf("%d acknowledged, %d sent", c.ch.NewestAcked(), c.ch.Sent())
		}
	}
	if c.rttNS < 0 || rtt < 0 || c.ch.NewestAcked() < acked || st.seated() != 1 || g.bye != "" {
		t.Errorf("round trip %d, was %d; bye %q", c.rttNS, rtt, g.bye)
	}
	st.run(20)
	if st.seated() != 1 {
		t.Error("the session ended")
	}
}

// Bound: after 400 ms of silence and everything at once, the player is in, plays
// one command per tick, and none is made up any more after 5 ticks.
func TestAttackSilenceThenBurst(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	g.mute = true
	const silence = 26 // ticks
	var held [][]byte
	for range silence {
		held = append(held, g.packet(state.Cmd{Tick: st.s.Tick() + 3, Forward: 100}))
		st.run(1)
	}
	for _, p := range held {
		g.link.Send(p, st.at)
	}
	first := st.s.Tick()
	g.mute = false
	st.run(5)
	starved := c.cmds.Starved
	st.run(64)
	if c.cmds.Starved != starved || st.seated() != 1 || g.bye != "" || st.s.Tick() != first+69 {
		t.Errorf("%d made up after the burst, bye %q", c.cmds.Starved-starved, g.bye)
	}
	if n := c.ch.Stats(st.now).Drops; n.Old+n.Replay+n.Auth != 0 {
		t.Errorf("the burst was dropped: %+v", n)
	}
}

// Bound: datagrams of 0 to 3 bytes, all of them up to 2 bytes, are no packets:
// no answer, no slot, no session ended.
func TestAttackTinyDatagrams(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	p := st.dialAt("203.0.113.9:9")
	before := c.ch.Stats(st.now).Received
	g.mute = true
	for _, l := range []link.Link{p, g.link} {
		l.Send(nil, st.at)
		for n := range 1 << 16 {
			if n%256 == 0 {
				l.Send([]byte{byte(n >> 8)}, st.at)
				l.Send([]byte{byte(n >> 8), 'S', 'L'}, st.at)
			}
			l.Send(binary.BigEndian.AppendUint16(nil, uint16(n)), st.at)
			if n%1024 == 0 {
				st.s.receive(st.now)
			}
		}
		st.s.receive(st.now)
	}
	if n, _ := drain(p); n != 0 || st.seated() != 1 || c.ch.Stats(st.now).Received != before {
		t.Errorf("%d answers, %d seated, %d taken", n, st.seated(), c.ch.Stats(st.now).Received-before)
	}
}

// Bound: names and lines with any bytes reach everybody as the same clean text,
// and whoever sent them stays.
func TestAttackTextBytes(t *testing.T) {
	st := newStage(t, nil)
	texts := []string{ // one of them has nothing left to show, and is not told
		"a\xffb", "a\x00b", "a\x80b", "half \xc3", "\xe2\x82", "\xff\xff\xff\xffstatus", "ok", strings.Repeat("\xff", 30) + "x", "end\xff",
	}
	a, _ := st.seat("n\xff\x00\x80ame\xc3")
	b, cb := st.seat("\xff\xff")
	c, _ := st.seat("Cid")
	for _, s := range texts {
		b.say(&wire.Say{Text: s})
		st.run(120) // below the flood limit
	}
	lines := func(g *guest) (out []string) {
		for _, m := range g.got {
			switch m := m.(type) {
			case *wire.Chat:
				out = append(out, m.Text)
			case *wire.Player:
				if !utf8.ValidString(m.Name) || strings.ContainsAny(m.Name, "\x00\xff") || m.Name == "" {
					t.Errorf("name %q", m.Name)
				}
			}
		}
		return out
	}
	la, lb, lc := lines(a), lines(b), lines(c)
	if len(la) != len(texts)-1 || fmt.Sprint(la) != fmt.Sprint(lb) || fmt.Sprint(la) != fmt.Sprint(lc) {
		t.Fatalf("%q\n%q\n%q", la, lb, lc)
	}
	for _, s := range la {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			t.Errorf("line %q", s)
		}
	}
	if st.seated() != 3 || cb.badCmds != 0 || a.bye+b.bye+c.bye != "" {
		t.Errorf("%d seated, bye %q", st.seated(), a.bye+b.bye+c.bye)
	}
}

// Bound: one address, whatever its ports, takes PerAddress slots; a /64 of IPv6 is
// one address; others get in all the while.
func TestAttackSlotsFromOneAddress(t *testing.T) {
	st := newStage(t, func(c *Config) { c.MaxClients = 20 })
	greedy := func(addr string) (in int) {
		before := st.seated()
		for i := range 12 {
			g := st.join("")
			g.link.Close()
			g.link = st.dialAt(fmt.Sprintf(addr, i+1))
		}
		st.run(40)
		return st.seated() - before
	}
	for _, addr := range []string{"203.0.113.5:%d", "[2001:db8::%x]:7"} {
		if n := greedy(addr); n != 5 {
			t.Errorf("%s: %d slots, want a quarter of 20", addr, n)
		}
	}
	if n := greedy("[::ffff:203.0.113.5]:10%d"); n != 0 {
		t.Errorf("the mapped form of the same address: %d slots", n)
	}
	g := st.join("Ada")
	st.run(30)
	if g.wel == nil {
		t.Errorf("an honest guest was kept out: %d seated", st.seated())
	}
}

// Bound: who holds a slot with keep-alives and never says who he is loses it after
// the time-out.
func TestAttackGhosts(t *testing.T) {
	st := newStage(t, func(c *Config) { c.TimeoutMS = 1000 })
	for range 4 {
		st.join("")
	}
	st.run(20)
	if st.seated() != 4 {
		t.Fatalf("%d seated", st.seated())
	}
	st.run(rate + 2)
	if st.seated() != 0 || st.clients[0].bye != "did not say who it is" {
		t.Errorf("%d seated, bye %q", st.seated(), st.clients[0].bye)
	}
}

// Bound: with a round trip of 40 ms, a shot whose view time is a second old, five
// seconds ahead or any other number is rewound by clamp(claimed, 0, min(measured +
// interpolation + tolerance, cap)), ticks are as long as ever, and each is counted.
func TestAttackForgedViewTime(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	tickNS := float64(tickNS)
	line := link.SimConfig{LatencyMS: 20}
	sim, err := link.NewSim(g.link, line, line)
	if err != nil {
		t.Fatal(err)
	}
	g.link = sim
	view, n := func(state.Tick) state.Tick { return 0 }, 0
	g.mute = true
	step := func() {
		// Early enough for the line, and honest in the rest.
		at := st.s.Tick() + 6
		g.link.Send(g.packet(state.Cmd{Tick: at, Buttons: state.BtnFire, ViewTick: view(at)}), st.at)
		for k := range int64(4) {
			sim.Advance(st.now - int64(tickNS)*(3-k)/4)
		}
		st.run(1)
		n++
	}
	view = func(at state.Tick) state.Tick { return at - 6 }
	for range 3 * rate {
		step()
	}
	if rtt := float64(c.rttNS) / 1e6; rtt < 38 || rtt > 75 {
		t.Fatalf("round trip %.1f ms", rtt)
	}
	if b := st.s.Stats().BadViews; b != 0 {
		t.Fatalf("%d honest shots are counted", b)
	}
	lies := []func(at state.Tick) state.Tick{
		func(at state.Tick) state.Tick { return at - rate },
		func(at state.Tick) state.Tick { return at + 5*rate },
		func(at state.Tick) state.Tick { return at - 1<<31 },
		func(at state.Tick) state.Tick { return at + 1<<31 - 1 },
		func(state.Tick) state.Tick { return 0 },
	}
	first, badBefore := st.s.Tick(), st.s.badViews
	n = 0
	view = func(at state.Tick) state.Tick { return lies[n%len(lies)](at) }
	var seen [2]int
	for range 5 * rate {
		step()
		in := st.s.inputs[0]
		claimed := int64(int32(in.Cmd.Tick-in.Cmd.ViewTick)) * 256
		most := c.lag.limit
		if want := uint32(min(max(float64(claimed), 0), most)); in.Rewind256 != want || float64(in.Rewind256)/256 > 13 {
			t.Fatalf("claimed %d/256 ticks, rewound %d, want %d", claimed, in.Rewind256, want)
		}
		if in.Rewind256 == 0 {
			seen[0]++
		} else {
			seen[1]++
		}
	}
	if d := st.s.Tick() - first; d != 5*rate {
		t.Errorf("%d ticks in 5 s", d)
	}
	if bad := st.s.badViews - badBefore; bad < 4*rate || seen[0] == 0 || seen[1] == 0 {
		t.Errorf("%d of %d forged shots were counted; %v", bad, 5*rate, seen)
	}
	if c.cmds.Starved > 40 || st.seated() != 1 {
		t.Errorf("%d commands made up", c.cmds.Starved)
	}
}
