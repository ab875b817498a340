package server

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/udp"
	"github.com/sightline-engine/sightline/net/wire"
)

// openStage is a stage whose policy sends everything.
func openStage(t *testing.T, change func(*Config)) *stage {
	t.Helper()
	return newStage(t, func(c *Config) {
		start := c.Start
		c.Start = func(ref string) (*Match, error) {
			m, err := start(ref)
			if err != nil {
				return nil, err
			}
			p, err := open.New(vis.Env{World: m.World, TickRate: c.TickRate, Settings: map[string]float64{"range_m": 0}})
			if err != nil {
				return nil, err
			}
			m.Policy = vis.Inline(p)
			return m, nil
		}
		if change != nil {
			change(c)
		}
	})
}

// crowd lets n guests in and gives them bodies that shoot.
func (st *stage) crowd(n int) {
	st.t.Helper()
	for i := range n {
		st.join(fmt.Sprint("p", i))
	}
	for range 12 {
		st.run(8)
		if st.seated() == n {
			break
		}
	}
	st.run(16)
	for i, g := range st.clients {
		if g.wel == nil {
			st.t.Fatalf("%d of %d are in", i, n)
		}
		at := st.level.Spawns[i%len(st.level.Spawns)].Pos
		at.Z += float32(i/len(st.level.Spawns)) * 0.01
		st.rules.ops = append(st.rules.ops,
			rules.Op{Kind: rules.OpSpawn, ID: g.wel.ID, Pos: at, Value: 10000},
			rules.Op{Kind: rules.OpGive, ID: g.wel.ID, Weapon: uint8(tables.Rocket), Value: 60000})
	}
	st.run(2)
}

// many is how many players a crowd has; under the race detector fewer.
func many() int {
	if testing.Short() {
		return 24
	}
	return 64
}

// fire makes every guest send a command that shoots rockets and asks for full
// snapshots, which are the largest.
func (st *stage) fire(ticks int, settle func()) {
	for n := range ticks {
		for i, g := range st.clients {
			g.mute = true
			g.step(st.now) // takes in and acknowledges
			pkt := g.seal(&wire.Client{NeedFull: true, Cmds: []state.Cmd{{
				Tick: st.s.Tick() + 3, Buttons: state.BtnFire, Weapon: uint8(tables.Rocket), Forward: 127,
				Yaw: state.Angle16(n*700 + i*5000), ViewTick: st.s.Tick(),
			}}})
			g.link.Send(pkt, st.at)
			link.Flush(g.link)
		}
		if settle != nil {
			settle()
		}
		st.s.Step(st.now)
		st.now += int64(tickNS)
	}
}

// Bound: 64 players in a place, with rockets, each asking for the fullest snapshot:
// no packet above netchan.MaxPacket, none left out, everybody stays, and who does
// not fit into a packet is in one of the next.
func TestAttackCrowdedFrames(t *testing.T) {
	most, full := 0, 0
	st := openStage(t, func(c *Config) {
		c.MaxClients, c.PerAddress = many(), -1
		c.Links[0] = &spy{Link: c.Links[0], sent: func(n int) {
			most = max(most, n)
			if n > 800 {
				full++
			}
		}}
	})
	st.crowd(many())
	most, full = 0, 0
	st.fire(rate, nil)
	if most > netchan.MaxPacket || full == 0 && !testing.Short() {
		t.Errorf("packets of up to %d bytes, %d full ones", most, full)
	}
	if st.seated() != many() {
		t.Errorf("%d seated", st.seated())
	}
	for _, g := range st.clients {
		if g.bye != "" || g.snap < 20 {
			t.Errorf("%s has %d snapshots, bye %q", g.name, g.snap, g.bye)
		}
	}
	if st.s.Stats().Shots == 0 {
		t.Error("nobody shot")
	}
	if strings.Contains(st.log.String(), "left out") {
		t.Errorf("packets were left out\n%.400s", &st.log)
	}
	if err := st.s.Check(); err != nil {
		t.Error(err)
	}
}

type spy struct {
	link.Link
	sent func(n int)
}

func (s *spy) Send(p []byte, to link.Addr) error {
	s.sent(len(p))
	return s.Link.Send(p, to)
}

