package host

import (
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// batch is one tick's input on its way: the copy that everyone reads, and its
// frame. It goes back to the pool when the last who holds it lets go.
type batch struct {
	in    vis.Input
	frame []byte
	sent  int64 // when it was posted, on the mailbox's clock
	refs  int   // under pool.mu
}

// pool keeps batches that nobody holds.
type pool struct {
	mu   sync.Mutex
	free []*batch
}

// get returns a batch that the caller holds.
func (p *pool) get() *batch {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return &batch{refs: 1}
	}
	b := p.free[n-1]
	p.free = p.free[:n-1]
	b.refs = 1
	return b
}

func (p *pool) hold(b *batch) *batch {
	p.mu.Lock()
	b.refs++
	p.mu.Unlock()
	return b
}

func (p *pool) drop(b *batch) {
	if b == nil {
		return
	}
	p.mu.Lock()
	if b.refs--; b.refs == 0 {
		p.free = append(p.free, b)
	}
	p.mu.Unlock()
}

// copyInput makes dst equal src, reusing dst's memory.
func copyInput(dst, src *vis.Input) {
	subjects, viewers, doors, asked := dst.Subjects[:0], dst.Viewers[:0], dst.Doors[:0], dst.Asked[:0]
	pieces, smokes, holes := dst.Pieces[:0], dst.Smokes[:0], dst.Holes[:0]
	*dst = *src
	dst.Subjects = append(subjects, src.Subjects...)
	dst.Viewers = append(viewers, src.Viewers...)
	dst.Doors = append(doors, src.Doors...)
	dst.Pieces = append(pieces, src.Pieces...)
	dst.Smokes = append(smokes, src.Smokes...)
	dst.Holes = append(holes, src.Holes...)
	dst.Asked = append(asked, src.Asked...)
	dst.Standing = nil // of the plugin that is asked, if any
}

// fallback decides every batch, so that its caches are warm when it is needed: on a
// goroutine of its own, which begins when the plugin's answer is usually there and the
// tick is over with it, since on a machine of two processors it would take that time from
// both. Who needs its decision sooner makes it himself. While no plugin decides it begins
// at once. When it is slower than the ticks it leaves some out, the newest never.
//
// The goroutine sleeps until the next batch should be due: to be woken for each would be
// a system call on the ticks' thread. After some rounds without a batch it sleeps until it
// is woken.
type fallback struct {
	policy vis.Policy
	pool   *pool
	lag    time.Duration // from a submit until it begins
	every  time.Duration // between two submits, as a rule
	wake   chan struct{} // capacity 1
	quit   chan struct{}
	over   sync.WaitGroup

	mu     sync.Mutex
	cond   *sync.Cond // busy is false
	next   *batch
	at     time.Time // when next was submitted
	asleep bool      // until it is woken
	busy   bool
	work   vis.Answer // whoever is busy has it
	out    vis.Answer // of the newest batch that was decided; stable until the next submit
	has    bool
}

// idleRounds is after how many looks without a batch it sleeps until it is woken.
const idleRounds = 4

// newFallback returns one for so many ticks a second, whose decision is wanted at the
// deadline at the latest.
func newFallback(p vis.Policy, pl *pool, deadline time.Duration, tickRate int) *fallback {
	f := &fallback{
		policy: p, pool: pl, lag: deadline * 3 / 4, every: time.Second / time.Duration(tickRate),
		wake: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	f.cond = sync.NewCond(&f.mu)
	f.over.Add(1)
	go f.run()
	return f
}

// submit hands a batch over. With all set the one before is decided first, so that none
// is left out; now is for a decision that will be needed.
func (f *fallback) submit(b *batch, all, now bool) {
	f.mu.Lock()
	if all {
		f.catchUp()
	}
	f.pool.drop(f.next)
	f.next, f.at = f.pool.hold(b), time.Now()
	if now {
		f.at = f.at.Add(-f.lag)
	}
	now = now || f.asleep
	f.asleep = false
	f.mu.Unlock()
	if now {
		signal(f.wake)
	}
}

// answer returns the decision on the batch that was submitted last. It stays valid until
// the next submit.
func (f *fallback) answer(tick state.Tick) *vis.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.catchUp()
	if !f.has || f.out.Tick != tick {
		return nil
	}
	return &f.out
}

// catchUp returns when the newest batch is decided. Under f.mu.
func (f *fallback) catchUp() {
	for f.busy {
		f.cond.Wait()
	}
	if f.next != nil {
		f.decide()
	}
}

// decide decides the newest batch. Under f.mu, which it lets go of meanwhile; nobody is
// busy.
func (f *fallback) decide() {
	b := f.next
	f.next, f.busy = nil, true
	f.mu.Unlock()
	f.work.Reset(&b.in)
	f.policy.Decide(&b.in, &f.work)
	f.mu.Lock()
	f.out, f.work = f.work, f.out
	f.has, f.busy = true, false
	f.cond.Broadcast()
	f.pool.drop(b)
}

func (f *fallback) run() {
	defer f.over.Done()
	timer := time.NewTimer(f.lag)
	defer timer.Stop()
	idle := 0
	for {
		f.mu.Lock()
		left := f.lag - time.Since(f.at) // until it is to begin
		switch {
		case f.busy: // somebody else is
			left = f.lag
		case f.next == nil && left+f.every > 0: // done: what comes next is not due
			left += f.every
		case f.next == nil:
			left = f.lag
			idle++
		case left <= 0:
			idle = 0
			f.decide()
			left = f.lag + f.every - time.Since(f.at)
		}
		f.asleep = idle >= idleRounds
		asleep := f.asleep
		f.mu.Unlock()
		wait := timer.C
		if asleep {
			wait = nil
		} else {
			timer.Reset(max(left, time.Millisecond))
		}
		select {
		case <-f.quit:
			return
		case <-f.wake:
			idle = 0
		case <-wait:
		}
	}
}

func (f *fallback) close() {
	close(f.quit)
	f.over.Wait()
	f.mu.Lock()
	f.pool.drop(f.next)
	f.next = nil
	f.mu.Unlock()
}
