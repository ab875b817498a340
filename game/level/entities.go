package level

import (
	"math"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/vec"
)

// What a Quake III entity's origin is above its feet, in map units.
const (
	playerFeet = 24
	itemFeet   = 15
)

// Numbers of the original game that maps rely on, in map units and seconds.
const (
	doorSpeed, doorWait, doorLip, doorDamage = 400, 2, 8, 2
	platSpeed, platWait, platLip, platDamage = 200, 1, 8, 2
	doorReach                                = 120 // how far a door's trigger reaches to both sides
	platInset                                = 33  // how far a lift's trigger keeps from its rim
	padGravity                               = 800 // u/s², with which jump pads are aimed
)

// interpret fills spawns, doors, teleports, pads and pickups from the entities.
func (b *Builder) interpret() {
	ents := b.level.Entities
	byName := map[string]int{}
	for i := range ents {
		if n := ents[i].Get("targetname"); n != "" {
			if _, ok := byName[n]; !ok {
				byName[n] = i
			}
		}
	}
	for i := range ents {
		e := &ents[i]
		switch {
		case !inFreeForAll(e):
		case strings.HasPrefix(e.Class, "info_player_") || strings.HasPrefix(e.Class, "team_CTF_"):
			b.spawn(e)
		case e.Class == "func_door":
			b.door(i)
		case e.Class == "func_door_rotating":
			b.hinged(i)
		case e.Class == "func_plat":
			b.lift(i)
		case e.Class == "func_breakable", e.Class == "func_glass":
			b.piece(i)
		case e.Class == "trigger_teleport", e.Class == "trigger_multiple":
			b.teleport(i, byName)
		case e.Class == "trigger_push":
			b.pad(i, byName)
		case e.Class == "trigger_hurt":
			b.hurt(i)
		case e.Class == "trigger_zone":
			b.zone(i)
		case strings.HasPrefix(e.Class, "vehicle_"):
			b.vehicle(i)
		default:
			b.pickup(e)
		}
	}
	b.groupDoors()
}

// inFreeForAll reports whether an entity exists in a match of all against all.
func inFreeForAll(e *Entity) bool {
	if number(e.Get("notfree")) != 0 {
		return false
	}
	types := e.Get("gametype")
	return types == "" || strings.Contains(types, "ffa")
}

func (b *Builder) units(v float32) float32 { return float32(float64(v) * b.unit) }

func (b *Builder) spawn(e *Entity) {
	s := Spawn{Class: e.Class, Yaw: yaw(e), Pos: e.Origin}
	switch e.Class {
	case "info_player_deathmatch", "info_player_start":
	case "team_CTF_redplayer", "team_CTF_redspawn", "info_player_team1":
		s.Team = 1
	case "team_CTF_blueplayer", "team_CTF_bluespawn", "info_player_team2":
		s.Team = 2
	default:
		return
	}
	s.Pos.Z -= b.units(playerFeet)
	b.level.Spawns = append(b.level.Spawns, s)
}

// door makes a func_door. A door that starts open is stored the other way round:
// its closed place is where it rests.
func (b *Builder) door(i int) {
	e := &b.level.Entities[i]
	box, ok := b.modelBounds(e.Model)
	if !ok {
		b.Warn(Source{Entity: i, Brush: -1, Line: e.Line}, "func_door without brushes is left out")
		return
	}
	dir := moveDir(e)
	size := box.Size()
	dist := dir.Abs().Dot(size) - b.units(value(e, "lip", doorLip))
	d := Door{
		Model: e.Model, Move: dir.Scale(dist), Group: len(b.level.Doors),
		Speed: b.units(positive(value(e, "speed", doorSpeed), doorSpeed)), Wait: value(e, "wait", doorWait),
		Damage: int(value(e, "dmg", doorDamage)),
	}
	if flags(e)&1 != 0 {
		b.moveModel(e.Model, d.Move)
		d.Move = d.Move.Neg()
	}
	d.Trigger = box
	b.level.Doors = append(b.level.Doors, d)
}

