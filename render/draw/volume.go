package draw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/render/scene"
)

// maxCells bounds the block of light, and with it the time of an upload: about
// half a second for the largest (measured), which is what a level load may
// cost.
const maxCells = 300_000

// volume is a coarse block over the world. For each cell it holds how much of
// the sky is seen, how open the neighbourhood is, and what fixed lamps give.
type volume struct {
	low     mgl32.Vec3
	cell    float32
	n       [3]int
	solid   []bool
	data    []byte // RGBA: sky, openness
	lamps   []byte // RGBA: square root of a quarter of the light
	hasLamp bool
}

// measure builds the block, or returns nil for a world without surfaces.
func measure(w *scene.World, g *geometry) *volume {
	if len(g.indices) == 0 {
		return nil
	}
	lo, hi := g.verts[g.indices[0]].pos, g.verts[g.indices[0]].pos
	for i := range g.chunks {
		for k := range 3 {
			lo[k] = min(lo[k], g.chunks[i].lo[k])
			hi[k] = max(hi[k], g.chunks[i].hi[k])
		}
	}
	for k := range 3 {
		if !(hi[k]-lo[k] < 1e6) {
			return nil
		}
	}
	v := &volume{cell: 0.5}
	for {
		total := 1
		for k := range 3 {
			v.n[k] = int((hi[k]-lo[k])/v.cell) + 5
			total *= v.n[k]
		}
		if total <= maxCells {
			break
		}
		v.cell *= 1.1
	}
	v.low = lo.Sub(mgl32.Vec3{2, 2, 2}.Mul(v.cell))
	total := v.n[0] * v.n[1] * v.n[2]
	v.solid = make([]bool, total)
	v.data = make([]byte, 4*total)
	v.fill(w, g)
	v.openness()
	v.light(w.Lamps)
	return v
}

func (v *volume) index(x, y, z int) int { return (z*v.n[1]+y)*v.n[0] + x }

func (v *volume) at(p mgl32.Vec3) (x, y, z int, ok bool) {
	q := p.Sub(v.low).Mul(1 / v.cell)
	x, y, z = int(q[0]), int(q[1]), int(q[2])
	ok = q[0] >= 0 && q[1] >= 0 && q[2] >= 0 && x < v.n[0] && y < v.n[1] && z < v.n[2]
	return x, y, z, ok
}

// fill marks the cells that an opaque, still surface runs through, a little
// behind it, so that a floor on the border of two cells fills the lower one.
func (v *volume) fill(w *scene.World, g *geometry) {
	step := v.cell * 0.45
	for ci := range g.chunks {
		c := &g.chunks[ci]
		m := &w.Materials[c.material]
		if c.model != 0 || !opaque(m) || m.Cutout || m.Kind == scene.Lamp {
			continue
		}
		for i := c.first; i < c.first+c.count; i += 3 {
			a, b, d := &g.verts[g.indices[i]], &g.verts[g.indices[i+1]], &g.verts[g.indices[i+2]]
			e, f := b.pos.Sub(a.pos), d.pos.Sub(a.pos)
			back := a.normal.Mul(-0.3 * v.cell)
			ne, nf := int(e.Len()/step)+1, int(f.Len()/step)+1
			ne, nf = min(ne, 4000), min(nf, 4000)
			for s := 0; s <= ne; s++ {
				for t := 0; t <= nf; t++ {
					x, y := float32(s)/float32(ne), float32(t)/float32(nf)
					if x+y > 1.0001 {
						break
					}
					if x, y, z, ok := v.at(a.pos.Add(e.Mul(x)).Add(f.Mul(y)).Add(back)); ok {
						v.solid[v.index(x, y, z)] = true
					}
				}
			}
		}
	}
}

func opaque(m *scene.Material) bool {
	return !m.Translucent && m.Kind != scene.Glass && m.Kind != scene.Water && m.Kind != scene.Slime
}

// dirs are steps by which a cell looks around, in half cells, none longer than
// one cell along an axis, so that a wall one cell thick is never jumped over:
// upwards first.
var dirs = [...][3]int{
	{0, 0, 2}, {1, 0, 2}, {-1, 0, 2}, {0, 1, 2}, {0, -1, 2},
	{2, 2, 2}, {2, -2, 2}, {-2, 2, 2}, {-2, -2, 2},
	{2, 0, 1}, {-2, 0, 1}, {0, 2, 1}, {0, -2, 1},
	{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, -2},
}

const (
	upward     = 13  // the first so many of dirs see the sky
	shadeReach = 2.5 // metres within which a surface darkens its neighbour
)

