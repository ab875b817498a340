package scenario_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// script is what a hidden player does.
type script func(r *rand.Rand, tick int) state.Cmd

func still(*rand.Rand, int) state.Cmd { return state.Cmd{} }

// shoots fires a weapon without a pause, looking everywhere.
func shoots(weapon uint8) script {
	return func(r *rand.Rand, tick int) state.Cmd {
		return state.Cmd{Buttons: state.BtnFire, Weapon: weapon, Yaw: state.Angle16(tick * 900), Pitch: state.Angle16(r.IntN(2000))}
	}
}

// throws throws a weapon's grenades before its feet.
func throws(weapon uint8) script { return throwsTo(weapon, 0) }

// throwsTo is throws in a direction.
func throwsTo(weapon uint8, yaw float32) script {
	return func(_ *rand.Rand, tick int) state.Cmd {
		c := state.Cmd{Weapon: weapon, Yaw: state.AngleOf(yaw), Pitch: state.AngleOf(-60)}
		if tick/4%2 == 0 {
			c.Buttons = state.BtnFire
		}
		return c
	}
}

// walks goes forth and back along x, from tick to tick.
func walks(ticks int) script {
	return func(_ *rand.Rand, tick int) state.Cmd {
		c := state.Cmd{Forward: 127}
		if tick/ticks%2 == 1 {
			c.Forward = -127
		}
		return c
	}
}

// creeps is walks with the key that makes no steps.
func creeps(ticks int) script {
	walk := walks(ticks)
	return func(r *rand.Rand, tick int) state.Cmd {
		c := walk(r, tick)
		c.Buttons |= state.BtnWalk
		return c
	}
}

// handles walks along the wall to the door behind which nobody is, and opens, shuts and
// sets it ajar.
func handles(_ *rand.Rand, tick int) state.Cmd {
	c := state.Cmd{Yaw: state.AngleOf(-90)}
	switch {
	case tick < 130:
	case tick < 152:
		c.Forward = 127
	default:
		c.Yaw = state.AngleOf(0)
		if tick%40 < 3 {
			c.Buttons = state.BtnUse
		}
		if tick%120 < 40 {
			c.Buttons |= state.BtnWalk
		}
	}
	return c
}

func stands(int) state.Cmd { return state.Cmd{} }

// asShipped lets sounds carry as far as the arena's tables say.
func asShipped(*tables.Set) {}

// suppressed has every rifle fired through a suppressor.
func suppressed(set *tables.Set) { set.Weapons[tables.Rifle].Suppressor = true }

// fires is a viewer who shoots one weapon at a wall of its room.
func fires(weapon uint8) func(tick int) state.Cmd {
	return func(tick int) state.Cmd {
		return state.Cmd{Buttons: state.BtnFire, Weapon: weapon, Yaw: state.AngleOf(-90), Pitch: state.Angle16(tick % 3 * 400)}
	}
}

// directed is the seed of the level in which side channels are tried: one of which
// every script gets where it is to.
const directed = 78