// lift makes a func_plat. Maps draw it at the top; it rests, and is stored, at
// the bottom.
func (b *Builder) lift(i int) {
	e := &b.level.Entities[i]
	box, ok := b.modelBounds(e.Model)
	if !ok {
		b.Warn(Source{Entity: i, Brush: -1, Line: e.Line}, "func_plat without brushes is left out")
		return
	}
	height := box.Size().Z - b.units(value(e, "lip", platLip))
	if h := value(e, "height", 0); h != 0 {
		height = b.units(h)
	}
	down := vec.V3{Z: 0 - height}
	b.moveModel(e.Model, down)
	low := box.Move(down)
	in := b.units(platInset)
	t := vec.Box{
		Min: vec.V3{X: low.Min.X + in, Y: low.Min.Y + in, Z: low.Min.Z},
		Max: vec.V3{X: low.Max.X - in, Y: low.Max.Y - in, Z: low.Max.Z + b.units(8)},
	}
	for k := range 2 {
		if t.Max.At(k) <= t.Min.At(k) {
			mid := float32((low.Min.At(k) + low.Max.At(k)) * 0.5)
			t.Min, t.Max = t.Min.With(k, mid), t.Max.With(k, mid+b.units(1))
		}
	}
	b.level.Doors = append(b.level.Doors, Door{
		Model: e.Model, Move: down.Neg(), Lift: true, Trigger: t, Group: len(b.level.Doors),
		Speed: b.units(positive(value(e, "speed", platSpeed), platSpeed)), Wait: value(e, "wait", platWait),
		Damage: int(value(e, "dmg", platDamage)),
	})
}

// groupDoors joins doors that share a team, or a name by which one switch opens
// them, and gives every group one trigger: its bounds, grown along the thinnest
// axis as the original game does, or the switch that names it.
func (b *Builder) groupDoors() {
	doors := b.level.Doors
	of := make([]*Entity, len(b.level.Models)+len(b.models))
	for i := range b.level.Entities {
		if e := &b.level.Entities[i]; e.Model > 0 && e.Model < len(of) {
			of[e.Model] = e
		}
	}
	first := map[string]int{}
	join := func(i int, key string) {
		if j, ok := first[key]; ok {
			old, to := doors[i].Group, doors[j].Group
			for k := range doors[:i+1] {
				if doors[k].Group == old {
					doors[k].Group = to
				}
			}
			return
		}
		first[key] = i
	}
	for i := range doors {
		if e := of[doors[i].Model]; e != nil {
			if t := e.Get("team"); t != "" {
				join(i, "team "+t)
			}
			if t := e.Get("targetname"); t != "" {
				join(i, "name "+t)
			}
		}
	}
	for g := range doors {
		box, named := vec.EmptyBox(), ""
		for i := range doors {
			if doors[i].Group == g && !doors[i].Lift && !doors[i].Hinged() {
				box = box.Union(doors[i].Trigger)
				if n := of[doors[i].Model].Get("targetname"); n != "" {
					named = n
				}
			}
		}
		if box.IsEmpty() {
			continue
		}
		if sw, ok := b.switchBox(named); ok {
			box = sw
		} else {
			thin := 0
			size := box.Size()
			for k := 1; k < 3; k++ {
				if size.At(k) < size.At(thin) {
					thin = k
				}
			}
			r := b.units(doorReach)
			box.Min = box.Min.With(thin, box.Min.At(thin)-r)
			box.Max = box.Max.With(thin, box.Max.At(thin)+r)
		}
		for i := range doors {
			if doors[i].Group == g && !doors[i].Lift && !doors[i].Hinged() {
				doors[i].Trigger = box
			}
		}
	}
}

// switchBox returns the bounds of the triggers and buttons that name a target.
func (b *Builder) switchBox(name string) (vec.Box, bool) {
	box := vec.EmptyBox()
	if name == "" {
		return box, false
	}
	for i := range b.level.Entities {
		e := &b.level.Entities[i]
		if e.Get("target") != name {
			continue
		}
		switch e.Class {
		case "trigger_multiple", "trigger_once":
			if m, ok := b.modelBounds(e.Model); ok {
				box = box.Union(m)
			}
		case "func_button":
			if m, ok := b.modelBounds(e.Model); ok {
				box = box.Union(m.Pad(b.units(32)))
			}
		}
	}
	return box, !box.IsEmpty()
}

