package pmove_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// What a server's tick rate must not change (public reports O-05 and O-06).

func TestStairsAreClimbedAtEveryTickRate(t *testing.T) {
	w := fixture(t, "r3")
	for _, slow := range []bool{false, true} {
		first := 0.0
		for _, rate := range []int{1000, 500, 125, 128, 64, 62, 32, 30} {
			k := newWalker(t, w, rate, vec.V3{X: -64 * unit, Z: 0.01})
			goal := float32(7 * 16 * unit)
			if slow { // one unit a second: from right before the stairs, two steps
				if rate > 500 {
					continue // minutes of ticks; 500 Hz has moves as small as the skin
				}
				k.p.Pos.X = -16 * unit
				k.set.Movement.RunSpeed = 1 * unit
				goal = 2 * 16 * unit
			}
			k.settle()
			k.tick = 0
			for k.p.Pos.Z < goal && k.seconds() < 60 {
				k.step(state.Cmd{Forward: 127})
			}
			k.free("stairs")
			if k.p.Pos.Z < goal {
				t.Fatalf("slow %v, %d Hz: stopped at %v", slow, rate, k.p.Pos)
			}
			got := k.seconds()
			if first == 0 {
				first = got
			}
			t.Logf("slow %v, %4d Hz: %.3f s", slow, rate, got)
			if math.Abs(got/first-1) > 0.05 {
				t.Errorf("slow %v, %d Hz: %.3f s, the first took %.3f s", slow, rate, got, first)
			}
		}
	}
}

func TestJumpApexIsTheSameAtEveryTickRate(t *testing.T) {
	w := worldOf(floor())
	want := 0.0
	for _, rate := range []int{1000, 500, 333, 250, 128, 125, 64, 60, 32, 20} {
		k := newWalker(t, w, rate, vec.V3{Z: 0.01})
		k.settle()
		z0, apex := k.p.Pos.Z, float32(0)
		for i := 0; i < rate; i++ {
			k.step(state.Cmd{Buttons: state.BtnJump})
			apex = max(apex, k.p.Pos.Z-z0)
		}
		if want == 0 {
			want = float64(k.set.Movement.JumpSpeed) * float64(k.set.Movement.JumpSpeed) / 2 / float64(k.set.Movement.Gravity)
		}
		t.Logf("%4d Hz: apex %.4f m", rate, apex)
		if math.Abs(float64(apex)/want-1) > 0.01 {
			t.Errorf("%d Hz: apex %.4f m, want %.4f", rate, apex, want)
		}
	}
}

// strafe makes 20 jumps, always looking where the air accelerates most, and
// returns the speed at the end.
func strafe(t *testing.T, rate int) float64 {
	k := newWalker(t, worldOf(floor()), rate, vec.V3{X: -300, Z: 0.01})
	k.settle()
	for k.seconds() < 1.5 { // a run-up
		k.step(state.Cmd{Forward: 127})
	}
	jumps := 0
	for jumps < 21 {
		side := float32(1 - 2*(jumps%2)) // right, then left, so that the way is straight
		c := state.Cmd{Right: int8(127 * side)}
		// The wished direction is where the speed along it is a little below the
		// wish: to the side of the velocity.
		m := k.env.Move
		v := k.p.Vel.Len2()
		gain := m.AirAccelerate * m.RunSpeed / float32(rate)
		off := 0.0
		// A margin for the 1/182 degree that an angle is sent in: beyond the edge
		// the gain is lost.
		if cos := float64((m.RunSpeed - gain - 0.01) / v); cos < 1 {
			off = math.Acos(cos) * 180 / math.Pi
		}
		// The wish lies off degrees to that side of the velocity, and 90 degrees to
		// that side of the view.
		c.Yaw = state.AngleOf(vec.Atan2(k.p.Vel.Y, k.p.Vel.X) + float32(side*(90-float32(off))))
		if k.p.Flags&state.OnGround != 0 || k.p.Vel.Z < -6 {
			c.Buttons = state.BtnJump // pressed on the way down, released in the rise
		}
		if out := k.step(c); out.Jumped {
			jumps++
		}
		if k.seconds() > 60 {
			t.Fatalf("%d Hz: %d jumps in a minute", rate, jumps)
		}
	}
	return float64(k.p.Vel.Len2())
}

func TestTwentyStrafeJumpsGiveOneSpeed(t *testing.T) {
	want := strafe(t, 1000)
	for _, rate := range []int{500, 333, 250, 128, 125, 100, 64, 60, 50, 32, 20} {
		got := strafe(t, rate)
		t.Logf("%4d Hz: %.3f m/s (%+.2f %% of 1000 Hz)", rate, got, 100*(got/want-1))
		if math.Abs(got/want-1) > 0.02 {
			t.Errorf("%d Hz: %.3f m/s, at 1000 Hz %.3f", rate, got, want)
		}
	}
}

func TestRunningStartAndStopAreTheSameAtEveryTickRate(t *testing.T) {
	w := worldOf(floor())
	want := float32(0)
	for _, rate := range []int{1000, 250, 128, 64, 32, 20} {
		k := newWalker(t, w, rate, vec.V3{Z: 0.01})
		k.settle()
		x := k.p.Pos.X
		for range rate {
			k.step(state.Cmd{Forward: 127})
		}
		if vec.Abs(k.p.Vel.Len()-k.env.Move.RunSpeed) > 0.05 {
			t.Errorf("%d Hz: runs at %v", rate, k.p.Vel.Len())
		}
		for range rate {
			k.step(state.Cmd{})
		}
		if k.p.Vel != (vec.V3{}) {
			t.Errorf("%d Hz: still moves at %v", rate, k.p.Vel)
		}
		got := k.p.Pos.X - x
		if want == 0 {
			want = got
		}
		t.Logf("%4d Hz: %.3f m", rate, got)
		if vec.Abs(got/want-1) > 0.02 {
			t.Errorf("%d Hz: %.3f m from start to stop, at 1000 Hz %.3f", rate, got, want)
		}
	}
}
