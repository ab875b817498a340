package host

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// backoff says when the next life may begin. It is a plain value: times go in.
type backoff struct {
	failures []time.Time // of the last minute
	step     int
}

const (
	backoffWindow = time.Minute
	backoffMost   = 3 // failures in the window that are answered by a restart
	backoffMax    = 30 * time.Second
)

// next notes a failure now, of a life that lasted so long, and returns how long to
// wait, or false when enough is enough.
func (b *backoff) next(now time.Time, lasted time.Duration) (time.Duration, bool) {
	if lasted >= backoffWindow {
		b.step = 0
	}
	keep := b.failures[:0]
	for _, t := range b.failures {
		if now.Sub(t) < backoffWindow {
			keep = append(keep, t)
		}
	}
	b.failures = append(keep, now)
	if len(b.failures) > backoffMost {
		return 0, false
	}
	var d time.Duration // at once, 0.5, 1, 2 … 30 s
	if b.step > 0 {
		d = min(backoffMax, (500*time.Millisecond)<<min(b.step-1, 10))
	}
	b.step++
	return d, true
}

// phase of a supervised plugin.
type phase uint8

const (
	up       phase = iota // a life runs, or has just ended and was not noticed yet
	starting              // a life is being started: bounded
	resting               // between two lives
	off                   // until Restart
	closed
)

// supervisor keeps one plugin alive: it owns its lives and the goroutine that
// starts them.
type supervisor struct {
	s     *starter
	begin func(ctx context.Context, l *life) error // configures a life and starts its stream

	ctx    context.Context
	cancel context.CancelFunc
	again  chan struct{} // capacity 1: Restart was called
	done   chan struct{}

	mu       sync.Mutex
	cond     *sync.Cond
	phase    phase
	cur      *life
	giveUp   error // set: the next end is final
	restarts int
	outs     *output
}

func newSupervisor(s *starter, begin func(context.Context, *life) error) *supervisor {
	v := &supervisor{s: s, begin: begin, again: make(chan struct{}, 1), done: make(chan struct{})}
	v.cond = sync.NewCond(&v.mu)
	v.ctx, v.cancel = context.WithCancel(context.Background())
	s.out = func(o *output) {
		v.mu.Lock()
		v.outs = o
		v.mu.Unlock()
	}
	return v
}

// first starts the first life, whose failure is the caller's to report.
func (v *supervisor) first(ctx context.Context) error {
	l, err := v.launch(ctx)
	if err != nil {
		v.cancel()
		_ = os.RemoveAll(v.s.dir)
		return err
	}
	v.cur = l
	go v.run()
	return nil
}

// launch starts and configures one life within startLimit.
func (v *supervisor) launch(ctx context.Context) (*life, error) {
	ctx, cancel := context.WithTimeout(ctx, v.s.cfg.StartLimit+time.Second)
	defer cancel()
	l, err := v.s.start(ctx)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, l.proc.kill)
	defer stop()
	if err := v.begin(ctx, l); err != nil {
		err = v.s.diagnose(l, err)
		l.end(false)
		return nil, err
	}
	if v.s.cfg.MemoryMB > 0 {
		l.done.Add(1)
		go func() { defer l.done.Done(); l.watchMemory(v.s.cfg.MemoryMB) }()
	}
	v.s.log.Info("plugin started", "pid", l.proc.pid(), "version", l.info.Version)
	v.s.cfg.Notify(Notice{Plugin: v.s.name, What: Started, PID: l.proc.pid()})
	return l, nil
}

// life returns the present life when it is alive.
func (v *supervisor) life() *life {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.phase != up || v.cur.isDead() {
		return nil
	}
	return v.cur
}

// settle waits while a life is being started or has ended unnoticed, and returns
// the present life when there is one. Bounded by the start limit.
func (v *supervisor) settle() *life {
	v.mu.Lock()
	defer v.mu.Unlock()
	for v.phase == starting || v.phase == up && v.cur.isDead() {
		v.cond.Wait()
	}
	if v.phase != up {
		return nil
	}
	return v.cur
}

// turnOff ends the present life and starts no other until Restart.
func (v *supervisor) turnOff(l *life, why error) {
	v.mu.Lock()
	v.giveUp = why
	v.mu.Unlock()
	l.fail(why)
}

// restart starts a plugin that is off or resting now.
func (v *supervisor) restart() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.phase != off && v.phase != resting {
		return
	}
	select {
	case v.again <- struct{}{}:
	default:
	}
}

func (v *supervisor) set(p phase, l *life) {
	v.mu.Lock()
	v.phase, v.cur = p, l
	v.cond.Broadcast()
	v.mu.Unlock()
}

// run starts a life after each that ends.
func (v *supervisor) run() {
	defer close(v.done)
	clock, log := v.s.cfg.Clock, v.s.log
	timer := clock.Timer()
	defer timer.Stop()
	var b backoff
	l, began := v.cur, clock.Now()
	for {
		var why error
		if l != nil {
			select {
			case <-v.ctx.Done():
				return
			case <-l.dead:
			}
			why = l.reason()
			l.proc.drain()
			log.Error("plugin ended", "pid", l.proc.pid(), "why", why.Error(), "stderr", l.out.tail(4))
			v.s.cfg.Notify(Notice{Plugin: v.s.name, What: Ended, PID: l.proc.pid(), Err: why})
		}
		wait, ok := b.next(clock.Now(), clock.Now().Sub(began))
		v.mu.Lock()
		if v.giveUp != nil {
			ok, v.giveUp = false, nil
		}
		v.mu.Unlock()
		switch {
		case !ok:
			v.set(off, l)
			log.Error("plugin is off until it is restarted by hand or a new match begins", "why", text(why))
			v.s.cfg.Notify(Notice{Plugin: v.s.name, What: TurnedOff, Err: why})
		case wait > 0:
			v.set(resting, l)
			timer.Reset(wait)
		default:
			v.set(starting, l)
		}
		if l != nil {
			l.end(false)
			l = nil
		}
		if !ok || wait > 0 {
			select {
			case <-v.ctx.Done():
				return
			case <-timer.C():
			case <-v.again:
				b = backoff{}
			}
			timer.Stop()
			v.set(starting, nil)
		}
		var err error
		if l, err = v.launch(v.ctx); err != nil {
			if v.ctx.Err() != nil {
				return
			}
			log.Error("plugin did not start", "why", err.Error())
			v.s.cfg.Notify(Notice{Plugin: v.s.name, What: StartFailed, Err: err})
			l, began = nil, clock.Now()
			continue
		}
		began = clock.Now()
		v.mu.Lock()
		v.restarts++
		v.phase, v.cur = up, l
		v.cond.Broadcast()
		v.mu.Unlock()
	}
}

func text(err error) string {
	if err == nil {
		return "it did not start"
	}
	return err.Error()
}

// close ends everything and waits for it.
func (v *supervisor) close() {
	v.cancel()
	<-v.done
	v.mu.Lock()
	l := v.cur
	v.phase, v.cur = closed, nil
	v.cond.Broadcast()
	v.mu.Unlock()
	if l != nil {
		l.end(true)
	}
	_ = os.RemoveAll(v.s.dir)
}

var errFrozen = errors.New("it answered nothing for too long (frozen)")
var errMisses = errors.New("it missed half of the last 64 deadlines")
