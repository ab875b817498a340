package sdk

import (
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	viskit "github.com/sightline-engine/sightline/game/vis/kit"
)

// ConeSchema declares the settings of Cones, for the end of a policy's schema.
func ConeSchema() vis.Schema { return viskit.ConeSchema() }

// NewCones makes Cones with settings that ConeSchema has checked.
func NewCones(set vis.Settings, tickRate int) Cones { return viskit.NewCones(set, tickRate) }

// ConeReason is the reason that somebody is told of who is told by a cone alone.
func ConeReason(far bool, r vis.Reason) vis.Reason { return viskit.ConeReason(far, r) }

// BlindSetting is the setting of policies that take blindness into account.
func BlindSetting() vis.Setting { return viskit.BlindSetting() }

// Blind reports whether a viewer will see nothing but white by the time that what is sent
// now is on its screen.
func Blind(in *vis.Input, v int) bool { return viskit.Blind(in, v) }

// OneWaySchema declares the settings of a OneWay, after those of its Looker.
func OneWaySchema(holdMS float64, own ...vis.Setting) vis.Schema {
	return viskit.OneWaySchema(holdMS, own...)
}

// NewOneWay makes one with settings that OneWaySchema has checked.
func NewOneWay(env vis.Env, set vis.Settings, look Looker) (*OneWay, error) {
	return viskit.NewOneWay(env, set, look)
}

// MoveSchema declares the settings of Moves.
func MoveSchema() vis.Schema { return viskit.MoveSchema() }

// MovesOf reads the settings that MoveSchema declares.
func MovesOf(set vis.Settings) Moves { return viskit.MovesOf(set) }

// NewPaths keeps so many ticks, the present one among them.
func NewPaths(depth int) *Paths { return viskit.NewPaths(depth) }

// NewSights keeps so many ticks of a world, the present one among them.
func NewSights(w *trace.World, tickRate, depth int) *Sights {
	return viskit.NewSights(w, tickRate, depth)
}

// Spread is a number by which the tests of a subject are spread over the ticks, and by
// which nobody can tell how many others there are.
func Spread(s *vis.Subject) state.Tick { return viskit.Spread(s) }

// HidesAll reports whether one solid hides all of a volume from all of another.
func HidesAll(s *vis.Sight, by trace.Occluder, a, b vec.Box) bool {
	return viskit.Between(s, by, a, b)
}

// Volume is a box that holds all ends on a subject of the lines of Bodies.
func Volume(s *vis.Subject, p, l vec.V3) vec.Box { return viskit.Volume(s, p, l) }

// Turned reports whether Bodies takes b before a.
func Turned(a, b *vis.Subject) bool { return viskit.Turned(a, b) }

// Reverse is a reason the other way round.
func Reverse(r vis.Reason) vis.Reason { return viskit.Turn(r) }

// Seams returns the neighbours among casts.
func Seams(casts []Cast) []Seam { return viskit.Seams(casts) }

// SeamSetting is the setting of policies that look between their casts.
func SeamSetting() vis.Setting { return viskit.SeamSetting() }

// Mend makes the level whole again, as every match and every round begins.
func Mend(ops []rules.Op) []rules.Op { return kit.Mend(ops) }

// PaceSchema are the settings of a Pace, for the end of a schema.
func PaceSchema() rules.Schema { return kit.PaceSchema() }

// PaceOf makes one of the values of PaceSchema and the tables of Match.
func PaceOf(values []int, set *tables.Set) Pace { return kit.PaceOf(values, set) }

// Scaled appends what numbers of the tables are at so many percent.
func Scaled(vs []TableValue, set *tables.Set, percent int, names ...string) []TableValue {
	return kit.Scaled(vs, set, percent, names...)
}

// StandStill stands everybody still who is there, while a score is read.
func StandStill(in *rules.TickIn, ops []rules.Op) []rules.Op { return kit.Hold(in, ops) }

// Command splits a line that a player typed into its first word, without the slash, and
// the rest; ok is false when it is no command.
func Command(text string) (word, rest string, ok bool) { return kit.Command(text) }

// ClipName shortens a name to what may be kept of one.
func ClipName(name string) string { return kit.Clip(name) }

// TeamName returns what a team is called.
func TeamName(team uint8) string { return kit.TeamName(team) }

// TeamOf returns the team that a word means, 0 for none.
func TeamOf(word string) uint8 { return kit.TeamOf(word) }

// IsDue reports whether tick t is now or past at another tick, whatever wraps.
func IsDue(now, t state.Tick) bool { return kit.Due(now, t) }

// Inc adds to a count that stays within 16 bits.
func Inc(v int16, by int) int16 { return kit.Inc(v, by) }
