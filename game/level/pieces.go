package level

import (
	"strings"

	"github.com/sightline-engine/sightline/game/vec"
)

// MaxPieces bounds the breakable pieces of one level: more than the windows of any
// map known to us.
const MaxPieces = 1 << 12

// Material is what a piece is made of: how its breaking looks and sounds.
type Material uint8

// The materials. Glass never blocks sight, and a bullet that breaks it goes on.
const (
	Wood Material = iota
	Stone
	Metal
	Pane // glass
	NumMaterials
)

var materialNames = [NumMaterials]string{"wood", "stone", "metal", "glass"}

func (m Material) String() string {
	if m < NumMaterials {
		return materialNames[m]
	}
	return "unknown"
}

// Piece is a brush model that can be broken: it stands in its place, or is gone.
type Piece struct {
	Model     int
	Health    int // damage that it takes; 0: any hit breaks it
	Material  Material
	Explosive bool // only explosions harm it
}

// Numbers of pieces that name none.
const (
	pieceHealth = 50 // of a func_breakable: two bullets
	glassHealth = 1
	mostHealth  = 30000
)

// pieceExplosive is the spawnflag of a piece that only explosions harm.
const pieceExplosive = 1

// piece makes a func_breakable or a func_glass.
func (b *Builder) piece(i int) {
	e := &b.level.Entities[i]
	src := Source{Entity: i, Brush: -1, Line: e.Line}
	if _, ok := b.modelBounds(e.Model); !ok {
		b.Warn(src, "%s without brushes is left out", e.Class)
		return
	}
	if len(b.level.Pieces) == MaxPieces {
		b.Warn(src, "%s stays whole: a level has at most %d pieces that break", e.Class, MaxPieces)
		return
	}
	p := Piece{Model: e.Model, Health: pieceHealth, Explosive: flags(e)&pieceExplosive != 0}
	if e.Class == "func_glass" {
		p.Health, p.Material = glassHealth, Pane
	}
	if text := e.Get("health"); text != "" {
		v, ok := plainNumber(text)
		if !ok || !(v >= 0 && v <= mostHealth) {
			b.Warn(src, "%s has health %q, which is not a number from 0 to %d: %d is taken", e.Class, text, mostHealth, p.Health)
		} else {
			p.Health = int(vec.Floor(v + 0.5))
		}
	}
	if text := e.Get("material"); text != "" {
		if m, ok := MaterialOf(text); ok {
			p.Material = m
		} else {
			b.Warn(src, "%s has material %q, which is none of %s: %s is taken", e.Class, text, strings.Join(materialNames[:], ", "), p.Material)
		}
	}
	b.AddPiece(p)
}

// AddPiece makes a model a piece that breaks. Of glass, it stops what it did but no
// longer blocks sight. A level has at most MaxPieces; false says that it is full, or
// that there is no such model.
func (b *Builder) AddPiece(p Piece) bool {
	if p.Model <= 0 || p.Model >= len(b.models) || len(b.level.Pieces) >= MaxPieces {
		return false
	}
	if p.Material == Pane {
		b.toGlass(p.Model)
	}
	b.level.Pieces = append(b.level.Pieces, p)
	return true
}

// toGlass makes what is solid of a model glass.
func (b *Builder) toGlass(m int) {
	pane := func(c Contents) Contents {
		if c&Solid != 0 {
			return c&^Solid | Glass
		}
		return c
	}
	parts := &b.models[m]
	for i := range parts.solids {
		parts.solids[i].Contents = pane(parts.solids[i].Contents)
	}
	for i := range parts.tris {
		parts.tris[i].Contents = pane(parts.tris[i].Contents)
	}
	for i := range b.level.Surfaces {
		if s := &b.level.Surfaces[i]; s.Model == m && s.Contents&Solid != 0 {
			s.Contents = pane(s.Contents)
			s.Surf |= SurfTranslucent
		}
	}
}

// MaterialOf returns the material of a name.
func MaterialOf(name string) (Material, bool) {
	for m, n := range materialNames {
		if strings.EqualFold(strings.TrimSpace(name), n) {
			return Material(m), true
		}
	}
	return 0, false
}

// plainNumber reads a number that is nothing else.
func plainNumber(s string) (float32, bool) {
	v := number(s)
	f := strings.TrimSpace(s)
	return v, f != "" && (v != 0 || strings.Trim(f, "+-0.") == "")
}

// PieceOf returns which piece a model is, -1 when it is none.
func (l *Level) PieceOf(model int) int {
	for i := range l.Pieces {
		if model > 0 && l.Pieces[i].Model == model {
			return i
		}
	}
	return -1
}
