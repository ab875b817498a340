package bomb

import (
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Reaches in metres, and how slowly one has to stand to work, m/s.
const (
	pickUp  = 1.0
	atBomb  = 1.5
	upright = 1.5 // how far above or below
	still   = 0.5
)

// The blast: this much at the bomb, nothing from there on.
const (
	blastDamage = 500
	blastRadius = 25 // metres
)

// shownEvery is how many ticks pass between two words on how far the work is.
const shownEvery = 8

// handle is what becomes of the bomb in a tick: it falls with its carrier, is picked
// up, planted, disarmed.
func (b *Rules) handle(in *rules.TickIn, ops []rules.Op) []rules.Op {
	if !b.bomb.there || b.stage == after || b.stage == over {
		return ops
	}
	if id := b.bomb.carrier; id != 0 {
		row := find(in, id)
		if row != nil && (alive(row) || b.stage == freeze) {
			b.bomb.pos = row.Pos
		} else {
			ops = b.drop(ops)
		}
	}
	if !b.playing() {
		return ops
	}
	if b.stage == planted {
		return b.defuse(in, ops)
	}
	if b.bomb.carrier == 0 {
		for i := range in.Players {
			row := &in.Players[i]
			if row.ID.IsPlayer() && alive(row) && b.side(row.ID) == 1 && b.near(row, pickUp) {
				ops = b.carry(row.ID, ops)
				break
			}
		}
	}
	return b.plant(in, ops)
}

func (b *Rules) near(row *rules.PlayerRow, reach float32) bool {
	d := row.Pos.Sub(b.bomb.pos)
	return d.Len2() <= reach && vec.Abs(d.Z) <= upright
}

// carry hands the bomb to a player.
func (b *Rules) carry(id state.ID, ops []rules.Op) []rules.Op {
	b.bomb.carrier = id
	return append(ops, rules.Op{Kind: rules.OpCarry, ID: id},
		rules.Op{Kind: rules.OpHUD, ID: id, Text: "bomb=carried"})
}

// drop leaves the bomb where its carrier is.
func (b *Rules) drop(ops []rules.Op) []rules.Op {
	id := b.bomb.carrier
	b.bomb.carrier = 0
	ops = append(ops, rules.Op{Kind: rules.OpPlace, Pos: b.bomb.pos})
	if b.roster.Players[id].Known {
		ops = append(ops, rules.Op{Kind: rules.OpHUD, ID: id, Text: "bomb="})
	}
	return ops
}

// works reports whether a player stands still with use held.
func works(row *rules.PlayerRow) bool {
	return row != nil && alive(row) && row.Buttons&state.BtnUse != 0 && row.Flags&state.OnGround != 0 &&
		row.Vel.LenSq() <= still*still
}

// plant is the carrier's work in a site.
func (b *Rules) plant(in *rules.TickIn, ops []rules.Op) []rules.Op {
	row := find(in, b.bomb.carrier)
	if b.bomb.carrier == 0 || !works(row) || !b.inSite(row.Pos) {
		return b.stopWork(ops)
	}
	done, ops := b.goOn(row.ID, b.limits.plant, ops)
	if !done {
		return ops
	}
	b.bomb.carrier = 0
	ops = append(ops, rules.Op{Kind: rules.OpPlace, Pos: b.bomb.pos},
		rules.Op{Kind: rules.OpHUD, ID: row.ID, Text: "bomb="},
		rules.Op{Kind: rules.OpAnnounce, Text: "The bomb is planted."})
	b.earn(row.ID, paidPlant)
	b.award(row.ID)
	return b.begin(planted, b.limits.fuse, ops)
}

// defuse is a defender's work at the bomb: whoever began it goes on.
func (b *Rules) defuse(in *rules.TickIn, ops []rules.Op) []rules.Op {
	can := func(row *rules.PlayerRow) bool {
		return works(row) && row.ID.IsPlayer() && b.side(row.ID) == 2 && b.near(row, atBomb)
	}
	row := find(in, b.work.by)
	if !can(row) {
		ops, row = b.stopWork(ops), nil
		for i := range in.Players {
			if can(&in.Players[i]) {
				row = &in.Players[i]
				break
			}
		}
	}
	if row == nil {
		return ops
	}
	whole := b.limits.defuse
	if b.purse[row.ID].owns&hasKit != 0 {
		whole = max(whole/2, 1)
	}
	done, ops := b.goOn(row.ID, whole, ops)
	if !done {
		return ops
	}
	b.earn(row.ID, paidDefuse)
	b.award(row.ID)
	return b.won(in, 2, "the bomb was disarmed", ops)
}

// award is a point for the work.
func (b *Rules) award(id state.ID) {
	p := &b.roster.Players[id]
	p.Points, p.Told = p.Points+1, false
}

// goOn is one tick of work; it reports whether that was the last.
func (b *Rules) goOn(id state.ID, whole state.Tick, ops []rules.Op) (bool, []rules.Op) {
	if b.work.by != id {
		b.work = work{by: id}
	}
	b.work.done++
	if b.work.done >= whole {
		b.work = work{}
		return true, append(ops, rules.Op{Kind: rules.OpHUD, ID: id, Text: "work="})
	}
	if b.work.done%shownEvery == 1 {
		ops = append(ops, rules.Op{Kind: rules.OpHUD, ID: id, Text: "work=" + strconv.Itoa(int(b.work.done*100/whole))})
	}
	return false, ops
}

// stopWork forgets what had been done.
func (b *Rules) stopWork(ops []rules.Op) []rules.Op {
	if b.work.by != 0 && b.roster.Players[b.work.by].Known {
		ops = append(ops, rules.Op{Kind: rules.OpHUD, ID: b.work.by, Text: "work="})
	}
	b.work = work{}
	return ops
}

// blast hurts everybody near the bomb.
func (b *Rules) blast(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		row := &in.Players[i]
		if !row.ID.IsPlayer() || !alive(row) {
			continue
		}
		part := 1 - row.Pos.Dist(b.bomb.pos)/blastRadius
		if hurt := vec.Floor(float32(part * blastDamage)); hurt > 0 {
			ops = append(ops, rules.Op{Kind: rules.OpDamage, ID: row.ID, Value: hurt})
		}
	}
	return ops
}
