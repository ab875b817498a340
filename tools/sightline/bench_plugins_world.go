package main

import (
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Worlds that costs are measured in.
const (
	field   = "field"   // 160 m with walls: everybody is asked about everybody
	country = generated // the level of bench match: few are within range
)

func costWorlds() []string { return []string{country, field} }

// costGround is what the rows of one world share.
type costGround struct {
	world string
	name  string
	text  []byte
	level *level.Level
	trace *trace.World
}

// costWorld is a level in which players run in circles: enough for a policy to do all
// that it does, and the same for every row.
type costWorld struct {
	*costGround
	reach float32 // metres within which players are candidates; 0: all
	in    vis.Input
	rin   rules.TickIn
	at    []vec.V3 // middles of the circles
}

// costHalf is half of the field's side, in metres; costWalls stand on it.
const (
	costHalf  = 80
	costWalls = 60
)

// newCostGround makes the level of a world.
func newCostGround(world string) (*costGround, error) {
	g := &costGround{world: world, name: "field.map"}
	var err error
	if world == country {
		cfg := gen.Config{Seed: 1}
		g.name, g.text = generated+".gen", gen.Text(cfg)
		g.level, err = gen.Countryside(cfg)
	} else {
		g.text = fieldText()
		g.level, err = load.Bytes(g.name, g.text, level.Options{})
	}
	if err != nil {
		return nil, err
	}
	g.trace = trace.New(g.level)
	return g, nil
}

// fieldText is a map of a field with walls.
func fieldText() []byte {
	rnd := vec.NewRand(1, 1)
	var b strings.Builder
	b.WriteString("{\n\"classname\" \"worldspawn\"\n")
	costBrush(&b, -costHalf-10, -costHalf-10, -1, costHalf+10, costHalf+10, 0)
	for range costWalls {
		x, y := int(rnd.Signed()*costHalf), int(rnd.Signed()*costHalf)
		costBrush(&b, x, y, 0, x+1+rnd.Intn(8), y+1+rnd.Intn(8), 3+rnd.Intn(4))
	}
	b.WriteString("}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 32\"\n}\n")
	return []byte(b.String())
}

// newCostWorld puts players into a level.
func newCostWorld(g *costGround, players, hz int) *costWorld {
	w := &costWorld{costGround: g}
	rnd := vec.NewRand(1, 2)
	if g.world == country {
		w.reach = vis.DefaultRange
	}
	w.in.Reset(0, hz)
	for range g.level.Doors {
		w.in.Doors = append(w.in.Doors, state.DoorState{})
	}
	for i := range players {
		id := state.ID(i + 1)
		at := vec.V3{X: rnd.Signed() * costHalf, Y: rnd.Signed() * costHalf}
		if g.world == country {
			at = g.level.Spawns[rnd.Intn(len(g.level.Spawns))].Pos
		}
		w.at = append(w.at, at)
		w.in.Subjects = append(w.in.Subjects, vis.Subject{ID: id, Kind: state.KindPlayer, Alive: true})
		w.in.Viewers = append(w.in.Viewers, vis.Viewer{Subject: i, ID: id, RTTms: 40, JitterMS: 2, RenderMS: 47, BufferMS: 16, SendTicks: 1})
		w.rin.Players = append(w.rin.Players, rules.PlayerRow{ID: id, Health: 100})
		w.rin.Joined = append(w.rin.Joined, rules.Member{ID: id, Name: fmt.Sprintf("player %d", i)})
	}
	return w
}

// costBrush writes an axial brush, given in metres.
func costBrush(b *strings.Builder, x, y, z, X, Y, Z int) {
	side := func(v ...int) {
		for i := 0; i < 9; i += 3 {
			fmt.Fprintf(b, "( %d %d %d ) ", v[i]*level.UnitsPerMetre, v[i+1]*level.UnitsPerMetre, v[i+2]*level.UnitsPerMetre)
		}
		b.WriteString("stone 0 0 0 1 1\n")
	}
	b.WriteString("{\n")
	side(x, y, z, x, y+1, z, x, y, z+1)
	side(x, y, z, x, y, z+1, x+1, y, z)
	side(x, y, z, x+1, y, z, x, y+1, z)
	side(X, Y, Z, X, Y+1, Z, X+1, Y, Z)
	side(X, Y, Z, X+1, Y, Z, X, Y, Z+1)
	side(X, Y, Z, X, Y, Z+1, X, Y+1, Z)
	b.WriteString("}\n")
}

// step makes the next tick.
func (w *costWorld) step() (*vis.Input, *rules.TickIn) {
	in := &w.in
	in.Tick++
	if w.rin.Tick != 0 {
		w.rin.Joined = w.rin.Joined[:0]
	}
	w.rin.Tick = in.Tick
	const radius, speed = 4, 7 // metres, metres a second
	for i := range in.Subjects {
		s := &in.Subjects[i]
		yaw := vec.WrapDeg(float32(i*37) + float32(in.Tick)*(speed/radius*57.3)/float32(in.TickRate))
		dir := vec.Forward(yaw, 0)
		s.Pos = w.at[i].Mad(radius, dir)
		s.Vel = vec.V3{X: -dir.Y * speed, Y: dir.X * speed}
		s.Yaw = vec.WrapDeg(yaw + 90)
		s.Eye, s.Chest = s.Pos.Add(vec.V3{Z: 1.62}), s.Pos.Add(vec.V3{Z: 1.1})
		s.Box = vec.Box{Min: s.Pos.Add(vec.V3{X: -0.4, Y: -0.4}), Max: s.Pos.Add(vec.V3{X: 0.4, Y: 0.4, Z: 1.8})}
		row := &w.rin.Players[i]
		row.Pos, row.Vel, row.Yaw = s.Pos, s.Vel, s.Yaw
	}
	vis.Candidates(in, w.reach)
	return in, &w.rin
}
