package bot

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// move says where to go: a horizontal wish of length 0..1 (Z up and down in
// water), whether to jump and whether to crouch.
func (b *Brain) move(s *Senses, enemy *Other) (wish vec.V3, jump, duck bool) {
	p := s.Own
	b.follow(s)
	b.repath--
	b.rethink--
	if b.repath <= 0 || b.at >= len(b.path) && b.rethink <= 0 {
		b.plan(s)
	}
	wish, jump = b.steer(s)
	wish, jump = b.unstuck(s, wish, jump)
	if enemy != nil {
		wish, jump = b.dance(s, enemy, wish, jump)
	}
	wish, jump = b.guard(s, wish, jump)
	if p.WaterLevel >= 2 {
		wish.Z = 0.6
		if b.at < len(b.path) && b.path[b.at].Pos.Z < p.Pos.Z-0.5 {
			wish.Z = -0.6
		}
	}
	// A low passage: crouch when the head is stopped and the waist is not.
	if wish.Len2() > 0.1 && p.Flags&state.OnGround != 0 {
		m := &b.cfg.Tables.Movement
		hw := m.HalfWidth * 0.9
		d := wish.Flat().Unit().Scale(0.6)
		low := p.Pos.Mad(m.StepHeight, vec.Up)
		tall := vec.Box{Min: vec.V3{X: -hw, Y: -hw}, Max: vec.V3{X: hw, Y: hw, Z: m.StandHeight - m.StepHeight}}
		short := tall
		short.Max.Z = m.CrouchHeight - m.StepHeight
		if r := s.Scene.Box(low, low.Add(d), tall, level.MaskMove); r.Frac < 1 && r.Normal.Z < 0.3 {
			r = s.Scene.Box(low, low.Add(d), short, level.MaskMove)
			duck = r.Frac == 1 && !r.StartSolid
		}
	}
	if p.Flags&state.Ducked != 0 && duck {
		jump = false
	}
	return wish, jump, duck
}

// plan picks a goal and a way to it.
func (b *Brain) plan(s *Senses) {
	b.repath = b.ticks(2500 + b.rng.Float()*1500)
	b.rethink = b.ticks(120)
	b.roam = b.rng.Signed() * 180
	g := b.cfg.Graph
	if len(g.Nodes) == 0 {
		b.path = b.path[:0]
		return
	}
	from := g.Nearest(s.Own.Pos)
	if from < 0 || vec.Abs(g.Nodes[from].Pos.Z-s.Own.Pos.Z) > 4 {
		// Where the graph does not reach: wander.
		b.path, b.at = b.path[:0], 0
		b.repath = b.ticks(700)
		b.rethink = b.repath
		return
	}
	to := b.duty(s)
	switch {
	case to >= 0 && to != from:
	case b.target != 0 && b.lostFor < b.ticks(4000):
		to = g.Nearest(b.lastSeen)
		b.repath = b.ticks(700)
	default:
		to = b.errand(s)
	}
	if to < 0 && len(b.spots) > 0 && b.rng.Intn(4) > 0 {
		to = b.spots[b.rng.Intn(len(b.spots))]
	}
	if to < 0 || to == from {
		to = int32(b.rng.Intn(len(g.Nodes)))
	}
	var ok bool
	for try := 0; try < 3; try++ {
		b.path, ok = b.finder.Path(b.path[:0], from, to, 20000)
		if ok {
			break
		}
		to = int32(b.rng.Intn(len(g.Nodes)))
	}
	b.at = 0
	if !ok {
		b.rethink = b.ticks(900) // a search for nothing is long
	}
	if len(b.path) > 0 {
		b.goal = b.path[len(b.path)-1].Pos
	}
}

