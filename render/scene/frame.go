package scene

import "github.com/go-gl/mathgl/mgl32"

// Camera is where a frame is seen from. Pos is the eye.
type Camera struct {
	Pos              mgl32.Vec3
	Yaw, Pitch, Roll float32
	// FovX is the horizontal angle at 4:3; wider windows see more to the sides,
	// never less above and below. 0 means 90.
	FovX      float32
	Near, Far float32 // 0: 0.05 and 2000
}

// Weapon is what a figure holds.
type Weapon uint8

// Weapons that have a model.
const (
	NoWeapon Weapon = iota
	Rifle
	RocketLauncher
	Canister   // of smoke or light, to be thrown
	QuietRifle // a Rifle with a suppressor
)

// Figure is one player's body.
type Figure struct {
	Pos        mgl32.Vec3 // between the feet, on the ground
	Yaw, Pitch float32    // where it aims
	Crouch     float32    // 0 standing … 1 crouched
	Seated     float32    // 1: sits, the feet ahead, while crouched
	Lean       float32    // -1 left … 1 right
	Velocity   mgl32.Vec3 // metres per second: which way the legs step
	Stride     float32    // phase of the walk in full cycles (two steps); grows with distance walked
	Air        float32    // 0 on the ground … 1 in the air
	Color      mgl32.Vec3 // team colour, linear
	Weapon     Weapon
	Firing     float32 // 1 at a shot, falling to 0
	Pain       float32 // 1 when just hit, falling to 0
	Dead       float32 // 0 alive … 1 lying
	Name       string  // shown over the head while ShowName is set
	ShowName   bool
	Seed       uint32 // makes two figures differ a little
}

// ViewWeapon is the weapon in the viewer's own hands.
type ViewWeapon struct {
	Weapon Weapon // NoWeapon: nothing is drawn
	Color  mgl32.Vec3
	Bob    float32    // phase of the walk, in full cycles
	Walk   float32    // 0 standing … 1 at full speed: how much of the bob shows
	Recoil float32    // 1 at a shot, falling to 0
	Flash  float32    // muzzle flash, 1 falling to 0
	Raise  float32    // 0 in hand … 1 lowered out of sight
	Aim    float32    // 0 hip … 1 looking along the sights
	Sway   mgl32.Vec2 // degrees by which the weapon lags behind the view
}

// ItemKind is what lies there to be picked up.
type ItemKind uint8

// Kinds of item.
const (
	HealthItem ItemKind = iota
	ArmourItem
	AmmoItem
	RifleItem
	RocketItem
	FlagItem
	SatchelItem
)

// Item is one pickup. Taken items are left out, or shown with Fade.
type Item struct {
	Kind  ItemKind
	Pos   mgl32.Vec3 // on the ground below it
	Spin  float32    // degrees
	Fade  float32    // 0 there … 1 gone
	Color mgl32.Vec3 // zero: the kind's own
	// Carried is on somebody's back: Pos is its middle, and Spin where that one looks.
	Carried bool
}

// Vehicle is one open car with four seats.
type Vehicle struct {
	Pos        mgl32.Vec3 // on the ground below its middle
	Yaw, Pitch float32    // degrees
	Turned     float32    // of the wheels, radians
	Color      mgl32.Vec3
}

// Projectile is one thing in flight; its trail is sprites or a beam.
type Projectile struct {
	Pos   mgl32.Vec3
	Dir   mgl32.Vec3 // unit; which way the nose points
	Color mgl32.Vec3
	Trail float32 // metres of glowing trail drawn behind it
	// Thrown is a canister of a hand's size in Color, without a flame.
	Thrown bool
}

// Beam is a line of light with a width: a tracer, a trail, a laser.
type Beam struct {
	From, To mgl32.Vec3
	Width    float32    // metres
	Color    mgl32.Vec3 // at To; fades to nothing at From when Taper is set
	Alpha    float32
	Taper    bool
}

// SpriteKind is the look of a sprite.
type SpriteKind uint8

// Kinds of sprite. The first three add light, the others cover.
const (
	GlowSprite     SpriteKind = iota // a soft round light
	SparkSprite                      // a hot streak along Vel
	FireSprite                       // a billowing ball, Age 0…1 from white-hot to dark
	RingSprite                       // a shock ring, flat to the viewer
	SmokeSprite                      // a puff, lit by sun and sky
	DustSprite                       // a small puff in Color
	BlobSprite                       // a soft dark disc lying on the ground: shadow, scorch
	SplinterSprite                   // a sharp sliver of something solid, Vel from end to end
)

