package sdk

import (
	"github.com/sightline-engine/sightline/game/rules/kit"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	viskit "github.com/sightline-engine/sightline/game/vis/kit"
)

// The parts that policies are put together from; what each does is said in
// game/vis/kit. Band: Within, and the update interval of Pair.AllowEvery. Cone: Cones, with
// ConeSchema and NewCones. Sight: Lines, Bodies, and for rules that are asked of each viewer
// by itself Look and Cast. Hold: Pairs and Store. Schedule: Queue and Due. Where somebody
// can be in a while: Moves and Reach; the way that subjects and doors came: Paths and
// Sights. OneWay is all of that put together, for a Looker, with OneWaySchema and NewOneWay.
type (
	Pair   = viskit.Pair
	Pairs  = viskit.Pairs
	Bodies = viskit.Bodies
	Line   = viskit.Line
	Cones  = viskit.Cones
	Queue  = viskit.Queue
	Known  = viskit.Known
	Due    = viskit.Due
	Moves  = viskit.Moves
	Reach  = viskit.Reach
	Place  = viskit.Place
	Paths  = viskit.Paths
	Sights = viskit.Sights
	OneWay = viskit.OneWay
	Looker = viskit.Looker
	Look   = viskit.Look
	Cast   = viskit.Cast
	Seam   = viskit.Seam
)

// Store is Pairs with whatever else a policy keeps of a pair.
type Store[T any] = viskit.Store[T]

// Lines is the classic test of sight between two bodies: the first clear line, or
// vis.Hidden, and how many lines were tried.
func Lines(s *vis.Sight, a, b *vis.Subject) (vis.Reason, int) { return viskit.Lines(s, a, b) }

// Within reports whether two subjects are no farther apart than so many metres.
func Within(a, b *vis.Subject, metres float32) bool { return viskit.Within(a, b, metres) }

// Ticks returns a time in ticks, rounded up.
func Ticks(ms float64, tickRate int) state.Tick { return viskit.Ticks(ms, tickRate) }

// The parts that rules are put together from; what each does is said in
// game/rules/kit.
type (
	Entrances   = kit.Entrances
	Who         = kit.Who
	Life        = kit.Life
	Terms       = kit.Terms
	Roster      = kit.Roster
	RosterRow   = kit.Member
	Phases      = kit.Phases
	PhaseTurn   = kit.Turn
	Lengths     = kit.Lengths
	Pace        = kit.Pace
	StateWriter = kit.Writer
	StateReader = kit.Reader
)

// Random returns the dice of one purpose in one tick: always the same for the same
// numbers.
func Random(seed uint64, tick state.Tick, purpose uint64) vec.Rand {
	return vec.NewRand(seed, uint64(tick), purpose)
}
