package host

import (
	"fmt"
	"slices"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	rulesv1 "github.com/sightline-engine/sightline/plugins/proto/rules/v1"
)

// Rules say in their first life which numbers of the tables a match begins with that
// are not the server's. Lives after that go on with a match that has begun: what they
// say is compared. Rules that take over from others put the tables of those back.

// tablesError is why rules that want the impossible do not start.
type tablesError struct{ why error }

func (e *tablesError) Error() string { return "wants " + e.why.Error() }
func (e *tablesError) Unwrap() error { return e.why }

// ready takes what a life says with Ready.
func (r *Rules) ready(l *life, m *rulesv1.Ready) error {
	var vs []tables.Value
	for i, v := range m.Tables {
		if i > rules.MaxTables { // one too many is enough to be refused
			break
		}
		vs = append(vs, tables.Value{Name: v.GetName(), To: v.GetTo()})
	}
	r.mu.Lock()
	begun, first := r.begun, r.begins
	r.mu.Unlock()
	if begun {
		if !slices.Equal(vs, first) {
			r.sup.s.log.Warn("the rules that go on with the match would begin one with other tables than it began with: it keeps those", "began_with", said(first), "would_with", said(vs))
		}
		return nil
	}
	if _, err := rules.Begin(&r.cfg.Match.Tables, vs); err != nil {
		if n := len(m.Tables); n > rules.MaxTables {
			err = fmt.Errorf("a match that begins with %d values of the tables other than the server's, and at most %d may be", n, rules.MaxTables)
		}
		return &tablesError{err}
	}
	r.mu.Lock()
	r.begun, r.begins = true, vs
	r.mu.Unlock()
	return nil
}

// said lists values for the log.
func said(vs []tables.Value) string {
	if len(vs) == 0 {
		return "the server's"
	}
	return tables.Line(vs)
}

// Tables is what the rules want their match to begin with that RulesConfig.Match.Tables
// does not say.
func (r *Rules) Tables() []tables.Value {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.begins)
}

// Tables is what the match is to begin with that the server's tables do not say; once
// others have taken over, what their match began with.
func (s *RulesStage) Tables() []tables.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.begins)
}

// retable puts the tables in place that rules which take over begin with. Those that go
// on with the match of the ones before, and would have begun it with the same, leave
// them as they are: what was changed since is part of what they go on with. Under mu.
func (s *RulesStage) retable(begins []tables.Value, goesOn bool) {
	same := slices.Equal(begins, s.begins)
	if same && (goesOn || !s.changed) {
		return
	}
	s.log.Info("the tables become what the rules begin with that take over", "rules", name(&s.cfg), "begin_with", said(begins))
	// What the others still wanted of them is not done any more.
	s.out = slices.DeleteFunc(s.out, func(op rules.Op) bool { return op.Kind == rules.OpTable })
	s.out = append(s.out, rules.ResetTables(0, true))
	for _, v := range begins {
		s.out = append(s.out, rules.SetTable(v, 0))
	}
	s.begins, s.changed, s.retabled = begins, false, true
}
