package host

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// ledgers keeps a ledger of every level, while sv.ledger names a folder. Begun and
// ended on the server's goroutine, which waits for neither.
type ledgers struct {
	log    *slog.Logger
	notice func(line string) // may be nil
	set    *Settings
	seed   uint64
	store  func(dir, name string) (ledger.Store, error) // nil: a ledger.Folder

	mu    sync.Mutex
	notes []plugin.Notice // of plugins, since the last tick

	now atomic.Pointer[ledger.Writer]
	all sync.WaitGroup // their ends
}

// hooked adds the ledger to hooks.
func (l *ledgers) hooked(h server.Hooks) server.Hooks {
	level := h.Level
	h.Level = func(m *server.Match) {
		l.begin(m, time.Now())
		if level != nil {
			level(m)
		}
	}
	h = server.Ledger(h, l.now.Load)
	done := h.TickDone
	h.TickDone = func(tick state.Tick, took time.Duration) {
		l.plugins()
		done(tick, took)
	}
	return h
}

// mostNotes is how many changes of plugins a tick may bring; later ones are left out.
const mostNotes = 64

// noted takes what became of a plugin, on whatever goroutine.
func (l *ledgers) noted(n plugin.Notice) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.notes) < mostNotes {
		l.notes = append(l.notes, n)
	}
}

// plugins writes into the ledger what became of plugins since the last tick.
func (l *ledgers) plugins() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.now.Load(); w != nil {
		for _, n := range l.notes {
			text := n.Plugin + " " + n.What.String()
			if n.Err != nil {
				text += ": " + n.Err.Error()
			}
			w.Plugin(text, n.PID)
		}
	}
	clear(l.notes)
	l.notes = l.notes[:0]
}

// begin ends the ledger of the level before and begins that of this one.
func (l *ledgers) begin(m *server.Match, at time.Time) {
	if w := l.now.Swap(nil); w != nil {
		w.Stop()
	}
	s := l.set
	dir := s.Ledger.Get()
	if dir == "" {
		return
	}
	name := stamped(at, m.Level.Name)
	done := func() {}
	store, err := ledger.Store(nil), error(nil)
	if l.store != nil {
		store, err = l.store(dir, name)
	} else {
		var f *ledger.Folder
		if f, err = ledger.NewFolder(dir, name); err == nil {
			store, done = f, func() { f.Close() }
		}
	}
	var w *ledger.Writer
	if err == nil {
		w, err = ledger.NewWriter(store, ledger.Header{
			Level: m.Level.Name, LevelHash: m.Level.Hash, TablesHash: m.Tables.Hash(),
			Server: s.Name.Get(), Policy: s.Policy.Get(), TickRate: s.TickRate.Get(), Seed: l.seed, Rate: s.LedgerSample.Get(),
		}, ledger.Options{
			PartBytes: int64(s.LedgerMB.Get()) << 20, Parts: s.LedgerParts.Get(), Wait: s.Wait.Get(),
			Stopped: func(why error) { l.stopped(name, why) },
		})
	}
	if err != nil {
		l.stopped(name, err)
		return
	}
	l.now.Store(w)
	l.all.Go(func() {
		<-w.Over()
		done()
		if st := w.Stats(); st.Lost > 0 {
			l.log.Warn("ticks are missing in the ledger: the disk did not keep up", "ledger", name, "ticks", st.Lost)
		}
	})
}

func (l *ledgers) stopped(name string, why error) {
	l.log.Warn("the ledger has ended by itself", "ledger", name, "reason", why)
	if l.notice != nil {
		l.notice(fmt.Sprintf("ledger %s has ended: %v; the match goes on", name, why))
	}
}

// close ends the ledger with the host.
func (l *ledgers) close() {
	if w := l.now.Swap(nil); w != nil {
		w.Stop()
	}
	l.all.Wait()
}
