package desktop_test

import (
	"image"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// yard is the level with what opens and breaks, as a view of it can be set.
type yard struct {
	l     *level.Level
	w     *trace.World
	poses []level.Pose
	st    desktop.Stage
	f     scene.Frame
	set   tables.Set
}

func newYard(t testing.TB) *yard {
	y := &yard{l: shipped(t, "yard"), set: tables.Arena()}
	y.w = trace.New(y.l)
	y.poses = make([]level.Pose, len(y.l.Models))
	y.st.Reset()
	return y
}

// from is a view from a place in map units.
func (y *yard) from(x, yy, z, yaw, pitch float32) *desktop.View {
	eye := vec.New(x/32, yy/32, z/32)
	own := &state.Player{Pos: eye.Mad(-y.set.Movement.StandEye, vec.Up), Yaw: state.AngleOf(yaw), Flags: state.OnGround, Weapon: tables.Rifle, Health: 100}
	return &desktop.View{
		Time: 3, DT: 1.0 / 60, Eye: eye, Yaw: yaw, Pitch: pitch, FOV: 90, TickMS: 16, ID: 1, Own: own, Alive: true,
		Tables: &y.set, Scene: trace.Scene{W: y.w, Poses: y.poses},
	}
}

// nearest is the piece of a material whose middle is nearest to a place in map units.
func (y *yard) nearest(m level.Material, x, yy, z float32) int {
	best, far := -1, float32(1e9)
	for i := range y.l.Pieces {
		if d := y.l.Models[y.l.Pieces[i].Model].Bounds.Center().Dist(vec.New(x/32, yy/32, z/32)); y.l.Pieces[i].Material == m && d < far {
			best, far = i, d
		}
	}
	return best
}

// hinged is the first hinged door, and its model.
func (y *yard) hinged() *level.Door {
	for i := range y.l.Doors {
		if y.l.Doors[i].Hinged() {
			return &y.l.Doors[i]
		}
	}
	return nil
}

// What opens, breaks and hides looks like it: each state of the yard gives another
// picture of its place.
func TestWhatOpensAndBreaksIsSeen(t *testing.T) {
	y := newYard(t)
	world := desktop.BuildWorld(y.l, desktop.Art{})
	width, height := 480, 270
	if *keep != "" {
		width, height = 1280, 720
	}
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(world); err != nil {
			return err
		}
		shot := func(name string, v *desktop.View, frames int) *image.NRGBA {
			for range frames {
				v.Time += float64(v.DT)
				y.st.Build(&y.f, v)
			}
			y.f.HUD.Resize(width, height)
			img, err := r.Screenshot(&y.f, width, height)
			if err != nil {
				t.Fatal(err)
			}
			look(t, "yard-"+name, img)
			return img
		}
		// differ wants that at least a share of the pixels is another.
		differ := func(what string, a, b *image.NRGBA, share float32) {
			t.Helper()
			in, _, area := changed(a, b, image.Point{}, image.Pt(width, height))
			if float32(in) < share*float32(area) {
				t.Errorf("%s: %d of %d pixels changed", what, in, area)
			}
		}
		d := y.hinged()
		v := y.from(-300, -330, 56, 100, -4)
		shut := shot("door-shut", v, 70)
		y.poses[d.Model] = d.Pose(0.5)
		leaf := y.l.Models[d.Model].Bounds
		mid := leaf.Center()
		mid.Y = leaf.Min.Y
		p := y.poses[d.Model]
		for i := range 6 {
			at := p.Out(mid.Add(vec.V3{X: float32(i%3)*0.4 - 0.4, Z: float32(i/3)*0.5 - 0.2}))
			y.st.Event(&state.Event{Kind: state.EvImpact, Pos: at, Dir: p.Turn(vec.V3{Y: -1})}, false)
		}
		half := shot("door-half", v, 60)
		differ("a door half open", shut, half, 0.02)
		y.poses[d.Model] = d.Pose(0.9)
		shot("door-open", v, 30)

		v = y.from(-300, 60, 56, 75, 0)
		v.Others = append(v.Others, enemyAt(5, -210, 330, 0, 200))
		pane := y.nearest(level.Pane, -240, 176, 68)
		whole := shot("pane-whole", v, 70)
		scenery.PutPiece(y.l, pane, true, y.poses)
		burst := shot("pane-bursts", v, 8)
		differ("a pane that bursts", whole, burst, 0.002)
		gone := shot("pane-gone", v, 120)
		differ("the shards of a pane", burst, gone, 0.0005)
		scenery.PutPiece(y.l, pane, false, y.poses)
		v = y.from(-180, 320, 56, 235, 0)
		shot("pane-outside", v, 70)

		v = y.from(-180, 390, 56, 165, -8)
		crates := shot("crates-whole", v, 70)
		scenery.PutPiece(y.l, y.nearest(level.Wood, -252, 420, 24), true, y.poses)
		differ("a crate that breaks", crates, shot("crates-break", v, 6), 0.01)
		shot("crates-broken", v, 90)

		v = y.from(-300, -330, 56, 100, -4)
		clear := shot("smoke-before", v, 2)
		v.Clouds.Smokes.Clouds = []scenery.Cloud{{ID: 100, At: vec.New(-328.0/32, -180.0/32, 1.2), Radius: 3, Density: 1}}
		v.Clouds.Rate = 64
		differ("smoke in a doorway", clear, shot("smoke", v, 2), 0.05)

		v = y.from(-820, 500, 100, 0, 0)
		v.Clouds.Smokes.Clouds = []scenery.Cloud{{ID: 100, At: vec.New(-440.0/32, 500.0/32, 1.2), Radius: 4.0625, Density: 1}}
		v.Clouds.Rate = 64
		shot("smoke-far", v, 2)
		v = y.from(-820, 500, 100, 0, 0)
		v.Others = append(v.Others, enemyAt(5, 700, 470, 0, 180), enemyAt(6, 300, 540, 0, 120))
		plain := shot("lane", v, 70)
		for o := range y.set.Optics {
			if y.set.Optics[o].Magnifies() {
				v.Own.Optic = uint8(o)
			}
		}
		v.Own.Raise, v.Own.Flags = 255, v.Own.Flags|state.Aiming
		differ("the lane through a scope", plain, shot("lane-scope", v, 90), 0.3)

		v = y.from(-180, -380, 56, -35, -6)
		none := shot("buggy-none", v, 70)
		v.Others = append(v.Others, client.Shown{
			Entity: state.Entity{ID: state.FirstThing + 40, Kind: state.KindVehicle, Health: 255}, At: y.l.Vehicles[0].Pos, YawDeg: 0,
		})
		differ("a buggy", none, shot("buggy", v, 20), 0.01)
		v = y.from(160, -150, 56, 40, -6)
		shot("store", v, 70)
		v = y.from(-490, -170, 56, 40, -4)
		shot("house", v, 20)
		v = y.from(0, -620, 300, 90, -25)
		shot("above", v, 20)
		return nil
	})
}

