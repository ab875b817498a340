package server

import (
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Spectate is what those may see who have no living body.
type Spectate struct {
	// DelayS is how late somebody is told of what a watched player knows, in seconds, 0
	// to MaxDelayS: sounds, events and doors included.
	DelayS float64
	// MatesLive lets a player watch a living teammate without the delay.
	MatesLive bool
	// Free makes everybody who looks on an observer: see Server.Observer.
	Free bool
}

// MaxDelayS bounds Spectate.DelayS; freeDelayS is the least delay of an observer.
const (
	MaxDelayS  = 30
	freeDelayS = 1
)

// tapesBytes is how much memory tapes of players may take whom nobody watches yet.
// Those who are watched are recorded in any case: one tape for each who watches, of
// about 2 KiB a tick, 400 KiB for 3 s at 64 Hz.
const tapesBytes = 32 << 20

// watch is what a client without a body looks at.
type watch struct {
	of       state.ID   // the player chosen, 0 nobody
	late     state.Tick // how late it is told, in this tick
	camera   bool       // flies free, in this tick
	observer bool       // may fly free
	tape     *vis.Tape  // of its own camera
	was      looked     // in the last tick that it was shown
	before   looked     // and in the one before that
}

// looked is what makes a picture another one.
type looked struct {
	of     state.ID
	late   state.Tick
	camera bool
}

// SetSpectate changes what spectators may see. It is called on the server's goroutine.
func (s *Server) SetSpectate(sp Spectate) {
	sp.DelayS = min(max(sp.DelayS, 0), MaxDelayS)
	if sp.DelayS != s.cfg.Spectate.DelayS {
		s.tapes.drop()
		for _, c := range s.conns {
			if c != nil {
				c.look.tape = nil
			}
		}
	}
	s.cfg.Spectate = sp
}

// SetTeams changes how teammates stand to each other, from the next tick on and in the
// levels to come.
func (s *Server) SetTeams(t sim.Teams) {
	s.cfg.Teams = t
	s.match.sim.SetTeams(t)
}

// Observer grants the player of a name the free camera, or takes it away: who looks on
// with it is told what the policy permits at the place where the camera is, late. It
// reports whether there is such a player.
func (s *Server) Observer(name string, on bool) bool {
	for _, c := range s.conns {
		if c != nil && c.joined && c.name == name {
			c.look.observer = on
			s.log.Info("free camera", "player", c.name, "granted", on)
			return true
		}
	}
	return false
}

// lateTicks returns a delay in ticks.
func (s *Server) lateTicks(seconds float64) state.Tick {
	return state.Tick(seconds*float64(s.cfg.TickRate) + 0.5)
}

// aim decides what a client looks at in this tick. Who has a living body looks at
// nothing else, and forgets whom it watched.
func (s *Server) aim(c *conn) {
	l, w := &c.look, s.match.sim
	l.late, l.camera = 0, false
	p := w.Player(c.id)
	switch {
	case p == nil || p.Alive():
		l.of = 0
		return
	case l.of != 0 && !s.playing(l.of):
		l.of = 0
	}
	switch {
	case l.of != 0:
		if !s.cfg.Spectate.MatesLive || !w.Mates(c.id, l.of) {
			l.late = s.lateTicks(s.cfg.Spectate.DelayS)
		}
	case p.Flags&state.Spectating != 0 && (l.observer || s.cfg.Spectate.Free):
		l.camera = true
		l.late = s.lateTicks(max(s.cfg.Spectate.DelayS, freeDelayS))
	}
}

// playing reports whether a player is there to be watched.
func (s *Server) playing(id state.ID) bool {
	c := s.byID(id)
	return c != nil && c.playing() && s.match.sim.Present(id)
}

// sees puts what a client looks at into its row of the policy's Input and of the Frame.
// Who looks late is no viewer of this tick at all, so that nothing of it can get to it:
// what it is told comes from a tape. A camera is a viewer, for its own tape.
func (s *Server) sees(c *conn, v *vis.Viewer, own *vis.Own) {
	l := &c.look
	own.Watching, own.Delay = l.of, uint16(l.late)
	if o := s.byID(l.of); o != nil {
		v.RenderMS, own.Interp = o.interpMS(s.cfg.TickRate), o.interp
	}
	switch {
	case l.camera && v.Subject >= 0:
		sub := &s.in.Subjects[v.Subject]
		sub.Kind, sub.Alive, sub.Team = state.KindCamera, true, 0
	case l.late > 0:
		v.Subject = -1
	default:
		v.Spectating = l.of
	}
}

// turn takes what a client looks at in this tick, and reports whether it is told of this
// tick itself: otherwise of an earlier one, by viewLate.
func (l *watch) turn() bool {
	l.before, l.was = l.was, looked{l.of, l.late, l.camera}
	return l.late == 0 && (l.before.late == 0 || l.before == l.was)
}

// viewLate makes out what a client is told that looks late.
func (s *Server) viewLate(c *conn, ans *vis.Answer) {
	l := &c.look
	own := &s.frame.Own[c.row]
	if l.before != l.was {
		// Another place, or another time: nobody glides from the one to the other.
		l.tape = nil
		vis.Blank(s.Tick(), own, &c.view)
		return
	}
	tape := s.tapes.of(l.of)
	if l.camera {
		if l.tape == nil {
			l.tape = vis.NewTape(int(l.late) + 1)
		}
		l.tape.Record(&s.frame, &s.in, ans, c.row)
		tape = l.tape
	}
	if tape == nil {
		vis.Blank(s.Tick(), own, &c.view)
		return
	}
	tape.Replay(s.Tick()-l.late, s.Tick(), own, &c.view)
}
