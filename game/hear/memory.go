package hear

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Numbers of the ruling on sound, and by judgement where it gives none.
const (
	distanceOverRadius = 64
	silenceMS          = 10000 // after which an encounter has ended
	unit               = 1.0 / 16
	maxLevel           = 9 // radius 32 m, of a source 2 km away
	// A level is left when the radius by distance is this far from its own, as a factor:
	// the nearest power of two is at most the root of two away.
	levelStays = 1.5
	// A told place stays while the true one, moved, is this many cells from it along each
	// axis; half a cell would be no hysteresis.
	placeStays = 0.65
	// The way of a shot is told in steps of a 256th of a turn and stays as it was told
	// while it is this many steps off: spread alone does not change it.
	aimShift, aimStays = 8, 3
)

// Memory is what a client has heard of whom it was not being sent. The zero Memory is
// of one who has heard nobody.
type Memory struct {
	ears state.ID
	tick state.Tick // of the last Begin
	list []encounter
}

// encounter is one source.
type encounter struct {
	source state.ID
	begun  state.Tick
	last   state.Tick
	level  uint8
	drawn  uint16 // bit per level: offset is drawn
	offset [maxLevel + 1]vec.V3
	at     vec.V3 // told last, in the present level
	placed bool
	yaw    state.Angle16
	pitch  state.Angle16
	aimed  bool
}

// Begin takes the tick: encounters with those that the listener is being sent, and
// those that have long been silent, end.
func (m *Memory) Begin(l *Listener, s Senses) {
	if m.ears != l.Ears {
		m.ears, m.list = l.Ears, m.list[:0]
	}
	m.tick = l.Tick
	if l.Rules == nil {
		return
	}
	life := state.Tick(silenceMS * l.Rules.TickRate / 1000)
	n := 0
	for i := range m.list {
		if e := &m.list[i]; l.Tick-e.last < life && !s.Knows(e.source) {
			if n != i {
				m.list[n] = *e
			}
			n++
		}
	}
	m.list = m.list[:n]
}

// Follow makes m what another Memory is, of the ears that l has from now on: before the
// Begin of who watches, with the Memory of the watched as of this tick or the one
// before. Any other is left alone.
func (m *Memory) Follow(o *Memory, l *Listener) {
	if o == nil || o == m || o.ears != l.Ears || l.Rules == nil || l.Tick-o.tick > 1 {
		return
	}
	m.ears, m.list = o.ears, append(m.list[:0], o.list...)
}

// Sources is how many sources are remembered.
func (m *Memory) Sources() int { return len(m.list) }

// encounter returns the one with a source that is heard at p, a new one if need be.
func (m *Memory) encounter(l *Listener, source state.ID, p vec.V3) *encounter {
	for i := range m.list {
		if e := &m.list[i]; e.source == source {
			e.last = l.Tick
			return e
		}
	}
	if len(m.list) == state.MaxPlayers { // ids of players are no more
		copy(m.list, m.list[1:])
		m.list = m.list[:len(m.list)-1]
	}
	m.list = append(m.list, encounter{source: source, begun: l.Tick, last: l.Tick, level: levelOf(l.At.Dist(p))})
	return &m.list[len(m.list)-1]
}

// radiusOf returns the radius of a level, metres.
func radiusOf(level uint8) float32 { return float32(unit * float32(uint32(1)<<level)) }

// levelOf returns the level whose radius is nearest to what a distance asks for.
func levelOf(d float32) uint8 {
	r := d / distanceOverRadius
	for k := uint8(0); k < maxLevel; k++ {
		if r < float32(1.4142135*radiusOf(k)) {
			return k
		}
	}
	return maxLevel
}

// told returns the place of a sound at p as the listener is told it.
func (e *encounter) told(l *Listener, p vec.V3) vec.V3 {
	// How far it is, by a place that is rougher than what will be told.
	rough := min(e.level+1, maxLevel)
	want := l.At.Dist(p.Add(e.draw(l, rough))) / distanceOverRadius
	if have := radiusOf(e.level); want > float32(have*levelStays) || want < have/levelStays {
		if k := levelOf(float32(want * distanceOverRadius)); k != e.level {
			e.level, e.placed = k, false
		}
	}
	q := p.Add(e.draw(l, e.level))
	stays := float32(radiusOf(e.level) * placeStays)
	d := q.Sub(e.at)
	if !e.placed || vec.Abs(d.X) > stays || vec.Abs(d.Y) > stays || vec.Abs(d.Z) > stays {
		e.at, e.placed = round(q, e.level), true
	}
	return e.at
}

// round rounds a place to the grid of a level.
func round(p vec.V3, level uint8) vec.V3 {
	g := radiusOf(level)
	at := func(v float32) float32 { return float32(float32(vec.Floor(v/g+0.5)) * g) }
	return vec.CanonV(vec.V3{X: at(p.X), Y: at(p.Y), Z: at(p.Z)})
}

// draw returns the offset of a level. It is the same for the whole encounter.
func (e *encounter) draw(l *Listener, level uint8) vec.V3 {
	if e.drawn&(1<<level) != 0 {
		return e.offset[level]
	}
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:], l.Rules.Seed)
	binary.LittleEndian.PutUint16(b[8:], uint16(l.Ears))
	binary.LittleEndian.PutUint16(b[10:], uint16(e.source))
	binary.LittleEndian.PutUint32(b[12:], e.begun)
	b[16] = level
	copy(b[17:], "offset")
	h := sha256.Sum256(b[:])
	share := func(i int) float32 { return float32(binary.LittleEndian.Uint32(h[i:])>>8) / (1 << 24) }
	r := radiusOf(level)
	sin, cos := vec.SinCos(float32(share(0) * 360))
	out := float32(r * vec.Sqrt(share(4)))
	e.drawn |= 1 << level
	e.offset[level] = vec.V3{X: float32(out * cos), Y: float32(out * sin), Z: float32(r * (float32(share(8)*0.5) - 0.25))}
	return e.offset[level]
}

// aim returns which way a shot went, as it is told.
func (e *encounter) aim(yaw, pitch state.Angle16) (state.Angle16, state.Angle16) {
	off := func(a, b state.Angle16) bool {
		d := int16(a - b)
		return d > aimStays<<aimShift || d < -aimStays<<aimShift
	}
	if !e.aimed || off(yaw, e.yaw) || off(pitch, e.pitch) {
		step := func(a state.Angle16) state.Angle16 { return (a + 1<<(aimShift-1)) >> aimShift << aimShift }
		e.yaw, e.pitch, e.aimed = step(yaw), step(pitch), true
	}
	return e.yaw, e.pitch
}

// Error returns how far from the truth a told place can be, metres, of a source so
// many metres away.
func Error(distance float32) float32 { return distance/20 + 0.15 }
