// Package boxes makes levels of boxes: what small scenes are built of. A Level can be
// written as text, exactly, and read again, so that another process (a plugin) loads the
// same one. It opens no files; any goroutine may call it.
package boxes

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/vec"
)

// Ext is the ending of a name by which the text is known.
const Ext = ".boxes"

// MaxRows bounds the slabs, and the doors, of a level.
const MaxRows = 4096

// maxMetres bounds every number.
const maxMetres = 1e6

// magic is the first line.
const magic = "boxes 1"

// Level is what a level is made of, in metres.
type Level struct {
	Slabs []Slab
	Doors []Door
}

// Slab is a box that stands still. A Piece can be broken, by a hit of any strength;
// pieces are counted in the order of the slabs.
type Slab struct {
	Box      vec.Box
	Contents level.Contents
	Piece    bool
}

// Door is a solid box that moves as its level.Door says, of which Model and Group are set
// by Build.
type Door struct {
	Box vec.Box
	level.Door
}

// Build makes the level.
func (l *Level) Build(name string) (*level.Level, error) {
	b := level.NewBuilder(name)
	if len(l.Slabs) > MaxRows || len(l.Doors) > MaxRows {
		return nil, fmt.Errorf("%d slabs and %d doors: there may be %d of each", len(l.Slabs), len(l.Doors), MaxRows)
	}
	for i := range l.Slabs {
		if err := l.Slabs[i].add(b); err != nil {
			return nil, fmt.Errorf("slab %d: %w", i, err)
		}
	}
	doors := make([]level.Door, 0, len(l.Doors))
	for i := range l.Doors {
		d := l.Doors[i].Door
		var err error
		if d.Model, err = b.Model(); err == nil {
			err = b.AddBox(d.Model, l.Doors[i].Box, level.Solid, "door")
		}
		if err != nil {
			return nil, fmt.Errorf("door %d: %w", i, err)
		}
		d.Group = i
		doors = append(doors, d)
	}
	out := b.Build()
	if len(doors) > 0 { // of no entity: the builder is not to look for theirs, nor has it hashed them
		out.Doors = doors
		h := sha256.New()
		h.Write(out.Hash[:])
		h.Write((&Level{Doors: l.Doors}).Text())
		h.Sum(out.Hash[:0])
	}
	return out, nil
}

func (s *Slab) add(b *level.Builder) error {
	m := 0
	if s.Piece {
		var err error
		if m, err = b.Model(); err != nil {
			return err
		}
		p := level.Piece{Model: m, Health: 1, Material: level.Wood}
		if s.Contents == level.Glass {
			p.Material = level.Pane
		}
		if !b.AddPiece(p) {
			return fmt.Errorf("there are at most %d pieces", level.MaxPieces)
		}
	}
	return b.AddBox(m, s.Box, s.Contents, "slab")
}

// Text writes the level down: Parse gives the same one, to the bit.
func (l *Level) Text() []byte {
	b := []byte(magic + "\n")
	put := func(v ...float32) {
		for _, f := range v {
			b = append(b, ' ')
			b = strconv.AppendFloat(b, float64(f), 'g', -1, 32)
		}
	}
	box := func(x vec.Box) { put(x.Min.X, x.Min.Y, x.Min.Z, x.Max.X, x.Max.Y, x.Max.Z) }
	for i := range l.Slabs {
		s := &l.Slabs[i]
		word := "slab"
		if s.Piece {
			word = "piece"
		}
		b = fmt.Appendf(b, "%s %d", word, s.Contents)
		box(s.Box)
		b = append(b, '\n')
	}
	for i := range l.Doors {
		d := &l.Doors[i]
		word, way := "slide", d.Move
		if d.Hinged() {
			word, way = "swing", vec.V3{X: d.Hinge.X, Y: d.Hinge.Y, Z: d.Swing}
		}
		b = append(b, word...)
		box(d.Box)
		put(way.X, way.Y, way.Z, d.Speed)
		b = append(b, '\n')
	}
	return b
}

