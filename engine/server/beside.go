package server

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sightline-engine/sightline/game/vis"
)

// besideLeast is how many Views a tick must have for a second goroutine to help with
// them: to wake it takes as long as some ten Views.
const besideLeast = 24

// besideChunk is how many Views a goroutine takes at a time: the tick never waits for
// more than the other has begun.
const besideChunk = 2

// besideSpins is how often one goroutine looks for the other before it sleeps: the tick
// whether its Views are done, and the other whether there are some. Some 30 µs, longer
// than a chunk takes and than the gate.
const besideSpins = 1 << 15

// beside builds Views on the goroutine of the ticks and on one more, which is asleep at
// all other times. Both take from one counter, so that nothing waits for a goroutine that
// does not come to run: then the tick builds all of them itself. Only Views that depend
// on no other View are built so (vis.Maker.Build), and each is the same whoever makes it.
type beside struct {
	// Written by the tick while the other has nothing to do.
	frame *vis.Frame
	in    *vis.Input
	ans   *vis.Answer
	jobs  []*conn
	after []*conn          // whose Views come after those
	clock func() time.Time // of the other goroutine; nil: its work is not timed

	soon   atomic.Bool   // there will be jobs before long
	open   atomic.Int64  // jobs that nobody has taken, counted down; below 1: none
	undone atomic.Int64  // jobs that are not finished
	wake   chan struct{} // capacity 1; nil: there is no other goroutine
	done   chan struct{} // capacity 1: undone has become 0
	gone   chan struct{} // closed at its end
	shut   bool          // it is not started any more

	own, other vis.Maker
	// Written by the other goroutine before it says that its jobs are done.
	built  int
	took   time.Duration
	waited time.Duration // by the tick, for what the other had begun
}

// rouse wakes the other goroutine shortly before there are jobs: until it runs takes as
// long as some ten Views.
func (b *beside) rouse(views int) {
	if views < besideLeast || !b.helped() {
		return
	}
	b.soon.Store(true)
	select {
	case b.wake <- struct{}{}:
	default: // it is about to look
	}
}

// build makes the Views of the jobs. The frame is prepared.
func (b *beside) build(f *vis.Frame, in *vis.Input, ans *vis.Answer) {
	if len(b.jobs) < besideLeast || !b.helped() {
		b.soon.Store(false)
		for _, c := range b.jobs {
			b.own.Build(f, in, ans, c.row, &c.view)
		}
		return
	}
	b.frame, b.in, b.ans = f, in, ans
	select {
	case <-b.done: // of a tick before, whose end was seen without it
	default:
	}
	b.undone.Store(int64(len(b.jobs)))
	b.open.Store(int64(len(b.jobs))) // from now on they can be taken
	b.soon.Store(false)
	select {
	case b.wake <- struct{}{}:
	default: // it is about to look
	}
	for jobs := b.take(); len(jobs) > 0; jobs = b.take() {
		b.make(&b.own, jobs)
		b.undone.Add(-int64(len(jobs)))
	}
	b.join()
}

// take returns jobs that are the caller's now; none when all are taken. The jobs are not
// looked at before some of them are the caller's: the tick may be filling them anew.
func (b *beside) take() []*conn {
	to := b.open.Add(-besideChunk) + besideChunk
	if to <= 0 {
		return nil
	}
	return b.jobs[max(to-besideChunk, 0):to]
}

func (b *beside) make(m *vis.Maker, jobs []*conn) {
	for _, c := range jobs {
		m.Build(b.frame, b.in, b.ans, c.row, &c.view)
	}
}

// join waits for what the other has begun.
func (b *beside) join() {
	if b.undone.Load() == 0 {
		return
	}
	var began time.Time
	if b.clock != nil {
		began = b.clock()
	}
	for i := 0; i < besideSpins && b.undone.Load() != 0; i++ {
	}
	for b.undone.Load() != 0 {
		<-b.done
	}
	if b.clock != nil {
		b.waited += b.clock().Sub(began)
	}
}

// run is the other goroutine.
func (b *beside) run() {
	defer close(b.gone)
	for range b.wake {
		for i := 0; i < besideSpins && b.soon.Load(); i++ {
		}
		for jobs := b.take(); len(jobs) > 0; jobs = b.take() {
			b.help(jobs)
		}
	}
}

// help builds Views on the other goroutine.
func (b *beside) help(jobs []*conn) {
	var began time.Time
	if b.clock != nil {
		began = b.clock()
	}
	b.make(&b.other, jobs)
	if b.clock != nil {
		b.took += b.clock().Sub(began)
	}
	b.built += len(jobs)
	if b.undone.Add(-int64(len(jobs))) == 0 {
		select {
		case b.done <- struct{}{}:
		default:
		}
	}
}

// helped reports whether there is another goroutine, which it starts when it makes sense.
func (b *beside) helped() bool {
	if b.shut || runtime.GOMAXPROCS(0) < 2 {
		return false
	}
	if b.wake == nil {
		b.wake, b.done, b.gone = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
		go b.run()
	}
	return true
}

// close ends the other goroutine for good.
func (b *beside) close() {
	if b.wake != nil && !b.shut {
		close(b.wake)
		<-b.gone
	}
	b.shut = true
}

// MeasureBeside makes the Server time the Views that it builds on a second goroutine, and
// how long the tick waits for the last of them, with a clock that any goroutine may ask.
// It is called on the server's goroutine; without, neither is known.
func (s *Server) MeasureBeside(clock func() time.Time) { s.beside.clock = clock }

// views makes the View of each client that plays.
func (s *Server) views(ans *vis.Answer) {
	s.tape(ans)
	s.frame.Prepare(&s.in)
	jobs, after := s.beside.jobs[:0], s.beside.after[:0]
	for _, c := range s.conns {
		switch {
		case c == nil || !s.isShown(c):
		case !c.look.turn():
			s.viewLate(c, ans)
		case !s.in.Watches(c.row):
			jobs = append(jobs, c)
		case s.in.Viewers[c.row].Spectating > c.id:
			vis.Build(&s.frame, &s.in, ans, c.row, &c.view) // before the one whose ears it has
		default:
			after = append(after, c)
		}
	}
	s.beside.jobs, s.beside.after = jobs, after
	s.beside.build(&s.frame, &s.in, ans)
	for _, c := range after {
		vis.Build(&s.frame, &s.in, ans, c.row, &c.view)
	}
}