// errand picks a pickup worth having among those on the screen, else anywhere.
func (b *Brain) errand(s *Senses) int32 {
	p := s.Own
	best, bestV := int32(-1), float32(0)
	for i := range s.Others {
		o := &s.Others[i]
		if o.Kind != state.KindPickup {
			continue
		}
		var want float32
		switch level.PickupKind(o.Weapon) {
		case level.PickHealth, level.PickMega:
			want = float32(100-min(p.Health, 100)) / 50
		case level.PickArmor, level.PickShard:
			want = float32(100-min(p.Armor, 100)) / 100
		case level.PickAmmo:
			want = 1 - float32(p.Ammo[tables.Rifle])/100
		case level.PickRocketAmmo:
			want = 0.6 - float32(p.Ammo[tables.Rocket])/20
		case level.PickRocket:
			if p.Owned&(1<<tables.Rocket) == 0 {
				want = 1.5
			}
		}
		if v := want / (5 + o.Pos.Dist(p.Pos)); want > 0.1 && v > bestV {
			if n := b.cfg.Graph.Nearest(o.Pos); n >= 0 && b.cfg.Graph.Nodes[n].Pos.Dist(o.Pos) < 1.5 {
				best, bestV = n, v
			}
		}
	}
	return best
}

// lookahead is how many steps of a path are looked at: those that steer may head
// for, cutting corners, and that follow may so find reached before the ones between.
const lookahead = 5

// follow drops the steps of the path up to the furthest that has been reached.
func (b *Brain) follow(s *Senses) {
	p := s.Own.Pos
	for i := min(b.at+lookahead, len(b.path)-1); i >= b.at; i-- {
		d := b.path[i].Pos.Sub(p)
		if d.Len2() < 0.55 && vec.Abs(d.Z) < 1.2 {
			b.at = i + 1
			break
		}
	}
	if b.at >= len(b.path) {
		return
	}
	// Off the way, fallen or thrown: plan again.
	d, kind := b.path[b.at].Pos.Sub(p), b.path[b.at].Kind
	walks := kind == nav.Walk || kind == nav.Drop
	if walks && s.Own.Flags&state.OnGround != 0 && d.Z > d.Len2()+1 || (walks || kind == nav.Jump) && d.Len() > 14 {
		b.at = len(b.path)
	}
}

// steer heads for the furthest step of the path that can be walked to straight.
func (b *Brain) steer(s *Senses) (wish vec.V3, jump bool) {
	if b.at >= len(b.path) {
		if b.rethink <= 0 {
			return vec.V3{}, false
		}
		return vec.Forward(b.roam, 0), false
	}
	p := s.Own
	m := &b.cfg.Tables.Movement
	aim := b.at
	hw := m.HalfWidth
	body := vec.Box{Min: vec.V3{X: -hw, Y: -hw}, Max: vec.V3{X: hw, Y: hw, Z: m.StandHeight - m.StepHeight}}
	from := p.Pos.Mad(m.StepHeight, vec.Up)
	for i := b.at; i < len(b.path) && i < b.at+lookahead; i++ {
		st := &b.path[i]
		if st.Kind != nav.Walk || vec.Abs(st.Pos.Z-p.Pos.Z) > 0.3 {
			break
		}
		if r := s.Scene.Box(from, st.Pos.Mad(m.StepHeight, vec.Up), body, level.MaskMove); r.Frac < 1 {
			break
		}
		if i > b.at && !b.ground(s, p.Pos, st.Pos) {
			break
		}
		aim = i
	}
	st := &b.path[aim]
	d := st.Pos.Sub(p.Pos)
	wish = d.Flat().Unit()
	if st.Kind == nav.Jump && p.Flags&state.OnGround != 0 && d.Len2() < 3.2 {
		jump = true
	}
	if st.Kind == nav.Jump && d.Z > 0.5 && d.Len2() < 1.4 {
		jump = true
	}
	if st.Kind == nav.Ride && d.Len2() < 3 && vec.Abs(d.Z) > 0.6 {
		wish = vec.V3{} // wait for the lift
	}
	wish.Z = vec.Clamp(d.Z, -1, 1)
	return wish, jump
}

// ground reports whether there is floor all the way.
func (b *Brain) ground(s *Senses, from, to vec.V3) bool {
	for _, f := range [...]float32{0.33, 0.66} {
		q := from.Lerp(to, f).Mad(0.5, vec.Up)
		if r := s.Scene.Ray(q, q.Mad(-1.3, vec.Up), level.MaskMove); r.Frac == 1 {
			return false
		}
	}
	return true
}

