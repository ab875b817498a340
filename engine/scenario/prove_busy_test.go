package scenario_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// What the hidden player of the worlds at random does beside running about: it throws
// smoke and flashes, reloads, leans, creeps, uses doors and seats, breaks pieces, takes
// and leaves things. Each world has one theme beside that, by its number.
const (
	proveMixed   = iota // all of it, in turns
	proveFar            // likewise, with sounds that carry, and never as far as the viewer
	proveBreaks         // shoots pieces that break
	proveSpecial        // gets in and out of a vehicle, or handles a hinged door
	numProveThemes
)

// theme gives a world its theme. r is of what both worlds of a pair share.
func theme(cfg *proveConfig, n uint64, r *rand.Rand) {
	cfg.busy = true
	switch n % numProveThemes {
	case proveFar:
		cfg.at, cfg.rooted = [4]float32{-34, -30, 3 + 12*r.Float32(), 44}, true
		quiet := r.IntN(2) == 0
		cfg.earshot = func(set *tables.Set) { carries(set, 22, quiet) }
	case proveBreaks:
		cfg.weak, cfg.at = int32(8+r.IntN(40)), [4]float32{2: 24 + 3*r.Float32(), 3: 16}
	case proveSpecial:
		if n/numProveThemes%2 == 0 && !cfg.quiet {
			cfg.buggy = vec.New(10+20*r.Float32(), 6.8, 0)
			cfg.at = [4]float32{2: cfg.buggy.X, 3: cfg.buggy.X + 12}
		} else {
			cfg.hinged, cfg.rooted, cfg.at = true, true, [4]float32{-10, -14, proveDoorX - 1.4, 30}
		}
	}
	// Something to carry, which is put down where it is and taken again.
	if cfg.quiet {
		return
	}
	var at [3]int
	for i := range at {
		at[i] = 90 + 80*i + r.IntN(80)
	}
	cfg.also(func(tick int) []rules.Op {
		switch tick {
		case at[0], at[2]:
			return []rules.Op{{Kind: rules.OpCarry, ID: proveHidden}}
		case at[1]:
			return []rules.Op{{Kind: rules.OpPlace, Value2: 1}}
		}
		return nil
	})
}

// also adds what rules do in both worlds.
func (c *proveConfig) also(ops func(tick int) []rules.Op) {
	before := c.ops
	c.ops = func(tick int) []rules.Op {
		do := ops(tick)
		if before != nil {
			do = append(do, before(tick)...)
		}
		return do
	}
}

// furnish puts into a level what the theme needs.
func (c *proveConfig) furnish(l client.Loaded) client.Loaded {
	if c.weak > 0 {
		l.Level.Pieces[proveCrate].Health, l.Level.Pieces[provePane].Health = int(c.weak), int(c.weak)
	}
	if c.buggy != (vec.V3{}) {
		l.Level.Vehicles = append(l.Level.Vehicles, level.Vehicle{Type: "buggy", Pos: c.buggy})
	}
	return l
}

// other is the world that makes a pair with one that has been played. Which pieces are
// broken, and since when, is public: what the hidden player broke there the rules break
// here, in the same tick, and the hidden player holds its fire.
func (c proveConfig) other(a *proveWorld) proveConfig {
	c.path++
	if c.weak > 0 {
		c.peaceful = true
		c.also(func(tick int) (ops []rules.Op) {
			for _, b := range a.broke {
				if b.tick-1 == tick { // what rules order is done in the next
					ops = append(ops, rules.Op{Kind: rules.OpPiece, Value: b.piece, Value2: 1})
				}
			}
			return ops
		})
	}
	return c
}

// brokeAt is a piece that the hidden player broke, and when.
type brokeAt struct {
	tick  int
	piece int32
}

// arms are the tables of busy worlds: magazines, and more to throw.
func arms(set *tables.Set) {
	r := &set.Weapons[tables.Rifle]
	r.Mag, r.ReloadMS = 20, 700
	for _, w := range []int{tables.SmokeGrenade, tables.FlashGrenade} {
		set.Weapons[w].AmmoMax, set.Weapons[w].AmmoSpawn = 4, 4
	}
	// What a vehicle has suffered is nobody's to know, but everybody sees it burst.
	set.Vehicles[tables.Buggy].Health = 1e5
}

