package plugintest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// rulesTables tries what rules want a match to begin with: that it can be, with the usual
// settings and with each at either end, on every shipped set of tables, and that it is
// the same twice and for rules that go on from a saved state.
func rulesTables(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	try := func(settings map[string]string, set string) {
		t.Helper()
		m := match()
		m.Tables, _ = tables.ByName(set)
		if m.Settings = maps.Clone(m.Settings); m.Settings == nil {
			m.Settings = map[string]string{}
		}
		maps.Copy(m.Settings, settings)
		r, q := spec.New(), spec.New()
		if r.Start(m) != nil || q.Start(m) != nil {
			return // a server says why, and does not start
		}
		vs, again := rules.TablesOf(r), rules.TablesOf(q)
		if !slices.Equal(vs, again) {
			t.Fatalf("settings %v: twice the same match, which begins with %v and with %v: no clock, no dice of one's own, no order of maps", settings, vs, again)
		}
		if _, err := rules.Begin(&m.Tables, vs); err != nil {
			t.Fatalf("settings %v, on the tables %q: it wants %v: a server does not start it", settings, set, err)
		}
	}
	for _, set := range tables.Names() {
		try(nil, set)
		for _, s := range spec.Schema {
			for _, v := range []int{0, s.Max} {
				try(map[string]string{s.Name: strconv.Itoa(v)}, set)
			}
		}
	}
	first := rules.TablesOf(rulestest.Start(t, spec, match()))
	for _, saved := range rulestest.Saves(t, spec, match()) {
		m := match()
		m.Saved = saved
		r := spec.New()
		if r.Start(m) != nil {
			continue // of which the part about saved states says something
		}
		if vs := rules.TablesOf(r); !slices.Equal(vs, first) {
			t.Fatalf("from a saved state it wants a match that begins with %v, and from its beginning with %v: after a crash that is not done", vs, first)
		}
	}
}

// laterS is how long a quiet match is played to see what becomes of its tables: rules
// that change them do so by the minute.
const laterS = 180

// rulesTablesLater tries what rules make of the tables in a match of some minutes, in
// which nothing else happens.
func rulesTablesLater(t *testing.T, spec rules.Spec, match func() *rules.Match) {
	m := match()
	w, r := rulestest.New(2, 83), rulestest.Start(t, spec, m)
	set, err := follow(m, r)
	if err != nil {
		return // of which the part before says something
	}
	for tick := range laterS * m.TickRate {
		if why := set.fault(w.Tick(r)); why != "" {
			t.Fatalf("tick %d, %d s into a quiet match: %s", tick, tick/m.TickRate, why)
		}
	}
}

// tabled follows what rules make of tables.
type tabled struct{ own, begun, now tables.Set }

// follow begins with what rules want.
func follow(m *rules.Match, r any) (*tabled, error) {
	set, err := rules.Begin(&m.Tables, rules.TablesOf(r))
	return &tabled{m.Tables, set, set}, err
}

// fault does what one answer says of tables and says what of it cannot be, "" when all
// can.
func (s *tabled) fault(ops []rules.Op) string {
	var ticks []int32
	for i := range ops {
		if op := &ops[i]; op.Kind == rules.OpTable && !slices.Contains(ticks, op.Value) {
			ticks = append(ticks, op.Value)
		}
	}
	for _, tick := range ticks {
		base, own := s.now, false
		var vs []tables.Value
		for i := range ops {
			op := &ops[i]
			switch {
			case op.Kind != rules.OpTable || op.Value != tick:
			case op.Text != "":
				vs = append(vs, op.TableValue())
			case op.Value2 == 1:
				base, own, vs = s.own, true, nil
			case op.Value2 != 0:
				return fmt.Sprintf("%v: its second value is neither 0 nor 1", *op)
			default:
				base, own, vs = s.begun, false, nil
			}
		}
		set, err := base.With(vs)
		if err != nil {
			return fmt.Sprintf("it changes the tables from tick %d on to what cannot be: %v: none of that change is done", state.Tick(tick), err)
		}
		if s.now = set; own {
			s.begun = set
		}
	}
	return ""
}
