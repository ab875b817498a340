package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// A record of rules begins with rulesMagic; then comes the head as JSON, and then, as
// in a policy's, in turns a tick's frame and the frame of the operations that answered
// it. Every tick is in it, in order: rules remember.
const rulesMagic = "SLRR1\n"

// maxRulesHead bounds a head, of which the state may be 1 MiB.
const maxRulesHead = 4 << 20

// RulesRecordHead says what was recorded.
type RulesRecordHead struct {
	Rules   string // "duel"
	Version string
	// Match is what rules are started with before the first tick of the record: in the
	// middle of a match with the state of then.
	Match rules.Match
	// Tables is what the match began with that Match.Tables does not say.
	Tables []tables.Value `json:",omitempty"`
}

// RulesRecorder writes down what rules were told, tick by tick, and what they wanted.
// It is a rules.Runner for one that answers every tick before the next one, as linked-in
// rules do; RulesStage.Record records those that answer when they can. The disk is never
// waited for: where it is behind for 4 s the record ends, as it does when it is full.
type RulesRecorder struct {
	rules.Runner
	*tape
	cur *turn
	in  state.Tick
}

// NewRulesRecorder begins a record with its head. Close ends it; neither r nor w is
// closed.
func NewRulesRecorder(r rules.Runner, w io.Writer, head RulesRecordHead) (*RulesRecorder, error) {
	if head.Tables == nil {
		head.Tables = rules.TablesOf(r)
	}
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	bw := bufio.NewWriterSize(w, 1<<16)
	_, _ = bw.WriteString(rulesMagic)
	writeChunk(bw, text)
	if err := bw.Flush(); err != nil {
		return nil, err
	}
	return &RulesRecorder{Runner: r, tape: newTape(bw)}, nil
}

// errBehind ends a record: what came after a hole could not be judged.
var errBehind = errors.New("the disk is behind: the record ends here")

// Tables is what the rules want a match to begin with.
func (r *RulesRecorder) Tables() []tables.Value { return rules.TablesOf(r.Runner) }

// next returns a turn to fill; nil once a tick is missing.
func (r *RulesRecorder) next() *turn {
	t := r.blank()
	if t == nil {
		r.fail(errBehind)
	}
	return t
}

// Submit hands the tick on and keeps a copy.
func (r *RulesRecorder) Submit(in *rules.TickIn) {
	if r.cur = r.next(); r.cur != nil {
		r.cur.asked, r.in = codec.AppendTick(r.cur.asked[:0], in), in.Tick
	}
	r.Runner.Submit(in)
}

// Take returns the operations and keeps them.
func (r *RulesRecorder) Take() []rules.Op {
	ops := r.Runner.Take()
	if t := r.cur; t != nil {
		r.cur = nil
		t.answer = codec.AppendOps(t.answer[:0], r.in, ops)
		r.put(t)
	}
	return ops
}

// answered keeps a tick and its operations, as frames; none where they are bad.
func (r *RulesRecorder) answered(frame, ops []byte, tick state.Tick, bad error) {
	t := r.next()
	if t == nil {
		return
	}
	t.asked, t.answer = append(t.asked[:0], frame...), append(t.answer[:0], ops...)
	if bad != nil {
		t.answer = codec.AppendOps(t.answer[:0], tick, nil)
	}
	r.put(t)
}

// recording is a record that was asked for: it begins with the next state of the rules.
type recording struct {
	w     io.Writer
	rec   *RulesRecorder // nil: no state has come yet
	begun func(error)
}

// Record writes down what the rules are told and want, from their next saved state on,
// which is asked for now. begun is told once that it has begun, or why not; from another
// goroutine. The record ends with StopRecord, with the rules, or when others take over.
func (r *Rules) Record(w io.Writer, begun func(error)) {
	r.mu.Lock()
	r.rec, r.wantSave = &recording{w: w, begun: begun}, true
	l := r.live
	r.mu.Unlock()
	signal(l.wake)
}

