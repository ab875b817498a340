package main

import (
	"errors"
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

var schema = append(rules.Schema{
	{Name: "kill_limit", Usual: 10, Max: 1000, Help: "kills that win; 0 has no limit"},
	{Name: "respawn_s", Usual: 2, Max: 60, Unit: "s", Help: "how long the dead wait"},
}, sdk.PaceSchema()...) // gravity_pct, speed_pct

// Spec names the rules and their settings. On a server these are newrules.kill_limit and
// so on.
func Spec() rules.Spec {
	return rules.Spec{
		Name: "newrules", Version: "0.1.0",
		Help:   "Everybody against everybody; the first to reach the limit wins, and it begins again.",
		Schema: schema,
		New:    func() rules.Rules { return &game{} },
	}
}

// game is one match. What Save holds comes back after a crash; the rest follows from
// the Match.
type game struct {
	enters sdk.Entrances
	pace   sdk.Pace
	limit  int
	wait   state.Tick
	rate   int

	// Saved.
	begun bool
	kills [state.MaxPlayers + 1]uint16
	lives [state.MaxPlayers + 1]sdk.Life
}

// Start begins a match, or goes on from m.Saved.
func (g *game) Start(m *rules.Match) error {
	v, err := schema.Values("newrules", m.Settings)
	switch {
	case err != nil:
		return err
	case len(m.Spawns) == 0:
		return errors.New("newrules: the level has no place to enter")
	case m.TickRate < 1 || m.TickRate > 1000:
		return errors.New("newrules: the tick rate is not within 1 to 1000")
	}
	*g = game{enters: sdk.Entrances{Seed: m.Seed, Spawns: append([]rules.Spawn(nil), m.Spawns...)}, rate: m.TickRate}
	g.limit, g.wait, g.pace = v[0], state.Tick(v[1]*m.TickRate), sdk.PaceOf(v[2:], &m.Tables)
	if m.Saved == nil {
		return nil
	}
	r := &sdk.StateReader{B: m.Saved}
	r.Bits(&g.begun)
	for id := range g.kills {
		g.kills[id] = r.U16()
		g.lives[id].Restore(r)
	}
	if !r.Done() {
		return errors.New("newrules: the saved state is damaged or of another version")
	}
	return nil
}

// Tables is what the match begins with that the server's tables do not say; rules that
// have no such method play with those. rules.SetTable changes them while it runs.
func (g *game) Tables() []sdk.TableValue { return g.pace.Tables() }

// Tick is told what happened in a tick and appends what is to happen at the start of
// the next. The same ticks must give the same operations: no clock, no dice but
// sdk.Random of Match.Seed and the tick. in may not be kept.
func (g *game) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	g.enters.Tick(in.Tick)
	if !g.begun {
		g.begun = true
		ops = append(ops, rules.Op{Kind: rules.OpPhase, Value: rules.Live})
	}
	for _, id := range in.Left {
		if id.IsPlayer() {
			g.kills[id], g.lives[id] = 0, sdk.Life{}
		}
	}
	for i := range in.Events {
		e := &in.Events[i]
		if e.Kind != state.EvKill || !e.Actor.IsPlayer() || e.Actor == e.Target {
			continue
		}
		g.kills[e.Actor]++
		n := int(g.kills[e.Actor])
		ops = append(ops, rules.Op{Kind: rules.OpScore, ID: e.Actor, Value: int32(n), Value3: int32(n)})
		if g.limit > 0 && n >= g.limit {
			ops = append(ops, rules.Op{Kind: rules.OpAnnounce, Text: "Player " + strconv.Itoa(int(e.Actor)) + " wins."})
			g.kills = [state.MaxPlayers + 1]uint16{}
			// A round ends and the next begins: here other rules can take over.
			ops = append(ops, rules.Op{Kind: rules.OpPhase, Value: rules.Live})
			break
		}
	}
	terms := sdk.Terms{Tick: in.Tick, Rate: g.rate, Die: g.wait, Wait: g.wait}
	for i := range in.Players {
		row := &in.Players[i]
		if !row.ID.IsPlayer() {
			continue
		}
		life := &g.lives[row.ID]
		var enters bool
		if enters, ops = life.Care(terms, in, row, ops); enters {
			ops = life.Enter(terms, row.ID, g.enters.Pick(in, sdk.Who{ID: row.ID}), ops)
		}
	}
	return ops
}

// Save returns everything that later ticks depend on.
func (g *game) Save() []byte {
	w := &sdk.StateWriter{}
	w.Bits(g.begun)
	for id := range g.kills {
		w.U16(g.kills[id])
		g.lives[id].Save(w)
	}
	return w.B
}
