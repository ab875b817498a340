package snapshot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// Breakable pieces are told like doors: the newest state until it is known to have
// arrived, and nothing of one that was never broken. All clients are told of all, so
// that what one learns by it says nothing of anybody.

// piece is what the Encoder knows of one piece.
type piece struct {
	now, last  state.Piece
	sent, have bool   // last was sent; it, or more of the same, is known to have arrived
	run        uint64 // packet since which every state sent was last
	near       bool   // its client's body may touch it
}

// takePieces takes the pieces of a View.
func (e *Encoder) takePieces(view *vis.View) {
	for i := range e.pieces {
		e.pieces[i].near = false
	}
	for _, s := range view.Pieces() {
		if s.Index < 0 || s.Index >= maxPieces {
			continue
		}
		for len(e.pieces) <= s.Index {
			e.pieces = append(e.pieces, piece{})
		}
		e.pieces[s.Index].now, e.pieces[s.Index].near = s.State, s.Near
	}
}

func (e *Encoder) putPieces(c *wire.Coder, p *packet, free int) {
	before := -1
	for i := range e.pieces {
		d := &e.pieces[i]
		if d.now == d.last && (d.have || !d.sent) {
			continue
		}
		m := e.out.mark()
		c.MorePieces(true)
		c.PieceIndex(i, before)
		c.Piece(&d.now, p.tick)
		if e.out.tight(free) {
			e.out.back(&m)
			p.cut = true // comes later; records are what counts
			break
		}
		before = i
		if !d.sent || d.now != d.last {
			d.sent, d.have, d.last, d.run = true, false, d.now, p.seq
		}
		p.pieces = append(p.pieces, vis.PieceSeen{Index: i, State: d.now})
	}
	c.MorePieces(false)
}

// piecesSettled reports whether a client that has the base knows the pieces near it as
// they are now.
func (e *Encoder) piecesSettled() bool {
	for i := range e.pieces {
		if d := &e.pieces[i]; d.near && (d.now != d.last || d.sent && e.baseSeq < d.run) {
			return false
		}
	}
	return true
}

func (d *Decoder) parsePieces(c *wire.Coder, p *packet) {
	for at := -1; c.Err() == nil && c.MorePieces(false); {
		at = c.PieceIndex(0, at)
		var s state.Piece
		if c.Piece(&s, p.tick); at < 0 || at >= maxPieces {
			c.Fail(ErrPacket)
			return
		}
		p.pieces = append(p.pieces, vis.PieceSeen{Index: at, State: s})
	}
}

func (d *Decoder) pieces(p *packet) {
	for _, s := range p.pieces {
		for len(d.pieceSeq) <= s.Index {
			d.pieceSeq = append(d.pieceSeq, 0)
			d.out.Pieces = append(d.out.Pieces, state.Piece{})
		}
		if d.pieceSeq[s.Index] <= p.seq {
			d.pieceSeq[s.Index] = p.seq + 1
			d.out.Pieces[s.Index] = s.State
		}
	}
}
