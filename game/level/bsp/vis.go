package bsp

import (
	"fmt"
	"math"

	"github.com/sightline-engine/sightline/game/level"
)

// readVis reads the tree of space and the potentially visible set.
func (p *parser) readVis() error {
	nodes, leafs := p.lump[lumpNodes], p.lump[lumpLeafs]
	if nodes.len() == 0 || leafs.len() == 0 {
		return nil
	}
	v := &level.Vis{Nodes: make([]level.VisNode, nodes.len()), Leafs: make([]level.VisLeaf, leafs.len())}
	v.Planes = make([]level.Plane, len(p.planes))
	for i, pl := range p.planes {
		pl = pl.Scale(p.scale)
		if !pl.N.IsFinite() || math.IsNaN(pl.D) || math.IsInf(pl.D, 0) {
			pl.N, pl.D = [3]float64{0, 0, 1}, 0
			p.b.Warn(level.Source{Entity: -1, Brush: -1, Line: -1}, "plane %d is not finite", i)
		}
		v.Planes[i] = level.Plane{N: pl.N.Vec(), D: float32(pl.D) + 0}
	}
	for i := range v.Nodes {
		r := nodes.at(i)
		n := level.VisNode{Plane: r.int(0), Children: [2]int{r.int(4), r.int(8)}}
		if err := p.lump[lumpPlanes].index(n.Plane, lumpNodes, i); err != nil {
			return err
		}
		for _, c := range n.Children {
			if c >= nodes.len() || -1-c >= leafs.len() {
				return fmt.Errorf("lump %q [%d]: child %d, with %d nodes and %d leafs", lumps[lumpNodes].name, i, c, nodes.len(), leafs.len())
			}
		}
		v.Nodes[i] = n
	}
	for i := range v.Leafs {
		r := leafs.at(i)
		l := level.VisLeaf{Cluster: r.int(0), Area: r.int(4)}
		if l.Cluster < -1 || l.Cluster > leafs.len() || l.Area < -1 || l.Area > leafs.len() {
			return fmt.Errorf("lump %q [%d]: cluster %d, area %d", lumps[lumpLeafs].name, i, l.Cluster, l.Area)
		}
		v.Clusters, v.Areas = max(v.Clusters, l.Cluster+1), max(v.Areas, l.Area+1)
		v.Leafs[i] = l
	}
	p.readRows(v)
	p.b.Level().Vis = v
	return nil
}

// readRows reads the visibility rows. Where there are none, or their size makes
// no sense, everything is potentially visible.
func (p *parser) readRows(v *level.Vis) {
	data := record(p.lump[lumpVisibility].data)
	if len(data) == 0 {
		return
	}
	odd := func(why string) {
		p.b.Warn(level.Source{Entity: -1, Brush: -1, Line: -1}, "visibility data left out: %s; everything is potentially visible", why)
	}
	if len(data) < 8 {
		odd("it is cut short")
		return
	}
	clusters, row := data.int(0), data.int(4)
	switch {
	case clusters < v.Clusters:
		odd(fmt.Sprintf("it has %d clusters, the leafs %d", clusters, v.Clusters))
	case row <= 0 || int64(row)*8 < int64(clusters) || int64(clusters)*int64(row) > int64(len(data)-8):
		odd(fmt.Sprintf("%d clusters in rows of %d bytes do not fit %d", clusters, row, len(data)-8))
	default:
		v.Clusters, v.RowBytes = clusters, row
		v.Rows = append([]byte(nil), data[8:8+clusters*row]...)
	}
}
