package server

import (
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/vis"
)

// clouds adds the smoke of this tick to the Input and the Frame: each cloud as a
// subject of its own, and the holes as what is attached to it.
func (s *Server) clouds(w *sim.Sim) {
	in, f, tick := &s.in, &s.frame, w.Tick()
	smokes, holes := w.Smokes(), w.Holes()
	in.Smokes = append(in.Smokes, smokes...)
	in.Holes = append(in.Holes, holes...)
	for i := range smokes {
		c := &smokes[i]
		in.Subjects = append(in.Subjects, vis.BallOf(c, tick, s.cfg.TickRate))
		f.Entities = append(f.Entities, c.Entity())
		for k := range holes {
			if h := &holes[k]; h.Smoke == c.ID && scenery.HoleOpen(h, tick, 0, s.cfg.TickRate) {
				in.Subjects = append(in.Subjects, vis.HoleOf(h))
				f.Entities = append(f.Entities, h.Entity(c.Start))
			}
		}
	}
}
