package host

import (
	"sync"

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

// fallback decides every batch on a goroutine of its own, so that its caches are
// warm when it is needed. When it is slower than the ticks it leaves some out, the
// newest never.
type fallback struct {
	policy vis.Policy
	pool   *pool
	wake   chan struct{} // capacity 1
	quit   chan struct{}
	over   sync.WaitGroup

	mu   sync.Mutex
	cond *sync.Cond
	next *batch
	busy bool
	out  vis.Answer // of the newest batch that was decided; stable until the next submit
	has  bool
}

func newFallback(p vis.Policy, pl *pool) *fallback {
	f := &fallback{policy: p, pool: pl, wake: make(chan struct{}, 1), quit: make(chan struct{})}
	f.cond = sync.NewCond(&f.mu)
	f.over.Add(1)
	go f.run()
	return f
}

// submit hands a batch over. With all set it first waits until the one before is
// decided, so that none is left out.
func (f *fallback) submit(b *batch, all bool) {
	f.mu.Lock()
	for all && (f.busy || f.next != nil) {
		f.cond.Wait()
	}
	f.pool.drop(f.next)
	f.next = f.pool.hold(b)
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// answer waits for the decision on the batch that was submitted last. It stays
// valid until the next submit.
func (f *fallback) answer(tick state.Tick) *vis.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.busy || f.next != nil {
		f.cond.Wait()
	}
	if !f.has || f.out.Tick != tick {
		return nil
	}
	return &f.out
}

func (f *fallback) run() {
	defer f.over.Done()
	var work vis.Answer
	for {
		select {
		case <-f.quit:
			return
		case <-f.wake:
		}
		f.mu.Lock()
		b := f.next
		f.next, f.busy = nil, b != nil
		f.mu.Unlock()
		if b == nil {
			continue
		}
		work.Reset(&b.in)
		f.policy.Decide(&b.in, &work)
		f.mu.Lock()
		f.out, work = work, f.out
		f.has, f.busy = true, false
		f.cond.Broadcast()
		f.mu.Unlock()
		f.pool.drop(b)
	}
}

func (f *fallback) close() {
	close(f.quit)
	f.over.Wait()
	f.mu.Lock()
	f.pool.drop(f.next)
	f.next = nil
	f.cond.Broadcast()
	f.mu.Unlock()
}
