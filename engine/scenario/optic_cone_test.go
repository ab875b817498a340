package scenario_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// plainCone says whether a place is in a viewer's cone, in the words of the rule: how
// far it is inside the angle, in degrees, and inside the range, in metres.
func plainCone(in *vis.Input, v int, p vec.V3) (deg, metres float64, is bool) {
	w := &in.Viewers[v]
	s := &w.Scope
	gone := int64(int32(in.Tick - s.Last))
	if s.Magnification <= 1 || gone < 0 || gone > 32 || gone > int64(int32(s.Last-s.Since))+1 {
		return 0, 0, false
	}
	me := &in.Subjects[w.Subject]
	to := p.Sub(me.Eye)
	d := float64(to.Len())
	angle := math.Acos(min(max(float64(to.Dot(vec.Forward(me.Yaw, me.Pitch)))/d, -1), 1)) * 180 / math.Pi
	half := min(float64(s.HalfDeg)+float64(s.TurnDPS)*float64(w.RTTms+w.RenderMS)/1000+2, 60)
	// A body reaches two metres beyond its feet.
	return half - angle + math.Asin(min(2/d, 1))*180/math.Pi, float64(s.RangeM) + 2 - d, true
}

// TestPoliciesSendWhoIsInTheConeAndNobodyElse compares three policies in an open field
// with the rule in plain words: beyond the range who is in the viewer's cone, and no
// other. Intervals are those of the effective distance.
func TestPoliciesSendWhoIsInTheConeAndNobodyElse(t *testing.T) {
	const seed = 21
	b := level.NewBuilder("field")
	if err := b.AddBox(0, vec.Box{Min: vec.V3{X: -3000, Y: -3000, Z: -2}, Max: vec.V3{X: 3000, Y: 3000, Z: -1}}, level.Solid, "t"); err != nil {
		t.Fatal(err)
	}
	w := trace.New(b.Build())
	for _, spec := range []vis.Spec{deaddrop.Spec(), reach.Spec(), screen.Spec()} {
		t.Run(spec.Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			set, err := spec.Schema.Check(nil)
			if err != nil {
				t.Fatal(err)
			}
			coned, intervals := 0, 0
			for n := range 40 {
				pol, err := spec.New(vis.Env{World: w, TickRate: 64, Settings: set})
				if err != nil {
					t.Fatal(err)
				}
				in := &vis.Input{}
				in.Reset(uint32(rng.Uint32()), 64)
				for i := range 20 {
					at := vec.V3{X: rng.Float32()*1400 - 700, Y: rng.Float32()*1400 - 700}
					in.Subjects = append(in.Subjects, vis.Subject{
						ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: at, Eye: at.Add(vec.V3{Z: 1.6}), Chest: at.Add(vec.V3{Z: 1.1}),
						Box: vec.Box{Min: at.Add(vec.V3{X: -.5, Y: -.5}), Max: at.Add(vec.V3{X: .5, Y: .5, Z: 1.75})}, Yaw: rng.Float32()*360 - 180,
					})
					v := vis.Viewer{Subject: i, ID: state.ID(i + 1), RTTms: rng.Float32() * 200, RenderMS: rng.Float32() * 100}
					if rng.IntN(2) == 0 {
						since := in.Tick - uint32(rng.IntN(80))
						v.Scope = vis.Scope{Magnification: 8, HalfDeg: 5.625, RangeM: 1000, TurnDPS: 120, Since: since, Last: since + uint32(rng.IntN(int(in.Tick-since)+1))}
					}
					in.Viewers = append(in.Viewers, v)
				}
				vis.Candidates(in, vis.DefaultRange)
				var ans vis.Answer
				for range 3 { // the rays of one tick may not do for all
					ans.Reset(in)
					pol.Decide(in, &ans)
				}
				vis.Gate(in, &ans)
				for v := range in.Viewers {
					for s := range in.Subjects {
						if s == v {
							continue
						}
						a, o := &in.Subjects[v], &in.Subjects[s]
						d := float64(a.Pos.Dist(o.Pos))
						deg, metres, is := plainCone(in, v, o.Pos)
						if is && (math.Abs(deg) < 0.2 || math.Abs(metres) < 0.5) || math.Abs(d-vis.DefaultRange) < 0.1 {
							continue
						}
						inside := is && deg > 0 && metres > 0
						want := d < vis.DefaultRange || inside
						got := ans.Permitted(v, s)
						if got != want {
							t.Fatalf("seed %d, %d: %d is sent %d, %.0f m off and in its cone %v: %v", seed, n, v, s, d, inside, got)
						}
						if !got {
							continue
						}
						i := v*ans.Subjects + s
						if far := d > vis.DefaultRange; far != (ans.Reason[i] == vis.Cone) {
							t.Fatalf("seed %d, %d: %.0f m off with reason %v", seed, n, d, ans.Reason[i])
						} else if far {
							coned++
						}
						if spec.Name != "deaddrop" {
							continue
						}
						eff := d
						if inside {
							eff /= 8
						}
						if wants := map[bool]uint8{true: 0, false: 3}[eff < 60]; eff < 150 && math.Abs(eff-60) > 0.1 && ans.Interval[i] != wants {
							t.Fatalf("seed %d, %d: %.0f m, %.0f effective: interval %d", seed, n, d, eff, ans.Interval[i])
						}
						intervals++
					}
				}
			}
			if coned < 100 {
				t.Errorf("only %d pairs were in cones", coned)
			}
			t.Logf("%d pairs by a cone, %d intervals", coned, intervals)
		})
	}
}
