package host

// Settings are those that the running process says it has; none while none runs.
func (p *Policy) Settings() []Described { return p.sup.settings() }

// Settings are those that the running process says it has; none while none runs.
func (r *Rules) Settings() []Described { return r.sup.settings() }

// Settings are those of the rules that run the match; none while none do.
func (s *RulesStage) Settings() []Described {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live == nil {
		return nil
	}
	return s.live.Settings()
}

func (s *supervisor) settings() []Described {
	if l := s.life(); l != nil {
		return described(l.info).Settings
	}
	return nil
}
