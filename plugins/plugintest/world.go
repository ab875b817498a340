package plugintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// TickRate of all Worlds, in ticks per second.
const TickRate = 64

// World is a yard of 60 by 60 metres with walls, a sliding door and a vault: a room
// without a way in, whose last player nobody can see. Players run between random
// places; everything follows from the seed.
type World struct {
	Name  string // of the map, and its text
	Data  []byte
	Level *level.Level
	Trace *trace.World
	In    vis.Input // the present tick

	vault  int // index of the player in it
	sight  *vis.Sight
	rnd    vec.Rand
	hidden vec.Rand
	goals  []vec.V3
}

// The yard, the vault and bodies, in metres.
const (
	yard              = 30
	vaultX, vaultY    = 40, 40 // its middle
	vaultHalf         = 6
	runSpeed          = 7
	eyeUp, chestUp    = 1.62, 1.1
	bodyHalf, bodyTop = 0.4, 1.8
)

// NewWorld makes a World of so many players, the last of whom is in the vault. secret
// changes nothing but that one's way.
func NewWorld(t testing.TB, seed, secret uint64, players int) *World {
	t.Helper()
	w := &World{Name: "yard.map", vault: players - 1, rnd: vec.NewRand(seed, 1), hidden: vec.NewRand(secret, 2)}
	w.Data = []byte(w.text())
	var err error
	if w.Level, err = load.Bytes(w.Name, w.Data, level.Options{}); err != nil {
		t.Fatal(err)
	}
	w.Trace = trace.New(w.Level)
	w.sight = vis.NewSight(w.Trace, TickRate)
	w.In.Reset(0, TickRate)
	w.In.Seed = seed
	for i := range players {
		id := state.ID(i + 1)
		w.In.Subjects = append(w.In.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true})
		w.In.Viewers = append(w.In.Viewers, vis.Viewer{
			Subject: i, ID: id, RTTms: 20 + float32(w.rnd.Intn(80)), JitterMS: 2, RenderMS: 47, BufferMS: 16, SendTicks: 1,
		})
		w.goals = append(w.goals, vec.V3{})
		w.stand(i, w.somewhere(i))
		w.goals[i] = w.somewhere(i)
	}
	w.In.Doors = append(w.In.Doors, make([]state.DoorState, len(w.Level.Doors))...)
	vis.Candidates(&w.In, 0)
	return w
}

// Hidden is the index of the player in the vault, as viewer and as subject.
func (w *World) Hidden() int { return w.vault }

func (w *World) inVault(i int) bool { return i == w.vault }

// somewhere draws a place for a player.
func (w *World) somewhere(i int) vec.V3 {
	if w.inVault(i) {
		return vec.V3{X: vaultX + w.hidden.Signed()*(vaultHalf-2), Y: vaultY + w.hidden.Signed()*(vaultHalf-2)}
	}
	return vec.V3{X: w.rnd.Signed() * (yard - 1), Y: w.rnd.Signed() * (yard - 1)}
}

// Step makes the next tick.
func (w *World) Step() *vis.Input {
	in := &w.In
	in.Tick++
	for i := range in.Subjects {
		s := &in.Subjects[i]
		r := &w.rnd
		if w.inVault(i) {
			r = &w.hidden
		}
		to := w.goals[i].Sub(s.Pos)
		if to.Len2() < 0.5 || r.Intn(200) == 0 {
			w.goals[i] = w.somewhere(i)
			to = w.goals[i].Sub(s.Pos)
		}
		dir, _ := vec.V3{X: to.X, Y: to.Y}.Norm()
		s.Vel = dir.Scale(runSpeed)
		s.Yaw = vec.WrapDeg(vec.Atan2(dir.Y, dir.X))
		s.Ducked, s.Fired = r.Intn(40) == 0, r.Intn(60) == 0
		w.stand(i, s.Pos.Mad(1.0/TickRate, s.Vel))
	}
	if n := int(in.Tick) % 200; n == 50 || n == 150 {
		for i := range in.Doors {
			in.Doors[i] = state.DoorState{Open: n == 50, Start: in.Tick, From: uint16(65535 * (n / 150))}
		}
	}
	vis.Candidates(in, 0)
	w.sight.Take(in)
	return in
}

func (w *World) stand(i int, pos vec.V3) {
	s := &w.In.Subjects[i]
	s.Pos = pos
	s.Eye, s.Chest = pos.Add(vec.V3{Z: eyeUp}), pos.Add(vec.V3{Z: chestUp})
	s.Box = vec.Box{Min: pos.Add(vec.V3{X: -bodyHalf, Y: -bodyHalf}), Max: pos.Add(vec.V3{X: bodyHalf, Y: bodyHalf, Z: bodyTop})}
}

// Sees reports whether a line from the viewer's eye to the other's eye is clear in
// the present tick.
func (w *World) Sees(viewer, subject int) bool {
	return w.sight.Clear(w.In.Subjects[viewer].Eye, w.In.Subjects[subject].Eye)
}

// text writes the map. Lengths in it are in 1/32 m.
func (w *World) text() string {
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n")
	box := func(x0, y0, z0, x1, y1, z1 float32) { writeBox(&b, [6]float32{x0, y0, z0, x1, y1, z1}) }
	const far = 50
	box(-far, -far, -0.5, far, far, 0)
	for range 24 {
		x, y := w.rnd.Signed()*yard, w.rnd.Signed()*yard
		box(x, y, 0, x+0.5+w.rnd.Float()*6, y+0.5+w.rnd.Float()*6, 1+w.rnd.Float()*4)
	}
	box(-0.25, -yard, 0, 0.25, -1, 5) // a wall with a door in it
	box(-0.25, 1, 0, 0.25, yard, 5)
	lo, hi := float32(vaultX-vaultHalf), float32(vaultX+vaultHalf)
	box(lo-1, lo-1, 0, lo, hi+1, 6)
	box(hi, lo-1, 0, hi+1, hi+1, 6)
	box(lo, lo-1, 0, hi, lo, 6)
	box(lo, hi, 0, hi, hi+1, 6)
	box(lo-1, lo-1, 6, hi+1, hi+1, 7)
	b.WriteString("}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"-320 0 32\"\n}\n")
	b.WriteString("{\n\"classname\" \"func_door\"\n\"angle\" \"90\"\n\"speed\" \"64\"\n\"wait\" \"-1\"\n")
	box(-0.2, -1, 0, 0.2, 1, 5)
	b.WriteString("}\n")
	return b.String()
}

// writeBox writes an axial brush, given in metres.
func writeBox(b *strings.Builder, m [6]float32) {
	var v [6]int32
	for i := range m {
		v[i] = vec.Floor(float32(m[i]*level.UnitsPerMetre) + 0.5)
	}
	for i := range 3 {
		v[i+3] = max(v[i+3], v[i]+1)
	}
	x, y, z, X, Y, Z := v[0], v[1], v[2], v[3], v[4], v[5]
	side := func(a ...int32) {
		fmt.Fprintf(b, "( %d %d %d ) ( %d %d %d ) ( %d %d %d ) stone 0 0 0 1 1\n", a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8])
	}
	b.WriteString("{\n")
	side(x, y, z, x, y+1, z, x, y, z+1)
	side(x, y, z, x, y, z+1, x+1, y, z)
	side(x, y, z, x+1, y, z, x, y+1, z)
	side(X, Y, Z, X, Y, Z+1, X, Y+1, Z)
	side(X, Y, Z, X+1, Y, Z, X, Y, Z+1)
	side(X, Y, Z, X, Y+1, Z, X+1, Y, Z)
	b.WriteString("}\n")
}
