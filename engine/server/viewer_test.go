package server

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
)

// TestTheNextSendIsTold: at a fixed rate a packet leaves in that tick and in none
// before, across the wrap of the counter as well; a rate that adapts may send in each.
func TestTheNextSendIsTold(t *testing.T) {
	for _, hz := range []int{0, 20, 32, 64} {
		p := Pace{Hz: hz}
		for tick := state.Tick(0); tick < 200; tick++ {
			n := p.next(tick, 64)
			if hz == 0 {
				if n != 1 {
					t.Fatalf("adaptive, tick %d: in %d ticks", tick, n)
				}
				continue
			}
			for k := state.Tick(1); k <= state.Tick(n); k++ {
				if sends := p.sends(tick+k, 64); sends != (k == state.Tick(n)) {
					t.Fatalf("%d Hz, tick %d: told %d, and %d ticks on sends: %v", hz, tick, n, k, sends)
				}
			}
		}
	}
}

// TestKnownCommandsKeepABodyStill: only those in a row count that leave a body where
// it is, from the next tick on.
func TestKnownCommandsKeepABodyStill(t *testing.T) {
	var b commands
	cmds := []state.Cmd{{Tick: 11}, {Tick: 12, Yaw: 900, Buttons: state.BtnFire | state.BtnAim}, {Tick: 13, Forward: 1}, {Tick: 14}}
	b.arrived(cmds, 11, 1e9, 1e9/64)
	if n := b.still(11); n != 2 {
		t.Errorf("%d ticks, want 2: the third command runs", n)
	}
	if n := b.still(14); n != 1 {
		t.Errorf("%d ticks after the one that runs, want 1", n)
	}
	if n := b.still(15); n != 0 {
		t.Errorf("%d ticks without a command, want 0", n)
	}
	for _, held := range []state.Buttons{state.BtnJump, state.BtnCrouch, state.BtnLeanLeft, state.BtnLeanRight} {
		var b commands
		b.arrived([]state.Cmd{{Tick: 5, Buttons: held}}, 5, 1e9, 1e9/64)
		if n := b.still(5); n != 0 {
			t.Errorf("buttons %b: %d ticks, want 0", held, n)
		}
	}
	b = commands{}
	b.arrived([]state.Cmd{{Tick: 5}}, 5, 1e9, 1e9/64)
	if n := b.still(5 + cmdWindow); n != 0 {
		t.Errorf("a command of %d ticks ago counts", cmdWindow)
	}
}

// TestWhoStands: whatever can carry the eye off without a command is not standing.
func TestWhoStands(t *testing.T) {
	still := state.Player{Flags: state.OnGround}
	if !stands(&still) {
		t.Fatal("who stands does not")
	}
	for what, f := range map[string]func(*state.Player){
		"in the air": func(p *state.Player) { p.Flags = 0 }, "slides": func(p *state.Player) { p.Vel.X = 0.1 },
		"leans": func(p *state.Player) { p.Lean = 3 }, "ducks": func(p *state.Player) { p.Duck = 9 },
		"rides": func(p *state.Player) { p.Ground = 2 }, "swims": func(p *state.Player) { p.Flags |= state.Swimming },
		"climbs": func(p *state.Player) { p.Flags |= state.OnLadder }, "is dead": func(p *state.Player) { p.Flags |= state.Dead },
	} {
		p := still
		if f(&p); stands(&p) {
			t.Errorf("who %s stands", what)
		}
	}
}