// The same over a socket: what loopback lets through, UDP does too.
func TestAttackCrowdedFramesOverUDP(t *testing.T) {
	sock, err := udp.Listen("127.0.0.1:0", udp.Options{})
	if err != nil {
		t.Skipf("no socket on this machine: %v", err)
	}
	defer sock.Close()
	st := openStage(t, func(c *Config) { c.MaxClients = 14; c.PerAddress = -1; c.Links = append(c.Links, sock) })
	st.crowd(10)
	loopback := st.clients
	st.clients = nil
	sent := 0 // and not waited for
	for i := range 4 {
		c, err := udp.Listen("127.0.0.1:0", udp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		g := st.join(fmt.Sprint("far", i))
		g.link.Close()
		g.link = &spy{Link: c, sent: func(int) { sent++ }}
	}
	serverAt := sock.LocalAddr()
	patience := time.NewTimer(10 * time.Second)
	defer patience.Stop()
	arrive := func() {
		if sent == 0 {
			return
		}
		sent = 0
		patience.Reset(10 * time.Second)
		select {
		case <-sock.Ready():
		case <-patience.C:
			t.Fatal("nothing comes over the socket")
		}
	}
	near := st.at
	st.at = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), serverAt.Port())
	for range 20 * rate { // a step in which something was sent waits for some of it
		for _, g := range st.clients {
			g.step(st.now)
			link.Flush(g.link)
		}
		arrive()
		st.s.Step(st.now)
		st.now += int64(tickNS)
		in := 0
		for _, g := range st.clients {
			if g.wel != nil {
				in++
			}
		}
		if in == len(st.clients) {
			break
		}
	}
	for i, g := range st.clients {
		if g.wel == nil {
			t.Fatalf("%s is not in: %v", g.name, g.hs.State())
		}
		st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: g.wel.ID, Pos: st.level.Spawns[i%len(st.level.Spawns)].Pos, Value: 10000})
	}
	far := st.clients
	for range rate {
		st.at, st.clients = near, loopback
		st.fireOnly()
		st.at, st.clients = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), serverAt.Port()), far
		st.fireOnly()
		arrive()
		st.s.Step(st.now)
		st.now += int64(tickNS)
	}
	for _, g := range far {
		if g.bye != "" || g.snap < 12 {
			t.Errorf("%s has %d snapshots, bye %q", g.name, g.snap, g.bye)
		}
	}
	if st.seated() != 14 {
		t.Errorf("%d seated", st.seated())
	}
}

// Flush hands what was sent to the network.
func (s *spy) Flush() error { return link.Flush(s.Link) }

// fireOnly is fire without the server's step.
func (st *stage) fireOnly() {
	for i, g := range st.clients {
		g.mute = true
		g.step(st.now)
		g.link.Send(g.seal(&wire.Client{NeedFull: true, Cmds: []state.Cmd{{
			Tick: st.s.Tick() + 3, Buttons: state.BtnFire, Weapon: uint8(tables.Rocket), Yaw: state.Angle16(i * 5000), ViewTick: st.s.Tick(),
		}}}), st.at)
		link.Flush(g.link)
	}
}

// Bound: what a client is sent does not grow with another's latency: as many packets,
// and bytes within 2 %.
func TestAttackSlowNeighbour(t *testing.T) {
	run := func(latencyMS float64) (bytes, snaps int) {
		st := openStage(t, nil)
		near := st.join("near")
		far := st.join("far")
		line := link.SimConfig{LatencyMS: latencyMS}
		sim, err := link.NewSim(far.link, line, line)
		if err != nil {
			t.Fatal(err)
		}
		far.link = sim
		far.mute = false
		step := func() {
			for k := range int64(4) {
				sim.Advance(st.now - int64(tickNS)*(3-k)/4)
			}
			st.run(1)
		}
		for range 4 * rate {
			step()
		}
		if near.wel == nil || far.wel == nil {
			t.Fatal("not both are in")
		}
		for i, g := range st.clients {
			st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: g.wel.ID, Pos: st.level.Spawns[i].Pos, Value: 100})
		}
		for range rate {
			step()
		}
		port := near.link
		counted := &counter{Link: port}
		near.link = counted
		for range 4 * rate {
			step()
		}
		return counted.bytes, counted.packets
	}
	fast, n := run(1)
	slow, k := run(400)
	if fast == 0 || slow > fast+fast/50 || k != n {
		t.Errorf("%d bytes in %d packets beside a neighbour of 2 ms, %d in %d beside one of 800 ms", fast, n, slow, k)
	}
}

// counter counts what is received.
type counter struct {
	link.Link
	bytes, packets int
}

