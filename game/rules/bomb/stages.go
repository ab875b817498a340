package bomb

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// stages moves the match on.
func (b *Rules) stages(in *rules.TickIn, ops []rules.Op) []rules.Op {
	due := kit.Due(b.tick, b.ends)
	switch b.stage {
	case warmup:
		if due && b.roster.Count(1) > 0 && b.roster.Count(2) > 0 {
			return b.match(in, ops)
		}
	case freeze:
		if due {
			ops = append(b.begin(live, b.limits.round, ops), rules.Op{Kind: rules.OpAnnounce, Text: "Go!"})
			return release(in, ops)
		}
	case live, planted:
		return b.decide(in, due, ops)
	case after:
		if !due {
			break
		}
		if why := b.decided(); why != "" {
			return b.finish(in, why, ops)
		}
		if b.roster.Count(1) == 0 || b.roster.Count(2) == 0 {
			return b.rest(in, ops)
		}
		b.round++
		return b.begins(in, ops)
	case over:
		if due {
			ops = append(ops, rules.Op{Kind: rules.OpEndMatch, Text: "the match is over"})
			return b.rest(in, ops)
		}
	}
	return ops
}

// begin starts a stage of so many ticks.
func (b *Rules) begin(s stage, ticks state.Tick, ops []rules.Op) []rules.Op {
	b.stage, b.ends, b.told = s, b.tick+ticks, false
	phase := rules.Live
	switch s {
	case warmup:
		phase = rules.Warmup
	case over:
		phase = rules.Over
	}
	return append(ops, rules.Op{Kind: rules.OpPhase, Value: phase, Value2: int32(b.ends)})
}

// rest goes back to the warmup.
func (b *Rules) rest(in *rules.TickIn, ops []rules.Op) []rules.Op {
	b.bomb, b.work = bomb{}, work{}
	ops = b.begin(warmup, b.limits.warmup, ops)
	return b.all(in, ops)
}

// match begins with the first round.
func (b *Rules) match(in *rules.TickIn, ops []rules.Op) []rules.Op {
	b.round, b.wins = 0, [3]int{}
	for i := range b.roster.Players {
		p := &b.roster.Players[i]
		p.Kills, p.Deaths, p.Points, p.Told = 0, 0, 0, false
	}
	return b.begins(in, ops)
}

// begins is the beginning of a round.
func (b *Rules) begins(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if b.firstOfHalf() {
		b.lost = [3]int{}
		for i := range b.purse {
			b.purse[i] = purse{money: b.limits.money}
		}
	}
	ops = kit.Mend(b.begin(freeze, b.limits.freeze, ops))
	ops = b.all(in, ops)
	ops = kit.Hold(in, ops)
	b.work = work{}
	return b.handOut(in, ops)
}

// firstOfHalf reports whether the sides have just been swapped, or the match begun.
func (b *Rules) firstOfHalf() bool {
	half, r := b.limits.half, b.round
	if r >= 2*half && b.limits.overtime > 0 {
		half, r = b.limits.overtime, r-2*half
	}
	return r%half == 0
}

// all lets everybody enter.
func (b *Rules) all(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		if id := in.Players[i].ID; id.IsPlayer() {
			ops = b.enter(in, id, ops)
		}
	}
	return ops
}

// release lets everybody go whom kit.Hold stood still.
func release(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: in.Players[i].ID, Flags2: kit.Stop})
	}
	return ops
}

// handOut gives the bomb to one of the attackers.
func (b *Rules) handOut(in *rules.TickIn, ops []rules.Op) []rules.Op {
	b.bomb = bomb{there: true}
	n := 0
	for i := range in.Players {
		if id := in.Players[i].ID; id.IsPlayer() && b.side(id) == 1 {
			n++
		}
	}
	if n == 0 {
		return ops
	}
	r := vec.NewRand(b.enters.Seed, uint64(b.tick), 0xb0b)
	k := r.Intn(n)
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() || b.side(id) != 1 {
			continue
		}
		if k == 0 {
			return b.carry(id, ops)
		}
		k--
	}
	return ops
}

