package pmove

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

// seated is the step of somebody who sits in a vehicle: the view turns, the hands do
// what they do, and who drives takes the vehicle along. Where others are taken to is
// the server's word.
func (m *mover) seated() {
	p := m.p
	p.Pos, p.Vel = tame(p.Pos, limit), tame(p.Vel, m.t.MaxSpeed)
	p.Yaw, p.Pitch = m.cmd.Yaw, state.ClampPitch(m.cmd.Pitch)
	p.Flags &^= state.OnGround | state.Swimming | state.OnLadder | state.JumpHeld
	p.Flags |= state.Ducked
	setFlag(p, state.JumpHeld, m.cmd.Buttons&state.BtnJump != 0)
	setFlag(p, state.Aiming, m.cmd.Buttons&state.BtnAim != 0)
	setFlag(p, state.Walking, false)
	p.Duck, p.Lean, p.WaterLevel, p.Ground, p.MoveTimer, p.LadderHold = 255, 0, 0, -1, 0, 0
	i := int(p.Vehicle) - 1
	if p.Seat != 0 || i >= len(m.env.Vehicles) {
		return
	}
	keys := vehicle.KeysOf(&m.cmd)
	if p.Flags&state.Frozen != 0 {
		keys = vehicle.Parked()
	}
	t := &m.env.Vehicles[i]
	vehicle.Step(&p.Car, keys, vehicle.Env{World: m.env.World, Type: t, Gravity: m.t.Gravity, MaxSpeed: m.t.MaxSpeed, TickRate: m.env.TickRate})
	p.Pos, p.Vel = vehicle.SeatPos(vehicle.PoseOf(&p.Car), t, 0), vec.CanonV(p.Car.Vel)
}
