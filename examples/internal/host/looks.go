package host

import (
	"fmt"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/sim"
)

// spectate says in the server's words what those see who have no body.
func (s *Settings) spectate() server.Spectate {
	return server.Spectate{DelayS: s.SpectateDelay.Get(), MatesLive: s.MatesLive.Get(), Free: s.FreeCamera.Get()}
}

// teams says likewise how teammates stand to each other.
func (s *Settings) teams() sim.Teams {
	return sim.Teams{FreeForAll: s.FreeForAll.Get(), Shield: int32(100*(1-s.FriendlyFire.Get()) + 0.5)}
}

// looks lets both follow their settings while the server runs.
func (h *Host) looks() {
	watch := func() { sp := h.set.spectate(); h.srv.Do(func(s *server.Server) { s.SetSpectate(sp) }) }
	sides := func() { t := h.set.teams(); h.srv.Do(func(s *server.Server) { s.SetTeams(t) }) }
	h.set.SpectateDelay.OnChange(func(float64) { watch() })
	h.set.MatesLive.OnChange(func(bool) { watch() })
	h.set.FreeCamera.OnChange(func(bool) { watch() })
	h.set.FreeForAll.OnChange(func(bool) { sides() })
	h.set.FriendlyFire.OnChange(func(float64) { sides() })
}

func (h *Host) observer(c *console.Call) error {
	name, on := c.Args[0], c.Args[1] == "on"
	if !on && c.Args[1] != "off" {
		return fmt.Errorf("observer: %q is neither on nor off", c.Args[1])
	}
	ok, err := ask(h, func(s *server.Server) bool { return s.Observer(name, on) })
	if err == nil && !ok {
		return fmt.Errorf("observer: there is no player %q: status lists them", name)
	}
	return err
}
