package tables

// Movement is the table that game/pmove runs on.
type Movement struct {
	Name string

	// Speeds, m/s.
	RunSpeed, WalkSpeed, CrouchSpeed, SwimSpeed, LadderSpeed, AimSpeed float32

	// Accelerations, 1/s (Quake III's pm_accelerate family), and friction, 1/s.
	Accelerate, AirAccelerate, WaterAccelerate float32
	Friction, WaterFriction, StopSpeed         float32
	AirControl                                 float32 // 0: none
	AirSpeedCap                                float32 // wished speed in the air is capped here; 0: not
	MaxSpeed                                   float32 // of any velocity component

	Gravity, JumpSpeed float32
	StepHeight         float32
	MinWalkNormal      float32 // a plane with a smaller normal z is too steep
	Overclip           float32

	// Body: half width and heights from the feet.
	HalfWidth                      float32
	StandHeight, CrouchHeight      float32
	StandEye, CrouchEye            float32
	ChestFrac                      float32 // of the body's height
	DuckMS                         float32 // to move the eye down or up
	LeanOffset, LeanMS             float32 // sideways metres of the eye at full lean
	AutoJump                       bool    // holding jump jumps again on landing
	KnockbackMS                    float32 // friction is off after a knock
	FallSafeSpeed, FallDamagePerMS float32 // landing faster than this hurts, per m/s
}

// Weapon is one row of the weapon table.
type Weapon struct {
	Name         string
	IntervalMS   float32 // between shots
	RaiseMS      float32
	Damage       float32
	HeadFactor   float32
	LimbFactor   float32
	Range        float32
	SpreadDeg    float32 // of a still, fresh shot
	SpreadMove   float32 // added at run speed
	SpreadShot   float32 // added per shot of a burst
	SpreadMax    float32
	SpreadAim    float32 // factor while aiming
	CoolMS       float32 // a burst shot is forgotten after
	AmmoMax      uint16
	AmmoSpawn    uint16
	AmmoPickup   uint16
	Automatic    bool
	Projectile   bool
	Melee        bool    // strikes within Range, with a volume instead of a line
	SweepRadius  float32 // of that volume, metres
	Speed        float32 // projectile, m/s
	LifeMS       float32
	SplashRadius float32
	SplashDamage float32
	Knockback    float32 // m/s per point of damage
	SelfFactor   float32 // of splash damage to its owner
	Earshot      float32 // metres
	GlassShare   float32 // of a bullet's damage that is left behind a pane that it broke
	Optic        int     // its own, of Set.Optics
	Mounts       bool    // takes the optic that a player carries instead

	Throws      int     // Throws…: what it throws; a projectile then, and rounds are pieces
	FuseMS      float32 // from the throw until it goes off
	Bounce      float32 // share of the speed that is left after striking a wall
	CloudRadius float32 // of the smoke, metres
	FlashRange  float32 // metres within which a flash blinds
	FlashMS     float32 // for how long nothing but white is seen, at most
	FadeMS      float32 // for how long the white then fades
	HoleRadius  float32 // of what its burst blows out of smoke, metres; 0: nothing
	// Muffled is the earshot of a shot through a suppressor, metres, and Suppressor says
	// that the weapon is fired through one. What a client claims of it does not count.
	Muffled    float32
	Suppressor bool
	Mag        uint16 // rounds in a magazine; 0: it has none and fires from all its rounds
	ReloadMS   float32
}

// Weapon indexes.
const (
	NoWeapon = iota
	Rifle
	Rocket
	Knife
	SmokeGrenade
	FlashGrenade
	NumWeapons
)

// What a weapon throws.
const (
	ThrowsNothing = iota
	ThrowsSmoke
	ThrowsFlash
	numThrows
)

// Items are the numbers of pickups.
type Items struct {
	Health, Mega, Armor, Shard                  int
	HealthMax, MegaMax, ArmorMax                int
	HealthMS, MegaMS, ArmorMS, AmmoMS, WeaponMS float32 // until it returns
	Radius, Height                              float32 // reach of a pickup
	SpawnHealth, SpawnArmor                     int
	RespawnMS                                   float32 // shortest time dead
}

// Sounds are the earshots of what is no shot, in metres: within it a listener hears
// whoever it is not being sent. 0 is silent. Who walks or crouches makes no steps:
// see game/pmove.
type Sounds struct {
	Step, Jump, Land, Pad           float32
	Reload, Switch, DryFire, Pickup float32
	Door                            float32 // from the door
	Explode                         float32 // of a projectile that bursts
	Bounce                          float32 // of what is thrown, striking something
	Smoke, Flash                    float32 // of what is thrown, going off
	Break                           float32 // of a piece of the level
}

// Set is all tables of a match.
type Set struct {
	Version  int
	Movement Movement
	Weapons  [NumWeapons]Weapon
	Optics   [NumOptics]Optic
	Items    Items
	Sounds   Sounds
	Vehicles [NumVehicles]Vehicle
}
