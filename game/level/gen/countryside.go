package gen

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Config says how a countryside is made. The zero value is the benchmark's level.
type Config struct {
	Seed uint64
	// Towns is how many towns there are along each side, 1 to 5 (0: 5). Each has
	// twelve buildings.
	Towns int
	// Trees is how many there are (0: 4000; below 0 none), 20000 at most.
	Trees int
	// SpawnTowns is how many towns, the middle ones first, have places to enter and
	// things to take (0: all of them).
	SpawnTowns int
	// Vehicles is how many there are, on the crossings of streets, a town at a time, the
	// middle ones first; 48 at most.
	Vehicles int
}

// What a countryside is made of.
const (
	DefaultTowns = 5
	DefaultTrees = 4000

	cell    = 4   // metres between samples of the height field
	samples = 513 // along each side
	side    = cell * (samples - 1)
	spacing = 400 // metres between the middles of two towns
	plot    = 32  // metres of a building's ground, streets included
	plotsX  = 4
	plotsY  = 3
	// crossings of streets are where vehicles stand.
	crossings = (plotsX - 1) * (plotsY - 1)
	blend     = 64 // metres over which a town's level ground meets the hills
)

// town is one settlement: a level rectangle with twelve plots.
type town struct {
	x, y float32 // of its corner
	z    float32 // ground
}

func (t *town) w() float32 { return plot * plotsX }
func (t *town) d() float32 { return plot * plotsY }

// out is how far a point lies outside the town's rectangle, 0 inside.
func (t *town) out(x, y float32) float32 {
	dx := max(t.x-x, x-t.x-t.w(), 0)
	dy := max(t.y-y, y-t.y-t.d(), 0)
	return max(dx, dy)
}

// maker is a level on its way.
type maker struct {
	b     *level.Builder
	cfg   Config
	towns []town
	field *level.Terrain
	err   error

	houses int // so far
}

// Countryside makes a level of hills with towns and trees.
func Countryside(cfg Config) (*level.Level, error) {
	if cfg.Towns == 0 {
		cfg.Towns = DefaultTowns
	}
	if cfg.Trees == 0 {
		cfg.Trees = DefaultTrees
	}
	if cfg.SpawnTowns == 0 {
		cfg.SpawnTowns = cfg.Towns * cfg.Towns
	}
	switch {
	case cfg.Towns < 1 || cfg.Towns > DefaultTowns:
		return nil, fmt.Errorf("gen: %d towns along a side, allowed are 1 to %d", cfg.Towns, DefaultTowns)
	case cfg.Trees > 20000:
		return nil, fmt.Errorf("gen: %d trees, allowed are 20000", cfg.Trees)
	case cfg.Vehicles < 0 || cfg.Vehicles > 48 || cfg.Vehicles > cfg.Towns*cfg.Towns*crossings:
		return nil, fmt.Errorf("gen: %d vehicles, allowed are 48, and %d for each of %d towns", cfg.Vehicles, crossings, cfg.Towns*cfg.Towns)
	case cfg.SpawnTowns < 1 || cfg.SpawnTowns > cfg.Towns*cfg.Towns:
		return nil, fmt.Errorf("gen: %d towns to enter in, there are %d", cfg.SpawnTowns, cfg.Towns*cfg.Towns)
	}
	m := &maker{b: level.NewBuilder("countryside"), cfg: cfg}
	m.b.SetUnit(1.0 / level.UnitsPerMetre) // what the reach of a door is measured in
	m.hills()
	m.settle()
	m.b.SetTerrain(m.field, "ground/grass")
	for i := range m.towns {
		m.build(i)
	}
	m.enter()
	m.park()
	m.plant()
	m.fence()
	if m.err != nil {
		return nil, m.err
	}
	return m.b.Build(), nil
}

// hills makes the height field before anybody builds on it.
func (m *maker) hills() {
	f := &level.Terrain{Origin: vec.V3{X: -side / 2, Y: -side / 2}, Cell: cell, W: samples, H: samples, Heights: make([]float32, samples*samples)}
	for j := range samples {
		for i := range samples {
			x, y := i*cell, j*cell
			h := float32(40*m.noise(x, y, 512, 1)) + float32(14*m.noise(x, y, 128, 2))
			h += float32(2.5 * m.noise(x, y, 32, 3))
			f.Heights[j*samples+i] = snap(h)
		}
	}
	m.field = f
}

// noise is smooth between random values -0.5..0.5 on a lattice of that many metres.
func (m *maker) noise(x, y, lattice int, octave uint64) float32 {
	i, j := x/lattice, y/lattice
	fx, fy := ease(float32(x%lattice)/float32(lattice)), ease(float32(y%lattice)/float32(lattice))
	at := func(i, j int) float32 {
		r := vec.NewRand(m.cfg.Seed, 0x4e01, octave, uint64(i), uint64(j))
		return r.Float() - 0.5
	}
	return vec.Lerp(vec.Lerp(at(i, j), at(i+1, j), fx), vec.Lerp(at(i, j+1), at(i+1, j+1), fx), fy)
}

// ease is 3t²-2t³.
func ease(t float32) float32 {
	t2 := float32(t * t)
	return float32(3*t2) - float32(2*float32(t2*t))
}

