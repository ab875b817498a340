package plugintest_test

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/plugintest"
)

// envBad names the bad one that TestBad tries, in a process of its own.
const envBad = "SIGHTLINE_PLUGINTEST_BAD"

// near is a policy of the plainest kind: it sends who is near and in sight; with one
// thing wrong.
type near struct {
	bad   string
	sight *vis.Sight
	kept  []vis.Subject
	ticks int
}

func (n *near) Decide(in *vis.Input, out *vis.Answer) {
	n.ticks++
	subjects := in.Subjects
	switch n.bad {
	case "keeps":
		if n.kept != nil {
			subjects = n.kept
		}
		n.kept = in.Subjects
	case "changes":
		if len(in.Subjects) > 0 {
			in.Subjects[0].Team = 9
		}
	case "panics":
		_ = subjects[0]
	case "slow":
		time.Sleep(25 * time.Millisecond)
	case "rays":
		out.Rays = 5000
	case "shape":
		out.Subjects++
	}
	seen := *in
	switch n.bad {
	case "smoke":
		seen.Smokes = nil
	case "pieces":
		seen.Pieces = slices.Clone(in.Pieces)
		for i := range seen.Pieces {
			seen.Pieces[i].Broken = true
		}
	}
	n.sight.Take(&seen)
	hidden := -1
	if n.bad == "leaks" || n.bad == "depends" {
		hidden = len(in.Subjects) - 1
	}
	for v := range in.Viewers {
		me := in.Viewers[v].Subject
		for s := range in.Subjects {
			if me < 0 || me >= len(subjects) || s >= len(subjects) || !in.IsAsked(v, s) {
				continue
			}
			r, hold := vis.Open, in.Tick+3
			switch n.bad {
			case "reason":
				r = vis.Hidden
			case "hold":
				hold = in.Tick - 1
			}
			far := subjects[me].Pos.Dist(subjects[s].Pos)
			may := far < 20 && n.sight.Clear(subjects[me].Eye, subjects[s].Eye)
			switch {
			case n.bad == "leaks" && s == hidden:
				may = n.ticks > 60
			case s == hidden || v == hidden:
				may = false
			case n.bad == "crowd" && len(in.Smokes) > 0:
				may = may && len(in.Subjects)%2 == 0
			case n.bad == "depends":
				may = may && in.Subjects[hidden].Pos.X < 42
			case n.bad == "clock":
				may = may && uintptrOf(n)%3 != 0
			}
			if may {
				out.Allow(v, s, r, hold, 0)
			}
		}
	}
}

// heir is near that takes over what stood, and never lets go of it.
type heir struct {
	near
	mine map[[2]int]bool
}

func (h *heir) Inherits() {}

func (h *heir) Decide(in *vis.Input, out *vis.Answer) {
	h.near.Decide(in, out)
	for _, s := range in.Standing {
		h.mine[[2]int{s.Viewer, s.Subject}] = true
	}
	for k := range h.mine {
		if in.IsAsked(k[0], k[1]) && !out.Permitted(k[0], k[1]) {
			out.Allow(k[0], k[1], vis.Held, in.Tick, 0)
		}
	}
}

// serial stands in for a clock: another number each time.
var serial int

func uintptrOf(*near) int { serial++; return serial }

func nearSpec(bad string) vis.Spec {
	s := vis.Spec{
		Name: "near", Version: "1", Help: "Sends whoever is near.",
		Schema: vis.Schema{{Name: "metres", Default: 20, Min: 1, Max: 50, Unit: "m", Help: "How near."}},
		New: func(e vis.Env) (vis.Policy, error) {
			n := near{bad: bad, sight: vis.NewSight(e.World, e.TickRate)}
			if bad == "clings" {
				return &heir{n, map[[2]int]bool{}}, nil
			}
			return &n, nil
		},
	}
	if bad == "range" {
		s.Schema[0].Default = 99
	}
	return s
}

// greet is rules of the plainest kind, with one thing wrong.
type greet struct {
	bad  string
	told map[state.ID]bool
	n    byte
	kept []rules.PlayerRow
}

func (g *greet) Start(m *rules.Match) error {
	g.told = map[state.ID]bool{}
	if g.bad != "lax" && len(m.Settings) > 0 {
		return os.ErrInvalid
	}
	if m.Saved != nil {
		if g.bad == "panics" {
			_ = m.Saved[3]
		}
		if len(m.Saved) != 1 {
			return os.ErrInvalid
		}
		g.n = m.Saved[0]
	}
	return nil
}

// Tables is good unless it is what is wrong.
func (g *greet) Tables() []tables.Value {
	v := tables.Value{Name: "movement.gravity", To: 20}
	switch g.bad {
	case "name":
		v.Name = "movement.gravty"
	case "heavy":
		v.To = 1000
	case "dice":
		serial++
		v.To = float32(serial % 100)
	case "memory":
		v.To += float32(g.n)
	}
	return []tables.Value{v}
}

