package scenario_test

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
)

// The hall that scripted players are tried in, 80 m by 40 m, its middle at 0:
//
//	lift   (model 1) at (-20, 10), 4 m square, goes up 4 m at 4 m/s when touched
//	door   (model 2) at x = 20, closed, opens upwards for who comes within 3 m
//	deck   (model 3) at (30, 10), 0.25 m high: a model that never moves
//	ledge  at (0, -10), 0.4 m high
const (
	liftModel = 1
	doorModel = 2
	deckModel = 3
)

func hallLevel(t testing.TB) client.Loaded {
	t.Helper()
	b := level.NewBuilder("hall")
	for range 3 {
		if _, err := b.Model(); err != nil {
			t.Fatal(err)
		}
	}
	add := func(model int, x0, y0, z0, x1, y1, z1 float32) {
		box := vec.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}
		if err := b.AddBox(model, box, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, -41, -21, -1, 41, 21, 0)
	add(0, -41, -21, 12, 41, 21, 13)
	add(0, -41, -21, 0, -40, 21, 12)
	add(0, 40, -21, 0, 41, 21, 12)
	add(0, -40, -21, 0, 40, -20, 12)
	add(0, -40, 20, 0, 40, 21, 12)
	add(0, -2, -12, 0, 2, -8, 0.4)
	add(liftModel, -22, 8, 0, -18, 12, 0.25)
	add(doorModel, 19.8, -2, 0, 20.2, 2, 3)
	add(deckModel, 28, 8, 0, 32, 12, 0.25)
	for i := range 8 {
		b.AddSpawn(vec.New(-30+float32(i)*4, 0, 0.1), 0, 0)
	}
	l := b.Build()
	l.Doors = []level.Door{
		{Model: liftModel, Move: vec.New(0, 0, 4), Speed: 4, Wait: 1, Trigger: vec.Box{Min: vec.New(-21, 9, 0.25), Max: vec.New(-19, 11, 2)}, Group: 0, Lift: true},
		{Model: doorModel, Move: vec.New(0, 0, 2.9), Speed: 6, Wait: 1, Trigger: vec.Box{Min: vec.New(17, -2, 0), Max: vec.New(23, 2, 3)}, Group: 1},
	}
	return client.Loaded{Level: l, World: trace.New(l)}
}

// placing are rules that put each player at a place of its own, and back there when
// it has died.
type placing struct {
	at map[state.ID]rules.Spawn
	do []rules.Op // for the next tick
}

func (p *placing) Start(*rules.Match) error { return nil }
func (p *placing) Save() []byte             { return nil }

func (p *placing) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		r := &in.Players[i]
		if r.Flags&(state.Dead|state.Spectating) != 0 && r.DeadFor > 8 {
			s := p.at[r.ID]
			ops = append(ops, rules.Op{Kind: rules.OpSpawn, ID: r.ID, Pos: s.Pos, Yaw: s.Yaw, Value: 100})
		}
	}
	ops = append(ops, p.do...)
	p.do = p.do[:0]
	return ops
}

// actor is one scripted player of a stand.
type actor struct {
	*client.Client
	at     rules.Spawn
	fps    float64
	input  func(a *actor, tick state.Tick) state.Cmd
	event  func(a *actor, e *state.Event, predicted bool)
	cancel func(a *actor, k client.Key)
	// stop says that the process does not run now; may be nil.
	stop func(ms int) bool
	// up and down are its line, when the stand has none for all.
	up, down link.SimConfig
	sim      *link.Sim
	next     float64 // when the next frame is due, ms
}

// stand is a server and scripted players, a millisecond at a time.
type stand struct {
	t      *testing.T
	srv    *server.Server
	rules  *placing
	actors []*actor
	rate   int
	ms     int
	due    float64 // of the next tick
	each   func()  // after every tick; may be nil
}

type standConfig struct {
	rate     int
	pace     server.Pace
	loaded   client.Loaded
	up, down link.SimConfig
	set      *tables.Set // nil: arena without spread
	actors   []*actor
	policy   vis.Decider // nil: everybody is sent
}

