package host

import "time"

// Clock is where every deadline but those of starting and stopping a process
// comes from.
type Clock interface {
	Now() time.Time
	// Timer returns a timer that is not running.
	Timer() Timer
}

// Timer is a timer that can be set again. Its channel holds at most one firing,
// and none from before the last Reset or Stop.
type Timer interface {
	C() <-chan time.Time
	Reset(d time.Duration)
	Stop()
}

// WallClock returns the system's clock.
func WallClock() Clock { return wallClock{} }

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Timer() Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return wallTimer{t}
}

type wallTimer struct{ t *time.Timer }

func (w wallTimer) C() <-chan time.Time   { return w.t.C }
func (w wallTimer) Reset(d time.Duration) { w.t.Reset(d) }
func (w wallTimer) Stop()                 { w.t.Stop() }
