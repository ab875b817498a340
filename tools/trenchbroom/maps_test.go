package main

import (
	"fmt"
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// The shipped maps load without a word of warning, and every place to enter is
// free, faces into the level and sees the world closed around it.
func TestShippedMapsAreClosed(t *testing.T) {
	for file, l := range shipped(t) {
		for _, w := range l.Warnings {
			t.Errorf("%s: %+v", file, w)
		}
		s := trace.New(l).Closed()
		usable, note := level.CheckSpawns(l, func(feet vec.V3) bool {
			return !s.Box(feet, feet, level.StandingBox, level.MaskMove).StartSolid
		})
		all := 0 // those for everybody: the sides' own stand beside them
		for i := range l.Spawns {
			if l.Spawns[i].Team == 0 {
				all++
			} else if s.Box(l.Spawns[i].Pos, l.Spawns[i].Pos, level.StandingBox, level.MaskMove).StartSolid {
				t.Errorf("%s: team %d cannot enter at %v", file, l.Spawns[i].Team, l.Spawns[i].Pos)
			}
		}
		if len(usable) != all || len(usable) < 8 {
			t.Errorf("%s: %d of %d places to enter; %s", file, len(usable), all, note)
		}
		var from []vec.V3
		for i := range l.Spawns {
			eye := l.Spawns[i].Pos.Mad(1.5, vec.Up)
			from = append(from, eye)
			if r := s.Ray(eye, eye.Mad(4, vec.Forward(l.Spawns[i].Yaw, 0)), level.MaskSight); r.Frac < 1 {
				t.Errorf("%s: who enters at %v faces a wall %.1f m away", file, l.Spawns[i].Pos, 4*r.Frac)
			}
		}
		for i := range l.Pickups {
			p := l.Pickups[i].Pos.Mad(0.3, vec.Up)
			from = append(from, p)
			if r := s.Ray(p, p.Mad(-1, vec.Up), level.MaskMove); r.StartSolid || r.Frac == 1 {
				t.Errorf("%s: %s at %v floats or is buried", file, l.Pickups[i].Class, l.Pickups[i].Pos)
			}
		}
		for _, p := range from {
			for pitch := float32(-85); pitch <= 85; pitch += 10 {
				for yaw := float32(-180); yaw < 180; yaw += 7.5 {
					if r := s.Ray(p, p.Mad(500, vec.Forward(yaw, pitch)), level.MaskShot); r.Frac == 1 {
						t.Fatalf("%s: one sees out of the world from %v towards yaw %g pitch %g", file, p, yaw, pitch)
					}
				}
			}
		}
	}
}

// No two faces with different textures lie in one plane where both can be seen:
// they would flicker.
func TestNoFacesOfShippedMapsFight(t *testing.T) {
	for file, l := range shipped(t) {
		s := trace.New(l).Closed()
		said := 0
		for i := range l.Surfaces {
			for j := range i {
				a, b := &l.Surfaces[i], &l.Surfaces[j]
				if a.Texture == b.Texture || !drawn(a) || !drawn(b) || len(a.Indices) > 30 || len(b.Indices) > 30 {
					continue
				}
				if p, ok := fight(a, b, s); ok {
					said++
					if said <= 20 {
						t.Errorf("%s: %s and %s fight at %s", file, l.Textures[a.Texture], l.Textures[b.Texture], units(p))
					}
				}
			}
		}
	}
}

func drawn(s *level.Surface) bool {
	return s.Surf&(level.SurfNoDraw|level.SurfSky) == 0 && len(s.Verts) >= 3
}

func units(p vec.V3) string {
	return fmt.Sprintf("( %.0f %.0f %.0f )", p.X*32, p.Y*32, p.Z*32)
}

// fight returns a place where both faces are drawn and seen.
func fight(a, b *level.Surface, s trace.Scene) (vec.V3, bool) {
	n := a.Verts[0].Normal
	if n.Dot(b.Verts[0].Normal) < 0.999 || math.Abs(float64(n.Dot(a.Verts[0].Pos.Sub(b.Verts[0].Pos)))) > 0.004 {
		return vec.V3{}, false
	}
	box := func(f *level.Surface) vec.Box {
		x := vec.EmptyBox()
		for i := range f.Verts {
			x = x.Grow(f.Verts[i].Pos)
		}
		return x
	}
	ba, bb := box(a), box(b)
	lo, hi := ba.Min, ba.Max
	for k := range 3 {
		lo, hi = lo.With(k, max(lo.At(k), bb.Min.At(k))), hi.With(k, min(hi.At(k), bb.Max.At(k)))
	}
	size := hi.Sub(lo)
	wide := 0
	for k := range 3 {
		if size.At(k) < -0.004 {
			return vec.V3{}, false
		}
		if size.At(k) > 0.02 {
			wide++
		}
	}
	if wide < 2 {
		return vec.V3{}, false
	}
	const steps = 7
	for x := range steps {
		for y := range steps {
			for z := range steps {
				f := func(i int) float32 { return (float32(i) + 0.5) / steps }
				p := vec.V3{X: lo.X + size.X*f(x), Y: lo.Y + size.Y*f(y), Z: lo.Z + size.Z*f(z)}
				p = p.Mad(n.Dot(a.Verts[0].Pos.Sub(p)), n)
				if inside(a, p, n) && inside(b, p, n) && s.Contents(p.Mad(0.01, n))&level.MaskShot == 0 {
					return p, true
				}
			}
		}
	}
	return vec.V3{}, false
}

// inside reports whether a place of its plane lies in one of a face's triangles.
func inside(f *level.Surface, p, n vec.V3) bool {
	for i := 0; i+2 < len(f.Indices); i += 3 {
		in := true
		for k := range 3 {
			a, b := f.Verts[f.Indices[i+k]].Pos, f.Verts[f.Indices[i+(k+1)%3]].Pos
			if n.Dot(b.Sub(a).Cross(p.Sub(a))) < 1e-4 {
				in = false
				break
			}
		}
		if in {
			return true
		}
	}
	return false
}
