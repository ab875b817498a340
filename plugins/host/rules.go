package host

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// RulesConfig is what a rules plugin is run with.
type RulesConfig struct {
	Config
	// Match is what the first life starts with; later ones are given the last
	// state besides.
	Match rules.Match
	// Save is how long it is from one saved state to the next; 0 means 10 s. What is
	// done again after a crash is at most this much of the match.
	Save time.Duration
}

// Limits of operations that are dropped one by one: so many within so long and
// the plugin is off.
const (
	badOpLimit  = 100
	badOpWindow = 10 * time.Second
)

// ahead is how many ticks may be with a rules plugin unanswered: more than any
// stall that is survived, less than what makes replay wait for the answers.
const ahead = 32

// catchUp is for how many seconds a new life may replay the journal before it is late:
// four times what ten seconds of it should take.
const catchUp = 2

// lateShare is for what share of a second rules may be late before that counts against
// them: their operations are then done so much later, which costs less than another
// process does on a machine that is merely busy. Half of what is taken for frozen.
const lateShare = 8

// Rules is a rules process that may end and come back. It is a rules.Runner.
type Rules struct {
	cfg   RulesConfig
	sup   *supervisor
	count count
	guard Timer
	most  int // ticks in the journal

	// The tick's goroutine only.
	out   []rules.Op
	asked int // ticks since the last save was asked for

	got chan struct{} // capacity 1: answers have come

	mu        sync.Mutex
	journal   journal
	last      state.Tick // of the last Submit
	any       bool       // there was one
	due       []rules.Op // answered and not taken
	saved     []byte
	savedTick state.Tick
	hasSaved  bool
	stateless bool // the last state was empty
	ownState  bool // it is of a tick of this match, not what the match began with
	live      *rulesLife
	badOps    int
	badSince  time.Time
	wantSave  bool
	rec       *recording     // nil: nothing is recorded
	begins    []tables.Value // what the first life wanted the match to begin with
	begun     bool           // there was a first life
	held      bool           // ticks after until wait in the journal
	until     state.Tick
	deadSince time.Time
}

// rulesLife is the part of a life that only rules have. Under Rules.mu.
type rulesLife struct {
	*life
	wake     chan struct{} // capacity 1
	sent     state.Tick
	anySent  bool
	answered state.Tick
	anyAns   bool
	open     int       // ticks sent and not answered
	owing    time.Time // since when an answer is owed
	junk     int
	differed bool // said already

	// The tick's goroutine only.
	missed uint64 // in which of its last 64 ticks it was too late: those of a life before are not its own
	age    int    // in ticks, until it has caught up
	caught bool   // with the ticks of the journal: from then on a late answer is a miss
}

// StartRules starts the plugin and returns when the match can begin. The error
// says in a sentence what is wrong with which file.
func StartRules(ctx context.Context, cfg RulesConfig) (*Rules, error) {
	return startRules(ctx, cfg, nil)
}