// unstuck notices that nothing moves and tries something else.
func (b *Brain) unstuck(s *Senses, wish vec.V3, jump bool) (vec.V3, bool) {
	p := s.Own
	if b.unstick > 0 {
		b.unstick--
		right := vec.V3{X: wish.Y, Y: -wish.X}.Scale(b.side)
		return wish.Scale(-0.3).Add(right), b.unstick%16 > 8
	}
	if wish.Len2() > 0.3 && p.Pos.DistSq(b.lastPos) < 0.0004 {
		b.stuck++
	} else {
		b.stuck = max(b.stuck-1, 0)
	}
	b.lastPos = p.Pos
	if b.stuck > b.ticks(400) {
		b.stuck = 0
		b.side = -b.side
		b.unstick = b.ticks(350)
		b.repath = b.unstick + 1
		return wish, true
	}
	return wish, jump
}

// dance moves sideways in a fight, keeping a distance, never off a ledge.
func (b *Brain) dance(s *Senses, enemy *Other, wish vec.V3, jump bool) (vec.V3, bool) {
	p := s.Own
	if p.Flags&state.OnGround == 0 || b.at < len(b.path) && b.path[b.at].Kind != nav.Walk {
		return wish, jump
	}
	if b.strafe--; b.strafe <= 0 {
		b.strafe = b.ticks(250 + b.rng.Float()*600)
		b.side = -b.side
	}
	to := enemy.Pos.Sub(p.Pos).Flat()
	d := to.Len()
	fwd := to.Unit()
	w := vec.V3{X: fwd.Y, Y: -fwd.X}.Scale(b.side)
	switch {
	case d > 18:
		w = w.Scale(0.6).Add(wish.Flat().Scale(0.8))
	case d > 9:
		w = w.Add(fwd.Scale(0.4))
	case d < 4:
		w = w.Add(fwd.Scale(-0.7))
	}
	w = w.Unit()
	if !b.safe(s, w) {
		b.side, b.strafe = -b.side, b.ticks(300)
		w = vec.V3{X: fwd.Y, Y: -fwd.X}.Scale(b.side)
		if !b.safe(s, w) {
			return wish, jump
		}
	}
	return w, b.rng.Intn(b.cfg.TickRate*3) == 0
}

// safe reports whether two steps in a direction end on floor.
func (b *Brain) safe(s *Senses, dir vec.V3) bool {
	q := s.Own.Pos.Mad(1.1, dir.Flat()).Mad(0.6, vec.Up)
	r := s.Scene.Ray(q, q.Mad(-2.2, vec.Up), level.MaskMove)
	if r.Frac == 1 {
		return false
	}
	return s.Scene.Contents(r.End.Mad(0.1, vec.Up))&(level.Lava|level.Slime) == 0
}

// deep is how far below its feet a bot looks for floor: more is a fall to death.
const deep = 10

// sole is what must find floor: narrower than a body, wider than a crack.
var sole = vec.Box{Min: vec.V3{X: -0.3, Y: -0.3}, Max: vec.V3{X: 0.3, Y: 0.3, Z: 0.1}}

// guard holds a bot back at the brink of a deep fall that is no part of its way,
// and steers it back over the floor when it is past it.
func (b *Brain) guard(s *Senses, wish vec.V3, jump bool) (vec.V3, bool) {
	p := s.Own
	if p.WaterLevel >= 2 || p.Flags&state.OnLadder != 0 {
		return wish, jump
	}
	bottom := func(at vec.V3) bool {
		q := at.Mad(0.6, vec.Up)
		r := s.Scene.Box(q, q.Mad(-deep, vec.Up), sole, level.MaskMove)
		return r.Frac < 1
	}
	vel := p.Vel.Flat()
	if p.Flags&state.OnGround == 0 {
		if bottom(p.Pos) || bottom(p.Pos.Mad(0.4, vel)) || b.at < len(b.path) && b.path[b.at].Kind != nav.Walk {
			return wish, jump
		}
		return b.firm.Sub(p.Pos).Flat().Unit(), false
	}
	b.firm = p.Pos
	if b.at < len(b.path) && b.path[b.at].Kind != nav.Walk {
		return wish, jump
	}
	if ahead := p.Pos.Mad(0.13, vel).Mad(0.45, wish.Flat()); bottom(ahead) {
		return wish, jump
	}
	if b.at < len(b.path) {
		// The way itself is safe: it has been walked when the graph was made.
		if to := b.path[b.at].Pos.Sub(p.Pos).Flat().Unit(); bottom(p.Pos.Mad(0.08, vel).Mad(0.45, to)) {
			return to, false
		}
	}
	return vel.Unit().Neg(), false
}
