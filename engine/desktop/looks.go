package desktop

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/render/scene"
)

// look is how a texture without a picture is drawn.
type look struct {
	kind                  scene.Kind
	color                 mgl32.Vec3 // linear
	glow                  float32
	translucent, twoSided bool
}

// ownLooks are the textures of the maps that ship with the engine. Concrete is warm
// and trims are saturated, so that cover, edges and the way out read at a distance.
var ownLooks = map[string]look{
	"sl/wall":        {kind: scene.Wall, color: mgl32.Vec3{0.46, 0.41, 0.34}},
	"sl/panel":       {kind: scene.Metal, color: mgl32.Vec3{0.25, 0.29, 0.34}},
	"sl/concrete":    {kind: scene.Wall, color: mgl32.Vec3{0.36, 0.33, 0.29}},
	"sl/floor":       {kind: scene.Floor, color: mgl32.Vec3{0.30, 0.285, 0.265}},
	"sl/tile":        {kind: scene.Floor, color: mgl32.Vec3{0.40, 0.42, 0.43}},
	"sl/grate":       {kind: scene.Metal, color: mgl32.Vec3{0.15, 0.155, 0.165}},
	"sl/metal":       {kind: scene.Metal, color: mgl32.Vec3{0.27, 0.285, 0.31}},
	"sl/crate":       {kind: scene.Crate, color: mgl32.Vec3{0.44, 0.28, 0.13}},
	"sl/trim_orange": {kind: scene.Trim, color: mgl32.Vec3{0.80, 0.23, 0.03}},
	"sl/trim_blue":   {kind: scene.Trim, color: mgl32.Vec3{0.04, 0.20, 0.52}},
	"sl/door":        {kind: scene.Metal, color: mgl32.Vec3{0.62, 0.38, 0.06}},
	"sl/pad":         {kind: scene.Lamp, color: mgl32.Vec3{0.08, 0.85, 0.55}},
	"sl/portal":      {kind: scene.Lamp, color: mgl32.Vec3{0.45, 0.16, 0.95}, twoSided: true},
	"sl/lamp":        {kind: scene.Lamp, color: mgl32.Vec3{1.0, 0.84, 0.60}},
	"sl/glass":       {kind: scene.Glass, color: mgl32.Vec3{0.30, 0.46, 0.50}, translucent: true, twoSided: true},
	"sl/sky":         {kind: scene.SkyHole},
	"sl/caulk":       {kind: scene.Hidden},
	"common/trigger": {kind: scene.Hidden},
}

// words in a texture's name that say what it is made of; the first that fits wins.
var words = []struct {
	part string
	kind scene.Kind
}{
	{"light", scene.Lamp}, {"lamp", scene.Lamp}, {"lava", scene.Lava}, {"slime", scene.Slime}, {"water", scene.Water},
	{"glass", scene.Glass}, {"window", scene.Glass}, {"ladder", scene.Ladder},
	{"crate", scene.Crate}, {"wood", scene.Crate}, {"plank", scene.Crate}, {"box", scene.Crate},
	{"grass", scene.Ground}, {"rock", scene.Ground}, {"dirt", scene.Ground}, {"sand", scene.Ground}, {"mud", scene.Ground}, {"terrain", scene.Ground},
	{"metal", scene.Metal}, {"steel", scene.Metal}, {"iron", scene.Metal}, {"rust", scene.Metal}, {"pipe", scene.Metal},
	{"grate", scene.Metal}, {"grill", scene.Metal}, {"door", scene.Metal}, {"plate", scene.Metal},
	{"trim", scene.Trim}, {"border", scene.Trim}, {"edge", scene.Trim},
	{"floor", scene.Floor}, {"tile", scene.Floor}, {"ground", scene.Floor}, {"pavement", scene.Floor}, {"step", scene.Floor},
}

// thin are words in the names of beams, flares and stains, which authors lay over
// the level as transparent sheets.
var thin = []string{"beam", "flare", "_dcl", "decal", "glow", "halo", "shadow", "fog", "spawn", "stain"}

// nothingWithoutPicture reports whether a translucent surface is better left out than
// drawn with a generated look: a board would stand in the air or lie on the floor.
func nothingWithoutPicture(name string, contents level.Contents) bool {
	if contents&(level.Solid|level.Glass) == 0 {
		return true
	}
	n := level.Fold(name)
	return slices.ContainsFunc(thin, func(part string) bool { return strings.Contains(n, part) })
}

// guessLook chooses a look by what is known of a surface and by its name.
func guessLook(name string, surf level.Surf, contents level.Contents) look {
	n := level.Fold(name)
	k := scene.Wall
	switch {
	case surf&level.SurfSky != 0:
		return look{kind: scene.SkyHole}
	case contents&level.Lava != 0:
		return look{kind: scene.Lava}
	case contents&level.Slime != 0:
		return look{kind: scene.Slime, translucent: true, twoSided: true}
	case contents&level.Water != 0:
		return look{kind: scene.Water, translucent: true, twoSided: true}
	case surf&level.SurfLadder != 0:
		k = scene.Ladder
	case contents&level.Glass != 0 && surf&level.SurfTranslucent != 0:
		return look{kind: scene.Glass, translucent: true, twoSided: true}
	case surf&level.SurfMetal != 0:
		k = scene.Metal
	default:
		for _, w := range words {
			if strings.Contains(n, w.part) {
				k = w.kind
				break
			}
		}
	}
	l := look{kind: k, color: hue(n, k)}
	switch k {
	case scene.Glass, scene.Water, scene.Slime:
		l.color, l.translucent, l.twoSided = mgl32.Vec3{}, true, true
	case scene.Lava:
		l.color = mgl32.Vec3{}
	}
	return l
}

// base colours of the kinds that are tinted by name, linear.
var base = [scene.KindCount]mgl32.Vec3{
	scene.Wall: {0.42, 0.38, 0.33}, scene.Floor: {0.31, 0.29, 0.27}, scene.Trim: {0.55, 0.27, 0.08},
	scene.Metal: {0.25, 0.27, 0.30}, scene.Crate: {0.42, 0.28, 0.14}, scene.Ground: {0.40, 0.40, 0.40},
	scene.Lamp: {1.0, 0.86, 0.64}, scene.Ladder: {0.30, 0.28, 0.25},
}

// hue varies a kind's colour a little by name, so that neighbours can be told
// apart; the same name has the same colour on every machine.
func hue(name string, k scene.Kind) mgl32.Vec3 {
	h := fnv.New32a()
	h.Write([]byte(name))
	x := h.Sum32()
	c := base[k]
	for i := range 3 {
		c[i] *= 0.85 + 0.3*float32(x>>(8*i)&255)/255
	}
	return c
}

func number(s string) (float32, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 32)
	return float32(f), err == nil && f == f
}
