package ledger

import (
	"io"

	"github.com/sightline-engine/sightline/game/state"
)

// Store is where the parts of a ledger are kept: Folder, or a test's.
type Store interface {
	// Create makes the part with a number, from 1 on.
	Create(part int) (io.WriteCloser, error)
	// Remove removes a part that was closed.
	Remove(part int) error
}

// output writes records into chunks and chunks into parts.
type output struct {
	store Store
	head  Header
	opt   *Options
	begin func(tick state.Tick) error // writes what a part begins with

	w       io.WriteCloser // nil: no part is open
	part    int
	size    int64 // of the part
	carried int64 // of it, what it began with
	written int64
	records int

	buf   []byte // the chunk being filled
	count uint32
	first state.Tick
	prev  state.Tick // of the last record
	now   state.Tick // the tick being entered
	code  code
}

func newOutput(store Store, head Header, opt *Options) *output {
	return &output{store: store, head: head, opt: opt, buf: make([]byte, chunkHead+chunkBase, MaxChunk), code: code{write: true}}
}

// turn opens the first part, or the next when this one is full.
func (o *output) turn() error {
	if o.w != nil && o.size-o.carried < o.opt.PartBytes {
		return nil
	}
	if o.w != nil {
		if err := o.finish(); err != nil {
			return err
		}
	}
	o.part++
	if old := o.part - o.opt.Parts; old >= 1 {
		if err := o.store.Remove(old); err != nil {
			return err
		}
	}
	w, err := o.store.Create(o.part)
	if err != nil {
		return err
	}
	o.w, o.size, o.carried = w, 0, 0
	o.head.Part = o.part
	if err := o.raw(o.head.append(nil)); err != nil {
		return err
	}
	if err := o.begin(o.now); err != nil {
		return err
	}
	if err := o.flush(kindRecords); err != nil {
		return err
	}
	o.carried = o.size
	return nil
}

// maxRecord is more than the longest record.
const maxRecord = 512

// put adds a record to the chunk.
func (o *output) put(r *Record) error {
	if len(o.buf) > MaxChunk-maxRecord {
		if err := o.flush(kindRecords); err != nil {
			return err
		}
	}
	if o.count == 0 {
		o.first, o.prev = r.Tick, r.Tick
	}
	o.code.buf = o.buf
	o.code.record(r, o.prev)
	o.buf, o.prev = o.code.buf, r.Tick
	o.count++
	o.records++
	return nil
}

// tickDone writes the chunk when it is long or a second old.
func (o *output) tickDone() error {
	if o.count > 0 && (len(o.buf) >= flushAt || o.now-o.first >= state.Tick(o.head.TickRate)) {
		return o.flush(kindRecords)
	}
	return nil
}

func (o *output) flush(kind byte) error {
	if o.count == 0 && kind == kindRecords {
		return nil
	}
	first, last := o.first, o.prev
	if o.count == 0 {
		first = o.now
	}
	if kind == kindEnd {
		last = o.now
	}
	seal(o.buf, kind, first, last, o.count)
	err := o.raw(o.buf)
	o.buf, o.count = o.buf[:chunkHead+chunkBase], 0
	return err
}

// finish ends the part.
func (o *output) finish() error {
	err := o.flush(kindEnd)
	if e := o.w.Close(); err == nil {
		err = e
	}
	o.w = nil
	return err
}

// close ends the ledger; what was broken off has no end.
func (o *output) close(whole bool) error {
	switch {
	case o.w == nil:
		return nil
	case whole:
		return o.finish()
	}
	o.w.Close()
	o.w = nil
	return nil
}

func (o *output) raw(b []byte) error {
	n, err := o.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	o.size += int64(n)
	o.written += int64(n)
	return err
}
