package host

import (
	"errors"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"github.com/sightline-engine/sightline/plugins/internal/contract"
	"github.com/sightline-engine/sightline/plugins/internal/mailbox"
)

// A policy's frames go through shared memory where the system has it and the plugin
// says that it can: internal/mailbox. The stream is open beside it, for bye and for
// the end. There is no goroutine on the way: the tick posts, and the tick looks.

// firstExtra is the number that the first of a child's extra files has.
const firstExtra = 3

// postedMost is how many ticks a plugin that does not keep up may still answer.
// Older answers are of no use (lateTicks).
const postedMost = 2 * mailbox.Slots

// errGone is the end of a process that the tick saw before anyone.
var errGone = errors.New("the process has ended")

// offerBox makes shared memory for a process that is about to be started. Without it
// everything goes over the stream.
func (s *starter) offerBox(l *life, cmd *exec.Cmd) {
	if s.kind != contract.Policy || s.cfg.Stream || s.socket != "" {
		return
	}
	box, err := mailbox.New()
	if err != nil {
		s.log.Debug("frames go over the stream", "why", err.Error())
		return
	}
	l.box = box
	cmd.ExtraFiles = box.Files()
	cmd.Env = append(cmd.Env, mailbox.EnvFirst+"="+strconv.Itoa(firstExtra))
	l.proc.begun = func(pid int) {
		if err := box.Started(pid); err != nil {
			s.log.Debug("frames go over the stream", "why", err.Error())
			l.noBox = true
		}
	}
}

// mayBox reports whether the plugin is to use the box.
func (l *life) mayBox() bool {
	return l.box != nil && !l.noBox && slices.Contains(l.info.Capabilities, mailbox.Capability)
}

// settleBox is told whether the plugin uses it.
func (l *life) settleBox(used bool) {
	if l.box != nil && !(used && l.mayBox()) {
		l.box.Close()
		l.box = nil
	}
}

// post hands a tick to the plugin, after taking what has come since the last.
func (p *Policy) post(l *policyLife, b *batch, now time.Time) {
	if !l.box.Use() {
		return
	}
	defer l.box.Leave()
	p.look(l)
	p.takeLate()
	p.checkFrozen(now)
	if !l.any {
		l.first, l.any = b.in.Tick, true
	}
	if len(l.posted) == postedMost {
		p.pool.drop(l.posted[0])
		l.posted = slices.Delete(l.posted, 0, 1)
	}
	l.posted = append(l.posted, p.pool.hold(b))
	if l.owed.IsZero() {
		l.owed = now
	}
	b.sent = mailbox.Now()
	if !l.box.Put(b.frame) {
		l.fail(errors.New("its shared memory takes no frame"))
		return
	}
	p.count.add(func(s *Stats) { s.sent(len(b.frame)) })
}

// look takes the newest answer out of the box, if there is one that it has not seen.
func (p *Policy) look(l *policyLife) {
	frame, stamp, ok, err := l.box.Take(l.frame)
	l.frame = frame
	if err == nil && !ok {
		return
	}
	var h codec.Header
	if err == nil {
		h, err = codec.ReadHeader(frame)
	}
	if err != nil {
		p.refuse(l, err)
		return
	}
	at := slices.IndexFunc(l.posted, func(b *batch) bool { return b.in.Tick == h.Tick })
	if at < 0 {
		if l.isForgotten(h.Tick) { // it is slow, and owes the others from now on
			l.owed = p.cfg.Clock.Now()
			return
		}
		p.refuse(l, errUnasked)
		return
	}
	b := l.posted[at]
	for _, old := range l.posted[:at] {
		p.pool.drop(old)
	}
	l.posted = slices.Delete(l.posted, 0, at+1)
	if l.owed = (time.Time{}); len(l.posted) > 0 {
		l.owed = p.cfg.Clock.Now()
	}
	// The plugin's word on when it answered is not taken beyond what can be.
	trip := time.Duration(min(max(stamp, b.sent), mailbox.Now()) - b.sent)
	p.accept(l, b, frame, trip, nil)
}

// refuse drops what came as nonsense: the answer to the newest tick, for all that can
// be known. A good one may still come.
func (p *Policy) refuse(l *policyLife, why error) {
	var b *batch
	if n := len(l.posted); n > 0 {
		b = p.pool.hold(l.posted[n-1])
	}
	p.accept(l, b, nil, 0, why)
}

// isForgotten reports whether a tick was posted, and is kept no longer.
func (l *policyLife) isForgotten(t state.Tick) bool {
	return l.any && len(l.posted) > 0 && int32(t-l.first) >= 0 && int32(t-l.posted[0].in.Tick) < 0
}

// awaitBox is await through shared memory: answer, end and deadline are waited for in
// one call. On a clock that is not the system's it looks at that clock every
// millisecond.
func (p *Policy) awaitBox(l *policyLife) (a *answer, missed bool) {
	if !l.box.Use() {
		p.takeLate()
		return nil, true
	}
	defer l.box.Leave()
	p.mu.Lock()
	warming := l.warming > 0
	p.mu.Unlock()
	if warming && !p.cfg.Wait {
		p.look(l)
		p.takeLate()
		return nil, false
	}
	_, system := p.cfg.Clock.(wallClock)
	until := p.deadline
	switch {
	case p.cfg.Wait:
		until = time.Now().Add(waitLimit)
	case !system:
		p.timer.Reset(max(0, p.deadline.Sub(p.cfg.Clock.Now())))
		defer p.timer.Stop()
	}
	for {
		p.look(l)
		if a := p.takeLate(); a != nil {
			return a, false
		}
		if p.wasNonsense() || l.isDead() {
			return nil, true
		}
		left := time.Millisecond
		if p.cfg.Wait || system {
			left = time.Until(until)
		} else if isDue(p.timer) {
			left = 0
		}
		if left <= 0 {
			if p.cfg.Wait {
				l.fail(errFrozen)
			}
			return nil, true
		}
		if l.box.Wait(left) == mailbox.Gone {
			l.fail(errGone)
			p.look(l) // it may have answered just before
			a := p.takeLate()
			return a, a == nil
		}
	}
}

func isDue(t Timer) bool {
	select {
	case <-t.C():
		return true
	default:
		return false
	}
}
