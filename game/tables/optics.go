package tables

// Optic is one row of the table of optics: what is looked through while aiming.
type Optic struct {
	Name string
	// Magnification is how many times larger things look; 1 is the naked eye, over
	// iron sights. Above 1 the picture is round.
	Magnification float32
	FovDeg        float32 // height of the picture, which is the width of a round one, degrees
	RangeM        float32 // how far it shows people, metres; 0: no farther than the naked eye
	RaiseMS       float32 // to bring it to the eye
	LowerMS       float32 // to take it down
	TurnDPS       float32 // how fast a view turns through it, degrees per second; 0 has no limit
	AimSpeed      float32 // factor on Movement.AimSpeed
	Spread        float32 // factor on Weapon.SpreadAim
}

// Optic indexes.
const (
	Iron = iota
	Scope2x
	Scope4x
	Scope8x
	NumOptics
)

// Magnifies reports whether the optic shows more than the naked eye does.
func (o *Optic) Magnifies() bool { return o.Magnification > 1 && o.RangeM > 0 }

// OpticNamed returns the index of an optic, and false when there is none of that
// name.
func (s *Set) OpticNamed(name string) (int, bool) {
	for i := range s.Optics {
		if s.Optics[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// optics are the shipped ones. The height of the strongest one's picture is that of
// the scene in which scopes are flicked about, 11.25 degrees; those of the others are
// in proportion to a picture 90 degrees wide. Times, rates and ranges are judgement:
// the stronger an optic, the longer it takes and the slower it turns.
func optics() [NumOptics]Optic {
	return [NumOptics]Optic{
		Iron: {Name: "iron", Magnification: 1, FovDeg: 57, RaiseMS: 140, LowerMS: 120, AimSpeed: 1, Spread: 1},
		Scope2x: {
			Name: "2x", Magnification: 2, FovDeg: 41, RangeM: 500, RaiseMS: 200, LowerMS: 150,
			TurnDPS: 300, AimSpeed: 0.95, Spread: 0.85,
		},
		Scope4x: {
			Name: "4x", Magnification: 4, FovDeg: 21.5, RangeM: 700, RaiseMS: 280, LowerMS: 180,
			TurnDPS: 180, AimSpeed: 0.85, Spread: 0.6,
		},
		Scope8x: {
			Name: "8x", Magnification: 8, FovDeg: 11.25, RangeM: 1000, RaiseMS: 380, LowerMS: 220,
			TurnDPS: 120, AimSpeed: 0.7, Spread: 0.35,
		},
	}
}
