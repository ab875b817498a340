//go:build unix

package host_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/host/internal/sample"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// room is a map with a wall that hides half of the players from the other half.
func room(t *testing.T) (name string, data []byte, lv *level.Level) {
	t.Helper()
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n")
	for _, s := range [][6]int{
		{-512, -512, -16, 512, 512, 0}, {-512, -512, 256, 512, 512, 272}, {-528, -512, 0, -512, 512, 256},
		{512, -512, 0, 528, 512, 256}, {-512, -528, 0, 512, -512, 256}, {-512, 512, 0, 512, 528, 256},
		{100, -200, 0, 116, 400, 256},
	} {
		box(&b, s)
	}
	b.WriteString("}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 32\"\n}\n")
	name, data = "room.map", []byte(b.String())
	lv, err := load.Bytes(name, data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return name, data, lv
}

// box writes an axial brush in the classic format.
func box(b *strings.Builder, s [6]int) {
	p := func(v ...int) {
		for i := 0; i < 9; i += 3 {
			b.WriteString("( ")
			for _, n := range v[i : i+3] {
				b.WriteString(itoa(n) + " ")
			}
			b.WriteString(") ")
		}
		b.WriteString("stone 0 0 0 1 1\n")
	}
	x, y, z, X, Y, Z := s[0], s[1], s[2], s[3], s[4], s[5]
	b.WriteString("{\n")
	p(x, y, z, x, y+1, z, x, y, z+1)
	p(x, y, z, x, y, z+1, x+1, y, z)
	p(x, y, z, x+1, y, z, x, y+1, z)
	p(X, Y, Z, X, Y+1, Z, X+1, Y, Z)
	p(X, Y, Z, X+1, Y, Z, X, Y, Z+1)
	p(X, Y, Z, X, Y, Z+1, X, Y+1, Z)
	b.WriteString("}\n")
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// TestLinkedCodecAndProcessDecideTheSame is the promise that a policy is a Go
// value first and a process second.
func TestLinkedCodecAndProcessDecideTheSame(t *testing.T) {
	for _, c := range []struct {
		file  string
		spec  vis.Spec
		level bool
		set   vis.Settings
	}{
		{"plugin", sample.PolicySpec(), false, vis.Settings{"share": 2}},
		{"policy-deaddrop", deaddrop.Spec(), true, nil},
		{"policy-netoptimize", netoptimize.Spec(), true, nil},
		{"policy-open", open.Spec(), true, nil},
		{"policy-pvs", pvs.Spec(), true, nil},
		{"policy-reach", reach.Spec(), true, nil},
		{"policy-screen", screen.Spec(), true, nil},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			w := plugintest.NewWorld(t, 5, 1, 12)
			env := vis.Env{TickRate: 64, Seed: 5, Settings: c.set}
			cfg, _ := config(t, "policy")
			cfg.Path, cfg.Wait = filepath.Join(bins, c.file), true
			pc := host.PolicyConfig{Config: cfg, Seed: 5, Settings: c.set}
			if c.level {
				env.World = w.Trace
				pc.Level = host.LevelOf(w.Name, w.Data, level.Options{}, w.Level)
			}
			process := startPolicy(t, pc)
			pc.Stream = true
			stream := startPolicy(t, pc)
			inline := vis.Inline(linked(t, c.spec, env))
			coded := &host.CodedPolicy{Policy: linked(t, c.spec, env)}
			permits, denials := 0, 0
			for range 100 {
				in := w.Step()
				for _, d := range []vis.Decider{inline, coded, process, stream} {
					d.Submit(in)
				}
				want := inline.Collect()
				same(t, "codec", coded.Collect(), want)
				same(t, "process", process.Collect(), want)
				same(t, "process over the stream", stream.Collect(), want)
				for v := range in.Viewers {
					for s := range in.Subjects {
						if want.Permitted(v, s) {
							permits++
						} else {
							denials++
						}
					}
				}
			}
			if permits == 0 || denials == 0 {
				t.Errorf("says nothing: %d permits, %d denials", permits, denials)
			}
			if coded.Err != nil {
				t.Error(coded.Err)
			}
			if stream.Stats().Mailbox || runtime.GOOS == "linux" && !process.Stats().Mailbox {
				t.Error("both processes are reached alike")
			}
			if s := process.Stats(); s.FromPolicy != 100 || s.PID == os.Getpid() || s.PID == 0 {
				t.Errorf("stats: %+v", s)
			}
		})
	}
}

