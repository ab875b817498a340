package pmove

import (
	"github.com/sightline-engine/sightline/game/vec"
)

const (
	maxPlanes = 5
	maxBumps  = 4
	// stepReach is how far beyond the touch a try to climb a step goes at least. A
	// short tick's own way may end within the skin that sweeps keep from walls:
	// then the step would stop it (TestStairsAreClimbedAtEveryTickRate).
	stepReach = float32(1.0 / 400)
	leaving   = 0.003 // m/s along a normal that count as moving away
)

// clipVel takes the part of v that goes into a plane away, and a little more.
func clipVel(v, n vec.V3, overclip float32) vec.V3 {
	into := v.Dot(n)
	if into < 0 {
		into = float32(into * overclip)
	} else {
		into = into / overclip
	}
	return v.Mad(0-into, n)
}

// step slides by v for a sub-step, and climbs a step that is in the way. after is
// the velocity that is left at the end if nothing is.
func (m *mover) step(v, after vec.V3) {
	p := m.p
	start := p.Pos
	if !m.slide(v, after, m.dt) {
		return
	}
	slid, slidVel := p.Pos, p.Vel

	flat := v.Flat()
	speed := flat.Len()
	if speed < 1e-6 || (after.Z > 0 && !m.floorBelow(start)) {
		return
	}
	high := start
	high.Z += m.t.StepHeight
	up := m.sweep(start, high)
	rise := up.End.Z - start.Z
	if up.StartSolid || rise <= 0 {
		return
	}
	p.Pos = up.End
	m.slide(flat, after.Flat(), max(m.dt, (slid.Sub(start).Len2()+stepReach)/speed))
	low := p.Pos
	low.Z -= rise
	down := m.sweep(p.Pos, low)
	if down.StartSolid || down.Frac == 1 || down.Normal.Z < m.t.MinWalkNormal ||
		down.End.Z <= slid.Z+0.0001 || !m.further(start, down.End, slid, flat) {
		p.Pos, p.Vel = slid, slidVel
		return
	}
	p.Pos = down.End
	p.Vel.Z = max(slidVel.Z, 0)
	p.Vel = clipVel(p.Vel, down.Normal, m.t.Overclip)
	m.out.StepUp += p.Pos.Z - start.Z
}

// further reports whether a went further than b along the way.
func (m *mover) further(start, a, b, way vec.V3) bool {
	return way.Dot(a.Sub(start)) > way.Dot(b.Sub(start))
}

// floorBelow reports whether a floor is within a step below: in a jump's rise,
// steps are only climbed near the ground.
func (m *mover) floorBelow(at vec.V3) bool {
	low := at
	low.Z -= m.t.StepHeight
	hit := m.sweep(at, low)
	return hit.Frac < 1 && hit.Normal.Z >= m.t.MinWalkNormal
}

// slide moves p by v for dt seconds along whatever is in the way, and sets p.Vel
// to what is left of after. It reports whether anything was.
func (m *mover) slide(v, after vec.V3, dt float32) bool {
	p := m.p
	var planes [maxPlanes]vec.V3
	n := 0
	if m.onGround {
		planes[n] = m.floor.Normal
		n++
	}
	first := v
	left := dt
	hitAny := false
	for range maxBumps {
		if v == (vec.V3{}) {
			break
		}
		hit := m.sweep(p.Pos, p.Pos.Mad(left, v))
		if hit.AllSolid {
			p.Vel = vec.V3{}
			return true
		}
		p.Pos = hit.End
		if hit.Frac == 1 {
			break
		}
		hitAny = true
		left -= float32(left * hit.Frac)
		if n == maxPlanes {
			v, after = vec.V3{}, vec.V3{}
			break
		}
		if again(planes[:n], hit.Normal) {
			// Met before: rounding holds us to it. Push off a little.
			v, after = v.Mad(0.03, hit.Normal), after.Mad(0.03, hit.Normal)
			continue
		}
		planes[n] = hit.Normal
		n++
		v, after = m.along(planes[:n], v, after)
		if v.Dot(first) <= 0 { // never back: it would tremble in corners
			v = vec.V3{}
		}
	}
	p.Vel = after
	return hitAny
}

func again(planes []vec.V3, n vec.V3) bool {
	for _, q := range planes {
		if q.Dot(n) > 0.99 {
			return true
		}
	}
	return false
}

// along returns v and after without what goes into any of the planes: along one
// plane, else along the crease of two, else nothing.
func (m *mover) along(planes []vec.V3, v, after vec.V3) (vec.V3, vec.V3) {
	for i, a := range planes {
		if v.Dot(a) >= leaving {
			continue
		}
		cv, ca := clipVel(v, a, m.t.Overclip), clipInto(after, a, m.t.Overclip)
		for j, b := range planes {
			if j == i || cv.Dot(b) >= leaving {
				continue
			}
			cv, ca = clipVel(cv, b, m.t.Overclip), clipInto(ca, b, m.t.Overclip)
			if cv.Dot(a) >= 0 {
				continue
			}
			crease := a.Cross(b).Unit()
			cv, ca = crease.Scale(crease.Dot(v)), crease.Scale(crease.Dot(after))
			for k, c := range planes {
				if k != i && k != j && cv.Dot(c) < leaving {
					return vec.V3{}, vec.V3{}
				}
			}
		}
		return cv, ca
	}
	return v, clipAll(planes, after, m.t.Overclip)
}

// clipInto is clipVel for a velocity that does go into the plane.
func clipInto(v, n vec.V3, overclip float32) vec.V3 {
	if v.Dot(n) >= 0 {
		return v
	}
	return clipVel(v, n, overclip)
}

func clipAll(planes []vec.V3, v vec.V3, overclip float32) vec.V3 {
	for _, n := range planes {
		v = clipInto(v, n, overclip)
	}
	return v
}
