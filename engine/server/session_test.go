package server

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// scribe is rules that decide nothing and remember what they were told.
type scribe struct {
	joined []rules.Member
	left   []state.ID
	chat   []string
	ops    []rules.Op
	last   state.Tick // submitted
}

func (r *scribe) Submit(in *rules.TickIn) {
	r.last = in.Tick
	r.joined = append(r.joined, in.Joined...)
	r.left = append(r.left, in.Left...)
	for _, c := range in.Chat {
		r.chat = append(r.chat, c.Text)
	}
}

func (r *scribe) Take() []rules.Op { ops := r.ops; r.ops = nil; return ops }

// nobody is a policy that permits nothing.
type nobody struct {
	out   vis.Answer
	asked int
}

func (p *nobody) Submit(in *vis.Input) { p.out.Reset(in); p.asked++ }
func (p *nobody) Collect() *vis.Answer { return &p.out }

// stage is a server on a loop, and the clients on it.
type stage struct {
	t       *testing.T
	s       *Server
	loop    *link.Loop
	at      link.Addr
	now     int64
	log     bytes.Buffer
	rules   *scribe // of the present match
	policy  *nobody
	fail    map[string]error // levels that cannot be started
	started []string
	closed  []string
	level   *level.Level
	world   *trace.World
	clients []*guest
}

var random = rand.NewChaCha8([32]byte{1})

var loadPit sync.Once
var pitLevel *level.Level
var pitWorld *trace.World
var pitErr error

// pit is the level of all stages, read once; nobody changes it.
func pit() (*level.Level, *trace.World, error) {
	loadPit.Do(func() {
		var data []byte
		if data, pitErr = os.ReadFile("../../examples/arena/maps/pit.map"); pitErr != nil {
			return
		}
		if pitLevel, pitErr = mapfile.Parse("pit.map", data, level.Options{}); pitErr == nil {
			pitWorld = trace.New(pitLevel)
		}
	})
	return pitLevel, pitWorld, pitErr
}

func newStage(t *testing.T, change func(*Config)) *stage {
	t.Helper()
	st := &stage{t: t, loop: link.NewLoop(), at: netip.MustParseAddrPort("127.0.0.1:1"), now: 1, fail: map[string]error{}}
	var err error
	if st.level, st.world, err = pit(); err != nil {
		t.Fatal(err)
	}
	port, err := st.loop.Attach(st.at, 4096)
	if err != nil {
		t.Fatal(err)
	}
	key, err := handshake.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Pace: Pace{Hz: 64}, // what is tested here is not how often
		Name: "stage", TickRate: 64, MaxClients: 4, Seed: 1, Links: []link.Link{port}, Key: key, Rand: random,
		Start: st.start, Rotation: []string{"a", "b", "c"},
		Log: slog.New(slog.NewTextHandler(&st.log, nil)),
	}
	if change != nil {
		change(&cfg)
	}
	if st.s, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	return st
}

func (st *stage) start(ref string) (*Match, error) {
	st.started = append(st.started, ref)
	if err := st.fail[ref]; err != nil {
		return nil, err
	}
	st.rules, st.policy = &scribe{}, &nobody{}
	return &Match{
		Ref: ref, Level: st.level, World: st.world, Tables: tables.Arena(), Policy: st.policy, Rules: st.rules,
		Close: func() { st.closed = append(st.closed, ref) },
	}, nil
}

// guest is a client that speaks the protocol and does no more than it is told.
type guest struct {
	st   *stage
	link link.Link
	hs   *handshake.Client
	ch   *netchan.Channel
	name string
	deaf bool // sends on, and takes nothing in: acknowledges nothing
	mute bool // sends nothing
	wel  *wire.Welcome
	got  []wire.Message
	bye  string
	snap int
	slow bool                             // its level is not loaded yet
	do   func(tick state.Tick) state.Cmd  // what its player does; nil: nothing
	full bool                             // asks for its whole state with every packet
	take func(payload []byte, seq uint64) // is given every snapshot
}

// join adds a guest that has yet to knock.
func (st *stage) join(name string) *guest {
	st.t.Helper()
	l, err := st.loop.Dial(4096)
	if err != nil {
		st.t.Fatal(err)
	}
	hs, err := handshake.NewClient(handshake.ClientConfig{Server: "stage", Rand: random, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites())})
	if err != nil {
		st.t.Fatal(err)
	}
	g := &guest{st: st, link: l, hs: hs, name: name}
	st.clients = append(st.clients, g)
	return g
}

