//go:build unix

package host_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// heirs are the shipped policies with a hold of 400 ms, those that have one.
var heirs = []struct {
	file string
	spec vis.Spec
	set  vis.Settings
}{
	{"policy-deaddrop", deaddrop.Spec(), vis.Settings{"hold_ms": 400}},
	{"policy-netoptimize", netoptimize.Spec(), vis.Settings{"grace_ms": 400}},
	{"policy-open", open.Spec(), nil},
	{"policy-pvs", pvs.Spec(), vis.Settings{"hold_ms": 400}},
	{"policy-reach", reach.Spec(), vis.Settings{"hold_ms": 400}},
	{"policy-screen", screen.Spec(), vis.Settings{"hold_ms": 400}},
}

// TestHeirsDecideTheSame kills each policy in the middle of a match. From the first
// answer of the process after it on, it decides as one that is linked in and one behind
// the codec do that begin then and are given the same.
func TestHeirsDecideTheSame(t *testing.T) {
	for _, c := range heirs {
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			w := plugintest.NewWorld(t, 7, 1, 12)
			env := vis.Env{TickRate: 64, Seed: 5, Settings: c.set, World: w.Trace}
			cfg, _ := config(t, "policy")
			cfg.Path, cfg.Wait = filepath.Join(bins, c.file), true
			p := startPolicy(t, host.PolicyConfig{
				Config: cfg, Seed: 5, Settings: c.set, Fallback: linked(t, c.spec, env), Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level),
			})
			var inline vis.Decider
			var coded *host.CodedPolicy
			given, begun, compared := 0, false, 0
			for tick := 1; tick <= 120; tick++ {
				if tick == 40 {
					kill(t, p.Stats().PID, syscall.SIGKILL)
					eventually(t, 30*time.Second, "another process", func() bool { s := p.Stats(); return s.Restarts == 1 && s.State == "up" })
					inline, coded = vis.Inline(linked(t, c.spec, env)), &host.CodedPolicy{Policy: linked(t, c.spec, env)}
				}
				in := w.Step()
				stands := p.Stands(in)
				p.Submit(in)
				a := p.Collect()
				if tick < 40 {
					continue
				}
				if !begun {
					in.Standing = stands
					given += len(stands)
				}
				inline.Submit(in)
				coded.Submit(in)
				in.Standing = nil
				begun = begun || a.Source == vis.FromPolicy
				if begun {
					compared++
					same(t, "linked in", inline.Collect(), a)
					same(t, "codec", coded.Collect(), a)
				}
			}
			if coded.Err != nil || compared < 60 || given == 0 {
				t.Errorf("says nothing: %d ticks, %d pairs taken over, %v", compared, given, coded.Err)
			}
		})
	}
}

// corner is two players of the room: one sees the other for some ticks, who then is
// behind the wall.
func corner(in *vis.Input, tick, gone state.Tick) *vis.Input {
	const unit = 1 / float32(level.UnitsPerMetre)
	in.Reset(tick, 64)
	in.Seed = 5
	for i, at := range []vec.V3{{X: -300, Y: -320}, {X: 300, Y: -320}} {
		if i == 1 && tick >= gone {
			at = vec.V3{X: 300, Y: 150}
		}
		s := vis.Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: at.Scale(unit)}
		s.Eye, s.Chest = s.Pos.Add(vec.V3{Z: 1.6}), s.Pos.Add(vec.V3{Z: 1.1})
		s.Box = vec.Box{Min: s.Pos.Add(vec.V3{X: -.4, Y: -.4}), Max: s.Pos.Add(vec.V3{X: .4, Y: .4, Z: 1.8})}
		in.Subjects = append(in.Subjects, s)
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: s.ID, RTTms: 40, RenderMS: 47, BufferMS: 16, SendTicks: 1})
	}
	vis.Candidates(in, 0)
	return in
}

