package host

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rules"
)

// door opens, shuts or sets ajar a door of the level.
func (h *Host) door(c *console.Call) error {
	which, err := strconv.Atoi(c.Args[0])
	if err != nil || which < 0 {
		return fmt.Errorf("door: %q is no number of a door; the first is 0", c.Args[0])
	}
	to, ok := map[string]int32{"open": rules.DoorOpen, "close": rules.DoorClosed, "ajar": rules.DoorAjar}[c.Args[1]]
	if !ok {
		return fmt.Errorf("door: %q is none of open, close and ajar", c.Args[1])
	}
	n, err := ask(h, func(s *server.Server) int {
		n := len(s.World().Doors())
		if which < n {
			s.Door(which, to)
		}
		return n
	})
	if err == nil && which >= n {
		return fmt.Errorf("door: there is no door %d, this level has %d", which, n)
	}
	return err
}
