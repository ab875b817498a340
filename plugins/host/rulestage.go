package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// OnFailure is what becomes of a match whose rules keep failing.
type OnFailure uint8

// The ways out.
const (
	Pause   OnFailure = iota // it stands still until an operator starts rules again
	Builtin                  // the linked-in rules of the same name go on with it
	End                      // it ends
)

// NewRules makes linked-in rules; nil where there are none of a name.
type NewRules func() rules.Rules

// handLimit is how long rules may take to save their state for their successor.
const handLimit = 3 * time.Second

// RulesStage runs a match by one plugin after another: rules change between two
// rounds through their saved state, and when a plugin keeps failing the match goes on
// as OnFailure says. It is a rules.Runner of the server's goroutine; the other methods
// may be called from any.
type RulesStage struct {
	log     *slog.Logger
	clk     Clock
	failure OnFailure
	ctx     context.Context
	cancel  context.CancelFunc

	mu      sync.Mutex
	cfg     RulesConfig // of the present rules
	live    *Rules      // nil: builtin runs
	builtin rules.Rules
	linked  NewRules // of the present rules' name
	lost    bool     // what OnFailure says has been done
	out     []rules.Op
	due     []rules.Op // of builtin

	recorded *Rules // whose ticks are written down; nil: nobody's

	roster []rules.Member
	begun  []rules.Member // the roster that the present rules began with
	phase  rules.Phase
	edge   bool // the last operations began a phase
	last   state.Tick
	any    bool // a tick was submitted
	swap   *swap

	begins   []tables.Value // what the tables are that are not the server's, operations aside
	changed  bool           // operations have changed tables since
	retabled bool           // in this Take: what the new rules want waits for the next, whose change it is
}

// swap is a change of rules that is under way.
type swap struct {
	cfg    RulesConfig
	linked NewRules
	done   func(string, error)
	held   bool
	since  time.Time
	queue  journal // ticks that builtin does not get
	coming chan *startingRules
}

// RulesStageConfig is what a RulesStage is started with.
type RulesStageConfig struct {
	RulesConfig
	OnFailure OnFailure
	Linked    NewRules // of the same name, for Builtin
}

