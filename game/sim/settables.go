package sim

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// Tables may change while a match runs, between two ticks. The next tick is the first
// of the new ones, for everything in it but what looks back:
//
//   - A rewound shot meets bodies and vehicles of the size that they had in the tick
//     that its shooter saw.
//   - The replay of a shooter who was disturbed runs each command by the tables of its
//     tick, as that player's client did.
//   - What is under way goes on as it began: a projectile keeps its speed, a reload, a
//     cooling barrel and a cloud their length, a vehicle its health, and rounds beyond a
//     smaller AmmoMax stay until they are fired.
//
// Who does not fit any more where a body has grown is moved out by movement itself,
// which clients predict.

// SetTables makes other tables hold from the next tick on. It must not be called while
// Step runs. The error says in one sentence what is wrong with them; then nothing has
// changed.
func (s *Sim) SetTables(set *tables.Set) error {
	if err := set.Validate(); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	s.cfg.Set = *set
	s.sets.Add(set, s.tick+1)
	s.allow(set)
	return nil
}

// begin takes the tables that the match begins with.
func (s *Sim) begin(set *tables.Set) {
	s.sets.Reset(set, s.tick)
	s.allow(set)
}

func (s *Sim) allow(set *tables.Set) {
	for i := range s.most {
		s.most[i] = max(s.most[i], set.Weapons[i].AmmoMax)
	}
}

// SetAt returns the tables of a tick, a recent one or one to come as far as is known.
// It is only read.
func (s *Sim) SetAt(tick state.Tick) *tables.Set { return s.sets.At(tick) }

// moveAt returns the sizes of bodies at an instant.
func (s *Sim) moveAt(t rewind.Time) *tables.Movement { return &s.sets.At(t.Tick).Movement }