// StopRecord ends the record and returns what was recorded; nil when nothing is.
func (r *Rules) StopRecord() *RulesRecorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.rec
	r.rec = nil
	switch {
	case rec == nil:
		return nil
	case rec.rec == nil:
		go rec.begun(errors.New("the record was ended before the rules had saved their state"))
	}
	return rec.rec
}

// Record is Rules.Record of the rules that run the match. The record ends when others
// take over.
func (s *RulesStage) Record(w io.Writer, begun func(error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		return fmt.Errorf("the linked-in rules have taken over from %s: there is no plugin to record", name(&s.cfg))
	}
	s.live.Record(w, begun)
	s.recorded = s.live
	return nil
}

// StopRecord ends the record and returns what was recorded, even when others have taken
// over since; nil when nothing is.
func (s *RulesStage) StopRecord() *RulesRecorder {
	s.mu.Lock()
	r := s.recorded
	s.recorded = nil
	s.mu.Unlock()
	if r == nil {
		return nil
	}
	return r.StopRecord()
}

// beginRecord begins a record that was asked for with a state. Under mu.
func (r *Rules) beginRecord(l *rulesLife, st []byte, tick state.Tick) {
	rec := r.rec
	if rec == nil || rec.rec != nil {
		return
	}
	if len(st) == 0 {
		r.rec = nil
		go rec.begun(fmt.Errorf("rules %s save no state, so a record could not begin in the middle of a match", l.info.Name))
		return
	}
	head := RulesRecordHead{Rules: l.info.Name, Version: l.info.Version, Match: r.cfg.Match, Tables: r.begins}
	head.Match.Saved, head.Match.SavedTick = slices.Clone(st), tick
	var err error
	if rec.rec, err = NewRulesRecorder(nil, rec.w, head); err != nil {
		r.rec = nil
	}
	go rec.begun(err)
}

// RulesRecordReader reads a record of rules.
type RulesRecordReader struct {
	Head RulesRecordHead
	chunks
}

// NewRulesRecordReader reads the head.
func NewRulesRecordReader(r io.Reader) (*RulesRecordReader, error) {
	rr := &RulesRecordReader{chunks: newChunks(r)}
	switch rr.magic() {
	case rulesMagic:
	case recordMagic:
		return nil, errors.New("this is a record of a policy, not of rules")
	default:
		return nil, errNoRecord
	}
	text, err := rr.chunk(maxRulesHead)
	if err == nil {
		err = json.Unmarshal(text, &rr.Head)
	}
	if err != nil {
		return nil, fmt.Errorf("the record's head is damaged: %w", err)
	}
	if m := &rr.Head.Match; m.TickRate < 1 || m.TickRate > 1000 {
		return nil, fmt.Errorf("the record's head is damaged: a tick rate of %d", m.TickRate)
	}
	return rr, nil
}

// Next reads one tick into in, and the operations that answered it, which are put into
// the memory of ops. io.EOF is the end; a record that was cut short ends with
// io.ErrUnexpectedEOF.
func (r *RulesRecordReader) Next(in *rules.TickIn, ops []rules.Op) ([]rules.Op, error) {
	b, err := r.chunk(codec.MaxFrame)
	if err != nil {
		return ops[:0], err
	}
	if err := codec.DecodeTick(b, in); err != nil {
		return ops[:0], fmt.Errorf("a damaged tick: %w", err)
	}
	if b, err = r.chunk(codec.MaxFrame); err != nil {
		return ops[:0], io.ErrUnexpectedEOF
	}
	if ops, err = codec.DecodeOps(b, in.Tick, ops); err != nil {
		return ops[:0], fmt.Errorf("damaged operations: %w", err)
	}
	return ops, nil
}

// RecordKind says whether a record is of a "policy" or of "rules", from the first bytes
// of the file; "" when it is none.
func RecordKind(head []byte) string {
	switch n := len(recordMagic); {
	case len(head) < n:
	case string(head[:n]) == recordMagic:
		return "policy"
	case string(head[:n]) == rulesMagic:
		return "rules"
	}
	return ""
}
