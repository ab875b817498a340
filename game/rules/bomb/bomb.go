package bomb

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

var schema = rules.Schema{
	{Name: "half_rounds", Usual: 6, Max: 100, Help: "rounds until the sides are swapped; the match has twice as many at most"},
	{Name: "overtime_rounds", Usual: 2, Max: 20, Help: "rounds of a half of overtime; 0: an even score is a draw"},
	{Name: "warmup_s", Usual: 10, Max: 600, Unit: "s", Help: "how long people play about before the first round, and until both sides have somebody"},
	{Name: "freeze_s", Usual: 5, Max: 60, Unit: "s", Help: "for which everybody stands still and may buy"},
	{Name: "round_s", Usual: 100, Max: 3600, Unit: "s", Help: "in which the bomb has to be planted"},
	{Name: "bomb_s", Usual: 40, Max: 600, Unit: "s", Help: "from planting to going off"},
	{Name: "plant_ms", Usual: 3000, Max: 60000, Unit: "ms", Help: "for which use is held to plant"},
	{Name: "defuse_ms", Usual: 8000, Max: 60000, Unit: "ms", Help: "for which use is held to disarm; half with a kit"},
	{Name: "after_s", Usual: 5, Max: 60, Unit: "s", Help: "how long it goes on after a round is decided"},
	{Name: "over_s", Usual: 10, Max: 600, Unit: "s", Help: "how long the score is shown after a match"},
	{Name: "start_money", Usual: 800, Max: 16000, Help: "with which a half begins"},
	{Name: "friendly_fire", Usual: 1, Max: 1, Help: "1: mates can be hurt"},
}

// Spec names the rules for whoever offers a choice.
func Spec() rules.Spec {
	return rules.Spec{
		Name: "bomb", Version: "1.0.0",
		Help: "rounds of planting and disarming a bomb", Schema: schema,
		New: func() rules.Rules { return New() },
	}
}

// stage is where a match is.
type stage uint8

const (
	warmup  stage = iota // everybody plays about
	freeze               // buying
	live                 // until the bomb is planted
	planted              // until it goes off
	after                // the round is decided
	over                 // the match is
	numStages
)

// Rules is one match. Make it with New.
type Rules struct {
	rate   int
	enters kit.Entrances
	sites  []vec.Box
	limits limits

	// What Save holds.
	tick   state.Tick
	begun  bool
	stage  stage
	ends   state.Tick // of the stage
	round  int        // of the match, from 0
	wins   [3]int     // by team
	lost   [3]int     // rounds in a row
	told   bool       // the score has been sent
	bomb   bomb
	work   work
	roster kit.Roster
	lives  [state.MaxPlayers + 1]kit.Life
	purse  [state.MaxPlayers + 1]purse
}

// bomb is where it is: carried, or at a place.
type bomb struct {
	carrier state.ID
	pos     vec.V3 // of the carrier in the last tick, or where it lies
	there   bool   // it exists: not during warmup
}

// work is planting or disarming in progress.
type work struct {
	by   state.ID
	done state.Tick // ticks of it
}

type limits struct {
	half, overtime                           int
	warmup, freeze, round, fuse, after, over state.Tick
	plant, defuse, die                       state.Tick
	money                                    int32
	friendly                                 bool
}

// New returns rules that wait for Start.
func New() *Rules { return &Rules{} }

// Start begins a match, or continues the saved one.
func (b *Rules) Start(m *rules.Match) error {
	if m.TickRate < 1 || m.TickRate > 1000 {
		return fmt.Errorf("bomb: tick rate %d is not within 1 to 1000", m.TickRate)
	}
	if len(m.Spawns) < 2 {
		return fmt.Errorf("bomb: level %s has %d places to enter; it needs one for each side", m.Level, len(m.Spawns))
	}
	v, err := schema.Values("bomb", m.Settings)
	if err != nil {
		return err
	}
	if v[0] == 0 {
		return fmt.Errorf("bomb: half_rounds is 0; a half has at least one round")
	}
	seconds := func(i int) state.Tick { return state.Tick(v[i]) * state.Tick(m.TickRate) }
	ms := func(i int) state.Tick { return max(state.Tick(v[i]*m.TickRate/1000), 1) }
	dead := vec.Floor(float32(m.Tables.Items.RespawnMS*float32(m.TickRate))/1000 + 0.5)
	spawns, sites := places(m)
	*b = Rules{rate: m.TickRate, enters: kit.Entrances{Seed: m.Seed, Spawns: spawns}, sites: sites}
	b.limits = limits{
		half: v[0], overtime: v[1], warmup: seconds(2), freeze: seconds(3), round: seconds(4), fuse: seconds(5),
		plant: ms(6), defuse: ms(7), after: seconds(8), over: seconds(9), money: int32(v[10]), friendly: v[11] == 1,
		die: state.Tick(max(dead, 0)),
	}
	if m.Saved != nil {
		return b.restore(m.Saved)
	}
	for i := range m.Roster {
		b.join(&m.Roster[i])
	}
	return nil
}

