package weapon

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Env is what a step runs on besides the player and its command.
type Env struct {
	Set        *tables.Set
	TickRate   int
	SpreadSeed uint64     // the player's secret
	Tick       state.Tick // of the command; only copied into the Shot
}

// Shot is one pull of the trigger. Its origin is the shooter's eye: see Origin.
type Shot struct {
	Weapon     uint8
	Seq        uint8 // the shot's number: Player.ShotSeq after it
	Tick       state.Tick
	Edge       uint8         // 256ths of a tick before the end of Tick
	Yaw, Pitch state.Angle16 // where it goes, spread applied
	Dir        vec.V3        // the same as a unit vector
}

// Out is what a step did.
type Out struct {
	Fired    bool
	DryFire  bool // the trigger was pressed on an empty weapon
	Switched bool // Player.Weapon is another one now
	Reloads  bool // the magazine is being changed from now on
	Shot     Shot // when Fired
}

// Ticks returns the whole number of ticks nearest to ms, from 1 to 255.
func Ticks(ms float32, tickRate int) uint8 {
	t := vec.Floor(float32(float32(ms*float32(tickRate))/1000) + 0.5)
	return uint8(min(max(t, 1), 255))
}

// Step runs one tick of p's weapon under cmd. It reads p as pmove left it.
func Step(p *state.Player, cmd state.Cmd, env Env) Out {
	var out Out
	pressed := cmd.Buttons&state.BtnFire != 0
	held := p.Flags&state.FireHeld != 0
	p.Flags &^= state.FireHeld
	if pressed {
		p.Flags |= state.FireHeld
	}
	if p.Blind > 0 {
		p.Blind--
	}
	if !p.Alive() {
		p.Next, p.WTimer, p.Shots, p.Cool, p.Raise, p.Reload = 0, 0, 0, 0, 0, 0
		return out
	}
	coolDown(p, env)
	if p.WTimer > 0 {
		p.WTimer--
	}
	if p.Next != 0 && p.WTimer == 0 {
		p.Weapon, p.Next = p.Next, 0
		p.Shots, p.Cool, p.Raise = 0, 0, 0
		out.Switched = true
	}
	want(p, cmd.Weapon, env)
	lift(p, env)
	out.Reloads = reload(p, cmd.Buttons&state.BtnReload != 0, pressed, env)
	if !pressed || p.Reload > 0 || !canFire(p) {
		return out
	}
	w := &env.Set.Weapons[p.Weapon]
	if held && !w.Automatic {
		return out
	}
	if w.AmmoMax > 0 && p.Ammo[p.Weapon] == 0 {
		out.DryFire = !held
		want(p, armed(p, env.Set), env)
		return out
	}
	out.Fired = true
	at := aim{p.Yaw, p.Pitch, 0}
	if !held && cmd.Edge != 0 {
		// The trigger was pulled within the tick: the shot goes where the view was then.
		at.yaw, at.pitch, at.edge = cmd.EdgeYaw, state.ClampPitch(cmd.EdgePitch), cmd.Edge
	}
	out.Shot = fire(p, w, at, env)
	if w.Throws != tables.ThrowsNothing && p.Ammo[p.Weapon] == 0 {
		want(p, armed(p, env.Set), env) // nothing is left in the hand
	}
	return out
}

// aim is where the view looks when a shot leaves, and how long before the end of
// the tick that is.
type aim struct {
	yaw, pitch state.Angle16
	edge       uint8
}

// Origin returns where a shot leaves from, of an eye that went from before to after
// in the tick.
func (s *Shot) Origin(before, after vec.V3) vec.V3 {
	if s.Edge == 0 {
		return after
	}
	return after.Lerp(before, float32(s.Edge)/256)
}

// coolDown forgets a shot of the burst each time that Cool runs out.
func coolDown(p *state.Player, env Env) {
	if p.Shots == 0 {
		p.Cool = 0
		return
	}
	if p.Cool > 0 {
		p.Cool--
	}
	if p.Cool > 0 {
		return
	}
	p.Shots--
	if p.Shots > 0 && valid(p.Weapon) {
		p.Cool = Ticks(env.Set.Weapons[p.Weapon].CoolMS, env.TickRate)
	}
}

// want begins a change to weapon w, which waits for the shot in progress and then
// takes the raise time. Changing one's mind never shortens the wait.
func want(p *state.Player, w uint8, env Env) {
	if !valid(w) || p.Owned&(1<<w) == 0 || w == p.Next {
		return
	}
	if w == p.Weapon {
		p.Next = 0
		return
	}
	raise := Ticks(env.Set.Weapons[w].RaiseMS, env.TickRate)
	if p.Next != 0 {
		p.WTimer = max(p.WTimer, raise)
	} else {
		p.WTimer = uint8(min(int(p.WTimer)+int(raise), 255))
	}
	p.Next = w
}

func valid(w uint8) bool { return w != tables.NoWeapon && w < tables.NumWeapons }

func canFire(p *state.Player) bool {
	return valid(p.Weapon) && p.Owned&(1<<p.Weapon) != 0 && p.Next == 0 && p.WTimer == 0 &&
		p.Flags&(state.NoFire|state.Frozen) == 0
}

// armed returns an owned weapon that can fire, the highest, and a knife only when
// there is nothing else; nothing that is thrown. 0 when there is none.
func armed(p *state.Player, set *tables.Set) uint8 {
	blade := uint8(0)
	for w := uint8(tables.NumWeapons - 1); w > 0; w-- {
		switch t := &set.Weapons[w]; {
		case p.Owned&(1<<w) == 0 || p.Ammo[w] == 0 && t.AmmoMax != 0 || t.Throws != tables.ThrowsNothing:
		case t.Melee:
			blade = w
		default:
			return w
		}
	}
	return blade
}

func fire(p *state.Player, w *tables.Weapon, at aim, env Env) Shot {
	if w.AmmoMax > 0 {
		p.Ammo[p.Weapon]--
	}
	if w.Mag > 0 {
		p.Mag[p.Weapon]--
	}
	cone := SpreadOf(p, env.Set)
	p.ShotSeq++
	if p.Shots < 255 {
		p.Shots++
	}
	p.Cool = Ticks(w.CoolMS, env.TickRate)
	p.WTimer = Ticks(w.IntervalMS, env.TickRate)
	s := Shot{Weapon: p.Weapon, Seq: p.ShotSeq, Tick: env.Tick, Edge: at.edge}
	s.Yaw, s.Pitch = scatter(at.yaw, at.pitch, cone, env.SpreadSeed, p.ShotSeq)
	s.Dir = vec.Forward(s.Yaw.Deg(), s.Pitch.Deg())
	return s
}
