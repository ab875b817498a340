package scenario_test

import (
	"runtime"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/link"
)

// course runs, jumps, strafes, turns and shoots, as a function of the tick alone.
func course(tick state.Tick) state.Cmd {
	r := vec.NewRand(uint64(tick / 13))
	c := state.Cmd{
		Forward: int8(r.Intn(255) - 127), Right: int8(r.Intn(255) - 127),
		Yaw: state.Angle16(r.Intn(65536)), Pitch: state.Angle16(r.Intn(4000)), Weapon: uint8(r.Intn(3)),
	}
	c.Yaw += state.Angle16(tick % 13 * 200)
	for _, b := range []state.Buttons{state.BtnFire, state.BtnJump, state.BtnCrouch, state.BtnWalk, state.BtnLeanLeft} {
		if r.Intn(3) == 0 {
			c.Buttons |= b
		}
	}
	return c
}

// Render rates from 20 to 1,000 frames a second: not one bit of difference in what
// is asked for and sent, in what is predicted and in what the server makes of it;
// only the view time that a command claims is that of its frame. Frames of no fixed
// length are among them.
func TestRenderRatesMakeNotOneBitOfDifference(t *testing.T) {
	const from, ticks = 900, 400
	type step struct {
		cmd         state.Cmd
		here, there state.Player
	}
	var want []step
	for _, fps := range []float64{1000, 20, 30, 60, 64, 144, 240, 333, -1} {
		a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}, fps: fps}
		if fps < 0 {
			r := vec.NewRand(5)
			due := 0
			a.fps, a.stop = 1000, func(ms int) bool { // frames of 1 to 30 ms
				if ms < due {
					return true
				}
				due = ms + 1 + r.Intn(30)
				return false
			}
		}
		cmds := map[state.Tick]state.Cmd{}
		a.input = func(_ *actor, tick state.Tick) state.Cmd {
			if tick < from {
				return state.Cmd{}
			}
			c := course(tick)
			cmds[tick] = c
			return c
		}
		s := newStand(t, standConfig{actors: []*actor{a}})
		predicted := map[state.Tick]state.Player{}
		served := map[state.Tick]state.Player{}
		plain := func(p state.Player) state.Player { p.Forced = 0; return p } // it counts the start too
		s.each = func() { served[s.srv.Tick()] = plain(*s.player(0)) }
		for s.srv.Tick() < from+ticks+20 {
			s.run(1)
			predicted[a.Commanded()] = plain(*a.Own())
		}
		s.clean()
		if fps > 0 && a.Stats().Corrections > 8 { // of the first second
			t.Errorf("%v frames/s: %d corrections", fps, a.Stats().Corrections)
		}
		var got []step
		for tick := state.Tick(from); tick < from+ticks; tick++ {
			got = append(got, step{cmds[tick], predicted[tick], served[tick]})
		}
		if want == nil {
			want = got
			if want[ticks-1].there.Pos == want[0].there.Pos || want[ticks-1].there.ShotSeq == 0 {
				t.Fatal("the course leads nowhere")
			}
			continue
		}
		for i := range got {
			if got[i].cmd != want[i].cmd || got[i].there != want[i].there {
				t.Fatalf("%v frames/s, tick %d:\n%+v\n%+v\nwant\n%+v\n%+v", fps, from+i, got[i].cmd, got[i].there, want[i].cmd, want[i].there)
			}
			// Only the last tick of a frame can be looked at from outside.
			if p := got[i].here; p != (state.Player{}) && p != want[i].here {
				t.Fatalf("%v frames/s, tick %d: predicted\n%+v\nwant\n%+v", fps, from+i, p, want[i].here)
			}
		}
	}
}

// Tick rates from 20 to 128: a player over 80 ms predicts without an error, and gets
// as far and as high in the same time.
func TestTickRatesPlayAlike(t *testing.T) {
	line := link.SimConfig{LatencyMS: 40}
	var far, high float32
	for _, hz := range []int{64, 20, 32, 48, 100, 128} {
		a := &actor{at: rules.Spawn{Pos: vec.New(-35, 15, 0.1)}}
		begin := state.Tick(3 * hz)
		a.input = func(_ *actor, tick state.Tick) state.Cmd {
			c := state.Cmd{}
			if tick >= begin {
				c.Forward = 127
			}
			if t := tick - begin; int32(t) > int32(hz) && int32(t) < int32(hz+hz/10+1) {
				c.Buttons = state.BtnJump
			}
			return c
		}
		s := newStand(t, standConfig{rate: hz, up: line, down: line, actors: []*actor{a}})
		top := float32(0)
		s.each = func() { top = max(top, s.player(0).Pos.Z) }
		for s.srv.Tick() < begin+state.Tick(4*hz) {
			s.run(1)
		}
		s.clean()
		x := s.player(0).Pos.X
		if far == 0 {
			far, high = x, top
			continue
		}
		if d := vec.Abs(x-far) / (far + 35); d > 0.02 {
			t.Errorf("%d Hz: came to x = %.2f, at 64 Hz to %.2f", hz, x, far)
		}
		limit := float32(0.01)
		if hz == 20 { // reported, not promised
			limit = 0.1
		}
		if d := vec.Abs(top-high) / high; d > limit {
			t.Errorf("%d Hz: jumped %.3f m high, at 64 Hz %.3f", hz, top, high)
		}
	}
}