func (g *guest) say(m wire.Message) {
	g.st.t.Helper()
	if err := g.ch.QueueReliable(wire.Append(nil, m)); err != nil {
		g.st.t.Fatal(err)
	}
}

// ready says that the level is loaded.
func (g *guest) ready() { g.say(&wire.Ready{LevelHash: g.wel.LevelHash, TablesHash: g.wel.TablesHash}) }

func (g *guest) step(now int64) {
	var buf [link.MaxPacket]byte
	for !g.deaf {
		n, _, ok := g.link.Recv(buf[:])
		if !ok {
			break
		}
		pkt := buf[:n]
		if !netchan.IsData(pkt) {
			if g.ch == nil && g.hs.Handle(pkt, now) == nil && g.hs.State() == handshake.Joined {
				se := g.hs.Session()
				ch, err := netchan.New(netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}, now)
				if err != nil {
					g.st.t.Fatal(err)
				}
				g.ch = ch
				if g.name != "" {
					g.say(&wire.Join{Name: g.name})
				}
			}
			continue
		}
		if g.ch == nil {
			continue
		}
		payload, _, err := g.ch.Open(pkt, now)
		if err != nil {
			continue
		}
		if len(payload) > 0 {
			g.snap++
			if g.take != nil {
				g.take(payload, g.ch.Newest())
			}
		}
		for {
			b, ok := g.ch.ReliableIn()
			if !ok {
				break
			}
			m, err := wire.ParseFromServer(b)
			if err != nil {
				g.st.t.Fatal(err)
			}
			g.got = append(g.got, m)
			if w, ok := m.(*wire.Welcome); ok {
				g.wel = w
				if !g.slow {
					g.ready()
				}
			}
		}
		if reason, ok := g.ch.Goodbye(); ok {
			g.bye = reason
		}
	}
	if g.mute || g.bye != "" {
		return
	}
	if g.ch == nil {
		if pkt := g.hs.Step(now); pkt != nil {
			g.link.Send(pkt, g.st.at)
		}
		return
	}
	var w bits.Writer
	var plain [netchan.MaxPayload]byte
	w.Reset(plain[:g.ch.Budget()])
	cmd := state.Cmd{}
	if g.do != nil {
		cmd = g.do(g.st.s.Tick() + 3)
	}
	cmd.Tick = g.st.s.Tick() + 3
	wire.PutClient(&w, &wire.Client{NeedFull: g.full, Cmds: []state.Cmd{cmd}})
	if pkt, _, err := g.ch.Seal(nil, w.Bytes(), now); err == nil {
		g.link.Send(pkt, g.st.at)
	}
}

// run steps everything for so many ticks.
func (st *stage) run(ticks int) {
	for range ticks {
		for _, g := range st.clients {
			g.step(st.now)
		}
		st.s.Step(st.now)
		st.now += int64(tickNS)
	}
}

// seated returns how many slots are taken, and checks the books.
func (st *stage) seated() int {
	st.t.Helper()
	n := 0
	for i, c := range st.s.conns {
		if c == nil {
			continue
		}
		n++
		if c.slot != i || st.s.byAddr[c.peer] != c {
			st.t.Errorf("slot %d: the books do not agree", i)
		}
	}
	if len(st.s.byAddr) != n {
		st.t.Errorf("%d addresses for %d slots", len(st.s.byAddr), n)
	}
	return n
}

func count[M wire.Message](g *guest) (n int) {
	for _, m := range g.got {
		if _, ok := m.(M); ok {
			n++
		}
	}
	return n
}

