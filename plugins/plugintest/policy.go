package plugintest

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Options say what a plugin is tried with, and what a policy does on purpose.
type Options struct {
	// Settings are tried in place of the defaults of the same names: "radius_m": "40".
	Settings map[string]string
	// SendsHidden: the policy may tell of somebody who cannot be seen by anyone, as one
	// that goes by distance does.
	SendsHidden bool
	// MaxRays is how many rays a tick may cost at most; 0 means 2,000.
	MaxRays int
	// Except names shipped scenes in which the policy may tell of who is hidden, and why
	// it does so by its nature: "T09 smoke sum": "it does not know smoke".
	Except map[string]string
}

// crowdSize is how many players the worlds have.
const crowdSize = 12

// Policy tries a policy. Each part is a subtest of its own.
func Policy(t *testing.T, spec vis.Spec, opt ...Options) {
	t.Helper()
	o := options(opt)
	spec = o.usual(t, spec)
	t.Run("settings", func(t *testing.T) { policySettings(t, guard(t, spec)) })
	if !t.Run("cost", func(t *testing.T) { policyCost(t, guard(t, spec)) }) {
		return // the others would take minutes
	}
	t.Run("contract", func(t *testing.T) { policyContract(t, guard(t, spec), o) })
	if !t.Run("determinism", func(t *testing.T) { policyDeterminism(t, guard(t, spec)) }) {
		return // who answers twice differently would be found to depend on everything
	}
	if p := start(t, spec, NewWorld(t, 1, 1, 2), 1); isHeir(p) {
		t.Run("inheritance", func(t *testing.T) { policyInherits(t, guard(t, spec)) })
	}
	t.Run("non-interference", func(t *testing.T) { policyNonInterference(t, guard(t, spec), o) })
	t.Run("scenes", func(t *testing.T) { policyScenes(t, guard(t, spec), o, nil) })
	t.Run("strange input", func(t *testing.T) { policyStrange(t, guard(t, spec)) })
}

func options(opt []Options) Options {
	o := Options{}
	if len(opt) > 0 {
		o = opt[0]
	}
	if o.MaxRays == 0 {
		o.MaxRays = 2000
	}
	return o
}

// numbers are the Settings of a policy.
func (o *Options) numbers(t testing.TB) vis.Settings {
	t.Helper()
	set := vis.Settings{}
	for name, text := range o.Settings {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("setting %s: %q is no number, and those of policies are", name, text)
		}
		set[name] = v
	}
	return set
}

// usual returns a policy whose defaults are the Settings.
func (o *Options) usual(t testing.TB, spec vis.Spec) vis.Spec {
	t.Helper()
	set, err := spec.Schema.Check(o.numbers(t))
	if err != nil {
		t.Fatalf("the settings that it is to be tried with are refused: %v", err)
	}
	spec.Schema = slices.Clone(spec.Schema)
	for i := range spec.Schema {
		spec.Schema[i].Default = set[spec.Schema[i].Name]
	}
	return spec
}

// make starts a policy in a world with its default settings.
func start(t testing.TB, spec vis.Spec, w *World, seed uint64) vis.Policy {
	t.Helper()
	set, err := spec.Schema.Check(nil)
	if err != nil {
		t.Fatalf("the defaults are refused: %v", err)
	}
	p, err := spec.New(vis.Env{World: w.Trace, TickRate: TickRate, Seed: seed, Settings: set})
	if err != nil {
		t.Fatalf("does not start: %v", err)
	}
	return p
}

