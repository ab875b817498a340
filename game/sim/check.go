package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Check returns everything that is wrong with the world: what must hold after
// every call, whatever the inputs were. It is for tests, and slow.
func (s *Sim) Check() error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("tick %d: "+format, append([]any{s.tick}, args...)...))
	}
	for i, id := range s.ids {
		if i > 0 && s.ids[i-1] >= id {
			fault("ids %v are not ascending", s.ids)
		}
		if !s.Present(id) {
			fault("player %d is listed and not present", id)
			continue
		}
		for _, e := range s.checkPlayer(&s.bodies[id].p) {
			fault("player %d %s", id, e)
		}
	}
	seen := map[state.ID]bool{}
	for i := range s.things {
		t := &s.things[i]
		n := int(t.ID) - int(state.FirstThing)
		if n < 0 || n >= state.FreeThings || seen[t.ID] {
			fault("thing id %d is out of range or used twice", t.ID)
		}
		seen[t.ID] = true
		if !t.Pos.IsFinite() || !t.Vel.IsFinite() {
			fault("thing %d is at %v, moving %v", t.ID, t.Pos, t.Vel)
		}
		if t.Owner != 0 && !s.Present(t.Owner) {
			fault("thing %d is owned by %d, who is not present", t.ID, t.Owner)
		}
	}
	for i := range s.doors {
		if m := s.lv.Doors[i].Model; m > 0 && m < len(s.poses) {
			if o := s.poses[m].Off; !o.IsFinite() || o.LenSq() > s.lv.Doors[i].Move.LenSq()+0.01 {
				fault("door %d is %v from its place, %v at most", i, o, s.lv.Doors[i].Move)
			}
			d, p := &s.lv.Doors[i], &s.poses[m]
			if len2 := float32(p.Sin*p.Sin) + float32(p.Cos*p.Cos); p.IsTurned() && !(d.Hinged() && vec.Abs(len2-1) < 1e-3) {
				fault("door %d is turned to sine %v and cosine %v", i, p.Sin, p.Cos)
			}
		}
	}
	for i := range s.pieces.now {
		d := &s.lv.Pieces[i]
		p, m := s.pieces.now[i], d.Model
		if left := s.pieces.left[i]; left < 0 || left > int32(d.Health) || p.Broken != s.pieces.gone.Has(i) {
			fault("piece %d is %+v with %d of %d left", i, p, left, d.Health)
		}
		if m > 0 && m < len(s.poses) && (s.poses[m].Off == scenery.Away) != p.Broken {
			fault("piece %d is %+v and %v from its place", i, p, s.poses[m].Off)
		}
	}
	for _, e := range s.checkCars() {
		fault("%s", e)
	}
	for i := range s.events {
		e := &s.events[i]
		if e.Kind == state.EvNone || e.Kind >= state.NumEvents || !e.Pos.IsFinite() || !e.Dir.IsFinite() {
			fault("event %+v", *e)
		}
	}
	return errors.Join(faults...)
}

func (s *Sim) checkPlayer(p *state.Player) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !p.Pos.IsFinite() || !p.Vel.IsFinite() {
		fault("is at %v, moving %v", p.Pos, p.Vel)
	}
	if p.Pos != vec.CanonV(p.Pos) || p.Vel != vec.CanonV(p.Vel) {
		fault("has a negative zero or NaN")
	}
	if p.Weapon >= tables.NumWeapons || p.Next >= tables.NumWeapons || p.Owned>>tables.NumWeapons != 0 {
		fault("holds weapon %d, raises %d, owns %b", p.Weapon, p.Next, p.Owned)
	}
	if p.Optic >= tables.NumOptics {
		fault("carries optic %d", p.Optic)
	}
	if p.Weapon != 0 && p.Weapon < tables.NumWeapons && p.Owned&(1<<p.Weapon) == 0 {
		fault("holds weapon %d without owning it", p.Weapon)
	}
	for w := 1; w < tables.NumWeapons; w++ {
		if p.Ammo[w] > s.most[w] {
			fault("has %d rounds for weapon %d", p.Ammo[w], w)
		}
	}
	if int(p.Ground) >= len(s.poses) {
		fault("stands on model %d", p.Ground)
	}
	if !p.Alive() {
		return faults
	}
	if p.Health <= 0 || p.Armor < 0 {
		fault("lives with %d health and %d armour", p.Health, p.Armor)
	}
	if s.outOfMap(p) {
		fault("lives outside the world at %v", p.Pos)
	}
	if p.Vehicle != 0 { // a seat may pass through what the hull does not touch
		return faults
	}
	box := pmove.Body(p, s.move)
	// A little may be inside: what a mover has pushed is freed in the next tick.
	slack := vec.V3{X: 0.02, Y: 0.02, Z: 0.02}
	box.Min, box.Max = box.Min.Add(slack), box.Max.Sub(slack)
	if h := s.scene.Box(p.Pos, p.Pos, box, level.MaskMove); h.StartSolid && h.Model == 0 {
		fault("is stuck in the level at %v", p.Pos)
	}
	return faults
}

// Hash returns a hash of the whole state, the memory of lag compensation and the
// counters of dropped operations left out. For tests and for comparing replays.
func (s *Sim) Hash() uint64 {
	h := fnv.New64a()
	put := func(v any) {
		b, err := binary.Append(s.hash[:0], binary.LittleEndian, v)
		if err != nil {
			panic(err) // a field without a fixed size was added
		}
		s.hash = b
		h.Write(b)
	}
	put(s.tick)
	put(s.joins)
	for _, id := range s.ids {
		b := &s.bodies[id]
		put(id)
		put(&b.p)
		put(b.seed)
		if b.using {
			put(true)
		}
		put([]state.Tick{b.born, b.died, b.burnAt, b.hurtAt, state.Tick(b.watches)})
	}
	put(s.doors)
	put(s.pieces.now)
	put(s.pieces.left)
	put([]uint64(s.pieces.waiting))
	for i := range s.poses {
		put(s.poses[i].Off)
		if s.poses[i].IsTurned() {
			put(s.poses[i])
		}
	}
	for i := range s.swing {
		put([]bool{s.swing[i].touched, s.swing[i].away})
		put(s.swing[i].until)
	}
	for i := range s.spots {
		put(s.spots[i].taken)
		put(s.spots[i].back)
	}
	for i := range s.grenades {
		g := &s.grenades[i]
		put([]state.ID{g.id, g.owner})
		put([]vec.V3{g.pos, g.vel})
		put([]uint32{g.born, g.off})
		put([]int16{int16(g.weapon), g.model})
		put(g.lies)
	}
	put(s.smokes)
	put(s.holes)
	for i := range s.rockets {
		r := &s.rockets[i]
		put([]state.ID{r.id, r.owner})
		put([]vec.V3{r.origin, r.dir, r.pos})
		put([]uint32{r.born, r.ahead})
	}
	for i := range s.cars.all {
		c := &s.cars.all[i]
		put(&c.Car)
		put(c.health)
		put(c.seats)
		put(c.gone)
		put(c.back)
	}
	return h.Sum64()
}
