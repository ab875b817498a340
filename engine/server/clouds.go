package server

import (
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
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

// Smoke begins a cloud of the smoke grenade's at a place, for whoever runs the server,
// and reports whether there was room for one. It belongs to the server's goroutine.
func (s *Server) Smoke(at vec.V3) bool { return s.match.sim.Smoke(at, 0, tables.SmokeGrenade) != 0 }

// Flash blinds whoever has a place in view, as a flash grenade does.
func (s *Server) Flash(at vec.V3) { s.match.sim.Flash(at, 0, tables.FlashGrenade) }

// Blast blows a hole into the clouds at a place, as a rocket does.
func (s *Server) Blast(at vec.V3) {
	s.match.sim.Blast(at, s.match.Tables.Weapons[tables.Rocket].HoleRadius)
}
