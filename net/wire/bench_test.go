package wire_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
	"github.com/sightline-engine/sightline/net/wire"
)

// runner moves as a player does: it runs to a random wish with the acceleration of the
// shipped tables, jumps now and then, tracks something with its view and shoots.
type runner struct {
	r        vec.Rand
	pos, vel vec.V3
	wish     vec.V3
	yaw, to  float32
	stride   float32
	shots    uint8
}

const benchRate = 64

func (p *runner) step() state.Entity {
	r := &p.r
	if r.Intn(40) == 0 {
		s, c := vec.SinCos(float32(r.Intn(360)))
		p.wish = vec.V3{X: c * 10, Y: s * 10}
		if r.Intn(5) == 0 {
			p.wish = vec.V3{}
		}
	}
	if r.Intn(50) == 0 {
		p.to = float32(r.Intn(360) - 180)
	}
	const dt = 1. / benchRate
	ground := p.pos.Z <= 0
	e := state.Entity{ID: 3, Kind: state.KindPlayer, Weapon: 1}
	if ground {
		p.pos.Z, p.vel.Z = 0, 0
		more := p.wish.Sub(p.vel.With(2, 0))
		if n := more.Len(); n > 0 {
			p.vel = p.vel.Mad(min(100*dt, n)/n, more)
		}
		if r.Intn(60) == 0 {
			p.vel.Z = 8
		}
		p.stride += p.vel.Len2() * dt * 64
		e.Pose = state.PoseOnGround
	} else {
		p.vel.Z -= 25 * dt
	}
	p.pos = p.pos.Mad(dt, p.vel)
	p.yaw += vec.Clamp(vec.WrapDeg(p.to-p.yaw)*0.2, -6, 6) + r.Signed()*0.2
	if p.shots > 0 && r.Intn(6) == 0 || r.Intn(100) == 0 {
		p.shots++
	}
	e.Pos, e.Vel, e.Yaw, e.Pitch = state.Quant(p.pos), state.Quant(p.vel), state.AngleOf(p.yaw), state.AngleOf(5+r.Signed()*0.3)
	e.Stride, e.ShotSeq = uint16(p.stride), p.shots
	return e
}

// quake is how Quake III codes a difference: a bit for each field, and the field whole
// when it has changed; floats that are whole numbers in 13 bits, others in 32.
func quake(e, base *state.Entity) int {
	n := 8 + 10 // last field that changed, and the number
	field := func(changed bool, width int) {
		if n++; changed {
			n += width
		}
	}
	field(e.Pos.X != base.Pos.X, 2+32)
	field(e.Pos.Y != base.Pos.Y, 2+32)
	field(e.Pos.Z != base.Pos.Z, 2+32)
	field(e.Vel.X != base.Vel.X, 2+32)
	field(e.Vel.Y != base.Vel.Y, 2+32)
	field(e.Vel.Z != base.Vel.Z, 2+32)
	field(e.Yaw != base.Yaw, 16)
	field(e.Pitch != base.Pitch, 16)
	field(e.Stride != base.Stride, 8)
	field(e.ShotSeq != base.ShotSeq, 10)
	field(e.Pose != base.Pose, 8)
	for range 12 { // those that do not change here
		field(false, 0)
	}
	return n
}

// BenchmarkUpdate reports what an update of a player takes, in bits, against a base that
// is 6 ticks old, as at 64 Hz over a round trip of 80 ms.
func BenchmarkUpdate(b *testing.B) {
	const lag = 6
	bench := func(name string, f func(track []state.Entity, at int) float64) {
		b.Run(name, func(b *testing.B) {
			p := runner{r: vec.NewRand(5)}
			track := make([]state.Entity, 4096)
			for i := range track {
				track[i] = p.step()
			}
			sum, n := 0.0, 0
			b.ReportAllocs()
			for b.Loop() {
				at := lag + n%(len(track)-lag)
				sum += f(track, at)
				n++
			}
			b.ReportMetric(sum/float64(n), "bits/update")
		})
	}
	buf := make([]byte, 256)
	bench("quake-like", func(t []state.Entity, at int) float64 { return float64(quake(&t[at], &t[at-lag])) })
	entity := func(t []state.Entity, at int, from state.Q) float64 {
		var w bits.Writer
		w.Reset(buf)
		c := wire.Writing(&w)
		c.Entity(&t[at], &t[at-lag], from)
		return float64(w.Len())
	}
	bench("bit-packed delta", func(t []state.Entity, at int) float64 { return entity(t, at, t[at-lag].Pos) })
	bench("bit-packed extrapolated", func(t []state.Entity, at int) float64 {
		return entity(t, at, wire.Extrapolate(&t[at-lag], lag, benchRate))
	})
	for _, d := range []struct {
		name   string
		detail state.Detail
	}{{"near", state.Near}, {"mid", state.Mid}, {"far", state.Far}} {
		for _, coded := range []bool{false, true} {
			name := "bit-packed record, " + d.name
			if coded {
				name = "range coded, " + d.name
			}
			var ring [lag]wire.Rec
			bench(name, func(t []state.Entity, at int) float64 {
				now := wire.Rec{Ent: state.Shown(t[at], d.detail), Tick: state.Tick(at), Detail: d.detail}
				base := &ring[at%lag]
				if base.Tick+lag != now.Tick {
					for i := range ring {
						k := at - lag + i
						ring[k%lag] = wire.Rec{Ent: state.Shown(t[k], d.detail), Tick: state.Tick(k), Detail: d.detail}
					}
				}
				took := 0.0
				if coded {
					var e rangecode.Encoder
					e.Reset(buf)
					from := e.Tell()
					c := wire.Coding(&e, nil)
					c.Record(&now, base, benchRate)
					took = float64(e.Tell()-from) / 16
				} else {
					var w bits.Writer
					w.Reset(buf)
					c := wire.Writing(&w)
					c.Record(&now, base, benchRate)
					took = float64(w.Len())
				}
				*base = now
				return took
			})
		}
	}
}
