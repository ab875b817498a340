package desktop

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/scene"
)

// tag is what stands over a player's head.
type tag struct {
	at     vec.V3
	name   string
	sub    string
	color  scene.RGBA
	hollow bool
}

// Colours of what a viewer knew and of what was kept from it.
var (
	toldRGBA     = scene.RGBA{R: 104, G: 214, B: 132, A: 255}
	withheldRGBA = scene.RGBA{R: 214, G: 128, B: 255, A: 255}
)

// look fills the view of this frame from the demo's place.
func (t *theatre) look(dt float32) {
	g, v := t.g, &t.g.view
	if t.p.Paused || t.ended {
		v.DT = 0
	} else {
		v.DT = dt * float32(t.p.Speed())
	}
	v.Time = t.p.Seconds()
	v.FOV, v.Bob, v.Weapon = float32(g.vars.FOV.Get()), g.vars.Bob.Get(), g.vars.ShowWeapon.Get()
	at, _, _ := t.p.Frames()
	t.tables(at)
	v.Tables, v.TickMS = &t.set, 1000/float32(t.p.Info().TickRate)
	v.ID, v.Own, v.Alive = t.ID(), nil, false

	a, b, _ := t.p.Frames()
	viewer := a.Viewer(t.who)
	if t.knew && viewer != nil {
		t.tellDoors(a, viewer)
	}
	if !t.knew {
		t.doors = append(t.doors[:0], a.Doors...)
	}
	tick, f := t.place()
	scenery.Poses(t.lvl.Level, t.doors, tick, f, t.p.Info().TickRate, t.poses)
	scenery.Breaks(t.lvl.Level, a.Pieces, tick, t.poses)
	v.Scene = trace.Scene{W: t.lvl.World, Poses: t.poses}
	t.subjects(a, b, viewer)
	v.Others = append(v.Others[:0], t.shown...)
	v.Clouds.Tick, v.Clouds.Frac, v.Clouds.Rate = tick, f, t.p.Info().TickRate
	v.Clouds.Take(v.Others)
	if !t.flying {
		t.follow(a, b, viewer)
	}
	if v.Own == nil {
		yaw, pitch := g.controls.Angles()
		v.Eye, v.Yaw, v.Pitch = t.eye, float32(yaw), float32(pitch)
		return
	}
	t.eye = v.Eye
	g.controls.SetAngles(float64(v.Yaw), float64(v.Pitch)) // flying begins from here
}

// follow puts the view into the followed player's eyes.
func (t *theatre) follow(a, b *demo.Frame, viewer *demo.Viewer) {
	v := &t.g.view
	ents, ahead, who := a.Entities, b.Entities, t.who
	if t.knew && viewer != nil && viewer.Delay != 0 {
		ents, ahead, who = viewer.Late, lateOf(b, viewer), viewer.Watching
		viewer = nil // its own health is nobody's here
	}
	find := func(list []state.Entity) int {
		return slices.IndexFunc(list, func(e state.Entity) bool { return e.ID == who && e.Kind == state.KindPlayer })
	}
	k := find(ents)
	if k < 0 || ents[k].Teleports == 0 {
		return
	}
	from := &ents[k]
	to := from
	if n := find(ahead); n >= 0 {
		to = &ahead[n]
	}
	var s client.Shown
	t.blend(&s, from, to, a, b)
	var own *demo.Own
	if viewer != nil {
		own = &viewer.Own
	}
	t.own = demo.PlayerOf(&s.Entity, own)
	t.own.Pos, t.own.Vel = s.At, s.Velocity
	t.own.Duck, t.own.Lean = uint8(s.Duck01*255+0.5), int8(math.Round(float64(s.Lean11*127)))
	t.own.Yaw, t.own.Pitch = state.AngleOf(s.YawDeg), state.AngleOf(s.PitchDeg)
	t.own.Stride = uint16(int32(s.StrideM * 64))
	v.Own, v.Alive = &t.own, t.own.Alive()
	if t.fresh { // a demo that is paused has no time to raise it
		t.fresh = false
		t.g.stage.weapon, t.g.stage.raise = t.own.Weapon, 0
	}
	v.Eye, v.Yaw, v.Pitch = pmove.Eye(&t.own, &t.set.Movement), s.YawDeg, s.PitchDeg
}