// StartRulesStage starts the plugin that a match begins with.
func StartRulesStage(ctx context.Context, cfg RulesStageConfig) (*RulesStage, error) {
	r, err := StartRules(ctx, cfg.RulesConfig)
	if err != nil {
		return nil, err
	}
	s := &RulesStage{log: r.cfg.Log, clk: r.cfg.Clock, failure: cfg.OnFailure, cfg: cfg.RulesConfig, live: r, linked: cfg.Linked, begins: r.Tables()}
	s.cfg.fill()
	s.roster = append(s.roster, cfg.Match.Roster...)
	s.begun = slices.Clone(s.roster)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Submit hands a tick over.
func (s *RulesStage) Submit(in *rules.TickIn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow(in)
	switch {
	case s.live != nil:
		s.apart(func() { s.live.Submit(in) })
	case s.swap != nil && s.swap.held:
		s.swap.queue.add(in, journalSeconds*s.cfg.TickRate)
	default:
		s.due = s.builtin.Tick(in, s.due)
	}
}

// apart runs what may wait for a process on the tick's goroutine, the only one that
// changes live. Who asks the stage something meanwhile does not wait for that. Under mu.
func (s *RulesStage) apart(f func()) {
	s.mu.Unlock()
	defer s.mu.Lock()
	f()
}

// follow keeps the roster that rules which begin afresh are given.
func (s *RulesStage) follow(in *rules.TickIn) {
	s.last, s.any = in.Tick, true
	for _, id := range in.Left {
		s.roster = slices.DeleteFunc(s.roster, func(m rules.Member) bool { return m.ID == id })
	}
	for _, j := range in.Joined {
		s.roster = append(slices.DeleteFunc(s.roster, func(m rules.Member) bool { return m.ID == j.ID }), j)
	}
}

// Take returns the operations that are due. Changes of rules happen in it, between
// two ticks.
func (s *RulesStage) Take() []rules.Op {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = s.out[:0]
	s.collect()
	s.fail()
	if s.turn() && !s.retabled {
		s.collect()
	}
	s.retabled = false
	return s.out
}

// collect appends what has been decided to out.
func (s *RulesStage) collect() {
	n := len(s.out)
	if s.live != nil {
		var ops []rules.Op
		s.apart(func() { ops = s.live.Take() })
		s.out = append(s.out, ops...)
	} else {
		s.out, s.due = append(s.out, s.due...), s.due[:0]
	}
	s.edge = false
	for i := range s.out[n:] {
		switch op := &s.out[n+i]; op.Kind {
		case rules.OpPhase:
			s.phase, s.edge = op.Value, true
		case rules.OpTable:
			s.changed = true
		}
	}
}

// fail does what OnFailure says once the plugin has been given up.
func (s *RulesStage) fail() {
	off := s.live != nil && s.live.isOff()
	was := s.lost
	if s.lost = off; !off || was {
		return
	}
	switch {
	case s.failure == End:
		s.log.Error("the match ends: its rules keep failing", "rules", s.cfg.Name)
		s.out = append(s.out,
			rules.Op{Kind: rules.OpAnnounce, Text: "The match ends: its rules have failed."},
			rules.Op{Kind: rules.OpEndMatch, Text: "its rules keep failing"})
	case s.failure == Builtin && s.linked == nil:
		s.log.Error("the match stands still: its rules keep failing, and there are none linked in of this name", "rules", s.cfg.Name, "mend", "plugin.rules reload")
	case s.failure == Builtin:
		s.takeOver()
	default:
		s.log.Error("the match stands still: its rules keep failing", "rules", s.cfg.Name, "mend", "plugin.rules reload")
	}
}

// takeOver lets the linked-in rules go on from the saved state and the journal.
func (s *RulesStage) takeOver() {
	h := s.live.give()
	m := s.cfg.Match
	m.Saved, m.SavedTick, m.Roster = h.saved, h.tick, s.roster
	if h.whole {
		m.Roster = s.begun
	}
	v, goesOn := s.linked(), h.saved != nil || h.whole
	if err := v.Start(&m); err != nil && m.Saved != nil {
		s.log.Warn("the linked-in rules cannot go on from the saved state: the match begins afresh", "rules", s.cfg.Name, "why", err.Error())
		m.Saved, m.Roster, v, h, goesOn = nil, s.roster, s.linked(), h.fresh(), false
		err = v.Start(&m)
		if err != nil {
			s.log.Error("the match stands still: the linked-in rules cannot be started either", "rules", s.cfg.Name, "why", err.Error())
			return
		}
	} else if err != nil {
		s.log.Error("the match stands still: the linked-in rules cannot be started either", "rules", s.cfg.Name, "why", err.Error())
		return
	}
	s.due = append(s.due[:0], play(v, h.entries)...)
	s.out = append(s.out, h.due...)
	go s.live.Close()
	s.live, s.builtin = nil, v
	s.log.Warn("the linked-in rules go on with the match", "rules", s.cfg.Name, "ticks_again", len(h.entries))
	begins := rules.TablesOf(v)
	if _, err := rules.Begin(&m.Tables, begins); err != nil {
		s.log.Error("the linked-in rules get the server's tables: they want "+err.Error(), "rules", s.cfg.Name)
		begins = nil
	}
	if s.retable(begins, goesOn); !s.retabled {
		s.collect()
	}
}

// play gives rules the ticks of a journal and returns what was not decided before.
func play(v rules.Rules, entries []entry) (due []rules.Op) {
	var in rules.TickIn
	for i := range entries {
		if codec.DecodeTick(entries[i].frame, &in) != nil {
			continue // it was encoded here
		}
		in.Replaying = entries[i].applied
		ops := v.Tick(&in, nil)
		if !entries[i].applied {
			due = append(due, ops...)
		}
	}
	return due
}

// Swap changes the rules at the end of the present round, or at once when the present
// ones have failed: a new process of cfg goes on from the state that the present rules
// save, or begins afresh when it cannot read that. done is told what became of it in a
// sentence, or why the present rules go on; from another goroutine.
func (s *RulesStage) Swap(cfg RulesConfig, linked NewRules, done func(string, error)) error {
	cfg.fill()
	st, err := newStarter(&cfg.Config, "rules")
	if err != nil {
		return err // found before anything has changed
	}
	st.discard()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.swap != nil {
		return errors.New("a change of rules is under way already")
	}
	s.swap = &swap{cfg: cfg, linked: linked, done: done, since: s.clk.Now()}
	return nil
}

// atEdge reports whether no round is being played.
func (s *RulesStage) atEdge() bool { return s.edge || s.phase != rules.Live }

// turn moves a change of rules on; true when others decide now.
func (s *RulesStage) turn() bool {
	w := s.swap
	if w == nil || !s.any {
		return false
	}
	wait := s.cfg.Wait
	if !w.held {
		gone := s.live != nil && s.live.isOff()
		if !gone && !s.atEdge() {
			return false
		}
		w.held, w.since = true, s.clk.Now()
		if s.live != nil && !gone {
			s.live.hold()
		}
	}
	if w.coming == nil {
		if s.live != nil && wait {
			s.apart(s.live.handed)
		}
		if s.live != nil && !s.live.isHanded() && !s.live.isOff() && s.clk.Now().Sub(w.since) < handLimit && !wait {
			return false
		}
		w.coming = make(chan *startingRules, 1)
		h := s.handover()
		roster, begun := slices.Clone(s.roster), slices.Clone(s.begun)
		cfg, same := w.cfg, s.live != nil && name(&w.cfg) == name(&s.cfg)
		go func() { w.coming <- succeed(s.ctx, cfg, h, roster, begun, same) }()
	}
	if wait {
		var n *startingRules
		s.apart(func() { n = <-w.coming })
		return s.arrived(n)
	}
	select {
	case n := <-w.coming:
		return s.arrived(n)
	default:
		return false
	}
}

// handover is the match as it stands, of whoever runs it.
func (s *RulesStage) handover() *handover {
	if s.live != nil {
		return s.live.give()
	}
	return &handover{saved: s.builtin.Save(), tick: s.last}
}

// arrived ends a change of rules.
func (s *RulesStage) arrived(n *startingRules) bool {
	w := s.swap
	s.swap = nil
	if n.err != nil {
		s.log.Error("the rules do not change: the present ones go on", "from", s.cfg.Name, "to", w.cfg.Name, "why", n.err.Error())
		if s.live != nil {
			s.live.release()
		} else {
			s.due = append(s.due, play(s.builtin, w.queue.entries)...)
		}
		go w.done("", n.err)
		return false
	}
	var said string
	switch {
	case n.fresh != nil:
		said = fmt.Sprintf("%s runs the match now and has begun it afresh: it cannot go on from the state of %s (%v)", name(&w.cfg), name(&s.cfg), n.fresh)
	case n.from.saved == nil && !n.again:
		said = fmt.Sprintf("%s runs the match now and has begun it afresh: %s saves no state", name(&w.cfg), name(&s.cfg))
	default:
		said = fmt.Sprintf("%s runs the match now, with the scores and the round of %s", name(&w.cfg), name(&s.cfg))
	}
	// What was submitted meanwhile: everything after the state, or after what was answered.
	if s.live != nil {
		h := s.live.give()
		if h.tick != n.from.tick { // it was restarted by hand and has gone on
			s.swap, w.coming, w.held = w, nil, false
			go n.r.Close()
			return false
		}
		if n.from.saved == nil && !n.again {
			h = h.fresh()
		}
		s.out = append(s.out, h.due...)
		n.r.feed(h.entries)
		go s.live.Close()
	} else {
		n.r.feed(w.queue.entries)
	}
	s.log.Warn("the rules have changed", "from", name(&s.cfg), "to", name(&w.cfg), "said", said)
	s.live, s.builtin, s.lost = n.r, nil, false
	s.begun = n.begun
	s.cfg, s.linked = w.cfg, w.linked
	s.retable(n.r.Tables(), n.fresh == nil && (n.from.saved != nil || n.again))
	go w.done(said, nil)
	return true
}

func name(c *RulesConfig) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Path
}

