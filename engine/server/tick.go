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
	s.submit() // 4 the tick goes to rules and policy, without waiting
	s.mark(StageSubmit)
	s.meanwhile(now) // 5 work that needs no answer: scores, reliable messages, statistics
	s.mark(StageMeanwhile)
	ans := s.decide() // 6 the policy's answer, or its fallback's, behind the gate
	s.mark(StageDecide)
	s.encode(ans, now) // 7 a View per client, a snapshot from the View
	s.mark(StageEncode)
	s.send(now) // 8 out
	s.mark(StageSend)
	s.end()
}
