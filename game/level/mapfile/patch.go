package mapfile

import (
	"math"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/exact"
)

// patch reads a curved surface whose keyword has been read, with both closing
// braces. The file lists columns: W groups of H points.
func (p *parser) patch(fixed bool) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	if err := p.word(); err != nil {
		return err
	}
	texture := p.tok
	if err := p.expect("("); err != nil {
		return err
	}
	var head []float64
	for {
		if err := p.next(); err != nil {
			return err
		}
		if p.tok == ")" && !p.quoted {
			break
		}
		v, ok := parseNumber(p.tok)
		if !ok || p.eof || len(head) >= 16 {
			return p.errorf("%s in a patch's size", p.found())
		}
		head = append(head, v)
	}
	if len(head) < 2 || !(head[0] >= 1 && head[0] <= 1<<16) || !(head[1] >= 1 && head[1] <= 1<<16) {
		return p.errorf("a patch without a size")
	}
	_ = fixed // patchDef3's own subdivisions are for the picture; both are cut alike
	w, h := int(head[0]), int(head[1])
	big := w > level.MaxPatch || h > level.MaxPatch
	pt := level.Patch{W: w, H: h}
	if !big {
		pt.Points = make([]level.Control, w*h)
	}
	bad := ""
	if err := p.expect("("); err != nil {
		return err
	}
	for i := range w {
		if err := p.expect("("); err != nil {
			return err
		}
		for j := range h {
			var n [5]float64
			if err := p.expect("("); err != nil {
				return err
			}
			if err := p.fill(n[:]); err != nil {
				return err
			}
			for { // some dialects add a colour
				if err := p.next(); err != nil {
					return err
				}
				if p.tok == ")" && !p.quoted {
					break
				}
				if _, ok := parseNumber(p.tok); !ok || p.eof {
					return p.errorf("%s in a patch's point", p.found())
				}
			}
			if big {
				continue
			}
			c := level.Control{Pos: exact.V{n[0], n[1], n[2]}, U: n[3], V: n[4], Color: [4]uint8{255, 255, 255, 255}}
			if !c.Pos.IsFinite() || max(math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])) > exact.MaxCoord {
				bad = "a point is out of range"
			}
			if !(math.Abs(c.U) < 1e9) || !(math.Abs(c.V) < 1e9) {
				c.U, c.V = 0, 0
			}
			pt.Points[j*w+i] = c
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	if err := p.skipBraces(2); err != nil {
		return err
	}
	switch {
	case big:
		bad = "it has more than 255 points a side"
	case w < 3 || h < 3 || w%2 == 0 || h%2 == 0:
		bad = "its sides are not odd numbers from 3"
	}
	if bad == "" {
		sh := p.shader(texture)
		sh.Contents = p.contents(sh)
		if p.b.AddPatch(p.model, pt, p.b.Texture(texture), sh, -1, false, p.here()) {
			return nil
		}
		bad = "it has no area"
	}
	p.b.Warn(p.here(), "patch left out: %s", bad)
	return nil
}
