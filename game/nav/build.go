package nav

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Kind is how an edge is crossed.
type Kind uint8

// The kinds of edge.
const (
	Walk Kind = iota
	Drop
	Jump
	Pad
	Portal // a teleport
	Swim
	Ride // a lift
)

// Edge leads from one node to another.
type Edge struct {
	To   int32
	Cost float32 // seconds, about
	Kind Kind
}

// Node is a place where a body can stand (or float).
type Node struct {
	Pos   vec.V3 // feet
	first int32  // of its edges in Graph.edges
	n     int32
}

// Graph is the finished navigation of one level.
type Graph struct {
	Nodes []Node
	edges []Edge
	cell  float32
	grid  map[[2]int32][]int32 // column -> nodes, for Nearest
	// Truncated is set when the level was larger than MaxNodes.
	Truncated bool
}

// Limits and spacing.
const (
	MaxNodes   = 100000
	fineCell   = 0.75 // metres between standing places
	wideCell   = 3.0  // the same on a level with more than wideArea of ground
	wideArea   = 500 * 500
	maxDrop    = 9.0 // metres that a bot will fall on purpose
	mergeZ     = 0.5 // two places of one column closer than this are one
	jumpReach  = 3.0 // metres that a running jump may cross, along a row of places
	padSeconds = 4.0 // longest flight from a pad
)

// Edges returns the edges of node i.
func (g *Graph) Edges(i int32) []Edge {
	n := &g.Nodes[i]
	return g.edges[n.first : n.first+n.n]
}

type builder struct {
	g     *Graph
	s     trace.Scene
	l     *level.Level
	m     *tables.Movement
	body  vec.Box
	duck  vec.Box
	queue []int32
	out   [][]Edge
	jump  float32 // height that a jump clears, less a margin
	limit vec.Box
}

// Build floods the level. It takes from milliseconds to a few seconds; do it once
// per level.
func Build(w *trace.World, m *tables.Movement) *Graph {
	l := w.Level()
	hw := m.HalfWidth
	cell := float32(fineCell)
	if size := l.Bounds.Max.Sub(l.Bounds.Min); size.X*size.Y > wideArea {
		cell = wideCell
	}
	b := &builder{
		g: &Graph{cell: cell, grid: map[[2]int32][]int32{}}, l: l, m: m,
		s:     trace.Scene{W: w},
		body:  vec.Box{Min: vec.V3{X: -hw, Y: -hw}, Max: vec.V3{X: hw, Y: hw, Z: m.StandHeight}},
		duck:  vec.Box{Min: vec.V3{X: -hw, Y: -hw}, Max: vec.V3{X: hw, Y: hw, Z: m.CrouchHeight}},
		limit: l.Bounds.Pad(4),
	}
	b.jump = float32(m.JumpSpeed*m.JumpSpeed)/float32(2*m.Gravity) - 0.05
	// Doors are treated as open: whoever walks up to one opens it.
	b.s.Poses = make([]level.Pose, len(l.Models))
	for i := range l.Doors {
		d := &l.Doors[i]
		if !d.Lift && d.Model > 0 && d.Model < len(b.s.Poses) {
			b.s.Poses[d.Model] = d.Pose(1)
			if d.Hinged() { // to which side, and by how much, is seen when it is met
				b.s.Poses[d.Model] = level.Pose{Off: scenery.Away}
			}
		}
	}
	for i := range l.Spawns {
		b.seed(l.Spawns[i].Pos)
	}
	for i := range l.Teleports {
		b.seed(l.Teleports[i].Dest)
	}
	for len(b.queue) > 0 {
		i := b.queue[0]
		b.queue = b.queue[1:]
		b.expand(i)
	}
	b.finish()
	return b.g
}

// seed drops a body onto the ground below p and makes a node there.
func (b *builder) seed(p vec.V3) {
	for _, up := range [...]float32{0.05, 0.5, 1} {
		if f, ok := b.floor(p.Mad(up, vec.Up), 4); ok {
			b.node(f)
			return
		}
	}
}

