package desktop_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

var showAll = desktop.ShowCandidates | desktop.ShowWithheld | desktop.ShowRays | desktop.ShowCones | desktop.ShowSmokes

func calls(id state.ID) string {
	return [...]string{"", "Ada", "Bob", "Cleo", "Dido", "Euler", "Fermat", "Gauss", "Hopper"}[min(int(id), 8)]
}

// knows is what the viewer of a picture knows of players on the level's spawns and of
// two in front of it: who is in sight is told of, the farthest was no candidate. It is
// an eighth of a second later than the answers began.
func knows(t testing.TB, l *level.Level, w *trace.World, v *desktop.View) *server.Insight {
	t.Helper()
	sight := vis.NewSight(w, 64)
	var in vis.Input
	var ans vis.Answer
	var n server.Insight
	set := tables.Arena()
	for _, tick := range []state.Tick{1000, 1001, 1008} {
		in.Reset(tick, 64)
		add := func(id state.ID, at vec.V3, yaw float32) {
			half := vec.V3{X: 0.3, Y: 0.3}
			in.Subjects = append(in.Subjects, vis.Subject{
				ID: id, Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at.Add(vec.V3{Z: set.Movement.StandEye}), Chest: at.Add(vec.V3{Z: 1.1}),
				Box: vec.Box{Min: at.Sub(half), Max: at.Add(half).Add(vec.V3{Z: 1.78})}, Yaw: yaw, Aiming: id == 1,
			})
		}
		add(1, v.Own.Pos, v.Yaw)
		e := enemy(v, 2, 9, 8)
		add(2, e.At, e.YawDeg)
		e = enemy(v, 3, 14, -12)
		add(3, e.At, e.YawDeg)
		e = enemy(v, 4, 7, 30)
		add(4, e.At, e.YawDeg)
		for i := 2; i <= 5 && i < len(l.Spawns); i++ {
			s := l.Spawns[i*len(l.Spawns)/6]
			add(state.ID(3+i), s.Pos, s.Yaw)
		}
		in.Viewers = append(in.Viewers, vis.Viewer{ID: 1, RTTms: 50, RenderMS: 60, Scope: vis.Scope{Magnification: 4, HalfDeg: 11, RangeM: 300, TurnDPS: 60, Since: tick - 30, Last: tick}})
		in.Smokes = append(in.Smokes, state.Smoke{ID: state.FirstThing, Pos: v.Eye.Mad(8, vec.Forward(v.Yaw-28, 0)), Start: tick - 300, Radius: 3 * 256})
		in.SizeAsked()
		sight.Take(&in)
		ans.Reset(&in)
		for s := 1; s < len(in.Subjects); s++ {
			if s == len(in.Subjects)-1 {
				continue // out of range
			}
			in.Ask(0, s)
			if s != 3 && sight.Clear(in.Subjects[0].Eye, in.Subjects[s].Eye) {
				ans.Allow(0, s, vis.EyeEye, tick, 0)
			}
		}
		vis.Gate(&in, &ans)
		if !n.Take(&in, &ans, 1, sight) {
			t.Fatal("there is no such viewer")
		}
	}
	return &n
}

// Everything that is shown can be told apart in the picture, in the world and from
// above.
func TestInsightIsLegible(t *testing.T) {
	l := shipped(t, "pit")
	tw := trace.New(l)
	w := desktop.BuildWorld(l, desktop.Art{})
	width, height := 640, 360
	if *keep != "" {
		width, height = 1280, 720
	}
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(w); err != nil {
			return err
		}
		var st desktop.Stage
		var f scene.Frame
		st.Reset()
		v := view(l, tw, 0)
		v.Others = append(v.Others, enemy(v, 2, 9, 8))
		n := knows(t, l, tw, v)
		f.HUD.Resize(width, height)
		for range 20 {
			st.Build(&f, v)
		}
		plain, err := r.Screenshot(&f, width, height)
		if err != nil {
			return err
		}
		st.Build(&f, v)
		desktop.DrawInsight(&f, width, height, n, showAll, calls)
		img, err := r.Screenshot(&f, width, height)
		if err != nil {
			return err
		}
		look(t, "insight", img)
		amber := func(r, g, b int) bool { return r > 180 && g > 100 && r > b+70 && r > g+20 }
		green := func(r, g, b int) bool { return g > 150 && g > r+60 && g > b+40 }
		red := func(r, g, b int) bool { return r > 150 && r > g+60 && r > b+60 }
		blue := func(r, g, b int) bool { return b > 180 && b > r+50 }
		for what, is := range map[string]func(r, g, b int) bool{"told, amber": amber, "clear lines, green": green, "blocked lines, red": red, "the cone, blue": blue} {
			if k := count(img, plain, is); k < 40 {
				t.Errorf("%s: %d pixels", what, k)
			} else {
				t.Logf("%s: %d pixels", what, k)
			}
		}

		var a desktop.Above
		for range 20 {
			a.Plan(v.Scene, l.Bounds, n, 0)
		}
		st.Build(&f, v)
		a.DrawAbove(&f.HUD, n, 32, 128, calls)
		if img, err = r.Screenshot(&f, width, height); err != nil {
			return err
		}
		look(t, "above", img)
		if *keep != "" { // docs/fog.png
			st.Build(&f, v)
			desktop.DrawInsight(&f, width, height, n, showAll, calls)
			a.DrawAbove(&f.HUD, n, 32, 128, calls)
			both, err := r.Screenshot(&f, width, height)
			if err != nil {
				return err
			}
			look(t, "fog", both)
		}
		stone := func(r, g, b int) bool { return r < 40 && g < 40 && b < 44 }
		least := 20 // of a picture of 640 by 360
		if *keep != "" {
			least = 40
		}
		for what, is := range map[string]func(r, g, b int) bool{"told, amber": amber, "clear lines, green": green, "blocked lines, red": func(r, g, b int) bool { return r > g+25 && r > b+25 && r < 200 }, "stone": stone} {
			if k := count(img, plain, is); k < least {
				t.Errorf("from above, %s: %d pixels", what, k)
			}
		}
		return nil
	})
}