func policySettings(t *testing.T, spec vis.Spec) {
	if spec.Name == "" || spec.Help == "" || spec.Version == "" {
		t.Error("the spec has no name, no version or no help: people see these in lists")
	}
	seen := map[string]bool{}
	for _, s := range spec.Schema {
		switch {
		case s.Name == "" || s.Help == "":
			t.Errorf("setting %q has no name or no help", s.Name)
		case seen[s.Name]:
			t.Errorf("there are two settings %q", s.Name)
		case !(s.Min <= s.Default && s.Default <= s.Max) || math.IsInf(s.Min, 0) || math.IsInf(s.Max, 0):
			t.Errorf("setting %s: default %v is not within %v to %v", s.Name, s.Default, s.Min, s.Max)
		}
		seen[s.Name] = true
	}
	w := NewWorld(t, 1, 1, 2)
	for _, s := range spec.Schema {
		for _, v := range []float64{s.Min, s.Max} {
			set, err := spec.Schema.Check(vis.Settings{s.Name: v})
			if err != nil {
				t.Errorf("setting %s = %v is in its range and refused: %v", s.Name, v, err)
				continue
			}
			p, err := spec.New(vis.Env{World: w.Trace, TickRate: TickRate, Settings: set})
			if err != nil {
				continue // it may say no with a sentence
			}
			var out vis.Answer
			for range 3 {
				in := w.Step()
				out.Reset(in)
				p.Decide(in, &out)
			}
		}
	}
}

// fault says what is wrong with an answer, "" when nothing is.
func fault(in *vis.Input, out *vis.Answer, maxRays int) string {
	if out.Viewers != len(in.Viewers) || out.Subjects != len(in.Subjects) || out.Words != in.Words {
		return "it has another shape than the question: an Answer is filled with Allow, and nothing else of it is touched"
	}
	if out.Rays < 0 || out.Rays > maxRays {
		return fmt.Sprintf("it cost %d rays, allowed are %d", out.Rays, maxRays)
	}
	for v := range out.Viewers {
		for s := range out.Subjects {
			if !out.Permitted(v, s) {
				continue
			}
			i := v*out.Subjects + s
			switch {
			case out.Reason[i] == vis.Hidden || out.Reason[i] >= vis.NumReasons:
				return fmt.Sprintf("viewer %d may know of subject %d for reason %v, which is none", v, s, out.Reason[i])
			case int32(out.Hold[i]-in.Tick) < 0:
				return fmt.Sprintf("viewer %d may know of subject %d until tick %d, which is over in tick %d", v, s, out.Hold[i], in.Tick)
			case int32(out.Hold[i]-in.Tick) > 10*TickRate:
				return fmt.Sprintf("viewer %d may know of subject %d for more than 10 s without another word", v, s)
			}
		}
		for s := out.Subjects; s < out.Words*64; s++ {
			if out.Permit[v*out.Words+s/64]&(1<<(s%64)) != 0 {
				return fmt.Sprintf("viewer %d may know of subject %d, which there is not", v, s)
			}
		}
	}
	return ""
}

func copyInput(in *vis.Input) *vis.Input {
	c := *in
	c.Subjects, c.Viewers = slices.Clone(in.Subjects), slices.Clone(in.Viewers)
	c.Doors, c.Asked = slices.Clone(in.Doors), slices.Clone(in.Asked)
	return &c
}

// spoil makes everything of an Input something else, as the next tick does.
func spoil(in *vis.Input) {
	for i := range in.Subjects {
		in.Subjects[i].ID, in.Subjects[i].Pos, in.Subjects[i].Eye = 9999, vec.V3{X: 1e6}, vec.V3{X: 1e6}
	}
	for i := range in.Viewers {
		in.Viewers[i].ID, in.Viewers[i].Subject = 9999, 0
	}
	clear(in.Doors)
	clear(in.Asked)
}

