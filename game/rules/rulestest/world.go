// Package rulestest is a stage for trying rules without an engine: a World that is
// as much of a simulation as rules can see, and the checks that hold for all rules.
package rulestest

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Rate is the ticks per second of a Match.
const Rate = 64

// Match returns what rules are started with: eight places to enter, of which the
// first four are team 1's and the others team 2's when sides is set.
func Match(settings map[string]string, sides bool) *rules.Match {
	m := &rules.Match{Level: "test", Seed: 5, TickRate: Rate, Tables: tables.Arena(), Settings: settings}
	for i := range 8 {
		sp := rules.Spawn{Pos: vec.New(float32(i)*10, float32(i%3)*7, 0), Yaw: float32(i) * 45}
		if sides {
			sp.Team = uint8(1 + i/4)
		}
		m.Spawns = append(m.Spawns, sp)
	}
	return m
}

// World is a simulation of players who do what they are told.
type World struct {
	In   rules.TickIn
	Rnd  vec.Rand
	Next []state.Event // of the coming tick
}

// New returns a world with so many players.
func New(players int, seed uint64) *World {
	w := &World{Rnd: vec.NewRand(seed)}
	for i := range players {
		w.Join(state.ID(i + 1))
	}
	return w
}

// Join brings a player in, who spectates.
func (w *World) Join(id state.ID) {
	w.In.Players = append(w.In.Players, rules.PlayerRow{ID: id, Flags: state.Spectating})
	w.In.Joined = append(w.In.Joined, rules.Member{ID: id, Name: "player " + string(rune('a'+id%26))})
}

// Row returns a player's row, nil when it is not there.
func (w *World) Row(id state.ID) *rules.PlayerRow {
	for i := range w.In.Players {
		if w.In.Players[i].ID == id {
			return &w.In.Players[i]
		}
	}
	return nil
}

// Alive reports whether a player has a living body.
func (w *World) Alive(id state.ID) bool {
	r := w.Row(id)
	return r != nil && r.Flags&(state.Dead|state.Spectating) == 0
}

// Kill lets one player kill another, in the coming tick.
func (w *World) Kill(by, target state.ID) {
	r := w.Row(target)
	if r.Flags&(state.Dead|state.Spectating|state.Invulnerable) != 0 {
		return
	}
	r.Flags |= state.Dead
	w.Next = append(w.Next, state.Event{Kind: state.EvKill, Actor: by, Target: target})
}

// Say lets a player type a line, in the coming tick.
func (w *World) Say(id state.ID, text string) {
	w.In.Chat = append(w.In.Chat, rules.Chat{ID: id, Text: text})
}

// Advance makes the next tick.
func (w *World) Advance() *rules.TickIn {
	w.In.Tick++
	for i := range w.In.Players {
		r := &w.In.Players[i]
		r.DeadFor++
		if r.Flags&(state.Dead|state.Spectating) == 0 {
			r.DeadFor = 0
		}
	}
	w.In.Events, w.Next = append(w.In.Events[:0], w.Next...), w.Next[:0]
	return &w.In
}

// Done forgets the news of a tick and applies what the rules want.
func (w *World) Done(ops []rules.Op) {
	w.In.Joined, w.In.Left, w.In.Chat = w.In.Joined[:0], w.In.Left[:0], w.In.Chat[:0]
	for _, op := range ops {
		r := w.Row(op.ID)
		if r == nil {
			continue
		}
		switch op.Kind {
		case rules.OpSpawn:
			r.Flags &^= state.Dead | state.Spectating
			r.Pos, r.Yaw, r.Health, r.OutOfMap = op.Pos, op.Yaw, 100, false
		case rules.OpSetFlags:
			r.Flags = r.Flags&^op.Flags2 | op.Flags
		case rules.OpSetTeam:
			r.Team = uint8(op.Value)
		case rules.OpKillOff:
			w.Kill(0, op.ID)
		case rules.OpDamage:
			if r.Health -= int16(min(op.Value, 1000)); r.Health <= 0 {
				w.Kill(0, op.ID)
			}
		}
	}
}

// Tick is one whole tick of rules.
func (w *World) Tick(r rules.Rules) []rules.Op {
	ops := r.Tick(w.Advance(), nil)
	w.Done(ops)
	return ops
}

// Chaos makes things happen: keys, steps, kills, shots, falls out of the level, lines
// of says, and one player who comes at tick 300 and leaves at 500.
func (w *World) Chaos(says ...string) {
	for i := range w.In.Players {
		r := &w.In.Players[i]
		r.Buttons = state.Buttons(w.Rnd.Uint64()) & (state.BtnFire | state.BtnJump | state.BtnAim | state.BtnUse)
		r.Pos = r.Pos.Add(vec.New(w.Rnd.Signed(), w.Rnd.Signed(), 0))
		switch w.Rnd.Intn(60) {
		case 0:
			by := state.ID(w.Rnd.Intn(len(w.In.Players) + 1))
			if w.Row(by) == nil {
				by = 0 // the world
			}
			w.Kill(by, r.ID)
		case 1:
			w.Next = append(w.Next, state.Event{Kind: state.EvFire, Actor: r.ID})
		case 2:
			r.OutOfMap = true
		case 3:
			if len(says) > 0 {
				w.Say(r.ID, says[w.Rnd.Intn(len(says))])
			}
		}
	}
	if w.In.Tick == 300 {
		w.Join(77)
	}
	if w.In.Tick == 500 && w.Row(77) != nil {
		w.In.Players = w.In.Players[:len(w.In.Players)-1]
		w.In.Left = append(w.In.Left, 77)
	}
}

// Copy returns a tick that later ticks do not change.
func Copy(in *rules.TickIn) rules.TickIn {
	c := *in
	c.Players = append([]rules.PlayerRow(nil), in.Players...)
	c.Events = append([]state.Event(nil), in.Events...)
	c.Joined = append([]rules.Member(nil), in.Joined...)
	c.Left = append([]state.ID(nil), in.Left...)
	c.Chat = append([]rules.Chat(nil), in.Chat...)
	return c
}

// Find returns the operations of a kind for a player, or for anybody with 0.
func Find(ops []rules.Op, kind rules.OpKind, id state.ID) (found []rules.Op) {
	for _, op := range ops {
		if op.Kind == kind && (id == 0 || op.ID == id) {
			found = append(found, op)
		}
	}
	return found
}
