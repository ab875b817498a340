package desktop

import (
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/scene"
)

// Hitboxes is the developer view of shots: for a while after each own shot it draws
// the hitboxes that this client showed, in blue, and beside them those that the
// server tested, green where it hit and red where it missed. The server's half is
// there only where its records can be had: on a server in this process. Its memory
// is reused.
type Hitboxes struct {
	shots [keptShotViews]shotView
	n     int
	shown []client.Shown
	got   []server.Shot
}

const (
	keptShotViews = 6
	shotViewS     = 4 // seconds that a shot stays
	seenMost      = 6 // bodies of one shot
	seenNear      = 3 // metres from the line

	// Words stand at the left above the middle: out of the way of what is aimed at.
	wordLines = 4
	wordsAt   = 0.14
)

// shotView is one own shot.
type shotView struct {
	on       bool
	seq      uint8
	age      float32
	from, to vec.V3
	seen     [seenMost]seenBody
	seenN    int
	tested   bool
	record   server.Shot
}

type seenBody struct {
	id   state.ID
	pose hitbox.Pose
}

var (
	seenColor = scene.RGBA{R: 70, G: 170, B: 255, A: 255}
	hitColor  = scene.RGBA{R: 60, G: 235, B: 90, A: 255}
	missColor = scene.RGBA{R: 255, G: 80, B: 60, A: 255}
)

// Shot notes an own shot, predicted at this moment, and what was shown of others.
func (h *Hitboxes) Shot(e *state.Event, dir vec.V3, others []client.Shown) {
	s := &h.shots[h.n%keptShotViews]
	h.n++
	*s = shotView{on: true, seq: uint8(e.Param), from: e.Pos, to: e.Pos.Mad(60, dir)}
	for i := range others {
		o := &others[i]
		mid := o.At.Add(vec.V3{Z: 0.9})
		along := vec.Clamp(mid.Sub(e.Pos).Dot(dir), 0, 1e4)
		if o.Kind != state.KindPlayer || o.Pose&state.PoseDead != 0 || s.seenN == seenMost || e.Pos.Mad(along, dir).Dist(mid) > seenNear {
			continue
		}
		s.seen[s.seenN] = seenBody{o.ID, hitbox.Pose{
			Pos: o.At, Yaw: state.AngleOf(o.YawDeg), Duck: uint8(o.Duck01*255 + 0.5), Lean: int8(math.Round(float64(o.Lean11 * 127))),
		}}
		s.seenN++
	}
}

// Tested takes the server's record of an own shot.
func (h *Hitboxes) Tested(r *server.Shot) {
	for i := range h.shots {
		if s := &h.shots[i]; s.on && s.seq == r.Seq && !s.tested {
			s.tested, s.record = true, *r
			s.from, s.to = r.Origin, r.HitPos
			return
		}
	}
}

// Draw adds the view to a frame; dt is the time since the last one.
func (h *Hitboxes) Draw(f *scene.Frame, set *tables.Set, tickMS, dt float32) {
	line := 0
	for n := range keptShotViews {
		s := &h.shots[(h.n+keptShotViews-1-n)%keptShotViews]
		if !s.on {
			continue
		}
		if s.age += dt; s.age > shotViewS {
			s.on = false
			continue
		}
		alpha := min(1, 2*(1-s.age/shotViewS)) * max(0.25, 1-float32(n)*0.3)
		for i := range s.seen[:s.seenN] {
			wireBody(f, set, s.seen[i].pose, 0, seenColor.Alpha(alpha))
		}
		c := seenColor
		if s.tested {
			c = missColor
			if s.record.Result == sim.ShotPlayer || s.record.Result == sim.ShotGone {
				c = hitColor
			}
			if s.record.Near != 0 {
				// A little larger, so that both are seen where they agree.
				wireBody(f, set, s.record.Pose, 0.015, c.Alpha(alpha))
				h.apart(f, s, c.Alpha(alpha))
			}
			f.Lines = append(f.Lines, scene.Line{A: gl(s.from).Sub(mgl32.Vec3{0, 0, 0.05}), B: gl(s.to), Color: c.Alpha(alpha * 0.8)})
		} else {
			f.Lines = append(f.Lines, scene.Line{A: gl(s.from).Sub(mgl32.Vec3{0, 0, 0.05}), B: gl(s.to), Color: seenColor.Alpha(alpha * 0.6)})
		}
		if line < wordLines {
			if line == 0 {
				f.HUD.Panel(16, f.HUD.Height*wordsAt-16, 760, 20+18*wordLines, 6, scene.RGBA{A: 190}, scene.RGBA{A: 190})
			}
			s.words(f, line, tickMS, c.Alpha(max(alpha, 0.8)))
			line++
		}
	}
	if line > 0 {
		x, y := float32(24), f.HUD.Height*wordsAt
		f.HUD.Text(x, y, 12, scene.Sans, scene.Left, seenColor, "as this client showed it")
		f.HUD.Text(x+170, y, 12, scene.Sans, scene.Left, hitColor, "as the server tested it: hit")
		f.HUD.Text(x+350, y, 12, scene.Sans, scene.Left, missColor, "missed")
	}
}

