package scenario_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/net/link"
)

var (
	seed    = flag.Uint64("seed", 1, "seed of the matches")
	seconds = flag.Float64("seconds", 60, "length of the matches")
)

// maps loads the shipped maps once.
type maps map[string]client.Loaded

func (m maps) load(name string) (client.Loaded, error) {
	if l, ok := m[name]; ok {
		return l, nil
	}
	data, err := os.ReadFile("../../examples/arena/maps/" + name + ".map")
	if err != nil {
		return client.Loaded{}, err
	}
	l, err := mapfile.Parse(name+".map", data, level.Options{})
	if err != nil {
		return client.Loaded{}, err
	}
	m[name] = client.Loaded{Level: l, World: trace.New(l)}
	return m[name], nil
}

const rate = 64

// start makes a match with policy and rules in this process.
func (m maps) start(ref string) (*server.Match, error) {
	got, err := m.load(ref)
	if err != nil {
		return nil, err
	}
	policy, err := newPolicy(got.World)
	if err != nil {
		return nil, err
	}
	r := duel.Spec().New()
	match := &rules.Match{Level: ref, LevelHash: got.Level.Hash, Seed: *seed, TickRate: rate, Tables: tables.Arena()}
	for _, s := range got.Level.Spawns {
		match.Spawns = append(match.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
	}
	if err := r.Start(match); err != nil {
		return nil, err
	}
	return &server.Match{
		Ref: ref, Level: got.Level, World: got.World, Tables: tables.Arena(),
		Policy: vis.Inline(policy), Rules: rules.Inline(r), Range: vis.DefaultRange,
	}, nil
}

func newPolicy(w *trace.World) (vis.Policy, error) {
	spec := deaddrop.Spec()
	settings, err := spec.Schema.Check(nil)
	if err != nil {
		return nil, err
	}
	return spec.New(vis.Env{World: w, TickRate: rate, Seed: *seed, Settings: settings})
}

func arena(hash [32]byte) (tables.Set, bool) {
	t := tables.Arena()
	return t, t.Hash() == hash
}

func config(m maps, name string, bots int) scenario.Config {
	bad := link.SimConfig{LatencyMS: 50, JitterMS: 8, Loss: 0.03}
	return scenario.Config{
		Bots: bots, Seconds: *seconds, TickRate: rate, Seed: *seed, Up: bad, Down: bad,
		Start: m.start, Rotation: []string{name}, Tables: arena, Skill: 0.7,
		Load: func(n string, _ [32]byte) (client.Loaded, error) { return m.load(n) },
	}
}

// Sixteen bots over 100 ms, 3 % loss and jitter: nothing is mispredicted that no
// outside force explains, nobody leaves the world, and kills are scored.
func TestMatchOverBadLinksHasNoPredictionErrors(t *testing.T) {
	for _, name := range []string{"pit", "corner"} {
		t.Run(name, func(t *testing.T) {
			t.Logf("seed %d", *seed)
			cfg := config(maps{}, name, 16)
			if testing.Short() {
				cfg.Seconds = 10
			}
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r)
			t.Log(r.Bits(rate))
			if err := judge(r, 16); err != nil {
				t.Error(err)
			}
		})
	}
}

// A client that draws a frame every 1 to 16 ticks, or hangs for a third of a
// second, is starved now and then, but never predicts what was not to be: what the
// server did without its commands is not done again.
func TestSlowFramesAndStallsArePredictedRight(t *testing.T) {
	for _, bad := range []bool{false, true} {
		t.Run(fmt.Sprintf("bad link %v", bad), func(t *testing.T) {
			cfg := config(maps{}, "pit", 8)
			cfg.Seconds = 20
			if !bad {
				cfg.Up, cfg.Down = link.SimConfig{}, link.SimConfig{}
			}
			cfg.Stalled = func(bot, tick int) bool {
				if hang := tick % (300 + 17*bot); hang < 24 {
					return true
				}
				return tick%(1+2*bot) != 0
			}
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r)
			if r.Starved == 0 {
				t.Error("nobody was starved: the stalls are no test")
			}
			if err := judge(r, 8); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whoever sees the place sees the body, lying where the player fell; a body is a
// thing of its own, so that it says nothing of where its player is next.
func TestTheDeadLieWhereTheyFell(t *testing.T) {
	cfg := config(maps{}, "corner", 8)
	cfg.Seconds = 20
	cfg.Up, cfg.Down = link.SimConfig{}, link.SimConfig{}
	seen, hidden := 0, 0
	var shown []client.Shown
	var lay []vec.V3 // where the dead lie, of late
	cfg.Each = func(m *scenario.Match) {
		w := m.Server.World()
		dead, falling := 0, false
		for _, id := range w.IDs() {
			if p := w.Player(id); p.Flags&state.Dead != 0 {
				dead++
				falling = falling || p.Vel.Len() >= 0.1
				lay = append(lay, p.Pos)
			}
		}
		lay = lay[max(len(lay)-8*2*rate, 0):] // of two seconds at the least
		for _, b := range m.Crew.Bots() {
			if b.State() != client.Playing || !b.Own().Alive() {
				continue
			}
			known := 0
			shown = b.Others(shown[:0])
			for i := range shown {
				if o := &shown[i]; o.Kind == state.KindCorpse {
					known++
					at := falling
					for _, p := range lay {
						at = at || p.Dist(o.At) < 1
					}
					if !at {
						t.Fatalf("a body is shown at %v, where nobody has fallen", o.At)
					}
				}
			}
			seen += known
			hidden += max(dead-known, 0)
		}
	}
	r, err := scenario.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d: %d kills, bodies seen in %d client ticks and not in %d", *seed, r.Kills, seen, hidden)
	if seen == 0 || hidden == 0 {
		t.Error("bodies must be seen by some and not by others")
	}
}

func judge(r scenario.Report, bots int) error {
	switch {
	case r.Check != nil:
		return r.Check
	case r.Joined != bots:
		return fmt.Errorf("%d of %d bots are playing: %v", r.Joined, bots, r.Gone)
	case r.Errors != 0:
		return fmt.Errorf("%d prediction errors, the worst %g m", r.Errors, r.WorstError)
	case r.Mismatches != 0:
		return fmt.Errorf("%d predicted states were not the server's", r.Mismatches)
	case r.OutOfWorld != 0:
		return fmt.Errorf("somebody was out of the world for %d ticks", r.OutOfWorld)
	case r.Kills == 0:
		return fmt.Errorf("nobody scored in %d shots", r.Shots)
	}
	return nil
}