// On a listen server commands are run a tick or so after they are made, nothing is
// rolled back, and the client's tick stays ahead of the server's. S-10.
func TestListenServerHasNoRoundTrip(t *testing.T) {
	for _, fps := range []float64{60, 144, 1000} {
		a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}, fps: fps}
		a.input = func(_ *actor, tick state.Tick) state.Cmd { return course(tick) }
		s := newStand(t, standConfig{actors: []*actor{a}})
		s.run(3000)
		corrections, starved := a.Stats().Corrections, a.Stats().Starved
		behind, most := 0, int32(0)
		s.each = func() {
			ahead := int32(a.Commanded() - s.srv.Tick())
			if ahead < 0 {
				behind++
			}
			most = max(most, ahead)
		}
		s.run(10000)
		s.clean()
		st := a.Stats()
		if st.Corrections != corrections || st.Starved != starved || st.Resyncs != 0 || behind != 0 || most > 5 {
			t.Errorf("%v frames/s: %d corrections, %d made up, %d resyncs, behind in %d ticks, at most %d ahead",
				fps, st.Corrections-corrections, st.Starved-starved, st.Resyncs, behind, most)
		}
		if s.player(0).Pos.Dist(vec.New(-10, 5, 0)) < 1 {
			t.Error("it has not moved")
		}
	}
}

// 300 ms of round trip, a fifth of all packets lost, and 3 s without any: it is
// played, nothing is mispredicted, and a second after the silence it is as before.
func TestBadLinesArePlayable(t *testing.T) {
	for _, c := range []struct {
		name    string
		line    link.SimConfig
		silence int // ms
		starved int // most, of a second's ticks after the line is as it was
	}{
		{"300 ms", link.SimConfig{LatencyMS: 150, JitterMS: 10}, 0, 3},
		{"20 % loss", link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.2}, 0, 12},
		{"20 % loss in bursts of 3", link.SimConfig{LatencyMS: 40, JitterMS: 5, Loss: 0.2, Burst: 3}, 0, 24},
		{"3 s of silence", link.SimConfig{LatencyMS: 40, JitterMS: 5}, 3000, 3},
		{"400 ms of silence", link.SimConfig{LatencyMS: 40}, 400, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}}
			a.input = func(_ *actor, tick state.Tick) state.Cmd { return course(tick) }
			s := newStand(t, standConfig{up: c.line, down: c.line, actors: []*actor{a}})
			s.run(3000)
			if c.silence > 0 {
				from := s.ms
				gone := link.SimConfig{Loss: 1}
				if err := a.sim.Configure(gone, gone); err != nil {
					t.Fatal(err)
				}
				s.run(c.silence)
				if err := a.sim.Configure(c.line, c.line); err != nil {
					t.Fatal(err)
				}
				s.run(1000)
				t.Logf("silent from %d to %d ms", from, from+c.silence)
			}
			before := a.Stats()
			at := s.player(0).Pos
			s.run(5000)
			s.clean()
			st := a.Stats()
			if n := st.Starved - before.Starved; n > 5*c.starved {
				t.Errorf("%d of %d commands were made up", n, 5*rate)
			}
			if st.Resyncs != 0 {
				t.Errorf("%d resyncs: the time was right all along", st.Resyncs)
			}
			if st.Commands-before.Commands < 5*rate*97/100 || s.player(0).Pos.Dist(at) < 0.5 {
				t.Errorf("%d commands in 5 s, moved %v m", st.Commands-before.Commands, s.player(0).Pos.Dist(at))
			}
			t.Logf("%d of %d commands made up, %d corrections, %d resyncs", st.Starved-before.Starved, st.Commands-before.Commands, st.Corrections-before.Corrections, st.Resyncs)
		})
	}
}

// A client that plays does not allocate: frame by frame, with others in view, shots
// and steps, snapshots taken and commands replayed.
func TestAPlayingClientDoesNotAllocate(t *testing.T) {
	line := link.SimConfig{LatencyMS: 20}
	a := &actor{at: rules.Spawn{Pos: vec.New(-10, 5, 0.1)}, input: func(_ *actor, tick state.Tick) state.Cmd { return course(tick) }}
	b := &actor{at: rules.Spawn{Pos: vec.New(0, 10, 0.1)}, input: func(_ *actor, tick state.Tick) state.Cmd { return course(tick + 7) }}
	s := newStand(t, standConfig{up: line, down: line, actors: []*actor{a, b}})
	s.run(8000)
	var shown []client.Shown
	var n, frames uint64
	var was, is runtime.MemStats
	for range 2000 {
		// As stand.run does, with a's frame measured alone.
		now := int64(s.ms)*1e6 + 1
		for _, x := range s.actors {
			x.sim.Advance(now)
		}
		if float64(s.ms) >= s.due {
			s.srv.Step(now)
			s.due += 1000.0 / rate
		}
		b.Advance(now)
		runtime.ReadMemStats(&was)
		a.Advance(now)
		a.Ease(0.001)
		shown = a.Others(shown[:0])
		a.Scene()
		a.Eye()
		runtime.ReadMemStats(&is)
		n += is.Mallocs - was.Mallocs
		frames++
		s.ms++
	}
	// The link keeps what is sent: one packet, one allocation at most.
	if n > frames/8 {
		t.Errorf("%d allocations in %d frames, in which 128 packets were sent", n, frames)
	}
	t.Logf("%d allocations in %d frames", n, frames)
}
