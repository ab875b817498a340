package scenario

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// An Onlooker compares two logs: what a server knew, a Truth for each tick, and what a
// client drew, a Glimpse for each frame. Where both are in one process they are handed
// over as they come about (Onlooker.Tick, Onlooker.Frame); where they are in different
// processes each writes its own file (TruthLog, EyeLog), and Onlooker.Compare reads them
// afterwards. Neither log is ever sent to anybody who plays.

// Truth is what a server knew in a tick.
type Truth struct {
	Tick state.Tick
	// At is when the tick was made, nanoseconds on the clock that Glimpse.Now is on.
	At     int64
	IDs    []state.ID // of players
	Bodies []state.Body
	Doors  []state.DoorState
	Pieces []state.Piece
	Smokes []state.Smoke
	Holes  []state.Hole
	// Told is what the policy was asked of players, and what is told of them behind the
	// gate, teammates among them; sorted by viewer. It may be empty: then nothing says why somebody was late.
	Told []Told
}

// Told is the answer about a player whom the policy was asked about.
type Told struct {
	Viewer, Target state.ID
	Reason         vis.Reason // Hidden: withheld
}

// Take fills t with the tick that a server has just run, except for At and Told.
func (t *Truth) Take(s *server.Server) {
	w := s.World()
	t.Tick = w.Tick()
	t.IDs, t.Bodies = t.IDs[:0], t.Bodies[:0]
	for _, id := range w.IDs() {
		e, p := w.Entity(id), w.Player(id)
		b := e.Body()
		b.Alive = p.Alive() && p.Teleports != 0
		t.IDs, t.Bodies = append(t.IDs, id), append(t.Bodies, b)
	}
	t.Doors = append(t.Doors[:0], w.Doors()...)
	t.Pieces = append(t.Pieces[:0], w.Pieces()...)
	t.Smokes = append(t.Smokes[:0], w.Smokes()...)
	t.Holes = append(t.Holes[:0], w.Holes()...)
}

// Asked fills Told with an answer; for a server's hook Decided.
func (t *Truth) Asked(in *vis.Input, ans *vis.Answer) {
	t.Told = t.Told[:0]
	if len(in.Asked) != in.Words*len(in.Viewers) || ans.Subjects != len(in.Subjects) || ans.Words != in.Words {
		return
	}
	for v := range in.Viewers {
		for w, row := range in.Asked[v*in.Words : (v+1)*in.Words] {
			for row |= ans.Permit[v*ans.Words+w]; row != 0; row &= row - 1 {
				s := w*64 + bits.TrailingZeros64(row)
				if s >= len(in.Subjects) || in.Subjects[s].Kind != state.KindPlayer || s == in.Viewers[v].Subject {
					continue
				}
				why := vis.Hidden
				if ans.Permitted(v, s) {
					why = ans.Reason[v*ans.Subjects+s]
				}
				t.Told = append(t.Told, Told{in.Viewers[v].ID, in.Subjects[s].ID, why})
			}
		}
	}
	slices.SortStableFunc(t.Told, func(a, b Told) int { return cmp.Compare(a.Viewer, b.Viewer) })
}

// of returns a player's body.
func (t *Truth) of(id state.ID) *state.Body {
	for i := range t.IDs {
		if t.IDs[i] == id {
			return &t.Bodies[i]
		}
	}
	return nil
}

// told returns what was answered about a pair, false when nobody was asked.
func (t *Truth) told(viewer, target state.ID) (vis.Reason, bool) {
	i, _ := slices.BinarySearchFunc(t.Told, viewer, func(w Told, id state.ID) int { return cmp.Compare(w.Viewer, id) })
	for ; i < len(t.Told) && t.Told[i].Viewer == viewer; i++ {
		if t.Told[i].Target == target {
			return t.Told[i].Reason, true
		}
	}
	return vis.Hidden, false
}

// Heard is a snapshot as it came to a client: the players that it holds.
type Heard struct {
	Viewer state.ID
	Now    int64 // nanoseconds
	Tick   state.Tick
	IDs    []state.ID
}

// Take fills h with a snapshot that came to a client, false when it came after a newer
// one.
func (h *Heard) Take(viewer state.ID, s *snapshot.Snapshot, now int64) bool {
	*h = Heard{Viewer: viewer, Now: now, Tick: s.Tick, IDs: h.IDs[:0]}
	for i := range s.Entities {
		if id := s.Entities[i].ID; id.IsPlayer() {
			h.IDs = append(h.IDs, id)
		}
	}
	return !s.Late
}

// Glimpse is a frame of a client that plays: its predicted eye, its clock and what it
// drew.
type Glimpse struct {
	Viewer    state.ID
	Now       int64      // nanoseconds
	Arrived   state.Tick // of the newest snapshot
	Tick      state.Tick // at which others are drawn
	Frac      uint8      // and 256ths of a tick after it
	Eye       vec.V3
	Alive     bool  // and it has come into the level
	Teleports uint8 // of its own predicted player
	Blind     uint16
	Drawn     []state.ID // living players
}

// Take fills g with what a client draws at now, false when it does not play. shown is
// scratch.
func (g *Glimpse) Take(c *client.Client, now int64, shown *[]client.Shown) bool {
	if c.State() != client.Playing {
		return false
	}
	own := c.Own()
	tick, frac := c.Shown()
	arrived, _ := c.Settled()
	*g = Glimpse{
		Viewer: c.ID(), Now: now, Arrived: arrived, Tick: tick, Frac: frac, Eye: c.Eye(),
		Alive: own.Alive() && own.Teleports != 0, Teleports: own.Teleports, Blind: own.Blind, Drawn: g.Drawn[:0],
	}
	*shown = c.Others((*shown)[:0])
	for i := range *shown {
		if s := &(*shown)[i]; s.Kind == state.KindPlayer && s.Pose&state.PoseDead == 0 {
			g.Drawn = append(g.Drawn, s.ID)
		}
	}
	return true
}