// carries has no sound carry farther than so many metres; with quiet rifles are fired
// through suppressors, which alone keep them from being heard.
func carries(set *tables.Set, far float32, quiet bool) {
	for i := range set.Weapons {
		w := &set.Weapons[i]
		w.Muffled = min(w.Muffled, far)
		if w.Suppressor = quiet && i == tables.Rifle; !w.Suppressor {
			w.Earshot = min(w.Earshot, far)
		}
	}
	s := &set.Sounds
	for _, f := range []*float32{&s.Step, &s.Jump, &s.Land, &s.Pad, &s.Reload, &s.Switch, &s.DryFire, &s.Pickup, &s.Door, &s.Explode, &s.Bounce, &s.Smoke, &s.Flash, &s.Break} {
		*f = min(*f, far)
	}
}

// rooted is somebody who stays where it is, and has no rockets to be thrown by.
func rooted(do func(int) state.Cmd) func(int) state.Cmd {
	do = calm(do)
	return func(tick int) state.Cmd {
		c := do(tick)
		c.Forward, c.Right, c.Buttons = 0, 0, c.Buttons&^state.BtnJump
		return c
	}
}

// calm is somebody without rockets.
func calm(do func(int) state.Cmd) func(int) state.Cmd {
	return func(tick int) state.Cmd {
		c := do(tick)
		c.Weapon = 1 + c.Weapon&2
		return c
	}
}

// What a busy one is at for a while.
const (
	atRoaming = iota
	atSmoke
	atFlash
	atReload
	atLeaning
	atCreeping
	atUsing
	atTheTheme // twice as often
	numAt      = atTheTheme + 2
)

// busies is a hidden player who does all of that as a seed says.
func busies(cfg *proveConfig) func(tick int) state.Cmd {
	roam := roams(cfg.path, 3)
	if cfg.quiet {
		roam = calm(roam)
	}
	r := rand.New(rand.NewPCG(cfg.path, 7))
	at, since, left := atRoaming, 0, 0
	var side float32
	return func(tick int) state.Cmd {
		c := roam(tick)
		if left--; left <= 0 {
			at, since, left, side = min(r.IntN(numAt), atTheTheme), tick, 40+r.IntN(30), 120*r.Float32()-60
		}
		if tick < 150 && (cfg.hinged || cfg.weak > 0 || cfg.buggy != (vec.V3{})) {
			at = atTheTheme // while it is where it entered
		}
		n := tick - since
		switch at {
		case atSmoke, atFlash:
			if cfg.quiet { // they are sent through walls by rules that hide players only
				break
			}
			// Away from the wall: a cloud that comes through it is the viewer's to see.
			c = state.Cmd{Weapon: uint8(4 + at - atSmoke), Yaw: state.AngleOf(side), Pitch: state.AngleOf(-20 + side/4)}
			if n > 20 && n%20 < 4 {
				c.Buttons = state.BtnFire
			}
		case atReload:
			c.Weapon = 1
			if c.Buttons |= state.BtnFire; n%30 > 20 {
				c.Buttons = c.Buttons&^state.BtnFire | state.BtnReload
			}
		case atLeaning:
			c.Buttons |= []state.Buttons{state.BtnLeanLeft, state.BtnLeanRight}[n/20%2]
		case atCreeping:
			c.Buttons |= state.BtnWalk
		case atUsing:
			if n%16 < 3 {
				c.Buttons |= state.BtnUse
			}
		case atTheTheme:
			cfg.themed(&c, r, tick)
		}
		if cfg.buggy != (vec.V3{}) {
			// Whoever is at the wheel does not drive: where a vehicle is is public.
			c.Forward, c.Right, c.Up, c.Buttons = 0, 0, 0, c.Buttons&^(state.BtnJump|state.BtnUse)
			if c.Weapon == 2 {
				c.Weapon = 1
			}
			if at == atTheTheme {
				c.Yaw, c.Pitch = state.AngleOf([]float32{90, -90}[tick/16%2]), state.AngleOf(-30)
				if tick%16 > 12 {
					c.Buttons |= state.BtnUse
				}
			}
		}
		if cfg.hinged && tick >= 220 && tick < 350 { // past the pane to where open sends it
			c.Forward, c.Right, c.Yaw = 127, 0, state.AngleOf(180)
			if tick < 250 {
				c.Forward, c.Right = 0, 40
			}
		}
		if cfg.peaceful {
			c.Buttons &^= state.BtnFire
		}
		return c
	}
}

