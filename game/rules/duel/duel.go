package duel

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Spec names the rules for whoever offers a choice.
func Spec() rules.Spec {
	return rules.Spec{
		Name: "duel", Version: "1.0.0",
		Help: "free-for-all deathmatch", Schema: schema,
		New: func() rules.Rules { return New() },
	}
}

// Rules is one match. Make it with New.
type Rules struct {
	rate   int
	enters kit.Entrances
	limits limits
	pace   kit.Pace
	// moonlit is what changes in the last seconds, with moon_s.
	moonlit []tables.Value

	// What Save holds.
	tick    state.Tick
	match   kit.Phases
	players [state.MaxPlayers + 1]player
}

type limits struct {
	frags              int
	lengths            kit.Lengths
	wait, protect, die state.Tick
	scoped, suppressed int // percent
	moon               state.Tick
}

// player is what is remembered of one.
type player struct {
	kit.Life
	known                 bool
	bot                   bool
	name                  string
	kills, deaths, points int16
	told                  bool // its row of the score has been sent
}

// New returns rules that wait for Start.
func New() *Rules { return &Rules{} }

var schema = append(rules.Schema{
	{Name: "frag_limit", Usual: 20, Max: 1000, Help: "points that end a match; 0 has no limit"},
	{Name: "time_limit_s", Usual: 600, Max: 86400, Unit: "s", Help: "how long a match lasts; 0 has no limit"},
	{Name: "warmup_s", Usual: 3, Max: 600, Unit: "s", Help: "how long people play about before a match"},
	{Name: "over_s", Usual: 8, Max: 600, Unit: "s", Help: "how long the score is shown after a match"},
	{Name: "respawn_s", Usual: 3, Max: 60, Unit: "s", Help: "after which the dead return by themselves"},
	{Name: "protect_s", Usual: 1, Max: 60, Unit: "s", Help: "for which nobody can be hurt who has just entered"},
	{Name: "scoped_pct", Max: 100, Unit: "%", Help: "share of players who carry an 8x or a 4x optic"},
	{Name: "suppressed_pct", Max: 100, Unit: "%", Help: "share of players who carry a suppressor"},
	{Name: "moon_s", Max: 3600, Unit: "s", Help: "for so long at its end a match with a time limit is played at a sixth of the gravity; 0: never"},
}, kit.PaceSchema()...)

// Start begins a match, or continues the saved one.
func (d *Rules) Start(m *rules.Match) error {
	if m.TickRate < 1 || m.TickRate > 1000 {
		return fmt.Errorf("duel: tick rate %d is not within 1 to 1000", m.TickRate)
	}
	if len(m.Spawns) == 0 {
		return fmt.Errorf("duel: level %s has no spawn", m.Level)
	}
	v, err := schema.Values("duel", m.Settings)
	if err != nil {
		return err
	}
	rate := state.Tick(m.TickRate)
	dead := vec.Floor(float32(m.Tables.Items.RespawnMS*float32(m.TickRate))/1000 + 0.5)
	*d = Rules{rate: m.TickRate, enters: kit.Entrances{Seed: m.Seed, Spawns: append([]rules.Spawn(nil), m.Spawns...)}}
	d.limits = limits{
		frags: v[0], lengths: kit.Lengths{Live: state.Tick(v[1]) * rate, Warmup: state.Tick(v[2]) * rate, Over: state.Tick(v[3]) * rate},
		wait: state.Tick(v[4]) * rate, protect: state.Tick(v[5]) * rate, die: state.Tick(max(dead, 0)),
		scoped: v[6], suppressed: v[7], moon: state.Tick(v[8]) * rate,
	}
	d.pace = kit.PaceOf(v[9:], &m.Tables)
	begun, err := rules.Begin(&m.Tables, d.pace.Tables())
	if err != nil {
		return fmt.Errorf("duel wants %w", err)
	}
	d.moonlit = kit.Scaled(nil, &begun, moonPercent, "movement.gravity")
	if m.Saved != nil {
		return d.restore(m.Saved)
	}
	for _, p := range m.Roster {
		d.join(p)
	}
	return nil
}