// Sprite is one picture that faces the viewer.
type Sprite struct {
	Kind  SpriteKind
	Pos   mgl32.Vec3
	Vel   mgl32.Vec3 // direction of a streak, length of a splinter; for a blob the normal of what it lies on
	Size  float32    // radius in metres
	Turn  float32    // degrees
	Color mgl32.Vec3
	Alpha float32
	Age   float32 // 0…1
	Seed  float32 // any number: makes two alike differ
}

// PointLight shines Radius metres far. The drawer uses the strongest few.
type PointLight struct {
	Pos    mgl32.Vec3
	Radius float32
	Color  mgl32.Vec3
}

// Cloud is a ball of smoke. Inside Radius it hides what is behind it by its Density;
// a soft rim lies outside.
type Cloud struct {
	Pos     mgl32.Vec3
	Radius  float32
	Density float32 // 1 opaque
}

// CloudHole is where something has blown a cloud away: whatever is seen through it is
// seen.
type CloudHole struct {
	Cloud  int // of Frame.Clouds
	Pos    mgl32.Vec3
	Radius float32
	Open   float32 // 1 … 0 closed again
}

// Line is one thin line of a fixed width on the screen, for looking at what the
// program thinks.
type Line struct {
	A, B  mgl32.Vec3
	Color RGBA
	OnTop bool // drawn through walls
}

// Place says where a brush model is: turned about an upright hinge, then moved. The
// zero Place is at rest.
type Place struct {
	Offset mgl32.Vec3
	// The turn, counter-clockwise from above, about the upright line through Hinge.
	// Sin and Cos are both 0 where there is none.
	Hinge    mgl32.Vec2
	Sin, Cos float32
}

// Bounds returns a box around a box of the model where the model is.
func (p *Place) Bounds(lo, hi mgl32.Vec3) (mgl32.Vec3, mgl32.Vec3) {
	if p.Sin != 0 || p.Cos != 0 {
		x, y := (lo[0]+hi[0])/2-p.Hinge[0], (lo[1]+hi[1])/2-p.Hinge[1]
		w, d := (hi[0]-lo[0])/2, (hi[1]-lo[1])/2
		x, y = p.Hinge[0]+p.Cos*x-p.Sin*y, p.Hinge[1]+p.Sin*x+p.Cos*y
		s, c := max(p.Sin, -p.Sin), max(p.Cos, -p.Cos)
		w, d = c*w+s*d, s*w+c*d
		lo[0], hi[0], lo[1], hi[1] = x-w, x+w, y-d, y+d
	}
	return lo.Add(p.Offset), hi.Add(p.Offset)
}

// Frame is everything that changes from frame to frame.
type Frame struct {
	Time        float64 // seconds; moves water and clouds, nothing else
	Camera      Camera
	Models      []Place // by brush model; missing ones are at rest
	Figures     []Figure
	View        ViewWeapon
	Items       []Item
	Vehicles    []Vehicle
	Projectiles []Projectile
	Beams       []Beam
	Sprites     []Sprite
	Clouds      []Cloud
	CloudHoles  []CloudHole
	Lights      []PointLight
	Lines       []Line
	// Tint is laid over the picture before the HUD: under water, hurt, dead.
	Tint RGBA
	HUD  HUD
}

// Reset empties the frame and keeps its memory.
func (f *Frame) Reset() {
	f.Time = 0
	f.Camera = Camera{}
	f.Models = f.Models[:0]
	clear(f.Figures) // drop names
	f.Figures = f.Figures[:0]
	f.View = ViewWeapon{}
	f.Items = f.Items[:0]
	f.Vehicles = f.Vehicles[:0]
	f.Projectiles = f.Projectiles[:0]
	f.Beams = f.Beams[:0]
	f.Sprites = f.Sprites[:0]
	f.Clouds, f.CloudHoles = f.Clouds[:0], f.CloudHoles[:0]
	f.Lights = f.Lights[:0]
	f.Lines = f.Lines[:0]
	f.Tint = RGBA{}
	f.HUD.Reset()
}

// Box adds the twelve edges of a box to the frame's lines.
func (f *Frame) Box(lo, hi mgl32.Vec3, c RGBA, onTop bool) {
	corner := func(i int) mgl32.Vec3 {
		p := lo
		for k := range 3 {
			if i>>k&1 == 1 {
				p[k] = hi[k]
			}
		}
		return p
	}
	for i := range 8 {
		for k := range 3 {
			if j := i | 1<<k; j != i {
				f.Lines = append(f.Lines, Line{A: corner(i), B: corner(j), Color: c, OnTop: onTop})
			}
		}
	}
}
