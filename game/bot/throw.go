package bot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// thrower is how a bot comes to throw something.
type thrower struct {
	wait  int   // ticks until it thinks of it again
	what  uint8 // in hand, or on the way there; 0 nothing
	left  int   // ticks until it gives up
	press bool
}

// Between two thoughts of throwing something lie so many ms, up to twice as many; and a
// throw takes so many at most.
const (
	throwEveryMS = 15000
	throwMS      = 1500
	throwUp      = 14 // degrees above where it looks
)

// throw changes a command to one that raises a grenade and throws it ahead: smoke or a
// flash, whichever is owned. Without Throws it does nothing and draws no numbers.
func (b *Brain) throw(s *Senses, cmd *state.Cmd) {
	if !(b.cfg.Throws > 0) {
		return
	}
	t := &b.thrower
	p := s.Own
	if t.what == 0 {
		if t.wait--; t.wait > 0 {
			return
		}
		t.wait = b.ticks(throwEveryMS * (1 + b.rng.Float()))
		if b.rng.Float() >= b.cfg.Throws {
			return
		}
		first := uint8(tables.SmokeGrenade)
		if b.rng.Float() < 0.5 {
			first = tables.FlashGrenade
		}
		for _, w := range [2]uint8{first, tables.SmokeGrenade + tables.FlashGrenade - first} {
			if p.Owned&(1<<w) != 0 && p.Ammo[w] > 0 {
				t.what, t.left = w, b.ticks(throwMS)
				break
			}
		}
		return
	}
	if t.left--; t.left <= 0 || p.Ammo[t.what] == 0 {
		t.what = 0
		return
	}
	cmd.Weapon = t.what
	cmd.Buttons &^= state.BtnFire | state.BtnAim
	cmd.Pitch = state.AngleOf(b.pitch + throwUp)
	if p.Weapon == t.what && p.Next == 0 {
		if t.press = !t.press; t.press {
			cmd.Buttons |= state.BtnFire
		}
	}
}
