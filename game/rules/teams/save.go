package teams

import (
	"errors"

	"github.com/sightline-engine/sightline/game/rules/kit"
)

// saveVersion is the first byte of what Save returns.
const saveVersion = 2

var errSaved = errors.New("teams: the saved state is damaged or of another version")

// Save returns everything that later ticks depend on, as of the last tick.
func (t *Rules) Save() []byte {
	w := &kit.Writer{B: []byte{saveVersion}}
	w.U32(t.tick)
	t.match.Save(w)
	w.Bits(t.told)
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
	t.tick = r.U32()
	t.match.Restore(r)
	r.Bits(&t.told)
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
