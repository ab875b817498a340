package pmove

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Reach returns about what a Step of p asks about: who can look up at once what is
// there, as trace.Near does, spares the World most of the work. Steps may ask
// farther, where movers push or velocities jump.
func Reach(p *state.Player, t *tables.Movement, tickRate int) vec.Box {
	const around = 0.4 // nudges, ladders, edges to leap at
	dt := 1 / float32(max(tickRate, 1))
	v := vec.V3{X: vec.Abs(p.Vel.X), Y: vec.Abs(p.Vel.Y), Z: vec.Abs(p.Vel.Z)}.Scale(dt)
	flat := t.HalfWidth + t.LeanOffset + float32(t.RunSpeed*dt) + around
	high := t.StepHeight + float32(max(t.JumpSpeed, 0)*dt) + around
	lo := vec.V3{X: 0 - flat - v.X, Y: 0 - flat - v.Y, Z: 0 - high - v.Z}
	hi := vec.V3{X: flat + v.X, Y: flat + v.Y, Z: t.StandHeight + high + v.Z}
	return vec.Box{Min: p.Pos.Add(lo), Max: p.Pos.Add(hi)}
}
