package rules

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// MaxTables is how many values a match may begin with that are not the server's: half
// of a change, so that what one set of rules began with can be undone and what the next
// begins with be done in one.
const MaxTables = tables.MaxChange / 2

// HasTables is Rules that begin a match with other tables than the server has.
type HasTables interface {
	// Tables returns what differs from Match.Tables, at most MaxTables values. It is
	// called once, after Start, and answers the same to the same Match: of rules that
	// begin again in the middle of a match it does not count.
	Tables() []tables.Value
}

// TablesOf returns what rules, or a Runner of them, want a match to begin with; nothing
// of those that do not care.
func TablesOf(r any) []tables.Value {
	if h, ok := r.(HasTables); ok {
		return h.Tables()
	}
	return nil
}

// Begin returns the tables of a match that begins with vs, which are set itself when
// there are none. The error is one sentence that fits behind "the rules want ".
func Begin(set *tables.Set, vs []tables.Value) (tables.Set, error) {
	if len(vs) == 0 {
		return *set, nil
	}
	if len(vs) > MaxTables {
		return tables.Set{}, fmt.Errorf("a match that begins with %d values of the tables other than the server's, and at most %d may be", len(vs), MaxTables)
	}
	to, err := set.With(vs)
	if err != nil {
		return tables.Set{}, fmt.Errorf("a match that begins with tables that cannot be: %w", err)
	}
	return to, nil
}

// SetTable is the operation that makes a number of the tables another from a tick on,
// on the server and with every client: from its beginning that tick runs on it. It is
// told ahead by a second at least: from 0, or one that is too early, means as early as
// can be. It is a tick as rules are told them, without the time that a match stood still.
//
// All that one answer says of one tick is one change, of at most tables.MaxChange
// values: it is done as a whole, or not at all when one of them is wrong or they
// contradict each other (what is nonsense by itself, with a number that is none or a text
// that is too long, is no part of it). Changes hold in the order in which they were wanted: each
// builds on the one before it, and none holds sooner.
func SetTable(v tables.Value, from state.Tick) Op {
	return Op{Kind: OpTable, Text: v.Name, Pos: vec.V3{X: v.To}, Value: int32(from)}
}

// ResetTables is the operation that makes all numbers what the match began with, from a
// tick on. Before others of the same change: those are changed from there.
//
// With own they are what the server has, without what rules wanted to begin with, what
// was wanted before for later ticks is forgotten, and what this change makes of them is
// what a match "began with" from then on: so do rules begin that take over from others.
func ResetTables(from state.Tick, own bool) Op {
	op := Op{Kind: OpTable, Value: int32(from)}
	if own {
		op.Value2 = 1
	}
	return op
}

// TableValue is the value that an OpTable sets; with no name it is a ResetTables.
func (o *Op) TableValue() tables.Value { return tables.Value{Name: o.Text, To: o.Pos.X} }