// startRules is StartRules for a match that others have run so far; h may be nil.
func startRules(ctx context.Context, cfg RulesConfig, h *handover) (*Rules, error) {
	cfg.fill()
	if cfg.Match.TickRate == 0 {
		cfg.Match.TickRate = cfg.TickRate
	}
	if cfg.Save <= 0 {
		cfg.Save = saveInterval
	}
	s, err := newStarter(&cfg.Config, contract.Rules)
	if err != nil {
		return nil, err
	}
	r := &Rules{
		cfg: cfg, got: make(chan struct{}, 1), guard: WallClock().Timer(),
		most: int(max(journalSeconds, 2*cfg.Save.Seconds()) * float64(cfg.TickRate)),
	}
	if h != nil {
		r.take(h)
	}
	s.cfg = &r.cfg.Config
	if m := &r.cfg.Match; m.Saved != nil {
		r.saved, r.savedTick, r.hasSaved = m.Saved, m.SavedTick, true
	}
	r.sup = newSupervisor(s, r.begin)
	if err := r.sup.first(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// begin starts the match in a new life, from the last state if there is one.
func (r *Rules) begin(ctx context.Context, l *life) error {
	m := &r.cfg.Match
	set, err := json.Marshal(&m.Tables)
	if err != nil {
		return fmt.Errorf("tables: %w", err)
	}
	req := &rulesv1.Match{
		Level: m.Level, LevelHash: m.LevelHash[:], Seed: m.Seed, TickRate: uint32(m.TickRate),
		TablesJson: set, Settings: m.Settings, ApiMinor: contract.Minor,
	}
	for _, z := range m.Zones {
		req.Zones = append(req.Zones, &rulesv1.Zone{
			Name: z.Name, MinX: z.Box.Min.X, MinY: z.Box.Min.Y, MinZ: z.Box.Min.Z, MaxX: z.Box.Max.X, MaxY: z.Box.Max.Y, MaxZ: z.Box.Max.Z,
		})
	}
	for _, s := range m.Spawns {
		req.Spawns = append(req.Spawns, &rulesv1.Spawn{X: s.Pos.X, Y: s.Pos.Y, Z: s.Pos.Z, Yaw: s.Yaw, Team: uint32(s.Team)})
	}
	for _, p := range m.Roster {
		req.Roster = append(req.Roster, &rulesv1.Member{Id: uint32(p.ID), Team: uint32(p.Team), Bot: p.Bot, Name: p.Name})
	}
	rl := &rulesLife{life: l, wake: make(chan struct{}, 1)}
	r.mu.Lock()
	if r.hasSaved {
		req.HasSaved, req.Saved, req.SavedTick = true, append([]byte{}, r.saved...), r.savedTick
	}
	r.mu.Unlock()
	client := rulesv1.NewRulesClient(l.conn)
	ready, err := client.Configure(ctx, req)
	if err != nil {
		return err
	}
	if err := r.ready(l, ready); err != nil {
		return err
	}
	r.mu.Lock()
	if r.ownState {
		rl.sent, rl.anySent, rl.answered, rl.anyAns = req.SavedTick, true, req.SavedTick, true
	}
	r.live = rl
	if n := len(r.journal.entries); n > 0 {
		r.wantSave = true // the next life has less to do again
		r.sup.s.log.Info("rules replay the journal", "ticks", n, "from_state", req.HasSaved, "forgotten", r.journal.lost)
	}
	r.mu.Unlock()
	err = l.run(func(ctx context.Context) (frameStream, error) { return client.Run(ctx) },
		func() { r.send(rl) }, func() { r.recv(rl) })
	signal(rl.wake)
	return err
}

// Submit hands a tick over and returns at once.
func (r *Rules) Submit(in *rules.TickIn) {
	if r.cfg.Wait {
		r.sup.settle()
	}
	r.mu.Lock()
	r.journal.add(in, r.most)
	r.last, r.any = in.Tick, true
	if r.asked++; float64(r.asked) >= r.cfg.Save.Seconds()*float64(r.cfg.TickRate) {
		r.asked, r.wantSave = 0, true
	}
	l := r.live
	r.mu.Unlock()
	signal(l.wake)
	r.count.add(func(s *Stats) { s.Ticks++ })
}

// Take returns the operations that have been answered since the last Take, in
// order, and does not wait (with Wait: it waits for the last Submit's).
func (r *Rules) Take() []rules.Op {
	if r.cfg.Wait {
		r.await()
	}
	l := r.sup.life()
	now := r.cfg.Clock.Now()
	r.mu.Lock()
	r.out, r.due = r.due, r.out[:0]
	rl := r.live
	behind := 0
	if r.any {
		behind = r.journal.behind(rl.answered, rl.anyAns)
	}
	live := l != nil && rl.life == l
	frozen := live && !r.cfg.Wait && rl.open > 0 && now.Sub(rl.owing) > r.cfg.Frozen
	switch {
	case live:
		r.deadSince = time.Time{}
	case r.deadSince.IsZero():
		r.deadSince = now
	}
	r.mu.Unlock()
	if live {
		rl.age++
		rl.caught = rl.caught || behind == 0 || rl.age > catchUp*r.cfg.TickRate
		rl.missed <<= 1
		if behind > 0 && rl.caught {
			r.count.add(func(s *Stats) { s.Misses++ })
			if behind > r.cfg.TickRate/lateShare {
				rl.missed |= 1
			}
		}
		switch {
		case frozen:
			l.fail(errFrozen)
		case bits.OnesCount64(rl.missed) >= missLimit:
			l.fail(errMisses)
		}
	}
	return r.out
}

// await waits until the last tick is answered, through a restart if need be.
func (r *Rules) await() {
	r.guard.Reset(r.cfg.patience())
	defer r.guard.Stop()
	for {
		l := r.sup.settle()
		if l == nil {
			return // off, or resting until the clock moves on
		}
		r.mu.Lock()
		ready := !r.any || r.live.life == l && r.live.anyAns && r.live.answered == r.last
		r.mu.Unlock()
		if ready {
			return
		}
		select {
		case <-r.got:
		case <-l.dead:
		case <-r.guard.C():
			l.fail(errFrozen)
			return
		}
	}
}

// Stalled returns for how long no rules have run; 0 while they do. A server
// pauses at a tick boundary after a second of it.
func (r *Rules) Stalled() time.Duration {
	alive := r.sup.life() != nil
	r.mu.Lock()
	defer r.mu.Unlock()
	if alive || r.deadSince.IsZero() {
		return 0
	}
	return r.cfg.Clock.Now().Sub(r.deadSince)
}

// Saved returns the last state that the rules gave, and its tick.
func (r *Rules) Saved() (saved []byte, tick state.Tick, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]byte(nil), r.saved...), r.savedTick, r.hasSaved
}

