package desktop_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// with opens a hidden window with a renderer in it.
func with(t testing.TB, f func(w *window.Window, r *draw.Renderer) error) {
	t.Helper()
	onMain(t, func() error {
		w, err := window.Open(window.Config{Hidden: true, Width: 320, Height: 200})
		if err != nil {
			return err
		}
		defer w.Close()
		d, err := gpu.New()
		if err != nil {
			return err
		}
		r, err := draw.New(d, draw.Options{Shadows: 1024, Bloom: true})
		if err != nil {
			return err
		}
		defer r.Close()
		if err := f(w, r); err != nil {
			return err
		}
		return d.Err("test")
	})
}

// view is what a player sees who stands on a level's spawn.
func view(l *level.Level, w *trace.World, spawn int) *desktop.View {
	set := tables.Arena()
	s := l.Spawns[spawn%len(l.Spawns)]
	own := &state.Player{
		Pos: s.Pos, Yaw: state.AngleOf(s.Yaw), Flags: state.OnGround, Weapon: tables.Rifle,
		Owned: 1<<tables.Rifle | 1<<tables.Rocket, Health: 100, Armor: 25,
	}
	own.Ammo[tables.Rifle] = 40
	eye := s.Pos
	eye.Z += set.Movement.StandEye
	v := &desktop.View{
		Time: 3, DT: 1.0 / 60, Eye: eye, Yaw: s.Yaw, FOV: 100, TickMS: 16, ID: 1, Own: own, Alive: true, Weapon: true,
		Tables: &set, Scene: w.Closed(),
	}
	for i := range l.Pickups {
		v.Others = append(v.Others, client.Shown{
			Entity: state.Entity{ID: state.FirstThing + state.ID(i), Kind: state.KindPickup, Weapon: uint8(l.Pickups[i].Kind)}, At: l.Pickups[i].Pos,
		})
	}
	return v
}

// enemy stands on the ground at a distance in front of a view, or nearer when there
// is a wall.
func enemy(v *desktop.View, id state.ID, dist, side float32) client.Shown {
	sn, cs := vec.SinCos(v.Yaw + side)
	to := v.Eye.Add(vec.V3{X: cs * dist, Y: sn * dist})
	r := v.Scene.Ray(v.Eye, to, level.MaskMove)
	at := v.Eye.Lerp(to, max(r.Frac-0.6/dist, 0))
	down := at
	down.Z -= 8
	at = v.Scene.Ray(at, down, level.MaskMove).End
	return client.Shown{
		Entity: state.Entity{ID: id, Kind: state.KindPlayer, Weapon: tables.Rifle, Pose: state.PoseOnGround},
		At:     at, YawDeg: v.Yaw + 150, Velocity: vec.V3{X: cs * 3, Y: sn * 3}, StrideM: 1.2 + side/10,
	}
}

func TestEveryShippedMapGivesAPicture(t *testing.T) {
	for _, name := range shippedMaps {
		l := shipped(t, name)
		tw := trace.New(l)
		w := desktop.BuildWorld(l, desktop.Art{})
		with(t, func(_ *window.Window, r *draw.Renderer) error {
			if err := r.UploadWorld(w); err != nil {
				return err
			}
			var st desktop.Stage
			var f scene.Frame
			width, height, step := 320, 180, 5
			if *keep != "" {
				width, height, step = 1280, 720, 2
			}
			for i := 0; i < len(l.Spawns); i += step {
				st.Reset()
				v := view(l, tw, i)
				v.Others = append(v.Others, enemy(v, 3, 9, 12), enemy(v, 4, 16, -10), enemy(v, 9, 22, 3))
				for range 20 {
					st.Build(&f, v)
				}
				st.Event(&state.Event{Kind: state.EvFire, Actor: 3, Weapon: tables.Rifle, Pos: v.Others[len(v.Others)-3].At.Add(vec.V3{Z: 1.5}), Yaw: state.AngleOf(v.Yaw + 170)}, false)
				st.Build(&f, v)
				desktop.DrawHUD(&f, v, &st, width, height)
				img, err := r.Screenshot(&f, width, height)
				if err != nil {
					return err
				}
				look(t, fmt.Sprintf("%s-%02d", name, i), img)
				if !desktop.NotBlank(img) {
					t.Errorf("%s from spawn %d: a blank picture", name, i)
				}
			}
			return nil
		})
	}
}

