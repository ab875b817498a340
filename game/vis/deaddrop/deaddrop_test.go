package deaddrop_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
)

const unit = float32(1) / level.UnitsPerMetre

// r2 is the sealed hall with a divider whose doorway is y 64..256.
func r2(t *testing.T) *level.Level {
	t.Helper()
	raw, err := os.ReadFile("../../level/testdata/r2.map")
	if err != nil {
		t.Fatal(err)
	}
	l, err := mapfile.Parse("r2", raw, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// boxes is a floor with boxes on it, in map units.
func boxes(t *testing.T, door *level.Door, parts ...part) *level.Level {
	t.Helper()
	b := level.NewBuilder("boxes")
	b.SetUnit(unit)
	add := func(model int, p part) {
		if err := b.AddBox(model, vec.Box{Min: p.min, Max: p.max}, p.contents, "t"); err != nil {
			t.Fatal(err)
		}
	}
	add(0, part{vec.V3{X: -600, Y: -600, Z: -16}, vec.V3{X: 600, Y: 600}, level.Solid})
	for _, p := range parts {
		m := 0
		if p.contents == doorPart {
			var err error
			if m, err = b.Model(); err != nil {
				t.Fatal(err)
			}
			door.Model = m
			p.contents = level.Solid
		}
		add(m, p)
	}
	l := b.Build()
	if door != nil {
		l.Doors = append(l.Doors, *door)
	}
	return l
}

type part struct {
	min, max vec.V3
	contents level.Contents
}

const doorPart = level.Contents(1 << 31)

// game runs the policy tick by tick.
type game struct {
	t   *testing.T
	dec vis.Decider
	in  vis.Input
	ans *vis.Answer
}

func newGame(t *testing.T, l *level.Level, set vis.Settings) *game {
	t.Helper()
	p, err := deaddrop.New(vis.Env{World: trace.New(l), TickRate: 64, Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	g := &game{t: t, dec: vis.Inline(p)}
	g.in.Reset(1, 64)
	return g
}

// player adds a standing player at feet given in map units.
func (g *game) player(id state.ID, x, y, z float32) *vis.Subject {
	g.in.Subjects = append(g.in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true})
	i := len(g.in.Subjects) - 1
	g.in.Viewers = append(g.in.Viewers, vis.Viewer{Subject: i, ID: id})
	place(&g.in.Subjects[i], x, y, z)
	return &g.in.Subjects[i]
}

func place(s *vis.Subject, x, y, z float32) {
	at := func(up float32) vec.V3 { return vec.V3{X: x, Y: y, Z: z + up}.Scale(unit) }
	s.Pos, s.Eye, s.Chest = at(0.01), at(58), at(40)
	s.Box = vec.Box{Min: vec.V3{X: x - 15, Y: y - 15, Z: z}.Scale(unit), Max: vec.V3{X: x + 15, Y: y + 15, Z: z + 56}.Scale(unit)}
}

// tick decides the next tick.
func (g *game) tick() {
	g.in.Tick++
	vis.Candidates(&g.in, vis.DefaultRange)
	g.dec.Submit(&g.in)
	g.ans = g.dec.Collect()
	vis.Gate(&g.in, g.ans)
}

// sees decides a tick and expects viewer 0's answer about subject 1, and the same
// the other way round.
func (g *game) sees(want vis.Reason) {
	g.t.Helper()
	g.tick()
	if got := g.ans.Reason[1]; got != want || g.ans.Permitted(0, 1) != (want != vis.Hidden) {
		g.t.Errorf("tick %d: %v, want %v", g.in.Tick, got, want)
	}
	if len(g.in.Viewers) > 1 && g.ans.Permitted(0, 1) != g.ans.Permitted(1, 0) {
		g.t.Errorf("tick %d: not the same both ways", g.in.Tick)
	}
}

func TestEyesThroughTheDoorway(t *testing.T) {
	l := r2(t)
	for _, c := range []struct {
		y    float32
		want vis.Reason
	}{{-128, vis.Hidden}, {160, vis.EyeEye}} {
		g := newGame(t, l, nil)
		g.player(1, -384, c.y, 0)
		g.player(2, 384, c.y, 0)
		g.sees(c.want)
	}
}

// TestRoundTheCorner runs past the divider's end: the eyes clear at y = 97.
func TestRoundTheCorner(t *testing.T) {
	g := newGame(t, r2(t), vis.Settings{"hold_ms": 0, "near_m": 0})
	g.player(1, 384, -192, 0)
	g.player(2, -40, 0, 0)
	for y := float32(90); y < 106; y++ {
		place(&g.in.Subjects[1], -40, y, 0)
		want := vis.Hidden
		if y > 97.5 {
			want = vis.EyeEye
		}
		if y != 97 && y != 98 {
			g.sees(want)
		}
	}
}

func TestChestOverTheEdge(t *testing.T) {
	// A lintel hides the eyes of one who stands higher from one who stands lower,
	// but not the chest.
	g := newGame(t, boxes(t, nil, part{vec.V3{X: -4, Y: -300, Z: 64}, vec.V3{X: 4, Y: 300, Z: 300}, level.Solid}), nil)
	g.player(1, -100, 0, 0)
	g.player(2, 100, 0, 20)
	g.sees(vis.EyeChest)
	if r := g.ans.Reason[g.ans.Subjects]; r != vis.ChestEye {
		t.Errorf("the other way round: %v", r)
	}
}

// TestWhatCanBeSeenThroughNeverHides is about glass and clip brushes (O-15, T07).
func TestWhatCanBeSeenThroughNeverHides(t *testing.T) {
	var panes []part
	for i := range 9 {
		x := -100 + 16*float32(i)
		panes = append(panes, part{vec.V3{X: x, Y: -300}, vec.V3{X: x + 2, Y: 300, Z: 300}, level.Glass})
	}
	clip := part{vec.V3{X: 50, Y: -300}, vec.V3{X: 60, Y: 300, Z: 300}, level.PlayerClip}
	water := part{vec.V3{X: 70, Y: -300}, vec.V3{X: 80, Y: 300, Z: 300}, level.Water}
	wall := part{vec.V3{X: 90, Y: -300}, vec.V3{X: 92, Y: 300, Z: 300}, level.Solid}
	crate := part{vec.V3{X: -20, Y: -64}, vec.V3{X: 20, Y: 64, Z: 40}, level.Solid}
	for name, c := range map[string]struct {
		parts []part
		want  vis.Reason
	}{
		"glass":             {panes, vis.EyeEye},
		"clip and water":    {[]part{clip, water}, vis.EyeEye},
		"clip and a wall":   {[]part{clip, wall}, vis.Hidden},
		"heads over crates": {[]part{crate, clip}, vis.EyeEye},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, boxes(t, nil, c.parts...), nil)
			g.player(1, -200, 0, 0)
			g.player(2, 200, 0, 0)
			g.sees(c.want)
		})
	}
}

