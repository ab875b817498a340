package state

// Detail is how finely a subject is sent: chosen by the server from the effective
// distance, known to both sides. Exact is for who wants everything.
type Detail = uint8

// The details.
const (
	Near Detail = iota
	Mid
	Far
	Exact
	NumDetails
)

// Steps of a body between standing and crouched, and of leaning.
const (
	DuckLevels = 32
	LeanLevels = 31
	leanMost   = LeanLevels / 2
)

// Grid is what a detail rounds to, as powers of two of the units: places of 1/256 m,
// velocities of 1/256 m/s, angles of 1/65536 turn.
type Grid struct{ Place, Velocity, Angle int }

var grids = [NumDetails]Grid{Near: {0, 6, 4}, Mid: {2, 6, 5}, Far: {3, 7, 6}, Exact: {0, 0, 0}}

// GridOf returns the grid of a detail.
func GridOf(d Detail) Grid { return grids[min(d, Exact)] }

// Shown returns what a client gets of a subject that is sent in a detail. It is a
// function of the two and nothing else, so that the server tests shots at what was
// drawn. Only the counters are not as they are: a client is told how they change
// (Stride within a quarter of a metre).
func Shown(e Entity, d Detail) Entity {
	if d >= Exact {
		return e
	}
	g := &grids[d]
	e.Pos = RoundQ(e.Pos, g.Place)
	e.Vel = RoundQ(e.Vel, g.Velocity)
	e.Yaw = Angle16(Round(int32(e.Yaw), g.Angle) << g.Angle)
	e.Pitch = Angle16(Round(int32(e.Pitch), g.Angle) << g.Angle)
	e.Duck = DuckAt(DuckLevel(e.Duck))
	e.Lean = LeanAt(LeanLevel(e.Lean))
	return e
}

// Coarsen is Shown for what lag compensation stores.
func (b *Body) Coarsen(d Detail) {
	e := Shown(Entity{Pos: b.Pos, Vel: b.Vel, Yaw: b.Yaw, Pitch: b.Pitch, Duck: b.Duck, Lean: b.Lean}, d)
	b.Pos, b.Vel, b.Yaw, b.Pitch, b.Duck, b.Lean = e.Pos, e.Vel, e.Yaw, e.Pitch, e.Duck, e.Lean
}

// Round divides by a power of two to the nearest, halves upwards.
func Round(v int32, shift int) int32 {
	if shift == 0 {
		return v
	}
	return int32((int64(v) + 1<<(shift-1)) >> shift)
}

// RoundQ rounds a place to a grid.
func RoundQ(q Q, s int) Q {
	return Q{X: Round(q.X, s) << s, Y: Round(q.Y, s) << s, Z: Round(q.Z, s) << s}
}

// DuckLevel, DuckAt, LeanLevel and LeanAt turn crouching and leaning into steps and
// back.
func DuckLevel(d uint8) int { return (int(d)*(DuckLevels-1) + 127) / 255 }
func DuckAt(l int) uint8    { return uint8((l*255 + (DuckLevels-1)/2) / (DuckLevels - 1)) }

func LeanLevel(l int8) int {
	v := max(int(l), -127) * leanMost
	if v < 0 {
		return (v - 63) / 127
	}
	return (v + 63) / 127
}

func LeanAt(l int) int8 { return int8(l * 127 / leanMost) }
