package desktop

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
)

// Ride is the vehicle that the player sits in, or could get into.
type Ride struct {
	On, Drives bool
	Chase      bool // the picture is from behind the vehicle
	Enter      bool // on foot, and use gets in
	Type       *tables.Vehicle
	Pose       vehicle.Pose
	Speed      float32 // m/s
}

// riding is what a game remembers of rides between frames.
type riding struct {
	was  bool
	yaw  float32
	text string // shown, of kmh and kind
	kmh  int
	kind int
	use  string // the key
}

// ride takes where the vehicle is in this frame, and lets the view turn with it.
func (g *game) ride() {
	v, c := &g.view, g.client
	v.Ride = Ride{}
	if v.Own == nil || !v.Alive || v.Tables == nil {
		g.riding.was = false
		return
	}
	if v.Own.Vehicle == 0 {
		g.riding.was = false
		v.Ride.Enter = enters(v)
		return
	}
	r := &v.Ride
	r.Type = &v.Tables.Vehicles[min(int(v.Own.Vehicle)-1, len(v.Tables.Vehicles)-1)]
	r.Speed = v.Own.Vel.Len2()
	if r.Pose, r.Drives = c.Driven(); r.Drives {
		r.On, r.Chase = true, g.vars.Chase.Get()
	} else if id := c.Riding(); id != 0 {
		for i := range v.Others {
			if o := &v.Others[i]; o.ID == id {
				r.On, r.Pose, r.Speed = true, vehicle.Pose{Pos: o.At, Yaw: o.YawDeg, Pitch: o.PitchDeg}, o.Velocity.Len2()
			}
		}
	}
	if by := vec.WrapDeg(r.Pose.Yaw - g.riding.yaw); r.On && g.riding.was && g.driver == nil && g.vars.RideTurns.Get() && abs(by) < 45 {
		g.controls.Turn(float64(by), 0)
	}
	g.riding.was, g.riding.yaw = r.On, r.Pose.Yaw
}

// enters reports whether the player looks at a vehicle from near enough to get in.
func enters(v *View) bool {
	from := v.Eye
	for i := range v.Others {
		o := &v.Others[i]
		if o.Kind != state.KindVehicle || int(o.Weapon) >= len(v.Tables.Vehicles) || o.At.DistSq(from) > 64 {
			continue
		}
		t := &v.Tables.Vehicles[o.Weapon]
		to := from.Mad(t.UseReach, vec.Forward(v.Yaw, v.Pitch))
		f, _, ok := vehicle.Ray(vehicle.Pose{Pos: o.At, Yaw: o.YawDeg, Pitch: o.PitchDeg}, t, from, to, 0.35)
		if ok && (v.Scene.W == nil || !v.Scene.Blocked(from, from.Lerp(to, f), level.MaskShot)) {
			return true
		}
	}
	return false
}

// hint says in the picture what use does, and how fast one goes.
func (g *game) hint(m *hud.Model) {
	r := &g.view.Ride
	kind, kmh := 0, 0
	switch {
	case r.On && r.Drives:
		kind, kmh = 1, int(r.Speed*3.6+0.5)
	case r.On:
		kind = 2
	case r.Enter:
		kind = 3
	}
	if kind == 0 {
		return
	}
	m.Cross.Hide = m.Cross.Hide || r.Chase
	if s := &g.riding; s.text == "" || s.kind != kind || s.kmh != kmh {
		s.kind, s.kmh = kind, kmh
		use := keyFor(g.reg.Binds(), actUse)
		switch kind {
		case 1:
			s.text = strconv.Itoa(kmh) + " km/h    " + use + ": get out"
		case 2:
			s.text = use + ": get out"
		default:
			s.text = use + ": get in"
		}
	}
	m.Hint = g.riding.text
}

// chaseBack is how far behind a vehicle the picture is from, and chaseUp how far above
// the ground it looks at, metres.
const (
	chaseBack = 6.5
	chaseUp   = 1.5
)

// chase moves the eye behind the vehicle that the player drives, as far as walls
// allow, and draws who drives in its seat.
func (s *Stage) chase(v *View, eye vec.V3, yaw, pitch float32) (vec.V3, float32) {
	s.behind = towards(s.behind, flag01(v.Ride.Chase), 0.12, v.DT)
	if !v.Ride.Chase || s.behind <= 0 {
		s.behind = 0
		return eye, pitch
	}
	at := v.Ride.Pose.Pos
	at.Z += chaseUp
	p := vec.Clamp(pitch-12, -70, 20)
	d := direction(yaw, p)
	to := at.Mad(chaseBack, vec.V3{X: -d[0], Y: -d[1], Z: -d[2]})
	if v.Scene.W != nil {
		if r := v.Scene.Box(at, to, vec.Box{Min: vec.V3{X: -.2, Y: -.2, Z: -.2}, Max: vec.V3{X: .2, Y: .2, Z: .2}}, level.MaskMove); !r.StartSolid {
			to = r.End
		}
	}
	return eye.Lerp(to, s.behind), vec.Lerp(pitch, p, s.behind)
}

// driver draws the player in the own vehicle while the picture is from behind it.
func (s *Stage) driver(f *scene.Frame, v *View) {
	if !v.Ride.Chase || s.behind < 0.3 || v.Own == nil {
		return
	}
	f.Figures = append(f.Figures, scene.Figure{
		Pos: gl(vehicle.SeatPos(v.Ride.Pose, v.Ride.Type, int(v.Own.Seat))), Yaw: v.Ride.Pose.Yaw, Crouch: 1, Seated: 1,
		Color: ownColor(v.Own.Team), Seed: uint32(v.ID),
	})
}
