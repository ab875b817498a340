package host

import (
	"errors"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

var errNoPlugins = errors.New("policy and rules run inside of the server here (plugin.linked): there is no process to list")

// list is the command plugin.list: each plugin's process, what it is for and how it
// fares.
func (h *Host) list(c *console.Call) error {
	h.mu.Lock()
	p := h.plugins
	linked := h.live.stage == nil
	h.mu.Unlock()
	if linked || p.policy == nil {
		return errNoPlugins
	}
	for _, kind := range []struct {
		name string
		of   []plugin.Process
	}{{"policy", p.policy.Processes()}, {"rules", p.rules.Processes()}} {
		for _, x := range kind.of {
			way := "stream"
			if x.Mailbox {
				way = "shared memory"
			}
			c.Printf("%-6s %s %s, process %d, %s: %s; %d ticks, %d missed, %d answers dropped, %d restarts, round trip %v (1 in 100 %v), %d MiB, by %s\n",
				kind.name, x.Plugin, x.Version, x.PID, x.State, x.Does, x.Ticks, x.Misses, x.Nonsense, x.Restarts,
				x.P50.Round(time.Microsecond), x.P99.Round(time.Microsecond), x.Memory>>20, way)
		}
	}
	if next := p.rules.Coming(); next != "" {
		c.Printf("rules  %s takes over at the end of the round\n", next)
	}
	return nil
}
