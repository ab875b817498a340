package host

import (
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"sync"
	"time"

	"github.com/sightline-engine/sightline/game/vis"
)

// SwitchTicks is how many ticks in a row a policy has to answer in time before it
// takes over.
const SwitchTicks = 16

// Numbers of a change of policy while a match runs.
const (
	switchLimit = 15 * time.Second // in which it has to give them
	keepOld     = 10 * time.Second // for which the old one stands by to come back
)

// Stage decides with one policy while another may judge the same ticks beside it, to
// be watched (Shadow) or to take over (Switch). It is a vis.Decider of the server's
// goroutine; the other methods may be called from any.
//
// Whoever judges beside the one that decides is never waited for: what it says of a
// tick is taken when the next one is handed over.
type Stage struct {
	log *slog.Logger
	clk Clock

	mu    sync.Mutex
	live  *Policy
	name  string
	side  *Policy // shadow, successor, or predecessor that stands by
	role  role
	since time.Time
	row   int    // good answers in a row of the successor
	seen  Report // what the side would have done
	words []uint64
	was   vis.Answer // what was decided in the tick before
	asked bool       // side was handed it
	done  func(error)
	rec   *Recorder
	none  standing // of nobody

	// Beside any of them: a second process of the policy that decides.
	spare  *Policy
	fed    bool  // spare was handed a tick that it was not asked for yet
	answer *life // of live: the one whose answer decided last
}

// role of the policy beside the one that decides.
type role uint8

const (
	nobody role = iota
	shadow
	successor
	predecessor
)

// Report says how a policy judged the ticks that another one decided.
type Report struct {
	Name    string
	Ticks   int // compared; those without an answer in time are left out
	Missed  int
	Same    uint64 // decisions of asked pairs
	More    uint64 // that it would have sent and were withheld
	Less    uint64 // that it would have withheld and were sent
	Rays    uint64
	RaysWas uint64
	Trip    time.Duration // median round trip
	Slow    time.Duration // 99 of 100 are no longer
}

// String is one sentence for a console.
func (r Report) String() string {
	if r.Ticks == 0 {
		return fmt.Sprintf("%s has judged no tick yet, and missed %d", r.Name, r.Missed)
	}
	n := float64(r.Ticks)
	return fmt.Sprintf("%s judged %d ticks and missed %d: a tick it would have disclosed %.2f pairs that were withheld and withheld %.2f that were sent, %.1f alike; rays %.1f, decided with %.1f; answers after %v, 1 in 100 after %v",
		r.Name, r.Ticks, r.Missed, float64(r.More)/n, float64(r.Less)/n, float64(r.Same)/n, float64(r.Rays)/n, float64(r.RaysWas)/n, r.Trip, r.Slow)
}

// NewStage decides with a policy that has been started, of the name given.
func NewStage(p *Policy, name string) *Stage {
	return &Stage{live: p, name: name, log: p.cfg.Log, clk: p.cfg.Clock}
}

// Live returns the policy that decides now, and its name.
func (s *Stage) Live() (*Policy, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live, s.name
}

// errReplaced is what a Switch or Shadow ends with when another one begins.
var errReplaced = errors.New("another policy was put in its place")

// Shadow lets a policy that has been started judge every tick from now on, with
// nobody affected. It belongs to the Stage from now on; StopShadow ends it.
func (s *Stage) Shadow(p *Policy, name string) { s.put(p, name, shadow, nil) }

// Switch feeds both policies until the new one has answered SwitchTicks ticks in a
// row in time, lets it decide from the next tick on, and keeps the old one fed for
// keepOld, to come back if a tick is missed. done is told from another goroutine when
// that is over: nil, or why the old one decides.
func (s *Stage) Switch(p *Policy, name string, done func(error)) { s.put(p, name, successor, done) }

func (s *Stage) put(p *Policy, name string, r role, done func(error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dismiss(errReplaced)
	s.side, s.role, s.since, s.done = p, r, time.Time{}, done
	s.row, s.asked, s.seen = 0, false, Report{Name: name}
}

// dismiss ends whoever is beside. Under mu.
func (s *Stage) dismiss(why error) {
	if s.side == nil {
		return
	}
	go s.side.Close() // takes up to two seconds
	if s.role == predecessor {
		why = nil // the new one had taken over
	}
	if s.done != nil {
		go s.done(why)
	}
	s.side, s.role, s.done, s.asked = nil, nobody, nil, false
}

// StopShadow ends a shadow and says how it judged; false when there is none.
func (s *Stage) StopShadow() (Report, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.role != shadow {
		return Report{}, false
	}
	r := s.report()
	s.dismiss(nil)
	return r, true
}

// ShadowReport says how the shadow has judged so far; false when there is none.
func (s *Stage) ShadowReport() (Report, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.role != shadow {
		return Report{}, false
	}
	return s.report(), true
}

func (s *Stage) report() Report {
	r := s.seen
	st := s.side.Stats()
	r.Trip, r.Slow = st.P50, st.P99
	return r
}

// Record writes down what is asked and answered from now on; nil stops it. The
// Recorder that was there before is returned, for the caller to close.
func (s *Stage) Record(r *Recorder) *Recorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.rec
	s.rec = r
	return old
}

