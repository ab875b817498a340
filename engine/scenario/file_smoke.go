package scenario

import (
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// clouds are the smoke of a scene: a function of its events, whatever the policy.
type clouds struct {
	smokes []state.Smoke
	holes  []state.Hole
	from   []int // by smoke: the tick from which it is there
}

// The radii of smoke and of the hole of a burst where an event says none, metres.
var (
	cloudRadius = tables.Arena().Weapons[tables.SmokeGrenade].CloudRadius
	holeRadius  = tables.Arena().Weapons[tables.Rocket].HoleRadius
)

// cloudEvent checks an event of smoke, blast or flash.
func (c *checker) cloudEvent(s *Scene, ev *event, key string) {
	if ev.Kind == "flash" {
		ev.who = c.who(s, key+".player", ev.Player)
		c.number(key+".ms", ev.MS, 1, 10000)
		return
	}
	c.point(key+".place", ev.Place)
	c.number(key+".radius", ev.Radius*c.scale, 0, 200)
	c.number(key+".age", ev.Age, 0, scenery.SmokeMS/1000)
}

// smoke makes the clouds of a scene whose level is there, from its events in order.
func (c *checker) smoke(s *Scene) {
	rate := s.File.TickRate
	for i := range s.events {
		e := &s.events[i]
		if e.Kind != "smoke" && e.Kind != "blast" {
			continue
		}
		at := state.Quant(c.point("event", e.Place)).V3()
		tick := state.Tick(base + e.tick)
		r := float32(e.Radius * c.scale)
		if e.Kind == "smoke" {
			if r == 0 {
				r = cloudRadius
			}
			if len(s.smoke.smokes) >= scenery.MaxSmokes {
				c.bad("event", "more than %d clouds in one scene", scenery.MaxSmokes)
				return
			}
			s.smoke.smokes = append(s.smoke.smokes, state.Smoke{
				ID: state.FirstThing + state.ID(len(s.smoke.smokes)), Pos: at, Radius: uint16(float32(r*256) + 0.5),
				Start: tick - state.Tick(e.Age*float64(rate)+0.5),
			})
			s.smoke.from = append(s.smoke.from, e.tick)
			continue
		}
		if r == 0 {
			r = holeRadius
		}
		bare := vis.NewSight(s.world, rate)
		for k := range s.smoke.smokes {
			sm := &s.smoke.smokes[k]
			now := scenery.Smoke(sm, tick, 0, rate)
			reach := now.Radius + r
			if now.Radius <= 0 || s.smoke.from[k] >= e.tick || now.At.DistSq(at) >= reach*reach || !bare.Clear(at, now.At) {
				continue
			}
			if len(s.smoke.holes) >= scenery.MaxHoles {
				c.bad("event", "more than %d holes in one scene", scenery.MaxHoles)
				return
			}
			s.smoke.holes = append(s.smoke.holes, state.Hole{
				ID: state.FirstThing + scenery.MaxSmokes + state.ID(len(s.smoke.holes)), Smoke: sm.ID, Start: tick, Pos: at, Radius: uint16(float32(r*256) + 0.5),
			})
		}
	}
}

// Clouds fills out with the smoke of a time, in seconds.
func (s *Scene) Clouds(t float64, out *scenery.Smokes) {
	_, tick, part := s.doorsAt(t)
	there := s.smoke.smokes[:0:0]
	for i, from := range s.smoke.from {
		if int32(tick-state.Tick(base+from)) >= 0 {
			there = append(there, s.smoke.smokes[i])
		}
	}
	out.Set(there, s.smoke.holes, tick, part, s.File.TickRate)
}

// blinded returns for how many ticks more an actor sees nothing but white.
func (s *Scene) blinded(who int, t float64) uint16 {
	left := 0.0
	for i := range s.events {
		if e := &s.events[i]; e.Kind == "flash" && e.who == who && t >= s.seconds(e.tick)-1e-9 {
			left = max(left, s.seconds(e.tick)+e.MS/1000-t)
		}
	}
	return uint16(left * float64(s.File.TickRate))
}

// addClouds adds the smoke of a tick to the Input and the Frame, as the server does.
func (p *play) addClouds(k int) {
	s, tick := p.s, p.in.Tick
	for i := range s.smoke.smokes {
		sm := &s.smoke.smokes[i]
		if s.smoke.from[i] > k || scenery.Smoke(sm, tick, 0, s.File.TickRate).Radius <= 0 {
			continue
		}
		p.in.Smokes = append(p.in.Smokes, *sm)
		p.in.Subjects = append(p.in.Subjects, vis.BallOf(sm, tick, s.File.TickRate))
		p.frame.Entities = append(p.frame.Entities, sm.Entity())
		for h := range s.smoke.holes {
			if it := &s.smoke.holes[h]; it.Smoke == sm.ID && scenery.HoleOpen(it, tick, 0, s.File.TickRate) {
				p.in.Holes = append(p.in.Holes, *it)
				p.in.Subjects = append(p.in.Subjects, vis.HoleOf(it))
				p.frame.Entities = append(p.frame.Entities, it.Entity(sm.Start))
			}
		}
	}
}
