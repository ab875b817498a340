package teams

import (
	"fmt"
	"strconv"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

var schema = append(rules.Schema{
	{Name: "frag_limit", Usual: 50, Max: 10000, Help: "points of a team that end a match; 0 has no limit"},
	{Name: "time_limit_s", Usual: 600, Max: 86400, Unit: "s", Help: "how long a match lasts; 0 has no limit"},
	{Name: "warmup_s", Usual: 5, Max: 600, Unit: "s", Help: "how long people play about before a match"},
	{Name: "over_s", Usual: 8, Max: 600, Unit: "s", Help: "how long the score is shown after a match"},
	{Name: "respawn_s", Usual: 3, Max: 60, Unit: "s", Help: "after which the dead return by themselves"},
	{Name: "protect_s", Usual: 2, Max: 60, Unit: "s", Help: "for which nobody can be hurt who has just entered"},
	{Name: "friendly_fire", Usual: 0, Max: 1, Help: "1: mates can be hurt"},
}, kit.PaceSchema()...)

// Spec names the rules for whoever offers a choice.
func Spec() rules.Spec {
	return rules.Spec{
		Name: "teams", Version: "1.0.0",
		Help: "team deathmatch", Schema: schema,
		New: func() rules.Rules { return New() },
	}
}

// Rules is one match. Make it with New.
type Rules struct {
	rate   int
	enters kit.Entrances
	limits limits
	pace   kit.Pace

	// What Save holds.
	tick   state.Tick
	match  kit.Phases
	points [3]int32 // of the teams
	told   bool     // they have been sent
	roster kit.Roster
	lives  [state.MaxPlayers + 1]kit.Life
}

type limits struct {
	frags              int
	lengths            kit.Lengths
	wait, protect, die state.Tick
	friendly           bool
}

// New returns rules that wait for Start.
func New() *Rules { return &Rules{} }

// Start begins a match, or continues the saved one.
func (t *Rules) Start(m *rules.Match) error {
	if m.TickRate < 1 || m.TickRate > 1000 {
		return fmt.Errorf("teams: tick rate %d is not within 1 to 1000", m.TickRate)
	}
	if len(m.Spawns) == 0 {
		return fmt.Errorf("teams: level %s has no spawn", m.Level)
	}
	v, err := schema.Values("teams", m.Settings)
	if err != nil {
		return err
	}
	rate := state.Tick(m.TickRate)
	dead := vec.Floor(float32(m.Tables.Items.RespawnMS*float32(m.TickRate))/1000 + 0.5)
	*t = Rules{rate: m.TickRate, enters: kit.Entrances{Seed: m.Seed, Spawns: append([]rules.Spawn(nil), m.Spawns...)}}
	t.limits = limits{
		frags: v[0], lengths: kit.Lengths{Live: state.Tick(v[1]) * rate, Warmup: state.Tick(v[2]) * rate, Over: state.Tick(v[3]) * rate},
		wait: state.Tick(v[4]) * rate, protect: state.Tick(v[5]) * rate, die: state.Tick(max(dead, 0)), friendly: v[6] == 1,
	}
	t.pace = kit.PaceOf(v[7:], &m.Tables)
	if m.Saved != nil {
		return t.restore(m.Saved)
	}
	for i := range m.Roster {
		t.roster.Join(&m.Roster[i])
	}
	return nil
}

// Tables is what a match begins with.
func (t *Rules) Tables() []tables.Value { return t.pace.Tables() }

// Tick is one tick: who came and went and on which team, what was scored, the phase,
// who enters.
func (t *Rules) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	t.tick = in.Tick
	t.enters.Tick(in.Tick)
	for _, id := range in.Left {
		if id.IsPlayer() {
			t.lives[id] = kit.Life{}
		}
	}
	ops = t.roster.Update(in, ops)
	ops = t.phases(in, ops)
	ops = t.chat(in, ops)
	ops = t.score(in, ops)
	for i := range in.Players {
		row := &in.Players[i]
		if !row.ID.IsPlayer() {
			continue
		}
		var enters bool
		if enters, ops = t.lives[row.ID].Care(t.terms(), in, row, ops); enters {
			ops = t.enter(in, row.ID, ops)
		}
	}
	return ops
}

func (t *Rules) terms() kit.Terms {
	l := &t.limits
	return kit.Terms{Tick: t.tick, Rate: t.rate, Die: l.die, Wait: l.wait, Protect: l.protect, Closed: t.match.Phase == rules.Over}
}

func (t *Rules) enter(in *rules.TickIn, id state.ID, ops []rules.Op) []rules.Op {
	team := t.roster.Players[id].Team
	return t.lives[id].Enter(t.terms(), id, t.enters.Pick(in, kit.Who{ID: id, Team: team, Side: team}), ops)
}

// chat carries out what players asked for.
func (t *Rules) chat(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Chat {
		c := &in.Chat[i]
		word, rest, ok := kit.Command(c.Text)
		if !ok || word != "team" || !c.ID.IsPlayer() || !t.roster.Players[c.ID].Known {
			continue
		}
		p := &t.roster.Players[c.ID]
		team := kit.TeamOf(rest)
		if rest == "auto" && t.roster.Count(3-p.Team)+1 < t.roster.Count(p.Team) {
			team = 3 - p.Team
		}
		if team == 0 {
			if rest != "auto" {
				ops = append(ops, rules.Op{Kind: rules.OpAnnounce, ID: c.ID, Text: "There are the teams red, blue and auto."})
			}
			continue
		}
		if why := t.roster.Change(c.ID, team); why != "" {
			ops = append(ops, rules.Op{Kind: rules.OpAnnounce, ID: c.ID, Text: why})
			continue
		}
		p.TeamTold = true
		if living(in, c.ID) {
			ops = append(ops, rules.Op{Kind: rules.OpKillOff, ID: c.ID})
		}
		ops = append(ops, rules.Op{Kind: rules.OpSetTeam, ID: c.ID, Value: int32(team)},
			rules.Op{Kind: rules.OpAnnounce, ID: c.ID, Text: "You are on team " + kit.TeamName(team) + "."})
	}
	return ops
}

func living(in *rules.TickIn, id state.ID) bool {
	for i := range in.Players {
		if in.Players[i].ID == id {
			return in.Players[i].Flags&(state.Dead|state.Spectating) == 0
		}
	}
	return false
}

// score counts this tick's kills and tells every row that changed.
func (t *Rules) score(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Events {
		e := &in.Events[i]
		if e.Kind != state.EvKill || t.match.Phase != rules.Live {
			continue
		}
		if team := t.roster.Kill(e); team != 0 && int(team) < len(t.points) {
			t.points[team]++
			t.told = false
		}
	}
	if !t.told {
		t.told = true
		ops = append(ops, rules.Op{Kind: rules.OpHUD, Text: "teams=" + strconv.Itoa(int(t.points[1])) + ":" + strconv.Itoa(int(t.points[2]))})
	}
	return t.roster.Tell(in, ops)
}
