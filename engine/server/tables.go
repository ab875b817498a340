package server

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/wire"
)

// Tables may change while a match runs. A change is announced to every client, and
// holds from a tick on that is a second ahead at least: in that tick the server runs on
// the new numbers, and so do clients that predict it. Each snapshot says which change
// was announced last, so that a client that has not got that does not predict what it
// may change. Until a client has said that it has it, its own state is told in full.

const (
	// maxComing is how many changes may be announced that do not hold yet: with a second
	// of lead that is as many in a second.
	maxComing = 4
	// maxAheadS is how far ahead a change may be announced, seconds.
	maxAheadS = 3600
	// Of wholes, tables told in full to one client on its wish: a burst, then one in
	// wholeEveryNS.
	wholeBurst   = 2
	wholeEveryNS = 2_000_000_000
)

// change is tables that are announced and do not hold yet.
type change struct {
	set  tables.Set
	from state.Tick
	hash [32]byte
	vs   []tables.Value // what it changes of what was announced before
	anew bool           // that was taken back: all is told
}

// announced is what a match's clients are told of tables.
type announced struct {
	hash   [32]byte   // of the tables in force
	since  state.Tick // their first tick
	news   bool       // they are not the ones that the match was made with, which clients have
	begin  tables.Set // what a match began with
	coming []change   // in the order of their ticks
	newest int        // version of what was announced last
	late   []rules.Op // of rules that took over: waits until there is room for another change
}

// start takes the tables that a match begins with. m is the server's own: from here on
// its Tables are those in force.
func (a *announced) start(m *Match, tick state.Tick) {
	own := *m.Shipped()
	m.Own = &own
	*a = announced{hash: m.Tables.Hash(), since: tick, begin: m.Tables, newest: m.Tables.Version}
	a.news = own.Hash() != a.hash
}

// Shipped returns the tables that clients have by themselves: those that the match was
// made with, before its rules changed any.
func (m *Match) Shipped() *tables.Set {
	if m.Own != nil {
		return m.Own
	}
	return &m.Tables
}

// last returns the tables that were announced last.
func (m *match) last() *tables.Set {
	if n := len(m.tab.coming); n > 0 {
		return &m.tab.coming[n-1].set
	}
	return &m.Tables
}

// Tables returns the tables in force, which are only read; own says that clients have
// them by themselves, so that their hash names them. It belongs to the server's goroutine.
func (s *Server) Tables() (set *tables.Set, own bool) { return &s.match.Tables, !s.match.tab.news }

// OwnTables returns the tables that the match was made with, before anything was changed.
// It belongs to the server's goroutine.
func (s *Server) OwnTables() *tables.Set { return s.match.Shipped() }

// Coming returns a line for each change of tables that is announced and does not hold
// yet. It belongs to the server's goroutine.
func (s *Server) Coming() []string {
	var out []string
	for i := range s.match.tab.coming {
		c := &s.match.tab.coming[i]
		out = append(out, fmt.Sprintf("in %.1f s, tick %d: %s", float64(int32(c.from-s.Tick()))/float64(s.cfg.TickRate), c.from, tables.Line(c.vs)))
	}
	return out
}

// ChangeTables changes the tables from a tick on, which is returned: as early as can be,
// a second ahead, when from is 0 or too early, and not before changes that are announced
// already, on which it builds. The error is one sentence, and nothing is changed then.
// It belongs to the server's goroutine.
func (s *Server) ChangeTables(vs []tables.Value, from state.Tick) (state.Tick, error) {
	if len(vs) == 0 {
		return 0, errors.New("no number of the tables is named")
	}
	tick, _, err := s.changeTables(s.match.last(), vs, from, false)
	return tick, err
}

// ResetTables makes the tables what the match began with, likewise.
func (s *Server) ResetTables(from state.Tick) (state.Tick, error) {
	tick, _, err := s.changeTables(&s.match.tab.begin, nil, from, false)
	return tick, err
}

var errFull = errors.New("there is no room for another change")