// TestADoorBlocksOnlyWhenClosed opens and closes one (T08).
func TestADoorBlocksOnlyWhenClosed(t *testing.T) {
	door := level.Door{Move: vec.V3{Y: 64 * unit}, Speed: 2}
	l := boxes(t, &door,
		part{vec.V3{Y: -600}, vec.V3{X: 8, Y: -32, Z: 300}, level.Solid}, part{vec.V3{Y: 32}, vec.V3{X: 8, Y: 600, Z: 300}, level.Solid},
		part{vec.V3{X: 2, Y: -32}, vec.V3{X: 6, Y: 32, Z: 300}, doorPart})
	g := newGame(t, l, vis.Settings{"hold_ms": 0})
	g.player(1, -200, 0, 0)
	g.player(2, 200, 0, 0)
	g.sees(vis.Hidden) // no state: closed
	g.in.Doors = append(g.in.Doors, state.DoorState{})
	g.sees(vis.Hidden)
	g.in.Doors[0] = state.DoorState{Open: true, Start: g.in.Tick + 1}
	g.sees(vis.Hidden) // told to open in this tick, and still closed
	g.sees(vis.EyeEye)
	g.in.Doors[0] = state.DoorState{Open: false, Start: g.in.Tick + 1, From: 600} // parked just ajar
	g.sees(vis.EyeEye)
	for range 64 {
		g.tick()
	}
	g.sees(vis.Hidden)
}