// Stalled returns for how long nobody has decided; 0 while somebody does.
func (s *RulesStage) Stalled() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	var d time.Duration
	if s.live != nil {
		d = s.live.Stalled()
	}
	if s.swap != nil && s.swap.held {
		d = max(d, s.clk.Now().Sub(s.swap.since))
	}
	return d
}

// Name is the name of the rules that decide, and whether they are linked in.
func (s *RulesStage) Name() (name string, builtin bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cfg.Name, s.live == nil
}

// Stats says how the plugin fares; when linked-in rules have taken over, who they are.
func (s *RulesStage) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		return Stats{Plugin: s.cfg.Name, State: "builtin"}
	}
	return s.live.Stats()
}

// ErrMatchEnded is what a change of rules ends with that was still waiting for the end of
// the round when the match ended.
var ErrMatchEnded = errors.New("the match ended before the round did")

// Close ends everything and waits for it.
func (s *RulesStage) Close() {
	s.mu.Lock()
	live, w := s.live, s.swap
	s.swap = nil
	s.mu.Unlock()
	s.cancel()
	if w != nil {
		if w.coming != nil {
			if n := <-w.coming; n.r != nil {
				n.r.Close()
			}
		}
		w.done("", ErrMatchEnded)
	}
	if live != nil {
		live.Close()
	}
}
