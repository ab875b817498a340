package scenery

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Away is how far the model of a broken piece is put from its place: so far outside
// every level that nothing meets it there.
var Away = vec.V3{Z: 1 << 20}

// PutPiece puts piece i of a level into its place, or away. poses is as in Poses.
func PutPiece(l *level.Level, i int, broken bool, poses []level.Pose) {
	m := l.Pieces[i].Model
	if m <= 0 || m >= len(poses) {
		return
	}
	if broken {
		poses[m] = level.Pose{Off: Away}
		return
	}
	poses[m] = level.Pose{}
}

// Breaks puts every piece where it is at a tick, by the newest states. Pieces without
// a state stand.
func Breaks(l *level.Level, pieces []state.Piece, tick state.Tick, poses []level.Pose) {
	for i := range l.Pieces {
		PutPiece(l, i, i < len(pieces) && pieces[i].Gone(tick), poses)
	}
}

// Bits is a set of pieces by index, 64 to a word.
type Bits []uint64

// NewBits returns a set with room for n pieces.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether piece i is in the set; what the set has no room for is not.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// Set puts piece i in, or takes it out.
func (b Bits) Set(i int, in bool) {
	if i>>6 >= len(b) {
		return
	}
	b[i>>6] &^= 1 << (i & 63)
	if in {
		b[i>>6] |= 1 << (i & 63)
	}
}

// PutPieces puts every piece into its place, those of the set away.
func PutPieces(l *level.Level, broken Bits, poses []level.Pose) {
	for i := range l.Pieces {
		PutPiece(l, i, broken.Has(i), poses)
	}
}
