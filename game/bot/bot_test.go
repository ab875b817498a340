package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/bot"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/mapfile"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// tower is a platform of 10 m by 10 m, its top at 0, with nothing around it.
func tower(t *testing.T) (*trace.World, *tables.Set) {
	t.Helper()
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n{\n")
	for _, p := range [...]string{
		"( -160 -160 -64 ) ( -160 -159 -64 ) ( -160 -160 -63 )", "( -160 -160 -64 ) ( -160 -160 -63 ) ( -159 -160 -64 )",
		"( -160 -160 -64 ) ( -159 -160 -64 ) ( -160 -159 -64 )", "( 160 160 0 ) ( 160 161 0 ) ( 161 160 0 )",
		"( 160 160 0 ) ( 161 160 0 ) ( 160 160 1 )", "( 160 160 0 ) ( 160 160 1 ) ( 160 161 0 )",
	} {
		fmt.Fprintf(&b, "%s a 0 0 0 1 1\n", p)
	}
	b.WriteString("}\n}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 24\"\n}\n")
	l, err := mapfile.Parse("tower.map", []byte(b.String()), level.Options{})
	if err != nil || len(l.Warnings) > 0 {
		t.Fatal(err, l.Warnings)
	}
	set := tables.Arena()
	return trace.New(l), &set
}

// A bot that runs at the brink, whatever it wants and whomever it fights, does not
// push on over it.
func TestABotHoldsBackAtABrink(t *testing.T) {
	w, set := tower(t)
	g := nav.Build(w, &set.Movement)
	for seed := range uint64(40) {
		b := bot.New(bot.Config{World: w, Graph: g, Tables: set, TickRate: 64, Seed: seed, Skill: 0.7})
		p := &state.Player{Health: 100, Flags: state.OnGround, Weapon: tables.Rifle, Owned: 1 << tables.Rifle}
		p.Pos, p.Vel = vec.V3{X: 4.5}, vec.V3{X: 9}
		s := &bot.Senses{Self: 1, Own: p, Eye: p.Pos.Mad(1.56, vec.Up), Scene: w.Closed()}
		if seed%2 == 1 {
			s.Others = []bot.Other{{ID: 2, Kind: state.KindPlayer, Pos: vec.V3{X: 4.5, Y: 4}}, {ID: 3, Kind: state.KindPlayer, Pos: vec.V3{X: -4}}}
		}
		for tick := range state.Tick(64) {
			s.Tick = 1000 + tick
			cmd := b.Think(s)
			fwd, right, _ := vec.Axes(cmd.Yaw.Deg(), 0)
			if out := fwd.X*float32(cmd.Forward)/127 + right.X*float32(cmd.Right)/127; out > 0.1 {
				t.Fatalf("seed %d, tick %d: it pushes on over the brink with %.2f", seed, tick, out)
			}
		}
	}
}

// The same senses give the same commands.
func TestBrainsRepeat(t *testing.T) {
	w, set := tower(t)
	g := nav.Build(w, &set.Movement)
	run := func() (out []state.Cmd) {
		b := bot.New(bot.Config{World: w, Graph: g, Tables: set, TickRate: 64, Seed: 7, Skill: 0.5})
		p := &state.Player{Health: 100, Flags: state.OnGround}
		s := &bot.Senses{Self: 1, Own: p, Eye: p.Pos.Mad(1.56, vec.Up), Scene: w.Closed()}
		for tick := range state.Tick(300) {
			s.Tick = tick
			p.Pos = vec.V3{X: float32(tick%64)*0.1 - 3, Y: 1}
			out = append(out, b.Think(s))
		}
		return out
	}
	a, b := run(), run()
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("tick %d: %+v and %+v", i, a[i], b[i])
		}
	}
}

// A bot with patience breaks a fight off that does not end, and takes it up again
// later.
func TestPatienceEndsFights(t *testing.T) {
	w, set := tower(t)
	b := bot.New(bot.Config{World: w, Graph: nav.Build(w, &set.Movement), Tables: set, TickRate: 64, Seed: 3, Skill: 0.7, Patience: 1.5})
	p := &state.Player{Health: 100, Flags: state.OnGround, Weapon: tables.Rifle, Owned: 1 << tables.Rifle}
	p.Ammo[tables.Rifle] = 100
	s := &bot.Senses{Self: 1, Own: p, Eye: p.Pos.Mad(1.56, vec.Up), Scene: w.Closed()}
	s.Others = []bot.Other{{ID: 2, Kind: state.KindPlayer, Pos: vec.V3{X: 4}}}
	var fired [60]int // by second
	for tick := range state.Tick(64 * len(fired)) {
		s.Tick = tick
		cmd := b.Think(s)
		p.Yaw, p.Pitch = cmd.Yaw, cmd.Pitch
		if cmd.Buttons&state.BtnFire != 0 {
			fired[tick/64]++
		}
	}
	busy := 0
	for _, n := range fired {
		if n > 0 {
			busy++
		}
	}
	if busy < 4 || busy > 24 {
		t.Errorf("it fired in %d of %d seconds: %v", busy, len(fired), fired)
	}
}
