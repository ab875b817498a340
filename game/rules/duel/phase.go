package duel

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
)

// phases moves the match on.
func (d *Rules) phases(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if !d.begun {
		d.begun = true
		return d.begin(rules.Warmup, d.limits.warmup, ops)
	}
	switch d.phase {
	case rules.Warmup:
		if d.due(d.ends) && len(in.Players) > 0 {
			return d.live(in, ops)
		}
	case rules.Live:
		if why := d.finished(in); why != "" {
			return d.over(in, why, ops)
		}
	case rules.Over:
		if d.due(d.ends) {
			ops = append(ops, rules.Op{Kind: rules.OpEndMatch, Text: "the match is over"})
			ops = d.begin(rules.Warmup, d.limits.warmup, ops)
			return d.fresh(in, ops)
		}
	}
	return ops
}

// begin starts a phase of so many ticks; 0 ticks of a live phase have no end.
func (d *Rules) begin(phase rules.Phase, ticks state.Tick, ops []rules.Op) []rules.Op {
	d.phase, d.ends, d.timed = phase, d.tick+ticks, phase != rules.Live || ticks > 0
	op := rules.Op{Kind: rules.OpPhase, Value: phase}
	if d.timed {
		op.Value2 = int32(d.ends)
	}
	return append(ops, op)
}

func (d *Rules) live(in *rules.TickIn, ops []rules.Op) []rules.Op {
	ops = d.begin(rules.Live, d.limits.live, ops)
	ops = append(ops,
		rules.Op{Kind: rules.OpAnnounce, Text: "Fight!"},
		rules.Op{Kind: rules.OpHUD, Text: "frag_limit=" + strconv.Itoa(d.limits.frags)})
	return d.fresh(in, ops)
}

// fresh clears the score and lets everyone enter anew.
func (d *Rules) fresh(in *rules.TickIn, ops []rules.Op) []rules.Op {
	ops = kit.Mend(ops)
	for i := range d.players {
		p := &d.players[i]
		p.kills, p.deaths, p.points, p.told = 0, 0, 0, false
	}
	for i := range in.Players {
		if id := in.Players[i].ID; id.IsPlayer() {
			ops = d.enter(in, id, ops)
		}
	}
	return ops
}

// finished says why the live phase is over, "" when it is not.
func (d *Rules) finished(in *rules.TickIn) string {
	if d.timed && d.due(d.ends) {
		return "time is up"
	}
	if d.limits.frags > 0 {
		for i := range in.Players {
			if id := in.Players[i].ID; id.IsPlayer() && int(d.players[id].points) >= d.limits.frags {
				return "the frag limit is reached"
			}
		}
	}
	return ""
}

func (d *Rules) over(in *rules.TickIn, why string, ops []rules.Op) []rules.Op {
	ops = d.begin(rules.Over, d.limits.over, ops)
	ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: d.verdict(in, why)})
	for i := range in.Players {
		ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: in.Players[i].ID, Flags: kit.Stop})
	}
	return ops
}

// verdict names the winner.
func (d *Rules) verdict(in *rules.TickIn, why string) string {
	best, tie := state.ID(0), false
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() {
			continue
		}
		switch {
		case best == 0 || d.players[id].points > d.players[best].points:
			best, tie = id, false
		case d.players[id].points == d.players[best].points:
			tie = true
		}
	}
	if best == 0 || tie {
		return "A draw: " + why + "."
	}
	name := d.players[best].name
	if name == "" {
		name = "Player " + strconv.Itoa(int(best))
	}
	return name + " wins with " + strconv.Itoa(int(d.players[best].points)) + ": " + why + "."
}
