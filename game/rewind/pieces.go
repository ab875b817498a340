package rewind

import "github.com/sightline-engine/sightline/game/state"

// KeepPieces makes room for a level's breakable pieces; before the first Begin.
func (h *History) KeepPieces(n int) {
	h.words = (n + 63) / 64
	h.gone = make([]uint64, h.depth*h.words)
}

// PutPieces stores which pieces are broken in the present tick, a bit each, 64 to a
// word. It may be called again when one breaks within the tick.
func (h *History) PutPieces(broken []uint64) {
	if h.full > 0 {
		copy(h.pieceRow(h.row), broken)
	}
}

// Gone returns which pieces were broken in a tick, nil when it is not kept or there
// are none. The slice is the history's own.
func (h *History) Gone(tick state.Tick) []uint64 {
	if h.words == 0 || !h.holds(tick) {
		return nil
	}
	return h.pieceRow(int(tick % state.Tick(h.depth)))
}

// beginPieces starts a tick with the pieces as they were in the last.
func (h *History) beginPieces(last int) {
	if h.full > 0 {
		copy(h.pieceRow(h.row), h.pieceRow(last))
		return
	}
	clear(h.pieceRow(h.row))
}

func (h *History) pieceRow(row int) []uint64 { return h.gone[row*h.words : row*h.words+h.words] }
