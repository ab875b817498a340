package kit

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Moves says how players get about at most: where one can be in a while follows
// from it. An explosion's push and a mover under the feet are not in it.
type Moves struct {
	Speed float32 // m/s
	Accel float32 // m/s²
	Rub   float32 // 1/s: friction takes so much of the speed
	Jump  float32 // m/s
	Lean  float32 // m, to either side
	LeanS float32 // s, that a whole lean takes
	Duck  float32 // m, by which ducking lowers the eye
	Will  float32 // 0 to 1: how much of what they could do is counted

	Pads []level.Pad // that throw whoever touches them
}

// MoveSchema declares the settings of Moves.
func MoveSchema() vis.Schema {
	return vis.Schema{
		{Name: "run_mps", Default: 10, Min: 0, Max: 120, Unit: "m/s",
			Help: "How fast players run; whoever is faster already is expected to stay so. Source: the table of movement. Cost: more is sent early; too little, and it comes late."},
		{Name: "accel_mps2", Default: 100, Min: 1, Max: 2000, Unit: "m/s²",
			Help: "How fast they gain speed. Source: the table's acceleration times its speed. Cost: as run_mps."},
		{Name: "friction_ps", Default: 6, Min: 0, Max: 30, Unit: "1/s",
			Help: "How much of their speed the ground takes, which helps who turns round. Source: the table of movement."},
		{Name: "jump_mps", Default: 8.4375, Min: 0, Max: 50, Unit: "m/s",
			Help: "How fast a jump begins. Source: the table of movement. Cost: as run_mps."},
		{Name: "lean_m", Default: 0.5, Min: 0, Max: 2, Unit: "m",
			Help: "How far a lean moves the eye. Source: the table of movement. Cost: as run_mps; 0 where nobody leans."},
		{Name: "lean_ms", Default: 150, Min: 0, Max: 2000, Unit: "ms",
			Help: "How long a lean takes. Source: the table of movement."},
		{Name: "duck_m", Default: 0.4375, Min: 0, Max: 2, Unit: "m",
			Help: "By how much ducking lowers the eye. Source: the table of movement. Cost: one line for each pair."},
		{Name: "swerve", Default: 1, Min: 0, Max: 1, Unit: "share",
			Help: "How much of what players could do otherwise than go on as they go is counted. Below 1 less is sent early, and whoever is come upon by a sudden step is late by a few frames."},
	}
}

// MovesOf reads the settings that MoveSchema declares.
func MovesOf(set vis.Settings) Moves {
	return Moves{
		Speed: float32(set["run_mps"]), Accel: float32(set["accel_mps2"]), Rub: float32(set["friction_ps"]),
		Jump: float32(set["jump_mps"]), Lean: float32(set["lean_m"]), LeanS: float32(set["lean_ms"]) / 1000,
		Duck: float32(set["duck_m"]), Will: float32(set["swerve"]),
	}
}

// gravity is the shipped tables', m/s².
const gravity = 25

// Rise returns how high a jump has come after so many seconds, the highest point
// at most.
func (m *Moves) Rise(s float32) float32 {
	s = min(s, m.Jump/gravity)
	return float32(m.Jump*s) - float32(float32(s*s)*(gravity/2))
}

// farSteps is how finely Far goes: to a few centimetres.
const farSteps = 8

// Far returns how far somebody gets in a direction within so many seconds who moves
// in it with a speed, of which a negative one leads away: who turns round is helped
// by friction, and who gains speed is held by it.
func (m *Moves) Far(speed, s float32) float32 {
	if speed >= m.Speed {
		return float32(speed * s)
	}
	d, dt := float32(0), s/farSteps
	for range farSteps {
		half := speed + float32((m.Accel-float32(m.Rub*speed))*dt)/2
		next := min(speed+float32((m.Accel-float32(m.Rub*half))*dt), m.Speed)
		d += float32((speed+next)*dt) / 2
		speed = next
	}
	return d
}

// Sideways returns how far an eye gets to one side: a lean comes on top.
func (m *Moves) Sideways(speed, s float32) float32 {
	lean := m.Lean
	if s < m.LeanS {
		lean = float32(lean*s) / m.LeanS
	}
	return m.Far(speed, s) + lean
}

// The places of a Reach.
const (
	Here  = iota // where it is
	Ahead        // as it goes
	Left         // as far to one side of the line as it can
	Right
	HalfLeft // half way there from Ahead
	HalfRight
	Near // as far along the line as it can
	Back
	Above // jumping, or thrown by a pad
	Below // ducking
	NumPlaces
)

// Reach is where an eye can be in a while: samples of that set, its extremes across
// the line of sight among them. Each is as far as the world lets a point go from
// where the eye is; that is looked at only when it matters (Look).
type Reach struct {
	from    vec.V3
	to      [NumPlaces]vec.V3
	clipped uint16 // bit per place: where the world lets it be
	stopped uint16 // bit per place: short of where it could be otherwise
	asked   uint16 // bit per place: of the world, in this test
	want    [NumPlaces]vec.V3
	Left    vec.V3 // the direction across the line
}

