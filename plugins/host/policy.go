package host

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
	policyv1 "github.com/sightline-engine/sightline/plugins/proto/policy/v1"
)

// PolicyConfig is what a policy plugin is run with.
type PolicyConfig struct {
	Config
	Level    *Level // nil: the policy gets no world
	Seed     uint64
	Settings vis.Settings // checked against the plugin's own schema
	// Fallback decides whatever the plugin does not, made by the caller from the
	// same level. Nil permits nothing.
	Fallback vis.Policy
	// Deadline is how long after Submit an answer may come; 0 means 40 % of a
	// tick.
	Deadline time.Duration
	// TickEnd, when set, returns the instant at which the present tick ends: the
	// deadline is then never later than a quarter of a tick before it, and a miss
	// in a tick that the host itself began late is not counted.
	TickEnd func() time.Time
}

// Policy is a policy process behind a deadline and a fallback. It is a
// vis.Decider.
type Policy struct {
	cfg   PolicyConfig
	sup   *supervisor
	pool  pool
	fb    *fallback // nil: none
	count count
	timer Timer
	guard Timer // of Wait, on the system's clock

	// The tick's goroutine only.
	cur      *batch
	now      *policyLife // who was given cur, nil nobody
	deadline time.Time
	late     bool // the host began this tick late
	standing standing
	told     standing // by whoever decided when the plugin did not
	kept     standing // of those before: beside this process's answers
	from     *standing
	anew     bool
	heirs    []vis.Standing
	out      vis.Answer
	said     bool // logged last: the fallback is in force
	saidAt   time.Time

	got chan struct{} // capacity 1: fresh has changed

	mu    sync.Mutex
	fresh *answer // the newest that came and was not taken
	spare []*answer
	live  *policyLife
}

// answer is what came from the plugin for a batch.
type answer struct {
	vis.Answer
	b    *batch
	life *policyLife
	warm bool // seen too little yet: not to be used
}

// policyLife is the part of a life that only policies have.
type policyLife struct {
	*life
	wake     chan struct{} // capacity 1: next has changed
	answered chan struct{} // capacity 1: inflight is nil again

	// Under Policy.mu.
	next     *batch // the newest that waits
	inflight *batch // with the plugin
	sent     time.Time
	warming  int  // answers that will not be used yet
	junk     int  // nonsense in a row
	refused  bool // the answer to refTick was nonsense
	refTick  state.Tick

	inherits bool // it takes over what stands; set before the life is anyone's

	// The tick's goroutine only.
	decided bool   // an answer was used
	missed  uint64 // which of its last 64 ticks it missed: those of a life before are not its own

	// With a mailbox; the tick's goroutine only.
	posted []*batch // with the plugin, oldest first
	first  state.Tick
	any    bool      // there was a first
	owed   time.Time // since when an answer is owed; zero: none is
	frame  []byte    // the last answer
}

// StartPolicy starts the plugin and returns when it is ready to decide. The error
// says in a sentence what is wrong with which file.
func StartPolicy(ctx context.Context, cfg PolicyConfig) (*Policy, error) {
	cfg.fill()
	if cfg.Deadline == 0 {
		cfg.Deadline = time.Second * 2 / 5 / time.Duration(cfg.TickRate)
	}
	s, err := newStarter(&cfg.Config, contract.Policy)
	if err != nil {
		return nil, err
	}
	p := &Policy{cfg: cfg, got: make(chan struct{}, 1), timer: cfg.Clock.Timer(), guard: WallClock().Timer()}
	s.cfg = &p.cfg.Config
	p.sup = newSupervisor(s, p.begin)
	if err := p.sup.first(ctx); err != nil {
		return nil, err
	}
	if cfg.Fallback != nil {
		p.fb = newFallback(cfg.Fallback, &p.pool)
	}
	return p, nil
}

