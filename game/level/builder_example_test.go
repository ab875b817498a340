package level_test

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

func ExampleBuilder() {
	b := level.NewBuilder("yard")
	if err := b.AddBox(0, vec.Box{Min: vec.New(-20, -20, -1), Max: vec.New(20, 20, 0)}, level.Solid, "floor"); err != nil {
		fmt.Println(err)
		return
	}
	b.AddSpawn(vec.New(0, 0, 0), 90, 0)
	l := b.Build()
	fmt.Println(l.Name, len(l.Solids), "solid,", l.Bounds.Size().X, "m wide")
	// Output: yard 1 solid, 40 m wide
}