// TestHoldsOutliveTheirProcess: somebody who has just gone behind a wall stays known for
// as long as the policy's hold says, whether its process goes on, is killed and comes
// back, is replaced by another one or by the one that stood by; not a tick shorter and
// not a tick longer. One that remembers by itself and takes nothing over as well.
func TestHoldsOutliveTheirProcess(t *testing.T) {
	name, data, lv := room(t)
	const gone, when, end = 20, 24, 70
	// known is when the second player was known to the first, of the ticks to the end.
	known := func(t *testing.T, d vis.Decider, each func(tick state.Tick)) (out string) {
		t.Helper()
		var in vis.Input
		for tick := state.Tick(1); tick < end; tick++ {
			if each != nil {
				each(tick)
			}
			d.Submit(corner(&in, tick, gone))
			out += map[bool]string{true: "+", false: "-"}[d.Collect().Permitted(0, 1)]
		}
		return out
	}
	run := func(t *testing.T, file, mode string, set vis.Settings, fallback func() vis.Policy) {
		start := func() *host.Policy {
			cfg, _ := config(t, mode)
			cfg.Path, cfg.Wait = filepath.Join(bins, file), true
			pc := host.PolicyConfig{Config: cfg, Seed: 5, Settings: set, Fallback: fallback()}
			if mode == "policy" {
				pc.Level = host.LevelOf(name, data, level.Options{}, lv)
			}
			p, err := host.StartPolicy(t.Context(), pc)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		stage := func() *host.Stage {
			s := host.NewStage(start(), file)
			t.Cleanup(s.Close)
			return s
		}
		const lag = 13 // half of the hold
		s := stage()
		want := known(t, s, nil)
		last := len(strings.TrimRight(want, "-"))
		if want[when-1] != '+' || last == end-1 {
			t.Fatalf("says nothing: %s", want)
		}
		s = stage()
		if got := known(t, s, func(tick state.Tick) {
			if tick == when {
				kill(t, s.Stats().PID, syscall.SIGKILL)
				eventually(t, 30*time.Second, "another process", func() bool { st := s.Stats(); return st.Restarts == 1 && st.State == "up" })
			}
		}); got != want {
			t.Errorf("killed:\n%s, want\n%s", got, want)
		}
		s = stage()
		if got := known(t, s, func(tick state.Tick) {
			if tick == 6 { // and decides after sixteen ticks
				s.Switch(start(), "again", nil)
			}
		}); len(strings.TrimRight(got, "-")) < last || strings.Contains(strings.TrimRight(got, "-"), "-") || len(strings.TrimRight(got, "-")) > last+lag {
			// It looks again in other ticks than the first, and so may have looked later.
			t.Errorf("switched:\n%s, want\n%s", got, want)
		}
		s = stage()
		if got := known(t, s, func(tick state.Tick) {
			switch tick {
			case gone + 3: // after the two were last seen together
				s.Standby(start())
			case when:
				kill(t, s.Stats().PID, syscall.SIGKILL)
			}
		}); got != want {
			t.Errorf("stood by:\n%s, want\n%s", got, want)
		}
	}
	nobody := func() vis.Policy { return nil }
	for _, c := range heirs {
		if c.file == "policy-open" || c.file == "policy-pvs" { // to whom nobody of this room is hidden
			continue
		}
		t.Run(c.spec.Name, func(t *testing.T) {
			t.Parallel()
			run(t, c.file, "policy", c.set, func() vis.Policy {
				return linked(t, c.spec, vis.Env{TickRate: 64, Seed: 5, World: trace.New(lv), Settings: c.set})
			})
		})
	}
	t.Run("one that takes nothing over", func(t *testing.T) {
		t.Parallel()
		run(t, "plugin", "remembers", nil, nobody)
	})
}

// TestNothingIsTakenOverOfAnotherBody: whose body is another one now, by death and
// respawn or by a teleport, is not held by what was said of the one before.
func TestNothingIsTakenOverOfAnotherBody(t *testing.T) {
	name, data, lv := room(t)
	for _, mode := range []string{"policy", "remembers"} {
		t.Run(fmt.Sprint(mode), func(t *testing.T) {
			t.Parallel()
			cfg, _ := config(t, mode)
			cfg.Wait = true
			pc := host.PolicyConfig{Config: cfg}
			if mode == "policy" {
				pc.Path, pc.Settings, pc.Level = filepath.Join(bins, "policy-deaddrop"), vis.Settings{"hold_ms": 400}, host.LevelOf(name, data, level.Options{}, lv)
			}
			p := startPolicy(t, pc)
			var in vis.Input
			for tick := state.Tick(1); tick < 40; tick++ {
				if tick == 22 {
					kill(t, p.Stats().PID, syscall.SIGKILL)
					eventually(t, 30*time.Second, "another process", func() bool { s := p.Stats(); return s.Restarts == 1 && s.State == "up" })
				}
				corner(&in, tick, 20)
				if tick >= 22 {
					in.Subjects[1].Teleports++
				}
				p.Submit(&in)
				if a := p.Collect(); mode == "policy" && tick == 21 && !a.Permitted(0, 1) {
					t.Error("not held before")
				} else if mode == "policy" && tick >= 22 && a.Permitted(0, 1) {
					t.Fatalf("tick %d: held, for reason %v", tick, a.Reason[1])
				}
			}
			if p.Stats().FromPolicy < 30 {
				t.Errorf("%+v", p.Stats())
			}
		})
	}
}
