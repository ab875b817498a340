package server

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// keepAlive seals an empty packet: acknowledgements and nothing else.
func (g *guest) keepAlive() []byte {
	g.st.t.Helper()
	pkt, _, err := g.ch.Seal(nil, nil, g.st.now)
	if err != nil {
		g.st.t.Fatal(err)
	}
	return pkt
}

// atLeast is how many snapshots a client gets in so many ticks, whatever its rate
// class: a quarter of them.
func atLeast(ticks int) int { return ticks/4 - 1 }

// seal seals what a packet of a client says.
func (g *guest) seal(m *wire.Client) []byte {
	g.st.t.Helper()
	var w bits.Writer
	var plain [netchan.MaxPayload]byte
	w.Reset(plain[:g.ch.Budget()])
	wire.PutClient(&w, m)
	pkt, _, err := g.ch.Seal(nil, w.Bytes(), g.st.now)
	if err != nil {
		g.st.t.Fatal(err)
	}
	return pkt
}

// Bound: who begins anew on the address of a session that still stands is in
// within 30 ticks, in the same slot, however many packets the old session had
// sent: their numbers say nothing about the new one's.
func TestAttackAnewFromOneAddress(t *testing.T) {
	for _, old := range []int{1, 40, 3000} {
		st := newStage(t, nil)
		g, _ := st.seat("Ada")
		for range old {
			g.link.Send(g.keepAlive(), st.at)
			if old > 100 && st.s.conns[0].ch.Sent()%64 == 0 {
				st.run(1)
			}
			st.s.receive(st.now)
		}
		st.run(1)
		g.mute, g.deaf = true, true
		again := st.join("Ada again")
		again.link.Close()
		again.link = g.link
		st.clients = []*guest{again}
		st.run(30)
		if again.wel == nil || again.wel.ID != 1 || st.seated() != 1 {
			t.Errorf("after %d packets: not let in anew: %v, bye %q, %d seated", old, again.hs.State(), again.bye, st.seated())
		}
	}
}

// Bound: of what one client has put into its reliable stream the server reads
// messagesPerTick a tick; the rest waits, and at most a backlog of it, so that the
// sender is held up and nobody else.
func TestAttackMessageFlood(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	other, _ := st.seat("Bea")
	g.mute = true
	snaps := other.snap
	line := wire.Append(nil, &wire.Say{Text: "x"})
	queued, first, read := 0, st.s.Tick(), c.messages
	const ticks = 200
	for range ticks {
		for range 60 {
			for g.ch.QueueReliable(line) == nil {
				queued++
			}
			g.link.Send(g.keepAlive(), st.at)
		}
		before := c.messages
		st.run(1)
		if n := c.messages - before; n > messagesPerTick {
			t.Fatalf("%d messages read in a tick", n)
		}
	}
	if n := c.messages - read; n < ticks*messagesPerTick/4 {
		t.Errorf("%d messages read in %d ticks: the stream does not go on", n, ticks)
	}
	if most := ticks*messagesPerTick + 2*netchan.Backlog/len(line); queued > most {
		t.Errorf("%d messages taken from the sender, want at most %d", queued, most)
	}
	if n := other.snap - snaps; n < atLeast(ticks) || other.bye != "" || st.s.Tick() != first+ticks {
		t.Errorf("the other has %d snapshots of %d, bye %q", n, ticks, other.bye)
	}
	if n := count[*wire.Chat](other); n > sayBurst+ticks*int(tickNS)/sayEveryNS+1 {
		t.Errorf("%d lines got through", n)
	}
}

// Bound: a slot is for who plays. Who joins and never has the level, and who has it
// and never sends a command, lose it, with a reason, however alive their
// acknowledgements keep the session.
func TestAttackAckOnlyGhosts(t *testing.T) {
	for _, c := range []struct {
		name  string
		ready bool
		ticks int // until the slot is free
		bye   string
	}{
		{"never loads the level", false, loadFactor*rate + 4, "did not load the level"},
		{"sends no command", true, rate + 4, "sends no commands"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t, func(c *Config) { c.TimeoutMS = 1000 })
			honest, _ := st.seat("Ada")
			g := st.join("ghost")
			st.run(12)
			if c.ready {
				st.run(20)
			}
			g.mute, g.deaf = true, true // its answers are made here
			if g.ch == nil || st.seated() != 2 {
				t.Fatalf("%d seated", st.seated())
			}
			if !c.ready {
				st.s.conns[1].ready = false
				st.s.match.sim.Leave(2)
			}
			n := 0
			for ; st.seated() == 2 && n < 20*rate; n++ {
				ack(g, st.now)
				g.link.Send(g.keepAlive(), st.at)
				st.run(1)
			}
			if n > c.ticks || n < c.ticks/2 {
				t.Errorf("the slot was free after %d ticks, want about %d", n, c.ticks)
			}
			ack(g, st.now)
			if g.bye != c.bye || honest.bye != "" {
				t.Errorf("bye %q, the honest one's %q", g.bye, honest.bye)
			}
		})
	}
}

