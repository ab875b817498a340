package host

import (
	"io"
	"log/slog"
	"time"

	"github.com/sightline-engine/sightline/engine/server"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// Stepped returns a Host without a server, for matches whose time is a counter.
func Stepped(set *Settings, levels *Levels, log *slog.Logger, seed uint64) *Host {
	return &Host{set: set, levels: levels, log: log, seed: seed, epoch: time.Now()}
}

// Disk puts something before the files of demos, until the next recording.
func (h *Host) Disk(f func(io.Writer) io.Writer) {
	h.demos.mu.Lock()
	defer h.demos.mu.Unlock()
	h.demos.disk = f
}

// StartMatch is what the Host's server is given as Config.Start.
func (h *Host) StartMatch(ref string) (*server.Match, error) { return h.start(ref) }

// Know is know.
func (s *Settings) Know(file string, has []plugin.Described) { s.know(file, has) }

// ReloadRules is plugin.rules reload.
func (h *Host) ReloadRules() { h.onRules(reload) }
