package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// range0 is a platform with a wall at y 20 to 21 m from x 10 m on, and nothing else.
func range0(t *testing.T) *trace.World {
	t.Helper()
	box := func(x0, y0, z0, x1, y1, z1 int) string {
		return fmt.Sprintf("{\n( %[1]d %[2]d %[3]d ) ( %[1]d %[8]d %[3]d ) ( %[1]d %[2]d %[9]d ) a 0 0 0 1 1\n"+
			"( %[1]d %[2]d %[3]d ) ( %[1]d %[2]d %[9]d ) ( %[7]d %[2]d %[3]d ) a 0 0 0 1 1\n"+
			"( %[1]d %[2]d %[3]d ) ( %[7]d %[2]d %[3]d ) ( %[1]d %[8]d %[3]d ) a 0 0 0 1 1\n"+
			"( %[4]d %[5]d %[6]d ) ( %[4]d %[10]d %[6]d ) ( %[11]d %[5]d %[6]d ) a 0 0 0 1 1\n"+
			"( %[4]d %[5]d %[6]d ) ( %[11]d %[5]d %[6]d ) ( %[4]d %[5]d %[12]d ) a 0 0 0 1 1\n"+
			"( %[4]d %[5]d %[6]d ) ( %[4]d %[5]d %[12]d ) ( %[4]d %[10]d %[6]d ) a 0 0 0 1 1\n}\n",
			x0, y0, z0, x1, y1, z1, x0+1, y0+1, z0+1, y1+1, x1+1, z1+1)
	}
	text := "{\n\"classname\" \"worldspawn\"\n" + box(-3200, -3200, -64, 3200, 3200, 0) + box(320, 640, 0, 3000, 672, 320) +
		"}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 24\"\n}\n"
	l, err := mapfile.Parse("range.map", []byte(text), level.Options{})
	if err != nil || len(l.Warnings) > 0 {
		t.Fatal(err, l.Warnings)
	}
	return trace.New(l)
}

const (
	laneShooter, laneTarget, bystander = state.ID(1), state.ID(2), state.ID(3)
	lastTick                           = 200
	ago                                = 9 // ticks that shots are seen ago
)

// lane is a shooting lane: 2 runs along x at 8 m/s, 30 m in front of 1, who stands.
type lane struct {
	t *testing.T
	w *trace.World
	j *scenario.Judge
	m scenario.Moment

	more []scenario.Body
}

func runner(tick float64) vec.V3 { return vec.V3{X: float32((tick - lastTick) * 8 / rate), Y: 30} }

func newLane(t *testing.T, w *trace.World, more ...scenario.Body) *lane {
	set := tables.Arena()
	l := &lane{t: t, w: w, j: scenario.NewJudge(w, &set, 4, rate), more: more}
	for tick := state.Tick(lastTick - 40); tick < lastTick; tick++ {
		l.moment(tick)
		l.j.Tick(&l.m)
	}
	l.moment(lastTick)
	return l
}

func (l *lane) moment(tick state.Tick) {
	l.m = scenario.Moment{Tick: tick, Bodies: []scenario.Body{
		{ID: laneShooter, Sample: rewind.Sample{Alive: true}, Lives: true, RTTms: 80},
		{ID: laneTarget, Sample: rewind.Sample{Pos: state.Quant(runner(float64(tick))), Alive: true}, Lives: true},
	}}
	l.m.Bodies = append(l.m.Bodies, l.more...)
}

// shot is an aim at where the target was so many ticks before, in the last tick, and
// the server's record of it.
func shot(seen float64, eye vec.V3) (scenario.Aim, sim.ShotRecord) {
	whole := state.Tick(seen)
	a := scenario.Aim{
		Shooter: laneShooter, Target: laneTarget, Tick: lastTick, Origin: eye,
		View: rewind.Time{Tick: lastTick - whole - 1, Frac: uint8((1 - (seen - float64(whole))) * 256)},
	}
	if seen == float64(whole) {
		a.View = rewind.Time{Tick: lastTick - whole}
	}
	a.Dir = runner(lastTick-seen).Mad(0.9, vec.Up).Sub(eye).Unit()
	r := sim.ShotRecord{
		Shooter: laneShooter, Weapon: tables.Rifle, Tick: lastTick, Claimed256: uint32(seen * 256), Used256: uint32(seen * 256),
		Result: sim.ShotPlayer, Target: laneTarget, Origin: a.Origin, Dir: a.Dir,
	}
	return a, r
}

