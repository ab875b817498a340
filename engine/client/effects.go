package client

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// Key names an effect of the own player: the command that makes it, its kind and
// which one of the kind it is; for a shot and what it strikes that is the shot's
// number. An effect is shown when it is first predicted. It is not shown again when
// the server tells of it or when the command is predicted anew, and it is cancelled
// when the command turns out not to make it.
type Key struct {
	Tick state.Tick
	Kind state.EventKind
	N    uint8
}

// fxLen is how many effects are remembered: some seconds of steady fire.
const fxLen = 128

// fx is an effect that was shown.
type fx struct {
	key       Key
	live      bool
	confirmed bool // the server has told of it
	kept      bool // predicted again in the present replay
}

// effects remembers what was shown of the own player.
type effects struct {
	ring   [fxLen]fx
	n      int
	now    Key         // of the event that is being passed on
	replay bool        // commands are run again
	event  state.Event // memory of what is passed on
	made   [state.NumEvents]uint8
	tick   state.Tick // that made is of
}

// numbered reports whether the effects of a kind go by the number of the shot.
func numbered(k state.EventKind) bool { return k == state.EvFire || k == state.EvImpact }

// shotTicks is how far apart the ticks of one shot may be on client and server:
// shots of the same number that are further apart are two.
const shotTicks = 64

// find returns an effect that was shown; of a shot's whichever command made it.
func (f *effects) find(k Key) *fx {
	for i := range f.ring {
		e := &f.ring[i]
		if !e.live || e.key.Kind != k.Kind || e.key.N != k.N {
			continue
		}
		if d := int32(e.key.Tick - k.Tick); d == 0 || numbered(k.Kind) && d > -shotTicks && d < shotTicks {
			return e
		}
	}
	return nil
}

// unconfirmed returns an effect of a tick and kind that the server has not told of.
func (f *effects) unconfirmed(tick state.Tick, k state.EventKind) *fx {
	for i := range f.ring {
		if e := &f.ring[i]; e.live && !e.confirmed && e.key.Kind == k && e.key.Tick == tick {
			return e
		}
	}
	return nil
}

// show passes on a predicted event, unless it has been shown already.
func (c *Client) show(e *state.Event, tick state.Tick, shot uint8) {
	f := &c.fx
	if tick != f.tick {
		f.tick, f.made = tick, [state.NumEvents]uint8{}
	}
	k := Key{tick, e.Kind, f.made[e.Kind]}
	f.made[e.Kind]++
	if numbered(e.Kind) {
		k.N = shot
	}
	if old := f.find(k); old != nil {
		old.key, old.kept = k, true
		return
	}
	f.ring[f.n%fxLen] = fx{key: k, live: true, kept: true}
	f.n++
	f.now = k
	c.cfg.Event(e, true)
	f.now = Key{}
}

// Key returns the key of the predicted event that Config.Event is being told of.
func (c *Client) Key() Key { return c.fx.now }

// cancel takes an effect back.
func (c *Client) cancel(e *fx) {
	e.live = false
	if c.cfg.Cancel != nil {
		c.cfg.Cancel(e.key)
	}
}

// doubt begins a replay after the server's state of a tick: what the commands after
// it made, and shots that the server has not fired, must show up again or are
// cancelled.
func (f *effects) doubt(tick state.Tick, auth *state.Player) {
	f.replay = true
	for i := range f.ring {
		e := &f.ring[i]
		e.kept = int32(e.key.Tick-tick) <= 0
		if numbered(e.key.Kind) && int8(auth.ShotSeq-e.key.N) < 0 {
			e.kept = false
		}
	}
}

// settle ends the replay.
func (c *Client) settle() {
	c.fx.replay = false
	for i := range c.fx.ring {
		if e := &c.fx.ring[i]; e.live && !e.kept && !e.confirmed {
			c.cancel(e)
		}
	}
}