// TestAKnownEnemyChangesThePixelsOfItsBox goes the way of a frame end to end: what a
// client shows → Stage → pixels.
func TestAKnownEnemyChangesThePixelsOfItsBox(t *testing.T) {
	const width, height = 480, 270
	for _, name := range shippedMaps {
		l := shipped(t, name)
		tw := trace.New(l)
		w := desktop.BuildWorld(l, desktop.Art{})
		with(t, func(_ *window.Window, r *draw.Renderer) error {
			if err := r.UploadWorld(w); err != nil {
				return err
			}
			seen := 0
			for spawn := 0; spawn < len(l.Spawns); spawn += 3 {
				v := view(l, tw, spawn)
				e := enemy(v, 5, 10, 2)
				if tw.Blocked(v.Eye, e.At.Add(vec.V3{Z: 1}), level.MaskSight) || e.At.Dist(v.Eye) < 3 {
					continue
				}
				shoot := func(with bool) (*image.NRGBA, scene.Camera, error) {
					var st desktop.Stage
					st.Reset()
					var f scene.Frame
					u := *v
					u.Weapon = false
					if with {
						u.Others = append(u.Others[:len(u.Others):len(u.Others)], e)
					}
					st.Build(&f, &u)
					if _, vis := st.Enemy(); vis != with {
						t.Errorf("%s: an enemy in sight is %v, want %v", name, vis, with)
					}
					f.HUD.Resize(width, height)
					img, err := r.Screenshot(&f, width, height)
					return img, f.Camera, err
				}
				a, _, err := shoot(false)
				if err != nil {
					return err
				}
				b, cam, err := shoot(true)
				if err != nil {
					return err
				}
				lo, hi, ok := box(&cam, width, height, e.At)
				if !ok {
					t.Errorf("%s: the enemy is not on the screen", name)
					continue
				}
				in, out, area := changed(a, b, lo, hi)
				if in < area/12 {
					t.Errorf("%s spawn %d: %d of %d pixels in the enemy's box changed", name, spawn, in, area)
				}
				if out > width*height/50 {
					t.Errorf("%s spawn %d: %d pixels outside the box changed", name, spawn, out)
				}
				seen++
			}
			if seen == 0 {
				return fmt.Errorf("%s: no spawn has room in front of it", name)
			}
			return nil
		})
	}
}

// box is the screen box of a standing player.
func box(c *scene.Camera, w, h int, feet vec.V3) (lo, hi image.Point, ok bool) {
	lo, hi = image.Pt(w, h), image.Pt(0, 0)
	for i := range 8 {
		p := [3]float32{feet.X + float32(i&1)*0.8 - 0.4, feet.Y + float32(i>>1&1)*0.8 - 0.4, feet.Z + float32(i>>2)*1.75}
		x, y, front := draw.Project(c, w, h, p)
		if !front {
			return lo, hi, false
		}
		lo.X, lo.Y = min(lo.X, int(x)), min(lo.Y, int(y))
		hi.X, hi.Y = max(hi.X, int(x)+1), max(hi.Y, int(y)+1)
	}
	lo.X, lo.Y, hi.X, hi.Y = max(lo.X, 0), max(lo.Y, 0), min(hi.X, w), min(hi.Y, h)
	return lo, hi, hi.X > lo.X && hi.Y > lo.Y
}

func changed(a, b *image.NRGBA, lo, hi image.Point) (in, out, area int) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			d := func(m, n uint8) int { return max(int(m)-int(n), int(n)-int(m)) }
			diff := d(p.R, q.R)+d(p.G, q.G)+d(p.B, q.B) > 24
			switch inside := x >= lo.X && x < hi.X && y >= lo.Y && y < hi.Y; {
			case inside && diff:
				in++
			case diff:
				out++
			}
		}
	}
	return in, out, (hi.X - lo.X) * (hi.Y - lo.Y)
}

// TestResizeStorm is a window pulled to every shape while frames are drawn: nothing
// divides by a size of zero, and OpenGL has nothing to complain about.
func TestResizeStorm(t *testing.T) {
	l := shipped(t, "corner")
	tw := trace.New(l)
	w := desktop.BuildWorld(l, desktop.Art{})
	with(t, func(win *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(w); err != nil {
			return err
		}
		var st desktop.Stage
		st.Reset()
		var f scene.Frame
		v := view(l, tw, 0)
		v.Others = append(v.Others, enemy(v, 2, 8, 0))
		o := desktop.NewOverlay(console.New())
		o.Open(desktop.ConsoleField)
		for i, s := range [][2]int{{1, 1}, {1, 400}, {4000, 2}, {0, 0}, {0, 50}, {200, 100}, {37, 411}, {640, 2}, {320, 180}} {
			f.HUD.Resize(s[0], s[1])
			st.Build(&f, v)
			o.Draw(&f.HUD, v.DT, "test")
			desktop.DrawHUD(&f, v, &st, s[0], s[1])
			if err := r.Render(&f, nil, s[0], s[1]); err != nil {
				return fmt.Errorf("size %d, %v: %w", i, s, err)
			}
			win.Resize(max(s[0], 1), max(s[1], 1))
			win.Poll()
			win.Swap()
		}
		img, err := r.Screenshot(&f, 320, 180)
		if err != nil {
			return err
		}
		if !desktop.NotBlank(img) {
			t.Error("blank after the storm")
		}
		return nil
	})
}