func TestAGuestComesPlaysAndLeaves(t *testing.T) {
	st := newStage(t, nil)
	st.run(10)
	if st.policy.asked != 0 {
		t.Errorf("the policy was asked %d times about nobody", st.policy.asked)
	}
	g := st.join("Ada")
	st.run(30)
	if g.wel == nil || g.wel.Level != st.level.Name || g.wel.ID != 1 || g.snap == 0 || st.policy.asked == 0 {
		t.Fatalf("welcome %+v, %d snapshots, bye %q\n%s", g.wel, g.snap, g.bye, &st.log)
	}
	if len(st.rules.joined) != 1 || st.rules.joined[0].Name != "Ada" || st.seated() != 1 {
		t.Errorf("rules were told of %v", st.rules.joined)
	}
	g.say(&wire.Quit{Reason: "enough"})
	st.run(3)
	g.mute = true
	if st.seated() != 0 || len(st.rules.left) != 1 || st.rules.left[0] != 1 || !strings.Contains(st.log.String(), "reason=enough") {
		t.Errorf("left %v\n%s", st.rules.left, &st.log)
	}
	// A goodbye does the same without waiting for the stream.
	h := st.join("Bea")
	st.run(30)
	pkt, _ := h.ch.SealGoodbye(nil, "bye", st.now)
	h.link.Send(pkt, st.at)
	h.mute = true
	st.run(2)
	if st.seated() != 0 || len(st.rules.left) != 2 {
		t.Errorf("a goodbye: %d seated, left %v", st.seated(), st.rules.left)
	}
}

func TestSilentGuestsAreDropped(t *testing.T) {
	st := newStage(t, func(c *Config) { c.TimeoutMS = 1000 })
	g, other := st.join("Ada"), st.join("Bea")
	st.run(30)
	g.mute = true
	st.run(60)
	if st.seated() != 2 {
		t.Fatalf("%d seated before the time is out", st.seated())
	}
	st.run(20)
	if st.seated() != 1 || g.bye != "timed out" || other.bye != "" || count[*wire.Gone](other) != 1 {
		t.Errorf("%d seated, bye %q and %q", st.seated(), g.bye, other.bye)
	}
}

func TestSlotsRunOutAndComeBack(t *testing.T) {
	st := newStage(t, func(c *Config) { c.MaxClients = 2 })
	st.join("a")
	st.join("b")
	st.run(30)
	late := st.join("c")
	st.run(30)
	if st.seated() != 2 || late.ch != nil || late.hs.State() != handshake.Failed {
		t.Errorf("%d of 2 seated; the third is %v", st.seated(), late.hs.State())
	}
	late.mute = true
	st.s.Kick("a", "to make room")
	st.run(2)
	if st.clients[0].bye != "to make room" || st.seated() != 1 {
		t.Errorf("kick: %q, %d seated", st.clients[0].bye, st.seated())
	}
	if st.s.Kick("a", "again") {
		t.Error("kicked nobody")
	}
	d := st.join("d")
	st.run(30)
	if d.wel == nil || d.wel.ID != 1 || st.seated() != 2 {
		t.Errorf("the free slot was not given: %+v", d.wel)
	}
}

// Requests that never prove their address keep nothing.
func TestUnansweredRequestsTakeNoSlot(t *testing.T) {
	st := newStage(t, nil)
	for range 200 {
		st.join("ghost")
	}
	for _, g := range st.clients {
		g.step(st.now)
		g.mute, g.deaf = true, true
	}
	st.run(20)
	if st.seated() != 0 {
		t.Fatalf("%d slots are taken by nobody", st.seated())
	}
	g := st.join("Ada")
	st.run(20)
	if g.wel == nil {
		t.Error("an honest guest was kept out")
	}
}

func TestNamesAreTold(t *testing.T) {
	st := newStage(t, func(c *Config) { c.MaxClients = 4 })
	long := strings.Repeat("é", 16) // 32 bytes
	for _, name := range []string{long, long, "x", "x"} {
		st.join(name)
	}
	st.run(40)
	seen := map[string]bool{}
	for _, c := range st.s.conns {
		if c == nil || c.name == "" || len(c.name) > state.MaxName || seen[c.name] || strings.ToValidUTF8(c.name, "") != c.name {
			t.Fatalf("names: %q", c.name)
		}
		seen[c.name] = true
	}
	if !seen["x"] || !seen["x (2)"] {
		t.Errorf("names: %v", seen)
	}
}