// floor returns where a body that starts at p comes to stand within drop metres.
func (b *builder) floor(p vec.V3, drop float32) (vec.V3, bool) {
	r := b.s.Box(p, p.Mad(-drop, vec.Up), b.body, level.MaskMove)
	if r.StartSolid || r.Frac == 1 || r.Normal.Z < b.m.MinWalkNormal {
		return vec.V3{}, false
	}
	if !b.limit.Contains(r.End) || r.End.Z < b.l.KillZ {
		return vec.V3{}, false
	}
	if c := b.s.Contents(r.End.Mad(0.2, vec.Up)); c&(level.Lava|level.Slime) != 0 {
		return vec.V3{}, false
	}
	body := b.body.Move(r.End)
	for i := range b.l.Hurts {
		if b.l.Hurts[i].Box.Overlaps(body) {
			return vec.V3{}, false
		}
	}
	return r.End, true
}

func (g *Graph) column(p vec.V3) [2]int32 {
	return [2]int32{vec.Floor(p.X/g.cell + 0.5), vec.Floor(p.Y/g.cell + 0.5)}
}

// node returns the node at p, making it when there is none, or -1 when the graph
// is full.
func (b *builder) node(p vec.V3) int32 {
	c := b.g.column(p)
	for _, i := range b.g.grid[c] {
		if vec.Abs(b.g.Nodes[i].Pos.Z-p.Z) < mergeZ {
			return i
		}
	}
	if len(b.g.Nodes) >= MaxNodes {
		b.g.Truncated = true
		return -1
	}
	i := int32(len(b.g.Nodes))
	b.g.Nodes = append(b.g.Nodes, Node{Pos: p})
	b.g.grid[c] = append(b.g.grid[c], i)
	b.out = append(b.out, nil)
	b.queue = append(b.queue, i)
	return i
}

func (b *builder) link(from, to int32, cost float32, k Kind) {
	if to < 0 || to == from {
		return
	}
	for i := range b.out[from] {
		if e := &b.out[from][i]; e.To == to {
			if cost < e.Cost {
				e.Cost, e.Kind = cost, k
			}
			return
		}
	}
	b.out[from] = append(b.out[from], Edge{to, cost, k})
}

