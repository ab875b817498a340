package demo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// ErrSlow says that what is written to could not keep up.
var ErrSlow = errors.New("the disk is too slow")

// keySeconds is how far keyframes are apart.
const keySeconds = 2

// Options are bounds of a Recorder; the zero Options are the usual ones.
type Options struct {
	Queue int // records that may wait to be written; 0 means 256
	Bytes int // and their size; 0 means 32 MiB
	// Stopped is called once, on the Recorder's own goroutine, when recording has
	// ended by itself. May be nil.
	Stopped func(error)
}

// Recorder writes a demo.
type Recorder struct {
	head  Header
	opt   Options
	queue chan []byte
	spare chan []byte
	done  chan struct{}
	bytes atomic.Int64 // in the queue

	mu     sync.Mutex // of what follows
	ended  bool
	why    error // of an end by itself
	frames uint32
	last   state.Tick
	views  []*vis.View
	cur    Frame
	prev   Frame
	none   Frame // what a keyframe is coded against
	sinceK int
	code   code
	w      bits.Writer
}

// NewRecorder starts a recording to w, whose Write is called on a goroutine of
// the Recorder's own until Close returns. Head's Schema is filled in.
func NewRecorder(w io.Writer, head Header, opt Options) (*Recorder, error) {
	if err := head.check(); err != nil {
		return nil, err
	}
	head.Schema = wire.SchemaHash()
	if opt.Queue <= 0 {
		opt.Queue = 256
	}
	if opt.Bytes <= 0 {
		opt.Bytes = 32 << 20
	}
	r := &Recorder{
		head: head, opt: opt, queue: make(chan []byte, opt.Queue), spare: make(chan []byte, opt.Queue),
		done: make(chan struct{}),
	}
	r.code = code{w: &r.w, c: wire.Writing(&r.w), rate: head.TickRate}
	go r.write(w)
	return r, nil
}

// Roster says who is in the match and how they stand; it holds from the next
// frame on.
func (r *Recorder) Roster(rows []state.Score) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cur.Roster = r.cur.Roster[:0]
	for _, s := range rows[:min(len(rows), state.MaxPlayers)] {
		s.Name = wire.Clean(s.Name, state.MaxName)
		r.cur.Roster = append(r.cur.Roster, s)
	}
	slices.SortFunc(r.cur.Roster, func(a, b state.Score) int { return int(a.ID) - int(b.ID) })
}

// Tables says by which tables the match goes on, as wire.TablesBlob; it holds from the
// next frame on. None are those of the Header's hash.
func (r *Recorder) Tables(blob []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cur.Tables = append(r.cur.Tables[:0], blob[:min(len(blob), wire.MaxTables)]...)
}

// View notes what a client is told of the present tick; v must stay as it is until
// Frame has been called, which comes after the tick's Views.
func (r *Recorder) View(v *vis.View) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.views = append(r.views, v)
	}
}

// Frame records the tick. After the end of the recording it does nothing.
func (r *Recorder) Frame(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	views := r.views
	r.views = r.views[:0]
	if r.ended {
		return
	}
	r.cur.begin(in, f, ans)
	for _, v := range views {
		r.cur.told(v)
	}
	clear(views)
	r.put()
}

// Put records a frame that was made in another way, such as by a Reader.
func (r *Recorder) Put(f *Frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.cur.copyFrom(f)
		r.put()
	}
}

// put codes cur and queues it.
func (r *Recorder) put() {
	if r.frames > 0 && r.cur.Tick <= r.last {
		r.stop(fmt.Errorf("the match began anew at tick %d", r.cur.Tick))
		return
	}
	kind, base := byte(kindTick), &r.prev
	if r.frames == 0 || r.sinceK >= keySeconds*r.head.TickRate || r.cur.Tick-r.last > 64 {
		kind, base, r.sinceK = kindKey, &r.none, 0
	}
	b := r.encode(base)
	if b == nil {
		r.stop(fmt.Errorf("tick %d is larger than %d bytes", r.cur.Tick, MaxRecord))
		return
	}
	seal(b, kind)
	if r.bytes.Add(int64(len(b))) > int64(r.opt.Bytes) {
		r.stop(ErrSlow)
		return
	}
	select {
	case r.queue <- b:
	default:
		r.stop(ErrSlow)
		return
	}
	r.frames++
	r.sinceK++
	r.last = r.cur.Tick
	roster, set := r.prev.Roster, r.prev.Tables
	r.prev, r.cur = r.cur, r.prev
	r.cur.Roster = append(roster[:0], r.prev.Roster...)
	r.cur.Tables = append(set[:0], r.prev.Tables...)
}

