package scenery_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// plainFrac is what Frac says without its short ways.
func plainFrac(d *level.Door, s state.DoorState, tick state.Tick, frac256 uint8, tickRate int) float32 {
	from := float32(s.From) / 65535
	length := d.Move.Len()
	if length == 0 || tickRate <= 0 {
		return 0
	}
	dt := int32(tick - s.Start)
	if dt < 0 {
		return from
	}
	dt = min(dt, 1<<20)
	elapsed := (float32(dt) + float32(float32(frac256)/256)) / float32(tickRate)
	move := float32(elapsed*d.Speed) / length
	if s.Open {
		return vec.Clamp(from+move, 0, 1)
	}
	return vec.Clamp(from-move, 0, 1)
}

func TestShortWaysAreTheSameToTheBit(t *testing.T) {
	for seed := range uint64(20) {
		r := vec.NewRand(seed, 0x5c)
		for range 20000 {
			d := level.Door{Move: vec.V3{X: r.Signed() * 4, Y: float32(r.Intn(2)) * r.Signed(), Z: float32(r.Intn(3)) * r.Float()}, Speed: float32(r.Intn(5)) * r.Float() * 3}
			if r.Intn(20) == 0 {
				d.Move = vec.V3{}
			}
			s := state.DoorState{Open: r.Intn(2) == 0, Start: state.Tick(r.Intn(200)), From: uint16(r.Intn(65536))}
			switch r.Intn(3) {
			case 0:
				s.From = 0
			case 1:
				s.From = 65535
			}
			tick, frac, rate := state.Tick(r.Intn(1000)), uint8(r.Intn(256)), []int{0, 20, 64, 128}[r.Intn(4)]
			if r.Intn(10) == 0 {
				tick = state.Tick(r.Uint64())
			}
			if got, want := scenery.Frac(&d, s, tick, frac, rate), plainFrac(&d, s, tick, frac, rate); got != want {
				t.Fatalf("seed %d: %+v %+v, tick %d + %d/256 at %d Hz: %v, want %v", seed, d, s, tick, frac, rate, got, want)
			}
		}
	}
}