// teleport makes a trigger_teleport, or a trigger_multiple that fires a
// target_teleporter.
func (b *Builder) teleport(i int, byName map[string]int) {
	e := &b.level.Entities[i]
	target, ok := b.target(e, byName)
	if e.Class == "trigger_multiple" {
		if !ok || target.Class != "target_teleporter" {
			return
		}
		target, ok = b.target(target, byName)
	}
	if ok && target.Class == "target_teleporter" {
		target, ok = b.target(target, byName)
	}
	box, has := b.modelBounds(e.Model)
	if !ok || !has {
		b.Warn(Source{Entity: i, Brush: -1, Line: e.Line}, "%s leads nowhere: no target %q", e.Class, e.Get("target"))
		return
	}
	dest := target.Origin
	dest.Z -= b.units(playerFeet - 1)
	b.level.Teleports = append(b.level.Teleports, Teleport{Box: box, Dest: dest, Yaw: yaw(target)})
}

// pad makes a trigger_push: the throw whose highest point is its target.
func (b *Builder) pad(i int, byName map[string]int) {
	e := &b.level.Entities[i]
	src := Source{Entity: i, Brush: -1, Line: e.Line}
	target, ok := b.target(e, byName)
	box, has := b.modelBounds(e.Model)
	if !ok || !has {
		b.Warn(src, "trigger_push leads nowhere: no target %q", e.Get("target"))
		return
	}
	from := box.Center()
	height := target.Origin.Z - from.Z
	g := b.units(padGravity)
	if !(height > 0) {
		b.Warn(src, "trigger_push whose target is not above it is left out")
		return
	}
	time := vec.Sqrt(float32(2*height) / g)
	flat := target.Origin.Sub(from).Flat()
	v := vec.V3{X: flat.X / time, Y: flat.Y / time, Z: float32(g * time)}
	if !v.IsFinite() {
		b.Warn(src, "trigger_push throws too far")
		return
	}
	b.level.Pads = append(b.level.Pads, Pad{Box: box, Vel: v})
}

// defaultHurt is a trigger_hurt's damage when it names none (Quake III's).
const defaultHurt = 5

// Spawnflags of a trigger_hurt.
const (
	hurtStartsOff = 1
	hurtSlow      = 16
)

// hurt makes a trigger_hurt. One that something has to switch on first is left
// out.
func (b *Builder) hurt(i int) {
	e := &b.level.Entities[i]
	flags := int(number(e.Get("spawnflags")))
	if flags&hurtStartsOff != 0 {
		return
	}
	box, has := b.modelBounds(e.Model)
	if !has {
		b.Warn(Source{Entity: i, Brush: -1, Line: e.Line}, "trigger_hurt without a brush is left out")
		return
	}
	damage := defaultHurt
	if text := e.Get("dmg"); text != "" {
		damage = int(vec.Clamp(number(text), 0, 100000))
	}
	b.level.Hurts = append(b.level.Hurts, Hurt{Box: box, Damage: damage, Slow: flags&hurtSlow != 0})
}

// zone makes a trigger_zone.
func (b *Builder) zone(i int) {
	e := &b.level.Entities[i]
	at := Source{Entity: i, Brush: -1, Line: e.Line}
	box, has := b.modelBounds(e.Model)
	name := strings.ToValidUTF8(e.Get("name"), "")
	switch {
	case !has:
		b.Warn(at, "trigger_zone without a brush is left out")
	case name == "" || len(name) > MaxZoneName:
		b.Warn(at, "trigger_zone needs a name of at most %d bytes; it is left out", MaxZoneName)
	case len(b.level.Zones) == MaxZones:
		b.Warn(at, "there are %d zones already; trigger_zone is left out", MaxZones)
	default:
		b.level.Zones = append(b.level.Zones, Zone{Box: box, Name: name})
	}
}

