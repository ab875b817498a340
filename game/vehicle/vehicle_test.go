package vehicle_test

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
)

func arena() (*tables.Vehicle, *tables.Movement) {
	s := tables.Arena()
	return &s.Vehicles[tables.Buggy], &s.Movement
}

// yard is a floor with walls around, steps, blocks at random places, a ditch of water,
// and slopes of terrain under a part of it.
func yard(t testing.TB, seed uint64) *trace.World {
	t.Helper()
	b := level.NewBuilder("yard")
	add := func(x0, y0, z0, x1, y1, z1 float32, c level.Contents) {
		if err := b.AddBox(0, vec.Box{Min: vec.New(x0, y0, z0), Max: vec.New(x1, y1, z1)}, c, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	add(-41, -41, -1, 41, 41, 0, level.Solid)
	add(-41, -41, 0, -40, 41, 6, level.Solid)
	add(40, -41, 0, 41, 41, 6, level.Solid)
	add(-41, -41, 0, 41, -40, 6, level.Solid)
	add(-41, 40, 0, 41, 41, 6, level.Solid)
	r := vec.NewRand(seed)
	for range 40 {
		x, y := float32(r.Signed()*38), float32(r.Signed()*38)
		if x*x+y*y < 64 {
			continue
		}
		w, d := 0.3+float32(r.Float()*4), 0.3+float32(r.Float()*4)
		add(x, y, 0, x+w, y+d, 0.1+float32(r.Float()*float32(r.Float()*3)), level.Solid)
	}
	b.AddSpawn(vec.New(0, 0, 0.1), 0, 0)
	return trace.New(b.Build())
}

// Whatever a driver does, a vehicle never ends a tick inside a solid, and stays a
// number.
func TestNeverInsideASolid(t *testing.T) {
	vt, mt := arena()
	for seed := uint64(1); seed <= 6; seed++ {
		w := yard(t, seed).Closed()
		r := vec.NewRand(seed, 7)
		c := state.Car{Pos: vec.New(0, 0, 0.3)}
		far := float32(0)
		keys := vehicle.Keys{}
		for tick := range 1500 {
			if tick%40 == 0 {
				keys = vehicle.Keys{Forward: int8(r.Intn(255) - 127), Right: int8(r.Intn(255) - 127), Brake: r.Intn(8) == 0}
				if r.Intn(3) > 0 {
					keys.Forward = 127
				}
			}
			if r.Intn(300) == 0 { // thrown about
				c.Vel = vec.New(r.Signed()*40, r.Signed()*40, r.Float()*20)
			}
			vehicle.Step(&c, keys, vehicle.Env{World: &w, Type: vt, Gravity: mt.Gravity, MaxSpeed: mt.MaxSpeed, TickRate: 64})
			if !vehicle.Fits(&c, vt, &w) {
				t.Fatalf("seed %d tick %d: inside something at %+v", seed, tick, c)
			}
			if c.Pos != vec.CanonV(c.Pos) || !c.Pos.IsFinite() || !c.Vel.IsFinite() {
				t.Fatalf("seed %d tick %d: %+v", seed, tick, c)
			}
			far = max(far, c.Pos.Len2())
		}
		if far < 10 {
			t.Errorf("seed %d: came %v m far: nothing was tried", seed, far)
		}
	}
}

// On open ground it reaches its speed, turns, stops, climbs a step and not a wall.
func TestDrives(t *testing.T) {
	vt, mt := arena()
	b := level.NewBuilder("road")
	for _, x := range []vec.Box{
		{Min: vec.New(-10, -200, -1), Max: vec.New(400, 200, 0)},
		{Min: vec.New(100, -20, 0), Max: vec.New(140, 20, 0.4)},
		{Min: vec.New(200, -200, 0), Max: vec.New(201, 200, 3)},
	} {
		if err := b.AddBox(0, x, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(0, 0, 0.1), 0, 0)
	w := trace.New(b.Build()).Closed()
	env := vehicle.Env{World: &w, Type: vt, Gravity: mt.Gravity, MaxSpeed: mt.MaxSpeed, TickRate: 64}
	c := state.Car{Pos: vec.New(0, 0, 0.05)}
	run := func(k vehicle.Keys, ticks int) {
		for range ticks {
			vehicle.Step(&c, k, env)
		}
	}
	run(vehicle.Keys{Forward: 127}, 64*4)
	if v := c.Vel.X; v < vt.TopSpeed-0.5 || v > vt.TopSpeed+0.5 {
		t.Errorf("goes %v m/s, not %v", v, vt.TopSpeed)
	}
	run(vehicle.Keys{Forward: 127}, 64*3)
	if c.Pos.X < 100 || c.Pos.X < 140 && c.Pos.Z < 0.35 {
		t.Errorf("did not climb the kerb: %+v", c)
	}
	run(vehicle.Keys{Forward: 127}, 64*6)
	if c.Pos.X > 200-vt.HalfLength+0.01 || c.Pos.X < 190 {
		t.Errorf("is not at the wall: %+v", c)
	}
	run(vehicle.Keys{Forward: -127}, 64*3)
	if s := c.Vel.X; s > -vt.ReverseSpeed+0.5 {
		t.Errorf("goes back at %v m/s", s)
	}
	was := c.Yaw
	run(vehicle.Keys{Forward: 127, Right: 127}, 64*2)
	if d := int16(c.Yaw - was); d > -2000 {
		t.Errorf("turned by %d", d)
	}
	run(vehicle.Parked(), 64*4)
	if c.Vel.Len() > 0.01 {
		t.Errorf("parked it moves %v", c.Vel)
	}
}

// The same commands lead to the same bits, whatever the machine: this is the sum that
// amd64, amd64 v3 and arm64 have to find.
func TestDriveIsTheSameEverywhere(t *testing.T) {
	vt, mt := arena()
	w := yard(t, 3).Closed()
	r := vec.NewRand(5)
	c := state.Car{Pos: vec.New(0, 0, 0.3)}
	h := fnv.New64a()
	var keys vehicle.Keys
	for tick := range 1000 {
		if tick%30 == 0 {
			keys = vehicle.Keys{Forward: 127, Right: int8(r.Intn(255) - 127)}
		}
		vehicle.Step(&c, keys, vehicle.Env{World: &w, Type: vt, Gravity: mt.Gravity, MaxSpeed: mt.MaxSpeed, TickRate: 64})
		for _, f := range []float32{c.Pos.X, c.Pos.Y, c.Pos.Z, c.Vel.X, c.Vel.Y, c.Vel.Z} {
			u := math.Float32bits(f)
			h.Write([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)})
		}
		h.Write([]byte{byte(c.Yaw), byte(c.Yaw >> 8), byte(c.Pitch), byte(c.Pitch >> 8)})
	}
	const want = 0x2109e77e3b1dacfe
	if got := h.Sum64(); got != want {
		t.Errorf("sum %#x, want %#x", got, uint64(want))
	}
}

// A ray that is turned into the vehicle's frame meets what a plain walk along it in
// small steps meets.
func TestRayMeetsTheHull(t *testing.T) {
	vt, _ := arena()
	r := vec.NewRand(11)
	hits := 0
	for n := range 400 {
		p := vehicle.Pose{Pos: vec.New(r.Signed()*3, r.Signed()*3, r.Signed()), Yaw: r.Signed() * 180, Pitch: r.Signed() * 30}
		a := p.Pos.Add(vec.New(r.Signed()*6, r.Signed()*6, r.Signed()*4))
		b := p.Pos.Add(vec.New(r.Signed()*2, r.Signed()*2, r.Signed()*1.5))
		f, normal, ok := vehicle.Ray(p, vt, a, b, 0)
		o, fx, fy, fz := vehicle.At(p, vt, 0, 0, 0), vehicle.At(p, vt, 1, 0, 0), vehicle.At(p, vt, 0, 1, 0), vehicle.At(p, vt, 0, 0, 1)
		first := float32(2)
		for k := range 2001 {
			q := a.Lerp(b, float32(k)/2000).Sub(o)
			x, y, z := q.Dot(fx.Sub(o)), q.Dot(fy.Sub(o)), q.Dot(fz.Sub(o))
			if vec.Abs(x) <= vt.HalfLength && vec.Abs(y) <= vt.HalfWidth && z >= vt.HullLow && z <= vt.HullHigh {
				first = float32(k) / 2000
				break
			}
		}
		switch {
		case ok && first > 1 && f < 0.999:
			// It may graze an edge between two of the steps.
			q := a.Lerp(b, min(f+0.0005, 1)).Sub(o)
			if x := vec.Abs(q.Dot(fx.Sub(o))); x < vt.HalfLength-0.02 && vec.Abs(q.Dot(fy.Sub(o))) < vt.HalfWidth-0.02 && q.Dot(fz.Sub(o)) > vt.HullLow+0.02 && q.Dot(fz.Sub(o)) < vt.HullHigh-0.02 {
				t.Fatalf("ray %d meets at %v what steps do not meet", n, f)
			}
		case !ok && first <= 1:
			t.Fatalf("ray %d passes what steps meet at %v", n, first)
		case ok && first <= 1:
			hits++
			if vec.Abs(f-first) > 0.002 {
				t.Fatalf("ray %d meets at %v, steps at %v", n, f, first)
			}
			if f > 0 && (normal.Dot(b.Sub(a)) >= 0 || vec.Abs(normal.Len()-1) > 1e-3) {
				t.Fatalf("ray %d: normal %v", n, normal)
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d rays met anything", hits)
	}
}

// Bodies that walk into a vehicle stop before it, from every side and however it is
// turned; one that is inside walks out.
func TestAroundStopsBodies(t *testing.T) {
	vt, mt := arena()
	w := yard(t, 1).Closed()
	body := vec.Box{Min: vec.New(-mt.HalfWidth, -mt.HalfWidth, 0), Max: vec.New(mt.HalfWidth, mt.HalfWidth, mt.StandHeight)}
	r := vec.NewRand(2)
	for n := range 300 {
		car := state.Car{Yaw: state.Angle16(r.Uint64())}
		var a vehicle.Around
		a.Reset(&w)
		from := vec.Forward(r.Signed()*180, 0).Scale(6).Add(vec.New(0, 0, 0.1))
		a.Put(&car, vt, body.Move(from))
		to := vec.New(r.Signed()*0.5, r.Signed()*0.5, 0.1)
		h := a.Box(from, to, body, level.MaskMove)
		if h.Frac >= 1 || h.StartSolid {
			t.Fatalf("%d: nothing stops a body from %v to %v: %+v", n, from, to, h)
		}
		if a.Box(h.End, h.End, body, level.MaskMove).StartSolid {
			t.Fatalf("%d: a body is stopped inside at %v", n, h.End)
		}
		if h.Model == 0 && h.Normal.Dot(to.Sub(from)) >= 0 {
			t.Fatalf("%d: normal %v against %v", n, h.Normal, to.Sub(from))
		}
		a.Reset(&w)
		if a.Put(&car, vt, body.Move(to)); !a.Empty() {
			t.Fatalf("%d: a vehicle around a body holds it", n)
		}
	}
}