// Submit hands a tick to the policy that decides, and to the other.
func (s *Stage) Submit(in *vis.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked {
		s.judge()
	}
	s.turn()
	s.live.Submit(in)
	s.feed(in)
	if s.side != nil {
		from := &s.none // what it would have disclosed was disclosed to nobody
		if s.role == predecessor {
			from = s.live.last()
		}
		s.side.inherit(from, false)
		s.side.Submit(in)
		s.words = append(s.words[:0], in.Asked...)
		s.asked = true
	}
	if s.rec != nil {
		s.rec.asked(in)
	}
}

// Collect returns the answer to the last Submit.
func (s *Stage) Collect() *vis.Answer {
	live, _ := s.Live() // which changes on this goroutine only: others need not wait for the answer
	a := live.Collect()
	s.mu.Lock()
	defer s.mu.Unlock()
	a = s.relieve(a)
	if s.rec != nil {
		s.rec.answered(a)
	}
	if s.side != nil {
		copyAnswer(&s.was, a)
	}
	if s.role == predecessor && a.Source != vis.FromPolicy {
		s.back(fmt.Errorf("%s missed tick %d", s.name, a.Tick))
	}
	return a
}

// back lets the old policy decide again. Its answer to this tick, where it came, is
// not used: the present one is already given.
func (s *Stage) back(why error) {
	s.log.Warn("the policy before decides again", "policy", s.seen.Name, "why", why.Error())
	s.endStandby("another policy decides")
	s.side.inherit(s.live.last(), true)
	s.live, s.side = s.side, s.live
	s.name, s.seen.Name = s.seen.Name, s.name
	s.role = successor // so that done is told why
	s.dismiss(why)
}

// judge takes what the policy beside said of the tick before.
func (s *Stage) judge() {
	s.asked = false
	a := s.side.Collect()
	if a.Source != vis.FromPolicy || a.Tick != s.was.Tick || a.Viewers != s.was.Viewers || a.Subjects != s.was.Subjects {
		s.seen.Missed++
		s.row = 0
		return
	}
	s.row++
	r := &s.seen
	r.Ticks++
	r.Rays, r.RaysWas = r.Rays+uint64(a.Rays), r.RaysWas+uint64(s.was.Rays)
	for i, asked := range s.words {
		if i >= len(a.Permit) || i >= len(s.was.Permit) {
			break
		}
		x, y := a.Permit[i]&asked, s.was.Permit[i]&asked
		r.More += uint64(bits.OnesCount64(x &^ y))
		r.Less += uint64(bits.OnesCount64(y &^ x))
		r.Same += uint64(bits.OnesCount64(asked &^ (x ^ y)))
	}
}

// turn moves a change of policy on, between two ticks.
func (s *Stage) turn() {
	now := s.clk.Now()
	if s.since.IsZero() { // a server without players has no ticks
		s.since = now
	}
	switch s.role {
	case successor:
		if s.row >= SwitchTicks {
			s.log.Info("the policy changes", "from", s.name, "to", s.seen.Name, "tick_report", s.seen.String())
			s.endStandby("another policy decides")
			s.side.inherit(s.live.last(), true) // until the hand-over of this very tick
			s.live, s.side = s.side, s.live
			s.name, s.seen = s.seen.Name, Report{Name: s.name}
			s.role, s.since, s.asked = predecessor, now, false
			return
		}
		if st := s.side.Stats(); st.State == "off" || now.Sub(s.since) > switchLimit {
			why := fmt.Errorf("%s did not answer %d ticks in a row in time (it missed %d): %s goes on", s.seen.Name, SwitchTicks, s.seen.Missed, s.name)
			s.log.Warn("the policy does not change", "why", why.Error())
			s.dismiss(why)
		}
	case predecessor:
		if now.Sub(s.since) > keepOld {
			s.dismiss(nil)
		}
	}
}

// Close ends every policy of the stage.
func (s *Stage) Close() {
	s.mu.Lock()
	live, side, done, rec := s.live, s.side, s.done, s.rec
	s.side, s.role, s.done, s.rec = nil, nobody, nil, nil
	spare := s.spare
	s.spare = nil
	s.mu.Unlock()
	if spare != nil {
		spare.Close()
	}
	if side != nil {
		side.Close()
	}
	if done != nil {
		done(errReplaced)
	}
	if rec != nil {
		_, _, _ = rec.Close()
	}
	live.Close()
}

// Stats says how the policy that decides fares.
func (s *Stage) Stats() Stats {
	p, _ := s.Live()
	return p.Stats()
}
