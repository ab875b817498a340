package host

import (
	"fmt"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
)

// suppressor gives players a suppressor, or takes it away.
func (h *Host) suppressor(c *console.Call) error {
	name, on := c.Args[0], c.Args[1] == "on"
	if !on && c.Args[1] != "off" {
		return fmt.Errorf("suppressor: %q is neither on nor off", c.Args[1])
	}
	ok, err := ask(h, func(s *server.Server) bool { return s.Suppressor(name, on) })
	if err == nil && !ok {
		return fmt.Errorf("suppressor: there is no player %q: status lists them; all is everybody", name)
	}
	return err
}
