package teams

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
)

// phases moves the match on.
func (t *Rules) phases(in *rules.TickIn, ops []rules.Op) []rules.Op {
	turn, why, ops := t.match.Step(t.tick, t.limits.lengths, len(in.Players), t.reached(), ops)
	switch turn {
	case kit.Opens:
		percent := int32(0)
		if t.limits.friendly {
			percent = 100
		}
		return append(ops, rules.Op{Kind: rules.OpTeams, Value2: percent})
	case kit.Begins:
		ops = append(ops, rules.Op{Kind: rules.OpHUD, Text: "frag_limit=" + strconv.Itoa(t.limits.frags)})
		return t.fresh(in, ops)
	case kit.Resets:
		return t.fresh(in, ops)
	case kit.Decides:
		ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: t.verdict(why)})
		return kit.Hold(in, ops)
	}
	return ops
}

// fresh clears the score and lets everyone enter anew.
func (t *Rules) fresh(in *rules.TickIn, ops []rules.Op) []rules.Op {
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

// reached says that the frag limit is, "" when it is not.
func (t *Rules) reached() string {
	if n := int32(t.limits.frags); n > 0 && max(t.points[1], t.points[2]) >= n {
		return "the frag limit is reached"
	}
	return ""
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
