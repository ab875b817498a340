package teams

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
)

// phases moves the match on.
func (t *Rules) phases(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if !t.begun {
		t.begun = true
		percent := int32(0)
		if t.limits.friendly {
			percent = 100
		}
		ops = append(ops, rules.Op{Kind: rules.OpTeams, Value2: percent})
		return t.begin(rules.Warmup, t.limits.warmup, ops)
	}
	switch t.phase {
	case rules.Warmup:
		if kit.Due(t.tick, t.ends) && len(in.Players) > 0 {
			ops = t.begin(rules.Live, t.limits.live, ops)
			ops = append(ops,
				rules.Op{Kind: rules.OpAnnounce, Text: "Fight!"},
				rules.Op{Kind: rules.OpHUD, Text: "frag_limit=" + strconv.Itoa(t.limits.frags)})
			return t.fresh(in, ops)
		}
	case rules.Live:
		if why := t.finished(); why != "" {
			return t.over(in, why, ops)
		}
	case rules.Over:
		if kit.Due(t.tick, t.ends) {
			ops = append(ops, rules.Op{Kind: rules.OpEndMatch, Text: "the match is over"})
			ops = t.begin(rules.Warmup, t.limits.warmup, ops)
			return t.fresh(in, ops)
		}
	}
	return ops
}

// begin starts a phase of so many ticks; 0 ticks of a live phase have no end.
func (t *Rules) begin(phase rules.Phase, ticks state.Tick, ops []rules.Op) []rules.Op {
	t.phase, t.ends, t.timed = phase, t.tick+ticks, phase != rules.Live || ticks > 0
	op := rules.Op{Kind: rules.OpPhase, Value: phase}
	if t.timed {
		op.Value2 = int32(t.ends)
	}
	return append(ops, op)
}

// fresh clears the score and lets everyone enter anew.
func (t *Rules) fresh(in *rules.TickIn, ops []rules.Op) []rules.Op {
	ops = kit.Mend(ops)
	t.points, t.told = [3]int32{}, false
	for i := range t.roster.Players {
		p := &t.roster.Players[i]
		p.Kills, p.Deaths, p.Points, p.Told = 0, 0, 0, false
	}
	for i := range in.Players {
		if id := in.Players[i].ID; id.IsPlayer() {
			ops = t.enter(in, id, ops)
		}
	}
	return ops
}

// finished says why the live phase is over, "" when it is not.
func (t *Rules) finished() string {
	if t.timed && kit.Due(t.tick, t.ends) {
		return "time is up"
	}
	if n := int32(t.limits.frags); n > 0 && max(t.points[1], t.points[2]) >= n {
		return "the frag limit is reached"
	}
	return ""
}

func (t *Rules) over(in *rules.TickIn, why string, ops []rules.Op) []rules.Op {
	ops = t.begin(rules.Over, t.limits.over, ops)
	ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: t.verdict(why)})
	for i := range in.Players {
		ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: in.Players[i].ID, Flags: kit.Stop})
	}
	return ops
}

// verdict names the winner.
func (t *Rules) verdict(why string) string {
	a, b := t.points[1], t.points[2]
	if a == b {
		return "A draw: " + why + "."
	}
	team := uint8(1)
	if b > a {
		team, a, b = 2, b, a
	}
	return kit.TeamName(team) + " wins " + strconv.Itoa(int(a)) + " to " + strconv.Itoa(int(b)) + ": " + why + "."
}
