package level

import "strings"

// Fold returns the form of a texture name in which two names are compared:
// lower case, forward slashes, no "textures/" in front, no image extension.
func Fold(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimPrefix(name, "textures/")
	for _, ext := range [...]string{".tga", ".jpg", ".jpeg", ".png", ".bmp", ".wal"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// Named says what a texture name means by convention, for maps whose shader
// scripts are not at hand: the tools' textures of the Quake family ("common/…"
// and their bare names), liquids, sky, ladders, glass. Everything else is solid.
func Named(name string) Shader {
	n := Fold(name)
	dir, base := "", n
	if i := strings.LastIndexByte(n, '/'); i >= 0 {
		dir, base = n[:i], n[i+1:]
	}
	if s, ok := toolTexture(base, dir == "common" || dir == "" || dir == "tools" || dir == "special"); ok {
		return s
	}
	starts := func(p string) bool { return strings.HasPrefix(base, p) }
	has := func(p string) bool { return strings.Contains(base, p) }
	switch {
	case strings.HasPrefix(dir, "liquid") || starts("*") || starts("!"):
		switch {
		case has("lava"):
			return Shader{Contents: Lava}
		case has("slime"), has("acid"):
			return Shader{Contents: Slime}
		}
		return Shader{Contents: Water, Surf: SurfTranslucent}
	case dir == "skies", dir == "sky", strings.HasSuffix(dir, "_sky"), base == "sky", dir == "" && starts("sky"):
		return Shader{Contents: Solid, Surf: SurfSky | SurfNoImpact | SurfNoMarks}
	case dir == "fogs", dir == "sfx" && strings.HasSuffix(base, "fog"):
		return Shader{Contents: Fog, Surf: SurfTranslucent}
	case dir == "sfx" && starts("beam"):
		return Shader{Surf: SurfTranslucent, Additive: true, TwoSided: true}
	case starts("ladder"), strings.HasSuffix(base, "_ladder"):
		return Shader{Contents: Solid, Surf: SurfLadder}
	case strings.HasSuffix(base, "_trans"):
		// Nearly all shaders in circulation with this ending are nonsolid.
		return Shader{Surf: SurfTranslucent}
	case dir == "glass", starts("glass"), strings.HasSuffix(base, "_glass"):
		return Shader{Contents: Glass, Surf: SurfTranslucent}
	}
	return Shader{Contents: Solid}
}

// toolTexture knows the textures that mean something to tools. Names that are
// ordinary words count only in the tools' own folders.
func toolTexture(base string, tools bool) (Shader, bool) {
	hidden := SurfNoDraw | SurfNoMarks
	switch base {
	case "caulk", "nodrawsolid", "full_caulk", "blackcaulk", "metalcaulk", "grasscaulk", "dirtcaulk":
		s := Shader{Contents: Solid, Surf: hidden}
		if base == "metalcaulk" {
			s.Surf |= SurfMetal
		}
		return s, true
	case "clip", "playerclip", "full_clip", "ladderclip":
		s := Shader{Contents: PlayerClip, Surf: hidden}
		if base == "ladderclip" {
			s.Surf |= SurfLadder
		}
		return s, tools || base != "clip"
	case "missileclip":
		return Shader{Contents: PlayerClip, Surf: hidden | SurfNoDamage}, true
	case "weapclip", "weaponclip_full":
		// A weapon clip of the original stops bodies too.
		return Shader{Contents: Glass, Surf: hidden}, true
	case "weaponclip", "shotclip":
		return Shader{Contents: WeaponClip, Surf: hidden}, true
	case "slick":
		return Shader{Contents: Solid, Surf: SurfSlick}, tools
	case "ladder":
		return Shader{Contents: Solid, Surf: SurfLadder}, tools
	case "trigger":
		return Shader{Contents: Trigger, Surf: hidden}, tools
	case "nodrop":
		return Shader{Contents: NoDrop, Surf: hidden}, true
	case "nodraw", "nodrawnonsolid", "botclip", "monsterclip", "hint", "hintskip", "skip", "areaportal",
		"clusterportal", "donotenter", "antiportal", "lightgrid", "origin", "null", "hint_local":
		return Shader{Surf: hidden}, tools || base == "botclip" || base == "clusterportal"
	case "invisible":
		return Shader{Contents: Glass, Surf: hidden}, tools
	case "water", "slime", "lava":
		c := map[string]Contents{"water": Water, "slime": Slime, "lava": Lava}[base]
		return Shader{Contents: c, Surf: SurfTranslucent}, tools
	}
	return Shader{}, false
}

// Shader says what a texture name means: what the scripts at hand say, else what
// the name says.
func (o Options) Shader(name string) Shader {
	if o.Shaders != nil {
		if s, ok := o.Shaders(name); ok {
			return s
		}
	}
	return Named(name)
}
