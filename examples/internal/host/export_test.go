package host

import (
	"log/slog"
	"time"

	"github.com/sightline-engine/sightline/engine/server"
)

// Stepped returns a Host without a server, for matches whose time is a counter.
func Stepped(set *Settings, levels *Levels, log *slog.Logger, seed uint64) *Host {
	return &Host{set: set, levels: levels, log: log, seed: seed, epoch: time.Now()}
}

// StartMatch is what the Host's server is given as Config.Start.
func (h *Host) StartMatch(ref string) (*server.Match, error) { return h.start(ref) }
