package sim_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// A hinged leaf stops a shot where its shooter saw it, not where it is now: one that has
// turned out of the line since stops it there, and one that has turned into the line
// since does not.
func TestShotsSeeAHingedLeafAsTheShooterDid(t *testing.T) {
	const back = 14 // ticks; the leaf turns by 26 degrees in them
	for _, c := range []struct {
		name     string
		from, to vec.V3
		open     int // ticks for which the leaf turns before the shot
		back     uint32
		player   bool
	}{
		{"turned away since", vec.New(-8, 0.5, 0), vec.New(8, 0.5, 0), 28, back, false},
		{"turned away since, without rewind", vec.New(-8, 0.5, 0), vec.New(8, 0.5, 0), 28, 0, true},
		{"turned into the line since", vec.New(-1, -6, 0), vec.New(-1, 6, 0), 24, back, true},
		{"turned into the line since, without rewind", vec.New(-1, -6, 0), vec.New(-1, 6, 0), 24, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, func(cfg *sim.Config) { cfg.World = hall(t, false, nil) })
			r.enter(1, c.from, 0)
			r.enter(2, c.to, 180)
			r.run(30)
			r.aim(1, r.s.Eye(2))
			r.run(1)
			r.apply(0, rules.Op{Kind: rules.OpDoor, Value: 0, Value2: int32(rules.DoorOpen)})
			r.run(c.open)
			r.back[1] = c.back * 256
			s := r.shot(1)
			if (s.Result == sim.ShotPlayer) != c.player {
				t.Fatalf("%+v", s)
			}
			if c.player {
				return
			}
			l := r.s.Scene().W.Level()
			seen := r.s.Tick() - state.Tick(c.back)
			f := scenery.Frac(&l.Doors[0], r.s.Doors()[0], seen, 0, rate)
			sin, cos := vec.SinCos(90 * f)
			// The leaf is the line from the hinge at 0, -1 along -sin, cos.
			want := vec.New(-1.5*sin/cos, 0.5, 0)
			if c.from.X == c.to.X {
				want = vec.New(-1, -1+cos/sin, 0)
			}
			if d := s.HitPos.Sub(want); d.Len2() > 0.15 {
				t.Errorf("stopped at %v, the shooter saw the leaf at %v", s.HitPos, want)
			}
		})
	}
}