// Chat and new names are told to all, but no faster than the limit.
func TestFloodsAreLimited(t *testing.T) {
	st := newStage(t, nil)
	a, b := st.join("Ada"), st.join("Bea")
	st.run(30)
	renames := count[*wire.Player](b)
	for i := range 100 {
		a.say(&wire.Say{Text: fmt.Sprint("line ", i)})
	}
	st.run(20)
	if n := count[*wire.Chat](b); n != sayBurst || len(st.rules.chat) != sayBurst {
		t.Errorf("%d lines of a flood got through, and %d to the rules; want %d", n, len(st.rules.chat), sayBurst)
	}
	for i := range 100 {
		a.say(&wire.Join{Name: fmt.Sprint("Ada", i)})
	}
	st.run(20)
	if n := count[*wire.Player](b) - renames; n != 0 {
		t.Errorf("%d new names in the midst of a flood, want none", n)
	}
	st.run(64 * 3) // two lines' worth of calm
	a.say(&wire.Say{Text: "calm"})
	a.say(&wire.Join{Name: "Zoe"})
	a.say(&wire.Say{Text: "too much"})
	st.run(5)
	if n := count[*wire.Chat](b); n != sayBurst+1 {
		t.Errorf("%d lines after the calm, want %d", n, sayBurst+1)
	}
	if n := count[*wire.Player](b) - renames; n != 1 {
		t.Errorf("%d new names after the calm, want 1", n)
	}
	// What begins with a slash is the rules' and nobody else's.
	st.run(64 * 3)
	a.say(&wire.Say{Text: "/kill"})
	st.run(5)
	if n := count[*wire.Chat](b); n != sayBurst+1 || st.rules.chat[len(st.rules.chat)-1] != "/kill" {
		t.Errorf("%d lines; the rules have %v", n, st.rules.chat)
	}
}

// A guest that acknowledges nothing is dropped at the limit of its stream; the
// others are not held up by it.
func TestAGuestThatAcknowledgesNothingIsDropped(t *testing.T) {
	st := newStage(t, nil)
	a, b := st.join("Ada"), st.join("Bea")
	st.run(30)
	a.deaf = true
	text := strings.Repeat("x", 100)
	sent := 0
	for ; st.seated() == 2 && sent < 10000; sent++ {
		st.s.Say(text)
		st.run(1)
	}
	if st.seated() != 1 || sent*100 > 2*netchan.Backlog {
		t.Fatalf("%d seated after %d lines", st.seated(), sent)
	}
	st.run(30)
	if n := count[*wire.Chat](b); n != sent || b.bye != "" {
		t.Errorf("the other has %d of %d lines, bye %q", n, sent, b.bye)
	}
	a.deaf = false
	st.run(2)
	if !strings.Contains(a.bye, "reliable") {
		t.Errorf("the reason that it was told: %q", a.bye)
	}
	if !strings.Contains(st.log.String(), "does not take its messages") {
		t.Errorf("the log: %s", &st.log)
	}
}

// Two at once in one round of telling: each is dropped once, and nobody else.
func TestSeveralSlowGuestsAtOnce(t *testing.T) {
	st := newStage(t, nil)
	for _, n := range []string{"a", "b", "c", "d"} {
		st.join(n)
	}
	st.run(40)
	st.clients[0].deaf, st.clients[2].deaf = true, true
	for range 2000 {
		st.s.Say(strings.Repeat("y", 200))
		st.run(1)
	}
	if st.seated() != 2 || strings.Count(st.log.String(), "msg=left") != 2 || st.clients[1].bye+st.clients[3].bye != "" {
		t.Errorf("%d seated\n%s", st.seated(), &st.log)
	}
}

// Whatever a guest puts into its messages and packets, the server stands, and only
// that guest can be harmed.
func TestNonsenseHarmsNobodyElse(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 0))
	st := newStage(t, nil)
	good := st.join("good")
	st.run(30)
	for range 60 {
		g := st.join("bad")
		st.run(12)
		if g.ch == nil {
			t.Fatalf("seed %d: a slot was not given back: %d seated", seed, st.seated())
		}
		for range 20 {
			b := make([]byte, 1+rng.IntN(200))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			if pkt, _, err := g.ch.Seal(nil, b[:min(len(b), g.ch.Budget())], st.now); err == nil {
				g.link.Send(pkt, st.at)
			}
			g.link.Send(b, st.at) // outside of any session
			st.run(1)
		}
		b := make([]byte, 40)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		g.ch.QueueReliable(append([]byte{0xff}, b...))
		st.run(3)
		if g.bye == "" {
			t.Fatalf("seed %d: nonsense in the stream was taken", seed)
		}
		g.mute = true
		if err := st.s.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if good.bye != "" || st.seated() != 1 {
		t.Errorf("the good one: %q, %d seated", good.bye, st.seated())
	}
}