func (g *greet) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	g.n++
	if g.bad == "forgets" && g.n == 100 {
		g.told[1] = true
	}
	players := in.Players
	if g.bad == "keeps" {
		if g.kept != nil {
			players = g.kept
		}
		g.kept = in.Players
	}
	if g.bad == "late" && in.Tick == 5000 {
		ops = append(ops, rules.SetTable(tables.Value{Name: "weapon.rifle.interval_ms", To: 1}, 0))
	}
	if g.n%40 == 0 && len(players) > 0 {
		op := rules.Op{Kind: rules.OpHUD, ID: players[0].ID, Text: "ticks=" + strings.Repeat("i", int(g.n))}
		switch {
		case g.bad == "absent":
			op.ID = 300
		case g.bad == "nan":
			op.Pos = vec.V3{X: float32(math.NaN())}
		case g.bad == "long":
			op.Text = strings.Repeat("x", 1000)
		case g.bad == "clock":
			serial++
			op.Value = int32(serial)
		case g.told[1]:
			op.Text = "other"
		case g.bad == "contradicts": // each by itself could be
			op = rules.SetTable(tables.Value{Name: "movement.crouch_height", To: 1.9}, in.Tick+100)
		case g.bad == "":
			ops = append(ops, rules.ResetTables(0, g.n%80 == 0), rules.SetTable(tables.Value{Name: "movement.gravity", To: float32(g.n % 100)}, 0))
		}
		ops = append(ops, op)
	}
	return ops
}

func (g *greet) Save() []byte { return []byte{g.n} }

func greetSpec(bad string) rules.Spec {
	return rules.Spec{Name: "greet", Version: "1", Help: "Says how late it is.", New: func() rules.Rules { return &greet{bad: bad} }}
}

// TestBad tries the one that the environment names; without one the good ones.
func TestBad(t *testing.T) {
	switch kind, bad, _ := strings.Cut(os.Getenv(envBad), " "); kind {
	case "policy":
		plugintest.Policy(t, nearSpec(bad))
	case "set":
		spec := nearSpec("")
		plain := spec.New
		spec.Schema = append(spec.Schema, vis.Setting{Name: "leaks", Max: 1, Help: "Whether it leaks."})
		spec.New = func(e vis.Env) (vis.Policy, error) {
			if e.Settings["leaks"] == 1 {
				return nearSpec("leaks").New(e)
			}
			return plain(e)
		}
		plugintest.Policy(t, spec, plugintest.Options{Settings: map[string]string{"leaks": bad}})
	case "rules":
		plugintest.Rules(t, greetSpec(bad))
	default:
		plugintest.Policy(t, nearSpec(""))
		plugintest.Rules(t, greetSpec(""))
	}
}

// Each fault is found, and the sentence says which it is.
func TestEachFaultIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ bad, says string }{
		{"policy keeps", "keeps slices"},
		{"policy changes", "has changed"},
		{"policy panics", "it panics"},
		{"policy rays", "5000 rays"},
		{"policy shape", "another shape"},
		{"policy reason", "which is none"},
		{"policy hold", "which is over"},
		{"policy leaks", "whom nobody can see"},
		{"set 1", "whom nobody can see"},
		{"set 2", "leaks = 2 is outside"},
		{"set on", "is no number"},
		{"policy depends", "depends on where the player in the vault is"},
		{"policy clock", "two answers"},
		{"policy range", "default 99"},
		{"policy clings", "held for longer than was said"},
		{"policy slow", "the fallback would decide, always"},
		{"policy smoke", "T09"}, // which only a scene shows, as the two that follow
		{"policy pieces", "T29"},
		{"policy crowd", "whom else it is told of depends on whether"},
		{"rules keeps", "keeps slices"},
		{"rules absent", "who is not there"},
		{"rules nan", "a number of it is none"},
		{"rules long", "1000 bytes"},
		{"rules clock", "two answers"},
		{"rules forgets", "saved at"},
		{"rules panics", "panic"},
		{"rules lax", "misspelt"},
		{"rules name", "near are movement.gravity"},
		{"rules heavy", "movement.gravity = 1000 is outside 0 to 200"},
		{"rules dice", "twice the same match, which begins with"},
		{"rules memory", "from a saved state it wants a match that begins with"},
		{"rules contradicts", "CrouchHeight 1.9 is above StandHeight 1.75"},
		{"rules late", "s into a quiet match: it changes the tables from tick 0 on to what cannot be: weapon.rifle.interval_ms = 1 is outside"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestBad$")
		cmd.Env = append(os.Environ(), envBad+"="+c.bad)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v, says not %q:\n%s", c.bad, err, c.says, out)
		}
	}
}