// ack takes in what came for a guest, and says nothing.
func ack(g *guest, now int64) {
	var buf [link.MaxPacket]byte
	for {
		n, _, ok := g.link.Recv(buf[:])
		if !ok {
			return
		}
		if _, _, err := g.ch.Open(buf[:n], now); err == nil {
			for _, more := g.ch.ReliableIn(); more; _, more = g.ch.ReliableIn() {
			}
		}
		if reason, bye := g.ch.Goodbye(); bye {
			g.bye = reason
		}
	}
}

// Bound: the reason that a client gives for leaving reaches operator and players as
// clean text of at most wire.MaxReason bytes.
func TestAttackReasonBytes(t *testing.T) {
	var told []string
	st := newStage(t, func(c *Config) {
		c.Hooks.Left = func(_ state.ID, _, reason string) { told = append(told, reason) }
	})
	other, _ := st.seat("Bea")
	g, _ := st.seat("Ada")
	g.mute = true
	pkt, _ := g.ch.SealGoodbye(nil, "\x1b[2J\xff\x00"+strings.Repeat("a", 190), st.now)
	g.link.Send(pkt, st.at)
	st.run(3)
	if len(told) != 1 || len(told[0]) > wire.MaxReason || told[0] != wire.Clean(told[0], wire.MaxReason) || !strings.HasPrefix(told[0], "[2Ja") {
		t.Errorf("the operator was told %q", told)
	}
	for _, m := range other.got {
		if m, ok := m.(*wire.Gone); ok && m.Reason != wire.Clean(m.Reason, wire.MaxReason) {
			t.Errorf("the others were told %q", m.Reason)
		}
	}
}