// One side channel each: what somebody hidden does in one world and not in the other
// is of the kind that could show there, has happened, and does not show, under every
// policy that hides.
func TestEverySideChannelIsShut(t *testing.T) {
	for _, c := range []struct {
		name     string
		cfg      proveConfig
		one, two script
		// happened reports whether the worlds differ in what the channel would tell.
		happened func(a, b *proveWorld) bool
	}{
		{
			name: "entity ids", one: shoots(2), two: still, cfg: proveConfig{own: fires(2)},
			happened: func(a, b *proveWorld) bool {
				return a.did[state.EvFire] > 2 && len(b.own) > 2 && !reflect.DeepEqual(a.own, b.own)
			},
		},
		{
			name: "slot reuse", one: shoots(2), two: walks(30), cfg: proveConfig{ticks: 600},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvExplode] > 2 && b.did[state.EvExplode] == 0 },
		},
		{
			name: "smoke and what is thrown", one: throws(4), two: still, cfg: proveConfig{ticks: 700, at: [4]float32{2: 30}},
			happened: func(a, b *proveWorld) bool {
				return a.did[state.EvSmoke] > 0 && a.did[state.EvBounce] > 0 && b.did[state.EvSmoke] == 0
			},
		},
		{
			name: "smoke behind the wall", one: throwsTo(4, 90), two: still, cfg: proveConfig{ticks: 700, at: [4]float32{-10, -14, -3.2, 20}},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvSmoke] > 0 && !a.through && a.nearest < -2 },
		},
		{
			name: "flashes", one: throws(5), two: still, cfg: proveConfig{ticks: 700, at: [4]float32{2: 30}},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFlash] > 0 && b.did[state.EvFlash] == 0 },
		},
		{
			name: "delta baselines", one: walks(160), two: still, cfg: proveConfig{loss: 0.2, at: [4]float32{2: 26}},
			happened: func(a, b *proveWorld) bool { return a.near < b.near-5 },
		},
		{
			name: "event order", one: shoots(1), two: still, cfg: proveConfig{own: fires(1)},
			happened: func(a, b *proveWorld) bool { return a.same > b.same },
		},
		{
			name: "packet size", one: shoots(3), two: walks(40),
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFire] > 10 && b.did[state.EvFootstep] > 5 },
		},
		{
			name: "send time and rate class", one: shoots(1), two: walks(300), cfg: proveConfig{own: fires(3), at: [4]float32{-10, -30, -5, 30}},
			happened: func(a, b *proveWorld) bool { return a.near < 8 && a.did[state.EvFire] > 20 && b.did[state.EvFire] == 0 },
		},
		{
			name: "random streams", one: shoots(1), two: still, cfg: proveConfig{own: fires(1)},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFire] > 20 && b.did[state.EvFire] == 0 },
		},
		{
			name: "corpse", one: walks(1000), two: still, cfg: proveConfig{at: [4]float32{2: 8}},
			happened: func(a, b *proveWorld) bool { return a.corpse != b.corpse && b.corpse.X != 0 },
		},
		{
			name: "door", one: walks(50), two: still, cfg: proveConfig{at: [4]float32{2: proveDoorX - 6}},
			happened: func(a, b *proveWorld) bool { return a.doors > 10 && b.doors == 0 },
		},
		{
			name: "hinged door", one: handles, two: still, cfg: proveConfig{hinged: true, at: [4]float32{2: proveDoorX - 1.4}},
			happened: func(a, b *proveWorld) bool { return a.doors > 10 && b.doors == 0 },
		},
		{
			name: "score", one: shoots(1), two: walks(50),
			happened: func(a, b *proveWorld) bool {
				return len(a.clients[0].Scores()) == 4 && reflect.DeepEqual(a.clients[0].Scores(), b.clients[0].Scores())
			},
		},
		{
			name: "ping", one: shoots(2), two: still, cfg: proveConfig{ticks: 1100},
			happened: func(a, b *proveWorld) bool {
				for _, s := range a.clients[0].Scores() {
					if s.ID == proveHidden && s.Ping > 0 {
						return true
					}
				}
				return false
			},
		},
		{
			name: "spectator", one: shoots(2), two: walks(40),
			cfg: proveConfig{ops: func(tick int) []rules.Op {
				if tick == 290 {
					return []rules.Op{{Kind: rules.OpSpectate, ID: proveViewer, Value: int32(proveVisible)}}
				}
				return nil
			}},
			happened: func(a, b *proveWorld) bool { return a.watched > 0 && a.watched == b.watched && a.did[state.EvFire] > 0 },
		},
		{
			name: "dead and waiting", one: shoots(1), two: walks(40),
			cfg: proveConfig{ops: func(tick int) []rules.Op {
				if tick == 290 {
					return []rules.Op{{Kind: rules.OpSpectate, ID: proveViewer}}
				}
				return nil
			}},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFire] > 20 },
		},
		{
			name: "prediction collision", one: walks(1000), two: still,
			cfg:      proveConfig{own: func(int) state.Cmd { return state.Cmd{Forward: 127} }, at: [4]float32{-11, -30, -4, 30}},
			happened: func(a, b *proveWorld) bool { return a.near < 60 && a.did[state.EvFootstep] > 0 },
		},
		{
			name: "a shot out of earshot", one: shoots(1), two: still, cfg: proveConfig{at: [4]float32{-34, -30, 34, 44}, earshot: asShipped},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFire] > 20 && b.did[state.EvFire] == 0 },
		},
		{
			name: "a suppressed shot out of its earshot", one: shoots(1), two: still,
			cfg: proveConfig{earshot: suppressed},
			happened: func(a, b *proveWorld) bool {
				return a.did[state.EvFire] > 20 && b.did[state.EvFire] == 0 && a.near < 60
			},
		},
		{
			name: "a silent walk", one: creeps(60), two: still, cfg: proveConfig{at: [4]float32{-12, -20, -4, 30}, earshot: asShipped, own: stands},
			happened: func(a, b *proveWorld) bool { return a.near < 12 && a.moved > 2 && b.moved < 0.1 },
		},
		{
			name: "steps out of earshot", one: walks(60), two: still, cfg: proveConfig{at: [4]float32{-20, -30, 6, 34}, earshot: asShipped, own: stands},
			happened: func(a, b *proveWorld) bool { return a.did[state.EvFootstep] > 5 && b.did[state.EvFootstep] == 0 },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range policiesThatHide() {
				if p.quiet {
					continue // sends things through walls by its nature
				}
				cfg := c.cfg
				cfg.spec, cfg.seed, cfg.path, cfg.ticks = p.spec, directed, 1, max(cfg.ticks, proveTicks)
				loaded := proveLevelWith(t, cfg.seed, cfg.hinged)
				cfg.hidden = c.one
				a := runWorld(t, loaded, cfg)
				cfg.hidden = c.two
				b := runWorld(t, loaded, cfg)
				if a.audible+b.audible > 0 {
					t.Errorf("heard %d and %d times", a.audible, b.audible)
				}
				if a.told || b.told {
					t.Errorf("%s sends somebody through a wall", p.spec.Name)
				}
				if kind, where := difference(a, b); kind != "" {
					t.Errorf("%s: shows by %s: %s", p.spec.Name, kind, where)
				}
				if !c.happened(a, b) {
					t.Errorf("%s: what could show has not happened: (cloud %v %v) %v and %v, doors %d and %d, nearest %.1f and %.1f m, watched %d, at once %d and %d", p.spec.Name, a.nearest, a.through, a.did, b.did, a.doors, b.doors, a.near, b.near, a.watched, a.same, b.same)
				}
			}
		})
	}
}