// blend fills out with a subject at the present place, between the frames around it.
func (t *theatre) blend(out *client.Shown, from, to *state.Entity, a, b *demo.Frame) {
	at := max(t.p.At()-float64(a.Tick), 0)
	client.Blend(out, from, to, b.Tick-a.Tick, uint32(at*256), t.p.Info().TickRate)
}

// subjects fills what is shown, what is withheld and the tags.
func (t *theatre) subjects(a, b *demo.Frame, viewer *demo.Viewer) {
	t.shown, t.hidden, t.tags, t.known = t.shown[:0], t.hidden[:0], t.tags[:0], 0
	t.kept = 0
	ents, ahead, late := a.Entities, b.Entities, t.knew && viewer != nil && viewer.Delay != 0
	if late { // where all was so long ago
		ents, ahead = viewer.Late, lateOf(b, viewer)
	}
	next := 0
	for i := range ents {
		e := &ents[i]
		player := e.Kind == state.KindPlayer
		switch {
		case e.Kind == state.KindNone, player && (e.Pose&state.PoseDead != 0 || e.Teleports == 0):
			continue
		case !t.flying && (e.ID == t.who || e.ID == state.CorpseOf(t.who) || late && e.ID == viewer.Watching):
			continue // it is looked out of, or drawn as the own body
		}
		to := e
		for range ahead {
			if next %= len(ahead); ahead[next].ID == e.ID {
				if ahead[next].Kind == e.Kind {
					to = &ahead[next]
				}
				break
			}
			next++
		}
		var s client.Shown
		t.blend(&s, e, to, a, b)
		reason, told := vis.Spectated, true
		if !late {
			reason, told = t.told(viewer, i, e.ID)
		}
		if t.knew && !told {
			if t.withheld {
				t.hidden = append(t.hidden, s)
			}
		} else {
			t.shown = append(t.shown, s)
		}
		if player && e.ID != t.who {
			if told {
				t.known++
			} else {
				t.kept++
			}
		}
		if player && (!t.knew || told || t.withheld) {
			t.tag(&s, reason, told)
		}
	}
}

// lateOf returns what the same late spectator was told in the next frame: nothing when it
// watched somebody else there, or at another delay.
func lateOf(b *demo.Frame, v *demo.Viewer) []state.Entity {
	if w := b.Viewer(v.ID); w != nil && w.Delay == v.Delay && w.Watching == v.Watching {
		return w.Late
	}
	return nil
}

// told reports whether who was told of the i-th subject, and why.
func (t *theatre) told(v *demo.Viewer, i int, id state.ID) (vis.Reason, bool) {
	switch {
	case id == t.who:
		return vis.Self, true
	case v == nil || i >= len(v.Told) || !v.Told[i].Told:
		return vis.Hidden, false
	}
	return v.Told[i].Reason, true
}

func (t *theatre) tag(s *client.Shown, reason vis.Reason, told bool) {
	if !t.names {
		return
	}
	at := s.At
	at.Z += vec.Lerp(2.0, 1.5, s.Duck01)
	x := tag{at: at, name: playerName(t, s.ID), color: nameColor(t, s.ID)}
	if t.knew && s.ID != t.who && t.p.Info().Client == 0 {
		x.sub = reason.String()
		if !told {
			x.sub, x.color, x.hollow = "withheld", withheldRGBA, true
		}
	}
	t.tags = append(t.tags, x)
}