// decide ends a round that is decided.
func (b *Rules) decide(in *rules.TickIn, due bool, ops []rules.Op) []rules.Op {
	attackers, allA := b.left(in, 1)
	defenders, allD := b.left(in, 2)
	switch {
	case b.stage == planted && due:
		ops = b.blast(in, ops)
		return b.won(in, 1, "the bomb went off", ops)
	case defenders == 0 && (allD > 0 || b.stage == planted):
		return b.won(in, 1, "no defender is left", ops)
	case b.stage == live && attackers == 0 && allA > 0:
		return b.won(in, 2, "no attacker is left", ops)
	case b.stage == live && due:
		return b.won(in, 2, "time is up", ops)
	case allA == 0 || allD == 0:
		return b.rest(in, ops)
	}
	return ops
}

// won ends the round for a side.
func (b *Rules) won(in *rules.TickIn, side uint8, why string, ops []rules.Op) []rules.Op {
	team := b.attackers()
	if side == 2 {
		team = 3 - team
	}
	b.wins[team]++
	ops = b.pay(in, team, why, ops)
	b.lost[team] = 0
	b.lost[3-team]++
	b.work = work{}
	ops = b.begin(after, b.limits.after, ops)
	return append(ops, rules.Op{Kind: rules.OpAnnounce, Text: kit.TeamName(team) + " wins the round: " + why + "."})
}

// decided says why the match is over, "" when it is not.
func (b *Rules) decided() string {
	half, played := b.limits.half, b.round+1
	hi, lo := max(b.wins[1], b.wins[2]), min(b.wins[1], b.wins[2])
	switch {
	case played <= 2*half && hi > half:
		return b.winner()
	case played < 2*half:
		return ""
	case played == 2*half && b.limits.overtime == 0: // nobody has more than half
		return "A draw, " + strconv.Itoa(b.wins[1]) + " to " + strconv.Itoa(b.wins[2]) + "."
	}
	// Overtime: pairs of halves of so many rounds; who cannot be caught has won.
	span := 2 * b.limits.overtime
	if hi-lo > (span-(played-2*half)%span)%span {
		return b.winner()
	}
	return ""
}

func (b *Rules) winner() string {
	team := uint8(1)
	if b.wins[2] > b.wins[1] {
		team = 2
	}
	return kit.TeamName(team) + " wins the match " + strconv.Itoa(b.wins[team]) + " to " + strconv.Itoa(b.wins[3-team]) + "."
}

func (b *Rules) finish(in *rules.TickIn, why string, ops []rules.Op) []rules.Op {
	ops = b.begin(over, b.limits.over, ops)
	ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: why})
	return kit.Hold(in, ops)
}

// tell sends what has changed of the score.
func (b *Rules) tell(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if !b.told {
		b.told = true
		ops = append(ops,
			rules.Op{Kind: rules.OpHUD, Text: "stage=" + stageNames[b.stage]},
			rules.Op{Kind: rules.OpHUD, Text: "round=" + strconv.Itoa(b.round+1)},
			rules.Op{Kind: rules.OpHUD, Text: "attackers=" + kit.TeamName(b.attackers())},
			rules.Op{Kind: rules.OpHUD, Text: "teams=" + strconv.Itoa(b.wins[1]) + ":" + strconv.Itoa(b.wins[2])})
	}
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() || b.purse[id].told {
			continue
		}
		b.purse[id].told = true
		ops = append(ops, rules.Op{Kind: rules.OpHUD, ID: id, Text: "money=" + strconv.Itoa(int(b.purse[id].money))})
	}
	return b.roster.Tell(in, ops)
}

var stageNames = [numStages]string{"warmup", "buy", "live", "planted", "decided", "over"}