// begin configures a life and starts its stream.
func (p *Policy) begin(ctx context.Context, l *life) error {
	schema := make(vis.Schema, 0, len(l.info.Settings))
	for _, t := range l.info.Settings {
		schema = append(schema, vis.Setting{Name: t.Name, Default: t.Default, Min: t.Min, Max: t.Max, Unit: t.Unit, Help: t.Help})
	}
	settings, err := schema.Check(p.cfg.Settings)
	if err != nil {
		return err
	}
	lv, err := p.sup.s.levelCopy(p.cfg.Level)
	if err != nil {
		return err
	}
	client := policyv1.NewPolicyClient(l.conn)
	reply, err := client.Configure(ctx, &policyv1.ConfigureRequest{
		Level: lv, TickRate: uint32(p.cfg.TickRate), Seed: p.cfg.Seed, Settings: settings, Mailbox: l.mayBox(),
	})
	if lv != nil {
		_ = os.Remove(lv.Path)
	}
	if err != nil {
		return err
	}
	l.settleBox(reply.Mailbox)
	pl := &policyLife{life: l, inherits: reply.Inherits, wake: make(chan struct{}, 1), answered: make(chan struct{}, 1)}
	p.mu.Lock()
	if p.live != nil { // not the first: its caches are empty
		pl.warming = min(int(reply.WarmTicks), 10*p.cfg.TickRate)
	}
	p.live = pl
	p.mu.Unlock()
	return l.run(func(ctx context.Context) (frameStream, error) { return client.Run(ctx) },
		func() { p.send(pl) }, func() { p.recv(pl) })
}

// levelCopy writes the map where only this user can read it.
func (s *starter) levelCopy(l *Level) (*basev1.Level, error) {
	if l == nil {
		return nil, nil
	}
	path := filepath.Join(s.dir, "level"+filepath.Ext(l.Name))
	if err := os.WriteFile(path, l.Data, 0o600); err != nil {
		return nil, fmt.Errorf("copy level %s: %w", l.Name, err)
	}
	msg := &basev1.Level{Name: l.Name, Hash: l.Hash[:], Path: path, Scale: l.Scale}
	for _, t := range l.Shaders {
		msg.Shaders = append(msg.Shaders, &basev1.Shader{
			Name: t.Name, Contents: uint32(t.Contents), Surf: uint32(t.Surf), Image: t.Image,
			TwoSided: t.TwoSided, AlphaTest: t.AlphaTest, Additive: t.Additive,
		})
	}
	return msg, nil
}

// Submit hands a tick over to the plugin and to the fallback and returns at once
// (with Wait: after a restart that is under way).
func (p *Policy) Submit(in *vis.Input) {
	p.pool.drop(p.cur)
	b := p.pool.get()
	copyInput(&b.in, in)
	p.cur = b
	if p.cfg.Wait {
		p.sup.settle()
	}
	now := p.cfg.Clock.Now()
	p.deadline, p.late = now.Add(p.cfg.Deadline), false
	if p.cfg.TickEnd != nil {
		rest := p.cfg.TickEnd().Add(-time.Second / 4 / time.Duration(p.cfg.TickRate))
		if rest.Before(p.deadline) {
			p.deadline, p.late = rest, true
		}
	}
	p.now = nil
	l := p.sup.life()
	p.mu.Lock()
	if l != nil && p.live != nil && p.live.life == l {
		p.now = p.live
	}
	p.mu.Unlock()
	b.in.Standing = p.bequest(&b.in) // the plugin's alone: not the fallback's
	b.frame = codec.AppendInput(b.frame[:0], &b.in)
	b.in.Standing = nil
	if p.now != nil && l.box == nil {
		p.mu.Lock()
		p.pool.drop(p.now.next)
		p.now.next = p.pool.hold(b)
		p.mu.Unlock()
	}
	switch {
	case p.now == nil:
	case p.now.box != nil:
		p.post(p.now, b, now)
	default:
		p.checkFrozen(now)
		select {
		case p.now.wake <- struct{}{}:
		default:
		}
	}
	if p.fb != nil {
		p.fb.submit(b, p.cfg.Wait)
	}
	p.count.add(func(s *Stats) { s.Ticks++ })
}

