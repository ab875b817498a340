package sim

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// pieces is what is known of the breakable pieces of the level.
type pieces struct {
	now     []state.Piece
	left    []int32      // the damage that each still takes
	gone    scenery.Bits // those that are broken
	of      []int16      // by model: the piece that it is, plus 1
	waiting scenery.Bits // to be mended once nobody stands in their place
	waits   int          // how many
}

func (s *Sim) initPieces() {
	p := &s.pieces
	n := len(s.lv.Pieces)
	p.now, p.left, p.of = make([]state.Piece, n), make([]int32, n), make([]int16, len(s.poses))
	p.gone, p.waiting = scenery.NewBits(n), scenery.NewBits(n)
	s.past.KeepPieces(n)
	for i := range s.lv.Pieces {
		d := &s.lv.Pieces[i]
		p.left[i] = int32(d.Health)
		if d.Model > 0 && d.Model < len(p.of) {
			p.of[d.Model] = int16(i + 1)
		}
	}
}

// Pieces returns the state of every breakable piece, parallel to Level.Pieces.
func (s *Sim) Pieces() []state.Piece { return s.pieces.now }

// PieceLeft returns the damage that a piece still takes; 0: any breaks it.
func (s *Sim) PieceLeft(i int) int32 { return s.pieces.left[i] }

// pieceOf returns which piece a model is, and false when it is none.
func (s *Sim) pieceOf(model int16) (int, bool) {
	if model <= 0 || int(model) >= len(s.pieces.of) || s.pieces.of[model] == 0 {
		return 0, false
	}
	return int(s.pieces.of[model]) - 1, true
}

// harm is what strikes a piece.
type harm struct {
	by     state.ID // 0: the world
	weapon uint8
	amount float32
	dir    vec.V3 // which way it went; zero: none
	burst  bool   // an explosion
}

// breaks reports whether a harm would break a piece that stands.
func (s *Sim) breaks(i int, h *harm) bool {
	if !(h.amount > 0) || s.lv.Pieces[i].Explosive && !h.burst {
		return false
	}
	return points(h.amount) >= s.pieces.left[i]
}

// points is a harm in whole points, as hurt counts them.
func points(amount float32) int32 { return max(vec.Floor(vec.Clamp(amount, 0, 100000)+0.5), 1) }

// damage harms a piece and breaks it when it has had enough. One that is broken
// already is left alone.
func (s *Sim) damage(i int, h harm) {
	if s.pieces.now[i].Broken || !(h.amount > 0) || s.lv.Pieces[i].Explosive && !h.burst {
		return
	}
	if s.breaks(i, &h) {
		s.breakPiece(i, h)
		return
	}
	s.pieces.left[i] -= points(h.amount)
}

// breakPiece breaks a piece in the present tick: from now on it stops neither bodies
// nor shots nor sight.
func (s *Sim) breakPiece(i int, h harm) {
	s.pieces.left[i] = 0
	s.setPiece(i, true)
	s.emit(state.Event{
		Kind: state.EvBreak, Actor: h.by, Weapon: h.weapon, Param: int32(i),
		Pos: s.pieceBounds(i).Center(), Dir: h.dir,
	})
}

// pieceReach is how close somebody is, in metres, who could have run into a piece, or
// through where it was, before hearing of the change: as of doors.
const pieceReach = doorReach

// setPiece breaks or mends a piece. To those near it that is an outside force: their
// clients predict against what they know.
func (s *Sim) setPiece(i int, broken bool) {
	at := s.tick
	if !s.inStep {
		at++ // between two ticks: the coming one is the first that has it so
	}
	s.pieces.now[i] = state.Piece{Broken: broken, At: at}
	s.pieces.gone.Set(i, broken)
	s.past.PutPieces(s.pieces.gone)
	scenery.PutPiece(s.lv, i, broken, s.poses)
	scenery.PutPiece(s.lv, i, broken, s.before) // it did not move there
	near := s.pieceBounds(i).Pad(pieceReach)
	for _, id := range s.ids {
		if p := &s.bodies[id].p; p.Alive() && near.Contains(p.Pos) {
			p.Forced++
		}
	}
}

func (s *Sim) pieceBounds(i int) vec.Box {
	if m := s.lv.Pieces[i].Model; m > 0 && m < len(s.lv.Models) {
		return s.lv.Models[m].Bounds
	}
	return vec.Box{}
}

