package gen

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
	"github.com/sightline-engine/sightline/game/vec"
)

// Measures of a building, in metres.
const (
	wall   = 0.5
	doorW  = 2
	doorH  = 2.5
	sill   = 1
	lintel = 2.25
	paneW  = 1.5
	pane   = 0.125 // thickness of glass
	roof   = 0.25
	crate  = 1.25 // of wood, that breaks
)

// build puts a building on each plot of a town.
func (m *maker) build(k int) {
	t := &m.towns[k]
	r := vec.NewRand(m.cfg.Seed, 0xb1d6, uint64(t.x+side), uint64(t.y+side))
	for iy := range plotsY {
		for ix := range plotsX {
			w, d := float32(12+4*r.Intn(3)), float32(12+2*r.Intn(4))
			h := float32(3.5)
			if r.Intn(3) == 0 {
				h = 7
			}
			x := t.x + float32(ix*plot) + (plot-w)/2
			y := t.y + float32(iy*plot) + (plot-d)/2
			m.house(vec.Box{Min: vec.V3{X: x, Y: y, Z: t.z}, Max: vec.V3{X: x + w, Y: y + d, Z: t.z + h}})
		}
	}
}

// house adds four walls, a roof, a front with a sliding door, a back door, and windows.
// The panes of the front break; every third house, by its place, has a leaf on a hinge
// in its back door and a crate that breaks.
func (m *maker) house(b vec.Box) {
	// Walls along x, front and back, then those along y between them.
	for back := range 2 {
		y := b.Min.Y
		if back == 1 {
			y = b.Max.Y - wall
		}
		m.wall(0, b.Min.X, b.Max.X, y, b.Min.Z, b.Max.Z, true, back == 0)
	}
	for right := range 2 {
		x := b.Min.X
		if right == 1 {
			x = b.Max.X - wall
		}
		m.wall(1, b.Min.Y+wall, b.Max.Y-wall, x, b.Min.Z, b.Max.Z, false, false)
	}
	m.box(0, vec.Box{Min: vec.V3{X: b.Min.X - 0.5, Y: b.Min.Y - 0.5, Z: b.Max.Z}, Max: vec.V3{X: b.Max.X + 0.5, Y: b.Max.Y + 0.5, Z: b.Max.Z + roof}}, level.Solid, "building/roof")

	mid := (b.Min.X + b.Max.X) / 2
	door := vec.Box{
		Min: vec.V3{X: mid - doorW/2, Y: b.Min.Y + 0.125, Z: b.Min.Z},
		Max: vec.V3{X: mid + doorW/2, Y: b.Min.Y + 0.375, Z: b.Min.Z + doorH},
	}
	model, err := m.b.Model()
	if err != nil {
		m.err = fmt.Errorf("gen: door: %w", err)
		return
	}
	m.box(model, door, level.Solid, "building/door")
	// In the words of a map: to the side by its width, at 4 m/s, for two seconds.
	m.b.AddEntity(level.Entity{Class: "func_door", Model: model, Keys: []level.KV{
		{Key: "classname", Value: "func_door"}, {Key: "angle", Value: "0"}, {Key: "speed", Value: "128"},
		{Key: "wait", Value: "2"}, {Key: "lip", Value: "0"},
	}})
	if m.houses++; m.houses%3 != 1 {
		return
	}
	leaf := vec.Box{
		Min: vec.V3{X: mid - doorW/2, Y: b.Max.Y - 0.3125, Z: b.Min.Z},
		Max: vec.V3{X: mid + doorW/2, Y: b.Max.Y - 0.1875, Z: b.Min.Z + doorH},
	}
	if model, ok := m.model(); ok {
		m.box(model, leaf, level.Solid, "building/door")
		at := func(x float32) string {
			return strconv.FormatFloat(float64(float32(x*level.UnitsPerMetre)), 'f', -1, 32)
		}
		hinge := vec.V3{X: mid - doorW/2, Y: b.Max.Y - 0.25, Z: b.Min.Z}
		m.b.AddEntity(level.Entity{
			Class: "func_door_rotating", Model: model, Origin: hinge,
			Keys: []level.KV{
				{Key: "classname", Value: "func_door_rotating"}, {Key: "origin", Value: at(hinge.X) + " " + at(hinge.Y) + " " + at(hinge.Z)},
				{Key: "spawnflags", Value: "4"}, // both ways
			},
		})
	}
	m.piece(vec.Box{
		Min: vec.V3{X: b.Min.X + wall, Y: b.Max.Y - wall - crate, Z: b.Min.Z},
		Max: vec.V3{X: b.Min.X + wall + crate, Y: b.Max.Y - wall, Z: b.Min.Z + crate},
	}, level.Piece{Health: 60, Material: level.Wood}, "building/crate")
}

// model begins a model and keeps the first error.
func (m *maker) model() (int, bool) {
	n, err := m.b.Model()
	if err != nil && m.err == nil {
		m.err = fmt.Errorf("gen: model: %w", err)
	}
	return n, err == nil
}

