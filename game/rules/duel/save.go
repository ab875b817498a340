package duel

import (
	"errors"

	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
)

// saveVersion is the first byte of what Save returns.
const saveVersion = 3

var errSaved = errors.New("duel: the saved state is damaged or of another version")

// Save returns everything that later ticks depend on, as of the last tick.
func (d *Rules) Save() []byte {
	w := &kit.Writer{B: []byte{saveVersion}}
	w.U32(d.tick)
	d.match.Save(w)
	for id := range d.players {
		p := &d.players[id]
		if !p.known {
			continue
		}
		w.U16(uint16(id))
		w.Bits(p.bot, p.told)
		for _, v := range [...]uint16{uint16(p.kills), uint16(p.deaths), uint16(p.points)} {
			w.U16(v)
		}
		p.Life.Save(w)
		w.Text(p.name)
	}
	return w.B
}

// restore reads what Save wrote, into rules that Start has just made.
func (d *Rules) restore(b []byte) error {
	r := &kit.Reader{B: b}
	r.Bad = r.U8(saveVersion) != saveVersion
	d.tick = r.U32()
	d.match.Restore(r)
	for last := state.ID(0); !r.Bad && len(r.B) > 0; {
		last = r.ID(last)
		p := &d.players[last]
		p.known = true
		r.Bits(&p.bot, &p.told)
		p.kills, p.deaths, p.points = int16(r.U16()), int16(r.U16()), int16(r.U16())
		p.Life.Restore(r)
		p.name = r.Text(state.MaxName)
	}
	if !r.Done() {
		return errSaved
	}
	return nil
}
