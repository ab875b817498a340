package level

import (
	"slices"
	"strings"

	"github.com/sightline-engine/sightline/game/vec"
)

// What a func_door_rotating is when it does not say: after Half-Life, whose key names
// these are, but that it stays where it is put. The angle ajar is judgement: a gap of a
// hand at the rim of a door of a metre.
const (
	hingeSwing = 90  // degrees
	hingeSpeed = 100 // degrees a second
	hingeWait  = -1
	hingeAjar  = 12 // degrees
	hingeTouch = 8  // units around the leaf in which it is touched
	mostSwing  = 180
)

// Spawnflags of a func_door_rotating.
const (
	hingeStartsOpen = 1
	hingeReverse    = 2
	hingeBoth       = 4
	hingeLying      = 64 | 128 // about x or y
	hingeUseOnly    = 256
)

// hinged makes a func_door_rotating: a leaf that turns about an upright line, which an
// origin key or a brush of the origin texture names.
func (b *Builder) hinged(i int) {
	e := &b.level.Entities[i]
	src := Source{Entity: i, Brush: -1, Line: e.Line}
	hinge, has := b.originBrush(e.Model)
	if e.Get("origin") != "" {
		hinge, has = e.Origin, true
	}
	box, ok := b.modelBounds(e.Model)
	if !ok {
		b.Warn(src, "func_door_rotating without brushes is left out")
		return
	}
	if !has {
		hinge = vec.V3{X: box.Min.X, Y: box.Min.Y}
		b.Warn(src, "func_door_rotating has neither an origin nor a brush of the origin texture: it hangs at the corner of its lowest x and y; put an origin brush round its hinge")
	}
	swing := value(e, "distance", hingeSwing)
	if !(vec.Abs(swing) >= 1 && vec.Abs(swing) <= mostSwing) {
		b.Warn(src, "func_door_rotating with a distance of %v degrees swings by %v: distance is from 1 to %v", swing, hingeSwing, mostSwing)
		swing = hingeSwing
	}
	f := flags(e)
	if f&hingeReverse != 0 {
		swing = 0 - swing
	}
	if f&hingeLying != 0 {
		b.Warn(src, "func_door_rotating about a lying hinge turns about an upright one: only that is known")
	}
	speed := value(e, "speed", hingeSpeed)
	if !(speed > 0) {
		b.Warn(src, "func_door_rotating with a speed of %v turns at %v degrees a second: speed is above 0", speed, hingeSpeed)
		speed = hingeSpeed
	}
	ajar := value(e, "ajar", hingeAjar)
	if !(ajar > 0 && ajar < vec.Abs(swing)) {
		if e.Get("ajar") != "" {
			b.Warn(src, "func_door_rotating with ajar %v goes ajar by a tenth of its swing: ajar is above 0 and below distance", ajar)
		}
		ajar = vec.Abs(swing) / 10
	}
	b.upright(e.Model, src)
	d := Door{
		Model: e.Model, Hinge: vec.V3{X: hinge.X, Y: hinge.Y}, Swing: swing, Both: f&hingeBoth != 0, Ajar: ajar, Use: true,
		Speed: speed, Wait: value(e, "wait", hingeWait), StartOpen: f&hingeStartsOpen != 0,
		Damage: int(value(e, "dmg", 0)), Group: len(b.level.Doors), Trigger: vec.EmptyBox(),
	}
	if f&hingeUseOnly == 0 {
		d.Trigger = box.Pad(b.units(hingeTouch))
	}
	b.level.Doors = append(b.level.Doors, d)
}

// upright warns of a leaf that is no upright prism: a box sweep stops a little before
// such a one, where it is turned.
func (b *Builder) upright(model int, src Source) {
	for i := range b.models[model].solids {
		s := &b.models[model].solids[i]
		for _, side := range s.Sides {
			if z := vec.Abs(side.N.Z); z > 1e-4 && z < 1-1e-4 {
				b.Warn(Source{Entity: src.Entity, Brush: s.Source.Brush, Line: s.Source.Line},
					"a brush of a func_door_rotating has a side that neither stands nor lies: bodies are stopped up to a few centimetres before it while it is open")
				return
			}
		}
	}
}

// originBrush takes the brushes of the origin texture out of a model, and returns the
// middle of the last.
func (b *Builder) originBrush(model int) (at vec.V3, ok bool) {
	if model <= 0 || model >= len(b.models) {
		return at, false
	}
	named := func(texture uint16) bool {
		if int(texture) >= len(b.level.Textures) {
			return false
		}
		name := strings.ToLower(b.level.Textures[texture])
		return name == "origin" || strings.HasSuffix(name, "/origin")
	}
	parts := &b.models[model]
	parts.solids = slices.DeleteFunc(parts.solids, func(s Brush) bool {
		for k := range s.Sides {
			if !named(s.Sides[k].Texture) {
				return false
			}
		}
		at, ok = s.Bounds.Center(), true
		return true
	})
	if ok {
		b.level.Surfaces = slices.DeleteFunc(b.level.Surfaces, func(s Surface) bool { return s.Model == model && named(s.Texture) })
	}
	return at, ok
}
