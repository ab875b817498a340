package scenario

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// BenchConfig is what a benchmark in stepped time is run with. Seconds of Config are
// those that are measured, after everybody has joined and Warm has passed.
type BenchConfig struct {
	Config
	Policy string  // its name, for the figures
	Warm   float64 // seconds
	// Now is the clock that ticks are timed with, of whatever kind; nil: no times.
	Now func() time.Time
	// Meter is what the policy was put behind, and CPU what the processes of policy and
	// rules have had so far. Both may be nil; without CPU they are linked in.
	Meter *Meter
	CPU   func() (policy, rules time.Duration)
	// JoinSeconds is how long the bots have to join (0: 30).
	JoinSeconds float64
	// Range is how far off anybody is sent, metres, as Match.Range; 0 has no limit.
	Range float32
	// Lost is told, after the tick, of every shown hit that the server did not agree
	// with. May be nil.
	Lost func(a *Aim, why Why)
}

// Form of a benchmark in stepped time.
const steppedForm = "stepped: server and clients in one process, in turn, over simulated links in memory; "

// formOf says where policy and rules are.
func formOf(processes bool) string {
	if processes {
		return steppedForm + "policy and rules each in a process of its own, waited for"
	}
	return steppedForm + "policy and rules in process"
}

// lookEvery is how often, in ticks, it is noted where others are drawn: ticks in a
// row show much the same.
const lookEvery = 4

// allocTicks is in how many ticks allocations are counted.
const allocTicks = 64

// Bench runs a match in stepped time and measures it.
func Bench(cfg BenchConfig) (Figures, error) {
	if cfg.Bots < 1 || !(cfg.Seconds > 0) {
		return Figures{}, errors.New("scenario: a benchmark needs players and seconds")
	}
	if cfg.JoinSeconds == 0 {
		cfg.JoinSeconds = 30
	}
	rec := NewRecorder()
	rec.Meter, rec.CPU = cfg.Meter, cfg.CPU
	c := cfg.Config
	var on *Onlooker // once all play
	also := c.Hooks.Decided
	c.Hooks.Decided = func(in *vis.Input, ans *vis.Answer) {
		if also != nil {
			also(in, ans)
		}
		if on != nil {
			on.Decided(in, ans)
		}
	}
	c.Hooks = rec.Hooks(c.Hooks)
	truth := c.Truth
	c.Truth = func(m *Match) {
		if truth != nil {
			truth(m)
		}
		if on != nil {
			on.Tick(m.Server, m.Now)
		}
	}
	var heard Heard
	c.Snapshot = func(m *Match, bot int, s *snapshot.Snapshot, now int64) {
		if on != nil && heard.Take(m.Crew.Bots()[bot].ID(), s, now) {
			on.Heard(&heard)
		}
	}
	m, err := New(c)
	if err != nil {
		return Figures{}, err
	}
	defer m.Close()
	rec.Attach(m.Server, cfg.Now)
	notes := NewNotes(m.Crew)
	rate := float64(cfg.TickRate)
	for n := 0; m.playing() < cfg.Bots; n++ {
		if float64(n) > cfg.JoinSeconds*rate {
			return Figures{}, fmt.Errorf("scenario: %d of %d bots have joined after %g s", m.playing(), cfg.Bots, cfg.JoinSeconds)
		}
		m.Step()
	}
	first := m.Crew.Bots()[0]
	on = NewOnlooker(first.Level().World, first.Tables(), cfg.TickRate)
	on.Range = cfg.Range
	for range int(cfg.Warm * rate) {
		m.Step()
		m.look(on)
	}
	j := NewJudge(first.Level().World, first.Tables(), cfg.Bots, cfg.TickRate)
	if cfg.Lost != nil {
		j.Lost = cfg.Lost
	}
	var at Moment
	step := func(look bool) {
		m.Step()
		m.look(on)
		if look {
			notes.Look()
		}
		j.Add(notes.Aims, notes.Seen)
		notes.Aims, notes.Seen = notes.Aims[:0], notes.Seen[:0]
		rec.Moment(&at)
		j.Tick(&at)
	}
	steps := max(int(cfg.Seconds*rate), 1)
	crews := make([]ClientNotes, 1)
	crews[0].From, _ = TotalsOf(m.Crew)
	notes.On, on.On = true, true
	rec.Begin()
	for k := range steps {
		step(k%lookEvery == 0)
	}
	crews[0].To, crews[0].Playing = TotalsOf(m.Crew)
	rec.End()
	notes.On, on.On = false, false
	for range allocTicks { // also: shots that are still under way
		step(false)
	}
	rec.Done()
	f := Sum(cfg.Bots, cfg.TickRate, float64(steps)/rate, &rec.ServerNotes, crews, &j.Verdict)
	f.Looked(&on.Complete)
	f.Form, f.Policy, f.Pace = formOf(cfg.CPU != nil), cfg.Policy, PaceText(cfg.Pace.Hz)
	return f, nil
}

// PaceText says how snapshots are paced.
func PaceText(hz int) string {
	if hz == 0 {
		return "adaptive"
	}
	return fmt.Sprintf("fixed %d Hz", hz)
}

// look takes a frame of every bot: one for each tick.
func (m *Match) look(o *Onlooker) {
	for _, b := range m.Crew.Bots() {
		o.Frame(b.Client, m.Now)
	}
}

// playing is how many bots play.
func (m *Match) playing() int {
	n := 0
	for _, bot := range m.Crew.Bots() {
		if bot.State() == client.Playing {
			n++
		}
	}
	return n
}

// JudgeAll judges what crews noted by all moments of their server, in order.
func JudgeAll(w *trace.World, set *tables.Set, players, rate int, moments []Moment, crews []ClientNotes) *Verdict {
	j := NewJudge(w, set, players, rate)
	var seen []Sighting
	for i := range crews {
		j.Add(crews[i].Aims, nil)
		seen = append(seen, crews[i].Seen...)
	}
	slices.SortStableFunc(seen, func(a, b Sighting) int { return int(int32(a.View.Tick - b.View.Tick)) })
	for i := range moments {
		n := 0
		for n < len(seen) && int32(seen[n].View.Tick-moments[i].Tick) < 0 {
			n++
		}
		j.Add(nil, seen[:n])
		seen = seen[n:]
		j.Tick(&moments[i])
	}
	return &j.Verdict
}
