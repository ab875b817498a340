package sim

import (
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
)

// Input is one player's command for one tick.
type Input struct {
	ID  state.ID
	Cmd state.Cmd
	// Starved says that the player's own command did not arrive in time and this
	// one stands in: the client predicted another.
	Starved bool
	// Rewind256 is how far back this player saw others, in 256ths of a tick, as the
	// server judged it. The cap applies on top.
	Rewind256 uint32
	// Tracked says that Seen knows what this player's client was sent; Had is the tick
	// of the newest packet that it had when it made the command. Without it a client
	// is taken to show every tick.
	Tracked bool
	Had     state.Tick
}

// Step advances the world by one tick. Players without an input stand still and
// count as starved; of two inputs for one player the first counts.
func (s *Sim) Step(in []Input) {
	s.tick++
	s.inStep = true
	s.events = append(s.events[:0], s.queued...)
	s.queued = s.queued[:0]
	s.shots, s.pulls = s.shots[:0], s.pulls[:0]

	s.recall.left = selfPerTick
	s.take(in)
	s.moveDoors()
	s.mendWaiting()
	s.beginCars()
	for _, id := range s.ids {
		s.turn(id)
	}
	s.moveCars()
	s.pushApart()
	s.remember()
	for i := range s.pulls {
		s.shoot(&s.pulls[i])
	}
	s.flyRockets()
	s.flyGrenades()
	s.clearSmoke()
	s.returnPickups()
	s.fadeDrops()
	s.list()
	s.keepSelves()
	s.inStep = false
}

// take hands every player its command.
func (s *Sim) take(in []Input) {
	for i := range in {
		if b := &s.bodies[s.known(in[i].ID)]; b.present && !b.given {
			b.cmd, b.starved, b.rewind, b.given = in[i].Cmd, in[i].Starved, in[i].Rewind256, true
			b.tracked, b.had = in[i].Tracked, in[i].Had
		}
	}
	for _, id := range s.ids {
		b := &s.bodies[id]
		if !b.given {
			b.cmd = state.Cmd{Tick: s.tick, Yaw: b.p.Yaw, Pitch: b.p.Pitch}
			b.starved, b.rewind, b.tracked = true, 0, false
		}
		b.given = false
		if b.starved {
			b.p.Forced++
		}
	}
}

// known returns id when it is present, otherwise 0, whose body never is.
func (s *Sim) known(id state.ID) state.ID {
	if s.Present(id) {
		return id
	}
	return 0
}

// remember stores the tick in the history.
func (s *Sim) remember() {
	s.past.Begin(s.tick)
	for _, id := range s.ids {
		s.past.Put(id, rewind.SampleOf(&s.bodies[id].p))
	}
	s.past.PutDoors(s.doors)
	s.rememberCars()
	s.past.PutPieces(s.pieces.gone)
}