// What is said of each candidate is why it is told of or not, and since when.
func TestInsightSaysWhy(t *testing.T) {
	l := shipped(t, "pit")
	tw := trace.New(l)
	v := view(l, tw, 0)
	n := knows(t, l, tw, v)
	var f scene.Frame
	var st desktop.Stage
	f.HUD.Resize(1280, 720)
	st.Build(&f, v)
	desktop.DrawInsight(&f, 1280, 720, n, showAll, calls)
	said := texts(&f)
	for _, want := range []string{"vis.draw: Ada is told of 1 of 7 others, by the policy's word", "Bob 8.4 m", "eye-eye 0.1 s", "Cleo 9.3 m", "behind smoke 0.1 s", "clear line, untested 0.1 s", "smoke, 3.0 m round", "cone \u00d74.0, \u00b1", "to 300 m"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	whys := map[server.Why]int{}
	for i := range n.Bodies {
		whys[n.Bodies[i].Why]++
	}
	if whys[server.WhyTold] == 0 || whys[server.WhyLine] == 0 || whys[server.WhyRange] != 1 || whys[server.WhyYet] != 1 || whys[server.WhySmoke] != 1 {
		t.Errorf("%v", whys)
	}

	// One bit shows one thing.
	one := func(s desktop.Showing) (lines int, said string) {
		f.Reset()
		st.Build(&f, v)
		was := len(f.Lines)
		desktop.DrawInsight(&f, 1280, 720, n, s, calls)
		return len(f.Lines) - was, texts(&f)
	}
	if lines, said := one(desktop.ShowCandidates); lines != 0 || !strings.Contains(said, "eye-eye") || strings.Contains(said, "untested") {
		t.Errorf("%d lines\n%s", lines, said)
	}
	if lines, said := one(desktop.ShowWithheld); lines != 0 || strings.Contains(said, "eye-eye") || !strings.Contains(said, "untested") {
		t.Errorf("%d lines\n%s", lines, said)
	}
	if lines, said := one(desktop.ShowSmokes); lines != 3*28 || !strings.Contains(said, "smoke") || strings.Contains(said, "Bob") {
		t.Errorf("%d lines\n%s", lines, said)
	}
	// On and steady it allocates nothing either.
	var a desktop.Above
	for range 20 {
		a.Plan(v.Scene, l.Bounds, n, 0)
	}
	if k := testing.AllocsPerRun(20, func() {
		f.Reset()
		desktop.DrawInsight(&f, 1280, 720, n, showAll, calls)
		a.Plan(v.Scene, l.Bounds, n, 0)
		a.DrawAbove(&f.HUD, n, 32, 128, calls)
	}); k != 0 {
		t.Errorf("%v allocations a frame", k)
	}
}

// A server that is somebody else's has no insight to give: asking says so in a sentence,
// nothing is drawn, and nobody is asked. On an own server the words are obeyed.
func TestInsightIsForWhoRunsTheServer(t *testing.T) {
	said, _, above := desktop.Asked(nil, "vis.draw candidates rays", "vis.above", "vis.above Bob")
	if strings.Count(said, "only a server of your own tells what it withholds") != 3 || above || strings.Contains(said, "drawn") {
		t.Errorf("%v %s", above, said)
	}
	own := func(*server.Insight, state.ID) bool { return false }
	said, show, above := desktop.Asked(own, "vis.draw candidates rays", "vis.above")
	if strings.TrimSpace(said) != "" || show != desktop.ShowCandidates|desktop.ShowRays || !above {
		t.Errorf("%v %v %s", show, above, said)
	}
	if _, _, above = desktop.Asked(own, "vis.above", "vis.above"); above {
		t.Error("again does not take it away")
	}
	if _, show, _ = desktop.Asked(own, "vis.draw all"); show != showAll {
		t.Errorf("%v", show)
	}
	if said, show, _ = desktop.Asked(own, "vis.draw walls"); show != 0 || !strings.Contains(said, `"walls" is nothing to show: there are candidates, withheld, rays, cones, smokes, and all`) {
		t.Errorf("%v %s", show, said)
	}
}

// While nothing is shown the server is not even asked.
func TestInsightCostsNothingWhenOff(t *testing.T) {
	if n := desktop.OffAllocs(); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGroundPlan(b *testing.B) {
	l := shipped(b, "pit")
	tw := trace.New(l)
	v := view(l, tw, 0)
	n := knows(b, l, tw, v)
	for range b.N {
		var a desktop.Above
		a.Plan(v.Scene, l.Bounds, n, 0)
	}
}
