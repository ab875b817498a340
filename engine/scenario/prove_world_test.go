package scenario_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
)

// Non-interference is proved on pairs of worlds that are the same but for what one
// player does whom the viewer is not entitled to know of. A world is a real server
// with real clients: the viewer and somebody in its room, and behind a wall the
// hidden player and another one who comes and goes.
//
// Whatever is random is drawn from seeds, keys too: both worlds of a pair have the
// same, and a packet is sealed under its number. So two sealed packets are equal
// where their plaintexts are and nowhere else, and the recorded ones are compared as
// they are.
const (
	proveViewer state.ID = 1 + iota
	proveVisible
	proveHidden
	proveOther
)

// The level, in metres. The viewer's room is x -40..-8, the hidden side -7..60, both
// y -12..12; doors are told of by distance alone, so the one that only the hidden
// side opens is beyond proveRange of the viewer's room.
const (
	proveRange = 53
	proveDoorX = 50
)

// proveLevel makes a level out of a seed.
func proveLevel(t testing.TB, seed uint64) client.Loaded { return proveLevelWith(t, seed, false) }

// proveLevelWith is proveLevel with its door sliding or hinged.
func proveLevelWith(t testing.TB, seed uint64, hinged bool) client.Loaded {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	b := level.NewBuilder("prove")
	if _, err := b.Model(); err != nil {
		t.Fatal(err)
	}
	add := func(model int, x0, y0, z0, x1, y1, z1 float32) {
		if err := b.AddBox(model, vec.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	high := 4 + 4*r.Float32()
	add(0, -41, -13, -1, 61, 13, 0)
	add(0, -41, -13, high, 61, 13, high+1)
	add(0, -41, -13, 0, -40, 13, high)
	add(0, 60, -13, 0, 61, 13, high)
	add(0, -40, -13, 0, 60, -12, high)
	add(0, -40, 12, 0, 60, 13, high)
	add(0, -8, -12, 0, -7, 12, high) // what hides
	for range r.IntN(6) {            // what stands about, on both sides, never where somebody enters
		x, y, h := -36+r.Float32()*26, -10+r.Float32()*5, 0.3+r.Float32()*high
		add(0, x, y, 0, x+1+r.Float32(), y+1+2*r.Float32(), min(h, high))
	}
	for range r.IntN(6) {
		x, y, h := -4+r.Float32()*40, -10+r.Float32()*5, 0.3+r.Float32()*high
		add(0, x, y, 0, x+1+r.Float32(), y+1+2*r.Float32(), min(h, high))
	}
	add(0, proveDoorX-0.1, -12, 0, proveDoorX+0.1, -2, high)
	add(0, proveDoorX-0.1, 2, 0, proveDoorX+0.1, 12, high)
	add(1, proveDoorX-0.2, -2, 0, proveDoorX+0.2, 2, 3)
	for _, x := range []float32{-30, -20, 0, 8, 16, 30, 40} {
		b.AddPickup([]string{"item_health", "ammo_bullets", "weapon_rocketlauncher", "item_armor_shard"}[r.IntN(4)], vec.New(x, 8*r.Float32(), 0))
	}
	provePieces(t, b)
	b.AddSpawn(vec.New(-24, 4, 0.1), 0, 0)
	l := b.Build()
	l.Doors = []level.Door{{
		Model: 1, Move: vec.New(0, 0, 2.9), Speed: 6, Wait: 0.5,
		Trigger: vec.Box{Min: vec.New(proveDoorX-4, -3, 0), Max: vec.New(proveDoorX+4, 6, 3)},
	}}
	if hinged {
		l.Doors = []level.Door{{
			Model: 1, Hinge: vec.New(proveDoorX, -2, 0), Swing: 90, Both: true, Ajar: 12, Use: true, Speed: 120, Wait: -1, Trigger: vec.EmptyBox(),
		}}
	}
	return client.Loaded{Level: l, World: trace.New(l)}
}

// proveConfig says what one world is; two of a pair differ in path only.
type proveConfig struct {
	spec   vis.Spec
	seed   uint64 // of everything that both worlds share
	path   uint64 // of what the hidden player does
	ticks  int
	hidden func(r *rand.Rand, tick int) state.Cmd // nil: walks, shoots, crouches at random
	own    func(tick int) state.Cmd               // of the viewer; nil: at random
	at     [4]float32                             // where on the x axis the four enter; 0: as usual
	ops    func(tick int) []rules.Op              // of both worlds; may be nil
	leak   leak                                   // what the mutation check breaks
	loss   float64
	// spectate is what who has no body may see; each is run before every tick.
	spectate server.Spectate
	each     func(w *proveWorld)
	hz       int        // of snapshots; 0 adapts
	first    state.Tick // of the level
	// quiet keeps the hidden player alive, away from the wall, without rockets and
	// without taking anything: for rules that hide players only, and move them ahead
	// through walls.
	quiet bool
	// beside is what the other one behind the wall does, who then stays; nil: as a seed
	// says, and leaves.
	beside func(tick int) state.Cmd
	// hinged has the door of the hidden side hang on a hinge, for the use key.
	hinged bool
	// earshot says how far sounds carry; nil: no farther than the wall is thick, so that
	// nobody is heard through it whatever he does.
	earshot func(*tables.Set)
	// busy has the hidden player do all that a player can (busies), in a world that has
	// what it takes; weak is then the health of the pieces on the hidden side, where it
	// is not 0, and buggy the place of a vehicle. A peaceful one holds its fire. A rooted
	// viewer stays where it is.
	busy, peaceful, rooted bool
	weak                   int32
	buggy                  vec.V3
	// decider may put another in the place of the policy that is linked in; may be nil.
	decider func(linked vis.Decider) vis.Decider
}

// deaf lets no sound through the wall.
func deaf(set *tables.Set) {
	for i := range set.Weapons {
		w := &set.Weapons[i]
		w.Earshot, w.Muffled = min(w.Earshot, 1), min(w.Muffled, 1)
	}
	set.Sounds = tables.Sounds{Step: 1, Jump: 1, Land: 1, Pad: 1, Reload: 1, Switch: 1, DryFire: 1, Pickup: 1, Door: 1, Explode: 1, Bounce: 1, Smoke: 1, Flash: 1, Break: 1}
}

// leak is one mistake, put into a world by the mutation check: functions of what the
// hidden player does that reach what the viewer is sent. All nil in an honest world.
type leak struct {
	name string
	at   float32 // where the hidden player enters; 0: as usual
	// theme, where it is not 0, is one more than that of the worlds in which it is looked for.
	theme  int
	answer func(w *proveWorld, in *vis.Input, ans *vis.Answer)
	view   func(w *proveWorld, v *vis.View)
	packet func(w *proveWorld, pkt []byte) []byte
}

// sealed is a packet as it left the server for the viewer.
type sealed struct {
	at   int64
	data []byte
}

// proveWorld is one world while it runs.
type proveWorld struct {
	cfg     proveConfig
	srv     *server.Server
	viewer  link.Addr
	now     int64
	tick    int
	got     []sealed
	told    bool // the viewer was permitted the hidden player, or what is that one's
	audible int  // sounds of the hidden player within earshot of the viewer
	hears   hear.Rules
	joined  int // for a leak that happens once
	views   int
	events  int
	clients []*proveClient

	// What happened, for tests that want to be sure that something did.
	did        [state.NumEvents]int // events of the hidden player
	pieces     []state.Piece
	broke      []brokeAt           // by the hidden player
	public     uint64              // a sum of what is everybody's: pieces and vehicles
	through    bool                // a cloud of the hidden player comes through the wall
	seated     int                 // ticks in which the hidden player sat in a vehicle
	nearest    float32             // least x of a cloud
	things     [state.NumKinds]int // on the hidden side, by kind: most at once
	breaksSeen int                 // that the viewer was told of
	doors      int                 // ticks in which a door was not shut
	moved      float32             // farthest that the hidden player was from where it was first
	first      vec.V3
	near       float32           // least distance of the hidden player and the viewer, metres
	own        map[state.ID]bool // ids of the viewer's things
	corpse     vec.V3            // where the hidden player fell
	watched    int               // Views of the viewer while it watched somebody
	watchers   int               // entities that others were told of who watched the viewer
	late       int               // entities that it was told of late
	marks      int               // marks that it was told of
	heard      bool              // the viewer, something in this tick
	same       int               // ticks with events of the hidden player and in the View
}

type proveClient struct {
	*client.Client
	sim *link.Sim
}

// recorder is the server's link. It keeps what goes to the viewer.
type recorder struct {
	link.Link
	w *proveWorld
}

func (r *recorder) Send(pkt []byte, to link.Addr) error {
	if to == r.w.viewer {
		if f := r.w.cfg.leak.packet; f != nil {
			pkt = f(r.w, pkt)
		}
		r.w.got = append(r.w.got, sealed{at: r.w.now, data: bytes.Clone(pkt)})
	}
	return r.Link.Send(pkt, to)
}

// hiddenBody returns the hidden player, nil before it is there.
func (w *proveWorld) hiddenBody() *state.Player {
	if w.srv == nil {
		return nil
	}
	return w.srv.World().Player(proveHidden)
}

// bit is a yes or no that the hidden player's place alone decides.
func (w *proveWorld) bit() bool {
	p := w.hiddenBody()
	return p != nil && p.Teleports != 0 && state.Quant(p.Pos).X&64 != 0
}

// runWorld plays one world and returns it.
func runWorld(t testing.TB, loaded client.Loaded, cfg proveConfig) *proveWorld {
	t.Helper()
	w := &proveWorld{cfg: cfg, now: 1, near: 1e9, own: map[state.ID]bool{}}
	set := tables.Arena()
	if cfg.earshot == nil {
		deaf(&set)
	} else {
		cfg.earshot(&set)
	}
	if cfg.busy {
		arms(&set)
	}
	w.hears = hear.Rules{Set: &set, TickRate: rate}
	loop, addr := link.NewLoop(), netip.MustParseAddrPort("127.0.0.1:27960")
	port, err := loop.Attach(addr, 0)
	if err != nil {
		t.Fatal(err)
	}
	var key [32]byte
	for i := range 8 {
		key[i] = byte(cfg.seed >> (8 * i))
	}
	random := rand.NewChaCha8(key)
	id, err := handshake.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	env := vis.Env{World: loaded.World, TickRate: rate, Seed: cfg.seed}
	if env.Settings, err = cfg.spec.Schema.Check(nil); err != nil {
		t.Fatal(err)
	}
	policy, err := cfg.spec.New(env)
	if err != nil {
		t.Fatal(err)
	}
	decider := vis.Inline(policy)
	if cfg.decider != nil {
		decider = cfg.decider(decider)
	}
	ruled := &placing{at: map[state.ID]rules.Spawn{}}
	at := []float32{-24, -30, 10, 24}
	if cfg.quiet {
		at[2] = 20
	}
	for i, x := range cfg.at {
		if x != 0 {
			at[i] = x
		}
	}
	for i, x := range at {
		ruled.at[state.ID(i+1)] = rules.Spawn{Pos: vec.New(x, 4, 0.1), Yaw: 90 * float32(i)}
	}
	w.srv, err = server.New(server.Config{
		Name: "prove", TickRate: rate, MaxClients: 5, Seed: cfg.seed, Links: []link.Link{&recorder{port, w}}, Key: id, Rand: random,
		Rotation: []string{"prove"}, Pace: server.Pace{Hz: cfg.hz}, FirstTick: cfg.first, Spectate: cfg.spectate, Drops: cfg.busy,
		Start: func(string) (*server.Match, error) {
			return &server.Match{
				Ref: "prove", Level: loaded.Level, World: loaded.World, Tables: set, Range: proveRange,
				Policy: decider, Rules: rules.Inline(ruled),
			}, nil
		},
		Hooks: server.Hooks{
			Decided: w.decided,
			Frame:   w.framed,
			View:    w.viewed,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { w.srv.Close("proved", w.now) }()

	dial := func(n int, input func(tick int) state.Cmd) *proveClient {
		c := &proveClient{}
		p, err := loop.Dial(4096)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			w.viewer = p.Addr()
		}
		line := link.SimConfig{LatencyMS: 15 + 5*float64(n), JitterMS: 2, Loss: cfg.loss}
		up, down := line, line
		up.Seed, down.Seed = cfg.seed*64+uint64(2*n), cfg.seed*64+uint64(2*n)+1
		if c.sim, err = link.NewSim(p, up, down); err != nil {
			t.Fatal(err)
		}
		own := key
		own[31] = byte(n + 1)
		c.Client, err = client.New(client.Config{
			Link: c.sim, Server: addr, Name: string(rune('a' + n)), Hello: handshake.ClientConfig{Rand: rand.NewChaCha8(own)},
			Load:   func(string, [32]byte) (client.Loaded, error) { return loaded, nil },
			Tables: func([32]byte) (tables.Set, bool) { return set, true },
			Input:  func(*client.Client, state.Tick) state.Cmd { return input(w.tick) },
		})
		if err != nil {
			t.Fatal(err)
		}
		w.clients = append(w.clients, c)
		return c
	}
	seen, own := roams(cfg.seed, 0), roams(cfg.seed, 2)
	if cfg.rooted {
		own = rooted(own)
	}
	beside := roams(cfg.seed, 1)
	hidden, hr := roams(cfg.path, 3), rand.New(rand.NewPCG(cfg.path, 4))
	// The two behind the wall push each other, so that both are calm.
	other := beside
	if cfg.quiet {
		hidden, other = calm(hidden), calm(beside)
	}
	if cfg.busy {
		hidden = busies(&cfg)
	}
	hide := func(tick int) state.Cmd {
		if cfg.hidden != nil {
			return cfg.hidden(hr, tick)
		}
		return hidden(tick)
	}
	if cfg.weak > 0 || cfg.buggy != (vec.V3{}) {
		// What both see broken or moved is public, so the other one does neither.
		harmless := other
		other = func(tick int) state.Cmd {
			c := harmless(tick)
			c.Buttons &^= state.BtnFire | state.BtnUse
			return c
		}
	}
	if cfg.beside != nil {
		other = cfg.beside
	}
	plan := rand.New(rand.NewPCG(cfg.seed, 5))
	leaves, returns := 150+plan.IntN(60), 220+plan.IntN(40)
	dies, viewerDies := 100+plan.IntN(200), 120+plan.IntN(150)
	if cfg.beside != nil {
		leaves, returns = -1, -1
	}
	var fourth *proveClient
	for w.tick = range cfg.ticks {
		// One after the other, so that ids are in order.
		if n := len(w.clients); n < 4 && (n == 0 || w.clients[n-1].ID() != 0) {
			input := []func(int) state.Cmd{own, seen, hide, other}[n]
			if n == 0 && cfg.own != nil {
				input = cfg.own
			}
			fourth = dial(n, input)
		}
		switch w.tick {
		case leaves:
			fourth.Quit("done")
		case returns:
			dial(4, other)
		case dies:
			if cfg.quiet {
				break
			}
			ruled.do = append(ruled.do, rules.Op{Kind: rules.OpKillOff, ID: proveHidden})
		case viewerDies:
			ruled.do = append(ruled.do, rules.Op{Kind: rules.OpKillOff, ID: proveViewer})
		}
		// Kills are told to all, so that who cannot be killed differs in nothing but what
		// it does.
		if w.tick%8 == 4 {
			for _, id := range []state.ID{proveHidden, proveOther} {
				if p := w.srv.World().Player(id); p != nil && p.Alive() && p.Teleports != 0 && p.Flags&state.Invulnerable == 0 {
					flags := state.Invulnerable
					if cfg.quiet {
						flags |= state.NoPickup
					}
					ruled.do = append(ruled.do, rules.Op{Kind: rules.OpSetFlags, ID: id, Flags: flags})
				}
			}
		}
		if cfg.each != nil {
			cfg.each(w)
		}
		if cfg.ops != nil {
			ruled.do = append(ruled.do, cfg.ops(w.tick)...)
		}
		const tickNS = 1_000_000_000 / rate
		for k := range int64(2) {
			w.now = 1 + int64(w.tick)*tickNS + k*tickNS/2
			for _, c := range w.clients {
				c.sim.Advance(w.now)
			}
			if k == 0 {
				w.srv.Step(w.now)
			}
			for _, c := range w.clients {
				c.Advance(w.now)
			}
		}
	}
	if err := w.srv.Check(); err != nil {
		t.Error(err)
	}
	return w
}

// roams is somebody who runs about, looks about, shoots, jumps, crouches and
// changes weapons, as a seed says.
func roams(seed, stream uint64) func(tick int) state.Cmd {
	r := rand.New(rand.NewPCG(seed, 100+stream))
	var c state.Cmd
	return func(int) state.Cmd {
		if r.IntN(16) == 0 {
			c.Forward, c.Right = int8(r.IntN(3)-1)*127, int8(r.IntN(3)-1)*127
			c.Yaw, c.Pitch = state.Angle16(r.Uint32()), state.Angle16(uint16(int16(r.IntN(6000)-3000)))
			c.Buttons = 0
			if r.IntN(3) == 0 {
				c.Buttons |= state.BtnFire
			}
			if r.IntN(6) == 0 {
				c.Buttons |= state.BtnJump
			}
			if r.IntN(5) == 0 {
				c.Buttons |= state.BtnCrouch
			}
			if r.IntN(6) == 0 {
				c.Buttons |= state.BtnAim
			}
			c.Weapon = uint8(1 + r.IntN(3))
		}
		c.Yaw += 200
		return c
	}
}

func (w *proveWorld) decided(in *vis.Input, ans *vis.Answer) {
	if f := w.cfg.leak.answer; f != nil {
		f(w, in, ans)
	}
}

// framed notes whether the viewer was permitted what it is not to know of.
func (w *proveWorld) framed(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
	row := viewerRow(in)
	if row < 0 {
		return
	}
	for s := range in.Subjects {
		e := &f.Entities[s]
		its := e.ID == proveHidden || e.Owner == proveHidden || e.ID == state.CorpseOf(proveHidden)
		if its && ans.Permitted(row, s) {
			w.told = true
		}
		switch {
		case e.Owner == proveViewer:
			w.own[e.ID] = true
		case e.ID == state.CorpseOf(proveHidden) && w.corpse == (vec.V3{}):
			w.corpse = in.Subjects[s].Pos
		case e.ID == proveHidden && in.Subjects[s].Alive && in.Viewers[row].Subject >= 0:
			if w.first == (vec.V3{}) {
				w.first = in.Subjects[s].Pos
			}
			w.moved = max(w.moved, w.first.Dist(in.Subjects[s].Pos))
			w.near = min(w.near, in.Subjects[s].Pos.Dist(in.Subjects[in.Viewers[row].Subject].Pos))
		}
	}
	w.pieces = append(w.pieces[:0], in.Pieces...)
	w.note(in, f)
	for i := range in.Doors {
		if in.Doors[i].Open {
			w.doors++
		}
	}
	busy := false
	for i := range f.Events {
		if e := &f.Events[i]; e.Actor == proveHidden {
			w.did[e.Kind]++
			busy = true
			if me := ears(in, row); me != nil && me.Eye.Dist(e.Pos) <= w.hears.Earshot(e) {
				w.audible++
			}
		}
	}
	if busy && w.heard {
		w.same++
	}
}

// ears returns whose ears the viewer has: its own, or those of whom it watches.
func ears(in *vis.Input, row int) *vis.Subject {
	if me := in.Viewers[row].Subject; me >= 0 && in.Subjects[me].Alive {
		return &in.Subjects[me]
	}
	for i := range in.Subjects {
		if s := &in.Subjects[i]; s.ID == in.Viewers[row].Spectating && s.Alive {
			return s
		}
	}
	return nil
}

func viewerRow(in *vis.Input) int {
	for v := range in.Viewers {
		if in.Viewers[v].ID == proveViewer {
			return v
		}
	}
	return -1
}

func (w *proveWorld) viewed(v *vis.View) {
	if v.Own().ID != proveViewer {
		if v.Own().Watching == proveViewer {
			w.watchers += len(v.Entities())
		}
		return
	}
	w.views += len(v.Entities())
	w.events += len(v.Events())
	w.heard = len(v.Events()) > 0
	for i := range v.Events() {
		if v.Events()[i].Kind == state.EvBreak {
			w.breaksSeen++
		}
	}
	if v.Own().Watching != 0 {
		w.watched += len(v.Entities())
	}
	if v.Own().Delay != 0 {
		w.late += len(v.Entities())
	}
	for i := range v.Events() {
		if v.Events()[i].Kind == state.EvPing {
			w.marks++
		}
	}
	if f := w.cfg.leak.view; f != nil {
		f(w, v)
	}
}

// when returns the times at which packets left for the viewer.
func (w *proveWorld) when() (at []int64) {
	for i := range w.got {
		at = append(at, w.got[i].at)
	}
	return at
}

// difference says in what the packets to the viewer differ first: "time", "size",
// "content", "number", and where; "" when in nothing.
func difference(a, b *proveWorld) (kind, where string) {
	for i := range min(len(a.got), len(b.got)) {
		x, y := &a.got[i], &b.got[i]
		at := fmt.Sprintf("packet %d, sent at %.1f and %.1f ms, %d and %d bytes", i, float64(x.at)/1e6, float64(y.at)/1e6, len(x.data), len(y.data))
		switch {
		case x.at != y.at:
			return "time", at
		case len(x.data) != len(y.data):
			return "size", at
		case !bytes.Equal(x.data, y.data):
			return "content", at
		}
	}
	if len(a.got) != len(b.got) {
		return "number", fmt.Sprintf("%d and %d packets", len(a.got), len(b.got))
	}
	return "", ""
}