// Each reason for which a shown hit is lost is told from the others.
func TestJudgeSaysWhyHitsAreLost(t *testing.T) {
	w := range0(t)
	eye := vec.V3{Z: 1.6}
	for _, c := range []struct {
		name   string
		eye    vec.V3
		change func(l *lane, a *scenario.Aim, r *sim.ShotRecord)
		want   scenario.Why
	}{
		{"agreed", eye, func(*lane, *scenario.Aim, *sim.ShotRecord) {}, scenario.WhyAgreed},
		{"capped", eye, func(_ *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Used256, r.Result, r.Target = 5*256, sim.ShotMiss, 0
		}, scenario.WhyCapped},
		{"clamped", eye, func(_ *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Claimed256, r.Used256, r.Result, r.Target = 5*256, 5*256, sim.ShotMiss, 0
		}, scenario.WhyClamped},
		{"target dead, as the server says", eye, func(_ *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Result = sim.ShotGone
		}, scenario.WhyTargetDead},
		{"target dead", eye, func(l *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Result, r.Target = sim.ShotMiss, 0
			l.m.Bodies[1].Lives = false
		}, scenario.WhyTargetDead},
		{"shooter dead", eye, func(l *lane, _ *scenario.Aim, _ *sim.ShotRecord) {
			l.m.Shots = nil
			l.m.Bodies[0].Sample.Alive = false
		}, scenario.WhyShooterDead},
		{"shooter spawned anew", eye, func(l *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			l.m.Bodies[0].Sample.Teleports = 3
			r.Origin.X += 20
			r.Result, r.Target = sim.ShotMiss, 0
		}, scenario.WhyShooterSent},
		{"starved", eye, func(l *lane, _ *scenario.Aim, _ *sim.ShotRecord) {
			l.m.Shots = nil
			l.m.Starved = []state.ID{laneShooter}
		}, scenario.WhyNotRun},
		{"not fired", eye, func(l *lane, _ *scenario.Aim, _ *sim.ShotRecord) { l.m.Shots = nil }, scenario.WhyNotFired},
		{"shooter elsewhere", eye, func(_ *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Origin.X += 2
			r.Result, r.Target = sim.ShotMiss, 0
		}, scenario.WhyShooterMoved},
		{"drawn elsewhere", eye, func(_ *lane, a *scenario.Aim, r *sim.ShotRecord) {
			a.Drawn = scenario.DrawnCarried
			a.Dir = runner(lastTick-ago).Mad(3, vec.Up).Sub(a.Origin).Unit()
			r.Dir, r.Result, r.Target = a.Dir, sim.ShotMiss, 0
		}, scenario.WhyDrawnCarried},
		{"wall", vec.V3{X: 50, Z: 1.6}, func(_ *lane, _ *scenario.Aim, r *sim.ShotRecord) {
			r.Result, r.Target = sim.ShotWorld, 0
		}, scenario.WhyBlocked},
		{"somebody else in the way", eye, func(l *lane, _ *scenario.Aim, r *sim.ShotRecord) { r.Target = bystander }, scenario.WhyOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLane(t, w)
			a, r := shot(ago, c.eye)
			if c.want == scenario.WhyOther {
				l = newLane(t, w, scenario.Body{ID: bystander, Lives: true, Sample: rewind.Sample{Alive: true, Pos: state.Quant(c.eye.Mad(5, a.Dir).Mad(-1.2, vec.Up))}})
			}
			l.m.Shots = []sim.ShotRecord{r}
			c.change(l, &a, &r)
			if l.m.Shots != nil {
				l.m.Shots[0] = r
			}
			l.j.Add([]scenario.Aim{a}, nil)
			l.j.Tick(&l.m)
			for why, n := range l.j.Why {
				if is := scenario.Why(why) == c.want; is && n != 1 || !is && n != 0 {
					t.Errorf("%d times %v, want one %v", n, scenario.Why(why), c.want)
				}
			}
		})
	}
}

// Wrong rewinds miss a target that runs across, and only they.
func TestJudgeTriesWrongRewinds(t *testing.T) {
	w := range0(t)
	agreed := [scenario.NumVariants]int{}
	const n = 32
	for k := range n {
		l := newLane(t, w)
		a, r := shot(ago+float64(k)/n, vec.V3{Z: 1.6})
		// Just inside the body's edge: the least error tells.
		at := runner(lastTick - ago - float64(k)/n)
		set := tables.Arena()
		for x := float32(0); ; x += 0.005 {
			to := at.Add(vec.V3{X: x + 0.015, Z: 0.9})
			if _, ok := hitbox.Ray(&set.Movement, hitbox.Pose{Pos: at}, a.Origin, a.Origin.Lerp(to, 2)); !ok {
				a.Dir = at.Add(vec.V3{X: x, Z: 0.9}).Sub(a.Origin).Unit()
				break
			}
		}
		r.Dir = a.Dir
		l.m.Shots = []sim.ShotRecord{r}
		l.j.Add([]scenario.Aim{a}, nil)
		l.j.Tick(&l.m)
		if l.j.Tested != 1 || l.j.Differs != 0 {
			t.Fatalf("%d tested, %d differ", l.j.Tested, l.j.Differs)
		}
		if v := l.j.Across[0]; v < 7.9 || v > 8.1 || l.j.Turn[0] < 14 || l.j.Turn[0] > 16 {
			t.Fatalf("it runs across at %g m/s, %g degrees/s", v, l.j.Turn[0])
		}
		for v := range agreed {
			agreed[v] += l.j.Agreed[v]
		}
	}
	t.Log(agreed)
	if agreed[scenario.VariantFull] != n || agreed[scenario.VariantLatency] != 0 || agreed[scenario.VariantNone] != 0 ||
		agreed[scenario.VariantNearest] == 0 || agreed[scenario.VariantNearest] == n {
		t.Errorf("of %d shots agreed %v", n, agreed)
	}
}