// same compares what an answer says: of pairs that are not permitted it says
// nothing more.
func same(t *testing.T, what string, got, want *vis.Answer) {
	t.Helper()
	if got.Tick != want.Tick || got.Viewers != want.Viewers || got.Subjects != want.Subjects || got.Rays != want.Rays || got.Source != want.Source {
		t.Fatalf("%s: %d %d×%d rays %d %v, wanted %d %d×%d rays %d %v", what, got.Tick, got.Viewers, got.Subjects, got.Rays, got.Source,
			want.Tick, want.Viewers, want.Subjects, want.Rays, want.Source)
	}
	for v := range want.Viewers {
		for s := range want.Subjects {
			i := v*want.Subjects + s
			if got.Permitted(v, s) != want.Permitted(v, s) || want.Permitted(v, s) &&
				(got.Reason[i] != want.Reason[i] || got.Hold[i] != want.Hold[i] || got.Interval[i] != want.Interval[i]) {
				t.Fatalf("%s: tick %d pair %d,%d: %v %v %d %d, wanted %v %v %d %d", what, want.Tick, v, s,
					got.Permitted(v, s), got.Reason[i], got.Hold[i], got.Interval[i],
					want.Permitted(v, s), want.Reason[i], want.Hold[i], want.Interval[i])
			}
		}
	}
}

func match() rules.Match {
	m := rules.Match{Level: "room", Seed: 99, TickRate: 64, Settings: map[string]string{}}
	m.Tables.Movement.RunSpeed = 10.1
	for i := range tables.NumWeapons {
		m.Tables.Weapons[i].Damage = float32(i) * 3.3
	}
	for i := range 8 {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: vec.V3{X: float32(i)}, Yaw: float32(i * 45)})
	}
	return m
}

func TestLinkedRulesAndProcessDecideTheSame(t *testing.T) {
	for _, c := range []struct {
		file string
		spec rules.Spec
		set  map[string]string
	}{
		{"plugin", sample.RulesSpec(), map[string]string{"hud": "1", "retunes": "1", "begins": "movement.gravity=12.5 items.respawn_ms=100"}},
		{"rules-bomb", bomb.Spec(), map[string]string{"warmup_s": "0", "freeze_s": "1", "round_s": "3"}},
		{"rules-duel", duel.Spec(), map[string]string{"warmup_s": "1", "time_limit_s": "4", "moon_s": "1", "gravity_pct": "70"}},
		{"rules-teams", teams.Spec(), map[string]string{"warmup_s": "0", "time_limit_s": "5"}},
	} {
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			m := *rulestest.Match(c.set, true)
			cfg, _ := config(t, "rules")
			cfg.Path, cfg.Wait = filepath.Join(bins, c.file), true
			process := startRules(t, host.RulesConfig{Config: cfg, Match: m})
			value := c.spec.New()
			if err := value.Start(&m); err != nil {
				t.Fatal(err)
			}
			inline := rules.Inline(value)
			again := c.spec.New()
			if err := again.Start(&m); err != nil {
				t.Fatal(err)
			}
			coded := &host.CodedRules{Rules: again}
			w := rulestest.New(8, 3)
			n := 0
			want := rules.TablesOf(inline)
			if got := [2][]tables.Value{process.Tables(), coded.Tables()}; !slices.Equal(got[0], want) || !slices.Equal(got[1], want) || c.file == "plugin" && len(want) != 2 {
				t.Fatalf("the match begins with %v, of the codec %v, linked in %v", got[0], got[1], want)
			}
			for tick := range 600 {
				got, want := process.Take(), inline.Take()
				if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
					t.Fatalf("tick %d:\n got %+v\nwant %+v", tick, got, want)
				}
				if got := coded.Take(); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
					t.Fatalf("tick %d, codec:\n got %+v\nwant %+v", tick, got, want)
				}
				n += len(got)
				if tick > 0 {
					w.Done(want)
				}
				w.Chaos("/team red", "/team blue", "/buy ammo", "/drop", "hello")
				in := w.Advance()
				process.Submit(in)
				inline.Submit(in)
				coded.Submit(in)
			}
			if n == 0 {
				t.Error("says nothing: no operations")
			}
		})
	}
}