// TestEdgesOfTheBodyAreLookedFor is the same way with the whole of the body: the
// lines beside the direct one clear while eyes and chests are still hidden.
func TestEdgesOfTheBodyAreLookedFor(t *testing.T) {
	g := newGame(t, r2(t), vis.Settings{"hold_ms": 0})
	g.player(1, 384, -192, 0)
	g.player(2, -40, 0, 0)
	first := map[vis.Reason]float32{}
	for y := float32(60); y < 106; y++ {
		place(&g.in.Subjects[1], -40, y, 0)
		g.tick()
		r := g.ans.Reason[1]
		if _, ok := first[r]; !ok {
			first[r] = y
		}
		if y > 97.5 && r == vis.Hidden {
			t.Errorf("hidden at %v", y)
		}
	}
	if y := first[vis.Shifted]; y < 75 || y > 90 || first[vis.Hidden] != 60 {
		t.Errorf("shifted lines clear at %v: %v", y, first)
	}
}

// TestFeetAndSlits has what hides eyes and chests, and not the body (T04, T05).
func TestFeetAndSlits(t *testing.T) {
	for name, c := range map[string]struct {
		parts []part
		want  vis.Reason
	}{
		"shins":       {[]part{{vec.V3{X: 24, Y: -500, Z: 20}, vec.V3{X: 32, Y: 500, Z: 256}, level.Solid}}, vis.Body},
		"slit":        {[]part{{vec.V3{X: 24, Y: -500}, vec.V3{X: 32, Y: -6, Z: 256}, level.Solid}, {vec.V3{X: 24, Y: 6}, vec.V3{X: 32, Y: 500, Z: 256}, level.Solid}}, vis.EyeEye},
		"slit beside": {[]part{{vec.V3{X: 24, Y: -500}, vec.V3{X: 32, Y: 9, Z: 256}, level.Solid}, {vec.V3{X: 24, Y: 16}, vec.V3{X: 32, Y: 500, Z: 256}, level.Solid}}, vis.Shifted},
		"closed":      {[]part{{vec.V3{X: 24, Y: -500}, vec.V3{X: 32, Y: 500, Z: 256}, level.Solid}}, vis.Hidden},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, boxes(t, nil, c.parts...), nil)
			g.player(1, -256, 0, 0)
			g.player(2, 64, 0, 0)
			g.sees(c.want)
		})
	}
}

// TestWhoComesIsExpected runs towards the corner: the two are sent before they see
// each other, by about the horizon, and no sooner for one with a short line.
func TestWhoComesIsExpected(t *testing.T) {
	const speed = 4 // units a tick: 8 m/s
	sent := func(rtt float32) float32 {
		g := newGame(t, r2(t), vis.Settings{"hold_ms": 0, "near_m": 0})
		g.player(1, 384, -192, 0)
		g.player(2, -40, 0, 0)
		g.in.Viewers[0].RTTms, g.in.Viewers[1].RTTms = rtt, 0
		for y := float32(-100); y < 106; y += speed {
			place(&g.in.Subjects[1], -40, y, 0)
			g.in.Subjects[1].Vel = vec.V3{Y: speed * 64 * unit}
			g.tick()
			if g.ans.Permitted(0, 1) != g.ans.Permitted(1, 0) {
				t.Fatalf("y %v: not the same both ways", y)
			}
			if g.ans.Permitted(0, 1) {
				return y
			}
		}
		return 200
	}
	for _, rtt := range []float32{0, 60, 150, 600} {
		ms := min(rtt+1000.0/64, 250)
		want := 97 - ms/1000*64*speed
		if y := sent(rtt); y < want-1 || y > want+speed+1 {
			t.Errorf("with %v ms: sent at y = %v, want %v", rtt, y, want)
		}
	}
	// Nobody is expected behind a wall.
	wall := part{vec.V3{X: -300, Y: 60}, vec.V3{X: 300, Y: 64, Z: 300}, level.Solid}
	divider := part{vec.V3{X: -4, Y: -300}, vec.V3{X: 4, Y: 64, Z: 300}, level.Solid}
	g := newGame(t, boxes(t, nil, wall, divider), vis.Settings{"near_m": 0})
	g.player(1, 100, 200, 0)
	g.player(2, -100, 40, 0)
	g.in.Viewers[0].RTTms = 250
	g.in.Subjects[1].Vel = vec.V3{Y: 256 * unit}
	g.sees(vis.Hidden)
}

func TestHoldLastsAsLongAsItSays(t *testing.T) {
	g := newGame(t, r2(t), nil) // 200 ms are 12.8 ticks: 13
	g.player(1, -384, 160, 0)
	g.player(2, 384, 160, 0)
	g.sees(vis.EyeEye)
	place(&g.in.Subjects[1], 384, -128, 0)
	for range 13 {
		g.tick()
		if !g.ans.Permitted(0, 1) {
			t.Fatalf("tick %d: hidden", g.in.Tick)
		}
	}
	if r := g.ans.Reason[1]; r != vis.Held {
		t.Errorf("at the end: %v", r)
	}
	g.sees(vis.Hidden)
}

