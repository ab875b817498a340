package level

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/sightline-engine/sightline/game/vec"
)

// hash digests everything that a match depends on: what collides and what the
// entities mean. Pictures, names and warnings are left out.
func hash(l *Level) (sum [32]byte) {
	h := sha256.New()
	buf := make([]byte, 0, 4096)
	flush := func() {
		if len(buf) > 4000 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	u := func(v ...uint32) {
		for _, x := range v {
			buf = binary.LittleEndian.AppendUint32(buf, x)
		}
		flush()
	}
	f := func(v ...float32) {
		for _, x := range v {
			u(math.Float32bits(x))
		}
	}
	v3 := func(v ...vec.V3) {
		for _, x := range v {
			f(x.X, x.Y, x.Z)
		}
	}
	box := func(b vec.Box) { v3(b.Min, b.Max) }
	flag := func(b bool) {
		if b {
			u(1)
			return
		}
		u(0)
	}
	h.Write([]byte("sightline level 1\n"))
	u(uint32(len(l.Models)), uint32(len(l.Solids)), uint32(len(l.Tris)))
	for _, m := range l.Models {
		u(uint32(m.NumSolids), uint32(m.NumTris))
	}
	for i := range l.Solids {
		s := &l.Solids[i]
		u(uint32(s.Contents), uint32(len(s.Sides)))
		for _, d := range s.Sides {
			v3(d.N)
			f(d.D)
			u(uint32(d.Surf))
		}
	}
	for i := range l.Tris {
		t := &l.Tris[i]
		v3(t.A, t.B, t.C)
		u(uint32(t.Contents), uint32(t.Surf))
	}
	if t := l.Terrain; t != nil {
		v3(t.Origin)
		f(t.Cell)
		u(uint32(t.W), uint32(t.H))
		f(t.Heights...)
	}
	u(uint32(len(l.Spawns)), uint32(len(l.Doors)), uint32(len(l.Teleports)), uint32(len(l.Pads)), uint32(len(l.Pickups)), uint32(len(l.Hurts)))
	for _, s := range l.Spawns {
		v3(s.Pos)
		f(s.Yaw)
		u(uint32(s.Team))
	}
	for _, d := range l.Doors {
		u(uint32(d.Model), uint32(d.Group), uint32(d.Damage))
		v3(d.Move)
		f(d.Speed, d.Wait)
		box(d.Trigger)
		flag(d.Lift)
		flag(d.StartOpen)
		if d.Hinged() || d.Use {
			v3(d.Hinge)
			f(d.Swing, d.Ajar)
			flag(d.Both)
			flag(d.Use)
		}
	}
	for _, t := range l.Teleports {
		box(t.Box)
		v3(t.Dest)
		f(t.Yaw)
	}
	for _, p := range l.Pads {
		box(p.Box)
		v3(p.Vel)
	}
	for _, p := range l.Hurts {
		box(p.Box)
		u(uint32(p.Damage))
		flag(p.Slow)
	}
	for _, p := range l.Pickups {
		u(uint32(p.Kind), uint32(p.Value))
		v3(p.Pos)
		f(p.Delay)
	}
	for _, z := range l.Zones {
		box(z.Box)
		u(uint32(len(z.Name)))
		for _, c := range []byte(z.Name) {
			u(uint32(c))
		}
	}
	for _, p := range l.Pieces {
		u(uint32(p.Model), uint32(p.Health), uint32(p.Material))
		flag(p.Explosive)
	}
	for _, p := range l.Vehicles { // levels without any keep their hash
		buf = append(buf, p.Type...)
		v3(p.Pos)
		f(p.Yaw)
	}
	h.Write(buf)
	h.Sum(sum[:0])
	return sum
}