// changeTables announces that base with vs holds from a tick on; anew in place of what
// was announced for that tick and later ones, else after it. It returns that tick, and
// what then holds.
func (s *Server) changeTables(base *tables.Set, vs []tables.Value, from state.Tick, anew bool) (state.Tick, *tables.Set, error) {
	m, a := s.match, &s.match.tab
	last := *m.last()
	b := *base
	b.Version = last.Version
	set, err := b.With(vs)
	if err != nil {
		return 0, nil, err
	}
	rate := state.Tick(s.cfg.TickRate)
	first := m.sim.Tick() + 1 + rate
	if n := len(a.coming); n > 0 && int32(a.coming[n-1].from-first) > 0 && !anew {
		first = a.coming[n-1].from
	}
	if from == 0 || int32(from-first) < 0 {
		from = first
	}
	if ahead := from - m.sim.Tick(); ahead > maxAheadS*rate {
		return 0, nil, fmt.Errorf("tables cannot be changed more than %d s ahead, and tick %d is %d s ahead", maxAheadS, from, ahead/rate)
	}
	c := change{set: set, from: from, vs: tables.Diff(&last, &set)}
	keep := len(a.coming)
	for anew && keep > 0 && int32(a.coming[keep-1].from-from) >= 0 {
		keep--
	}
	if len(c.vs) == 0 && keep == len(a.coming) { // they are so already
		return from, m.last(), nil
	}
	if keep == maxComing {
		return 0, nil, fmt.Errorf("%w: %d changes of the tables are announced and do not hold yet: another can be made from tick %d on", errFull, maxComing, a.coming[0].from)
	}
	c.hash, c.anew = set.Hash(), keep < len(a.coming)
	a.coming = append(a.coming[:keep], c)
	a.newest = set.Version
	msg := c.message(false)
	for _, to := range s.conns {
		if to != nil && to.joined {
			s.tellTables(to, &msg)
		}
	}
	s.log.Info("tables will change", "values", tables.Line(c.vs), "from", from, "version", set.Version)
	return from, &a.coming[len(a.coming)-1].set, nil
}

// message is how a change is told: what it changes, or, when that is a lot, all.
func (c *change) message(whole bool) wire.Tables {
	m := wire.Tables{Version: uint32(c.set.Version), From: c.from, Hash: c.hash, Values: c.vs}
	if whole || c.anew || len(c.vs) > tables.MaxChange {
		m.Values, m.Whole = nil, wire.TablesBlob(&c.set)
	}
	return m
}

// tellTables tells one client of tables, unless its stream is full: it then finds out
// by snapshots that it lacks them, and asks.
func (s *Server) tellTables(c *conn, m *wire.Tables) {
	if !c.away && c.ch.Unacked() < rulesRoom {
		s.tell(c, m, s.lastNow)
	}
}

// turnTables makes those tables hold whose tick comes next. It is called between two
// ticks.
func (s *Server) turnTables() {
	m := s.match
	next := m.sim.Tick() + 1
	n := 0
	for ; n < len(m.tab.coming) && int32(next-m.tab.coming[n].from) >= 0; n++ {
		c := &m.tab.coming[n]
		if err := m.sim.SetTables(&c.set); err != nil { // was checked when it was announced
			s.log.Error("tables cannot be changed", "error", err)
			continue
		}
		m.Tables, m.tab.hash, m.tab.since, m.tab.news = c.set, c.hash, next, true
		m.fade = m.Tables.FlashFade()
		s.log.Info("tables have changed", "values", tables.Line(c.vs), "tick", next, "version", c.set.Version)
		if h := s.cfg.Hooks.Tables; h != nil {
			h(next, &m.Tables, c.vs)
		}
	}
	if n > 0 {
		m.tab.coming = slices.Delete(m.tab.coming, 0, n)
	}
}