// Bound: a client whose acknowledgements never come is dropped before 10,000
// messages, with a reason, at netchan.Backlog bytes; memory does not grow, and no
// other client misses a snapshot or a line.
func TestAttackBacklogNeverAcked(t *testing.T) {
	st := newStage(t, nil)
	slow, _ := st.seat("Ada")
	b, _ := st.seat("Bea")
	slow.deaf = true // its packets come, and acknowledge nothing newer
	lines, snaps, at := count[*wire.Chat](b), b.snap, st.s.Tick()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	sent, gone := 0, -1
	lots := 10000
	if testing.Short() {
		lots = 2500
	}
	for sent < lots {
		st.s.Say(fmt.Sprintf("line %5d of the flood that somebody else makes", sent))
		sent++
		st.run(1)
		if gone < 0 && st.seated() == 1 {
			gone = sent
		}
	}
	st.run(rate)
	if n := count[*wire.Chat](b) - lines; n != sent {
		t.Errorf("the other has %d of %d lines", n, sent)
	}
	b.got = b.got[:0:0]
	runtime.GC()
	runtime.ReadMemStats(&after)
	if gone < 0 || gone > netchan.Backlog/40 {
		t.Errorf("dropped after %d messages", gone)
	}
	if n := b.snap - snaps; n < atLeast(int(st.s.Tick()-at)) || b.bye != "" {
		t.Errorf("the other has %d snapshots of %d ticks, bye %q", n, st.s.Tick()-at, b.bye)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 2<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	slow.deaf = false
	st.run(1)
	if !strings.Contains(slow.bye, "not being acknowledged") {
		t.Errorf("the reason that it was told: %q", slow.bye)
	}
}

// Bound: nothing changes when the clock passes 2^32 ms, 49.7 days, or 2^31: no
// command is made up, nobody times out, no round trip or jitter appears.
func TestAttack49Days(t *testing.T) {
	for _, ms := range []int64{1 << 31, 1 << 32, 1 << 40} {
		st := newStage(t, nil)
		st.now = ms*1e6 - 2e9
		g, c := st.seat("Ada")
		st.run(rate)
		starved, snaps := c.cmds.Starved, g.snap
		st.run(3 * rate)
		if st.now < ms*1e6 {
			t.Fatal("the time was not reached")
		}
		if n := c.cmds.Starved - starved; n != 0 || g.bye != "" || g.snap-snaps < atLeast(3*rate) {
			t.Errorf("around %d ms: %d commands made up, %d snapshots, bye %q", ms, n, g.snap-snaps, g.bye)
		}
		if rtt, jitter := c.latency(); rtt > 40 || jitter > 10 {
			t.Errorf("around %d ms: round trip %.1f ms, jitter %.1f ms", ms, rtt, jitter)
		}
	}
}

// Bound: nothing changes when the tick passes 2^16, 2^31 or 2^32: each command of
// that time is consumed, shots keep their rewind, and the jitter stays as it is.
func TestAttackTickWrap(t *testing.T) {
	for _, wrap := range []uint64{1 << 16, 1 << 31, 1 << 32} {
		st := newStage(t, func(c *Config) { c.FirstTick = state.Tick(wrap - 3*rate) })
		g, c := st.seat("Ada")
		st.run(rate)
		starved, got, snaps, late := c.cmds.Starved, c.cmds.Got, g.snap, c.cmds.Late
		_, jitter := c.latency()
		g.mute = true
		for n := range 3 * rate {
			at := st.s.Tick() + 3
			g.link.Send(g.packet(state.Cmd{Tick: at, Buttons: state.BtnFire, ViewTick: at - 4}), st.at)
			g.step(st.now)
			st.s.Step(st.now)
			st.now += int64(tickNS)
			if r := st.s.inputs[0].Rewind256; n > 4 && r == 0 || r > 13*256 {
				t.Fatalf("tick %d: rewound %d/256", st.s.Tick(), r)
			}
			if err := st.s.Check(); err != nil {
				t.Fatal(err)
			}
		}
		if d := int32(st.s.Tick() - state.Tick(wrap)); d < rate/2 {
			t.Fatalf("the tick was not reached: %d", d)
		}
		if n := c.cmds.Starved - starved; n != 0 || c.cmds.Got-got < 3*rate-1 || c.cmds.Late != late || g.bye != "" || g.snap-snaps < atLeast(3*rate) {
			t.Errorf("around %#x: %d made up, %d got, %d late, %d snapshots, bye %q", wrap, n, c.cmds.Got-got, c.cmds.Late-late, g.snap-snaps, g.bye)
		}
		if _, j := c.latency(); j > jitter+2 {
			t.Errorf("around %#x: jitter went from %.2f to %.2f ms", wrap, jitter, j)
		}
	}
}

// Bound: no client asks for a rate. What it can do, send more or less often, changes
// neither how often it is sent to, a packet a tick at most and 16 a second at least,
// nor how large those are.
func TestAttackNoRateIsAsked(t *testing.T) {
	for _, perTick := range []int{0, 1, 100} {
		st := newStage(t, nil)
		g, _ := st.seat("Ada")
		st.run(5)
		g.mute = true
		in, out := st.s.packetsIn, st.s.packetsOut
		bytes := st.s.bytesOut
		const ticks = rate
		for range ticks {
			for range perTick {
				g.link.Send(g.packet(state.Cmd{Tick: st.s.Tick() + 3}), st.at)
			}
			st.run(1)
		}
		n, sent := st.s.packetsIn-in, st.s.packetsOut-out
		if n != int64(perTick*ticks) || sent > ticks || sent < int64(atLeast(ticks)) {
			t.Errorf("%d packets a tick: %d answered with %d", perTick, n, sent)
		}
		if b := st.s.bytesOut - bytes; b > ticks*netchan.MaxPacket {
			t.Errorf("%d packets a tick: %d bytes", perTick, b)
		}
	}
	for _, hz := range []int{-1, 0, 1, 19, 241, 65535} {
		cfg := Config{TickRate: hz, MaxClients: 4, Start: func(string) (*Match, error) { return nil, nil }, Rotation: []string{"a"}, Links: make([]link.Link, 1)}
		if err := cfg.check(); err == nil {
			t.Errorf("a server of %d Hz", hz)
		}
	}
}

// Bound: asking for full snapshots in every packet costs one full snapshot a tick,
// for who asks, and changes nothing for others.
func TestAttackNeedFullFlood(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	other, co := st.seat("Bea")
	st.run(20)
	g.mute = true
	before, snaps := co.enc.Spent(), other.snap
	const ticks = rate
	for range ticks {
		for range 50 {
			pkt := g.seal(&wire.Client{NeedFull: true, Cmds: []state.Cmd{{Tick: st.s.Tick() + 3}}})
			g.link.Send(pkt, st.at)
		}
		out := st.s.bytesOut
		st.run(1)
		if n := st.s.bytesOut - out; n > 2*netchan.MaxPacket {
			t.Fatalf("%d bytes in a tick", n)
		}
	}
	spent := co.enc.Spent()
	if n := spent.Total() - before.Total(); n/ticks > 200 || other.snap-snaps < atLeast(ticks) {
		t.Errorf("the other's snapshots take %d bits, %d came", n/ticks, other.snap-snaps)
	}
	if g.bye != "" || c.badCmds != 0 {
		t.Errorf("bye %q", g.bye)
	}
}

// Bound: aim, optic and weapon are the server's word. A client that claims to aim
// with every weapon at once holds what it owns, and the policy is asked the same
// question about it except for the aim itself.
func TestAttackOpticClaims(t *testing.T) {
	var asked []vis.Subject
	st := newStage(t, func(c *Config) {
		c.Hooks.Decided = func(in *vis.Input, _ *vis.Answer) { asked = append(asked[:0], in.Subjects...) }
	})
	g, c := st.seat("Ada")
	g.mute = true
	st.run(2)
	p := st.s.World().Player(c.id)
	owned, weapon := p.Owned, p.Weapon
	for n := range 200 {
		g.link.Send(g.packet(state.Cmd{
			Tick: st.s.Tick() + 1, Buttons: state.BtnAim, Weapon: uint8(n % 16), Yaw: state.Angle16(n * 9973), Pitch: state.Angle16(n * 31337),
		}), st.at)
		st.run(1)
		p = st.s.World().Player(c.id)
		if p.Owned != owned || p.Weapon != 0 && p.Owned&(1<<p.Weapon) == 0 || p.Flags&state.Aiming == 0 {
			t.Fatalf("weapon %d of %b, was %d of %b", p.Weapon, p.Owned, weapon, owned)
		}
		if asked[0].ID != c.id || asked[0].Weapon != p.Weapon || !asked[0].Eye.IsFinite() || asked[0].Pitch > 90 || asked[0].Pitch < -90 {
			t.Fatalf("the policy was asked about %+v", asked[0])
		}
	}
}

// Bound: of the packets of one client 256 are opened a tick, and what others send
// behind a flood is still taken in the same tick; a flood in somebody's name takes
// nothing from him.
func TestAttackPacketFlood(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	other, co := st.seat("Bea")
	g.mute, other.mute = true, true
	st.run(3)
	at, got := c.ch.Stats(st.now).Received, co.cmds.Got
	for range 1900 {
		g.link.Send(g.packet(state.Cmd{Tick: st.s.Tick() + 3}), st.at)
	}
	other.link.Send(other.packet(state.Cmd{Tick: st.s.Tick() + 2}), st.at)
	st.run(1)
	if n := c.ch.Stats(st.now).Received - at; n != packetsOfOne {
		t.Errorf("%d packets of a flood were opened", n)
	}
	if co.cmds.Got != got+1 {
		t.Error("the other's command was not taken")
	}
	got = c.cmds.Got
	for i := range 1900 {
		junk := g.packet(state.Cmd{Tick: st.s.Tick() + 2})
		junk[len(junk)-1-i%8] ^= 1
		g.link.Send(junk, st.at)
	}
	g.link.Send(g.packet(state.Cmd{Tick: st.s.Tick() + 9}), st.at)
	st.run(1)
	if c.cmds.Got != got+1 || st.seated() != 2 || g.bye+other.bye != "" {
		t.Errorf("%d commands taken behind a flood in his name, bye %q", c.cmds.Got-got, g.bye)
	}
}

// Bound: a client that claims to have snapshots of ticks that were never sent, of the
// future or of long ago, is believed none of it: what it is taken to have shown is a
// tick that it was told of, and no round trip is below 0.
func TestAttackForgedSnapshotTicks(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	g.mute = true
	st.run(5)
	for n := range 400 {
		tick := st.s.Tick()
		claim := []state.Tick{tick + 1, tick + 1000, tick + 1<<31, tick - 1<<31 + 1, 0, ^state.Tick(0), tick - 300, tick}[n%8]
		g.link.Send(g.seal(&wire.Client{HasSnap: true, SnapTick: claim, Cmds: []state.Cmd{{Tick: tick + 3, Buttons: state.BtnFire, ViewTick: tick - 2}}}), st.at)
		st.run(1)
		if c.lag.hasHad && int32(c.lag.had-st.s.Tick()) > 0 {
			t.Fatalf("claim %d at tick %d: it is taken to have tick %d", claim, tick, c.lag.had)
		}
		if c.rttNS < 0 || c.rttNS > 1e9 {
			t.Fatalf("claim %d: round trip of %d ns", claim, c.rttNS)
		}
		for i := range st.s.inputs {
			if in := &st.s.inputs[i]; in.Rewind256 > 40*256 || in.Tracked && int32(in.Had-st.s.Tick()) > 0 {
				t.Fatalf("claim %d: rewound %d/256, had %d", claim, in.Rewind256, in.Had)
			}
		}
	}
	if st.seated() != 1 || g.bye != "" {
		t.Errorf("bye %q", g.bye)
	}
}
