package scenario

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/vec"
)

// wall returns how far a shot gets in the posed level, as a share of its way. Panes
// that the server let it through do not stop it.
func (j *Judge) wall(r *sim.ShotRecord, end vec.V3) float32 {
	for n := r.Panes; ; n-- {
		h := j.scene.Ray(r.Origin, end, level.MaskShot)
		i := j.lv.PieceOf(int(h.Model))
		if n == 0 || i < 0 || j.lv.Pieces[i].Material != level.Pane {
			return h.Frac
		}
		scenery.PutPiece(j.lv, i, true, j.offs)
	}
}
