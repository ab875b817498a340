package vehicle

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Drives reports whether a player drives.
func Drives(p *state.Player) bool { return p.Vehicle != 0 && p.Seat == 0 && p.Alive() }

// Hands returns a command without what the hands of who sits where may not do.
func Hands(p *state.Player, types []tables.Vehicle, cmd state.Cmd) state.Cmd {
	if p.Vehicle == 0 {
		return cmd
	}
	if i := int(p.Vehicle) - 1; i < len(types) && int(p.Seat) < len(types[i].Seats) && types[i].Seats[p.Seat].Fire {
		return cmd
	}
	cmd.Buttons &^= state.BtnFire | state.BtnAim | state.BtnReload
	return cmd
}

// Reach returns about what a Step asks about, as pmove.Reach does.
func Reach(c *state.Car, t *tables.Vehicle, tickRate int) vec.Box {
	dt := 1 / float32(max(tickRate, 1))
	v := vec.V3{X: vec.Abs(c.Vel.X), Y: vec.Abs(c.Vel.Y), Z: vec.Abs(c.Vel.Z)}.Scale(dt)
	r := t.HalfLength + t.StepHeight
	lo := vec.V3{X: 0 - r - v.X, Y: 0 - r - v.Y, Z: -1.6 - v.Z}
	hi := vec.V3{X: r + v.X, Y: r + v.Y, Z: t.Height + t.StepHeight + 0.2 + v.Z}
	return vec.Box{Min: c.Pos.Add(lo), Max: c.Pos.Add(hi)}
}
