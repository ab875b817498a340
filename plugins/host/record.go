package host

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// A record is what a policy was asked, tick by tick, and what it answered: enough to
// ask another policy, or the same one mended, again. It begins with recordMagic; then
// come the head as JSON and the level's bytes, and then frames as on the wire, in
// turns an input and its answer, each with its length before it as 32 bits,
// little-endian.
const recordMagic = "SLPR1\n"

// Limits of a record.
const (
	maxHead  = 1 << 20
	maxLevel = 64 << 20
)

// RecordHead says what was recorded.
type RecordHead struct {
	Policy   string // "deaddrop"
	Version  string
	TickRate int
	Seed     uint64
	Settings vis.Settings `json:",omitempty"`
	Level    *Level       // without Data in the JSON
}

// recordQueue is how many ticks may wait for the disk: 4 s at 64 Hz.
const recordQueue = 256

// Recorder is a Decider that another one decides for, and that writes down what it was
// asked and what it answered. The disk is never waited for: ticks that it does not
// keep up with are left out and counted, and a full disk ends the record, not the
// match.
type Recorder struct {
	vis.Decider
	cur  *turn
	free chan *turn
	todo chan *turn
	done chan struct{}

	mu     sync.Mutex
	err    error
	kept   int
	missed int
	ended  bool
}

// turn is one tick of a record.
type turn struct {
	asked  []byte
	answer []byte
}

// NewRecorder begins a record with its head. Close ends it; neither d nor w is closed.
func NewRecorder(d vis.Decider, w io.Writer, head RecordHead) (*Recorder, error) {
	bw := bufio.NewWriterSize(w, 1<<16)
	data := []byte(nil)
	if head.Level != nil {
		data = head.Level.Data
		lv := *head.Level
		lv.Data = nil
		head.Level = &lv
	}
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	_, _ = bw.WriteString(recordMagic)
	writeChunk(bw, text)
	writeChunk(bw, data)
	if err := bw.Flush(); err != nil {
		return nil, err
	}
	r := &Recorder{Decider: d, free: make(chan *turn, recordQueue), todo: make(chan *turn, recordQueue), done: make(chan struct{})}
	for range recordQueue {
		r.free <- &turn{}
	}
	go r.run(bw)
	return r, nil
}

func writeChunk(w *bufio.Writer, b []byte) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(b)))
	_, _ = w.Write(n[:])
	_, _ = w.Write(b)
}

// Submit hands the tick on and keeps a copy.
func (r *Recorder) Submit(in *vis.Input) {
	r.asked(in)
	r.Decider.Submit(in)
}

// Collect returns the answer and keeps it.
func (r *Recorder) Collect() *vis.Answer {
	a := r.Decider.Collect()
	r.answered(a)
	return a
}

// asked keeps a copy of a tick.
func (r *Recorder) asked(in *vis.Input) {
	r.cur = nil
	select {
	case t := <-r.free:
		t.asked = codec.AppendInput(t.asked[:0], in)
		r.cur = t
	default:
		r.mu.Lock()
		r.missed++
		r.mu.Unlock()
	}
}

// answered keeps the answer to the tick that was asked last.
func (r *Recorder) answered(a *vis.Answer) {
	if t := r.cur; t != nil {
		r.cur = nil
		t.answer = codec.AppendAnswer(t.answer[:0], a)
		r.mu.Lock()
		open := !r.ended
		if open {
			r.todo <- t // there is room: there are as many turns as places
		}
		r.mu.Unlock()
	}
}

// run owns the writer.
func (r *Recorder) run(w *bufio.Writer) {
	defer close(r.done)
	for t := range r.todo {
		r.mu.Lock()
		bad := r.err != nil
		r.mu.Unlock()
		if !bad {
			writeChunk(w, t.asked)
			writeChunk(w, t.answer)
			var err error
			if len(r.todo) == 0 {
				err = w.Flush()
			}
			if err == nil {
				_, err = w.Write(nil) // says whether an earlier write failed
			}
			r.mu.Lock()
			if err != nil {
				r.err = err
			} else {
				r.kept++
			}
			r.mu.Unlock()
		}
		r.free <- t
	}
	if err := w.Flush(); err != nil {
		r.mu.Lock()
		r.err = errors.Join(r.err, err)
		r.mu.Unlock()
	}
}

// Close ends the record and says how many ticks are in it, how many were left out,
// and what went wrong. The Decider goes on.
func (r *Recorder) Close() (kept, missed int, err error) {
	r.mu.Lock()
	if !r.ended {
		r.ended = true
		close(r.todo)
	}
	r.mu.Unlock()
	<-r.done
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept, r.missed, r.err
}

// RecordReader reads a record.
type RecordReader struct {
	Head RecordHead
	r    *bufio.Reader
	buf  []byte
}

// NewRecordReader reads the head. Level.Data is the map's bytes.
func NewRecordReader(r io.Reader) (*RecordReader, error) {
	rr := &RecordReader{r: bufio.NewReaderSize(r, 1<<16)}
	magic := make([]byte, len(recordMagic))
	if _, err := io.ReadFull(rr.r, magic); err != nil || string(magic) != recordMagic {
		return nil, errors.New("this is no record of a policy: plugin.record on a server's console makes one")
	}
	text, err := rr.chunk(maxHead)
	if err != nil {
		return nil, fmt.Errorf("the record's head is damaged: %w", err)
	}
	if err := json.Unmarshal(text, &rr.Head); err != nil {
		return nil, fmt.Errorf("the record's head is damaged: %w", err)
	}
	if h := &rr.Head; h.TickRate < 1 || h.TickRate > 1000 {
		return nil, fmt.Errorf("the record's head is damaged: a tick rate of %d", h.TickRate)
	}
	data, err := rr.chunk(maxLevel)
	if err != nil {
		return nil, fmt.Errorf("the record's level is damaged: %w", err)
	}
	if rr.Head.Level != nil {
		rr.Head.Level.Data = append([]byte(nil), data...)
	}
	return rr, nil
}

// chunk returns the next piece, valid until the next call. It takes memory only as
// bytes come.
func (r *RecordReader) chunk(most int) ([]byte, error) {
	var n [4]byte
	if _, err := io.ReadFull(r.r, n[:]); err != nil {
		return nil, err
	}
	size := int(binary.LittleEndian.Uint32(n[:]))
	if size > most {
		return nil, fmt.Errorf("a piece of %d bytes, more than %d", size, most)
	}
	r.buf = r.buf[:0]
	for len(r.buf) < size {
		part := min(size-len(r.buf), 1<<16)
		at := len(r.buf)
		if cap(r.buf) < at+part {
			r.buf = append(r.buf, make([]byte, part)...)
		}
		r.buf = r.buf[:at+part]
		if _, err := io.ReadFull(r.r, r.buf[at:]); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
	}
	return r.buf, nil
}

// Next reads one tick into in and out. io.EOF is the end; a record that was cut short
// ends with io.ErrUnexpectedEOF.
func (r *RecordReader) Next(in *vis.Input, out *vis.Answer) (state.Tick, error) {
	b, err := r.chunk(codec.MaxFrame)
	if err != nil {
		return 0, err
	}
	if err := codec.DecodeInput(b, in); err != nil {
		return 0, fmt.Errorf("a damaged input: %w", err)
	}
	if b, err = r.chunk(codec.MaxFrame); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	if err := codec.DecodeAnswer(b, in, out); err != nil {
		return 0, fmt.Errorf("a damaged answer: %w", err)
	}
	return in.Tick, nil
}
