package scenario_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// The pieces of the proof levels: one in the viewer's room and two on the hidden side.
// In the random worlds only rules break them, in the same tick of both: what is broken
// is public, so that a pair in which one of the hidden breaks something that stands in
// the other world is no pair. That a hidden player's shots at a piece tell nothing as
// long as it stands is in every pair; that its breaking tells nothing but that it is
// broken is TestAPieceBrokenOutOfSightTellsOnlyThat.
const (
	proveNear = iota
	proveCrate
	provePane
	numProvePieces
)

// proveStrong is the health of a piece that no bullet breaks.
const proveStrong = 1 << 20

func provePieces(t testing.TB, b *level.Builder) {
	t.Helper()
	for i, box := range [numProvePieces]vec.Box{
		proveNear:  {Min: vec.New(-38.3, 6, 0), Max: vec.New(-38, 10, 2)},
		proveCrate: {Min: vec.New(44, 6, 0), Max: vec.New(44.3, 10, 3)},
		provePane:  {Min: vec.New(46, -4, 0), Max: vec.New(46.1, 0, 3)},
	} {
		m, err := b.Model()
		if err == nil {
			err = b.AddBox(m, box, level.Solid, "piece")
		}
		if err != nil {
			t.Fatal(err)
		}
		p := level.Piece{Model: m, Health: proveStrong, Material: level.Wood}
		if i == provePane {
			p.Material = level.Pane
		}
		if !b.AddPiece(p) {
			t.Fatal("no room for a piece")
		}
	}
}

// provedBreaks breaks pieces at ticks that a seed draws, and mends the one in the
// viewer's room: mending waits while somebody stands in a piece's place, and that tells.
func provedBreaks(seed uint64, ticks int) func(tick int) []rules.Op {
	r := rand.New(rand.NewPCG(seed, 6))
	at := map[int]rules.Op{}
	for range 6 {
		op := rules.Op{Kind: rules.OpPiece, Value: int32(r.IntN(numProvePieces+1)) - 1, Value2: 1}
		if r.IntN(3) == 0 {
			op.Value, op.Value2 = proveNear, 0
		}
		at[80+r.IntN(max(ticks-80, 1))] = op
	}
	return func(tick int) []rules.Op {
		if op, ok := at[tick]; ok {
			return []rules.Op{op}
		}
		return nil
	}
}

// atCrate is a hidden player who shoots the crate on its side from some tick on.
func atCrate(from int) script {
	yaw, pitch := vec.Angles(vec.New(44, 8, 1).Sub(vec.New(10, 4, 1.56)))
	return func(_ *rand.Rand, tick int) state.Cmd {
		c := state.Cmd{Weapon: 1, Yaw: state.AngleOf(yaw), Pitch: state.AngleOf(pitch)}
		if tick >= from && tick < from+60 {
			c.Buttons = state.BtnFire
		}
		return c
	}
}

// A hidden player breaks a piece out of sight in one world; in the other the rules
// break it in that tick, and the hidden player stands still. The viewer is told that
// it is broken, as everybody is, and the worlds are the same to it: no place, no name,
// no byte more.
func TestAPieceBrokenOutOfSightTellsOnlyThat(t *testing.T) {
	for _, p := range policiesThatHide() {
		if p.quiet {
			continue // sends things through walls by its nature
		}
		loaded := proveLevel(t, directed)
		loaded.Level.Pieces[proveCrate].Health = 10
		cfg := proveConfig{spec: p.spec, seed: directed, path: 1, ticks: proveTicks, hidden: atCrate(120)}
		a := runWorld(t, loaded, cfg)
		broke := a.pieces[proveCrate]
		if !broke.Broken || a.did[state.EvBreak] != 1 || a.breaksSeen != 0 || a.told {
			t.Fatalf("%s: %+v, the hidden player broke %d, the viewer was told of %d, told of a player %v", p.spec.Name, broke, a.did[state.EvBreak], a.breaksSeen, a.told)
		}
		cfg.hidden = still
		var b *proveWorld
		for when, tries := 150, 0; tries < 3; tries++ {
			cfg.ops = func(tick int) []rules.Op {
				if tick == when {
					return []rules.Op{{Kind: rules.OpPiece, Value: proveCrate, Value2: 1}}
				}
				return nil
			}
			b = runWorld(t, loaded, cfg)
			off := int(int32(broke.At - b.pieces[proveCrate].At))
			if off == 0 {
				break
			}
			when += off
		}
		if b.pieces[proveCrate] != broke {
			t.Fatalf("%s: broken in tick %d and %d", p.spec.Name, broke.At, b.pieces[proveCrate].At)
		}
		if kind, where := difference(a, b); kind != "" {
			t.Errorf("%s: shows by %s: %s", p.spec.Name, kind, where)
		}
		// And the test bites: a tick later is another state.
		at := cfg.ops
		cfg.ops = func(tick int) []rules.Op { return at(tick - 1) }
		if kind, _ := difference(a, runWorld(t, loaded, cfg)); kind == "" {
			t.Errorf("%s: nothing of the piece was sent", p.spec.Name)
		}
	}
}
