package bomb

import (
	"errors"
	"math"

	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// saveVersion is the first byte of what Save returns.
const saveVersion = 1

var errSaved = errors.New("bomb: the saved state is damaged or of another version")

// Save returns everything that later ticks depend on, as of the last tick.
func (b *Rules) Save() []byte {
	w := &kit.Writer{B: []byte{saveVersion}}
	w.Bits(b.begun, b.told, b.bomb.there)
	w.U8(uint8(b.stage))
	w.U32(b.tick)
	w.U32(b.ends)
	for _, n := range [...]int{b.round, b.wins[1], b.wins[2], b.lost[1], b.lost[2]} {
		w.U16(uint16(n))
	}
	w.U16(uint16(b.bomb.carrier))
	for k := range 3 {
		w.U32(math.Float32bits(b.bomb.pos.At(k)))
	}
	w.U16(uint16(b.work.by))
	w.U32(b.work.done)
	b.roster.Save(w)
	for id := range b.roster.Players {
		if b.roster.Players[id].Known {
			b.lives[id].Save(w)
			p := &b.purse[id]
			w.U16(uint16(p.money))
			w.U8(p.owns)
			w.Bits(p.told)
		}
	}
	return w.B
}

// restore reads what Save wrote, into rules that Start has just made.
func (b *Rules) restore(saved []byte) error {
	r := &kit.Reader{B: saved}
	r.Bad = r.U8(saveVersion) != saveVersion
	r.Bits(&b.begun, &b.told, &b.bomb.there)
	b.stage = stage(r.U8(uint8(numStages - 1)))
	b.tick, b.ends = r.U32(), r.U32()
	for _, n := range [...]*int{&b.round, &b.wins[1], &b.wins[2], &b.lost[1], &b.lost[2]} {
		*n = int(r.U16())
	}
	r.Bad = r.Bad || b.limits.overtime == 0 && b.round >= 2*b.limits.half || b.wins[1]+b.wins[2] > b.round+1
	player := func() state.ID {
		id := state.ID(r.U16())
		r.Bad = r.Bad || id != 0 && !id.IsPlayer()
		return id
	}
	b.bomb.carrier = player()
	b.bomb.pos = vec.V3{X: math.Float32frombits(r.U32()), Y: math.Float32frombits(r.U32()), Z: math.Float32frombits(r.U32())}
	b.work.by = player()
	b.work.done = r.U32()
	b.roster.Restore(r)
	for id := range b.roster.Players {
		if r.Bad || !b.roster.Players[id].Known {
			continue
		}
		b.lives[id].Restore(r)
		p := &b.purse[id]
		p.money = int32(r.U16())
		p.owns = r.U8(allThings)
		r.Bits(&p.told)
		r.Bad = r.Bad || p.money > mostMoney
	}
	if !r.Done() || !b.bomb.pos.IsFinite() {
		return errSaved
	}
	return nil
}
