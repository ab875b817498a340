//go:build unix

package scenario_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/plugins/host"
)

// mapText writes a map in the classic format. Lengths are metres.
type mapText struct {
	bytes.Buffer
	models int
}

// box writes an axial brush.
func (m *mapText) box(x0, y0, z0, x1, y1, z1 float32) {
	v := [6]int32{}
	for i, f := range [6]float32{x0, y0, z0, x1, y1, z1} {
		v[i] = vec.Floor(float32(f*level.UnitsPerMetre) + 0.5)
	}
	x, y, z, X, Y, Z := v[0], v[1], v[2], max(v[3], v[0]+1), max(v[4], v[1]+1), max(v[5], v[2]+1)
	m.WriteString("{\n")
	for _, p := range [6][9]int32{
		{x, y, z, x, y + 1, z, x, y, z + 1}, {x, y, z, x, y, z + 1, x + 1, y, z}, {x, y, z, x + 1, y, z, x, y + 1, z},
		{X, Y, Z, X, Y, Z + 1, X, Y + 1, Z}, {X, Y, Z, X + 1, Y, Z, X, Y, Z + 1}, {X, Y, Z, X, Y + 1, Z, X + 1, Y, Z},
	} {
		fmt.Fprintf(m, "( %d %d %d ) ( %d %d %d ) ( %d %d %d ) plain 0 0 0 1 1\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8])
	}
	m.WriteString("}\n")
}

// entity begins one, of class and keys; the brushes that follow are its own.
func (m *mapText) entity(class string, keys ...string) {
	if m.Len() > 0 {
		m.WriteString("}\n")
	}
	fmt.Fprintf(m, "{\n\"classname\" %q\n", class)
	for i := 0; i+1 < len(keys); i += 2 {
		fmt.Fprintf(m, "%q %q\n", keys[i], keys[i+1])
	}
}

// at is an entity's origin.
func at(x, y, z float32) string {
	return fmt.Sprintf("%d %d %d", vec.Floor(x*level.UnitsPerMetre), vec.Floor(y*level.UnitsPerMetre), vec.Floor(z*level.UnitsPerMetre))
}

// fileLevel is a level such as proveLevel makes, out of a file's text: a plugin in a
// process of its own loads what the server has loaded.
type fileLevel struct {
	client.Loaded
	name string
	data []byte
}

func proveFile(t testing.TB, seed uint64) fileLevel {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var m mapText
	m.entity("worldspawn")
	high := 4 + 4*r.Float32()
	m.box(-41, -13, -1, 61, 13, 0)
	m.box(-41, -13, high, 61, 13, high+1)
	m.box(-41, -13, 0, -40, 13, high)
	m.box(60, -13, 0, 61, 13, high)
	m.box(-40, -13, 0, 60, -12, high)
	m.box(-40, 12, 0, 60, 13, high)
	m.box(-8, -12, 0, -7, 12, high) // what hides
	for side := range 2 {
		for range r.IntN(6) {
			x, y, h := -36+r.Float32()*26, -10+r.Float32()*5, 0.3+r.Float32()*high
			if side == 1 {
				x = -4 + r.Float32()*40
			}
			m.box(x, y, 0, x+1+r.Float32(), y+1+2*r.Float32(), min(h, high))
		}
	}
	m.box(proveDoorX-0.1, -12, 0, proveDoorX+0.1, -2, high)
	m.box(proveDoorX-0.1, 2, 0, proveDoorX+0.1, 12, high)
	m.entity("func_door", "angle", "-1", "speed", "192", "wait", "0.5", "lip", "4")
	m.box(proveDoorX-0.2, -2, 0, proveDoorX+0.2, 2, 3)
	for i := range numProvePieces {
		material := "wood"
		if i == provePane {
			material = "glass"
		}
		m.entity("func_breakable", "health", fmt.Sprint(proveStrong), "material", material)
		switch i {
		case proveNear:
			m.box(-38.3, 6, 0, -38, 10, 2)
		case proveCrate:
			m.box(44, 6, 0, 44.3, 10, 3)
		case provePane:
			m.box(46, -4, 0, 46.1, 0, 3)
		}
	}
	for _, x := range []float32{-30, -20, 0, 8, 16, 30, 40} {
		m.entity([]string{"item_health", "ammo_bullets", "weapon_rocketlauncher", "item_armor_shard"}[r.IntN(4)], "origin", at(x, 8*r.Float32(), 0.6))
	}
	m.entity("info_player_deathmatch", "origin", at(-24, 4, 1), "angle", "0")
	m.WriteString("}\n")
	f := fileLevel{name: "prove.map", data: m.Bytes()}
	l, err := load.Bytes(f.name, f.data, level.Options{})
	if err != nil {
		t.Fatalf("%v in\n%s", err, f.data)
	}
	if len(l.Doors) != 1 || len(l.Pieces) != int(numProvePieces) || len(l.Spawns) != 1 {
		t.Fatalf("seed %d: %d doors, %d pieces, %d spawns: %v", seed, len(l.Doors), len(l.Pieces), len(l.Spawns), l.Warnings)
	}
	f.Loaded = client.Loaded{Level: l, World: trace.New(l)}
	return f
}

// process starts a policy's binary, in lockstep.
func process(t testing.TB, bins string, f fileLevel, name string, seed uint64) *host.Policy {
	t.Helper()
	p, err := host.StartPolicy(context.Background(), host.PolicyConfig{
		Config: host.Config{Path: filepath.Join(bins, "policy-"+name), TickRate: rate, Wait: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil))},
		Seed:   seed, Level: host.LevelOf(f.name, f.data, level.Options{}, f.Level),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// witness is a Decider that keeps the sum of all that another one answers, and counts
// the rays.
type witness struct {
	vis.Decider
	sum   uint64
	most  int // rays in a tick
	ticks int
	other int // answers that are not the policy's own
}

func (w *witness) Collect() *vis.Answer {
	a := w.Decider.Collect()
	h := fnv.New64a()
	fmt.Fprint(h, w.sum, a.Tick, a.Rays)
	for i := range a.Viewers * a.Subjects {
		if a.Permitted(i/a.Subjects, i%a.Subjects) {
			fmt.Fprint(h, i, a.Reason[i], a.Hold[i], a.Interval[i])
		}
	}
	w.sum, w.most, w.ticks = h.Sum64(), max(w.most, a.Rays), w.ticks+1
	if a.Source != vis.FromPolicy {
		w.other++
	}
	return a
}

// raysCap is what rays_per_tick is unless it is set.
const raysCap = 2000

// The proofs hold for a policy as what it is on a server: a process. Two worlds that
// differ in what is hidden give the viewer the same packets; the same world decided in
// this process gives them once more, by the same answers, none with more rays than
// the cap; and what the clients of a match of bots had on their screens is the same,
// frame by frame.
func TestProofsHoldOutOfProcess(t *testing.T) {
	worlds, seconds := 1, 0.75
	if *proveWorlds >= 50 {
		worlds, seconds = *proveWorlds/4, 20
	}
	bins := t.TempDir()
	args := []string{"build", "-ldflags=-s -w", "-o", bins + string(filepath.Separator)}
	all := append(policiesThatHide(), hiding{spec: open.Spec()})
	for _, p := range all {
		args = append(args, "../../plugins/policy-"+p.spec.Name)
	}
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the plugins: %v\n%s", err, out)
	}
	pit := fileLevel{name: "pit.map"}
	var err error
	if pit.data, err = os.ReadFile("../../examples/arena/maps/pit.map"); err != nil {
		t.Fatal(err)
	}
	if pit.Loaded, err = (maps{}).load("pit"); err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d", *seed)
	for _, p := range all {
		t.Run(p.spec.Name, func(t *testing.T) {
			packets, void, most, ticks := 0, 0, 0, 0
			for n := range uint64(worlds) {
				f := proveFile(t, *seed*1000+n)
				one := proveConfig{spec: p.spec, quiet: p.quiet, seed: *seed*1000 + n, ticks: proveTicks, loss: 0.03, path: 2*n + 1}
				vary(&one, n)
				f.Loaded = one.furnish(f.Loaded)
				play := func(cfg proveConfig, apart bool) (*proveWorld, *witness) {
					var w *witness
					end := func() {}
					cfg.decider = func(linked vis.Decider) vis.Decider {
						w = &witness{Decider: linked}
						if apart {
							own := process(t, bins, f, p.spec.Name, cfg.seed)
							end = own.Close
							w.Decider = own
						}
						return w
					}
					defer func() { end() }()
					return runWorld(t, f.Loaded, cfg), w
				}
				a, wa := play(one, true)
				b, wb := play(one.other(a), true)
				in, wi := play(one, false)
				if kind, where := difference(a, in); kind != "" || wa.sum != wi.sum {
					t.Fatalf("world %d: decided in this process and in its own it is not the same: answers %x and %x; %s %s", n, wi.sum, wa.sum, kind, where)
				}
				if wa.other+wb.other > 0 || wa.ticks < proveTicks/2 {
					t.Fatalf("world %d: %d of %d answers are not the plugin's", n, wa.other+wb.other, wa.ticks+wb.ticks)
				}
				most, ticks = max(most, wa.most, wb.most), ticks+wa.ticks+wb.ticks
				kind, where := difference(a, b)
				switch {
				case p.spec.Name == "open":
					if kind == "" {
						t.Errorf("world %d: under open the two are the same: the test would not see a leak", n)
					}
				case noPair(a, b) != "":
					void++
				case a.told || b.told:
					if void++; !p.quiet {
						t.Fatalf("world %d: the hidden player is sent through a wall", n)
					}
				case a.audible+b.audible > 0:
					t.Fatalf("world %d: the hidden player was heard: it is no proof", n)
				case kind != "":
					t.Fatalf("world %d: the viewer can tell what is hidden by %s: %s", n, kind, where)
				case a.views == 0 || a.events == 0 || len(a.got) < 90:
					t.Fatalf("world %d: the viewer saw %d, heard %d in %d packets: nothing is proved", n, a.views, a.events, len(a.got))
				default:
					packets += len(a.got)
				}
			}
			if most > raysCap {
				t.Errorf("%d rays in a tick, the cap is %d", most, raysCap)
			}
			line := link.SimConfig{LatencyMS: 30, JitterMS: 2, Loss: 0.01}
			here := onlook(t, p.spec, "pit", 6, seconds, line)
			there := onlookWith(t, p.spec, "pit", 6, seconds, line, func(vis.Decider) vis.Decider {
				own := process(t, bins, pit, p.spec.Name, *seed)
				t.Cleanup(own.Close)
				return own
			})
			if !reflect.DeepEqual(here.Complete, there.Complete) || here.Visible == 0 {
				t.Errorf("a match's screens differ with the process: %+v, and linked %+v", there.Complete, here.Complete)
			}
			t.Logf("%d packets in %d worlds are the same, %d do not count; at most %d rays in one of %d ticks; %d of %d targets in sight are missing, as linked",
				packets, worlds-void, void, most, ticks, there.Missing, there.Visible)
		})
	}
}
