package level

import "github.com/sightline-engine/sightline/game/vec"

// Hit is what a ray or a swept box found. It lives here, with the words that it
// is made of, so that movement can take a world as an interface without knowing
// who traces.
type Hit struct {
	Frac       float32 // of the way that is free; 1: all of it
	End        vec.V3  // start + Frac*(end-start)
	Normal     vec.V3  // of what was hit, against the motion; zero when nothing was
	StartSolid bool    // the start is inside something
	AllSolid   bool    // and so is the end: Frac is 0
	Contents   Contents
	Surf       Surf
	Texture    uint16
	Model      int16 // hit: 0 the world, above that a mover; -1 nothing
}