// snap rounds to whole eighths of a metre.
func snap(x float32) float32 { return float32(vec.Floor(float32(x*8)+0.5)) / 8 }

// settle places the towns, the middle ones first, and levels their ground.
func (m *maker) settle() {
	n := m.cfg.Towns
	r := vec.NewRand(m.cfg.Seed, 0x70d5)
	for k := range n * n {
		cx := (float32(k%n) - float32(n-1)/2) * spacing
		cy := (float32(k/n) - float32(n-1)/2) * spacing
		t := town{}
		// On the field's samples, so that no triangle of the ground cuts a floor.
		t.x = float32(vec.Floor((cx-t.w()/2+float32(48*r.Signed()))/cell)) * cell
		t.y = float32(vec.Floor((cy-t.d()/2+float32(48*r.Signed()))/cell)) * cell
		t.z = m.ground(t.x+t.w()/2, t.y+t.d()/2)
		m.towns = append(m.towns, t)
	}
	// An insertion sort by distance from the middle: stable and the same anywhere.
	far := func(t *town) float32 { return vec.V3{X: t.x + t.w()/2, Y: t.y + t.d()/2}.Len2() }
	for i := range m.towns {
		for k := i; k > 0 && far(&m.towns[k]) < far(&m.towns[k-1]); k-- {
			m.towns[k], m.towns[k-1] = m.towns[k-1], m.towns[k]
		}
	}
	for j := range samples {
		for i := range samples {
			x, y := float32(i*cell)-side/2, float32(j*cell)-side/2
			for k := range m.towns {
				t := &m.towns[k]
				if d := t.out(x, y); d <= cell {
					m.field.Heights[j*samples+i] = t.z
				} else if d < blend {
					h := &m.field.Heights[j*samples+i]
					*h = snap(vec.Lerp(t.z, *h, ease(float32(d-cell)/(blend-cell))))
				}
			}
		}
	}
}

// ground is the lowest of the samples around a point.
func (m *maker) ground(x, y float32) float32 {
	i, j := int(vec.Floor((x+side/2)/cell)), int(vec.Floor((y+side/2)/cell))
	f := m.field
	return min(f.Height(i, j), f.Height(i+1, j), f.Height(i, j+1), f.Height(i+1, j+1))
}

// enter gives the middle towns places to enter and things to take, on their
// streets.
func (m *maker) enter() {
	r := vec.NewRand(m.cfg.Seed, 0x5ba3)
	things := [...]string{"item_health", "ammo_bullets", "item_armor_combat", "weapon_rocketlauncher", "item_health_large", "ammo_rockets"}
	for k := range m.cfg.SpawnTowns {
		t := &m.towns[k]
		n := 0
		for iy := 1; iy < plotsY; iy++ {
			for x := float32(4); x < t.w(); x += 8 {
				p := vec.V3{X: t.x + x, Y: t.y + float32(iy*plot), Z: t.z + 0.125}
				if n++; n%4 == 0 {
					m.b.AddPickup(things[n/4%len(things)], p)
					continue
				}
				m.b.AddSpawn(p, float32(r.Intn(8)*45), 0)
			}
		}
		for ix := 1; ix < plotsX; ix++ {
			for y := float32(4); y < t.d(); y += 8 {
				if p := (vec.V3{X: t.x + float32(ix*plot), Y: t.y + y, Z: t.z + 0.125}); int(y)%plot != 0 {
					m.b.AddSpawn(p, float32(r.Intn(8)*45), 0)
				}
			}
		}
	}
}

// park puts vehicles on the crossings of the towns.
func (m *maker) park() {
	for k := range m.cfg.Vehicles {
		t := &m.towns[k%len(m.towns)]
		n := k / len(m.towns)
		x, y := 1+n%(plotsX-1), 1+n/(plotsX-1)
		m.b.AddVehicle("buggy", vec.V3{X: t.x + float32(x*plot), Y: t.y + float32(y*plot), Z: t.z}, 0)
	}
}

// fence keeps bodies inside.
func (m *maker) fence() {
	const lo, hi, low, high = -side/2 + 8, side/2 - 8, -80, 160
	for _, s := range [...]vec.Box{
		{Min: vec.V3{X: lo - 4, Y: lo - 4, Z: low}, Max: vec.V3{X: lo, Y: hi + 4, Z: high}},
		{Min: vec.V3{X: hi, Y: lo - 4, Z: low}, Max: vec.V3{X: hi + 4, Y: hi + 4, Z: high}},
		{Min: vec.V3{X: lo, Y: lo - 4, Z: low}, Max: vec.V3{X: hi, Y: lo, Z: high}},
		{Min: vec.V3{X: lo, Y: hi, Z: low}, Max: vec.V3{X: hi, Y: hi + 4, Z: high}},
	} {
		m.box(0, s, level.PlayerClip, "common/clip")
	}
}

// box adds a box and keeps the first error.
func (m *maker) box(model int, box vec.Box, c level.Contents, texture string) {
	u := vec.Box{Min: box.Min.Scale(level.UnitsPerMetre), Max: box.Max.Scale(level.UnitsPerMetre)}
	if err := m.b.AddBox(model, u, c, texture); err != nil && m.err == nil {
		m.err = fmt.Errorf("gen: box %v: %w", box, err)
	}
}