func (c *counter) Recv(p []byte) (int, link.Addr, bool) {
	n, from, ok := c.Link.Recv(p)
	if ok {
		c.bytes, c.packets = c.bytes+n, c.packets+1
	}
	return n, from, ok
}

// Bound: operations of rules with numbers that are none, or places that are nowhere,
// are dropped and counted, one by one; the world stays finite and nobody leaves.
func TestAttackPluginNumbers(t *testing.T) {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := 0
	for _, f := range []float32{nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32} {
		for axis := range 3 {
			at := st.level.Spawns[0].Pos
			*[]*float32{&at.X, &at.Y, &at.Z}[axis] = f
			for _, k := range []rules.OpKind{rules.OpSpawn, rules.OpTeleport} {
				st.rules.ops = append(st.rules.ops, rules.Op{Kind: k, ID: c.id, Pos: at, Value: 100})
				bad++
			}
		}
		if f != f || f-f != 0 {
			for _, k := range []rules.OpKind{rules.OpSpawn, rules.OpTeleport} {
				st.rules.ops = append(st.rules.ops, rules.Op{Kind: k, ID: c.id, Pos: st.level.Spawns[0].Pos, Yaw: f, Value: 100})
				bad++
			}
		}
	}
	for _, v := range []int32{math.MinInt32, math.MaxInt32} {
		st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: c.id, Pos: st.level.Spawns[0].Pos, Value: v})
		bad++
	}
	before := st.s.Stats().BadOps
	alive := st.s.World().Player(c.id).Alive()
	st.run(3)
	p := st.s.World().Player(c.id)
	if n := st.s.Stats().BadOps - before; n != bad {
		t.Errorf("%d of %d operations were dropped", n, bad)
	}
	if !p.Pos.IsFinite() || p.Pos == (vec.V3{}) || p.Alive() != alive || g.bye != "" {
		t.Errorf("the body is at %v, alive %v, bye %q", p.Pos, p.Alive(), g.bye)
	}
	if err := st.s.Check(); err != nil {
		t.Error(err)
	}
}

// Bound: 64 clients that say as much as each may, all at once and again, put
// nobody out: lines that a stream has no room for are left out, and what must arrive
// still does.
func TestAttackChatOfMany(t *testing.T) {
	n := many()
	st := newStage(t, func(c *Config) { c.MaxClients, c.PerAddress = n, -1 })
	st.crowd(n)
	line := strings.Repeat("x", wire.MaxChat)
	for tick := range 3 * rate {
		if tick < 4 || tick%100 == 0 {
			for _, g := range st.clients[1:] {
				for range sayBurst {
					_ = g.ch.QueueReliable(wire.Append(nil, &wire.Say{Text: line}))
				}
			}
		}
		st.run(1)
	}
	if st.seated() != n {
		t.Fatalf("%d of %d are still there\n%.600s", st.seated(), n, &st.log)
	}
	quiet := st.clients[0]
	if k := count[*wire.Chat](quiet); k < 100 {
		t.Errorf("%d lines came through", k)
	}
	before := count[*wire.Announce](quiet)
	st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpAnnounce, Text: "must arrive"})
	st.run(2 * rate)
	if count[*wire.Announce](quiet) != before+1 {
		t.Error("what must arrive did not")
	}
}

// Bound: rules that announce something long to everybody, as often as they may in
// every tick, lose lines, which are counted, and no players.
func TestAttackPluginThatTalks(t *testing.T) {
	st := newStage(t, nil)
	g, _ := st.seat("Ada")
	other, _ := st.seat("Bea")
	before, got := st.s.Stats().BadOps, count[*wire.Announce](g)
	for range 2 * rate {
		for i := range rules.MaxOps {
			op := rules.Op{Kind: rules.OpAnnounce, Text: strings.Repeat("a", rules.MaxText)}
			if i%2 == 0 {
				op.Kind, op.Text = rules.OpHUD, fmt.Sprint("key ", i, "=", strings.Repeat("v", 200))
			}
			st.rules.ops = append(st.rules.ops, op)
		}
		st.run(1)
	}
	st.run(4 * rate)
	if st.seated() != 2 || g.bye+other.bye != "" {
		t.Errorf("%d seated, bye %q", st.seated(), g.bye+other.bye)
	}
	if st.s.Stats().BadOps == before || count[*wire.Announce](g) == got {
		t.Errorf("%d lines left out, %d came", st.s.Stats().BadOps-before, count[*wire.Announce](g)-got)
	}
}
