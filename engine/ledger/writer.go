package ledger

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// Options are bounds of a Writer; the zero Options are the usual ones.
type Options struct {
	Queue     int   // ticks that may wait to be written; 0 means 256
	Bytes     int   // and their size; 0 means 32 MiB
	PartBytes int64 // length of a part, and more by one chunk and by what is open; 0 means 64 MiB
	Parts     int   // that are kept; 0 means 8
	// Wait makes Done wait for room in the queue: for matches in stepped time, which
	// are faster than any disk.
	Wait bool
	// Stopped is called once, on the Writer's own goroutine, when the ledger has ended
	// by itself. May be nil.
	Stopped func(error)
}

// Stats are counters of a Writer.
type Stats struct {
	Ticks   int // recorded
	Lost    int // left out because the queue was full
	Records int
	Bytes   int64 // written, of all parts
	Part    int   // being written; 0 none yet
}

// Writer writes a ledger of one match.
type Writer struct {
	opt   Options
	queue chan *batch
	spare chan *batch
	done  chan struct{}
	ended atomic.Bool
	bytes atomic.Int64 // in the queue

	// Of the tick's goroutine.
	cur   *batch
	lost  int // ticks left out since the last that was handed on
	items int // and things of them
	names [state.MaxPlayers + 1]name

	mu     sync.Mutex // of what follows
	closed bool

	told  sync.Mutex // of what follows
	why   error      // of an end by itself
	stats Stats
}

type name struct {
	text string
	bot  bool
}

// NewWriter starts a ledger. The store is used on a goroutine of the Writer's own
// until Close returns, or Done is closed.
func NewWriter(store Store, head Header, opt Options) (*Writer, error) {
	if err := head.check(); err != nil {
		return nil, err
	}
	for _, s := range [...]*string{&head.Level, &head.Server, &head.Policy} {
		*s = wire.Clean(*s, maxName)
	}
	if opt.Queue <= 0 {
		opt.Queue = 256
	}
	if opt.Bytes <= 0 {
		opt.Bytes = 32 << 20
	}
	if opt.PartBytes <= 0 {
		opt.PartBytes = 64 << 20
	}
	if opt.Parts <= 0 {
		opt.Parts = 8
	}
	w := &Writer{
		opt: opt, queue: make(chan *batch, opt.Queue), spare: make(chan *batch, opt.Queue+2),
		done: make(chan struct{}), cur: &batch{},
	}
	go w.run(newOutput(store, head, &w.opt))
	return w, nil
}

// maxItems bounds the packets, acknowledgements, shots and names of one tick.
const maxItems = 4096

// Name notes what a player is called; what is known already costs nothing.
func (w *Writer) Name(id state.ID, text string, bot bool) {
	if !id.IsPlayer() || w.names[id] == (name{text, bot}) || len(w.cur.names) >= maxItems {
		return
	}
	w.names[id] = name{text, bot}
	w.cur.names = append(w.cur.names, named{id: id, text: text, bot: bot})
}

// Left notes that a player has left.
func (w *Writer) Left(id state.ID, reason string) {
	if !id.IsPlayer() || len(w.cur.names) >= maxItems {
		return
	}
	w.names[id] = name{}
	w.cur.names = append(w.cur.names, named{id: id, text: reason, left: true})
}

// Plugin notes what became of the process of a plugin, and its number. It belongs to
// the tick as the others do: who hears of it on another goroutine hands it over.
func (w *Writer) Plugin(text string, pid int) {
	if len(w.cur.plugins) >= maxItems {
		w.items++
		return
	}
	w.cur.plugins = append(w.cur.plugins, pluginNote{text, uint32(max(pid, 0))})
}

// Table notes that a number of the tables is another from this tick on, in tables of a
// version.
func (w *Writer) Table(name string, to float32, version int) {
	if len(w.cur.tables) >= maxItems {
		w.items++
		return
	}
	w.cur.tables = append(w.cur.tables, tableNote{name, to, uint32(version)})
}

// Acked notes what became of a packet to a viewer.
func (w *Writer) Acked(viewer state.ID, seq uint64, lost bool) {
	if lost || !viewer.IsPlayer() {
		return // of a lost one a later packet tells
	}
	if len(w.cur.acks) >= 16*maxItems {
		w.items++
		return
	}
	w.cur.acks = append(w.cur.acks, ack{viewer, seq})
}

// Shot notes a shot of a player; its texts are kept, not copied.
func (w *Writer) Shot(shooter state.ID, s *Shot) {
	if !shooter.IsPlayer() {
		return
	}
	if len(w.cur.shots) >= maxItems {
		w.items++
		return
	}
	w.cur.shots = append(w.cur.shots, fired{shooter, *s})
}

