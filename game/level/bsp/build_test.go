package bsp_test

import (
	"bytes"
	"encoding/binary"
	"math"
)

// image is a compiled map being written: only what tests need of a compiler.
type image struct {
	lump [17][]byte
}

const (
	entities = iota
	shaders
	planes
	nodes
	leafs
	leafSurfaces
	leafBrushes
	models
	brushes
	brushSides
	verts
	indexes
	fogs
	surfaces
	lightmaps
	lightGrid
	visibility
)

func words(vs ...any) []byte {
	var b bytes.Buffer
	for _, v := range vs {
		switch v := v.(type) {
		case int:
			binary.Write(&b, binary.LittleEndian, int32(v))
		case float64:
			binary.Write(&b, binary.LittleEndian, math.Float32bits(float32(v)))
		}
	}
	return b.Bytes()
}

func (m *image) add(lump int, vs ...any) { m.lump[lump] = append(m.lump[lump], words(vs...)...) }

func (m *image) shader(name string, surf, contents int) {
	var n [64]byte
	copy(n[:], name)
	m.lump[shaders] = append(m.lump[shaders], n[:]...)
	m.add(shaders, surf, contents)
}

// box adds a brush's planes and sides.
func (m *image) box(x0, y0, z0, x1, y1, z1 float64, shader int) {
	first := len(m.lump[brushSides]) / 8
	for i, d := range []float64{-x0, x1, -y0, y1, -z0, z1} {
		var n [3]float64
		n[i/2] = float64(2*(i%2) - 1)
		m.add(brushSides, len(m.lump[planes])/16, shader)
		m.add(planes, n[0], n[1], n[2], d)
	}
	m.add(brushes, first, 6, shader)
}

func (m *image) vertex(x, y, z float64) {
	m.add(verts, x, y, z, x/64, y/64, 0.5, 0.5, 0.0, 0.0, 1.0)
	m.lump[verts] = append(m.lump[verts], 255, 255, 255, 255)
}

// surface adds a surface's record; w and h are a patch's.
func (m *image) surface(shader, kind, firstVert, n, firstIndex, indices, lightmap, w, h int) {
	m.add(surfaces, shader, -1, kind, firstVert, n, firstIndex, indices, lightmap)
	m.add(surfaces, 0, 0, 128, 128)
	for range 12 {
		m.add(surfaces, 0.0)
	}
	m.add(surfaces, w, h)
}

// hall is a floor, a sheet of glass and a door, with one drawn polygon, a curved
// surface, a flare, a lightmap, and two leafs that see each other.
func hall() *image {
	m := &image{}
	m.lump[entities] = []byte("{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"info_player_deathmatch\"\n\"origin\" \"0 0 24\"\n}\n" +
		"{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n\"origin\" \"64 0 0\"\n\"angle\" \"-1\"\n}\n")
	m.shader("textures/stone", 0, 1)
	m.shader("textures/pane", 0, 1|0x20000000)
	m.shader("textures/air", 0x4000, 0)
	m.box(-256, -256, -16, 256, 256, 0, 0)
	m.box(-8, -64, 0, 8, 64, 64, 1)
	m.box(-8, -32, 0, 8, 32, 64, 0)
	m.add(models, -256.0, -256.0, -16.0, 256.0, 256.0, 64.0, 0, 3, 0, 2)
	m.add(models, -8.0, -32.0, 0.0, 8.0, 32.0, 64.0, 3, 0, 2, 1)
	for _, c := range [][2]float64{{0, 0}, {0, 64}, {64, 64}, {64, 0}} { // clockwise from above
		m.vertex(c[0], c[1], 0)
	}
	m.add(indexes, 0, 1, 2, 0, 2, 3)
	for y := range 3 {
		for x := range 3 {
			m.vertex(float64(x*32), float64(y*32), []float64{0, 32, 0}[x])
		}
	}
	m.surface(0, 1, 0, 4, 0, 6, 0, 0, 0)
	m.surface(0, 2, 4, 9, 0, 0, -3, 3, 3)
	m.surface(0, 4, 0, 0, 0, 0, -1, 0, 0)
	m.lump[lightmaps] = bytes.Repeat([]byte{7}, 128*128*3)
	m.add(nodes, 0, -1, -2, 0, 0, 0, 0, 0, 0)
	m.add(leafs, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	m.add(leafs, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	m.add(visibility, 2, 1)
	m.lump[visibility] = append(m.lump[visibility], 3, 2)
	return m
}

// bytes joins the lumps, with filler between them that is nobody's.
func (m *image) bytes() []byte {
	out := append([]byte("IBSP"), words(46)...)
	at := 8 + 8*len(m.lump)
	var body []byte
	for _, l := range m.lump {
		out = append(out, words(at+len(body), len(l))...)
		body = append(body, l...)
		body = append(body, bytes.Repeat([]byte{0xAA}, 8)...)
	}
	return append(out, body...)
}