// Aim fills in where s can be within so many seconds, seen along a line to a place.
func (r *Reach) Aim(m *Moves, s *vis.Subject, to vec.V3, seconds float32) {
	along := to.Sub(s.Eye).Flat().Unit()
	if along == (vec.V3{}) {
		along = vec.V3{X: 1}
	}
	r.Left = vec.V3{X: 0 - along.Y, Y: along.X}
	r.from, r.clipped, r.stopped, r.asked = s.Eye, 1<<Here, 0, 0
	ahead := s.Eye.Mad(seconds, s.Vel)
	va, vl := s.Vel.Dot(along), s.Vel.Dot(r.Left)
	coast := s.Eye.Mad(float32(va*seconds), along)
	r.to[Here] = s.Eye
	r.to[Ahead] = ahead
	r.to[Left] = ahead.Lerp(coast.Mad(m.Sideways(vl, seconds), r.Left), m.Will)
	r.to[Right] = ahead.Lerp(coast.Mad(0-m.Sideways(0-vl, seconds), r.Left), m.Will)
	r.to[HalfLeft] = ahead.Lerp(r.to[Left], 0.5)
	r.to[HalfRight] = ahead.Lerp(r.to[Right], 0.5)
	r.to[Near] = ahead.Lerp(s.Eye.Mad(m.Far(va, seconds), along), m.Will)
	r.to[Back] = ahead.Lerp(s.Eye.Mad(0-m.Far(0-va, seconds), along), m.Will)
	up := float32(m.Rise(seconds) * m.Will)
	if s.Ducked {
		up += m.Duck
	}
	level := ahead
	if s.Vel.Z < 0 {
		// It may land at once, and then jump.
		level.Z += float32((s.Eye.Z - ahead.Z) * m.Will)
	}
	r.to[Above] = level.Mad(up, vec.Up)
	if thrown := m.thrown(s, seconds); s.Eye.Z+thrown.Z > r.to[Above].Z {
		to := ahead.Add(thrown.Flat())
		to.Z = s.Eye.Z + thrown.Z
		r.to[Above] = ahead.Lerp(to, m.Will)
	}
	down := m.Duck
	if s.Ducked {
		down = 0
	}
	r.to[Below] = ahead.Mad(float32((0-down)*m.Will), vec.Up)
}

// Follow fills in where s can be within so many seconds, with the sides of another
// Reach: those of the one who looks at s.
func (r *Reach) Follow(m *Moves, s *vis.Subject, of *Reach, seconds float32) {
	along := vec.V3{X: of.Left.Y, Y: 0 - of.Left.X}
	r.Aim(m, s, s.Eye.Add(along), seconds)
}

// Still fills in somebody or something that stays where it is.
func (r *Reach) Still(s *vis.Subject) {
	r.from, r.clipped, r.stopped, r.asked = s.Eye, 1<<NumPlaces-1, 0, 0
	for i := range r.to {
		r.to[i] = s.Eye
	}
}

// At returns a place, and whether the world has been asked about it.
func (r *Reach) At(place int) (at vec.V3, clipped bool) {
	return r.to[place], r.clipped&(1<<place) != 0
}

// clip asks the world how far the way to a place leads.
func (r *Reach) clip(s *vis.Sight, place int) {
	r.clipped |= 1 << place
	r.asked |= 1 << place
	r.want[place] = r.to[place]
	if to := r.to[place]; to != r.from {
		if r.to[place] = s.Free(r.from, to); r.to[place] != to {
			r.stopped |= 1 << place
		}
	}
}

// Most is the speed below which a Volume holds, m/s: somebody who runs into
// somebody else or down a slope is a little faster than the table says.
func (m *Moves) Most() float32 { return float32(m.Speed * 1.25) }

// EyeVolume holds wherever an eye can be within so many seconds.
func (m *Moves) EyeVolume(s *vis.Subject, seconds float32) vec.Box {
	far := float32(m.Most()*seconds) + m.Lean
	b := vec.Box{Min: s.Eye, Max: s.Eye}
	b.Min = b.Min.Sub(vec.V3{X: far, Y: far, Z: m.Duck})
	b.Max = b.Max.Add(vec.V3{X: far, Y: far, Z: m.Rise(seconds) + m.Duck})
	if t := m.thrown(s, seconds); t.Z > 0 {
		b.Min = b.Min.Sub(vec.V3{X: vec.Abs(t.X), Y: vec.Abs(t.Y)})
		b.Max = b.Max.Add(vec.V3{X: vec.Abs(t.X), Y: vec.Abs(t.Y), Z: t.Z})
	}
	return b
}

// thrown returns how far the pad that throws the highest takes somebody within so many
// seconds, on the way to it included; zero where no pad is that near.
func (m *Moves) thrown(s *vis.Subject, seconds float32) (most vec.V3) {
	if s.Kind != state.KindPlayer {
		return most
	}
	speed := max(m.Speed, s.Vel.Len())
	for i := range m.Pads {
		p := &m.Pads[i]
		left := seconds - p.Box.Dist(s.Pos)/speed
		if !(left > 0) {
			continue
		}
		by := p.Vel.Scale(left)
		by.Z -= float32(float32(left*left) * (gravity / 2))
		if by.Z > most.Z {
			most = by
		}
	}
	return most
}

// BodyVolume holds wherever a body on level ground, or a thing that lies, can be
// within so many seconds.
func (m *Moves) BodyVolume(s *vis.Subject, seconds float32) vec.Box {
	b := s.Box.Grow(s.Eye)
	if s.Kind != state.KindPlayer {
		return b
	}
	far := float32(m.Most()*seconds) + m.Lean
	b.Min = b.Min.Sub(vec.V3{X: far, Y: far})
	b.Max = b.Max.Add(vec.V3{X: far, Y: far, Z: m.Rise(seconds) + m.Duck})
	b.Min.Z = s.Pos.Z + footUp/2
	return b
}