// openness looks from every free cell along dirs.
func (v *volume) openness() {
	for z := range v.n[2] {
		for y := range v.n[1] {
			for x := range v.n[0] {
				i := v.index(x, y, z)
				if v.solid[i] {
					continue
				}
				sky, open, weight := 0.0, 0.0, 0.0
				for k, d := range dirs {
					l := math.Sqrt(float64(d[0]*d[0] + d[1]*d[1] + d[2]*d[2]))
					hit, steps := v.march(x, y, z, d)
					dist := float64(steps) * l / 2 * float64(v.cell)
					free := 1.0
					if hit {
						free = min(dist/shadeReach, 1)
					}
					open += free
					if k < upward {
						up := float64(d[2]) / l
						weight += up
						if !hit {
							sky += up
						}
					}
				}
				// A point on an open plane sees a little over half of all.
				o := open / float64(len(dirs))
				v.data[4*i] = byte(255 * sky / weight)
				v.data[4*i+1] = byte(255 * min(0.30+0.85*o, 1))
				v.data[4*i+3] = 255
			}
		}
	}
	v.bleed(v.data)
}

// march steps until it meets a surface or leaves the block.
func (v *volume) march(x, y, z int, d [3]int) (hit bool, steps int) {
	x, y, z = 2*x+1, 2*y+1, 2*z+1
	for {
		x, y, z = x+d[0], y+d[1], z+d[2]
		steps++
		if x < 0 || y < 0 || z < 0 || x >= 2*v.n[0] || y >= 2*v.n[1] || z >= 2*v.n[2] {
			return false, steps
		}
		if v.solid[v.index(x>>1, y>>1, z>>1)] {
			return true, steps
		}
	}
}

// bleed gives cells inside surfaces the mean of their free neighbours, so that
// reading between cells near a wall is not dark for nothing.
func (v *volume) bleed(data []byte) {
	for z := range v.n[2] {
		for y := range v.n[1] {
			for x := range v.n[0] {
				i := v.index(x, y, z)
				if !v.solid[i] {
					continue
				}
				var sum [3]int
				n := 0
				for dz := max(z-1, 0); dz <= min(z+1, v.n[2]-1); dz++ {
					for dy := max(y-1, 0); dy <= min(y+1, v.n[1]-1); dy++ {
						for dx := max(x-1, 0); dx <= min(x+1, v.n[0]-1); dx++ {
							j := v.index(dx, dy, dz)
							if v.solid[j] {
								continue
							}
							n++
							for k := range 3 {
								sum[k] += int(data[4*j+k])
							}
						}
					}
				}
				for k := range 3 {
					data[4*i+k] = byte(sum[k] / max(n, 1))
				}
			}
		}
	}
}

// light spreads the fixed lamps over the cells that they reach.
func (v *volume) light(lamps []scene.PointLight) {
	if len(lamps) == 0 {
		return
	}
	v.hasLamp = true
	sum := make([]mgl32.Vec3, len(v.solid))
	for _, l := range lamps {
		if !(l.Radius > 0) {
			continue
		}
		r := mgl32.Vec3{l.Radius, l.Radius, l.Radius}
		var a, b [3]int
		for k := range 3 {
			a[k] = int(min(max((l.Pos[k]-r[k]-v.low[k])/v.cell, 0), float32(v.n[k]-1)))
			b[k] = int(min(max((l.Pos[k]+r[k]-v.low[k])/v.cell, 0), float32(v.n[k]-1)))
		}
		for z := a[2]; z <= b[2]; z++ {
			for y := a[1]; y <= b[1]; y++ {
				for x := a[0]; x <= b[0]; x++ {
					i := v.index(x, y, z)
					if v.solid[i] {
						continue
					}
					p := v.low.Add(mgl32.Vec3{float32(x) + 0.5, float32(y) + 0.5, float32(z) + 0.5}.Mul(v.cell))
					d := l.Pos.Sub(p)
					q := d.Dot(d) / (l.Radius * l.Radius)
					if q >= 1 || !v.clear(p, d) {
						continue
					}
					sum[i] = sum[i].Add(l.Color.Mul((1 - q) * (1 - q) / (1 + 8*q)))
				}
			}
		}
	}
	v.lamps = make([]byte, 4*len(v.solid))
	for i, s := range sum {
		for k := range 3 {
			v.lamps[4*i+k] = byte(255 * min(math.Sqrt(float64(max(s[k], 0)/4)), 1))
		}
		v.lamps[4*i+3] = 255
	}
	v.bleed(v.lamps)
}

// clear reports whether nothing lies between p and p+d. The lamp's own cell and
// its neighbours do not count: lamps hang on walls.
func (v *volume) clear(p, d mgl32.Vec3) bool {
	n := int(d.Len()/v.cell*1.5) + 1
	for s := 1; s < n-2; s++ {
		if x, y, z, ok := v.at(p.Add(d.Mul(float32(s) / float32(n)))); ok && v.solid[v.index(x, y, z)] {
			return false
		}
	}
	return true
}
