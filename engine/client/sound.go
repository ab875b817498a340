package client

import (
	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// Sound is an event as it can be played: what the presentation mixes. It is made of
// what the client was told and of nothing else; of whom the client is not sent the
// place is as rough as it was told.
type Sound struct {
	Kind   state.EventKind
	Weapon uint8
	Actor  state.ID // 0: not told whose
	Pos    vec.V3
	Own    bool // of the own player
	// Unseen says that its source is not among the players whom the client knows.
	Unseen bool
	// Quiet says that a shot left through a suppressor.
	Quiet bool
	// Volume is 1 at the ear and 0 at the end of the earshot, falling with the square.
	Volume float32
	// Left is where it comes from, -1 right to 1 left of where the own player looks, level.
	Left float32
}

// Sound returns what an event sounds like at the ears of the own player, and false for
// one that makes no sound or is out of earshot. It is for Config.Event.
func (c *Client) Sound(e *state.Event) (Sound, bool) {
	if c.state != Playing {
		return Sound{}, false
	}
	p := c.Own()
	known := e.Actor != 0 && (e.Actor == c.welcome.ID || c.tracks[trackIndex(e.Actor)] != nil && c.tracks[trackIndex(e.Actor)].here())
	if e.Kind != state.EvFire || !known {
		return soundAt(&hear.Rules{Set: &c.set, TickRate: c.TickRate()}, e, c.welcome.ID, known, c.Eye(), p.Yaw.Deg())
	}
	q := *e // of whom it knows, it sees what is on the muzzle
	if q.Muffled = e.Actor == c.welcome.ID && weapon.Suppressed(p, e.Weapon, &c.set); e.Actor != c.welcome.ID {
		_, q.Muffled = c.tracks[trackIndex(e.Actor)].newest().Arm()
	}
	return soundAt(&hear.Rules{Set: &c.set, TickRate: c.TickRate()}, &q, c.welcome.ID, known, c.Eye(), p.Yaw.Deg())
}

// quietVolume is how loud the own shot is through a suppressor, beside one without.
const quietVolume = 0.4

// soundAt is Sound for ears at a place that look along yaw.
func soundAt(r *hear.Rules, e *state.Event, own state.ID, known bool, at vec.V3, yaw float32) (Sound, bool) {
	s := Sound{Kind: e.Kind, Weapon: e.Weapon, Actor: e.Actor, Pos: e.Pos, Own: e.Actor != 0 && e.Actor == own, Unseen: !known}
	q := *e
	s.Quiet = e.Kind == state.EvFire && (e.Muffled || !known && e.Param == state.Quiet)
	q.Muffled = s.Quiet
	if e.Kind == state.EvFire && int(e.Weapon) < len(r.Set.Weapons) && r.Set.Weapons[e.Weapon].Suppressor {
		s.Quiet = true
	}
	far := r.Earshot(&q)
	if !(far > 0) || !e.Pos.IsFinite() {
		return Sound{}, false
	}
	if s.Own {
		s.Volume = 1
		if s.Quiet {
			s.Volume = quietVolume
		}
		return s, true
	}
	to := e.Pos.Sub(at)
	d := to.Len()
	// What is told is rough: a sound at the edge of its earshot may seem to be beyond it.
	near := max(1-d/far, 0.02)
	if d > far+hear.Error(far) {
		return Sound{}, false
	}
	s.Volume = float32(near * near)
	if flat := to.Len2(); flat > 0.01 {
		sin, cos := vec.SinCos(yaw)
		s.Left = vec.Clamp((float32(to.Y*cos)-float32(to.X*sin))/flat, -1, 1)
	}
	return s, true
}