// shown reports whether an event that the server tells of in a tick has been shown
// already, as a prediction.
func (c *Client) shown(e *state.Event, tick state.Tick) bool {
	if e.Actor != c.welcome.ID {
		return false
	}
	f := &c.fx
	switch e.Kind {
	case state.EvFire:
		if old := f.find(Key{tick, e.Kind, uint8(e.Param)}); old != nil {
			old.confirmed = true
			return true
		}
	case state.EvImpact, state.EvJump, state.EvLand, state.EvFootstep, state.EvPad, state.EvSwitch, state.EvDryFire, state.EvReload:
		if old := f.unconfirmed(tick, e.Kind); old != nil {
			old.confirmed = true
			return true
		}
	case state.EvHit:
		// The bullet stopped in a body: it has not struck what is behind.
		if old := f.unconfirmed(tick, state.EvImpact); old != nil {
			c.cancel(old)
		}
	}
	return false
}

// effects passes on what a predicted command did, at once.
func (c *Client) effects(p *state.Player, tick state.Tick, before vec.V3, out pmove.Out, shot weapon.Out) {
	if shot.Fired && !c.fx.replay {
		c.stats.Fired++
	}
	if c.cfg.Event == nil {
		return
	}
	if out.Jumped {
		c.say(p, tick, state.EvJump, 0)
	}
	if out.Landed {
		c.say(p, tick, state.EvLand, int32(out.LandSpeed*8))
	}
	if out.Footstep {
		c.say(p, tick, state.EvFootstep, 0)
	}
	if out.Pad {
		c.say(p, tick, state.EvPad, int32(out.Index))
	}
	if shot.Switched {
		c.say(p, tick, state.EvSwitch, 0)
	}
	if shot.Reloads {
		c.say(p, tick, state.EvReload, 0)
	}
	if shot.DryFire {
		c.say(p, tick, state.EvDryFire, 0)
	}
	if shot.Fired {
		c.predictShot(p, tick, before, &shot)
	}
}

// say shows an effect at the player's place.
func (c *Client) say(p *state.Player, tick state.Tick, k state.EventKind, param int32) {
	c.fx.event = state.Event{Kind: k, Actor: c.welcome.ID, Pos: p.Pos, Weapon: p.Weapon, Param: param}
	c.show(&c.fx.event, tick, 0)
}

// predictShot shows the own shot at once: where it goes over the own copy of the
// level, with the doors where they are drawn, as the server will test it. Whether it
// hurt somebody only the server says. While its events are passed on, Others, Shown
// and Scene are of the moment at which the trigger was pulled.
func (c *Client) predictShot(p *state.Player, tick state.Tick, before vec.V3, shot *weapon.Out) {
	s := &shot.Shot
	w := &c.set.Weapons[min(int(s.Weapon), len(c.set.Weapons)-1)]
	eye := s.Origin(before, pmove.Eye(p, &c.set.Movement))
	c.clk.back, c.movers.firing = float64(s.Edge)/256, true
	e := &c.fx.event
	*e = state.Event{Kind: state.EvFire, Actor: c.welcome.ID, Weapon: s.Weapon, Pos: eye, Dir: s.Dir, Yaw: s.Yaw, Pitch: s.Pitch, Param: int32(s.Seq)}
	c.show(e, tick, s.Seq)
	if old := c.fx.find(Key{tick, state.EvImpact, s.Seq}); old != nil {
		old.kept = true
	} else if !w.Projectile {
		r := c.Scene().Ray(eye, eye.Mad(w.Range, s.Dir), level.MaskShot)
		if r.Frac < 1 && !r.StartSolid && level.Surf(r.Surf)&level.SurfSky == 0 {
			*e = state.Event{Kind: state.EvImpact, Actor: c.welcome.ID, Weapon: s.Weapon, Pos: r.End, Dir: r.Normal}
			c.show(e, tick, s.Seq)
		}
	}
	c.clk.back, c.movers.firing = 0, false
}