func newStand(t *testing.T, cfg standConfig) *stand {
	t.Helper()
	if cfg.rate == 0 {
		cfg.rate = rate
	}
	if cfg.loaded.Level == nil {
		cfg.loaded = hallLevel(t)
	}
	set := tables.Arena()
	for w := range set.Weapons {
		set.Weapons[w].SpreadDeg, set.Weapons[w].SpreadMove, set.Weapons[w].SpreadShot = 0, 0, 0
	}
	if cfg.set != nil {
		set = *cfg.set
	}
	s := &stand{t: t, rate: cfg.rate, rules: &placing{at: map[state.ID]rules.Spawn{}}}
	loop, addr := link.NewLoop(), netip.MustParseAddrPort("127.0.0.1:27960")
	port, err := loop.Attach(addr, 0)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte{9})
	key, err := handshake.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	s.srv, err = server.New(server.Config{
		Name: "stand", TickRate: cfg.rate, MaxClients: 8, Seed: 1, Links: []link.Link{port}, Key: key, Rand: random, Pace: cfg.pace,
		Rotation: []string{"hall"},
		Start: func(string) (*server.Match, error) {
			spec := open.Spec()
			settings, err := spec.Schema.Check(nil)
			if err != nil {
				return nil, err
			}
			policy, err := spec.New(vis.Env{World: cfg.loaded.World, TickRate: cfg.rate, Settings: settings})
			if err != nil {
				return nil, err
			}
			decider := cfg.policy
			if decider == nil {
				decider = vis.Inline(policy)
			}
			return &server.Match{
				Ref: "hall", Level: cfg.loaded.Level, World: cfg.loaded.World, Tables: set,
				Policy: decider, Rules: rules.Inline(s.rules),
			}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range cfg.actors {
		if a.fps == 0 {
			a.fps = 144
		}
		var l link.Link
		if l, err = loop.Dial(4096); err != nil {
			t.Fatal(err)
		}
		up, down := cfg.up, cfg.down
		if up == (link.SimConfig{}) && down == (link.SimConfig{}) {
			up, down = a.up, a.down
		}
		if up != (link.SimConfig{}) || down != (link.SimConfig{}) {
			up.Seed, down.Seed = uint64(2*i+1), uint64(2*i+2)
			if a.sim, err = link.NewSim(l, up, down); err != nil {
				t.Fatal(err)
			}
			l = a.sim
		}
		a.Client, err = client.New(client.Config{
			Link: l, Server: addr, Name: string(rune('a' + i)), Hello: handshake.ClientConfig{Rand: random},
			Load:   func(string, [32]byte) (client.Loaded, error) { return cfg.loaded, nil },
			Tables: func([32]byte) (tables.Set, bool) { return set, true },
			Input: func(_ *client.Client, tick state.Tick) state.Cmd {
				if a.input == nil {
					return state.Cmd{}
				}
				return a.input(a, tick)
			},
			Event: func(e *state.Event, predicted bool) {
				if a.event != nil {
					a.event(a, e, predicted)
				}
			},
			Cancel: func(k client.Key) {
				if a.cancel != nil {
					a.cancel(a, k)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.actors = append(s.actors, a)
		s.rules.at[state.ID(i+1)] = a.at
		s.run(40) // one after the other, so that ids are in order
	}
	for range 8000 {
		ready := true
		for _, a := range s.actors {
			ready = ready && a.State() == client.Playing && a.Own().Alive() && a.Own().Teleports > 0
		}
		if ready {
			return s
		}
		s.run(1)
	}
	t.Fatal("the players have not entered after 8 s")
	return nil
}

// run runs for so many milliseconds.
func (s *stand) run(ms int) {
	for range ms {
		now := int64(s.ms)*1e6 + 1
		for _, a := range s.actors {
			if a.sim != nil {
				a.sim.Advance(now)
			}
		}
		if float64(s.ms) >= s.due {
			s.srv.Step(now)
			s.due += 1000 / float64(s.rate)
			if s.each != nil {
				s.each()
			}
		}
		for _, a := range s.actors {
			if float64(s.ms) < a.next || a.stop != nil && a.stop(s.ms) {
				continue
			}
			a.next = math.Max(a.next+1000/a.fps, float64(s.ms)+1000/a.fps-1)
			a.Advance(now)
			a.Ease(float32(1 / a.fps))
		}
		s.ms++
	}
}

// player returns the server's state of an actor.
func (s *stand) player(i int) *state.Player { return s.srv.World().Player(state.ID(i + 1)) }

// clean fails when a client mispredicted what nothing from outside explains.
func (s *stand) clean() {
	s.t.Helper()
	for i, a := range s.actors {
		if st := a.Stats(); st.Errors != 0 || st.Mismatches != 0 || st.BadSnapshots != 0 {
			s.t.Errorf("player %d: %d prediction errors, %d mismatches, %d bad snapshots", i, st.Errors, st.Mismatches, st.BadSnapshots)
		}
	}
	if err := s.srv.Check(); err != nil {
		s.t.Error(err)
	}
}
