package duel

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
)

// phases moves the match on.
func (d *Rules) phases(in *rules.TickIn, ops []rules.Op) []rules.Op {
	turn, why, ops := d.match.Step(d.tick, d.limits.lengths, len(in.Players), d.reached(in), ops)
	ops = d.moon(turn, ops)
	switch turn {
	case kit.Begins:
		ops = append(ops, rules.Op{Kind: rules.OpHUD, Text: "frag_limit=" + strconv.Itoa(d.limits.frags)})
		return d.fresh(in, ops)
	case kit.Resets:
		return d.fresh(in, ops)
	case kit.Decides:
		ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: d.verdict(in, why)})
		return kit.Hold(in, ops)
	}
	return ops
}

// fresh clears the score and lets everyone enter anew.
func (d *Rules) fresh(in *rules.TickIn, ops []rules.Op) []rules.Op {
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

// reached says that the frag limit is, "" when it is not.
func (d *Rules) reached(in *rules.TickIn) string {
	if d.limits.frags > 0 {
		for i := range in.Players {
			if id := in.Players[i].ID; id.IsPlayer() && int(d.players[id].points) >= d.limits.frags {
				return "the frag limit is reached"
			}
		}
	}
	return ""
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
