package duel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Spec names the rules for whoever offers a choice.
func Spec() rules.Spec {
	return rules.Spec{
		Name: "duel", Version: "1.0.0",
		Help: "free-for-all deathmatch; settings frag_limit, time_limit_s, warmup_s, over_s, respawn_s, protect_s",
		New:  func() rules.Rules { return New() },
	}
}

// Rules is one match. Make it with New.
type Rules struct {
	seed   uint64
	rate   int
	spawns []rules.Spawn
	limits limits

	// What Save holds.
	tick    state.Tick
	begun   bool
	phase   rules.Phase
	ends    state.Tick // of the phase
	timed   bool       // the phase has an end
	players [state.MaxPlayers + 1]player

	// Of the present tick.
	taken []vec.V3 // where somebody is about to enter
}

type limits struct {
	frags                                  int
	warmup, live, over, wait, protect, die state.Tick
}

// player is what is remembered of one.
type player struct {
	known                 bool
	bot                   bool
	name                  string
	kills, deaths, points int16
	held                  state.Buttons // in the last tick
	wants                 bool          // pressed to return
	asked                 bool          // a spawn is on its way since askedAt
	askedAt               state.Tick
	guarded               bool // invulnerable until then
	guardEnds             state.Tick
	entered               bool // has been spawned since the match began
	told                  bool // its row of the score has been sent
}

// New returns rules that wait for Start.
func New() *Rules { return &Rules{} }

// setting is one number with its default and range, in its own unit.
type setting struct {
	name       string
	usual, max int
}

var settings = [...]setting{
	{"frag_limit", 20, 1000}, {"time_limit_s", 600, 86400}, {"warmup_s", 3, 600},
	{"over_s", 8, 600}, {"respawn_s", 3, 60}, {"protect_s", 1, 60},
}

// Start begins a match, or continues the saved one.
func (d *Rules) Start(m *rules.Match) error {
	if m.TickRate < 1 || m.TickRate > 1000 {
		return fmt.Errorf("duel: tick rate %d is not within 1 to 1000", m.TickRate)
	}
	if len(m.Spawns) == 0 {
		return fmt.Errorf("duel: level %s has no spawn", m.Level)
	}
	var v [len(settings)]int
	for i, s := range settings {
		v[i] = s.usual
		text, ok := m.Settings[s.name]
		if !ok {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > s.max {
			return fmt.Errorf("duel: setting %s = %q is not a whole number from 0 to %d", s.name, text, s.max)
		}
		v[i] = n
	}
	for name := range m.Settings {
		if !isSetting(name) {
			return fmt.Errorf("duel: there is no setting %q", name)
		}
	}
	rate := state.Tick(m.TickRate)
	dead := vec.Floor(float32(m.Tables.Items.RespawnMS*float32(m.TickRate))/1000 + 0.5)
	*d = Rules{seed: m.Seed, rate: m.TickRate, spawns: append([]rules.Spawn(nil), m.Spawns...)}
	d.limits = limits{
		frags: v[0], live: state.Tick(v[1]) * rate, warmup: state.Tick(v[2]) * rate, over: state.Tick(v[3]) * rate,
		wait: state.Tick(v[4]) * rate, protect: state.Tick(v[5]) * rate, die: state.Tick(max(dead, 0)),
	}
	if m.Saved != nil {
		return d.restore(m.Saved)
	}
	for _, p := range m.Roster {
		d.join(p)
	}
	return nil
}

func isSetting(name string) bool {
	for _, s := range settings {
		if s.name == name {
			return true
		}
	}
	return false
}

func (d *Rules) join(m rules.Member) {
	if m.ID.IsPlayer() {
		d.players[m.ID] = player{known: true, bot: m.Bot, name: clip(m.Name)}
	}
}

func clip(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), state.MaxName)], "")
}

// Tick is one tick: who came and went, what was scored, the phase, who enters.
func (d *Rules) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	d.tick = in.Tick
	d.taken = d.taken[:0]
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

// due reports whether tick t is now or past, whatever wraps.
func (d *Rules) due(t state.Tick) bool { return int32(d.tick-t) >= 0 }

// score counts this tick's kills and tells every row that changed.
func (d *Rules) score(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Events {
		e := &in.Events[i]
		if e.Kind != state.EvKill || d.phase != rules.Live || !e.Target.IsPlayer() {
			continue
		}
		t := &d.players[e.Target]
		t.deaths, t.told = inc(t.deaths, 1), false
		if e.Actor == e.Target || !e.Actor.IsPlayer() {
			t.points = inc(t.points, -1)
			continue
		}
		a := &d.players[e.Actor]
		a.kills, a.points, a.told = inc(a.kills, 1), inc(a.points, 1), false
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

func inc(v int16, by int) int16 { return int16(min(max(int(v)+by, -32768), 32767)) }

// care is one player's part: protection, the void, the way back into play.
func (d *Rules) care(in *rules.TickIn, row *rules.PlayerRow, ops []rules.Op) []rules.Op {
	p := &d.players[row.ID]
	pressed := row.Buttons &^ p.held & (state.BtnFire | state.BtnJump)
	p.held = row.Buttons
	alive := row.Flags&(state.Dead|state.Spectating) == 0
	if alive {
		if p.asked && p.askedAt == d.tick { // this is still the life before
			return ops
		}
		p.wants, p.asked = false, false
		if row.OutOfMap {
			return append(ops, rules.Op{Kind: rules.OpKillOff, ID: row.ID})
		}
		if p.guarded && (d.due(p.guardEnds) || fired(in.Events, row.ID)) {
			p.guarded = false
			ops = append(ops, rules.Op{Kind: rules.OpSetFlags, ID: row.ID, Flags2: state.Invulnerable})
		}
		return ops
	}
	if pressed != 0 {
		p.wants = true
	}
	if p.asked && !d.due(p.askedAt+state.Tick(d.rate)/4) { // on its way
		return ops
	}
	first := !p.entered
	ready := state.Tick(row.DeadFor) >= d.limits.die && (p.wants || state.Tick(row.DeadFor) >= d.limits.wait)
	if d.phase == rules.Over || (!first && !ready) {
		return ops
	}
	return d.enter(in, row.ID, ops)
}

func fired(events []state.Event, id state.ID) bool {
	for i := range events {
		if events[i].Kind == state.EvFire && events[i].Actor == id {
			return true
		}
	}
	return false
}