func policyContract(t *testing.T, spec vis.Spec, o Options) {
	const seed = 11
	a, b := NewWorld(t, seed, 1, crowdSize), NewWorld(t, seed, 1, crowdSize)
	p, q := start(t, spec, a, seed), start(t, spec, b, seed)
	var out, other vis.Answer
	for tick := range 300 {
		in := a.Step()
		before := copyInput(in)
		out.Reset(in)
		p.Decide(in, &out)
		if why := fault(in, &out, o.MaxRays); why != "" {
			t.Fatalf("seed %d, tick %d: %s", seed, tick, why)
		}
		for i := range in.Subjects {
			if in.Subjects[i] != before.Subjects[i] {
				t.Fatalf("tick %d: Decide has changed subject %d of its Input: others read it too", tick, i)
			}
		}
		if !reflect.DeepEqual(in.Viewers, before.Viewers) || !reflect.DeepEqual(in.Doors, before.Doors) || !reflect.DeepEqual(in.Asked, before.Asked) {
			t.Fatalf("tick %d: Decide has changed its Input: others read it too", tick)
		}
		// The other one is given memory that is something else afterwards.
		given := copyInput(b.Step())
		other.Reset(given)
		q.Decide(given, &other)
		if why := differ(&out, &other); why != "" {
			if again := twice(t, spec, seed, tick+1); again != "" {
				t.Fatalf("seed %d, %s", seed, again)
			}
			t.Fatalf("seed %d, tick %d: %s: it keeps slices of an Input beyond the call", seed, tick, why)
		}
		spoil(given)
	}
}

// differ says where two answers do.
func differ(a, b *vis.Answer) string {
	for v := range a.Viewers {
		for s := range a.Subjects {
			i := v*a.Subjects + s
			if a.Permitted(v, s) != b.Permitted(v, s) || a.Permitted(v, s) &&
				(a.Reason[i] != b.Reason[i] || a.Hold[i] != b.Hold[i] || a.Interval[i] != b.Interval[i]) {
				return fmt.Sprintf("viewer %d and subject %d: %v (%v) and %v (%v)", v, s, a.Permitted(v, s), a.Reason[i], b.Permitted(v, s), b.Reason[i])
			}
		}
	}
	return ""
}

func policyDeterminism(t *testing.T, spec vis.Spec) {
	for seed := uint64(21); seed < 24; seed++ {
		if why := twice(t, spec, seed, 200); why != "" {
			t.Fatalf("seed %d, %s", seed, why)
		}
	}
}

// twice gives the same ticks to two policies and says where they answer differently.
func twice(t *testing.T, spec vis.Spec, seed uint64, ticks int) string {
	w := NewWorld(t, seed, 1, crowdSize)
	p, q := start(t, spec, w, seed), start(t, spec, w, seed)
	var a, b vis.Answer
	for tick := range ticks {
		in := w.Step()
		a.Reset(in)
		p.Decide(in, &a)
		b.Reset(in)
		q.Decide(in, &b)
		if a.Viewers != b.Viewers || a.Subjects != b.Subjects || a.Subjects != len(in.Subjects) {
			return "" // which the contract says
		}
		if why := differ(&a, &b); why != "" {
			return fmt.Sprintf("tick %d: twice the same ticks, two answers: %s: no clock, no dice of one's own, no order of maps", tick, why)
		}
	}
	return ""
}

// policyNonInterference plays two worlds that differ in the way of a player in the
// vault alone: everybody else is told the same of everybody else.
func policyNonInterference(t *testing.T, spec vis.Spec, o Options) {
	sent := 0
	for seed := uint64(31); seed < 35; seed++ {
		a, b := NewWorld(t, seed, 1, crowdSize), NewWorld(t, seed, 2, crowdSize)
		p, q := start(t, spec, a, seed), start(t, spec, b, seed)
		var x, y vis.Answer
		for tick := range 250 {
			ia, ib := a.Step(), b.Step()
			x.Reset(ia)
			p.Decide(ia, &x)
			y.Reset(ib)
			q.Decide(ib, &y)
			for v := range ia.Viewers {
				if v == a.Hidden() {
					continue
				}
				for s := range ia.Subjects {
					i := v*x.Subjects + s
					if s == a.Hidden() {
						if x.Permitted(v, s) {
							sent++
							if !o.SendsHidden {
								t.Fatalf("seed %d, tick %d: viewer %d is told of the player in the vault (%v), whom nobody can see", seed, tick, v, x.Reason[i])
							}
						}
						continue
					}
					if x.Permitted(v, s) != y.Permitted(v, s) || x.Permitted(v, s) && x.Interval[i] != y.Interval[i] {
						t.Fatalf("seed %d, tick %d: whether viewer %d is told of subject %d depends on where the player in the vault is", seed, tick, v, s)
					}
				}
			}
		}
	}
	if o.SendsHidden && sent == 0 {
		t.Error("says that it sends who is hidden, and never does")
	}
}

