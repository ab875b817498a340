package vis

import "github.com/sightline-engine/sightline/game/state"

// From which effective distance on subjects are sent less finely, metres: a pixel is
// wider there than the steps of the coarser grid. Aiming halves a distance, as it
// doubles the picture; an optic divides it by its magnification. Within 50 m the steps
// are at most 1/64 m.
const (
	midFrom   = 12
	farFrom   = 50
	detailGap = 1.125 // who is sent less finely comes that much closer before this ends
)

// detail returns how finely a subject is sent that was sent with was.
func (b *builder) detail(k *Known, was state.Detail) state.Detail {
	if k.Kind == state.KindSmoke || k.Kind == state.KindHole {
		return state.Exact // what it hides is computed from it
	}
	d := float32(k.Pos.V3().Dist(b.from) * min(b.narrow, 1/max(k.Nearer, 1)))
	is := state.Near
	for class, from := range [...]float32{midFrom, farFrom} {
		c := state.Detail(class) + 1
		if d > from || was >= c && float32(d*detailGap) > from {
			is = c
		}
	}
	return is
}

// looks takes from where the viewer sees, and what aiming does to distances.
func (b *builder) looks() {
	b.from, b.narrow = b.f.Own[b.v].Player.Pos, 1
	if b.me >= 0 {
		me := &b.in.Subjects[b.me]
		b.from = me.Eye
		if me.Aiming {
			b.narrow = 0.5
		}
	}
}
