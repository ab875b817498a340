package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// tapes are the tapes of players whom somebody watches, or could begin to watch: while
// a person has no living body, everybody alive is recorded, as far as tapesBytes
// goes. Where no delay is set there are none.
type tapes struct {
	by    []*vis.Tape // by slot
	spare []*vis.Tape
	bytes int // of all, as of the last count
}

func (t *tapes) of(id state.ID) *vis.Tape {
	if id < 1 || int(id) > len(t.by) {
		return nil
	}
	return t.by[id-1]
}

// drop forgets all tapes and their memory.
func (t *tapes) drop() { *t = tapes{} }

// begin returns the tape of a slot, which it makes when there is none.
func (t *tapes) begin(slot, ticks int) *vis.Tape {
	for len(t.by) <= slot {
		t.by = append(t.by, nil)
	}
	if t.by[slot] == nil {
		if n := len(t.spare); n > 0 {
			t.by[slot], t.spare = t.spare[n-1], t.spare[:n-1]
		} else {
			t.by[slot] = vis.NewTape(ticks)
		}
	}
	return t.by[slot]
}

// end lays a slot's tape aside.
func (t *tapes) end(slot int) {
	if slot < len(t.by) && t.by[slot] != nil {
		t.by[slot].Reset()
		t.spare = append(t.spare, t.by[slot])
		t.by[slot] = nil
	}
}

// count adds up the memory of all tapes.
func (t *tapes) count() {
	t.bytes = 0
	for _, x := range t.by {
		if x != nil {
			t.bytes += x.Bytes()
		}
	}
	for _, x := range t.spare {
		t.bytes += x.Bytes()
	}
}

// tape records this tick for whoever watches, or may.
func (s *Server) tape(ans *vis.Answer) {
	late := s.lateTicks(s.cfg.Spectate.DelayS)
	wanted := false
	for i := range s.watched {
		s.watched[i] = false
	}
	for _, c := range s.conns {
		if c == nil || !c.playing() || c.row < 0 || late == 0 {
			continue
		}
		if p := s.match.sim.Player(c.id); p == nil || p.Alive() {
			continue
		}
		wanted = wanted || !c.bot
		if c.look.of != 0 && c.look.late > 0 {
			s.watched[c.look.of-1] = true
		}
	}
	if s.Tick()%state.Tick(s.cfg.TickRate) == 0 {
		if s.tapes.count(); s.tapes.bytes > tapesBytes {
			s.tapes.spare = nil
		}
	}
	for slot, c := range s.conns {
		may := wanted && s.tapes.bytes < tapesBytes
		if c == nil || !c.playing() || c.row < 0 || !s.watched[slot] && !may {
			s.tapes.end(slot)
			continue
		}
		if p := s.match.sim.Player(c.id); p == nil || !p.Alive() && !s.watched[slot] {
			s.tapes.end(slot)
			continue
		}
		s.tapes.begin(slot, int(late)+1).Record(&s.frame, &s.in, ans, c.row)
	}
}
