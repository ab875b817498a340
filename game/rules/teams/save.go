package teams

import (
	"errors"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
)

// saveVersion is the first byte of what Save returns.
const saveVersion = 1

var errSaved = errors.New("teams: the saved state is damaged or of another version")

// Save returns everything that later ticks depend on, as of the last tick.
func (t *Rules) Save() []byte {
	w := &kit.Writer{B: []byte{saveVersion}}
	w.Bits(t.begun, t.timed, t.told)
	w.U8(uint8(t.phase))
	w.U32(t.tick)
	w.U32(t.ends)
	w.U32(uint32(t.points[1]))
	w.U32(uint32(t.points[2]))
	t.roster.Save(w)
	for id := range t.roster.Players {
		if t.roster.Players[id].Known {
			t.lives[id].Save(w)
		}
	}
	return w.B
}

// restore reads what Save wrote, into rules that Start has just made.
func (t *Rules) restore(b []byte) error {
	r := &kit.Reader{B: b}
	r.Bad = r.U8(saveVersion) != saveVersion
	r.Bits(&t.begun, &t.timed, &t.told)
	t.phase = rules.Phase(r.U8(uint8(rules.Over)))
	t.tick, t.ends = r.U32(), r.U32()
	t.points = [3]int32{0, int32(r.U32()), int32(r.U32())}
	t.roster.Restore(r)
	for id := range t.roster.Players {
		if t.roster.Players[id].Known {
			t.lives[id].Restore(r)
		}
	}
	if !r.Done() {
		return errSaved
	}
	return nil
}
