package host

import "github.com/sightline-engine/sightline/game/vis"

// Standby lets a second process of the policy that decides see every tick from now on.
// When the first one ends, the second decides: the very tick in which that is noticed,
// if it answers in time. The first is started again and stands by then. The process
// belongs to the Stage from now on; it ends when another policy takes over, and may be
// replaced by calling again. It costs a policy's whole CPU time once more.
func (s *Stage) Standby(p *Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endStandby("another process stands by")
	s.spare, s.fed = p, false
}

// HasStandby reports whether a second process stands by.
func (s *Stage) HasStandby() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spare != nil
}

// endStandby ends the process that stands by, if there is one. Under mu.
func (s *Stage) endStandby(why string) {
	if s.spare == nil {
		return
	}
	s.log.Info("the standby ends", "why", why)
	go s.spare.Close() // takes up to two seconds
	s.spare, s.fed = nil, false
}

// feed hands the process that stands by the tick, after taking what it said of the
// last. Under mu.
func (s *Stage) feed(in *vis.Input) {
	if s.spare == nil {
		return
	}
	if s.fed {
		s.spare.Collect()
	}
	s.spare.inherit(s.live.last(), false) // as long as it has decided nothing yet
	s.spare.Submit(in)
	s.fed = true
}

// relieve lets the process that stands by answer and decide from now on, when the
// one that decides has ended since it decided last. Under mu.
func (s *Stage) relieve(a *vis.Answer) *vis.Answer {
	now := s.live.sup.life()
	if a.Source == vis.FromPolicy {
		s.answer = now
		return a
	}
	if s.spare == nil || !s.fed || s.answer == nil || now == s.answer {
		return a // it is only late, or nobody is there
	}
	ended := s.live.Stats()
	s.live, s.spare = s.spare, s.live
	s.fed = false
	s.answer = s.live.sup.life()
	b := s.live.Collect()
	s.log.Warn("the policy's process has ended, and the one that stood by decides",
		"policy", s.name, "tick", a.Tick, "restarts", ended.Restarts, "pid", s.live.Stats().PID, "source", b.Source.String())
	return b
}
