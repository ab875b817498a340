package duel

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// The end of a match can be played as on the moon: with moon_s its last seconds have a
// sixth of the gravity, from a tick on that is known when the match begins. It is
// announced moonLeadS before, and taken back when the match is decided. Nothing of it
// needs to be saved: it goes by the match's end.

const (
	moonPercent = 17 // a sixth
	moonLeadS   = 2
)

// Tables is what a match begins with.
func (d *Rules) Tables() []tables.Value { return d.pace.Tables() }

// moon says when the gravity changes.
func (d *Rules) moon(turn kit.Turn, ops []rules.Op) []rules.Op {
	m := &d.match
	if d.limits.moon == 0 || !m.Timed {
		return ops
	}
	from, tell := m.Ends-d.limits.moon, m.Ends-d.limits.moon-state.Tick(moonLeadS*d.rate)
	switch {
	case turn == kit.Decides:
		return append(ops, rules.ResetTables(0, false))
	case m.Phase != rules.Live || turn != kit.Begins && d.tick != tell:
	case turn != kit.Begins || kit.Due(d.tick, tell): // a match as short as that begins with it
		for _, v := range d.moonlit {
			ops = append(ops, rules.SetTable(v, from))
		}
		return append(ops, rules.Op{Kind: rules.OpAnnounce, Text: "The moon rises: you are about to weigh a sixth."})
	}
	return ops
}
