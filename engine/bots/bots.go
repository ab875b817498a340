// Package bots runs players that need no person: each is a whole engine/client on
// a link of its own, with a game/bot brain at its controls, and knows only what
// its client was sent. A crew lives in the process that is asked for it (a listen
// server, a dedicated server that fills its slots, a test, a load generator); the
// server sees clients like any others.
//
// A Crew belongs to one goroutine and reads no clock. Bots of one crew share the
// loaded level and its navigation graph, which never change.
package bots

import (
	"fmt"
	"log/slog"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/bot"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// Config is what a Crew is made with.
type Config struct {
	N      int
	Server link.Addr
	// Dial gives bot i its own link.
	Dial   func(i int) (link.Link, error)
	Load   func(name string, hash [32]byte) (client.Loaded, error)
	Tables func(hash [32]byte) (tables.Set, bool)
	// Hello is what each bot introduces itself with; called once for each.
	Hello func(i int) handshake.ClientConfig
	Skill float32 // 0..1; each bot differs a little
	// Patience is that of bot.Config.
	Patience float32
	// Throws is that of bot.Config.
	Throws float32
	Seed   uint64
	Log    *slog.Logger
	// Snapshot is told of what comes to bot i, as client.Config.Snapshot is: for
	// measurements. May be nil.
	Snapshot func(i int, s *snapshot.Snapshot)
}

// Crew is a number of bots.
type Crew struct {
	cfg    Config
	bots   []*Bot
	levels map[[32]byte]client.Loaded
	graphs map[*trace.World]*nav.Graph
}

// Bot is one of a crew.
type Bot struct {
	*client.Client
	Driver
	link link.Link
	last int64 // when Advance was called
}

// Advance runs what is due at now, and lets the view catch up with corrections and
// steps as that of somebody who watches a screen does: a bot sees and aims from there.
func (b *Bot) Advance(now int64) {
	b.Client.Advance(now)
	if b.last != 0 {
		b.Ease(float32(float64(now-b.last) / 1e9))
	}
	b.last = now
}

// names are what bots are called, in turn.
var names = [...]string{
	"Ada", "Babbage", "Curie", "Dijkstra", "Euler", "Fermat", "Gauss", "Hopper", "Ising", "Jacobi",
	"Kepler", "Lovelace", "Maxwell", "Noether", "Ohm", "Pascal", "Quine", "Ritchie", "Shannon", "Turing",
	"Ulam", "Volta", "Wiener", "Xenakis", "Young", "Zuse",
}

// Name returns what bot i is called.
func Name(i int) string {
	n := names[i%len(names)]
	if i >= len(names) {
		n = fmt.Sprintf("%s %d", n, i/len(names)+1)
	}
	return n
}

// New makes a crew; its bots begin to connect at the first Advance.
func New(cfg Config) (*Crew, error) {
	c := &Crew{cfg: cfg, levels: map[[32]byte]client.Loaded{}, graphs: map[*trace.World]*nav.Graph{}}
	for i := range cfg.N {
		l, err := cfg.Dial(i)
		if err != nil {
			return nil, fmt.Errorf("bot %d: %w", i, err)
		}
		b := &Bot{link: l}
		b.Driver = Driver{
			Seed: cfg.Seed*1000 + uint64(i), Skill: vec.Clamp(cfg.Skill+0.06*float32(i%5-2), 0, 1), Patience: cfg.Patience, Throws: cfg.Throws,
			Graph: c.graph,
		}
		var heard func(*snapshot.Snapshot)
		if cfg.Snapshot != nil {
			heard = func(s *snapshot.Snapshot) { cfg.Snapshot(i, s) }
		}
		b.Client, err = client.New(client.Config{
			Snapshot: heard,
			Link:     l, Server: cfg.Server, Name: Name(i), Bot: true, Hello: cfg.Hello(i),
			Load: c.load, Tables: cfg.Tables, Input: b.Input, Event: b.Event, Log: cfg.Log,
		})
		if err != nil {
			return nil, fmt.Errorf("bot %d: %w", i, err)
		}
		c.bots = append(c.bots, b)
	}
	return c, nil
}

// load loads a level once for the whole crew.
func (c *Crew) load(name string, hash [32]byte) (client.Loaded, error) {
	if l, ok := c.levels[hash]; ok {
		return l, nil
	}
	l, err := c.cfg.Load(name, hash)
	if err == nil {
		clear(c.levels) // the level before is not needed any more
		c.levels[hash] = l
	}
	return l, err
}

// graph builds the navigation of a level once for the whole crew.
func (c *Crew) graph(w *trace.World, m *tables.Movement) *nav.Graph {
	if g, ok := c.graphs[w]; ok {
		return g
	}
	clear(c.graphs)
	g := nav.Build(w, m)
	c.graphs[w] = g
	return g
}

// Advance runs everything that is due at now.
func (c *Crew) Advance(now int64) {
	for _, b := range c.bots {
		b.Advance(now)
	}
}

// Bots returns the bots, in order.
func (c *Crew) Bots() []*Bot { return c.bots }

// Close says goodbye for all of them and closes their links.
func (c *Crew) Close() {
	for _, b := range c.bots {
		b.Quit("bot leaves")
		b.link.Close()
	}
}

// Driver puts a brain at the controls of a client: its Input and Event are what a
// client.Config wants. The zero Driver needs Graph.
type Driver struct {
	Seed  uint64
	Skill float32
	// Patience is that of bot.Config.
	Patience float32
	// Throws is that of bot.Config.
	Throws float32
	Graph  func(*trace.World, *tables.Movement) *nav.Graph
	// Watch is told of every event too, while it happens: for measurements. May be
	// nil.
	Watch func(e *state.Event, predicted bool)

	last   state.Cmd // that Input made
	brain  *bot.Brain
	world  *trace.World
	senses bot.Senses
	shown  []client.Shown
	hurt   bool
	hurtBy vec.V3
}

// Event takes what happened.
func (d *Driver) Event(e *state.Event, predicted bool) {
	if e.Kind == state.EvHurt {
		d.hurt, d.hurtBy = true, e.Dir
	}
	if d.Watch != nil {
		d.Watch(e, predicted)
	}
}

// Input makes a command from what the client shows.
func (d *Driver) Input(c *client.Client, tick state.Tick) state.Cmd {
	w := c.Level().World
	if d.brain == nil || d.world != w {
		d.world = w
		d.brain = bot.New(bot.Config{
			World: w, Graph: d.Graph(w, &c.Tables().Movement), Tables: c.Tables(),
			TickRate: c.TickRate(), Seed: d.Seed, Skill: d.Skill, Patience: d.Patience, Throws: d.Throws, Zone: bombZone,
		})
	}
	s := &d.senses
	s.Tick, s.Self, s.Own, s.Eye = tick, c.ID(), c.Own(), c.Eye()
	s.Scene = c.Scene()
	s.Hurt, s.HurtBy = d.hurt, d.hurtBy
	d.hurt = false
	s.Job = job(c)
	d.shown = c.Others(d.shown[:0])
	s.Others = s.Others[:0]
	if scenery.Blinded(s.Own.Blind, c.Tables().FlashFade(), c.TickRate()) > 0 {
		d.shown = d.shown[:0] // nothing but white
	}
	for i := range d.shown {
		o := &d.shown[i]
		s.Others = append(s.Others, bot.Other{
			ID: o.ID, Kind: o.Kind, Team: o.Team, Dead: o.Pose&state.PoseDead != 0, Weapon: o.Weapon,
			Seat: o.Seat, Pos: o.At, Vel: o.Velocity, Yaw: o.YawDeg, Duck01: o.Duck01, Firing: o.Pose&state.PoseFiring != 0, OwnedBy: o.Owner,
		})
	}
	cmd := d.brain.Think(s)
	d.pull(&cmd, tick)
	d.last = cmd
	d.last.Tick = tick
	return cmd
}

// pull makes a bot pull the trigger within a tick, as people do, at a moment that
// seed and tick say. It looked then between where it looked at the two commands.
func (d *Driver) pull(cmd *state.Cmd, tick state.Tick) {
	last := &d.last
	if cmd.Buttons&^last.Buttons&state.BtnFire == 0 || last.Tick != tick-1 {
		return
	}
	r := vec.NewRand(d.Seed, uint64(tick))
	edge := int32(r.Intn(256))
	if edge == 0 {
		return
	}
	back := func(now, was state.Angle16) state.Angle16 {
		return now - state.Angle16(int32(int16(now-was))*edge/256)
	}
	cmd.Edge, cmd.EdgeYaw, cmd.EdgePitch = uint8(edge), back(cmd.Yaw, last.Yaw), back(cmd.Pitch, last.Pitch)
}