// encode returns the record of cur, not yet sealed, in a buffer of the stock.
func (r *Recorder) encode(base *Frame) []byte {
	var b []byte
	select {
	case b = <-r.spare:
	default:
		b = make([]byte, 8<<10)
	}
	for b = b[:cap(b)]; ; b = make([]byte, 2*len(b)) {
		binary.LittleEndian.PutUint32(b[recordSize:], r.cur.Tick)
		r.w.Reset(b[recordSize+4 : min(len(b), recordSize+MaxRecord)])
		r.code.frame(&r.cur, base)
		if !r.w.Overflowed() {
			return b[:recordSize+4+len(r.w.Bytes())]
		}
		if len(b) >= recordSize+MaxRecord {
			return nil
		}
	}
}

// stop ends the recording by itself. The caller holds mu.
func (r *Recorder) stop(why error) {
	if !r.ended {
		r.ended, r.why = true, why
		close(r.queue)
	}
}

// Stop ends the recording for a reason, without waiting until all is written.
func (r *Recorder) Stop(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop(why)
}

// Close ends the recording, waits until all is written and returns how many
// frames there were and, when it had ended by itself, why.
func (r *Recorder) Close() (frames int, err error) {
	r.mu.Lock()
	r.stop(nil)
	r.mu.Unlock()
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return int(r.frames), r.why
}

// Done is closed when the recording has ended and all is written.
func (r *Recorder) Done() <-chan struct{} { return r.done }

// Shortener is what a writer may be too: a file, which can be cut back when there is
// no more room, so that the index still fits behind what is whole.
type Shortener interface {
	io.Writer
	// Shorten cuts what was written to a length and goes on writing there.
	Shorten(length int64) error
}

// output is what the Recorder's goroutine keeps of what it has written.
type output struct {
	w     io.Writer
	at    int64 // bytes written
	keys  []key
	tail  [maxTail]written // the newest frames, the n-th at n % maxTail
	n     uint32           // frames written
	first state.Tick
}

// written is a frame that is in the file.
type written struct {
	end  int64
	tick state.Tick
}

// maxTail is how many frames can be given up for the room of an index, at most.
const maxTail = 4096

func (o *output) put(b []byte) error {
	n, err := o.w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	o.at += int64(n)
	return err
}

// frame writes a sealed record.
func (o *output) frame(b []byte) error {
	at, tick := o.at, binary.LittleEndian.Uint32(b[recordSize:])
	if err := o.put(b); err != nil {
		return err
	}
	if b[0] == kindKey {
		o.keys = append(thin(o.keys), key{tick, at})
	}
	if o.n == 0 {
		o.first = tick
	}
	o.tail[o.n%maxTail] = written{o.at, tick}
	o.n++
	return nil
}

// end writes the index.
func (o *output) end() error {
	last := o.tail[(o.n-1)%maxTail]
	return o.put(footer(o.keys, o.first, last.tick, o.n, o.at))
}

// rescue gives up as many of the last frames as the index needs, where the writer
// can be cut back. The file is whole then, and a little shorter.
func (o *output) rescue() error {
	w, ok := o.w.(Shortener)
	if !ok {
		return errors.ErrUnsupported
	}
	full := o.at
	for back := 0; o.n > 0 && back < maxTail-1; back++ {
		end := o.tail[(o.n-1)%maxTail]
		for len(o.keys) > 1 && o.keys[len(o.keys)-1].at >= end.end {
			o.keys = o.keys[:len(o.keys)-1]
		}
		if need := int64(recordSize + indexSize + 12*len(o.keys) + endSize); end.end+need <= full {
			if err := w.Shorten(end.end); err != nil {
				return err
			}
			o.at = end.end
			return o.end()
		}
		o.n--
	}
	return ErrDamaged
}

// write is the Recorder's goroutine.
func (r *Recorder) write(w io.Writer) {
	defer close(r.done)
	o := &output{w: w}
	err := o.put(r.head.append(nil))
	for b := range r.queue {
		if err == nil {
			if err = o.frame(b); err != nil {
				r.broke(err)
			}
		}
		r.bytes.Add(-int64(len(b)))
		select {
		case r.spare <- b:
		default:
		}
	}
	switch {
	case err != nil:
		r.broke(err)
		o.rescue() // what it cannot save is cut off, and says so
	case o.n > 0:
		if err = o.end(); err != nil {
			r.broke(err)
			o.rescue()
		}
	}
	r.mu.Lock()
	why := r.why
	if err != nil {
		r.frames = o.n
	}
	r.mu.Unlock()
	if why != nil && r.opt.Stopped != nil {
		r.opt.Stopped(why)
	}
}

// broke ends the recording because what is written to does not take any more.
func (r *Recorder) broke(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	why := fmt.Errorf("what was recorded cannot be written: %w", err)
	if r.stop(why); r.why == nil { // it was being closed
		r.why = why
	}
}
