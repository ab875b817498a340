package duel

import (
	"encoding/binary"
	"errors"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// saveVersion is the first byte of what Save returns.
const saveVersion = 1

var errSaved = errors.New("duel: the saved state is damaged or of another version")

// Save returns everything that later ticks depend on, as of the last tick.
func (d *Rules) Save() []byte {
	b := []byte{saveVersion, bits(d.begun, d.timed), byte(d.phase)}
	le := binary.LittleEndian
	b = le.AppendUint32(b, d.tick)
	b = le.AppendUint32(b, d.ends)
	for id := range d.players {
		p := &d.players[id]
		if !p.known {
			continue
		}
		b = le.AppendUint16(b, uint16(id))
		b = append(b, bits(p.bot, p.wants, p.asked, p.guarded, p.entered, p.told))
		for _, v := range [...]uint16{uint16(p.kills), uint16(p.deaths), uint16(p.points), uint16(p.held)} {
			b = le.AppendUint16(b, v)
		}
		b = le.AppendUint32(b, p.askedAt)
		b = le.AppendUint32(b, p.guardEnds)
		b = append(b, byte(len(p.name)))
		b = append(b, p.name...)
	}
	return b
}

func bits(flags ...bool) (b byte) {
	for i, f := range flags {
		if f {
			b |= 1 << i
		}
	}
	return b
}

const (
	headSize   = 3 + 4 + 4
	playerSize = 2 + 1 + 4*2 + 4 + 4 + 1
)

// restore reads what Save wrote, into rules that Start has just made.
func (d *Rules) restore(b []byte) error {
	le := binary.LittleEndian
	if len(b) < headSize || b[0] != saveVersion || b[1] > 3 || rules.Phase(b[2]) > rules.Over {
		return errSaved
	}
	d.begun, d.timed, d.phase = b[1]&1 != 0, b[1]&2 != 0, rules.Phase(b[2])
	d.tick, d.ends = le.Uint32(b[3:]), le.Uint32(b[7:])
	last := 0
	for b = b[headSize:]; len(b) > 0; {
		if len(b) < playerSize {
			return errSaved
		}
		id, f, name := int(le.Uint16(b)), b[2], int(b[playerSize-1])
		if id <= last || id > state.MaxPlayers || f > 63 || name > state.MaxName || len(b) < playerSize+name ||
			!utf8.Valid(b[playerSize:playerSize+name]) {
			return errSaved
		}
		last = id
		word := func(i int) uint16 { return le.Uint16(b[3+2*i:]) }
		d.players[id] = player{
			known: true, bot: f&1 != 0, wants: f&2 != 0, asked: f&4 != 0, guarded: f&8 != 0, entered: f&16 != 0, told: f&32 != 0,
			kills: int16(word(0)), deaths: int16(word(1)), points: int16(word(2)), held: state.Buttons(word(3)),
			askedAt: le.Uint32(b[11:]), guardEnds: le.Uint32(b[15:]),
			name: string(b[playerSize : playerSize+name]),
		}
		b = b[playerSize+name:]
	}
	return nil
}