func TestRotationAtTheStart(t *testing.T) {
	var st *stage
	st = newStage(t, func(c *Config) {
		c.Rotation = []string{"none", "b"}
		start := c.Start
		c.Start = func(ref string) (*Match, error) {
			if ref == "none" {
				return nil, errors.New("none is not there")
			}
			return start(ref)
		}
	})
	if st.s.Level() != "b" || strings.Count(st.log.String(), "level=none") != 1 {
		t.Errorf("plays %s\n%s", st.s.Level(), &st.log)
	}
	cfg := st.s.cfg
	cfg.Rotation = []string{"x", "y"}
	cfg.Start = func(ref string) (*Match, error) { return nil, errors.New(ref + " is broken") }
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "x is broken") || !strings.Contains(err.Error(), "y is broken") {
		t.Errorf("no level: %v", err)
	}
	tries := 0
	cfg.Start = func(string) (*Match, error) { tries++; return nil, errors.New("no plugin") }
	cfg.Rotation = make([]string, 20)
	if _, err := New(cfg); err == nil || tries != 2 || strings.Count(err.Error(), "no plugin") != 1 {
		t.Errorf("what is no level's fault was tried %d times: %v", tries, err)
	}
	cfg.Rotation = nil
	if _, err := New(cfg); err == nil {
		t.Error("an empty rotation was taken")
	}
}

// At the end of a match at most one pass is made; the players stay, whatever
// comes of it.
func TestRotationWhilePlaying(t *testing.T) {
	st := newStage(t, func(c *Config) { c.OverMS = 100 })
	g := st.join("Ada")
	st.run(30)
	over := func() {
		st.started, st.closed = nil, nil
		st.rules.ops = []rules.Op{{Kind: rules.OpEndMatch, Text: "over"}}
		st.run(30)
	}
	over()
	if st.s.Level() != "b" || len(st.started) != 1 || len(st.closed) != 1 || st.closed[0] != "a" {
		t.Errorf("plays %s, started %v, closed %v", st.s.Level(), st.started, st.closed)
	}
	if count[*wire.Welcome](g) != 2 || len(st.rules.joined) != 1 || g.bye != "" {
		t.Errorf("%d welcomes, rules were told of %v, bye %q", count[*wire.Welcome](g), st.rules.joined, g.bye)
	}
	bad := errors.New("is not there any more")
	st.fail["c"] = bad
	over()
	if st.s.Level() != "a" || fmt.Sprint(st.started) != "[c a]" {
		t.Errorf("plays %s, started %v", st.s.Level(), st.started)
	}
	st.fail["a"], st.fail["b"] = bad, bad
	for range 2 { // again and again, one pass each
		tick := st.s.Tick()
		over()
		if st.s.Level() != "a" || fmt.Sprint(st.started) != "[b c a]" || len(st.closed) != 0 || st.s.Tick() != tick+30 {
			t.Errorf("plays %s, started %v, closed %v, tick %d after %d", st.s.Level(), st.started, st.closed, st.s.Tick(), tick)
		}
	}
	if err := st.s.Change("b"); !errors.Is(err, bad) || st.s.Level() != "a" {
		t.Errorf("change: %v, plays %s", err, st.s.Level())
	}
	if g.bye != "" || st.seated() != 1 {
		t.Errorf("the player was lost: %q", g.bye)
	}
	delete(st.fail, "b")
	st.s.Next()
	st.run(30)
	if st.s.Level() != "b" || count[*wire.Welcome](g) != 4 {
		t.Errorf("plays %s, %d welcomes", st.s.Level(), count[*wire.Welcome](g))
	}
	// A level that the operator asks for is where the rotation goes on from.
	clear(st.fail)
	if err := st.s.Change("c"); err != nil || st.s.Level() != "c" {
		t.Errorf("change: %v, plays %s", err, st.s.Level())
	}
	over()
	if st.s.Level() != "a" {
		t.Errorf("after c came %s", st.s.Level())
	}
	if err := st.s.Change("b"); err != nil {
		t.Error(err)
	}
	st.s.Close("the end", st.now)
	st.clients[0].step(st.now)
	if g.bye != "the end" || st.closed[len(st.closed)-1] != "b" || st.s.Do(func(*Server) {}) {
		t.Errorf("close: bye %q, closed %v", g.bye, st.closed)
	}
}
