package vis

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// pieces are the breakable pieces of a level that can hide anything, which those of
// glass cannot.
type pieces struct {
	solid []bool // by piece
	gone  []bool // as the Sight has it
}

func newPieces(w *trace.World) (p pieces) {
	l := w.Level()
	p.solid, p.gone = make([]bool, len(l.Pieces)), make([]bool, len(l.Pieces))
	for i := range l.Pieces {
		p.solid[i] = hides(l, l.Pieces[i].Model)
	}
	return p
}

// hides reports whether anything of a model blocks sight.
func hides(l *level.Level, m int) bool {
	if m <= 0 || m >= len(l.Models) {
		return false
	}
	md := &l.Models[m]
	for i := range l.Solids[md.FirstSolid : md.FirstSolid+md.NumSolids] {
		if l.Solids[md.FirstSolid+i].Contents&level.MaskSight != 0 {
			return true
		}
	}
	for i := range l.Tris[md.FirstTri : md.FirstTri+md.NumTris] {
		if l.Tris[md.FirstTri+i].Contents&level.MaskSight != 0 {
			return true
		}
	}
	return false
}

// takePieces puts broken pieces away and mended ones back, and adds where to changed.
// A broken piece hides nothing from the tick on in which it broke.
func (s *Sight) takePieces(now []state.Piece) {
	l, p := s.level, &s.pieces
	for i := range p.gone {
		gone := i < len(now) && now[i].Broken
		if gone == p.gone[i] || !p.solid[i] {
			continue
		}
		p.gone[i] = gone
		scenery.PutPiece(l, i, gone, s.scene.Poses)
		s.changed = append(s.changed, l.Models[l.Pieces[i].Model].Bounds)
	}
}

// PieceSeen is the state of one piece that was ever broken.
type PieceSeen struct {
	Index int // of Level.Pieces
	State state.Piece
	Near  bool // the viewer's own body may touch it within a second
}

// Pieces returns the pieces that were ever broken: everybody is told of them, however
// far off and whoever broke them.
func (v *View) Pieces() []PieceSeen { return v.pieces }

// breaks collects, once a tick, the pieces of which there is anything to tell.
func (f *Frame) breaks() {
	f.broken = f.broken[:0]
	for i := range f.Pieces {
		if f.Pieces[i] != (state.Piece{}) {
			f.broken = append(f.broken, PieceSeen{Index: i, State: f.Pieces[i], Near: true})
		}
	}
}

// tellPieces copies them into a View.
func (b *builder) tellPieces(out *View) {
	f := b.f
	at := f.Own[b.v].Player.Pos
	for i := range f.broken {
		s := f.broken[i]
		if len(f.PieceAt) == len(f.Pieces) {
			s.Near = touches(&f.PieceAt[s.Index], at)
		}
		out.pieces = append(out.pieces, s)
	}
}

// touches reports whether a box is close enough for a body to reach it in a second.
func touches(box *vec.Box, at vec.V3) bool {
	return box.Min.X-at.X < doorReach && at.X-box.Max.X < doorReach && box.Dist(at) < doorReach
}
