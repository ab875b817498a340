package kit

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/tables"
)

// Pace is how heavy people are and how fast they move, of what the server's tables say:
// the part of rules that offers it as settings.
type Pace struct {
	gravity, speed int // percent
	set            tables.Set
}

// Least of what a Pace can be, percent: who can neither fall nor walk plays no match.
const (
	leastGravity = 5
	leastSpeed   = 25
)

// speeds are the numbers that speed_pct is of.
func speeds() []string {
	return []string{
		"movement.run_speed", "movement.walk_speed", "movement.crouch_speed",
		"movement.swim_speed", "movement.ladder_speed", "movement.aim_speed",
	}
}

// PaceSchema are the settings of a Pace, for the end of a schema.
func PaceSchema() rules.Schema {
	return rules.Schema{
		{Name: "gravity_pct", Usual: 100, Max: 300, Unit: "%", Help: "gravity, of that of the tables; at least 5"},
		{Name: "speed_pct", Usual: 100, Max: 300, Unit: "%", Help: "how fast people run, walk, swim and climb, of the tables; at least 25"},
	}
}

// PaceOf makes one of the values of PaceSchema and the tables of Match.
func PaceOf(values []int, set *tables.Set) Pace {
	return Pace{gravity: max(values[0], leastGravity), speed: max(values[1], leastSpeed), set: *set}
}

// Tables is what rules with a Pace return from Tables: nothing at a hundred percent.
func (p *Pace) Tables() []tables.Value {
	vs := Scaled(nil, &p.set, p.gravity, "movement.gravity")
	return Scaled(vs, &p.set, p.speed, speeds()...)
}

// Scaled appends what numbers of the tables are at so many percent, nothing of those
// that it leaves as they are. A name that there is none of stays in what is returned, to
// become 0: whoever asks for that change is told of the name, in a test or by the server.
func Scaled(vs []tables.Value, set *tables.Set, percent int, names ...string) []tables.Value {
	for _, name := range names {
		was, err := set.Get(name)
		if to := float32(was*float32(percent)) / 100; err != nil || to != was {
			vs = append(vs, tables.Value{Name: name, To: to})
		}
	}
	return vs
}