// Collect returns the answer to the last Submit, waiting until the deadline.
func (p *Policy) Collect() *vis.Answer {
	if p.cur == nil {
		return &p.out
	}
	in := &p.cur.in
	a, missed := p.await()
	if a != nil && a.warm {
		p.give(a)
		a = nil
	}
	if p.now != nil {
		p.now.missed <<= 1
		if missed && !p.late {
			p.now.missed |= 1
			p.count.add(func(s *Stats) { s.Misses++ })
			if bits.OnesCount64(p.now.missed) >= missLimit {
				p.now.fail(errMisses)
			}
		}
		p.checkFrozen(p.cfg.Clock.Now())
	}
	if a != nil {
		p.out, a.Answer = a.Answer, p.out
		p.out.Source = vis.FromPolicy
		p.keep(in, &p.out)
		p.standing.set(&p.out, in)
		p.now.decided = true
		p.give(a)
	} else {
		var fb *vis.Answer
		if p.fb != nil {
			fb = p.fb.answer(in.Tick)
		}
		p.standing.fill(in, fb, (standingMS*p.cfg.TickRate+500)/1000, &p.out)
		p.told.set(&p.out, in)
	}
	p.count.source(p.out.Source)
	p.logSource()
	return &p.out
}

// logSource says when somebody else decides than before, at most once a second.
func (p *Policy) logSource() {
	fallback := p.out.Source != vis.FromPolicy
	now := p.cfg.Clock.Now()
	if fallback == p.said || now.Sub(p.saidAt) < time.Second && !p.saidAt.IsZero() {
		return
	}
	p.said, p.saidAt = fallback, now
	if fallback {
		p.sup.s.log.Warn("the fallback policy is in force", "tick", p.out.Tick, "source", p.out.Source.String())
		return
	}
	p.sup.s.log.Info("the policy plugin decides again", "tick", p.out.Tick)
}

// await returns the plugin's answer to the present tick, or nil and whether that
// is a missed deadline. Answers to earlier ticks that came meanwhile become the
// standing answer.
func (p *Policy) await() (a *answer, missed bool) {
	if p.now == nil {
		p.takeLate()
		return nil, false
	}
	if p.now.box != nil {
		return p.awaitBox(p.now)
	}
	p.mu.Lock()
	warming := p.now.warming > 0
	p.mu.Unlock()
	if warming && !p.cfg.Wait {
		p.takeLate()
		return nil, false
	}
	limit := p.timer
	if p.cfg.Wait {
		limit = p.guard
		limit.Reset(p.cfg.patience())
	} else {
		limit.Reset(max(0, p.deadline.Sub(p.cfg.Clock.Now())))
	}
	defer limit.Stop()
	for {
		if a := p.takeLate(); a != nil {
			return a, false
		}
		if p.wasNonsense() {
			return nil, true
		}
		select {
		case <-p.got:
		case <-p.now.dead:
			a := p.takeLate() // it may have come just before
			return a, a == nil
		case <-limit.C():
			if a := p.takeLate(); a != nil {
				return a, false
			}
			if p.cfg.Wait {
				p.now.fail(errFrozen)
			}
			return nil, true
		}
	}
}

// wasNonsense reports whether the present tick's answer came and was dropped.
func (p *Policy) wasNonsense() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now.refused && p.now.refTick == p.cur.in.Tick
}

// takeLate takes what has come: the present tick's answer is returned, an older
// one becomes the standing answer.
func (p *Policy) takeLate() *answer {
	p.mu.Lock()
	a := p.fresh
	p.fresh = nil
	p.mu.Unlock()
	switch {
	case a == nil:
		return nil
	case a.Tick == p.cur.in.Tick && a.life == p.now:
		return a
	case !a.warm:
		if age := int32(p.cur.in.Tick - a.Tick); age > 0 && age <= lateTicks {
			p.standing.set(&a.Answer, &a.b.in)
		}
	}
	p.give(a)
	return nil
}

// give returns an answer to the spares.
func (p *Policy) give(a *answer) {
	p.pool.drop(a.b)
	a.b = nil
	p.mu.Lock()
	p.spare = append(p.spare, a)
	p.mu.Unlock()
}

// checkFrozen ends a life that has owed an answer for too long.
func (p *Policy) checkFrozen(now time.Time) {
	since := p.now.owed
	if p.now.box == nil {
		p.mu.Lock()
		if p.now.inflight != nil {
			since = p.now.sent
		}
		p.mu.Unlock()
	}
	frozen := !p.cfg.Wait && !since.IsZero() && now.Sub(since) > p.cfg.Frozen
	if frozen {
		p.now.fail(errFrozen)
	}
}

