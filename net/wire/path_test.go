package wire_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// The way of somebody who ran straight, or fell freely, costs a few bits a place.
func TestAnEvenPathIsSmall(t *testing.T) {
	at := func(n float32) state.Body {
		s := n / 64
		return state.Body{
			Pos: state.Quant(vec.New(10+6*s, -3*s, 4-10*s*s)), Vel: state.Quant(vec.New(6, -3, -20*s)), Alive: true,
		}
	}
	now := at(0)
	e := state.Entity{ID: 4, Kind: state.KindPlayer, Pos: now.Pos, Vel: now.Vel}
	var path []state.Body
	for i := 1; i <= 3; i++ {
		path = append(path, at(-float32(i*state.PathGap(64))))
	}
	var w bits.Writer
	w.Reset(make([]byte, 100))
	c := wire.Writing(&w)
	if c.Path(path, &wire.Rec{Ent: e}, 64); w.Len() > 3*40 {
		t.Errorf("%d bits for three places", w.Len())
	}
}