// outlines draws what was withheld as hollow bodies, through walls.
func (t *theatre) outlines(f *scene.Frame) {
	for i := range t.hidden {
		s := &t.hidden[i]
		c := withheldRGBA.Alpha(0.9)
		if s.Kind == state.KindPlayer {
			hollow(f, gl(s.At), s.YawDeg, s.Duck01, c)
			continue
		}
		at := gl(s.At)
		if s.Kind != state.KindRocket {
			at[2] += 0.25
		}
		if s.Kind != state.KindRocket {
			c = c.Alpha(0.5)
		}
		r := mgl32.Vec3{0.18, 0.18, 0.18}
		f.Box(at.Sub(r), at.Add(r), c.Alpha(0.6), true)
	}
}

// hollow is the outline of a body: rings at feet, hips, shoulders and head, joined
// by lines, and one that says where it looks.
func hollow(f *scene.Frame, at mgl32.Vec3, yaw, crouch float32, c scene.RGBA) {
	const sides = 8
	height := vec.Lerp(1, 0.68, crouch)
	rings := [...]struct{ z, wide, deep float32 }{{0.02, 0.22, 0.22}, {0.9, 0.24, 0.18}, {1.42, 0.31, 0.19}, {1.5, 0.1, 0.1}, {1.6, 0.14, 0.15}, {1.75, 0.1, 0.11}}
	sy, cy := math.Sincos(float64(yaw) * math.Pi / 180)
	ahead, right := mgl32.Vec3{float32(cy), float32(sy), 0}, mgl32.Vec3{float32(sy), float32(-cy), 0}
	var below [sides]mgl32.Vec3
	for r := range rings {
		ring := &rings[r]
		var now [sides]mgl32.Vec3
		for k := range sides {
			s, co := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / sides)
			now[k] = at.Add(right.Mul(float32(s) * ring.wide)).Add(ahead.Mul(float32(co) * ring.deep)).Add(mgl32.Vec3{0, 0, ring.z * height})
		}
		for k := range sides {
			f.Lines = append(f.Lines, scene.Line{A: now[k], B: now[(k+1)%sides], Color: c, OnTop: true})
			if r > 0 && (k%2 == 0 || r == 2) {
				f.Lines = append(f.Lines, scene.Line{A: below[k], B: now[k], Color: c, OnTop: true})
			}
		}
		below = now
	}
	eye := at.Add(mgl32.Vec3{0, 0, 1.66 * height})
	f.Lines = append(f.Lines, scene.Line{A: eye.Add(ahead.Mul(0.15)), B: eye.Add(ahead.Mul(0.7)), Color: c, OnTop: true})
}

// drawTags writes names over heads, through walls, smaller with the distance.
func (t *theatre) drawTags(f *scene.Frame, w, h int) {
	hd := &f.HUD
	for i := range t.tags {
		g := &t.tags[i]
		px, py, ok := draw.Project(&f.Camera, w, h, gl(g.at))
		if !ok || hd.Scale <= 0 {
			continue
		}
		x, y := px/hd.Scale, py/hd.Scale
		if x < 0 || y < 0 || x > hd.Width || y > hd.Height {
			continue
		}
		d := g.at.Dist(t.g.view.Eye)
		size := vec.Clamp(17-d*0.12, 11, 16)
		c := g.color.Alpha(vec.Clamp(1.3-d/160, 0.4, 1))
		hd.Text(x, y-size*0.5, size, scene.Bold, scene.Centre, c, g.name)
		if g.sub == "" {
			continue
		}
		sub := toldRGBA
		if g.hollow {
			sub = withheldRGBA
		}
		hd.Text(x, y-size*1.55, size*0.72, scene.Sans, scene.Centre, sub.Alpha(0.9), g.sub)
	}
}

// otherEyes forgets what belongs to the viewer: another one looks from now on.
func (s *Stage) otherEyes() {
	s.recoil, s.flash, s.raise, s.aim, s.walk, s.weapon = 0, 0, 0, 0, 0, 0
	s.bob, s.sway, s.roll, s.dead, s.hurt, s.shake = mgl32.Vec2{}, mgl32.Vec2{}, 0, 0, 0, 0
	s.Hurts, s.HitAge, s.HitKill = [maxHurts]Hurt{}, 10, false
}
