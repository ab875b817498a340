package host

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
)

// piece breaks or mends pieces of the level.
func (h *Host) piece(c *console.Call) error {
	which := -1
	if c.Args[0] != "all" {
		n, err := strconv.Atoi(c.Args[0])
		if err != nil || n < 0 {
			return fmt.Errorf("piece: %q is no number of a piece; the first is 0, and all is every one", c.Args[0])
		}
		which = n
	}
	if c.Args[1] != "break" && c.Args[1] != "mend" {
		return fmt.Errorf("piece: %q is neither break nor mend", c.Args[1])
	}
	n, err := ask(h, func(s *server.Server) int {
		n := len(s.World().Pieces())
		if which < n {
			s.Piece(which, c.Args[1] == "break")
		}
		return n
	})
	if err == nil && which >= n {
		return fmt.Errorf("piece: there is no piece %d, this level has %d", which, n)
	}
	return err
}