// themed is what a theme asks for.
func (cfg *proveConfig) themed(c *state.Cmd, r *rand.Rand, tick int) {
	switch {
	case cfg.weak > 0:
		// The crate, then the pane, from about where it enters.
		to := vec.New(44, 8, 1.2)
		if tick/24%2 == 1 {
			to = vec.New(46, -2, 1.2)
		}
		yaw, pitch := vec.Angles(to.Sub(vec.New(cfg.at[2], 4, 1.56)))
		*c = state.Cmd{Yaw: state.AngleOf(yaw + 4*r.Float32() - 2), Pitch: state.AngleOf(pitch), Weapon: 1, Buttons: state.BtnFire}
		if tick%13 < 4 {
			c.Right = int8(tick/13%2*254 - 127)
		}
	case cfg.hinged:
		*c = handles(r, tick)
	}
}

// note keeps what a tick had of what the hidden player did, and of what is public.
func (w *proveWorld) note(in *vis.Input, f *vis.Frame) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == state.EvBreak && e.Actor == proveHidden {
			w.broke = append(w.broke, brokeAt{w.tick, e.Param})
		}
	}
	h := fnv.New64a()
	fmt.Fprint(h, w.public)
	for i := range in.Pieces {
		if in.Pieces[i].Broken {
			fmt.Fprint(h, i, in.Pieces[i].At)
		}
	}
	var kinds [state.NumKinds]int
	for i := range in.Subjects {
		s := &in.Subjects[i]
		if s.Kind == state.KindVehicle {
			fmt.Fprint(h, f.Entities[i].Pos, f.Entities[i].Yaw)
		}
		if s.Alive && s.Pos.X > -7 {
			kinds[s.Kind]++
		}
		if s.ID == proveHidden && s.Alive && w.hiddenBody().Vehicle != 0 {
			w.seated++
		}
	}
	w.public = h.Sum64()
	for i := range in.Smokes {
		c := &in.Smokes[i]
		w.nearest = min(w.nearest, c.Pos.X)
		w.through = w.through || c.Pos.X-float32(c.Radius)/256 < -8
	}
	for k := range kinds {
		w.things[k] = max(w.things[k], kinds[k])
	}
}

// noPair says why two worlds are no pair: they differ in what everybody may know, or
// the viewer may. "" is of a pair.
func noPair(a, b *proveWorld) string {
	switch {
	case a.through || b.through:
		return "a cloud comes through the wall"
	case a.public != b.public:
		return "what is public differs"
	case a.cfg.earshot != nil && a.audible+b.audible > 0:
		return "it was heard"
	}
	return ""
}

// tally is what happened in worlds, for a test that wants to be sure that it did.
type tally map[string]int

// missing is what of a tally has not happened.
func (t tally) missing() (what []string) {
	for k, n := range t {
		if n == 0 {
			what = append(what, k)
		}
	}
	return what
}

func (t tally) add(a, b *proveWorld) {
	for _, w := range []*proveWorld{a, b} {
		for what, kind := range map[string]state.EventKind{
			"shots": state.EvFire, "bursts": state.EvExplode, "bounces": state.EvBounce, "smokes": state.EvSmoke, "flashes": state.EvFlash,
			"reloads": state.EvReload, "breaks": state.EvBreak, "seats": state.EvSeat, "taken": state.EvPickup,
		} {
			t[what] += w.did[kind]
		}
		t["ticks in a seat"] += w.seated
		for what, has := range map[string]bool{
			"worlds with an open door": w.doors > 0, "worlds with something carried": w.things[state.KindObjective] > 0,
			"worlds with a death": w.corpse != (vec.V3{}), "worlds with shots out of earshot": w.cfg.earshot != nil && w.did[state.EvFire] > 0,
		} {
			if t[what] += 0; has {
				t[what]++
			}
		}
	}
}