// enemyAt stands at a place in map units.
func enemyAt(id state.ID, x, y, z, yaw float32) client.Shown {
	return client.Shown{
		Entity: state.Entity{ID: id, Kind: state.KindPlayer, Weapon: tables.Rifle, Pose: state.PoseOnGround}, At: vec.New(x/32, y/32, z/32), YawDeg: yaw,
	}
}

// A mark goes with the leaf that it is on, and with a piece it goes for good.
func TestMarksGoWithWhatTheyAreOn(t *testing.T) {
	y := newYard(t)
	d := y.hinged()
	v := y.from(-300, -330, 56, 100, -4)
	y.poses[d.Model] = d.Pose(0.25)
	y.st.Build(&y.f, v)
	leaf := y.l.Models[d.Model].Bounds
	in := leaf.Center()
	in.Y = leaf.Min.Y
	crate := y.nearest(level.Wood, 0, 60, 24)
	top := y.l.Models[y.l.Pieces[crate].Model].Bounds
	marks := func() (at []vec.V3, n []vec.V3) {
		y.st.Build(&y.f, v)
		for i := range y.f.Sprites {
			if s := &y.f.Sprites[i]; s.Kind == scene.BlobSprite && s.Size < 0.1 {
				at = append(at, vec.New(s.Pos[0], s.Pos[1], s.Pos[2]))
				n = append(n, vec.New(s.Vel[0], s.Vel[1], s.Vel[2]))
			}
		}
		return at, n
	}
	before, _ := marks()
	p := y.poses[d.Model]
	y.st.Event(&state.Event{Kind: state.EvImpact, Pos: p.Out(in), Dir: p.Turn(vec.V3{Y: -1})}, false)
	y.st.Event(&state.Event{Kind: state.EvImpact, Pos: vec.New(top.Center().X, top.Center().Y, top.Max.Z), Dir: vec.Up}, false)
	for _, open := range []float32{0.25, 0.6, 1, 0} {
		y.poses[d.Model] = d.Pose(open)
		p = y.poses[d.Model]
		at, n := marks()
		if len(at) != len(before)+2 {
			t.Fatalf("%d marks, want %d", len(at), len(before)+2)
		}
		near := false
		for i := range at {
			near = near || at[i].Dist(p.Out(in)) < 0.05 && n[i].Dist(p.Turn(vec.V3{Y: -1})) < 1e-3
		}
		if !near {
			t.Errorf("open %v: no mark at %v: %v", open, p.Out(in), at)
		}
	}
	scenery.PutPiece(y.l, crate, true, y.poses)
	if at, _ := marks(); len(at) != len(before)+1 {
		t.Errorf("%d marks when the crate is gone, want %d", len(at), len(before)+1)
	}
}