// send owns the sending half of a life's stream: one frame is with the plugin at
// a time, and Send may block here without anyone waiting.
func (p *Policy) send(l *policyLife) {
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
		p.mu.Lock()
		b := l.next
		l.next = nil
		if b != nil {
			l.inflight, l.sent = p.pool.hold(b), p.cfg.Clock.Now()
		}
		p.mu.Unlock()
		if b == nil {
			continue
		}
		msg.Data = b.frame
		err := l.stream.SendMsg(&msg)
		n := len(b.frame)
		p.pool.drop(b) // the answer may have come and gone by now
		if err != nil {
			l.fail(err)
			return
		}
		p.count.add(func(s *Stats) { s.sent(n) })
		select {
		case <-l.dead:
			return
		case <-l.answered:
		}
	}
}

// recv owns the receiving half: it checks every answer before anyone sees it.
func (p *Policy) recv(l *policyLife) {
	var msg basev1.Frame
	for {
		if err := l.stream.RecvMsg(&msg); err != nil {
			l.fail(err)
			break
		}
		p.mu.Lock()
		b := l.inflight
		sent := l.sent
		p.mu.Unlock()
		var err error
		if b == nil {
			err = errUnasked
		}
		p.accept(l, b, msg.Data, p.cfg.Clock.Now().Sub(sent), err)
	}
	p.mu.Lock()
	b, next := l.inflight, l.next
	l.inflight, l.next = nil, nil
	p.mu.Unlock()
	p.pool.drop(b)
	p.pool.drop(next)
}

var errUnasked = errors.New("it answered before it was asked")

// accept checks the answer to b, unless it is known to be none, and puts it where
// takeLate finds it.
func (p *Policy) accept(l *policyLife, b *batch, frame []byte, trip time.Duration, err error) {
	a := p.blank()
	if err == nil {
		err = codec.DecodeAnswer(frame, &b.in, &a.Answer)
	}
	a.b, a.life, a.warm = b, l, false
	if err != nil {
		p.nonsense(l, a, err)
		return
	}
	p.count.trip(trip, len(frame))
	p.mu.Lock()
	l.inflight, l.junk = nil, 0
	if l.warming > 0 {
		l.warming--
		a.warm = true
	}
	old := p.fresh
	p.fresh = a
	p.mu.Unlock()
	if old != nil {
		p.give(old)
	}
	signal(l.answered)
	signal(p.got)
}

// blank returns an answer that nobody uses.
func (p *Policy) blank() *answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.spare)
	if n == 0 {
		return &answer{}
	}
	a := p.spare[n-1]
	p.spare = p.spare[:n-1]
	return a
}

// nonsense drops an answer as a whole. Three in a row and the plugin is off.
func (p *Policy) nonsense(l *policyLife, a *answer, why error) {
	p.count.add(func(s *Stats) { s.Nonsense++ })
	p.mu.Lock()
	l.inflight = nil
	l.junk++
	n := l.junk
	if a.b != nil {
		l.refused, l.refTick = true, a.b.in.Tick
	}
	p.mu.Unlock()
	p.sup.s.log.Warn("policy answered nonsense", "why", why.Error(), "in_a_row", n)
	asked := a.b != nil
	p.give(a)
	if n >= junkLimit {
		p.sup.turnOff(l.life, fmt.Errorf("three answers in a row were nonsense, the last: %w", why))
	}
	if asked {
		signal(l.answered)
		signal(p.got)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Restart starts a plugin that is off, or resting between two lives, now.
func (p *Policy) Restart() { p.sup.restart() }

// Stats says how the plugin fares; any goroutine may call it.
func (p *Policy) Stats() Stats { return p.sup.stats(&p.count) }

// Close ends the plugin and waits for it: bye, then SIGTERM after a second, then
// SIGKILL.
func (p *Policy) Close() {
	p.sup.close()
	if p.fb != nil {
		p.fb.close()
	}
}
