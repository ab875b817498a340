package host

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/vec"
)

// place reads three numbers, metres.
func place(c *console.Call) (vec.V3, error) {
	var at [3]float32
	for i := range at {
		v, err := strconv.ParseFloat(c.Args[i], 32)
		if err != nil || !(v > -30000 && v < 30000) {
			return vec.V3{}, fmt.Errorf("%s: %q is no place in metres; give X Y Z, as in %s 1.5 -2 0.5", c.Name, c.Args[i], c.Name)
		}
		at[i] = float32(v)
	}
	return vec.V3{X: at[0], Y: at[1], Z: at[2]}, nil
}

// cloud begins smoke, lets off a flash, or blows a hole into smoke.
func (h *Host) cloud(do func(*server.Server, vec.V3)) func(*console.Call) error {
	return func(c *console.Call) error {
		at, err := place(c)
		if err != nil {
			return err
		}
		if !h.srv.Do(func(s *server.Server) { do(s, at) }) {
			return errBusy
		}
		return nil
	}
}