// What was drawn is compared with the truth at the very instant that was shown.
func TestJudgePlacesBySubtick(t *testing.T) {
	l := newLane(t, range0(t))
	at := func(tick state.Tick, frac uint8, off float32) scenario.Sighting {
		return scenario.Sighting{
			Viewer: laneShooter, Target: laneTarget, View: rewind.Time{Tick: tick, Frac: frac}, Near: true,
			At: runner(float64(tick) + float64(frac)/256).Add(vec.V3{Y: off}),
		}
	}
	jumped := at(lastTick-16, 0, 9)
	jumped.Drawn = scenario.DrawnEarly
	l.j.Add(nil, []scenario.Sighting{at(lastTick-19, 128, 0), at(lastTick-18, 64, 0.25), at(lastTick-16, 200, 1), jumped, at(lastTick-2, 10, 0)})
	for i := range l.m.Bodies {
		l.m.Bodies[i].Sample.Teleports = 7
	}
	l.j.Tick(&l.m)
	got := l.j.Near[scenario.DrawnBetween]
	if len(got) != 3 || got[0] > 0.6 || got[1] < 24.9 || got[1] > 25.6 || got[2] < 99.9 || got[2] > 100.6 {
		t.Errorf("off by %v cm", got)
	}
	if n := len(l.j.Near[scenario.DrawnJumped]); n != 1 {
		t.Errorf("%d drawn over a jump", n)
	}
}

// A soak that grows, drifts or leaks does not pass.
func TestSoakFindsWhatGrows(t *testing.T) {
	for name, c := range map[string]struct {
		grow func(s *scenario.Sample, n float64)
		good bool
		says string
	}{
		"nothing":    {func(*scenario.Sample, float64) {}, true, "flat; "},
		"resident":   {func(s *scenario.Sample, n float64) { s.RSSMiB += n }, false, "growing; "},
		"heap":       {func(s *scenario.Sample, n float64) { s.HeapMiB += n }, false, "growing; "},
		"drift":      {func(s *scenario.Sample, n float64) { s.Behind -= n / 8 }, false, "drifting; "},
		"goroutines": {func(s *scenario.Sample, n float64) { s.Goroutines += int(n / 5) }, false, "a leak"},
		"one error":  {func(s *scenario.Sample, n float64) { s.Errors = int(n / 29) }, false, "flat; "},
		"a dropout":  {func(s *scenario.Sample, n float64) { s.Playing = 6 - int(n/29) }, false, "flat; "},
	} {
		r := scenario.SoakReport{Players: 6}
		for n := range 30 {
			s := scenario.Sample{Seconds: float64(n), RSSMiB: 100 + float64(n%3), HeapMiB: 30 + float64(n%4), Goroutines: 5, Behind: 12 + float64(n%2)/4, Playing: 6}
			c.grow(&s, float64(n))
			r.Samples = append(r.Samples, s)
		}
		r.Judge()
		if r.Good() != c.good || !strings.Contains(r.Verdict, c.says) {
			t.Errorf("%s: good is %v: %s", name, r.Good(), r.Verdict)
		}
	}
}

// Twenty seconds of stepped time are looked at like half an hour.
func TestShortSoak(t *testing.T) {
	cfg := config(maps{}, "pit", 6)
	cfg.Seconds, cfg.Up, cfg.Down = 20, usual, usual
	n := 0
	r, err := scenario.Soak(scenario.SoakConfig{Config: cfg, Every: 2, Note: func(scenario.Sample) { n++ }})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Verdict)
	if !r.Good() || n != 10 {
		t.Errorf("%d samples: %+v", n, r)
	}
	if _, err := scenario.Soak(scenario.SoakConfig{Config: cfg, Every: 10}); err == nil || !strings.Contains(err.Error(), "three samples") {
		t.Error(err)
	}
}