func (b *Rules) join(m *rules.Member) {
	b.roster.Join(m)
	if m.ID.IsPlayer() {
		b.purse[m.ID] = purse{money: b.limits.money}
	}
}

// Tick is one tick: who came and went, what was bought, what becomes of the bomb, the
// stage, who enters.
func (b *Rules) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	b.tick = in.Tick
	b.enters.Tick(in.Tick)
	for i := range in.Joined {
		if id := in.Joined[i].ID; id.IsPlayer() {
			b.lives[id], b.purse[id] = kit.Life{}, purse{money: b.limits.money}
		}
	}
	for _, id := range in.Left {
		if id.IsPlayer() {
			b.lives[id], b.purse[id] = kit.Life{}, purse{}
		}
	}
	ops = b.roster.Update(in, ops)
	if !b.begun {
		ops = b.open(ops)
	}
	ops = b.chat(in, ops)
	ops = b.score(in, ops)
	ops = b.handle(in, ops)
	ops = b.stages(in, ops)
	for i := range in.Players {
		if row := &in.Players[i]; row.ID.IsPlayer() {
			ops = b.care(in, row, ops)
		}
	}
	return b.tell(in, ops)
}

// open says what holds for the whole match.
func (b *Rules) open(ops []rules.Op) []rules.Op {
	b.begun = true
	percent := int32(0)
	if b.limits.friendly {
		percent = 100
	}
	ops = append(ops, rules.Op{Kind: rules.OpTeams, Value2: percent})
	return b.begin(warmup, b.limits.warmup, ops)
}

// playing reports whether a round is on.
func (b *Rules) playing() bool { return b.stage == live || b.stage == planted }

// attackers returns the team that attacks in the present round.
func (b *Rules) attackers() uint8 {
	half, r := b.limits.half, b.round
	if r >= 2*half && b.limits.overtime > 0 {
		half, r = b.limits.overtime, r-2*half
	}
	return uint8(1 + r/half%2)
}

// side returns on which side a player is: 1 attacks.
func (b *Rules) side(id state.ID) uint8 {
	if b.roster.Players[id].Team == b.attackers() {
		return 1
	}
	return 2
}

func alive(row *rules.PlayerRow) bool { return row.Flags&(state.Dead|state.Spectating) == 0 }

func find(in *rules.TickIn, id state.ID) *rules.PlayerRow {
	for i := range in.Players {
		if in.Players[i].ID == id {
			return &in.Players[i]
		}
	}
	return nil
}

// left counts the living of a side, and all who are there.
func (b *Rules) left(in *rules.TickIn, side uint8) (living, all int) {
	for i := range in.Players {
		row := &in.Players[i]
		if !row.ID.IsPlayer() || b.side(row.ID) != side {
			continue
		}
		all++
		if alive(row) {
			living++
		}
	}
	return living, all
}

func (b *Rules) terms() kit.Terms {
	return kit.Terms{Tick: b.tick, Rate: b.rate, Die: b.limits.die, Wait: b.limits.die, Closed: b.stage != warmup && b.stage != freeze}
}

// watchAfter is for how many seconds the dead lie before they watch a mate.
const watchAfter = 3

// care is one player's part: the void, the way back into play in the warmup, and in a
// round whom the dead watch.
func (b *Rules) care(in *rules.TickIn, row *rules.PlayerRow, ops []rules.Op) []rules.Op {
	enters, ops := b.lives[row.ID].Care(b.terms(), in, row, ops)
	if enters {
		ops = b.enter(in, row.ID, ops)
		if b.stage == freeze {
			ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: row.ID, Flags: kit.Stop})
		}
		return ops
	}
	if b.stage == warmup || row.Flags&state.Dead == 0 || int(row.DeadFor) != watchAfter*b.rate {
		return ops
	}
	for i := range in.Players {
		if mate := &in.Players[i]; mate.ID.IsPlayer() && alive(mate) && b.roster.Players[mate.ID].Team == b.roster.Players[row.ID].Team {
			return append(ops, rules.Op{Kind: rules.OpSpectate, ID: row.ID, Value: int32(mate.ID)})
		}
	}
	return ops
}

// enter brings a player in on its side with what it owns.
func (b *Rules) enter(in *rules.TickIn, id state.ID, ops []rules.Op) []rules.Op {
	sp := b.enters.Pick(in, kit.Who{ID: id, Team: b.roster.Players[id].Team, Side: b.side(id)})
	ops = b.lives[id].Enter(b.terms(), id, sp, ops)
	return b.equip(id, ops)
}