func TestHoldEndsWithTheBody(t *testing.T) {
	for name, change := range map[string]func(s *vis.Subject){
		"teleport": func(s *vis.Subject) { s.Teleports++ },
		"death and return": func(s *vis.Subject) {
			s.Teleports++
		},
		"another with the same id": func(s *vis.Subject) { s.Kind = state.KindCorpse },
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, r2(t), nil)
			g.player(1, -384, 160, 0)
			g.player(2, 384, 160, 0)
			g.sees(vis.EyeEye)
			change(&g.in.Subjects[1])
			place(&g.in.Subjects[1], 384, -128, 0)
			g.sees(vis.Hidden)
		})
	}
	// Leaving and coming back, and dying in between.
	g := newGame(t, r2(t), nil)
	g.player(1, -384, 160, 0)
	g.player(2, 384, 160, 0)
	g.sees(vis.EyeEye)
	subjects, viewers := g.in.Subjects, g.in.Viewers
	g.in.Subjects, g.in.Viewers = subjects[:1], viewers[:1]
	g.tick()
	g.in.Subjects, g.in.Viewers = subjects, viewers
	place(&g.in.Subjects[1], 384, -128, 0)
	g.sees(vis.Hidden)
	place(&g.in.Subjects[1], 384, 160, 0)
	g.sees(vis.EyeEye)
	g.in.Subjects[1].Alive = false
	g.sees(vis.Hidden)
	g.in.Subjects[1].Alive = true
	place(&g.in.Subjects[1], 384, -128, 0)
	g.sees(vis.Hidden)
}

// TestMemoryFollowsTheID moves rows and columns while a pair is held.
func TestMemoryFollowsTheID(t *testing.T) {
	g := newGame(t, r2(t), nil)
	g.player(1, -384, 160, 0)
	g.player(2, 384, 160, 0)
	g.player(3, 384, -128, 0)
	g.tick()
	s, v := g.in.Subjects, g.in.Viewers
	g.in.Subjects = []vis.Subject{s[2], s[1], s[0]}
	g.in.Viewers = []vis.Viewer{{Subject: 2, ID: 1}, {Subject: 0, ID: 3}, {Subject: 1, ID: 2}}
	_ = v
	place(&g.in.Subjects[1], 384, -100, 0) // 2 goes behind the divider
	for range 10 {
		g.tick()
	}
	if r := g.ans.Reason[1]; r != vis.Held {
		t.Errorf("1 of 2: %v", r)
	}
	if r := g.ans.Reason[0]; r != vis.Hidden {
		t.Errorf("1 of 3: %v", r)
	}
}

func TestArmsReachAndRange(t *testing.T) {
	wall := part{vec.V3{X: -2, Y: -300}, vec.V3{X: 2, Y: 300, Z: 300}, level.Solid}
	g := newGame(t, boxes(t, nil, wall), vis.Settings{"range_m": 10, "hold_ms": 0})
	g.player(1, -20, 0, 0)
	g.player(2, 20, 0, 0)
	g.sees(vis.ArmsReach)
	if g.ans.Rays != 0 {
		t.Errorf("%d rays", g.ans.Rays)
	}
	place(&g.in.Subjects[1], 30, 0, 0)
	g.sees(vis.Hidden)
	place(&g.in.Subjects[0], 0, -100, 0)
	place(&g.in.Subjects[0], 40, -100, 0)
	place(&g.in.Subjects[1], 40, 219, 0)
	g.sees(vis.EyeEye)
	place(&g.in.Subjects[1], 40, 221, 0)
	g.sees(vis.Hidden)
}

func TestTheFarAreToldOfMoreRarely(t *testing.T) {
	g := newGame(t, boxes(t, nil), vis.Settings{"mid_hz": 16, "far_hz": 4})
	g.player(1, 0, 0, 0)
	g.player(2, 0, 0, 0)
	for _, c := range []struct {
		m    float32
		want uint8
	}{{5, 0}, {59.9, 0}, {60.1, 2}, {149, 2}, {151, 8}, {349, 8}} {
		place(&g.in.Subjects[1], c.m/unit, 0, 0)
		for range 8 {
			g.tick()
		}
		if a, b := g.ans.Interval[1], g.ans.Interval[g.ans.Subjects]; a != c.want || b != c.want || !g.ans.Permitted(0, 1) {
			t.Errorf("at %v m: %d and %d, want %d", c.m, a, b, c.want)
		}
	}
}

