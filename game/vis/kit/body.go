package kit

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Line is one sight line between two subjects; a Reason of Hidden says that there
// is none at this place of the list.
type Line struct {
	A, B   vec.V3
	Reason vis.Reason
}

// MaxLines is how many lines there are between two bodies at most.
const MaxLines = 26

// ToCrown and FromCrown are the places of the lines from eye to the top of a head.
const (
	ToCrown   = 18
	FromCrown = 19
)

// Bodies are the lines between two subjects, the likeliest first. The same two give
// the same lines at the same places whoever is named first; Reasons are as seen
// from the first in order: the player, or the one with the lower id.
type Bodies struct {
	Line [MaxLines]Line
	N    int // places in use
}

// Turned reports whether Bodies takes b before a.
func Turned(a, b *vis.Subject) bool {
	if pa, pb := a.Kind == state.KindPlayer, b.Kind == state.KindPlayer; pa != pb {
		return pb
	}
	return b.ID < a.ID
}

// Turn is a reason the other way round.
func Turn(r vis.Reason) vis.Reason { return flip(r) }

// footUp is how far above the ground a foot is looked for, and crownUp how far above the
// eye the top of a head, in metres; the head of the shipped hitboxes reaches 0.16.
const (
	footUp  = 0.1
	crownUp = 0.15
)

// Between fills in the lines between a and b, who are expected at pa and pb by the time
// that a screen shows it, and at la and lb when the one who moves sees it first: where
// they are when nothing is known. With near come those of a body's edges.
//
//	0        eye to eye
//	1, 2     eye to chest, both ways
//	3        between the expected places
//	4, 5     from one's present to the other's expected place (near)
//	6, 7     eye to eye, both shifted to one side by half a body (near)
//	8 .. 11  eye to the other's shoulders, both ways (near)
//	12, 13   eye to the other's feet, both ways (near)
//	14 .. 17 the eye a little later to the other's shoulders, both ways (near)
//	18, 19   eye to the top of the other's head, both ways (near)
//	20 .. 25 the eye a little later to the other's chest, feet and top of the head, both ways (near)
//
// A thing is looked at: at its origin, at the middle of its box, and that from
// where the player is expected.
func (l *Bodies) Between(a, b *vis.Subject, pa, pb, la, lb vec.V3, near bool) {
	if Turned(a, b) {
		a, b, pa, pb, la, lb = b, a, pb, pa, lb, la
	}
	ae, be := a.Eye, b.Eye
	if b.IsCloud() && a.Kind == state.KindPlayer {
		l.cloudLines(a, b, pa)
		return
	}
	if b.Kind != state.KindPlayer {
		_, mid := points(b)
		l.N = 4
		l.Line[0] = Line{ae, be, vis.EyeEye}
		l.Line[1] = Line{ae, mid, vis.EyeChest}
		l.Line[2] = Line{}
		l.Line[3] = Line{pa, mid, vis.Predicted}
		l.drop(1, mid == be)
		l.drop(3, pa == ae)
		return
	}
	l.N = 4
	l.Line[0] = Line{ae, be, vis.EyeEye}
	l.Line[1] = Line{ae, b.Chest, vis.EyeChest}
	l.Line[2] = Line{a.Chest, be, vis.ChestEye}
	l.Line[3] = Line{pa, pb, vis.Predicted}
	stillA, stillB := pa == ae, pb == be
	l.drop(3, stillA && stillB)
	if !near {
		return
	}
	l.N = MaxLines
	l.Line[4] = Line{ae, pb, vis.Predicted}
	l.Line[5] = Line{pa, be, vis.Predicted}
	l.drop(4, stillA || stillB) // it is line 3 or line 0
	l.drop(5, stillA || stillB)
	d := be.Sub(ae).Flat()
	side := vec.V3{X: d.Y, Y: 0 - d.X}.Unit()
	wa, wb := halfWidth(a), halfWidth(b)
	l.Line[6] = Line{ae.Mad(wa, side), be.Mad(wb, side), vis.Shifted}
	l.Line[7] = Line{ae.Mad(0-wa, side), be.Mad(0-wb, side), vis.Shifted}
	sa, sb := shoulder(a), shoulder(b)
	l.Line[8] = Line{ae, sb.Mad(wb, side), vis.Body}
	l.Line[9] = Line{ae, sb.Mad(0-wb, side), vis.Body}
	l.Line[10] = Line{sa.Mad(wa, side), be, vis.Body}
	l.Line[11] = Line{sa.Mad(0-wa, side), be, vis.Body}
	l.Line[12] = Line{ae, foot(b), vis.Body}
	l.Line[13] = Line{foot(a), be, vis.Body}
	l.Line[14] = Line{la, sb.Mad(wb, side), vis.Predicted}
	l.Line[15] = Line{la, sb.Mad(0-wb, side), vis.Predicted}
	l.Line[16] = Line{sa.Mad(wa, side), lb, vis.Predicted}
	l.Line[17] = Line{sa.Mad(0-wa, side), lb, vis.Predicted}
	l.Line[ToCrown] = Line{ae, crown(b), vis.Body}
	l.Line[FromCrown] = Line{crown(a), be, vis.Body}
	l.Line[20] = Line{la, b.Chest, vis.Predicted}
	l.Line[21] = Line{a.Chest, lb, vis.Predicted}
	l.Line[22] = Line{la, foot(b), vis.Predicted}
	l.Line[23] = Line{foot(a), lb, vis.Predicted}
	l.Line[24] = Line{la, crown(b), vis.Predicted}
	l.Line[25] = Line{crown(a), lb, vis.Predicted}
	for _, i := range [5]int{14, 15, 20, 22, 24} { // they are lines from the present eye
		l.drop(i, la == ae)
	}
	for _, i := range [5]int{16, 17, 21, 23, 25} {
		l.drop(i, lb == be)
	}
}

func (l *Bodies) drop(i int, gone bool) {
	if gone {
		l.Line[i] = Line{}
	}
}

func halfWidth(s *vis.Subject) float32 { return max((s.Box.Max.X-s.Box.Min.X)*0.5, 0) }

// shoulder is between chest and eye, over the feet: a lean moves the head alone.
func shoulder(s *vis.Subject) vec.V3 {
	p := s.Chest
	p.Z = vec.Lerp(s.Chest.Z, s.Eye.Z, 0.5)
	return p
}

// crown is the top of the head, within the body.
func crown(s *vis.Subject) vec.V3 {
	p := s.Eye
	p.Z = min(p.Z+crownUp, max(s.Box.Max.Z, p.Z))
	return p
}

func foot(s *vis.Subject) vec.V3 {
	p := s.Pos
	p.Z += footUp
	return p
}

// Volume returns a box that holds all ends on a subject of the lines that Between fills
// in, when it is expected at p and at l.
func Volume(s *vis.Subject, p, l vec.V3) vec.Box {
	if s.Kind != state.KindPlayer {
		eye, mid := points(s)
		return vec.Box{Min: eye, Max: eye}.Grow(mid)
	}
	w := halfWidth(s)
	b := vec.Box{Min: s.Eye, Max: s.Eye}.Grow(crown(s)).Grow(s.Chest).Grow(foot(s)).Grow(shoulder(s))
	b.Min.X, b.Min.Y, b.Max.X, b.Max.Y = b.Min.X-w, b.Min.Y-w, b.Max.X+w, b.Max.Y+w
	return b.Grow(p).Grow(l)
}
