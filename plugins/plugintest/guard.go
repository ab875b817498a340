package plugintest

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
)

// guarded ends the test with a sentence and the place where a policy panics.
type guarded struct {
	vis.Policy
	t testing.TB
}

// guard is a spec whose policies are guarded.
func guard(t testing.TB, spec vis.Spec) vis.Spec {
	was := spec.New
	spec.New = func(e vis.Env) (vis.Policy, error) {
		defer panicked(t, "New", 0)
		p, err := was(e)
		if err != nil || p == nil {
			return nil, err
		}
		return &guarded{p, t}, nil
	}
	return spec
}

func (g *guarded) Decide(in *vis.Input, out *vis.Answer) {
	defer panicked(g.t, "Decide", in.Tick)
	g.Policy.Decide(in, out)
}

// guardedRules is guarded for rules.
type guardedRules struct {
	rules.Rules
	t testing.TB
}

// guardRules is a spec whose rules are guarded.
func guardRules(t testing.TB, spec rules.Spec) rules.Spec {
	was := spec.New
	spec.New = func() rules.Rules { return &guardedRules{was(), t} }
	return spec
}

func (g *guardedRules) Start(m *rules.Match) error {
	defer panicked(g.t, "Start", m.SavedTick)
	return g.Rules.Start(m)
}

func (g *guardedRules) Tables() []tables.Value {
	defer panicked(g.t, "Tables", 0)
	return rules.TablesOf(g.Rules)
}

func (g *guardedRules) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	defer panicked(g.t, "Tick", in.Tick)
	return g.Rules.Tick(in, ops)
}

func (g *guardedRules) Save() []byte {
	defer panicked(g.t, "Save", 0)
	return g.Rules.Save()
}

// panicked is deferred.
func panicked(t testing.TB, what string, tick uint32) {
	if e := recover(); e != nil {
		t.Helper()
		t.Fatalf("it panics in %s, in tick %d: %v\n%s\nOn a server its process would end here and another be started: an author's mistake loses no match, but decides nothing either.",
			what, tick, e, where(string(debug.Stack())))
	}
}

// where is the part of a stack that an author wants to see: from the panic down, as far
// as it is not this package's.
func where(stack string) string {
	_, rest, ok := strings.Cut(stack, "\npanic(")
	if !ok {
		return stack
	}
	lines := strings.Split(rest, "\n")
	var out []string
	for i := 2; i+1 < len(lines) && len(out) < 12; i += 2 {
		if strings.Contains(lines[i], "/plugintest.") {
			break
		}
		if !strings.HasPrefix(lines[i], "runtime.") {
			out = append(out, lines[i], lines[i+1])
		}
	}
	return strings.Join(out, "\n")
}
