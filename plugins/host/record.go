package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

// Recorder is a Decider that another one decides for, and that writes down what it was
// asked and what it answered. The disk is never waited for: ticks that it does not
// keep up with are left out and counted, and a full disk ends the record, not the
// match.
type Recorder struct {
	vis.Decider
	*tape
	cur *turn
}

// NewRecorder begins a record with its head. Close ends it; neither d nor w is closed.
func NewRecorder(d vis.Decider, w io.Writer, head RecordHead) (*Recorder, error) {
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
	bw := bufio.NewWriterSize(w, 1<<16)
	_, _ = bw.WriteString(recordMagic)
	writeChunk(bw, text)
	writeChunk(bw, data)
	if err := bw.Flush(); err != nil {
		return nil, err
	}
	return &Recorder{Decider: d, tape: newTape(bw)}, nil
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
	if r.cur = r.blank(); r.cur != nil {
		r.cur.asked = codec.AppendInput(r.cur.asked[:0], in)
	}
}

// answered keeps the answer to the tick that was asked last.
func (r *Recorder) answered(a *vis.Answer) {
	if t := r.cur; t != nil {
		r.cur = nil
		t.answer = codec.AppendAnswer(t.answer[:0], a)
		r.put(t)
	}
}

// RecordReader reads a record of a policy.
type RecordReader struct {
	Head RecordHead
	chunks
}

// NewRecordReader reads the head. Level.Data is the map's bytes.
func NewRecordReader(r io.Reader) (*RecordReader, error) {
	rr := &RecordReader{chunks: newChunks(r)}
	switch rr.magic() {
	case recordMagic:
	case rulesMagic:
		return nil, errors.New("this is a record of rules, not of a policy")
	default:
		return nil, errNoRecord
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