// Parse reads what Text wrote. name is for messages, and its base the level's.
func Parse(name string, text []byte) (*level.Level, error) {
	l, err := Read(text)
	if err == nil {
		base := name[strings.LastIndexAny(name, `/\`)+1:]
		var out *level.Level
		if out, err = l.Build(strings.TrimSuffix(base, Ext)); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// Of returns what a level is made of, when that is boxes and nothing else: Build makes the
// same one of it. What a level says beside what collides (spawns, zones) is not in it.
func Of(lv *level.Level) (*Level, bool) {
	if lv.Terrain != nil || len(lv.Tris) > 0 {
		return nil, false
	}
	l := &Level{}
	door := make([]int, len(lv.Models)) // 1 more than the number of the door
	for i := range lv.Doors {
		door[lv.Doors[i].Model] = i + 1
	}
	l.Doors = make([]Door, len(lv.Doors))
	for m := range lv.Models {
		part := &lv.Models[m]
		for i := part.FirstSolid; i < part.FirstSolid+part.NumSolids; i++ {
			b := &lv.Solids[i]
			if len(b.Sides) != 6 || m > 0 && part.NumSolids != 1 {
				return nil, false
			}
			if d := door[m]; d > 0 {
				l.Doors[d-1] = Door{b.Bounds, lv.Doors[d-1]}
				continue
			}
			l.Slabs = append(l.Slabs, Slab{b.Bounds, b.Contents, m > 0})
		}
	}
	return l, true
}

// errNone is of a text that is something else.
var errNone = errors.New("this is no level of boxes: its first line is not \"" + magic + "\"")

// Read reads what Text wrote.
func Read(text []byte) (*Level, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(first) != magic {
		return nil, errNone
	}
	l := &Level{}
	for line := 2; len(rest) > 0; line++ {
		var row []byte
		row, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(row) > 512 {
			return nil, fmt.Errorf("line %d: %d characters", line, len(row))
		}
		if err := l.row(strings.Fields(string(row))); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(l.Slabs) > MaxRows || len(l.Doors) > MaxRows {
			return nil, fmt.Errorf("line %d: more than %d of a kind", line, MaxRows)
		}
	}
	return l, nil
}

// row reads one line.
func (l *Level) row(f []string) error {
	if len(f) == 0 {
		return errors.New("an empty line")
	}
	word := f[0]
	want := map[string]int{"slab": 8, "piece": 8, "slide": 11, "swing": 11}[word]
	if want == 0 {
		return fmt.Errorf("%q is none of slab, piece, slide and swing", word)
	}
	if len(f) != want {
		return fmt.Errorf("%s has %d numbers, %d are due", word, len(f)-1, want-1)
	}
	f = f[1:]
	var contents uint64
	if want == 8 {
		var err error
		if contents, err = strconv.ParseUint(f[0], 10, 32); err != nil {
			return fmt.Errorf("%q is no contents", f[0])
		}
		f = f[1:]
	}
	var v [10]float32
	for i := range f {
		x, err := strconv.ParseFloat(f[i], 32)
		if err != nil || math.IsNaN(x) || math.Abs(x) > maxMetres {
			return fmt.Errorf("%q is no number from %g to %g", f[i], -maxMetres, maxMetres)
		}
		v[i] = float32(x)
	}
	box := vec.Box{Min: vec.V3{X: v[0], Y: v[1], Z: v[2]}, Max: vec.V3{X: v[3], Y: v[4], Z: v[5]}}
	if !(box.Min.X < box.Max.X && box.Min.Y < box.Max.Y && box.Min.Z < box.Max.Z) {
		return errors.New("a box whose least corner is not below its most")
	}
	switch word {
	case "slab", "piece":
		l.Slabs = append(l.Slabs, Slab{Box: box, Contents: level.Contents(contents), Piece: word == "piece"})
		return nil
	case "slide":
		l.Doors = append(l.Doors, Door{box, Slide(vec.V3{X: v[6], Y: v[7], Z: v[8]}, v[9])})
	default:
		l.Doors = append(l.Doors, Door{box, Swing(vec.V3{X: v[6], Y: v[7]}, v[8], v[9])})
	}
	d := &l.Doors[len(l.Doors)-1]
	if !(d.Speed > 0) || word == "swing" && (d.Door.Swing == 0 || vec.Abs(d.Door.Swing) > 180) {
		return fmt.Errorf("%s needs a speed above 0, and a swing of 1 to 180 degrees to either side", word)
	}
	return nil
}

// Slide is a door that moves by so many metres, at m/s.
func Slide(move vec.V3, speed float32) level.Door {
	return level.Door{Move: move, Speed: speed, Wait: -1}
}

// Swing is a door that turns about an upright line, by degrees, at degrees per second.
func Swing(hinge vec.V3, degrees, speed float32) level.Door {
	return level.Door{Hinge: hinge, Swing: degrees, Speed: speed, Wait: -1, Use: true}
}