func (d *Rules) join(m rules.Member) {
	if m.ID.IsPlayer() {
		d.players[m.ID] = player{known: true, bot: m.Bot, name: kit.Clip(m.Name)}
	}
}

// Tick is one tick: who came and went, what was scored, the phase, who enters.
func (d *Rules) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	d.tick = in.Tick
	d.enters.Tick(in.Tick)
	for _, m := range in.Joined {
		d.join(m)
	}
	for _, id := range in.Left {
		if id.IsPlayer() {
			d.players[id] = player{}
		}
	}
	for i := range in.Players {
		if id := in.Players[i].ID; id.IsPlayer() && !d.players[id].known {
			d.players[id] = player{known: true}
		}
	}
	ops = d.phases(in, ops)
	ops = d.score(in, ops)
	for i := range in.Players {
		if in.Players[i].ID.IsPlayer() {
			ops = d.care(in, &in.Players[i], ops)
		}
	}
	return ops
}

// score counts this tick's kills and tells every row that changed.
func (d *Rules) score(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Events {
		e := &in.Events[i]
		if e.Kind != state.EvKill || d.match.Phase != rules.Live || !e.Target.IsPlayer() {
			continue
		}
		t := &d.players[e.Target]
		t.deaths, t.told = kit.Inc(t.deaths, 1), false
		if e.Actor == e.Target || !e.Actor.IsPlayer() {
			t.points = kit.Inc(t.points, -1)
			continue
		}
		a := &d.players[e.Actor]
		a.kills, a.points, a.told = kit.Inc(a.kills, 1), kit.Inc(a.points, 1), false
	}
	for i := range in.Players {
		id := in.Players[i].ID
		if !id.IsPlayer() || d.players[id].told {
			continue
		}
		p := &d.players[id]
		p.told = true
		ops = append(ops, rules.Op{
			Kind: rules.OpScore, ID: id, Value: int32(p.kills), Value2: int32(p.deaths), Value3: int32(p.points),
		})
	}
	return ops
}

// terms are what lives are lived under in this tick.
func (d *Rules) terms() kit.Terms {
	l := &d.limits
	return kit.Terms{Tick: d.tick, Rate: d.rate, Die: l.die, Wait: l.wait, Protect: l.protect, Closed: d.match.Phase == rules.Over}
}

// care is one player's part: protection, the void, the way back into play.
func (d *Rules) care(in *rules.TickIn, row *rules.PlayerRow, ops []rules.Op) []rules.Op {
	enters, ops := d.players[row.ID].Care(d.terms(), in, row, ops)
	if enters {
		ops = d.enter(in, row.ID, ops)
	}
	return ops
}

// enter asks for a new life.
func (d *Rules) enter(in *rules.TickIn, id state.ID, ops []rules.Op) []rules.Op {
	ops = d.players[id].Enter(d.terms(), id, d.enters.Pick(in, kit.Who{ID: id}), ops)
	if o := d.optic(id); o != tables.Iron {
		ops = append(ops, rules.Op{Kind: rules.OpOptic, ID: id, Value: int32(o)})
	}
	if r := vec.NewRand(d.enters.Seed, 0x5a11, uint64(id)); r.Intn(100) < d.limits.suppressed {
		ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: id, Flags: state.Suppressed})
	}
	return ops
}

// optic is what a player carries in every life of a match: the strongest of half of
// those who carry one.
func (d *Rules) optic(id state.ID) int {
	r := vec.NewRand(d.enters.Seed, 0x0971c, uint64(id))
	if r.Intn(100) >= d.limits.scoped {
		return tables.Iron
	}
	if r.Intn(2) == 0 {
		return tables.Scope4x
	}
	return tables.Scope8x
}
