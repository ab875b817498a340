package vis_test

import (
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// unit is the map unit that the scenes are given in.
const unit = float32(1) / level.UnitsPerMetre

// corner is one scene: somebody runs past the end of a wall, and back, somebody
// else stands on the other side. Times are seconds.
type corner struct {
	rate   int     // ticks and snapshots a second
	rtt    float64 // ms
	viewer bool    // it is the viewer who runs
	turn   int     // quarter turns of the whole scene
	mirror bool
}

func (c corner) String() string {
	who := "target"
	if c.viewer {
		who = "viewer"
	}
	return fmt.Sprintf("%d Hz, %g ms, %s moves", c.rate, c.rtt, who)
}

// place turns a point of the scene, in units, into metres.
func (c corner) place(x, y, z float32) vec.V3 {
	if c.mirror {
		y = 0 - y
	}
	for range c.turn {
		x, y = 0-y, x
	}
	return vec.V3{X: x, Y: y, Z: z}.Scale(unit)
}

func (c corner) box(x0, y0, z0, x1, y1, z1 float32) vec.Box {
	return vec.EmptyBox().Grow(c.place(x0, y0, z0)).Grow(c.place(x1, y1, z1))
}

func (c corner) world(t testing.TB) *trace.World {
	b := level.NewBuilder("corner")
	for _, x := range []vec.Box{c.box(-2500, -2500, -16, 2500, 2500, 0), c.box(0, -2000, 0, 16, 0, 256)} {
		if err := b.AddBox(0, x, level.Solid, "t"); err != nil {
			t.Fatal(err)
		}
	}
	return trace.New(b.Build())
}

// run is where the runner is on its way, and how fast.
func run(at float64) (y, speed float32) {
	const turns = (100 + 512) / 250.0
	if at < turns {
		return -512 + float32(250*at), 250
	}
	return 100 - float32(250*(at-turns)), -250
}

// body is a player of 32 by 32 by 72 units with the eye at 64.
func (c corner) body(id state.ID, x, y, speed float32) vis.Subject {
	feet := c.place(x, y, 0)
	return vis.Subject{
		ID: id, Kind: state.KindPlayer, Alive: true, Pos: feet, Eye: feet.Mad(64*unit, vec.Up), Chest: feet.Mad(45*unit, vec.Up),
		Box: c.box(x-16, y-16, 0, x+16, y+16, 72), Vel: c.place(0, speed, 0),
	}
}

// at is the viewer and the target at a time.
func (c corner) at(t float64) (viewer, target vis.Subject) {
	y, speed := run(t)
	if c.viewer {
		return c.body(1, -256, y, speed), c.body(2, 272, -64, 0)
	}
	return c.body(1, -256, -64, 0), c.body(2, 272, y, speed)
}

// dense reports whether any of many points of a body is in sight.
func dense(s *vis.Sight, eye vec.V3, b vec.Box) bool {
	const n, inset = 6, 0.01
	for i := range n {
		for j := range n {
			for k := range n {
				if i%(n-1) != 0 && j%(n-1) != 0 && k%(n-1) != 0 {
					continue // inside
				}
				at := func(lo, hi float32, i int) float32 {
					return vec.Lerp(lo+inset, hi-inset, float32(i)/(n-1))
				}
				if s.Clear(eye, vec.V3{X: at(b.Min.X, b.Max.X, i), Y: at(b.Min.Y, b.Max.Y, j), Z: at(b.Min.Z, b.Max.Z, k)}) {
					return true
				}
			}
		}
	}
	return false
}

// told is what came of a scene, in ms.
type told struct {
	first, last     float64 // S, and the last snapshot that held the target
	visible, hidden float64 // V, and when it was gone
	w, preload      float64
	missing, frames int // honest frames, of 144 a second, that should have shown it
}

func (o told) String() string {
	return fmt.Sprintf("%.0f / %.0f / %d", o.w, o.preload, o.missing)
}

// The client of the scenes: its input buffer and its frame.
const (
	bufferMS = 32
	frameMS  = 1000.0 / 144
)

// play decides a scene by a policy and looks at the honest screen. Of a snapshot of
// tick s the target is drawn at s - I, backfilled, while the viewer's eye is at
// s + U: a frame in which it is in sight there and the newest snapshot that has
// arrived does not hold it is missing.
func (c corner) play(t testing.TB, spec vis.Spec, set vis.Settings) told {
	w := c.world(t)
	p, err := spec.New(vis.Env{World: w, TickRate: c.rate, Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	dec, truth := vis.Inline(p), vis.NewSight(w, c.rate)
	tick := 1000 / float64(c.rate)
	interp := 2 * tick
	u := c.rtt + bufferMS + tick + frameMS
	const end = 3300.0
	var sent []bool
	var in vis.Input
	out := told{first: -1, visible: -1}
	for n := 0; float64(n)*tick < end; n++ {
		viewer, target := c.at(float64(n) * tick / 1000)
		in.Reset(state.Tick(n+1), c.rate)
		in.Subjects = append(in.Subjects, viewer, target)
		for i := range 2 {
			v := vis.Viewer{Subject: i, ID: in.Subjects[i].ID, RTTms: float32(c.rtt), RenderMS: float32(interp), BufferMS: bufferMS}
			if in.Subjects[i].Vel == (vec.V3{}) {
				v.StillMS = bufferMS
			}
			in.Viewers = append(in.Viewers, v)
		}
		vis.Candidates(&in, 0)
		dec.Submit(&in)
		yes := dec.Collect().Permitted(0, 1)
		sent = append(sent, yes)
		if yes {
			if out.first < 0 {
				out.first = float64(n) * tick
			}
			out.last = float64(n) * tick
		}
	}
	shown := -1.0
	for ms := 0.0; ms < end-u; ms += frameMS {
		viewer, target := c.at(ms / 1000)
		if dense(truth, viewer.Eye, target.Box) {
			if out.visible < 0 {
				out.visible = ms
			}
			out.hidden = ms
		}
		s := ms - u // the newest snapshot that is here when the eye is at ms
		if s < interp {
			continue
		}
		if _, drawn := c.at((s - interp) / 1000); dense(truth, viewer.Eye, drawn.Box) {
			out.frames++
			if !sent[int(s/tick)] {
				out.missing++
			} else if shown < 0 {
				shown = s
			}
		}
	}
	out.w = max(out.visible-out.first-c.rtt/2, 0)
	out.preload = shown - out.first
	return out
}

// runner is how the players of the scenes move: at 250 units a second, and without
// leaning.
var runner = vis.Settings{"run_mps": 7.8125, "accel_mps2": 78, "lean_m": 0}

// TestCorners runs past a corner (T01, T02) at several rates and lines, under each
// policy, and prints W / preload / missing frames of netoptimize, deaddrop, reach,
// screen, and of screen without the viewer's own swerves.
func TestCorners(t *testing.T) {
	for _, rate := range []int{20, 64} {
		for _, rtt := range []float64{20, 60, 150} {
			for _, viewer := range []bool{false, true} {
				c := corner{rate: rate, rtt: rtt, viewer: viewer}
				old := c.play(t, deaddrop.Spec(), nil)
				net := c.play(t, netoptimize.Spec(), nil)
				far := c.play(t, reach.Spec(), runner)
				exact := c.play(t, screen.Spec(), runner)
				as := c.play(t, screen.Spec(), vis.Settings{"swerve": 0})
				t.Logf("| %v | %v | %v | %v | %v | %v | %d |", c, net, old, far, exact, as, exact.frames)
				if exact.missing > 0 || exact.frames == 0 {
					t.Errorf("%v: screen is missing %d of %d frames", c, exact.missing, exact.frames)
				}
				if far.missing > 0 {
					t.Errorf("%v: reach is missing %d frames", c, far.missing)
				}
				// At 20 ms the frame and the buffer, which reach does not count, are as long
				// as the delay of the picture, which it does.
				if rtt > 20 && (exact.w > far.w || exact.preload > far.preload) {
					t.Errorf("%v: screen tells sooner than reach: %+v, %+v", c, exact, far)
				}
				// Given the viewer's motion, a reveal by the target's needs no look-ahead.
				if !viewer && (as.missing > 0 || as.w > exact.w || rtt > 20 && as.w > 0) {
					t.Errorf("%v: without the viewer's own swerves: %+v", c, as)
				}
			}
		}
	}
}

// TestCornersAreTheSameFromAllSides turns and mirrors the scenes (T27): the first
// and the last snapshot with the target stay those.
func TestCornersAreTheSameFromAllSides(t *testing.T) {
	for _, spec := range []vis.Spec{reach.Spec(), screen.Spec()} {
		for _, viewer := range []bool{false, true} {
			var want told
			for k := range 8 {
				c := corner{rate: 64, rtt: 60, viewer: viewer, turn: k % 4, mirror: k >= 4}
				got := c.play(t, spec, runner)
				if k == 0 {
					want = got
				} else if got.first != want.first || got.last != want.last {
					t.Errorf("%s, %v, turned %d, mirrored %v: sent from %v to %v, want %v to %v", spec.Name, c, c.turn, c.mirror, got.first, got.last, want.first, want.last)
				}
			}
		}
	}
}
