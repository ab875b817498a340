package scenario_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
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

// shootsAt is a hidden player who shoots at a place on its side from some tick on.
func shootsAt(place vec.V3, from int) script {
	yaw, pitch := vec.Angles(place.Sub(vec.New(10, 4, 1.56)))
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
	brokenOutOfSight(t, proveCrate, vec.New(44, 8, 1), deaf)
}

// A pane likewise, with the sounds that are shipped: its breaking, and the shots through
// a suppressor that break it and fly on through it, are out of earshot.
func TestAPaneBrokenOutOfSightTellsOnlyThat(t *testing.T) {
	brokenOutOfSight(t, provePane, vec.New(46, -2, 1), suppressed)
}

func brokenOutOfSight(t *testing.T, piece int, place vec.V3, earshot func(*tables.Set)) {
	t.Helper()
	for _, p := range policiesThatHide() {
		if p.quiet {
			continue // sends things through walls by its nature
		}
		loaded := proveLevel(t, directed)
		loaded.Level.Pieces[piece].Health = 10
		cfg := proveConfig{spec: p.spec, seed: directed, path: 1, ticks: 280, hidden: shootsAt(place, 120), earshot: earshot}
		a := runWorld(t, loaded, cfg)
		if len(a.broke) != 1 || int(a.broke[0].piece) != piece || a.breaksSeen != 0 || a.told || a.audible > 0 {
			t.Fatalf("%s: the hidden player broke %v, the viewer was told of %d, told of a player %v, heard it %d times", p.spec.Name, a.broke, a.breaksSeen, a.told, a.audible)
		}
		when := a.broke[0].tick - 1 // what rules order is done in the next
		cfg.hidden = still
		cfg.ops = func(tick int) []rules.Op {
			if tick == when {
				return []rules.Op{{Kind: rules.OpPiece, Value: int32(piece), Value2: 1}}
			}
			return nil
		}
		b := runWorld(t, loaded, cfg)
		if a.pieces[piece] != b.pieces[piece] {
			t.Fatalf("%s: broken in tick %d and %d", p.spec.Name, a.pieces[piece].At, b.pieces[piece].At)
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