// applyTables carries out what the rules want of tables: all that is for one tick is one
// change, earlier ticks first.
func (s *Server) applyTables(ops []rules.Op) {
	if len(ops) > rules.MaxOps {
		ops = ops[:rules.MaxOps]
	}
	if late := s.match.tab.late; late != nil {
		s.match.tab.late = nil
		s.applyTick(late, late[0].Value)
	}
	var ticks []int32
	for i := range ops {
		if op := &ops[i]; op.Kind == rules.OpTable && s.match.sim.OpFault(op) == 0 && !slices.Contains(ticks, op.Value) {
			ticks = append(ticks, op.Value)
		}
	}
	now := int32(s.match.sim.Tick())
	when := func(tick int32) int32 {
		if tick == 0 {
			return math.MinInt32 // as early as can be
		}
		return tick - now // ticks wrap
	}
	slices.SortFunc(ticks, func(a, b int32) int { return cmp.Compare(when(a), when(b)) })
	for _, tick := range ticks {
		s.applyTick(ops, tick)
	}
}

// applyTick carries out what the rules want of one tick.
func (s *Server) applyTick(ops []rules.Op, tick int32) {
	a := &s.match.tab
	base, own, n := s.match.last(), false, 0
	var vs []tables.Value
	for i := range ops {
		op := &ops[i]
		if op.Kind != rules.OpTable || op.Value != tick || s.match.sim.OpFault(op) != 0 {
			continue
		}
		n++
		if op.Text != "" {
			vs = append(vs, op.TableValue())
			continue
		}
		base, vs = &a.begin, nil
		if op.Value2 != 0 {
			base, own = s.match.Shipped(), true
		}
	}
	from := state.Tick(tick)
	if from != 0 {
		from += s.match.pause.lag
	}
	_, set, err := s.changeTables(base, vs, from, own)
	if own && errors.Is(err, errFull) {
		a.late = slices.DeleteFunc(slices.Clone(ops), func(op rules.Op) bool { return op.Kind != rules.OpTable || op.Value != tick })
		return
	}
	if err != nil {
		s.badTables(err, n)
		return
	}
	if own {
		a.begin = *set
	}
}

// badTables counts a change that the rules wanted and that cannot be, and names it in the
// log.
func (s *Server) badTables(err error, ops int) {
	m := s.match
	s.badOps += ops
	m.badOps += ops
	now := m.sim.Tick()
	if m.badSaid && now-m.badAt < badEveryS*state.Tick(s.cfg.TickRate) {
		return
	}
	s.log.Warn("the rules want tables that cannot be: the change is left out, the rest is done", "why", err, "left_out", m.badOps)
	m.badSaid, m.badAt, m.badOps = true, now, 0
}

// tellComing tells a client that has been welcomed what is announced.
func (s *Server) tellComing(c *conn) {
	for i := range s.match.tab.coming {
		m := s.match.tab.coming[i].message(false)
		s.tellTables(c, &m)
	}
}

// wishTables takes a client's word on the tables that it has, or its wish for all of
// them.
func (s *Server) wishTables(c *conn, value int16) {
	if !c.playing() {
		return // it is about the level before
	}
	m, a := s.match, &s.match.tab
	if value != wire.TablesWhole {
		for v := m.Tables.Version; v <= a.newest; v++ {
			if wire.TablesNo(v) == value {
				c.hasTables = max(c.hasTables, v)
			}
		}
		return
	}
	c.hasTables = 0 // it does not predict until it has them
	for c.wholes > 0 && s.lastNow-c.wholesAt >= wholeEveryNS {
		c.wholes--
		c.wholesAt += wholeEveryNS
	}
	if c.wholes == 0 {
		c.wholesAt = s.lastNow
	}
	if c.wholes >= wholeBurst {
		return
	}
	c.wholes++
	s.log.Info("does not have the tables and is told all of them", "player", c.name, "id", c.id)
	now := change{set: m.Tables, from: a.since, hash: a.hash}
	msg := now.message(true)
	s.tellTables(c, &msg)
	for i := range a.coming {
		msg = a.coming[i].message(true)
		s.tellTables(c, &msg)
	}
}

// lacksTables reports whether a client has not said yet that it has what was announced
// last.
func (s *Server) lacksTables(c *conn) bool { return c.hasTables < s.match.tab.newest }
