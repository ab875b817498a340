package level

// Content and surface flags as Quake III's compilers write them. The names and
// numbers are the file format's.
const (
	Q3Solid         = 1
	Q3Lava          = 8
	Q3Slime         = 16
	Q3Water         = 32
	Q3Fog           = 64
	Q3AreaPortal    = 0x8000
	Q3PlayerClip    = 0x10000
	Q3MonsterClip   = 0x20000
	Q3ClusterPortal = 0x100000
	Q3DoNotEnter    = 0x200000
	Q3BotClip       = 0x400000
	Q3Origin        = 0x1000000
	Q3Detail        = 0x8000000
	Q3Structural    = 0x10000000
	Q3Translucent   = 0x20000000
	Q3Trigger       = 0x40000000
	Q3NoDrop        = 0x80000000

	Q3SurfNoDamage    = 1
	Q3SurfSlick       = 2
	Q3SurfSky         = 4
	Q3SurfLadder      = 8
	Q3SurfNoImpact    = 0x10
	Q3SurfNoMarks     = 0x20
	Q3SurfFlesh       = 0x40
	Q3SurfNoDraw      = 0x80
	Q3SurfHint        = 0x100
	Q3SurfSkip        = 0x200
	Q3SurfMetal       = 0x1000
	Q3SurfNonSolid    = 0x4000
	Q3SurfAlphaShadow = 0x10000
)

// FromQuake3 translates compiled flags. A solid through which one sees (compiled
// as translucent, or casting shadows by its image's alpha: a grate, a window)
// is Glass: it stops a body and a shot, and hides nobody.
func FromQuake3(contents, surf uint32) (Contents, Surf) {
	var c Contents
	if contents&Q3Solid != 0 {
		c = Solid
		if contents&Q3Translucent != 0 || surf&Q3SurfAlphaShadow != 0 {
			c = Glass
		}
	}
	for _, r := range [...]struct {
		q uint32
		c Contents
	}{
		{Q3PlayerClip, PlayerClip}, {Q3Water, Water}, {Q3Slime, Slime}, {Q3Lava, Lava},
		{Q3Fog, Fog}, {Q3Trigger, Trigger}, {Q3NoDrop, NoDrop}, {Q3Detail, Detail},
	} {
		if contents&r.q != 0 {
			c |= r.c
		}
	}
	var s Surf
	for _, r := range [...]struct {
		q uint32
		s Surf
	}{
		{Q3SurfNoDamage, SurfNoDamage}, {Q3SurfSlick, SurfSlick}, {Q3SurfSky, SurfSky}, {Q3SurfLadder, SurfLadder},
		{Q3SurfNoImpact, SurfNoImpact}, {Q3SurfNoMarks, SurfNoMarks}, {Q3SurfNoDraw, SurfNoDraw},
		{Q3SurfHint, SurfNoDraw}, {Q3SurfSkip, SurfNoDraw}, {Q3SurfMetal, SurfMetal},
	} {
		if surf&r.q != 0 {
			s |= r.s
		}
	}
	if contents&Q3Translucent != 0 {
		s |= SurfTranslucent
	}
	return c, s
}