// TestThingsFollowTheSameRule has a pickup on the floor and a rocket.
func TestThingsFollowTheSameRule(t *testing.T) {
	g := newGame(t, r2(t), vis.Settings{"hold_ms": 0})
	g.player(1, -384, 160, 0)
	thing := func(id state.ID, k state.Kind, x, y, z float32) {
		p := vec.V3{X: x, Y: y, Z: z}.Scale(unit)
		g.in.Subjects = append(g.in.Subjects, vis.Subject{ID: id, Kind: k, Alive: true, Pos: p, Eye: p, Chest: p,
			Box: vec.Box{Min: p.Sub(vec.V3{X: 0.3, Y: 0.3}), Max: p.Add(vec.V3{X: 0.3, Y: 0.3, Z: 0.6})}})
	}
	thing(1024, state.KindPickup, 384, 160, 0)
	thing(1025, state.KindPickup, 384, -128, 0)
	thing(1026, state.KindRocket, 300, 160, 100)
	g.tick()
	for i, want := range []bool{true, true, false, true} {
		if g.ans.Permitted(0, i) != want {
			t.Errorf("%d: %v", g.in.Subjects[i].ID, g.ans.Reason[i])
		}
	}
}

// TestSymmetryAndDeterminism runs random crowds twice.
func TestSymmetryAndDeterminism(t *testing.T) {
	l := r2(t)
	for seed := range uint64(20) {
		var first []vis.Reason
		for range 2 {
			r := vec.NewRand(seed)
			g := newGame(t, l, nil)
			for i := range 16 {
				g.player(state.ID(i+1), 0, 0, 0)
			}
			var all []vis.Reason
			for range 30 {
				for i := range g.in.Subjects {
					s := &g.in.Subjects[i]
					place(s, r.Signed()*480, r.Signed()*230, 0)
					s.Alive = r.Intn(20) > 0
					s.Team = uint8(r.Intn(3))
				}
				g.tick()
				all = append(all, g.ans.Reason...)
				for a := range g.in.Viewers {
					for b := range a {
						if g.in.Subjects[a].Alive && g.in.Subjects[b].Alive && g.ans.Permitted(a, b) != g.ans.Permitted(b, a) {
							t.Fatalf("seed %d: %d and %d", seed, a, b)
						}
					}
				}
			}
			if first == nil {
				first = all
			} else if fmt.Sprint(first) != fmt.Sprint(all) {
				t.Fatalf("seed %d: another answer the second time", seed)
			}
		}
	}
}

func TestDecidingDoesNotAllocate(t *testing.T) {
	r := vec.NewRand(1)
	g := newGame(t, r2(t), nil)
	for i := range 40 {
		g.player(state.ID(i+1), 0, 0, 0)
	}
	n := testing.AllocsPerRun(20, func() {
		for i := range g.in.Subjects {
			place(&g.in.Subjects[i], r.Signed()*480, r.Signed()*230, 0)
		}
		g.tick()
	})
	if n > 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	w := trace.New(r2(t))
	for _, set := range []vis.Settings{{"hold_ms": -1}, {"holdms": 1}, {"range_m": 1e9}} {
		if _, err := deaddrop.New(vis.Env{World: w, TickRate: 64, Settings: set}); err == nil {
			t.Errorf("%v is taken", set)
		}
	}
	if _, err := deaddrop.New(vis.Env{TickRate: 64}); err == nil {
		t.Error("no world is taken")
	}
	for _, s := range deaddrop.Spec().Schema {
		if s.Help == "" || s.Unit == "" || s.Default < s.Min || s.Default > s.Max {
			t.Errorf("setting %+v", s)
		}
	}
}

// BenchmarkDecide is a tick of 32 players in one hall.
func BenchmarkDecide(b *testing.B) {
	t := &testing.T{}
	r := vec.NewRand(1)
	g := newGame(t, r2(t), nil)
	for i := range 32 {
		g.player(state.ID(i+1), 0, 0, 0)
		place(&g.in.Subjects[i], r.Signed()*480, r.Signed()*230, 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		g.tick()
	}
	b.ReportMetric(float64(g.ans.Rays), "rays/tick")
}