// apart joins the feet of what was seen and what was tested, where they differ.
func (h *Hitboxes) apart(f *scene.Frame, s *shotView, c scene.RGBA) {
	for i := range s.seen[:s.seenN] {
		if b := &s.seen[i]; b.id == s.record.Near && b.pose.Pos.Dist(s.record.Pose.Pos) > 0.01 {
			f.Lines = append(f.Lines, scene.Line{A: gl(b.pose.Pos), B: gl(s.record.Pose.Pos), Color: c, OnTop: true})
		}
	}
}

// words says in a line what became of a shot.
func (s *shotView) words(f *scene.Frame, line int, tickMS float32, c scene.RGBA) {
	h := &f.HUD
	from := h.Mark()
	b := append(h.Bytes, "shot "...)
	b = strconv.AppendInt(b, int64(s.seq), 10)
	if !s.tested {
		b = append(b, ": the server's record is not here"...)
	} else {
		r := &s.record
		ms := func(v int64) {
			b = strconv.AppendFloat(b, float64(v)/256*float64(tickMS), 'f', 0, 64)
		}
		b = append(append(b, ": "...), r.Result.String()...)
		if r.Part != hitbox.None {
			b = append(append(b, ", "...), r.Part.String()...)
			b = append(b, " for "...)
			b = strconv.AppendInt(b, int64(r.Damage), 10)
		} else {
			b = append(append(b, ", "...), r.Why.String()...)
		}
		b = append(b, "; tested "...)
		ms(int64(r.Used256))
		b = append(b, " ms ago, seen "...)
		ms(r.View256)
		b = append(b, " ms ago"...)
		if off, ok := s.off(); ok {
			b = append(b, "; "...)
			b = strconv.AppendFloat(b, float64(off)*100, 'f', 1, 64)
			b = append(b, " cm apart"...)
		}
	}
	h.Bytes = b
	h.TextFrom(from, 24, h.Height*wordsAt+20+float32(line)*18, 13, scene.Mono, scene.Left, c)
}

// off returns how far what was tested is from what was seen.
func (s *shotView) off() (float32, bool) {
	for i := range s.seen[:s.seenN] {
		if b := &s.seen[i]; b.id == s.record.Near {
			return b.pose.Pos.Dist(s.record.Pose.Pos), true
		}
	}
	return 0, false
}

// wireBody draws the parts of a body as lines, larger by pad.
func wireBody(f *scene.Frame, set *tables.Set, p hitbox.Pose, pad float32, c scene.RGBA) {
	shape := hitbox.ShapeOf(&set.Movement, p)
	sn, cs := vec.SinCos(p.Yaw.Deg())
	world := func(v vec.V3) mgl32.Vec3 {
		return mgl32.Vec3{p.Pos.X + v.X*cs - v.Y*sn, p.Pos.Y + v.X*sn + v.Y*cs, p.Pos.Z + v.Z}
	}
	line := func(a, b vec.V3) {
		f.Lines = append(f.Lines, scene.Line{A: world(a), B: world(b), Color: c, OnTop: true})
	}
	for i := range shape.Boxes {
		b := shape.Boxes[i].Pad(pad)
		corner := func(k int) vec.V3 {
			v := b.Min
			for axis := range 3 {
				if k>>axis&1 == 1 {
					v = v.With(axis, b.Max.At(axis))
				}
			}
			return v
		}
		for k := range 8 {
			for axis := range 3 {
				if j := k | 1<<axis; j != k {
					line(corner(k), corner(j))
				}
			}
		}
	}
	const steps = 12
	for ring := range 3 {
		at := func(k int) vec.V3 {
			s, co := vec.SinCos(float32(k) * 360 / steps)
			d := [3]vec.V3{{X: co, Y: s}, {X: co, Z: s}, {Y: co, Z: s}}[ring]
			return shape.HeadAt.Mad(shape.HeadRadius+pad, d)
		}
		for k := range steps {
			line(at(k), at(k+1))
		}
	}
}

// hitboxes lets the developer view have its turn in a frame.
func (g *game) hitboxes(dt float32) {
	if !g.vars.ShowHitboxes.Get() || g.client.Level().World == nil {
		return
	}
	h := &g.boxes
	if g.cfg.Tested != nil {
		h.got = g.cfg.Tested(h.got[:0], g.client.ID())
		for i := range h.got {
			h.Tested(&h.got[i])
		}
	}
	h.Draw(&g.frame, g.client.Tables(), g.view.TickMS, dt)
}

// ownShot notes an own shot for the developer view.
func (g *game) ownShot(e *state.Event, predicted bool) {
	if !predicted || e.Kind != state.EvFire || e.Actor != g.client.ID() || !g.vars.ShowHitboxes.Get() {
		return
	}
	dir := e.Dir
	if dir == (vec.V3{}) {
		dir = vec.Forward(e.Yaw.Deg(), e.Pitch.Deg())
	}
	g.boxes.shown = g.client.Others(g.boxes.shown[:0])
	g.boxes.Shot(e, dir, g.boxes.shown)
}
