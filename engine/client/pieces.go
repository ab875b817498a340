package client

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Pieces break on the shown timeline, like doors: one stands on the screen until its
// breaking is shown, and a shot is tested against what stood there. Only what the own
// body would be drawn inside or upon is gone as soon as that is known, since the body
// is predicted through it.

// pieceLog is what is shown of breakable pieces.
type pieceLog struct {
	past [][2]state.Piece // by piece, newest first
}

func (m *pieceLog) reset(l *level.Level) {
	m.past = make([][2]state.Piece, len(l.Pieces))
}

// piecesTold takes the newest states.
func (c *Client) piecesTold(pieces []state.Piece) {
	m := &c.movers.pieces
	for i := range m.past {
		if i < len(pieces) && pieces[i] != m.past[i][0] {
			m.past[i] = [2]state.Piece{pieces[i], m.past[i][0]}
		}
	}
	copy(c.pieces, pieces)
}

// gone reports whether a piece is broken at a shown tick.
func (m *pieceLog) gone(i int, tick state.Tick) bool {
	p := &m.past[i]
	if int32(tick-p[0].At) >= 0 {
		return p[0].Broken
	}
	return p[1].Broken
}

// poseBreaks puts the pieces where they are drawn at a shown tick.
func (c *Client) poseBreaks(tick state.Tick) {
	l, m := c.loaded.Level, &c.movers
	for i := range m.pieces.past {
		gone := m.pieces.gone(i, tick)
		if !gone && !m.firing && c.pieces[i].Broken && c.touches(i) {
			gone = true
		}
		scenery.PutPiece(l, i, gone, m.poses)
	}
}

// touchReach is how far from a piece the own body is still at it, metres.
const touchReach = 0.25

// touches reports whether the own predicted body is at a piece.
func (c *Client) touches(i int) bool {
	mv := &c.set.Movement
	p := &c.pred.now
	w := mv.HalfWidth
	body := vec.Box{Min: vec.V3{X: -w, Y: -w}, Max: vec.V3{X: w, Y: w, Z: mv.StandHeight}}.Move(p.Pos)
	return p.Alive() && body.Pad(touchReach).Overlaps(c.loaded.Level.Models[c.loaded.Level.Pieces[i].Model].Bounds)
}

// pieceNear reports whether a piece whose state was not the one predicted with could
// have touched a body at p.
func (c *Client) pieceNear(p vec.V3) bool {
	l := c.loaded.Level
	for i := range l.Pieces {
		if i < len(c.pieces) && i < len(c.pred.pieces) && c.pieces[i] == c.pred.pieces[i] {
			continue
		}
		if l.Models[l.Pieces[i].Model].Bounds.Pad(2).Contains(p) {
			return true
		}
	}
	return false
}
