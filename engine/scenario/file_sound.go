package scenario

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// audible are the kinds of sound that scenes speak of.
var audible = map[string]state.EventKind{
	"shot": state.EvFire, "step": state.EvFootstep, "jump": state.EvJump, "land": state.EvLand,
	"reload": state.EvReload, "door": state.EvDoor, "seat": state.EvSeat, "mark": state.EvPing,
}

// soundOf is what an event of a scene sounds like.
func soundOf(kind string) state.EventKind {
	if kind == "enter" || kind == "leave" {
		return state.EvSeat
	}
	return audible[kind]
}

// earshots puts those of the file into the scene's tables.
func (c *checker) earshots(s *Scene) {
	e, w, t := &c.f.Earshot, &s.set.Weapons[tables.Rifle], &s.set.Sounds
	for _, v := range []struct {
		key  string
		from float64
		to   *float32
	}{
		{"shot", e.Shot, &w.Earshot}, {"muffled", e.Muffled, &w.Muffled}, {"step", e.Step, &t.Step}, {"jump", e.Jump, &t.Jump},
		{"land", e.Land, &t.Land}, {"reload", e.Reload, &t.Reload}, {"door", e.Door, &t.Door},
	} {
		if d := c.number("earshot."+v.key, v.from, 0, 1e6); d > 0 {
			*v.to = float32(d * c.scale)
		}
	}
	w.Muffled = min(w.Muffled, w.Earshot)
}

// noise is the event that something audible of a scene is.
func (s *Scene) noise(e *event, t float64) (state.Event, bool) {
	kind := soundOf(e.Kind)
	if kind == state.EvNone || kind == state.EvDoor {
		return state.Event{}, false
	}
	a := &s.actors[e.who]
	ev := state.Event{Kind: kind, Actor: idOf(e.who), Pos: a.feet(t)}
	switch kind {
	case state.EvSeat:
		ev.Pos = s.cars[e.target].feet(t)
		if e.Kind == "enter" {
			ev.Param = 1
		}
	case state.EvPing:
		ev.Param, ev.Pos = int32(a.team), vec.CanonV(s.marked(e.who, t))
	case state.EvFire, state.EvReload:
		ev.Weapon, ev.Pos = tables.Rifle, s.eye(a, t)
		if kind == state.EvFire {
			ev.Yaw, ev.Muffled = state.AngleOf(a.yaw(t)), e.Suppressed
		}
	}
	return ev, true
}

// source finds whose sound an event was that a viewer was told of in tick k: of those
// that happened then the nearest; -1 when there was none.
func (s *Scene) source(told *state.Event, k int, absent int) (who int, at vec.V3) {
	who = -1
	for i := range s.events {
		e := &s.events[i]
		if e.tick != k || e.who < 0 || e.who == absent || soundOf(e.Kind) != told.Kind || told.Actor != 0 && idOf(e.who) != told.Actor {
			continue
		}
		ev, ok := s.noise(e, s.seconds(k))
		if ok && (who < 0 || ev.Pos.Dist(told.Pos) < at.Dist(told.Pos)) {
			who, at = e.who, ev.Pos
		}
	}
	return who, at
}

// doorNoise is the event of a door that starts to move.
func (s *Scene) doorNoise(i int) (state.Event, bool) {
	if i >= len(s.level.Doors) {
		return state.Event{}, false
	}
	d := &s.level.Doors[i]
	if d.Model <= 0 || d.Model >= len(s.level.Models) {
		return state.Event{}, false
	}
	return state.Event{Kind: state.EvDoor, Param: int32(i), Pos: s.level.Models[d.Model].Bounds.Center()}, true
}
