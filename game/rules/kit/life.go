package kit

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Stop holds somebody in place who may neither shoot nor be hurt: while a score is
// read, before a round.
const Stop = state.Frozen | state.NoFire | state.Invulnerable

// Life is how one player comes back into play.
type Life struct {
	Held      state.Buttons // in the last tick
	Wants     bool          // pressed to return
	Asked     bool          // a spawn is on its way since AskedAt
	AskedAt   state.Tick
	Guarded   bool // cannot be hurt until then
	GuardEnds state.Tick
	Entered   bool // has been spawned since the match began
}

// Terms are what lives are lived under in one tick.
type Terms struct {
	Tick               state.Tick
	Rate               int        // ticks in a second
	Die, Wait, Protect state.Tick // shortest time dead; after which one returns by itself; guarded for
	Closed             bool       // nobody enters now
}

// Due reports whether tick t is now or past at another tick, whatever wraps.
func Due(now, t state.Tick) bool { return int32(now-t) >= 0 }

// Care is one tick of a life: protection, the void, and whether it is time to enter
// again, which the caller then does with Enter.
func (l *Life) Care(t Terms, in *rules.TickIn, row *rules.PlayerRow, ops []rules.Op) (enters bool, out []rules.Op) {
	pressed := row.Buttons &^ l.Held & (state.BtnFire | state.BtnJump)
	l.Held = row.Buttons
	if row.Flags&state.Bystander != 0 { // it asked to look on
		l.Wants, l.Asked = false, false
		if row.Flags&state.Spectating == 0 {
			ops = append(ops, rules.Op{Kind: rules.OpSpectate, ID: row.ID})
		}
		return false, ops
	}
	if row.Flags&(state.Dead|state.Spectating) == 0 {
		if l.Asked && l.AskedAt == t.Tick { // this is still the life before
			return false, ops
		}
		l.Wants, l.Asked = false, false
		if row.OutOfMap {
			return false, append(ops, rules.Op{Kind: rules.OpKillOff, ID: row.ID})
		}
		if l.Guarded && (Due(t.Tick, l.GuardEnds) || fired(in.Events, row.ID)) {
			l.Guarded = false
			ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: row.ID, Flags2: state.Invulnerable})
		}
		return false, ops
	}
	if pressed != 0 {
		l.Wants = true
	}
	if l.Asked && !Due(t.Tick, l.AskedAt+state.Tick(t.Rate)/4) { // on its way
		return false, ops
	}
	ready := state.Tick(row.DeadFor) >= t.Die && (l.Wants || state.Tick(row.DeadFor) >= t.Wait)
	return !t.Closed && (ready || !l.Entered), ops
}

// Enter asks for a new life at a place.
func (l *Life) Enter(t Terms, id state.ID, sp rules.Spawn, ops []rules.Op) []rules.Op {
	l.Wants, l.Asked, l.AskedAt, l.Entered = false, true, t.Tick, true
	ops = append(ops, rules.Op{Kind: rules.OpSpawn, ID: id, Pos: sp.Pos, Yaw: sp.Yaw})
	flags := rules.Op{Kind: rules.OpSetFlags, ID: id, Flags2: Stop}
	if t.Protect > 0 {
		l.Guarded, l.GuardEnds = true, t.Tick+1+t.Protect
		flags.Flags, flags.Flags2 = state.Invulnerable, Stop&^state.Invulnerable
	}
	return append(ops, flags)
}

// Save writes a life, and Restore reads it.
func (l *Life) Save(w *Writer) {
	w.Bits(l.Wants, l.Asked, l.Guarded, l.Entered)
	w.U16(uint16(l.Held))
	w.U32(l.AskedAt)
	w.U32(l.GuardEnds)
}

// Restore reads what Save wrote.
func (l *Life) Restore(r *Reader) {
	r.Bits(&l.Wants, &l.Asked, &l.Guarded, &l.Entered)
	l.Held = state.Buttons(r.U16())
	l.AskedAt, l.GuardEnds = r.U32(), r.U32()
}

func fired(events []state.Event, id state.ID) bool {
	for i := range events {
		if events[i].Kind == state.EvFire && events[i].Actor == id {
			return true
		}
	}
	return false
}