// piece adds a box that breaks.
func (m *maker) piece(box vec.Box, p level.Piece, texture string) {
	model, ok := m.model()
	if !ok {
		return
	}
	c := level.Solid
	if p.Material == level.Pane {
		c = level.Glass
	}
	m.box(model, box, c, texture)
	p.Model = model
	if !m.b.AddPiece(p) && m.err == nil {
		m.err = fmt.Errorf("gen: no room for a piece at %v", box)
	}
}

// wall adds a wall along an axis from lo to hi, its near side at across: a door in
// the middle, when it has one, and a window in the middle of each half, whose pane
// may break. What is left is filled with boxes.
func (m *maker) wall(axis int, lo, hi, across, z0, z1 float32, door, breaks bool) {
	box := func(a, b, from, to, inset float32, c level.Contents, texture string) {
		var p, q vec.V3
		p = p.With(axis, a).With(1-axis, across+inset).With(2, from)
		q = q.With(axis, b).With(1-axis, across+wall-inset).With(2, to)
		m.box(0, vec.Box{Min: p, Max: q}, c, texture)
	}
	const brick, glass = "building/brick", "building/glass"
	mid := (lo + hi) / 2
	edge := float32(0) // half of what the door takes
	if door {
		edge = doorW / 2
		box(mid-edge, mid+edge, z0+doorH, z1, 0, level.Solid, brick)
	}
	for half := range 2 {
		a, b := lo, mid-edge
		if half == 1 {
			a, b = mid+edge, hi
		}
		c := snap((a + b) / 2)
		w0, w1 := c-paneW/2, c+paneW/2
		box(a, w0, z0, z1, 0, level.Solid, brick)
		box(w1, b, z0, z1, 0, level.Solid, brick)
		box(w0, w1, z0, z0+sill, 0, level.Solid, brick)
		box(w0, w1, z0+lintel, z1, 0, level.Solid, brick)
		if !breaks {
			box(w0, w1, z0+sill, z0+lintel, (wall-pane)/2, level.Glass, glass)
			continue
		}
		var p, q vec.V3
		p = p.With(axis, w0).With(1-axis, across+(wall-pane)/2).With(2, z0+sill)
		q = q.With(axis, w1).With(1-axis, across+(wall+pane)/2).With(2, z0+lintel)
		m.piece(vec.Box{Min: p, Max: q}, level.Piece{Health: 1, Material: level.Pane}, glass)
	}
}

// plant puts trees where there is no town.
func (m *maker) plant() {
	r := vec.NewRand(m.cfg.Seed, 0x72ee)
	for n := 0; n < m.cfg.Trees; {
		x := snap(float32((side/2 - 24) * r.Signed()))
		y := snap(float32((side/2 - 24) * r.Signed()))
		kind, tall := r.Intn(2), float32(r.Intn(5))
		free := true
		for i := range m.towns {
			if m.towns[i].out(x, y) < 6 {
				free = false
				break
			}
		}
		if !free {
			continue
		}
		n++
		z := m.ground(x, y)
		top := z + 3 + tall
		m.box(0, vec.Box{Min: vec.V3{X: x - 0.25, Y: y - 0.25, Z: z - 1}, Max: vec.V3{X: x + 0.25, Y: y + 0.25, Z: top}}, level.Solid, "tree/bark")
		if kind == 0 {
			m.box(0, vec.Box{Min: vec.V3{X: x - 1.5, Y: y - 1.5, Z: top}, Max: vec.V3{X: x + 1.5, Y: y + 1.5, Z: top + 3}}, level.Solid, "tree/leaves")
		} else {
			m.fir(vec.V3{X: x, Y: y, Z: top - 1})
		}
	}
}

// fir adds a crown of four slopes, 5 m wide and 6 m tall, its base at p.
func (m *maker) fir(p vec.V3) {
	t := m.b.Texture("tree/needles")
	face := func(n exact.V, through vec.V3) level.Face {
		d := float64(n[0]*float64(through.X)) + float64(n[1]*float64(through.Y))
		d += float64(n[2] * float64(through.Z))
		return level.Face{Plane: exact.Plane{N: n, D: float64(d * level.UnitsPerMetre)}, Texture: t}
	}
	const a, b = 12.0 / 13, 5.0 / 13 // a slope of 6 m in 2.5
	tip := p.Add(vec.V3{Z: 6})
	faces := []level.Face{
		face(exact.V{0, 0, -1}, p),
		face(exact.V{a, 0, b}, tip), face(exact.V{-a, 0, b}, tip),
		face(exact.V{0, a, b}, tip), face(exact.V{0, -a, b}, tip),
	}
	w, err := m.b.AddSolid(0, faces, level.Solid, level.Source{Line: -1})
	if err != nil {
		if m.err == nil {
			m.err = fmt.Errorf("gen: fir at %v: %w", p, err)
		}
		return
	}
	for i, f := range faces {
		if w[i] != nil {
			m.b.AddSurface(level.FaceSurface(f, w[i], 0, level.Solid))
		}
	}
}
