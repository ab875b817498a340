package scenario_test

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/level/shader"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// realPack is where tools/realmaps.sh puts the pack of 13 compiled maps.
const realPack = "../../assets/realmaps/openarena-oacmp1/usr/share/games/openarena/baseoa/z_oacmp-volume1-v3.pk3"

var realNames = []string{
	"oacmpctf1", "oacmpctf2", "oacmpctf3", "oacmpdm1", "oacmpdm2", "oacmpdm3", "oacmpdm4",
	"oacmpdm5", "oacmpdm6", "oacmpdm7", "oacmpdm8", "oacmpdm9", "oacmpdm10",
}

// Four bots for fifteen seconds on every real map: nothing is mispredicted, nobody
// leaves the world or stands about, and everybody gets somewhere.
func TestBotsPlayRealMaps(t *testing.T) {
	if _, err := os.Stat(realPack); err != nil {
		t.Skip("the real maps are not here; `make realmaps` fetches them")
	}
	all := &gait{}
	for _, name := range realNames {
		t.Run(name, func(t *testing.T) {
			got, err := loadReal(name)
			if err != nil {
				t.Fatal(err)
			}
			cfg := config(maps{name: got}, name, 4)
			cfg.Seconds = 15
			if testing.Short() {
				cfg.Seconds = 6
			}
			g := &gait{}
			cfg.Each = g.watch
			r, err := scenario.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("seed %d: %v", *seed, r)
			g.kills = r.Kills
			t.Log(g)
			all.add(g)
			r.Kills++ // a kill is not asked for in so short a match
			if err := judge(r, 4); err != nil {
				t.Error(err)
			}
			least := cfg.Seconds * 20 / 15
			for i, b := range g.bots {
				if float64(b.moved) < least {
					t.Errorf("bot %d moved %.1f m", i, b.moved)
				}
			}
			if s := g.stuckShare(); s > 0.07 {
				t.Errorf("the bots stood for %.0f %% of their time", 100*s)
			}
		})
	}
	t.Log("all maps: ", all)
}

// loadReal opens a compiled map of the pack, the places to enter checked as a
// server does.
func loadReal(name string) (client.Loaded, error) {
	pack, err := zip.OpenReader(realPack)
	if err != nil {
		return client.Loaded{}, err
	}
	defer pack.Close()
	set := &shader.Set{}
	scripts, err := fs.Glob(pack, "scripts/*.shader")
	if err != nil {
		return client.Loaded{}, err
	}
	for _, s := range scripts {
		data, err := fs.ReadFile(pack, s)
		if err != nil {
			return client.Loaded{}, err
		}
		// What makes sense of a script is used: the maps' own text is not on trial.
		_ = set.Parse(path.Base(s), data)
	}
	file := "maps/" + name + ".bsp"
	data, err := fs.ReadFile(pack, file)
	if err != nil {
		return client.Loaded{}, err
	}
	l, err := load.Bytes(file, data, level.Options{Shaders: set.Lookup})
	if err != nil {
		return client.Loaded{}, err
	}
	w := trace.New(l)
	scene := w.Closed()
	usable, note := level.CheckSpawns(l, func(feet vec.V3) bool {
		return !scene.Box(feet, feet, level.StandingBox, level.MaskMove).StartSolid
	})
	if len(usable) == 0 {
		return client.Loaded{}, fmt.Errorf("%s", note)
	}
	l.Spawns = usable
	return client.Loaded{Level: l, World: w}, nil
}

// gait measures how the bots of a match move.
type gait struct {
	bots  []walker
	ticks int // of living bots
	stuck int // of those, ticks of seconds in which a bot did not get half a metre away
	run   int // ticks of the match
	kills int
	dead  int // deaths, those without a killer too
}

type walker struct {
	pos       vec.V3 // at the last tick
	teleports uint8
	alive     bool
	moved     float32
	from      vec.V3 // at the start of the second
	n         int    // ticks of the second so far
}

func (g *gait) watch(m *scenario.Match) {
	g.run++
	w := m.Server.World()
	for i := range m.Crew.Bots() {
		if len(g.bots) <= i {
			g.bots = append(g.bots, walker{})
		}
		b, p := &g.bots[i], w.Player(m.KeyID(i))
		if p == nil || !p.Alive() || p.Teleports == 0 {
			if b.alive {
				g.dead++
			}
			b.alive = false
			continue
		}
		g.ticks++
		if !b.alive || b.teleports != p.Teleports {
			*b = walker{pos: p.Pos, teleports: p.Teleports, alive: true, moved: b.moved, from: p.Pos}
			continue
		}
		b.moved += b.pos.Dist(p.Pos)
		b.pos = p.Pos
		if b.n++; b.n == rate {
			if b.from.Dist(p.Pos) < 0.5 {
				g.stuck += rate
			}
			b.from, b.n = p.Pos, 0
		}
	}
}

func (g *gait) stuckShare() float64 { return float64(g.stuck) / float64(max(g.ticks, 1)) }

func (g *gait) add(o *gait) {
	g.bots = append(g.bots, o.bots...)
	g.ticks += o.ticks
	g.stuck += o.stuck
	g.run += o.run
	g.kills += o.kills
	g.dead += o.dead
}

func (g *gait) String() string {
	least, sum := float32(1e9), float32(0)
	for _, b := range g.bots {
		least, sum = min(least, b.moved), sum+b.moved
	}
	minutes := float64(g.run) / rate / 60
	return fmt.Sprintf("%d bots moved %.0f m each, the laziest %.0f m; stuck %.1f %%; %d deaths, %.1f kills a minute",
		len(g.bots), sum/float32(max(len(g.bots), 1)), least, 100*g.stuckShare(), g.dead, float64(g.kills)/max(minutes, 1e-9))
}
