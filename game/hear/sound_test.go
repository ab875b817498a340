package hear_test

import (
	"math"
	"testing"

	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// room is a listener with its memory, who sees and knows nobody but itself.
type room struct {
	set tables.Set
	r   hear.Rules
	m   hear.Memory
	l   hear.Listener
	s   senses
}

func newRoom(seed uint64) *room {
	k := &room{set: tables.Arena(), s: senses{1: true}}
	k.set.Weapons[tables.Rifle].Earshot = 400
	k.r = hear.Rules{Set: &k.set, TickRate: 64, Seed: seed}
	k.l = hear.Listener{Self: 1, Ears: 1, Rules: &k.r, Memory: &k.m, At: vec.V3{X: 100}}
	return k
}

// hear routes an event in a tick.
func (k *room) hear(tick state.Tick, e state.Event) (state.Event, bool) {
	k.l.Tick = tick
	k.m.Begin(&k.l, k.s)
	return hear.Route(&k.l, k.s, &e)
}

// Within its earshot each kind is heard of whom the client is not being sent, beyond it
// and by who has no ears it is not; only shots name anybody, and nothing else that is in
// the event gets out.
func TestUnseenAreHeardWithinEarshot(t *testing.T) {
	set := tables.Arena()
	s := &set.Sounds
	for kind, far := range map[state.EventKind]float32{
		state.EvFire: set.Weapons[tables.Rifle].Earshot, state.EvFootstep: s.Step, state.EvJump: s.Jump, state.EvLand: s.Land, state.EvPad: s.Pad,
		state.EvReload: s.Reload, state.EvSwitch: s.Switch, state.EvDryFire: s.DryFire, state.EvPickup: s.Pickup,
		state.EvSpawn: 0, state.EvTeleport: 0, state.EvDeath: 0, state.EvImpact: 0, state.EvHit: 0,
	} {
		for _, c := range []struct {
			at   float32
			mute bool
		}{{far - 0.01, false}, {far + 0.01, false}, {far - 0.01, true}} {
			k := newRoom(1)
			k.set = set
			if c.mute {
				k.l.Rules = nil
			}
			in := state.Event{
				Kind: kind, Actor: 7, Target: 8, Weapon: tables.Rifle, Param: 77, Pos: vec.V3{X: 100 + c.at},
				Dir: vec.V3{Y: 1}, Yaw: 12345, Pitch: 777,
			}
			e, ok := k.hear(5, in)
			if want := far > 0 && c.at < far && !c.mute; ok != want {
				t.Errorf("kind %d, %v m of %v, without ears %v: heard %v", kind, c.at, far, c.mute, ok)
				continue
			}
			if !ok {
				continue
			}
			want := state.Event{Kind: kind, Pos: e.Pos}
			if kind == state.EvFire {
				want.Actor, want.Weapon, want.Yaw, want.Pitch = 7, tables.Rifle, e.Yaw, e.Pitch
				if off := int16(e.Yaw - in.Yaw); off > 256 || off < -256 || e.Yaw&255 != 0 {
					t.Errorf("its way is told as %d instead of %d", e.Yaw, in.Yaw)
				}
			}
			if e != want {
				t.Errorf("kind %d is told as %+v", kind, e)
			}
			if off := e.Pos.Dist(in.Pos); off > hear.Error(c.at) {
				t.Errorf("kind %d is told %v m off at %v m", kind, off, c.at)
			}
		}
	}
}

// A suppressor shrinks the earshot, by the weapon or by the shot, and says so.
func TestSuppressors(t *testing.T) {
	for _, c := range []struct {
		at            float32
		weapon, shot  bool
		heard, softly bool
	}{
		{15, false, false, true, false}, {15, true, false, true, true}, {15, false, true, true, true},
		{30, false, false, true, false}, {30, true, false, false, false}, {30, false, true, false, false},
	} {
		k := newRoom(1)
		k.set.Weapons[tables.Rifle].Suppressor = c.weapon
		e, ok := k.hear(5, state.Event{Kind: state.EvFire, Actor: 7, Weapon: tables.Rifle, Pos: vec.V3{X: 100 + c.at}, Muffled: c.shot})
		if ok != c.heard || (e.Param == state.Quiet) != c.softly || e.Muffled {
			t.Errorf("%+v: heard %v as %+v", c, ok, e)
		}
	}
}

// Things are heard within their earshots and no farther, without a name: doors and
// pieces where they stand, the rest roughly, and of what strikes a wall not what it is.
func TestDoorsAndBurstsAreHeard(t *testing.T) {
	sounds := tables.Arena().Sounds
	for kind, far := range map[state.EventKind]float32{
		state.EvDoor: sounds.Door, state.EvBreak: sounds.Break, state.EvExplode: sounds.Explode,
		state.EvSmoke: sounds.Smoke, state.EvFlash: sounds.Flash, state.EvBounce: sounds.Bounce, state.EvTeleport: 0,
	} {
		for _, at := range []float32{far - 0.1, far + 0.1} {
			k := newRoom(1)
			in := state.Event{Kind: kind, Actor: 7, Target: 9, Weapon: tables.FlashGrenade, Param: 5, Pos: vec.V3{X: 100 + at}, Dir: vec.V3{Y: 1}, Yaw: 3}
			e, ok := k.hear(5, in)
			if ok != (far > 0 && at < far) {
				t.Errorf("kind %d at %v m of %v: heard %v", kind, at, far, ok)
			}
			if !ok {
				continue
			}
			want := state.Event{Kind: kind, Pos: e.Pos, Weapon: tables.FlashGrenade}
			switch kind {
			case state.EvDoor, state.EvBreak:
				want = state.Event{Kind: kind, Pos: in.Pos, Param: 5}
			case state.EvBounce:
				want.Weapon = 0
			}
			if e != want || e.Pos.Dist(in.Pos) > hear.Error(at) {
				t.Errorf("kind %d is told as %+v", kind, e)
			}
		}
	}
	// A throw is not heard where the bang is.
	set := tables.Tactical()
	if w := &set.Weapons[tables.FlashGrenade]; w.Earshot >= set.Sounds.Flash/4 {
		t.Errorf("a throw is heard %v m far, a flash %v m", w.Earshot, set.Sounds.Flash)
	}
}

// Who watches a player hears what that player hears, draw by draw, whenever it begins
// to: two who listen with the same ears know no more than one.
func TestWhoWatchesHasTheDrawsOfTheWatched(t *testing.T) {
	tried := 0
	for seed := range uint64(60) {
		r := vec.NewRand(seed)
		k, by := newRoom(seed), hear.Memory{}
		watches := false
		own := by // of one who does not follow
		differ := false
		for tick := state.Tick(100); tick < 3000; tick += state.Tick(1 + r.Intn(40)) {
			at := k.l.At.Add(vec.V3{X: 12 * r.Signed(), Y: 12 * r.Signed(), Z: r.Signed()})
			e := state.Event{Kind: state.EvFootstep, Actor: state.ID(3 + r.Intn(3)), Pos: at}
			k.s[3] = r.Intn(9) == 0
			second := k.l
			second.Self, second.Tick = 0, tick
			listen := func(m *hear.Memory) (state.Event, bool) {
				l := second
				l.Memory = m
				m.Begin(&l, k.s)
				return hear.Route(&l, k.s, &e)
			}
			before := r.Intn(2) == 0 // who of the two comes first in a tick
			var got state.Event
			if watches = watches || r.Intn(10) == 0; watches && before {
				k.l.Tick = tick
				k.m.Begin(&k.l, k.s)
				by.Follow(&k.m, &second)
				got, _ = listen(&by)
			}
			want, _ := k.hear(tick, e)
			if watches && !before {
				by.Follow(&k.m, &second)
				got, _ = listen(&by)
			}
			if watches && before && got != want {
				t.Fatalf("seed %d, tick %d: told %+v, the watched %+v", seed, tick, got, want)
			}
			// Who comes second may find a place in the cell beside, or the octave, never
			// with another draw: then it is as far off as one is told.
			if watches && got.Pos.Dist(want.Pos) > hear.Error(17) {
				t.Fatalf("seed %d, tick %d: told %v m from the watched", seed, tick, got.Pos.Dist(want.Pos))
			}
			if watches {
				if o, _ := listen(&own); o != want {
					differ = true
				}
			}
		}
		if differ {
			tried++
		}
	}
	if tried < 30 {
		t.Errorf("in %d of 60 worlds who does not follow is told anything else", tried)
	}
}

// arc is a way round the listener: 200 u at a distance of 400 u.
func arc(k *room, i, n int) vec.V3 {
	const r = 400.0 / 32
	sin, cos := vec.SinCos(float32(i)*float32(28.65)/float32(n-1) - 14.3)
	return k.l.At.Add(vec.V3{X: r * cos, Y: r * sin})
}

// The best that a cheat can make of 30 steps along a way whose shape it knows is the
// mean of how far off they are: what noise there was would go, and the offset stays. It
// is no better than the ruling's radius allows, and no better with all than with one.
func TestRepeatsDoNotTellMore(t *testing.T) {
	const n, worlds = 30, 400
	var one, all float64
	for seed := range uint64(worlds) {
		k := newRoom(seed)
		var sum vec.V3
		for i := range n {
			at := arc(k, i, n)
			e, ok := k.hear(state.Tick(100+21*i), state.Event{Kind: state.EvFootstep, Actor: 3, Pos: at})
			if !ok {
				t.Fatal("not heard")
			}
			off := e.Pos.Sub(at)
			if l := off.Len(); l > hear.Error(12.5) || l > 20.0/32 {
				t.Fatalf("seed %d, step %d: %v m off", seed, i, l)
			}
			sum = sum.Add(off)
			if i == 0 {
				one += float64(off.Len2() * off.Len2())
			}
		}
		mean := sum.Scale(1.0 / n)
		all += float64(mean.Len2() * mean.Len2())
	}
	one, all = math.Sqrt(one/worlds), math.Sqrt(all/worlds)
	// Evenly from a disc of radius r: r over the root of two off in the mean.
	r := 12.5 / 64
	t.Logf("off by %.3f m after one step, by %.3f m after %d; the radius asked for is %.3f m", one, all, n, r)
	if all < r/math.Sqrt2*0.9 {
		t.Errorf("30 steps give the place to %.3f m", all)
	}
	if all < one*0.7 {
		t.Errorf("30 steps give it to %.3f m, one to %.3f m", all, one)
	}
}

// Somebody who stands still and shoots stays where it was first heard, however long it
// goes on and wherever the listener goes at that distance; another listener, another
// source and another encounter have another offset.
func TestOffsetIsDrawnOncePerEncounter(t *testing.T) {
	at := vec.V3{X: 150, Y: 3}
	shot := state.Event{Kind: state.EvFire, Weapon: 1, Actor: 3, Pos: at}
	k := newRoom(9)
	first, _ := k.hear(100, shot)
	for i := range 500 {
		sin, cos := vec.SinCos(float32(i))
		k.l.At = at.Add(vec.V3{X: 50 * cos, Y: 50 * sin})
		if e, _ := k.hear(100+state.Tick(i*7), shot); e.Pos != first.Pos {
			t.Fatalf("shot %d is told at %v, the first at %v", i, e.Pos, first.Pos)
		}
	}
	k.l.At = vec.V3{X: 100}
	last := state.Tick(100 + 499*7)
	again, _ := k.hear(last+639, shot)
	if again.Pos != first.Pos {
		t.Error("less than ten seconds of silence end an encounter")
	}
	differ := 0
	for i := range state.Tick(20) {
		e, _ := k.hear(last+639+640*(i+1), shot)
		if e.Pos != first.Pos {
			differ++
		}
	}
	if differ < 12 {
		t.Errorf("of 20 encounters %d have an offset of their own", differ)
	}
	// Disclosure ends one as well.
	k = newRoom(9)
	k.hear(100, shot)
	k.s[3] = true
	k.hear(101, state.Event{Kind: state.EvJoin, Actor: 9})
	if k.m.Sources() != 0 {
		t.Error("an encounter outlives a disclosure")
	}
	delete(k.s, 3)
	told := map[vec.V3]bool{}
	for seed := range uint64(8) {
		for source := range state.ID(8) {
			k := newRoom(seed)
			shot.Actor = 2 + source
			e, _ := k.hear(100, shot)
			told[e.Pos] = true
		}
	}
	if len(told) < 6 {
		t.Errorf("64 offsets of seeds and sources are %d places", len(told))
	}
}

// A listener that comes nearer or goes farther learns no more than its nearest distance
// gives: the offset of each octave of distance stays the same for good.
func TestMovingListenerGetsOneOffsetPerOctave(t *testing.T) {
	for seed := range uint64(50) {
		k := newRoom(seed)
		at := vec.V3{X: 100, Y: 60, Z: 2}
		told := map[vec.V3]int{}
		for i := range 4000 {
			d := 5 + float32((i*37)%1100)/10 // 5 to 115 m, forth and back
			k.l.At = vec.V3{X: 100, Y: 60 - d, Z: 2}
			e, ok := k.hear(100+state.Tick(i), state.Event{Kind: state.EvFire, Weapon: 1, Actor: 3, Pos: at})
			if !ok {
				t.Fatal("not heard")
			}
			if off := e.Pos.Dist(at); off > hear.Error(d) {
				t.Fatalf("seed %d: %v m off at %v m", seed, off, d)
			}
			told[e.Pos]++
		}
		// 5 to 115 m are radii of 0.08 to 1.8 m: six octaves.
		if len(told) > 6 {
			t.Fatalf("seed %d: one place is told as %d: %v", seed, len(told), told)
		}
	}
}

// The way of an unseen shooter is told once and not with each shot's spread.
func TestSpreadIsNotToldOfTheUnseen(t *testing.T) {
	k := newRoom(3)
	r := vec.NewRand(5)
	ways := map[[2]state.Angle16]bool{}
	for i := range 60 {
		yaw := state.AngleOf(33 + 1.5*r.Signed())
		e, _ := k.hear(100+state.Tick(i*7), state.Event{Kind: state.EvFire, Weapon: 1, Actor: 3, Pos: vec.V3{X: 140}, Yaw: yaw, Pitch: state.AngleOf(2 + 1.5*r.Signed()), Param: int32(i)})
		if e.Param != 0 {
			t.Fatal("the number of the shot is told")
		}
		ways[[2]state.Angle16{e.Yaw, e.Pitch}] = true
	}
	if len(ways) != 1 {
		t.Errorf("60 shots are told in %d ways", len(ways))
	}
}

// What a listener remembers is bounded and goes away.
func TestMemoryIsBounded(t *testing.T) {
	k := newRoom(1)
	for i := range 3000 {
		k.hear(100, state.Event{Kind: state.EvFire, Weapon: 1, Actor: state.ID(2 + i%600), Pos: vec.V3{X: 140}})
	}
	if n := k.m.Sources(); n > state.MaxPlayers {
		t.Errorf("%d sources", n)
	}
	k.hear(100+640, state.Event{Kind: state.EvJoin, Actor: 9})
	if n := k.m.Sources(); n != 0 {
		t.Errorf("%d sources after ten seconds", n)
	}
	e := state.Event{Kind: state.EvFire, Weapon: 1, Actor: 5, Pos: vec.V3{X: 140}}
	if n := testing.AllocsPerRun(100, func() { k.hear(2000, e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	// Somebody else's ears begin anew.
	k.l.Ears = 2
	k.hear(2001, state.Event{Kind: state.EvJoin, Actor: 9})
	if n := k.m.Sources(); n != 0 {
		t.Errorf("%d sources of other ears", n)
	}
}

// Nonsense gives nothing and breaks nothing.
func TestNonsensePlaces(t *testing.T) {
	nan := float32(math.NaN())
	for _, p := range []vec.V3{{X: nan}, {Y: float32(math.Inf(1))}, {Z: nan}} {
		k := newRoom(1)
		if _, ok := k.hear(1, state.Event{Kind: state.EvFire, Weapon: 1, Actor: 3, Pos: p}); ok {
			t.Errorf("%v is heard", p)
		}
		k.l.At = p
		if _, ok := k.hear(1, state.Event{Kind: state.EvFire, Weapon: 1, Actor: 3}); ok {
			t.Errorf("heard from %v", p)
		}
	}
	k := newRoom(1)
	for _, w := range []uint8{0, tables.NumWeapons, 255} {
		if _, ok := k.hear(1, state.Event{Kind: state.EvFire, Weapon: w, Actor: 3, Pos: k.l.At}); ok {
			t.Errorf("weapon %d is heard", w)
		}
	}
}
