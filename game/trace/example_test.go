package trace_test

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

func ExampleWorld_Ray() {
	// A floor of 8 by 8 metres, its top at z = 0.
	b := level.Brush{Contents: level.Solid, Bounds: vec.Box{Min: vec.New(-4, -4, -1), Max: vec.New(4, 4, 0)}}
	for axis := range 3 {
		var n vec.V3
		b.Sides = append(b.Sides,
			level.Side{Plane: level.Plane{N: n.With(axis, -1), D: -b.Bounds.Min.At(axis)}},
			level.Side{Plane: level.Plane{N: n.With(axis, 1), D: b.Bounds.Max.At(axis)}})
	}
	w := trace.New(&level.Level{Solids: []level.Brush{b}})

	hit := w.Ray(vec.New(0, 0, 2), vec.New(0, 0, -2), level.MaskShot)
	fmt.Printf("%.2f of the way, normal %v\n", hit.Frac, hit.Normal)
	fmt.Println(w.Blocked(vec.New(-2, 0, 1), vec.New(2, 0, 1), level.MaskSight))
	// Output:
	// 0.50 of the way, normal {0 0 1}
	// false
}