func (b *Builder) target(e *Entity, byName map[string]int) (*Entity, bool) {
	i, ok := byName[e.Get("target")]
	if !ok {
		return nil, false
	}
	return &b.level.Entities[i], true
}

// modelBounds returns the bounds of a model that is not the world's.
func (b *Builder) modelBounds(m int) (vec.Box, bool) {
	box := vec.EmptyBox()
	if m <= 0 || m >= len(b.models) {
		return box, false
	}
	for i := range b.models[m].solids {
		box = box.Union(b.models[m].solids[i].Bounds)
	}
	for i := range b.models[m].tris {
		t := &b.models[m].tris[i]
		box = box.Grow(t.A).Grow(t.B).Grow(t.C)
	}
	return box, !box.IsEmpty()
}

// moveModel moves a model's solids, triangles and drawn surfaces.
func (b *Builder) moveModel(m int, d vec.V3) {
	parts := &b.models[m]
	for i := range parts.solids {
		s := &parts.solids[i]
		s.Bounds = s.Bounds.Move(d)
		for k := range s.Sides {
			s.Sides[k].D += s.Sides[k].N.Dot(d)
		}
		for k := range 3 { // the first six sides are the bounds, to the bit
			s.Sides[2*k].D = 0 - s.Bounds.Min.At(k)
			s.Sides[2*k+1].D = s.Bounds.Max.At(k)
		}
	}
	for i := range parts.tris {
		t := &parts.tris[i]
		t.A, t.B, t.C = t.A.Add(d), t.B.Add(d), t.C.Add(d)
	}
	for i := range b.level.Surfaces {
		if s := &b.level.Surfaces[i]; s.Model == m {
			for k := range s.Verts {
				s.Verts[k].Pos = s.Verts[k].Pos.Add(d)
			}
		}
	}
}

// moveDir is the direction an entity's angle says: -1 up, -2 down.
func moveDir(e *Entity) vec.V3 {
	if a := e.Get("angles"); a != "" {
		v, ok := Vector(a)
		if ok && v != (vec.V3{Y: -1}) && v != (vec.V3{Y: -2}) {
			return vec.Forward(v.Y, 0-v.X) // Quake's pitch looks down
		}
		if ok {
			return vec.V3{Z: float32(v.Y*2) + 3}
		}
	}
	switch a := number(e.Get("angle")); a {
	case -1:
		return vec.V3{Z: 1}
	case -2:
		return vec.V3{Z: -1}
	default:
		return vec.Forward(a, 0)
	}
}

func yaw(e *Entity) float32 {
	if v, ok := Vector(e.Get("angles")); ok {
		return vec.WrapDeg(v.Y)
	}
	return vec.WrapDeg(number(e.Get("angle")))
}

func flags(e *Entity) int { return int(number(e.Get("spawnflags"))) }

// value returns a key's number, or def when it is absent.
func value(e *Entity, key string, def float32) float32 {
	s := e.Get(key)
	if s == "" {
		return def
	}
	return number(s)
}

func positive(v, def float32) float32 {
	if v > 0 {
		return v
	}
	return def
}

// number reads a number as map tools do: leading blanks, then as much as makes
// sense; 0 when there is none. It is finite and below 1e9.
func number(s string) float32 {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, " \t\r\n,"); i >= 0 {
		s = s[:i]
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return float32(v) + 0
}

// Vector reads three numbers parted by blanks.
func Vector(s string) (vec.V3, bool) {
	f := strings.Fields(s)
	if len(f) != 3 {
		return vec.V3{}, false
	}
	var v vec.V3
	for i := range f {
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e9 {
			return vec.V3{}, false
		}
		v = v.With(i, float32(x)+0)
	}
	return v, true
}

// EntityContents is what a brush of a class is made of when its shader says c:
// triggers touch and do nothing else, illusions are only drawn.
func EntityContents(class string, c Contents) Contents {
	switch {
	case strings.HasPrefix(class, "trigger_"):
		return Trigger
	case strings.Contains(class, "illusionary"):
		return c &^ (Blocks | Ladder)
	}
	return c
}
