package main

import "image/color"

// size is the edge of a texture in pixels: 64 map units at the default scale of
// 0.5, so 2 m.
const size = 128

// texture is one picture: a pattern in a colour.
type texture struct {
	name  string // below textures/, without extension
	base  color.NRGBA
	draw  func(p *picture)
	label string // what tools' textures say of themselves
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

func faint(v uint32, alpha uint8) color.NRGBA {
	c := rgb(v)
	c.A = alpha
	return c
}

// textures are all of them: those of the shipped maps, near in colour to what the
// game draws, and the tools' textures that the map reader understands.
var textures = []texture{
	{name: "sl/wall", base: rgb(0xb4aa9d), draw: func(p *picture) { p.grain(7); p.blocks(64, 32, 14) }},
	{name: "sl/panel", base: rgb(0x8a939f), draw: func(p *picture) { p.grain(4); p.blocks(64, 64, 22); p.rivets(64, 18) }},
	{name: "sl/concrete", base: rgb(0xa19a90), draw: func(p *picture) { p.grain(9); p.blocks(128, 128, 10) }},
	{name: "sl/floor", base: rgb(0x95918c), draw: func(p *picture) { p.grain(6); p.slabs(64, 16) }},
	{name: "sl/tile", base: rgb(0xaaadae), draw: func(p *picture) { p.grain(3); p.slabs(32, 20) }},
	{name: "sl/grate", base: rgb(0x6b6d70), draw: func(p *picture) { p.slots(16, 40) }},
	{name: "sl/metal", base: rgb(0x8e9298), draw: func(p *picture) { p.brushed(8); p.rivets(128, 24) }},
	{name: "sl/crate", base: rgb(0xb1905e), draw: func(p *picture) { p.planks(16, 12); p.frame(10, -30) }},
	{name: "sl/trim_orange", base: rgb(0xe7833c), draw: func(p *picture) { p.grain(3); p.stripes(32, 12) }},
	{name: "sl/trim_blue", base: rgb(0x397cbf), draw: func(p *picture) { p.grain(3); p.stripes(32, 12) }},
	{name: "sl/door", base: rgb(0xcea546), draw: func(p *picture) { p.brushed(6); p.blocks(128, 32, 26); p.frame(6, -40) }},
	{name: "sl/pad", base: rgb(0x50edc4), draw: func(p *picture) { p.rings(16, 60) }},
	{name: "sl/portal", base: rgb(0xb36ff9), draw: func(p *picture) { p.rings(24, 70) }},
	{name: "sl/lamp", base: rgb(0xffeccb), draw: func(p *picture) { p.frame(8, -70); p.slots(32, 10) }},
	{name: "sl/glass", base: faint(0x95b5bc, 110), draw: func(p *picture) { p.glints(30); p.frame(3, 40) }},
	{name: "sl/sky", base: rgb(0x7fa8d8), draw: func(p *picture) { p.grain(2) }, label: "SKY"},
	{name: "sl/caulk", base: rgb(0xd060c0), draw: func(p *picture) { p.checks(32, 24) }, label: "CAULK"},

	{name: "common/caulk", base: rgb(0xd060c0), draw: func(p *picture) { p.checks(32, 24) }, label: "CAULK"},
	{name: "common/clip", base: faint(0xc04040, 150), draw: func(p *picture) { p.checks(32, 24) }, label: "CLIP"},
	{name: "common/weapclip", base: faint(0xb06030, 150), draw: func(p *picture) { p.checks(32, 24) }, label: "WEAPCLIP"},
	{name: "common/shotclip", base: faint(0xb08030, 150), draw: func(p *picture) { p.checks(32, 24) }, label: "SHOTCLIP"},
	{name: "common/trigger", base: faint(0xd0a030, 140), draw: func(p *picture) { p.checks(32, 24) }, label: "TRIGGER"},
	{name: "common/nodraw", base: faint(0x808080, 140), draw: func(p *picture) { p.checks(32, 24) }, label: "NODRAW"},
	{name: "common/nodrop", base: faint(0x705080, 140), draw: func(p *picture) { p.checks(32, 24) }, label: "NODROP"},
	{name: "common/hint", base: faint(0x60c060, 140), draw: func(p *picture) { p.checks(32, 24) }, label: "HINT"},
	{name: "common/skip", base: faint(0x408040, 120), draw: func(p *picture) { p.checks(32, 24) }, label: "SKIP"},
	{name: "common/invisible", base: faint(0x5090b0, 120), draw: func(p *picture) { p.checks(32, 24) }, label: "INVIS."},
	{name: "common/slick", base: rgb(0x90d0e0), draw: func(p *picture) { p.glints(24) }, label: "SLICK"},
	{name: "common/ladder", base: rgb(0x9a7a4a), draw: func(p *picture) { p.blocks(128, 16, 40); p.frame(10, 30) }, label: "LADDER"},
	{name: "common/water", base: faint(0x3070c0, 150), draw: func(p *picture) { p.waves(14) }, label: "WATER"},
	{name: "common/slime", base: faint(0x60a020, 190), draw: func(p *picture) { p.waves(18) }, label: "SLIME"},
	{name: "common/lava", base: rgb(0xd05010), draw: func(p *picture) { p.waves(30) }, label: "LAVA"},
}
