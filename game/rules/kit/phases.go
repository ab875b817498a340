package kit

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
)

// Phases moves a match through warmup, live and over, again and again.
type Phases struct {
	Begun bool // the first warmup
	Timed bool // the phase has an end
	Phase rules.Phase
	Ends  state.Tick
}

// Lengths are how long the phases last, in ticks; 0 of Live has no end.
type Lengths struct{ Warmup, Live, Over state.Tick }

// Turn is what a tick of Phases brings.
type Turn uint8

// The turns.
const (
	Goes    Turn = iota // on as before
	Opens               // the first warmup begins
	Begins              // the match: scores at zero, everybody enters; the level is whole
	Decides             // the match is over: say who won, hold everybody
	Resets              // it has been over for its time: as Begins, for another warmup
)

// Step is one tick with so many players. reached says that the match is decided other
// than by time, and how. why is the reason of Decides.
func (p *Phases) Step(tick state.Tick, l Lengths, players int, reached string, ops []rules.Op) (turn Turn, why string, out []rules.Op) {
	due := Due(tick, p.Ends)
	switch {
	case !p.Begun:
		p.Begun = true
		return Opens, "", p.begin(tick, rules.Warmup, l.Warmup, ops)
	case p.Phase == rules.Warmup && due && players > 0:
		ops = p.begin(tick, rules.Live, l.Live, ops)
		return Begins, "", Mend(append(ops, rules.Op{Kind: rules.OpAnnounce, Text: "Fight!"}))
	case p.Phase == rules.Live && p.Timed && due:
		return Decides, "time is up", p.begin(tick, rules.Over, l.Over, ops)
	case p.Phase == rules.Live && reached != "":
		return Decides, reached, p.begin(tick, rules.Over, l.Over, ops)
	case p.Phase == rules.Over && due:
		ops = append(ops, rules.Op{Kind: rules.OpEndMatch, Text: "the match is over"})
		return Resets, "", Mend(p.begin(tick, rules.Warmup, l.Warmup, ops))
	}
	return Goes, "", ops
}

// begin starts a phase of so many ticks.
func (p *Phases) begin(tick state.Tick, phase rules.Phase, ticks state.Tick, ops []rules.Op) []rules.Op {
	p.Phase, p.Ends, p.Timed = phase, tick+ticks, phase != rules.Live || ticks > 0
	op := rules.Op{Kind: rules.OpPhase, Value: phase}
	if p.Timed {
		op.Value2 = int32(p.Ends)
	}
	return append(ops, op)
}

// Save writes where the match is, and Restore reads it.
func (p *Phases) Save(w *Writer) {
	w.Bits(p.Begun, p.Timed)
	w.U8(uint8(p.Phase))
	w.U32(p.Ends)
}

// Restore reads what Save wrote.
func (p *Phases) Restore(r *Reader) {
	r.Bits(&p.Begun, &p.Timed)
	p.Phase = rules.Phase(r.U8(uint8(rules.Over)))
	p.Ends = r.U32()
}

// Hold stands everybody still who is there, while a score is read.
func Hold(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: in.Players[i].ID, Flags: Stop})
	}
	return ops
}
