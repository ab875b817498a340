package wire

import "github.com/sightline-engine/sightline/game/state"

// The parts below are what net/snapshot puts between the records. Each is a value
// that is written, and returned as it is read.

// Packed reports, in a range coded snapshot, that it is not: a packed one begins with
// sixteen ones, which a range coded one never does.
func (c *Coder) Packed() bool { return c.bit(mPlain, 0, "packed", false) }

// AsPredicted says that the own state is left to the client's prediction.
func (c *Coder) AsPredicted(is bool) bool { return c.bit(mAsPredicted, 0, "as predicted", is) }

// Hash codes a sum of the own state.
func (c *Coder) Hash(h uint16) uint16 { return uint16(c.raw("hash", uint64(h), 16)) }

// Lists of a snapshot.
const (
	OfDoors = iota
	OfRemoved
	OfEvents
	OfRecords
	OfLoose
)

// More says that a list goes on.
func (c *Coder) More(list int, is bool) bool { return c.bit(mMore, list, "more", is) }

// DoorIndex codes which door, after the one before.
func (c *Coder) DoorIndex(i, before int) int {
	return before + 1 + int(c.num(mDoorNum, 1, "door", uint32(i-before-1), 4))
}

// MorePieces says that the list of breakable pieces goes on.
func (c *Coder) MorePieces(is bool) bool { return c.bit(mDoor, 2, "more pieces", is) }

// PieceIndex codes which piece, after the one before.
func (c *Coder) PieceIndex(i, before int) int {
	return before + 1 + int(c.num(mDoorNum, 1, "piece", uint32(i-before-1), 4))
}

// Piece codes a piece's state at a tick.
func (c *Coder) Piece(p *state.Piece, tick state.Tick) {
	p.Broken = c.bit(mDoor, 3, "broken", p.Broken)
	p.At = tick + uint32(c.off(mDoorNum, 0, "since, after the snapshot", int32(p.At-tick), 5))
}

// Slot codes a subject's number, after the one before in its list.
func (c *Coder) Slot(list, n, before int) int {
	ctx := 0
	switch list {
	case OfRecords:
		ctx = 1
	case OfLoose:
		ctx = 2
	}
	return before + 1 + int(c.num(mGap, ctx, "subject", uint32(n-before-1), 1))
}

// EventNumber codes an event's number: of the first of a packet against the number
// after the last that the base told of, of others against the one before.
func (c *Coder) EventNumber(n, after uint32, first bool) uint32 {
	ctx := 0
	if first {
		ctx = 1
	}
	return after + uint32(c.off(mEventNum, ctx, "number", int32(n-after), 0))
}

// EventAge codes how many ticks ago an event happened.
func (c *Coder) EventAge(age state.Tick) state.Tick {
	return c.num(mEventAge, 0, "age in ticks", age, 2)
}

// What a packet says of a subject that its base has a record of.
const (
	Nothing = iota
	Again
	Leaves
	numAgain
)

// Again codes what there is of a subject of the base packet, whose record it shows.
func (c *Coder) Again(what int, base *Rec) int {
	return c.pick(mAgain, gaitOf(&base.Ent)*sizes+int(base.mood), "again", what)
}

// Full says that a record has no base.
func (c *Coder) Full(is bool) bool { return c.bit(mWhole, 1, "full", is) }

// Age codes how many packets before the base packet a record's base was sent.
func (c *Coder) Age(n int) int { return c.pick(mAge, 0, "packets before the base", n) }

// LooseAge codes how many packets ago the base of a loose record was sent.
func (c *Coder) LooseAge(n int) int { return c.pick(mAge, 1, "packets ago", n) }

// Generation codes how often a subject's number was given, in 4 bits.
func (c *Coder) Generation(g uint8) uint8 { return uint8(c.raw("generation", uint64(g), 4)) }

// Whole says that whoever is not mentioned is as it was told before.
func (c *Coder) Whole(is bool) bool { return c.bit(mWhole, 0, "whole", is) }
