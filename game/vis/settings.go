package vis

import (
	"fmt"
	"math"
)

// Setting declares one number that a policy can be tuned with.
type Setting struct {
	Name              string // "hold_ms"
	Default, Min, Max float64
	Unit              string // "ms", "m", …
	Help              string // one sentence
}

// Settings are validated values by name.
type Settings map[string]float64

// Schema is the list of a policy's settings.
type Schema []Setting

// Check fills in defaults and refuses unknown names and values out of range, with
// one sentence.
func (sc Schema) Check(given Settings) (Settings, error) {
	out := make(Settings, len(sc))
	for _, s := range sc {
		out[s.Name] = s.Default
	}
	for name, v := range given {
		i := sc.index(name)
		if i < 0 {
			return nil, fmt.Errorf("unknown setting %q", name)
		}
		if s := sc[i]; math.IsNaN(v) || v < s.Min || v > s.Max {
			return nil, fmt.Errorf("setting %s = %v is outside %v to %v %s", name, v, s.Min, s.Max, s.Unit)
		}
		out[name] = v
	}
	return out, nil
}

func (sc Schema) index(name string) int {
	for i := range sc {
		if sc[i].Name == name {
			return i
		}
	}
	return -1
}

// Spec names a policy, its settings and how one is made.
type Spec struct {
	Name    string
	Version string
	Help    string // one sentence
	Schema  Schema
	New     func(Env) (Policy, error)
}