var around = [8][2]float32{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

func (b *builder) expand(i int32) {
	from := b.g.Nodes[i].Pos
	b.leave(i, from)
	c := b.g.column(from)
	for _, d := range around {
		to := vec.V3{X: (float32(c[0]) + d[0]) * b.g.cell, Y: (float32(c[1]) + d[1]) * b.g.cell, Z: from.Z}
		if p, ok := b.walk(from, to); ok {
			dist := from.Dist(p)
			switch fall := from.Z - p.Z; {
			case fall > 1.5*b.m.StepHeight+dist:
				if b.s.Contents(p.Mad(0.2, vec.Up))&level.NoDrop != 0 {
					continue // where things vanish, players die
				}
				b.link(i, b.node(p), dist/b.m.RunSpeed+0.3, Drop)
			default:
				b.link(i, b.node(p), dist/b.m.RunSpeed, Walk)
			}
			continue
		}
		b.leap(i, from, c, d)
	}
}

// walk tries to walk from one place to the column of another: forward, with a
// step up where needed, then down.
func (b *builder) walk(from, to vec.V3) (vec.V3, bool) {
	lift := b.m.StepHeight
	up := b.s.Box(from, from.Mad(lift, vec.Up), b.body, level.MaskMove)
	if up.StartSolid {
		return vec.V3{}, false
	}
	high := up.End
	over := vec.V3{X: to.X, Y: to.Y, Z: high.Z}
	f := b.s.Box(high, over, b.body, level.MaskMove)
	if f.Frac < 1 {
		return vec.V3{}, false
	}
	return b.floor(over, lift+maxDrop)
}

// leap tries jumps in one direction: onto a ledge at once, or across a gap.
func (b *builder) leap(i int32, from vec.V3, c [2]int32, d [2]float32) {
	up := b.s.Box(from, from.Mad(b.jump, vec.Up), b.body, level.MaskMove)
	if up.StartSolid || up.End.Z-from.Z < b.m.StepHeight {
		return
	}
	for n := float32(1); n*b.g.cell <= jumpReach; n++ {
		to := vec.V3{X: (float32(c[0]) + d[0]*n) * b.g.cell, Y: (float32(c[1]) + d[1]*n) * b.g.cell, Z: up.End.Z}
		// A jump of n cells is in the air for about n*cell/speed; the body may be up
		// to the apex all the way only when the hop is short.
		h := up.End.Z
		far := from.Flat().Dist(to.Flat())
		if far > b.m.RunSpeed*0.5*b.m.JumpSpeed/b.m.Gravity*2 {
			return
		}
		f := b.s.Box(up.End, to, b.body, level.MaskMove)
		if f.Frac < 1 {
			return
		}
		p, ok := b.floor(vec.V3{X: to.X, Y: to.Y, Z: h}, b.jump+1.5)
		if ok && (n > 1 || p.Z > from.Z) {
			b.link(i, b.node(p), far/b.m.RunSpeed+0.5, Jump)
			return
		}
	}
}

// leave adds what lifts a body away from where it stands: pads, teleports, lifts.
func (b *builder) leave(i int32, from vec.V3) {
	body := b.body.Move(from)
	for k := range b.l.Teleports {
		t := &b.l.Teleports[k]
		if t.Box.Overlaps(body) {
			if p, ok := b.floor(t.Dest.Mad(0.3, vec.Up), 6); ok {
				b.link(i, b.node(p), 0.2, Portal)
			}
		}
	}
	for k := range b.l.Pads {
		if b.l.Pads[k].Box.Overlaps(body) {
			b.fly(i, from, b.l.Pads[k].Vel)
		}
	}
	for k := range b.l.Doors {
		d := &b.l.Doors[k]
		if !d.Lift || d.Move.Z <= 0 || d.Model >= len(b.l.Models) {
			continue
		}
		box := b.l.Models[d.Model].Bounds
		if from.X < box.Min.X || from.X > box.Max.X || from.Y < box.Min.Y || from.Y > box.Max.Y || vec.Abs(from.Z-box.Max.Z) > 0.3 {
			continue
		}
		top := from.Add(d.Move)
		for _, a := range around {
			side := vec.V3{X: top.X + a[0]*b.g.cell*2, Y: top.Y + a[1]*b.g.cell*2, Z: top.Z + 0.1}
			if r := b.s.Box(top.Mad(0.1, vec.Up), side, b.body, level.MaskMove); r.StartSolid || r.Frac < 1 {
				continue
			}
			if p, ok := b.floor(side, 1); ok && vec.Abs(p.Z-top.Z) < 1 {
				b.link(i, b.node(p), d.Move.Z/max(d.Speed, 0.1)+0.5, Ride)
			}
		}
	}
}

// fly follows a pad's throw to where it lands.
func (b *builder) fly(i int32, from, vel vec.V3) {
	const dt = float32(0.05)
	p := from.Mad(0.1, vec.Up)
	for t := float32(0); t < padSeconds; t += dt {
		next := p.Mad(dt, vel)
		vel.Z -= b.m.Gravity * dt
		r := b.s.Box(p, next, b.body, level.MaskMove)
		if r.StartSolid {
			return
		}
		p = r.End
		if r.Frac < 1 {
			if r.Normal.Z >= b.m.MinWalkNormal {
				if q, ok := b.floor(p.Mad(0.1, vec.Up), 1); ok {
					b.link(i, b.node(q), t+0.3, Pad)
				}
				return
			}
			vel = vel.Mad(-vel.Dot(r.Normal), r.Normal)
		}
	}
}

// finish packs the edges.
func (b *builder) finish() {
	for i := range b.out {
		b.g.Nodes[i].first = int32(len(b.g.edges))
		b.g.Nodes[i].n = int32(len(b.out[i]))
		b.g.edges = append(b.g.edges, b.out[i]...)
	}
}

// Nearest returns the node closest to p among those within a few cells, and -1
// when there is none.
func (g *Graph) Nearest(p vec.V3) int32 {
	c := g.column(p)
	best, bestD := int32(-1), float32(1e9)
	for r := int32(0); r <= 4; r++ {
		for x := -r; x <= r; x++ {
			for y := -r; y <= r; y++ {
				if max(x, -x) != r && max(y, -y) != r {
					continue
				}
				for _, i := range g.grid[[2]int32{c[0] + x, c[1] + y}] {
					d := g.Nodes[i].Pos.Sub(p)
					// A place on another floor is far.
					cost := d.Len2() + 3*vec.Abs(d.Z)
					if cost < bestD {
						best, bestD = i, cost
					}
				}
			}
		}
		if best >= 0 && bestD < float32(r)*g.cell+1 {
			break
		}
	}
	return best
}
