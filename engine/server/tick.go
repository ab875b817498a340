package server

// Step runs one tick at now, in nanoseconds on the caller's clock. This page is
// the main loop: everything that happens on a server happens in one of these
// calls, in this order.
func (s *Server) Step(now int64) {
	s.begin(now)
	s.receive(now) // 1 datagrams in; one command per player leaves its jitter buffer
	s.mark(StageReceive)
	s.applyRules() // 2 what the rules decided about the tick before
	s.mark(StageRules)
	s.simulate() // 3 movement, weapons, rewound shots, movers → events
	s.mark(StageSimulate)
	s.submit() // 4 the tick goes to the policy, without waiting
	s.mark(StageSubmit)
	s.submitRules() // 5 and to the rules
	s.mark(StageSubmitRules)
	s.meanwhile(now) // 6 work that needs no answer: scores, reliable messages, statistics
	s.mark(StageMeanwhile)
	ans := s.decide() // 7 the policy's answer, or its fallback's, behind the gate
	s.mark(StageDecide)
	s.views(ans) // 8 a View per client
	s.mark(StageViews)
	s.encode(ans, now) // 9 a snapshot from the View
	s.mark(StageEncode)
	s.send(now) // 10 out
	s.mark(StageSend)
	s.end()
}
