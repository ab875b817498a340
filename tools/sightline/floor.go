package main

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// floor is a cell of ground that a player can get to.
type floor struct {
	x, y int32
	z    float32
}

const (
	floorStep = 0.5 // metres between cells
	climb     = 1.4 // the highest step or jump between neighbours
	// layerGap parts one floor from another above it.
	layerGap = 1.0
	// mostFloors bounds the walk on any map.
	mostFloors = 2_000_000
)

// walkFloors finds the floors around places where players and things are, by
// spreading to the four neighbours: up a step or a jump, down any drop.
func walkFloors(w *trace.World) []floor {
	l := w.Level()
	type cell struct{ x, y int32 }
	seen := map[cell][]float32{}
	var out []floor
	visit := func(p vec.V3) {
		c := cell{vec.Floor(p.X/floorStep + 0.5), vec.Floor(p.Y/floorStep + 0.5)}
		for _, z := range seen[c] {
			if vec.Abs(z-p.Z) < layerGap {
				return
			}
		}
		if len(out) < mostFloors {
			seen[c] = append(seen[c], p.Z)
			out = append(out, floor{c.x, c.y, p.Z})
		}
	}
	drop := func(p vec.V3) {
		if r := w.Ray(p, vec.V3{X: p.X, Y: p.Y, Z: l.KillZ}, level.MaskMove); r.Frac < 1 && !r.StartSolid && r.Normal.Z > 0.5 && r.Surf&level.SurfSky == 0 {
			visit(r.End)
		}
	}
	for i := range l.Spawns {
		drop(l.Spawns[i].Pos.Add(vec.V3{Z: 0.3}))
	}
	for i := range l.Pickups {
		drop(l.Pickups[i].Pos.Add(vec.V3{Z: 0.3}))
	}
	for i := range l.Teleports {
		drop(l.Teleports[i].Dest.Add(vec.V3{Z: 0.3}))
	}
	for n := 0; n < len(out); n++ {
		f := out[n]
		p := vec.V3{X: float32(f.x) * floorStep, Y: float32(f.y) * floorStep, Z: f.z}
		up := w.Ray(p.Add(vec.V3{Z: 0.1}), p.Add(vec.V3{Z: 0.1 + climb}), level.MaskMove)
		if up.StartSolid {
			continue
		}
		for _, d := range [...]vec.V3{{X: floorStep}, {X: -floorStep}, {Y: floorStep}, {Y: -floorStep}} {
			for _, from := range [...]vec.V3{up.End, p.Add(vec.V3{Z: 0.6})} {
				if from.Z > up.End.Z {
					continue
				}
				if r := w.Ray(from, from.Add(d), level.MaskMove); r.Frac == 1 && !r.StartSolid {
					drop(from.Add(d))
				}
			}
		}
	}
	return out
}

// raster is the picture's ground: for each pixel the floor seen from above.
type raster struct {
	w, h   int
	x0, y1 float32 // of the left and upper rim, in metres
	per    float32 // metres per pixel
	z      []float32
	n      []vec.V3
	liquid []level.Contents
}

// rasterise looks down, pixel by pixel, from just above the floors of its cell.
// Where floors lie above each other the highest is kept.
func rasterise(w *trace.World, floors []floor, box vec.Box, size int) *raster {
	s := box.Size()
	r := &raster{per: max(s.X, s.Y) / float32(size)}
	r.w, r.h = int(s.X/r.per)+1, int(s.Y/r.per)+1
	r.x0, r.y1 = box.Min.X, box.Max.Y
	r.z, r.n, r.liquid = make([]float32, r.w*r.h), make([]vec.V3, r.w*r.h), make([]level.Contents, r.w*r.h)
	for i := range r.z {
		r.z[i] = float32(math.Inf(-1))
	}
	for _, f := range floors {
		cx, cy := float32(f.x)*floorStep, float32(f.y)*floorStep
		// A cell's looks overlap its neighbours', so that walls that cut through
		// cells are drawn where they are.
		x0, y0 := r.pixel(cx-floorStep, cy+floorStep)
		x1, y1 := r.pixel(cx+floorStep, cy-floorStep)
		for y := max(int(y0), 0); y <= min(int(y1), r.h-1); y++ {
			for x := max(int(x0), 0); x <= min(int(x1), r.w-1); x++ {
				i := y*r.w + x
				if r.z[i] >= f.z-0.02 {
					continue
				}
				p := vec.V3{X: r.x0 + (float32(x)+0.5)*r.per, Y: r.y1 - (float32(y)+0.5)*r.per, Z: f.z + 0.8}
				hit := w.Ray(p, p.Add(vec.V3{Z: -2}), level.MaskMove)
				if hit.StartSolid || hit.Frac == 1 || hit.End.Z <= r.z[i] || hit.Normal.Z < 0.2 || hit.Surf&level.SurfSky != 0 {
					continue
				}
				r.z[i], r.n[i] = hit.End.Z, hit.Normal
				r.liquid[i] = w.Contents(hit.End.Add(vec.V3{Z: 0.2})) & level.Liquid
			}
		}
	}
	return r
}

// pixel returns where a place is in the picture.
func (r *raster) pixel(x, y float32) (float32, float32) {
	return (x - r.x0) / r.per, (r.y1 - y) / r.per
}
