package bomb

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// What is earned. A lost round pays more the more have been lost in a row, so that
// nobody is out of the match for lack of money.
const (
	mostMoney  = 16000
	paidWin    = 3000
	paidLoss   = 1400
	paidMore   = 500 // for each further loss in a row, at most four
	paidKill   = 300
	paidPlant  = 300 // to who planted
	paidDefuse = 300
	paidTried  = 800 // to attackers who lost with the bomb planted
	fineMate   = 300 // for killing a mate
)

// rounds of the rifle that everybody has.
const freeRounds = 30

// thing is something for sale.
type thing struct {
	name  string
	price int32
	bit   uint8
}

// What is for sale. Things are kept by who lives through a round.
const (
	hasAmmo uint8 = 1 << iota
	hasRocket
	hasArmor
	hasKit
	allThings = hasAmmo | hasRocket | hasArmor | hasKit
)

var things = [...]thing{
	{"ammo", 500, hasAmmo}, {"rocket", 2700, hasRocket}, {"armor", 650, hasArmor}, {"kit", 400, hasKit},
}

const boughtArmor = 50

// purse is what a player owns.
type purse struct {
	money int32
	owns  uint8
	told  bool
}

func (b *Rules) earn(id state.ID, amount int32) {
	p := &b.purse[id]
	p.money, p.told = min(max(p.money+amount, 0), mostMoney), false
}

// pay gives everybody what the round was worth, and takes the things of the dead.
func (b *Rules) pay(in *rules.TickIn, winner uint8, why string, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		row := &in.Players[i]
		if !row.ID.IsPlayer() {
			continue
		}
		if !alive(row) {
			b.purse[row.ID].owns = 0
		}
		team := b.roster.Players[row.ID].Team
		if team == winner {
			b.earn(row.ID, paidWin)
			continue
		}
		amount := int32(paidLoss + paidMore*min(b.lost[team], 4))
		if b.stage == planted && b.side(row.ID) == 1 {
			amount += paidTried
		}
		b.earn(row.ID, amount)
	}
	return ops
}

// equip arms a player who has just entered.
func (b *Rules) equip(id state.ID, ops []rules.Op) []rules.Op {
	owns := b.purse[id].owns
	if b.stage == warmup {
		return ops // with whatever the tables give
	}
	if owns&hasAmmo == 0 {
		ops = append(ops, rules.Op{Kind: rules.OpTake, ID: id, Weapon: tables.Rifle},
			rules.Op{Kind: rules.OpGive, ID: id, Weapon: tables.Rifle, Value: freeRounds})
	}
	if owns&hasRocket == 0 {
		ops = append(ops, rules.Op{Kind: rules.OpTake, ID: id, Weapon: tables.Rocket})
	}
	for _, t := range things {
		if owns&t.bit != 0 {
			ops = hand(id, t.bit, ops)
		}
	}
	return ops
}

// hand gives one thing.
func hand(id state.ID, bit uint8, ops []rules.Op) []rules.Op {
	switch bit {
	case hasAmmo:
		return append(ops, rules.Op{Kind: rules.OpGive, ID: id, Weapon: tables.Rifle, Value: 120})
	case hasRocket:
		return append(ops, rules.Op{Kind: rules.OpGive, ID: id, Weapon: tables.Rocket, Value: 5})
	case hasArmor:
		return append(ops, rules.Op{Kind: rules.OpHeal, ID: id, Value2: boughtArmor})
	}
	return ops
}

// chat carries out what players asked for.
func (b *Rules) chat(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Chat {
		c := &in.Chat[i]
		word, rest, ok := kit.Command(c.Text)
		if !ok || !c.ID.IsPlayer() || !b.roster.Players[c.ID].Known {
			continue
		}
		why := ""
		switch word {
		case "buy":
			why, ops = b.buy(in, c.ID, rest, ops)
		case "drop":
			if c.ID == b.bomb.carrier && b.playing() {
				ops = b.drop(ops)
			}
		case "team":
			why, ops = b.change(in, c.ID, rest, ops)
		}
		if why != "" {
			ops = append(ops, rules.Op{Kind: rules.OpAnnounce, ID: c.ID, Text: why})
		}
	}
	return ops
}

func (b *Rules) buy(in *rules.TickIn, id state.ID, name string, ops []rules.Op) (string, []rules.Op) {
	row := find(in, id)
	if b.stage != freeze || row == nil || !alive(row) {
		return "There is buying only before a round.", ops
	}
	p := &b.purse[id]
	for _, t := range things {
		switch {
		case t.name != name:
		case p.owns&t.bit != 0:
			return "You have that.", ops
		case p.money < t.price:
			return "That costs " + strconv.Itoa(int(t.price)) + "; you have " + strconv.Itoa(int(p.money)) + ".", ops
		default:
			p.owns |= t.bit
			b.earn(id, -t.price)
			return "", hand(id, t.bit, ops)
		}
	}
	list := ""
	for _, t := range things {
		if list != "" {
			list += ", "
		}
		list += t.name + " " + strconv.Itoa(int(t.price))
	}
	return "For sale: " + list + ".", ops
}

// change moves a player to the other team, as long as they stay even. It sits the
// round out.
func (b *Rules) change(in *rules.TickIn, id state.ID, name string, ops []rules.Op) (string, []rules.Op) {
	team := kit.TeamOf(name)
	if team == 0 {
		return "There are the teams red and blue.", ops
	}
	if why := b.roster.Change(id, team); why != "" {
		return why, ops
	}
	if b.bomb.carrier == id {
		ops = b.drop(ops)
	}
	if row := find(in, id); row != nil && alive(row) {
		ops = append(ops, rules.Op{Kind: rules.OpKillOff, ID: id})
	}
	b.roster.Players[id].TeamTold = true
	b.purse[id] = purse{money: min(b.purse[id].money, b.limits.money)}
	return "You are on team " + kit.TeamName(team) + ".", append(ops, rules.Op{Kind: rules.OpSetTeam, ID: id, Value: int32(team)})
}

// score counts kills.
func (b *Rules) score(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Events {
		e := &in.Events[i]
		if e.Kind != state.EvKill || !b.playing() {
			continue
		}
		if b.roster.Kill(e) != 0 {
			b.earn(e.Actor, paidKill)
		} else if e.Actor.IsPlayer() && e.Actor != e.Target {
			b.earn(e.Actor, -fineMate)
		}
	}
	return ops
}