// Decided notes the answer that is in force in this tick, after vis.Gate. A tick
// without it is one in which there was nobody to be told anything.
func (w *Writer) Decided(in *vis.Input, ans *vis.Answer) {
	if w.ended.Load() {
		return
	}
	w.cur.take(in, ans)
}

// Packet notes that a packet of this tick to a viewer holds the state of some
// subjects.
func (w *Writer) Packet(viewer state.ID, seq uint64, of []state.ID) {
	if !viewer.IsPlayer() || len(of) == 0 {
		return
	}
	b := w.cur
	if len(b.packets) >= maxItems {
		w.items++
		return
	}
	b.packets = append(b.packets, packet{viewer: viewer, seq: seq, n: len(of)})
	b.of = append(b.of, of...)
}

// Report notes a client's own word on a target that a packet held, which was made at
// the tick sentAt.
func (w *Writer) Report(viewer, target state.ID, seq uint64, sentAt state.Tick, m Claim) {
	if !viewer.IsPlayer() || len(w.cur.reports) >= maxItems {
		return
	}
	w.cur.reports = append(w.cur.reports, report{viewer, target, seq, sentAt, m})
}

var errAnew = errors.New("the match began anew")

// Done ends the tick.
func (w *Writer) Done(tick state.Tick) {
	if w.ended.Load() {
		w.cur.reset()
		return
	}
	b := w.cur
	b.tick, b.lost, b.items = tick, w.lost, w.items
	size := int64(b.size())
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	switch {
	case w.opt.Wait:
		w.bytes.Add(size)
		w.queue <- b
	case w.bytes.Load()+size > int64(w.opt.Bytes):
		w.skip()
		return
	default:
		w.bytes.Add(size)
		select {
		case w.queue <- b:
		default:
			w.bytes.Add(-size)
			w.skip()
			return
		}
	}
	w.lost, w.items = 0, 0
	select {
	case w.cur = <-w.spare:
	default:
		w.cur = &batch{}
	}
}

// skip leaves the tick out. Names, plugins and tables stay for the next one.
func (w *Writer) skip() {
	w.lost++
	w.items += len(w.cur.shots)
	names, plugins, changed := w.cur.names, w.cur.plugins, w.cur.tables
	w.cur.names, w.cur.plugins, w.cur.tables = nil, nil, nil
	w.cur.reset()
	w.cur.names, w.cur.plugins, w.cur.tables = names, plugins, changed
	w.told.Lock()
	w.stats.Lost++
	w.told.Unlock()
}

// Stop ends the ledger without waiting until all is written.
func (w *Writer) Stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.closed = true
		w.ended.Store(true)
		close(w.queue)
	}
}

// Close ends the ledger, waits until all is written and says why it had ended by
// itself, if it had.
func (w *Writer) Close() error {
	w.Stop()
	<-w.done
	w.told.Lock()
	defer w.told.Unlock()
	return w.why
}

// Over is closed when the ledger has ended and all is written.
func (w *Writer) Over() <-chan struct{} { return w.done }

// Stats returns a copy of the counters; any goroutine may ask.
func (w *Writer) Stats() Stats {
	w.told.Lock()
	defer w.told.Unlock()
	return w.stats
}

// run is the Writer's goroutine.
func (w *Writer) run(o *output) {
	defer close(w.done)
	book := newBook(o)
	var err error
	last, begun := state.Tick(0), false
	for b := range w.queue {
		switch {
		case err != nil:
		case begun && int32(b.tick-last) <= 0:
			err = errAnew
			w.broke(err)
		default:
			begun, last = true, b.tick
			if err = book.enter(b); err != nil {
				err = fmt.Errorf("the ledger cannot be written: %w", err)
				w.broke(err)
			}
		}
		w.note(o, err == nil)
		w.bytes.Add(-int64(b.size()))
		b.reset()
		select {
		case w.spare <- b:
		default:
		}
	}
	if end := o.close(err == nil || errors.Is(err, errAnew)); end != nil && err == nil {
		w.broke(fmt.Errorf("the ledger cannot be written: %w", end))
	}
	w.note(o, false)
}

func (w *Writer) note(o *output, ticked bool) {
	w.told.Lock()
	defer w.told.Unlock()
	if ticked {
		w.stats.Ticks++
	}
	w.stats.Records, w.stats.Bytes, w.stats.Part = o.records, o.written, o.part
}

// broke ends the ledger by itself; what is still queued is given up.
func (w *Writer) broke(why error) {
	w.ended.Store(true)
	w.told.Lock()
	w.why = why
	w.told.Unlock()
	if w.opt.Stopped != nil {
		w.opt.Stopped(why)
	}
}