// policyStrange gives it what a server can come to: nobody, many, no bodies, reused
// ids, numbers that are none.
func policyStrange(t *testing.T, spec vis.Spec) {
	const seed = 41
	w := NewWorld(t, seed, 1, crowdSize)
	p := start(t, spec, w, seed)
	r := vec.NewRand(seed)
	nan := float32(math.NaN())
	var out vis.Answer
	for tick := range 300 {
		in := copyInput(w.Step())
		switch tick % 10 {
		case 1:
			in.Subjects, in.Viewers = in.Subjects[:0], in.Viewers[:0]
		case 2:
			for i := range in.Viewers {
				in.Viewers[i].Subject = -1
			}
		case 3:
			for i := range in.Subjects {
				in.Subjects[i].Alive = r.Intn(2) == 0
			}
		case 4:
			in.Subjects[r.Intn(crowdSize)].ID = state.ID(1 + r.Intn(crowdSize))
		case 5:
			s := &in.Subjects[r.Intn(crowdSize)]
			s.Pos, s.Eye, s.Vel = vec.V3{X: nan}, vec.V3{Y: nan, Z: float32(math.Inf(1))}, vec.V3{X: nan, Y: nan, Z: nan}
		case 6:
			for i := range 500 {
				s := in.Subjects[i%crowdSize]
				s.ID, s.Kind = state.FirstThing+state.ID(i), state.KindPickup
				in.Subjects = append(in.Subjects, s)
			}
		case 7:
			in.Doors = in.Doors[:0]
		case 8:
			in.Tick += 100000
		case 9:
			for i := range in.Subjects {
				in.Subjects[i].Teleports++
				in.Subjects[i].Pos = vec.V3{X: 1e9}
				in.Subjects[i].Eye = in.Subjects[i].Pos
			}
		}
		vis.Candidates(in, 0)
		out.Reset(in)
		p.Decide(in, &out)
		if out.Viewers != len(in.Viewers) || out.Subjects != len(in.Subjects) {
			t.Fatalf("tick %d: the answer has another shape than the question", tick)
		}
	}
}

// policyCost says what a tick costs. Machines differ: it judges time only where no machine
// would do.
func policyCost(t *testing.T, spec vis.Spec) {
	w := NewWorld(t, 51, 1, 32)
	p := start(t, spec, w, 51)
	var out vis.Answer
	var spent, most time.Duration
	least := time.Hour // a machine may be busy, but not in each of so many ticks
	rays, ticks := 0, 200
	for n := range ticks {
		in := w.Step()
		out.Reset(in)
		began := time.Now()
		p.Decide(in, &out)
		took := time.Since(began)
		spent, most, least = spent+took, max(most, took), min(least, took)
		rays += out.Rays
		if n == 49 && least > time.Second/TickRate {
			ticks = n + 1
			break
		}
	}
	mean := spent / time.Duration(ticks)
	t.Logf("32 players: %v a tick, %v at most, %d rays; a server at 64 Hz waits 6.25 ms", mean.Round(time.Microsecond), most.Round(time.Microsecond), rays/ticks)
	if least > time.Second/TickRate {
		t.Errorf("a tick of 32 players takes %v at least, and there are %d ticks in a second: on a server the fallback would decide, always", least.Round(time.Millisecond), TickRate)
		return
	}
	n := testing.AllocsPerRun(50, func() { // of which the world makes none
		in := w.Step()
		out.Reset(in)
		p.Decide(in, &out)
	})
	t.Logf("%.0f allocations a tick", n)
	if n > 1000 {
		t.Errorf("%.0f allocations a tick: reuse memory from tick to tick", n)
	}
}
