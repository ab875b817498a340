package scenario

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sightline-engine/sightline/game/vis"
)

// Meter stands between a server and its policy and measures what is no work of the
// server's: the time of a policy that is linked in, the wait for one that is a process,
// and the time of the policy that stands by for it. Its fields are set before the
// server starts.
type Meter struct {
	// CPU is the time of the calling thread, and Wall that on the wall. Where the first
	// cannot be had, both are the latter, and the wait counts as work.
	CPU, Wall func() time.Time

	// Of the goroutine of the ticks; they only grow.
	linked, waited time.Duration
	fallback       atomic.Int64 // nanoseconds, of any goroutine
}

// Inline makes a Decider of a policy that is linked in; without a Meter nothing is
// measured.
func (m *Meter) Inline(p vis.Policy) vis.Decider {
	if m == nil {
		return vis.Inline(p)
	}
	return vis.Inline(&meteredPolicy{p, m})
}

// Process is a policy that is asked without being waited for until its answer is
// collected.
func (m *Meter) Process(d vis.Decider) vis.Decider { return &meteredProcess{d, m} }

// Fallback is the policy that stands by, on a goroutine of its own.
func (m *Meter) Fallback(p vis.Policy) vis.Policy { return &meteredFallback{p, m} }

type meteredPolicy struct {
	vis.Policy
	m *Meter
}

func (p *meteredPolicy) Decide(in *vis.Input, out *vis.Answer) {
	began := p.m.CPU()
	p.Policy.Decide(in, out)
	p.m.linked += p.m.CPU().Sub(began)
}

type meteredProcess struct {
	vis.Decider
	m *Meter
}

func (p *meteredProcess) Collect() *vis.Answer {
	wall, cpu := p.m.Wall(), p.m.CPU()
	ans := p.Decider.Collect()
	p.m.waited += max(p.m.Wall().Sub(wall)-p.m.CPU().Sub(cpu), 0)
	return ans
}

type meteredFallback struct {
	vis.Policy
	m *Meter
}

func (p *meteredFallback) Decide(in *vis.Input, out *vis.Answer) {
	runtime.LockOSThread() // the clock is this thread's
	defer runtime.UnlockOSThread()
	began := p.m.CPU()
	p.Policy.Decide(in, out)
	p.m.fallback.Add(int64(p.m.CPU().Sub(began)))
}
