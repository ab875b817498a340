package desktop_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
)

// A ride in pictures: from the ground with riders aboard, from the driver's seat, from
// behind, and from a seat beside. From behind the driver is drawn, and nothing of its
// hands.
func TestRidesGivePictures(t *testing.T) {
	l := shipped(t, "yard")
	tw := trace.New(l)
	with(t, func(_ *window.Window, r *draw.Renderer) error {
		if err := r.UploadWorld(desktop.BuildWorld(l, desktop.Art{})); err != nil {
			return err
		}
		for _, c := range []struct {
			name  string
			seat  int // of the viewer; -1 stands beside
			chase bool
		}{{"beside", -1, false}, {"drives", 0, false}, {"behind", 0, true}, {"rides", 2, false}} {
			v := view(l, tw, 0)
			set := v.Tables
			buggy := &set.Vehicles[tables.Buggy]
			sn, cs := vec.SinCos(v.Yaw)
			pose := vehicle.Pose{Pos: v.Own.Pos.Add(vec.New(4*cs, 4*sn, 0)), Yaw: v.Yaw + 60}
			ground := pose.Pos
			ground.Z -= 3
			pose.Pos = tw.Closed().Ray(pose.Pos.Add(vec.New(0, 0, 0.5)), ground, 1).End
			v.Others = append(v.Others, client.Shown{
				Entity: state.Entity{ID: 2000, Kind: state.KindVehicle, Pose: 0}, At: pose.Pos, YawDeg: pose.Yaw,
			})
			for seat := range tables.NumSeats {
				if seat == c.seat || c.seat >= 0 && seat == 3 {
					continue
				}
				v.Others = append(v.Others, client.Shown{
					Entity: state.Entity{ID: state.ID(3 + seat), Kind: state.KindPlayer, Weapon: tables.Rifle, Seat: uint8(seat + 1)},
					At:     vehicle.SeatPos(pose, buggy, seat), YawDeg: pose.Yaw + 20*float32(seat), Duck01: 1, Velocity: vec.New(9, 0, 0),
				})
			}
			if c.seat >= 0 {
				v.Own.Vehicle, v.Own.Seat, v.Yaw = 1, uint8(c.seat), pose.Yaw
				v.Eye = vehicle.SeatPos(pose, buggy, c.seat)
				v.Eye.Z += set.Movement.CrouchEye
				v.Ride = desktop.Ride{On: true, Drives: c.seat == 0, Chase: c.chase, Type: buggy, Pose: pose, Speed: 12}
			} else if v.Pitch = -20; true {
				v.Ride.Enter = desktop.Enters(v)
			}
			var st desktop.Stage
			st.Reset()
			var f scene.Frame
			for range 60 {
				st.Build(&f, v)
			}
			figures := tables.NumSeats
			if c.seat >= 0 {
				figures = tables.NumSeats - 2
			}
			if c.chase {
				figures++
			}
			if len(f.Figures) != figures {
				t.Errorf("%s: %d figures, want %d", c.name, len(f.Figures), figures)
			}
			if (c.seat == 0) != (f.View.Raise > 0.9 || f.View.Weapon == scene.NoWeapon) {
				t.Errorf("%s: the weapon in the hands is raised by %v", c.name, f.View.Raise)
			}
			if d := vec.New(f.Camera.Pos[0], f.Camera.Pos[1], f.Camera.Pos[2]).Dist(v.Eye); (d > 1.5) != c.chase {
				t.Errorf("%s: the picture is from %.1f m off the eye", c.name, d)
			}
			w, h := 320, 180
			if *keep != "" {
				w, h = 1280, 720
			}
			desktop.DrawHUD(&f, v, &st, w, h)
			img, err := r.Screenshot(&f, w, h)
			if err != nil {
				return err
			}
			look(t, "ride-"+c.name, img)
			if !desktop.NotBlank(img) {
				t.Errorf("%s: a blank picture", c.name)
			}
		}
		return nil
	})
}
