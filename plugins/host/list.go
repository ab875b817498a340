package host

// Process is one of the processes of a Stage or a RulesStage, and what it is for.
type Process struct {
	Does string // "decides", "judges beside", "takes over", "can be gone back to", "stands by"
	Stats
}

// Processes lists the policies, the one that decides first; any goroutine may call it.
func (s *Stage) Processes() []Process {
	s.mu.Lock()
	live, side, spare, r := s.live, s.side, s.spare, s.role
	s.mu.Unlock()
	list := []Process{{"decides", live.Stats()}}
	if side != nil {
		list = append(list, Process{[...]string{"", "judges beside", "takes over", "can be gone back to"}[r], side.Stats()})
	}
	if spare != nil {
		list = append(list, Process{"stands by", spare.Stats()})
	}
	return list
}

// Processes lists the rules, for a list of all plugins.
func (s *RulesStage) Processes() []Process { return []Process{{"decides", s.Stats()}} }

// Coming names the rules that take over at the end of the round, "" when the present ones
// stay; any goroutine may call it.
func (s *RulesStage) Coming() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.swap == nil {
		return ""
	}
	return name(&s.swap.cfg)
}