// mend puts a piece back whole. While somebody stands in its place it waits.
func (s *Sim) mend(i int) {
	p := &s.pieces
	p.left[i] = int32(s.lv.Pieces[i].Health)
	switch {
	case !p.now[i].Broken || p.waiting.Has(i):
	case s.stoodIn(i):
		p.waiting.Set(i, true)
		p.waits++
	default:
		s.setPiece(i, false)
	}
}

// stoodIn reports whether a living body is where a piece would be.
func (s *Sim) stoodIn(i int) bool {
	at := s.pieceBounds(i)
	for _, id := range s.ids {
		if p := &s.bodies[id].p; p.Alive() && pmove.Body(p, s.move).Move(p.Pos).Overlaps(at) {
			return true
		}
	}
	return false
}

// mendWaiting mends what nobody stands in any longer.
func (s *Sim) mendWaiting() {
	p := &s.pieces
	for i := 0; p.waits > 0 && i < len(p.now); i++ {
		if p.waiting.Has(i) && !s.stoodIn(i) {
			s.unwait(i)
			s.setPiece(i, false)
		}
	}
}

// unwait forgets that a piece was to be mended.
func (s *Sim) unwait(i int) {
	if s.pieces.waiting.Has(i) {
		s.pieces.waiting.Set(i, false)
		s.pieces.waits--
	}
}

// opPiece breaks or mends a piece, or all of them, for rules and operators.
func (s *Sim) opPiece(which int32, broken bool) {
	for i := range s.pieces.now {
		if which >= 0 && int(which) != i {
			continue
		}
		switch {
		case !broken:
			s.mend(i)
		default:
			s.unwait(i)
			if !s.pieces.now[i].Broken {
				s.breakPiece(i, harm{})
			}
		}
	}
}

// maxPanes is how many panes one bullet goes through at most.
const maxPanes = 8

// pane is one that a bullet goes through.
type pane struct {
	piece int
	frac  float32
	pos   vec.V3
}

// through traces a bullet to what ends its flight. Panes that stood on the shooter's
// screen and that it breaks, or that are broken by now, it goes through with the share
// of its damage that the table says; they are noted, and put away in the past scene.
func (s *Sim) through(u *pull, end vec.V3) level.Hit {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	s.panes = s.panes[:0]
	h := harm{by: u.id, weapon: u.shot.Weapon, amount: w.Damage, dir: u.shot.Dir}
	for {
		wall := s.pastView.Ray(u.origin, end, level.MaskShot)
		i, ok := s.pieceOf(wall.Model)
		if !ok || wall.StartSolid || w.Melee || s.lv.Pieces[i].Material != level.Pane || len(s.panes) == maxPanes ||
			!s.pieces.now[i].Broken && !s.breaks(i, &h) {
			return wall
		}
		s.panes = append(s.panes, pane{i, wall.Frac, wall.End})
		h.amount = float32(h.amount * w.GlassShare)
		scenery.PutPiece(s.lv, i, true, s.pastOffs)
	}
}

// shatter breaks the panes that a bullet went through before a point of its way, and
// returns what share of its damage is left there.
func (s *Sim) shatter(u *pull, rec *ShotRecord, before float32) float32 {
	w := &s.cfg.Set.Weapons[u.shot.Weapon]
	share := float32(1)
	for _, p := range s.panes {
		if p.frac >= before {
			break
		}
		rec.Panes++
		s.damage(p.piece, harm{by: u.id, weapon: u.shot.Weapon, amount: float32(w.Damage * share), dir: u.shot.Dir})
		share = float32(share * w.GlassShare)
	}
	return share
}

// blast harms the pieces near a burst that it has a clear line to.
func (s *Sim) blast(r *rocket, at vec.V3) {
	w := &s.cfg.Set.Weapons[r.weapon]
	for i := range s.pieces.now {
		if s.pieces.now[i].Broken {
			continue
		}
		box := s.pieceBounds(i)
		near := at.Max(box.Min).Min(box.Max)
		d := near.Dist(at)
		if d >= w.SplashRadius || !s.meets(at, box.Center(), i) && !s.meets(at, near, i) {
			continue
		}
		amount := float32(w.SplashDamage * (1 - d/w.SplashRadius))
		s.damage(i, harm{by: r.owner, weapon: r.weapon, amount: amount, dir: box.Center().Sub(at).Unit(), burst: true})
	}
}

// meets reports whether a line meets nothing before piece i.
func (s *Sim) meets(from, to vec.V3, i int) bool {
	h := s.scene.Ray(from, to, maskBurst)
	return h.Frac == 1 && !h.StartSolid || int(h.Model) == s.lv.Pieces[i].Model
}