// next is what a life is to be sent now.
func (r *Rules) next(l *rulesLife, dst []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.open < ahead {
		if e := r.journal.after(l.sent, l.anySent); e != nil && !(r.held && int32(e.tick-r.until) > 0) {
			dst = append(dst[:0], e.frame...)
			if e.applied {
				dst = codec.MarkReplaying(dst)
			}
			if l.open == 0 {
				l.owing = r.cfg.Clock.Now()
			}
			l.open++
			l.sent, l.anySent = e.tick, true
			return dst
		}
	}
	if r.wantSave && l.anySent && (l.sent == r.last || r.held && l.sent == r.until) {
		r.wantSave = false
		return codec.AppendSimple(dst[:0], codec.KindSave, l.sent)
	}
	return dst[:0]
}

// send owns the sending half of a life's stream.
func (r *Rules) send(l *rulesLife) {
	var msg basev1.Frame
	for {
		select {
		case <-l.dead:
			return
		case <-l.bye:
			msg.Data = codec.AppendSimple(nil, codec.KindBye, 0)
			_ = l.stream.SendMsg(&msg)
			_ = l.stream.CloseSend()
			return
		case <-l.wake:
		}
		for !l.isDead() {
			msg.Data = r.next(l, msg.Data)
			if len(msg.Data) == 0 {
				break
			}
			if err := l.stream.SendMsg(&msg); err != nil {
				l.fail(err)
				return
			}
			r.count.add(func(s *Stats) { s.sent(len(msg.Data)) })
		}
	}
}

// recv owns the receiving half.
func (r *Rules) recv(l *rulesLife) {
	var msg basev1.Frame
	var ops []rules.Op
	var st []byte
	for {
		if err := l.stream.RecvMsg(&msg); err != nil {
			l.fail(err)
			return
		}
		h, err := codec.ReadHeader(msg.Data)
		switch {
		case err == nil && h.Kind == codec.KindState:
			var tick state.Tick
			if st, tick, err = codec.DecodeState(msg.Data, st[:0]); err == nil {
				err = r.takeState(l, st, tick)
			}
		default: // what is no frame is an answer as well, and a bad one
			ops, err = r.takeOps(l, msg.Data, ops)
		}
		if err != nil {
			r.nonsense(l, err)
		}
		signal(l.wake)
		signal(r.got)
	}
}

// takeState keeps a state and forgets the ticks that it covers. An empty one
// covers nothing: such rules are replayed from the match's beginning.
func (r *Rules) takeState(l *rulesLife, st []byte, tick state.Tick) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !l.anyAns || tick != l.answered {
		return fmt.Errorf("%w: state of tick %d after answer to %d", codec.ErrTick, tick, l.answered)
	}
	r.beginRecord(l, st, tick)
	if r.stateless = len(st) == 0; r.stateless {
		return nil
	}
	r.saved = append(r.saved[:0], st...)
	r.savedTick, r.hasSaved, r.ownState = tick, true, true
	r.journal.covered(tick)
	return nil
}

