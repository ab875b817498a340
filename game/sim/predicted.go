package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/weapon"
)

// A shooter that was thrown, pushed or carried off a moment ago does not know it yet
// when it pulls the trigger: its client shows it where its own commands lead from the
// last state that it was sent. A bullet from where it is by now would miss what it
// aimed at. So, as with targets, the shot is tested from what the shooter saw: the
// simulation's own states and commands, from the state that the client is known to
// have had, without the force. Nothing of it comes from the client but commands.
//
// It holds within selfReach metres and in sight of the true eye, within a life, and
// for at most selfPerTick shots in a tick; otherwise the shot leaves from the true
// eye.
const (
	selfReach   = 1.5
	selfPerTick = 8
	selfMS      = 350 // how old the state may be that a client had
)

// self is a player's own last states, as it was sent them, and its commands.
type self struct {
	ring []selfTick
}

type selfTick struct {
	tick state.Tick
	p    state.Player
	cmd  state.Cmd
}

// recall is what such shots are found with.
type recall struct {
	depth        state.Tick
	scene        trace.Scene
	offs, before []level.Pose
	left         int // shots that may still be replayed in this tick
}

func (s *Sim) initSelves() {
	n := len(s.poses)
	s.recall.depth = s.ticks(selfMS) + 2
	s.recall.offs, s.recall.before = make([]level.Pose, n), make([]level.Pose, n)
	s.recall.scene = trace.Scene{W: s.cfg.World, Poses: s.recall.offs}
	for i := range s.bodies {
		s.bodies[i].self.ring = make([]selfTick, s.recall.depth)
	}
}

// keepSelves stores every player as it is after a tick, which is what it is sent.
func (s *Sim) keepSelves() {
	for _, id := range s.ids {
		b := &s.bodies[id]
		b.self.ring[s.tick%s.recall.depth] = selfTick{s.tick, b.p, b.cmd}
	}
}

// at returns what is kept of a tick.
func (f *self) at(tick state.Tick) *selfTick {
	if len(f.ring) == 0 {
		return nil
	}
	if e := &f.ring[tick%state.Tick(len(f.ring))]; e.tick == tick {
		return e
	}
	return nil
}

// predictedShot replaces the shot of a player that was disturbed since the state that
// its client had by the one that the client has shown, with its origin. The true eye
// is where it left from otherwise.
func (s *Sim) predictedShot(id state.ID, w *weapon.Out, eye vec.V3) (vec.V3, bool) {
	b := &s.bodies[id]
	r := &s.recall
	if !b.tracked || b.starved || b.p.Vehicle != 0 || r.left == 0 || int32(s.tick-b.had) <= 0 || s.tick-b.had >= r.depth {
		return eye, false
	}
	base := b.self.at(b.had)
	if base == nil || base.p.Forced == b.p.Forced || base.p.Teleports != b.p.Teleports || !base.p.Alive() {
		return eye, false
	}
	r.left--
	p := base.p
	var out weapon.Out
	var was vec.V3
	for tick := b.had + 1; ; tick++ {
		cmd := b.cmd
		if tick != s.tick {
			e := b.self.at(tick)
			if e == nil {
				return eye, false
			}
			cmd = e.cmd
		}
		if !s.poseMovers(tick) || !s.posePieces(b.had) {
			return eye, false
		}
		set := s.SetAt(tick)
		was = pmove.Eye(&p, &set.Movement)
		pmove.Step(&p, cmd, pmove.Env{
			World: &r.scene, Move: &set.Movement, TickRate: s.cfg.TickRate, Pads: s.lv.Pads, Poses: r.offs, Before: r.before,
			AimSpeed: weapon.AimSpeed(&p, set),
		})
		out = weapon.Step(&p, cmd, weapon.Env{Set: set, TickRate: s.cfg.TickRate, SpreadSeed: b.seed, Tick: tick})
		if tick == s.tick {
			break
		}
	}
	if !out.Fired || out.Shot.Seq != w.Shot.Seq || out.Shot.Weapon != w.Shot.Weapon {
		return eye, false
	}
	from := out.Shot.Origin(was, pmove.Eye(&p, s.move))
	if from.DistSq(eye) > selfReach*selfReach || s.scene.Blocked(eye, from, level.MaskShot) {
		return eye, false
	}
	w.Shot = out.Shot
	return from, true
}

// poseMovers puts the movers of a replay where they were in a tick; false when that is
// forgotten.
func (s *Sim) poseMovers(tick state.Tick) bool {
	r := &s.recall
	if tick == s.tick {
		copy(r.offs, s.poses)
		copy(r.before, s.before)
		return true
	}
	now, before := s.past.Doors(tick), s.past.Doors(tick-1)
	if len(now) != len(s.doors) || len(before) != len(s.doors) {
		return false
	}
	scenery.Poses(s.lv, now, tick, 0, s.cfg.TickRate, r.offs)
	scenery.Poses(s.lv, before, tick-1, 0, s.cfg.TickRate, r.before)
	return true
}

// posePieces puts the pieces of a replay where its client knew them by the tick of the
// newest snapshot that it had; false when that is forgotten.
func (s *Sim) posePieces(had state.Tick) bool {
	gone := s.past.Gone(had)
	if gone == nil {
		return len(s.lv.Pieces) == 0
	}
	scenery.PutPieces(s.lv, gone, s.recall.offs)
	scenery.PutPieces(s.lv, gone, s.recall.before)
	return true
}
