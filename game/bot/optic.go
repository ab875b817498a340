package bot

import (
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// Through an optic bots look at who is beyond glassM metres, and now and then, when
// nobody is in sight, at what is in front of them.
const (
	glassM   = 45
	glassMS  = 1600
	unseenMS = 5000
)

// looks decides whether the bot looks through its optic in this tick.
func (b *Brain) looks(s *Senses, enemy *Other) bool {
	o := &b.cfg.Tables.Optics[weapon.OpticOf(s.Own, b.cfg.Tables)]
	if !o.Magnifies() || s.Own.Weapon == tables.NoWeapon {
		b.glass = 0
		return false
	}
	if enemy != nil {
		b.glass, b.unglass = 0, b.ticks(unseenMS)
		d := enemy.Pos.Dist(s.Own.Pos)
		return d > glassM || d > glassM*0.8 && s.Own.Raise > 0
	}
	if b.glass > 0 {
		b.glass--
		return true
	}
	if b.unglass--; b.unglass < 0 {
		b.glass = b.ticks(glassMS)
		b.unglass = b.glass + b.ticks(unseenMS*(0.5+b.rng.Float()))
	}
	return false
}

// turnRate is how fast the bot turns, degrees per second: no faster than the optic at
// its eye.
func (b *Brain) turnRate(s *Senses, free float32) float32 {
	if s.Own.Raise == 0 {
		return free
	}
	if o := &b.cfg.Tables.Optics[weapon.OpticOf(s.Own, b.cfg.Tables)]; o.TurnDPS > 0 {
		return vec.Lerp(free, min(free, o.TurnDPS), float32(s.Own.Raise)/255)
	}
	return free
}