// takeOps checks the answer to the oldest tick that is not answered, and adds its
// operations to those that are due unless an earlier life gave them already.
func (r *Rules) takeOps(l *rulesLife, frame []byte, ops []rules.Op) ([]rules.Op, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.journal.after(l.answered, l.anyAns)
	if e == nil || l.open == 0 {
		return ops, fmt.Errorf("%w: operations without a tick", codec.ErrTick)
	}
	now := r.cfg.Clock.Now()
	wait := now.Sub(l.owing)
	l.answered, l.anyAns = e.tick, true
	l.open--
	l.owing = now
	ops, err := codec.DecodeOps(frame, e.tick, ops)
	replayed, was := e.applied, e.sum
	if !replayed && !e.refused && r.rec != nil && r.rec.rec != nil {
		r.rec.rec.answered(e.frame, frame, e.tick, err)
	}
	if err != nil {
		e.refused = true // who comes after this one may answer the tick
		return ops, err
	}
	e.applied, e.sum = true, crc32.ChecksumIEEE(frame)
	if replayed && e.sum != was {
		r.differs(l, e.tick)
	}
	l.junk = 0
	r.count.trip(wait, len(frame))
	if replayed {
		return ops, nil
	}
	for i := range ops {
		if isSane(&ops[i]) {
			r.due = append(r.due, ops[i])
			continue
		}
		r.badOp(l, &ops[i], now)
	}
	return ops, nil
}

// differs counts a tick that was answered otherwise when it was replayed. Under r.mu.
func (r *Rules) differs(l *rulesLife, tick state.Tick) {
	r.count.add(func(s *Stats) { s.Differ++ })
	if l.differed {
		return
	}
	l.differed = true
	r.sup.s.log.Warn("rules answer a tick of the journal otherwise than before they ended: they depend on something that they do not save", "tick", tick)
}

// isSane reports whether an operation is one at all; whether it may be done is for
// sim.Apply to say.
func isSane(o *rules.Op) bool {
	for _, f := range [...]float32{o.Pos.X, o.Pos.Y, o.Pos.Z, o.Yaw} {
		if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
			return false
		}
	}
	return o.Kind > rules.OpNone && o.Kind < rules.NumOps && len(o.Text) <= rules.MaxText
}

// badOp counts an operation that was dropped. Under r.mu.
func (r *Rules) badOp(l *rulesLife, o *rules.Op, now time.Time) {
	r.count.add(func(s *Stats) { s.Nonsense++ })
	if now.Sub(r.badSince) > badOpWindow {
		r.badSince, r.badOps = now, 0
	}
	if r.badOps++; r.badOps == 1 {
		r.sup.s.log.Warn("operation dropped: unknown kind, text too long or number not finite", "kind", o.Kind, "id", o.ID)
	}
	if r.badOps >= badOpLimit {
		r.badOps = 0
		r.sup.turnOff(l.life, fmt.Errorf("%d operations within %v were nonsense", badOpLimit, badOpWindow))
	}
}

// nonsense counts an answer that was dropped as a whole.
func (r *Rules) nonsense(l *rulesLife, why error) {
	r.count.add(func(s *Stats) { s.Nonsense++ })
	r.mu.Lock()
	l.junk++
	n := l.junk
	r.mu.Unlock()
	r.sup.s.log.Warn("rules answered nonsense", "why", why.Error(), "in_a_row", n)
	if n >= junkLimit {
		r.sup.turnOff(l.life, fmt.Errorf("three answers in a row were nonsense, the last: %w", why))
	}
}

// Restart starts a plugin that is off, or resting between two lives, now.
func (r *Rules) Restart() { r.sup.restart() }

// Stats says how the plugin fares; any goroutine may call it.
func (r *Rules) Stats() Stats {
	s := r.sup.stats(&r.count)
	r.mu.Lock()
	s.Journal = len(r.journal.entries)
	s.Behind = r.journal.behind(r.live.answered, r.live.anyAns)
	r.mu.Unlock()
	return s
}

// Close ends the plugin and waits for it: bye, then SIGTERM after a second, then
// SIGKILL.
func (r *Rules) Close() { r.sup.close() }
