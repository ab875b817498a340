package scenario

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// roundsEvery is how often, in ticks, a player who cannot die is given rounds.
const roundsEvery = 2048

// Deathless adds to what rules decide that nobody is hurt, and that the rounds of
// the rifle do not run out: for measurements in which all stay alive.
func Deathless(r rules.Runner) rules.Runner { return &deathless{Runner: r} }

type deathless struct {
	rules.Runner
	more, ops []rules.Op
}

func (d *deathless) Submit(in *rules.TickIn) {
	d.more = d.more[:0]
	for i := range in.Players {
		p := &in.Players[i]
		if p.Flags&(state.Dead|state.Spectating) != 0 {
			continue
		}
		if p.Flags&state.Invulnerable == 0 {
			d.more = append(d.more, rules.Op{Kind: rules.OpSetFlags, ID: p.ID, Flags: state.Invulnerable})
		}
		if (in.Tick+state.Tick(p.ID)*17)%roundsEvery == 0 {
			d.more = append(d.more, rules.Op{Kind: rules.OpGive, ID: p.ID, Weapon: tables.Rifle, Value: 100})
		}
	}
	d.Runner.Submit(in)
}

func (d *deathless) Take() []rules.Op {
	d.ops = append(append(d.ops[:0], d.Runner.Take()...), d.more...)
	d.more = d.more[:0]
	return d.ops
}
