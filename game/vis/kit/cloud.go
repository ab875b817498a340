package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// A cloud is as wide as a room: its middle may be hidden while its rim is in sight. So
// it is looked at in its middle, at its top and bottom and at both sides, between those,
// and where it would come through a wall. It is asked of sight lines without smoke
// (vis.Sight.Bare): it would stand before its own middle, and clouds behind clouds are
// told of.

// rim is how far out of its middle a cloud's rim is looked for, of its radius: on the
// ball itself a wall that it touches would hide it.
const rim = 0.98

// cloudLines fills in the lines from a player to a cloud, at pa soon.
func (l *Bodies) cloudLines(a, b *vis.Subject, pa vec.V3) {
	ae, mid := a.Eye, b.Box.Center()
	r := float32(halfWidth(b) * rim)
	d := mid.Sub(ae).Flat()
	side := vec.V3{X: d.Y, Y: 0 - d.X}.Unit()
	near, _ := ae.Sub(mid).Norm()
	diag := float32(r * 0.7)
	to := [...]vec.V3{
		mid, mid.Mad(min(r, mid.Dist(ae)), near), mid.Mad(r, side), mid.Mad(0-r, side), mid.Mad(r, vec.Up),
		mid.Mad(diag, side).Mad(diag, vec.Up), mid.Mad(0-diag, side).Mad(diag, vec.Up),
	}
	caps := capsOf(mid, d, r)
	l.N = 2*len(to) + len(caps)
	for i, p := range caps {
		l.Line[2*len(to)+i] = Line{ae, p, vis.Body}
	}
	for i, p := range to {
		l.Line[i] = Line{ae, p, vis.Body}
		l.Line[len(to)+i] = Line{pa, p, vis.Predicted}
		l.drop(len(to)+i, pa == ae)
	}
}

// SetCloud fills in a cloud, seen by somebody whose left is given: its middle, and the
// rim where SetBody has the edges of a body.
func (l *Look) SetCloud(i int, s *vis.Sight, at *Place, left vec.V3) {
	b := &l.body[i]
	b.sight = s.Bare()
	mid := at.Box.Center()
	r := float32((at.Box.Max.X - at.Box.Min.X) * 0.5 * rim)
	diag := float32(r * 0.7)
	b.point[Head], b.point[Chest], b.point[Foot] = mid, mid.Mad(r, vec.Up), mid.Mad(0-r, vec.Up)
	for k, up := range [2]float32{0, diag} {
		out := r
		if k == 1 {
			out = diag
		}
		at := mid.Mad(up, vec.Up)
		b.point[LeftMid+k], b.point[RightMid+k] = at.Mad(out, left), at.Mad(0-out, left)
	}
	// Low on both sides it lies in the ground.
	caps := capsOf(mid, vec.V3{X: left.Y, Y: 0 - left.X}, r)
	b.point[LeftLow], b.point[RightLow] = caps[0], caps[1]
}

// capsOf returns the points of a ball that come the farthest through a wall along one of
// the axes, as most walls are, on the side of who looks along d.
func capsOf(mid, d vec.V3, r float32) [2]vec.V3 {
	x, y := r, r
	if d.X > 0 {
		x = 0 - r
	}
	if d.Y > 0 {
		y = 0 - r
	}
	return [2]vec.V3{{X: mid.X + x, Y: mid.Y, Z: mid.Z}, {X: mid.X, Y: mid.Y + y, Z: mid.Z}}
}

// BlindSetting is the setting of policies that take blindness into account.
func BlindSetting() vis.Setting {
	return vis.Setting{Name: "blind", Default: 1, Min: 0, Max: 1, Unit: "yes/no",
		Help: "Whether a player whom the server has blinded is told of nobody new by sight, beyond reach_m, until its screen shows something again. Saves rays."}
}

// frameMS is how long a frame of a slow client takes.
const frameMS = 17

// Blind reports whether a viewer will see nothing but white by the time that what is
// sent now is on its screen, where its own state is predicted: by the ticks of
// blindness that the server itself gave it.
func Blind(in *vis.Input, v int) bool {
	w := &in.Viewers[v]
	if w.Subject < 0 || w.Subject >= len(in.Subjects) {
		return false
	}
	left := in.Subjects[w.Subject].Blind
	if left == 0 {
		return false
	}
	ms := w.RTTms + w.JitterMS + w.BufferMS + frameMS
	if !(ms >= 0 && ms < 5000) {
		return false
	}
	return state.Tick(left) > Ticks(float64(ms), in.TickRate)+1
}
