package state

import (
	"cmp"

	"github.com/sightline-engine/sightline/game/vec"
)

// Tick counts simulation steps since the match's server started. Time in the
// simulation is nothing else.
type Tick = uint32

// ID names a subject: a player or a thing. 0 is nobody. Players have the ids
// 1..MaxPlayers (slot + 1); things have ids from FirstThing up and reuse an id
// only after a second.
type ID uint16

// Limits of the shared words.
const (
	MaxPlayers    = 512
	FirstThing ID = 1024
	MaxThings     = 4096
	NumWeapons    = 6 // index 0 is "no weapon"
)

// IsPlayer reports whether the id is a player's.
func (id ID) IsPlayer() bool { return id >= 1 && id <= MaxPlayers }

// FreeThings is how many ids of things are given out freely; those above belong to
// the bodies of dead players, one each.
const FreeThings = MaxThings - MaxPlayers

// CorpseOf returns the id of the thing that a player's dead body is. Player and
// body are two subjects: what is known of one says nothing of the other.
func CorpseOf(id ID) ID { return FirstThing + FreeThings + id - 1 }

// Angle16 is an angle in 65536ths of a turn.
type Angle16 uint16

// Deg returns the angle in degrees, in [-180, 180).
func (a Angle16) Deg() float32 { return float32(float32(int16(a)) * (360.0 / 65536)) }

// AngleOf returns the nearest Angle16 to d degrees.
func AngleOf(d float32) Angle16 {
	return Angle16(uint16(vec.Floor(float32(vec.WrapDeg(d)*(65536.0/360)) + 0.5)))
}

// ClampPitch keeps a view from going over: 89 degrees up or down.
func ClampPitch(a Angle16) Angle16 {
	const most = 16202
	return Angle16(uint16(min(max(int16(a), -most), most)))
}

// Q is a position on the 1/256 m grid, the finest that is ever sent of another
// player, and what lag compensation stores.
type Q struct{ X, Y, Z int32 }

// QuantStep is the grid's spacing in metres.
const QuantStep = 1.0 / 256

// Quant rounds p to the grid. Coordinates beyond ±32 km give 0.
func Quant(p vec.V3) Q {
	return Q{quant1(p.X), quant1(p.Y), quant1(p.Z)}
}

func quant1(v float32) int32 {
	if !(v > -32768 && v < 32768) {
		return 0
	}
	return vec.Floor(float32(v*256) + 0.5)
}

// V3 returns the grid point in metres.
func (q Q) V3() vec.V3 {
	return vec.V3{X: float32(float32(q.X) * QuantStep), Y: float32(float32(q.Y) * QuantStep), Z: float32(float32(q.Z) * QuantStep)}
}

// Buttons are held keys in a command.
type Buttons uint16

// The buttons.
const (
	BtnFire Buttons = 1 << iota
	BtnAim
	BtnJump
	BtnCrouch
	BtnWalk
	BtnLeanLeft
	BtnLeanRight
	BtnReload
	BtnUse
	BtnScore
)

// Cmd is one tick of a player's input. A command is consumed by exactly one
// server tick; the client numbers it with the tick that it aims for.
type Cmd struct {
	Tick       Tick
	Buttons    Buttons
	Forward    int8 // -127..127, right-handed: forward, then right
	Right      int8
	Up         int8 // swimming and ladders
	Yaw, Pitch Angle16
	Weapon     uint8 // wanted weapon; 0 keeps
	// ViewTick and ViewFrac (256ths) are the time of other players on the screen
	// when the command was made: a claim, clamped by the server.
	ViewTick Tick
	ViewFrac uint8
	// Edge is how long before the end of the command's tick the trigger was pulled, in
	// 256ths of a tick, and EdgeYaw and EdgePitch are where the view looked then. It
	// counts in the command that presses BtnFire and in no other; 0 is the end.
	Edge               uint8
	EdgeYaw, EdgePitch Angle16
}

// Flags are a player's predicted yes/no facts.
type Flags uint16

// The flags.
const (
	OnGround Flags = 1 << iota
	Ducked         // the body is the crouched one
	JumpHeld       // the jump key made a jump and has not been let go since
	FireHeld       // fire was down in the last command
	Swimming
	OnLadder
	Aiming
	Walking
	Dead
	Frozen       // rules: may look, not move
	NoFire       // rules: may not shoot
	NoPickup     // rules: may not take things
	Invulnerable // rules: takes no damage
	Spectating
	Bystander  // asked to look on: rules bring it into play no more until it asks again
	Suppressed // rules: carries a suppressor, which is on any weapon that takes one
)

// Player is a player's own state: everything that movement and weapons read or
// write, and the few numbers that its owner sees. A client predicts it by running
// pmove and weapon on the last state that it was sent; a field added here is a
// change of the wire.
type Player struct {
	// Movement.
	Pos, Vel   vec.V3 // feet; m/s
	Yaw, Pitch Angle16
	Flags      Flags
	Duck       uint8  // 0 standing .. 255 crouched: where the eye is
	Lean       int8   // -127 left .. 127 right
	WaterLevel uint8  // 0 dry, 1 feet, 2 waist, 3 eyes
	Ground     int16  // model stood on; -1 in the air, 0 the world
	MoveTimer  uint8  // ticks in which friction is off (knockback) or pads rest
	LadderHold uint8  // ticks in which neither ladders nor water hold
	Stride     uint16 // distance walked in 1/64 m, wrapping: the walk cycle and footsteps

	// Riding. A seated body is where its seat is; Pos and Vel follow the vehicle.
	Vehicle uint8 // type of the vehicle that it sits in, plus 1; 0: on foot
	Seat    uint8 // index into the type's seats; 0 drives
	Car     Car   // of who drives, who predicts it; zero for everybody else

	// Weapon.
	Weapon  uint8 // in hand
	Next    uint8 // being raised; 0 none
	WTimer  uint8 // ticks until the weapon may act again
	Shots   uint8 // of the present burst: recoil and spread
	Cool    uint8 // ticks until Shots falls by one
	ShotSeq uint8 // shots fired, wrapping: keys of effects
	Owned   uint8 // bit per weapon
	Ammo    [NumWeapons]uint16
	Mag     [NumWeapons]uint8 // of Ammo those in the magazine, of weapons that have one
	Reload  uint16            // ticks until it is full again; 0: it is not being reloaded
	Optic   uint8             // carried besides, for weapons that take one (tables.Optics); 0 none
	Raise   uint8             // 0 the optic is down .. 255 it is at the eye

	// Acted on from outside.
	Teleports uint8 // counts teleports and spawns: never blended across
	Forced    uint8 // counts every outside force: knockback, push, teleport, rules

	// Blind is for how many ticks a flash is still on the eyes: see scenery.White.
	Blind uint16

	// Not predicted.
	Health int16
	Armor  int16
	Team   uint8
}

// Alive reports whether the player has a living body in the world.
func (p *Player) Alive() bool { return p.Flags&(Dead|Spectating) == 0 }

// Kind is what a subject is.
type Kind uint8

// The kinds of subject.
const (
	KindNone Kind = iota
	KindPlayer
	KindRocket
	KindPickup
	KindCorpse
	KindObjective // what a team carries about or leaves lying: Weapon is its number
	KindCamera    // where an observer looks from: a viewer without a body, never shown
	KindGrenade   // thrown; it goes off after a while
	KindSmoke     // a cloud: see Smoke
	KindHole      // where a burst has blown a cloud away: see Hole
	KindVehicle
	NumKinds
)

// Pose flags of an Entity.
type Pose uint8

// The pose flags.
const (
	PoseDucked Pose = 1 << iota
	PoseOnGround
	PoseFiring
	PoseAiming
	PoseDead
	PoseSwimming
	PoseWalking
)

// Entity is what others are shown of a subject, on the grid of the wire.
type Entity struct {
	ID         ID
	Kind       Kind
	Pose       Pose
	Team       uint8
	Weapon     uint8 // in hand, see Arm; for a pickup its level.PickupKind, for a vehicle its type
	Owner      ID    // who fired or dropped it
	Pos        Q
	Vel        Q // 1/256 m/s
	Yaw, Pitch Angle16
	Duck       uint8
	Lean       int8
	Stride     uint16
	Teleports  uint8
	ShotSeq    uint8
	Health     uint8 // 0 unless a teammate or oneself: 0..255
	Interval   uint8 // ticks between updates of it to this viewer; 0: as often as possible
	Seat       uint8 // of a player: index of the seat that it sits in, plus 1; 0: on foot
}

// OnMuzzle marks in a player's Entity.Weapon that a suppressor is on it, as can be seen.
const OnMuzzle = 0x40

// Arm returns what a player has in its hands, and whether a suppressor is on that.
func (e *Entity) Arm() (weapon uint8, suppressed bool) {
	if e.Kind != KindPlayer && e.Kind != KindCorpse {
		return e.Weapon, false
	}
	return e.Weapon &^ OnMuzzle, e.Weapon&OnMuzzle != 0
}

// EventKind says what happened.
type EventKind uint8

// The kinds of event.
const (
	EvNone EventKind = iota
	EvSpawn
	EvFire    // Actor fired Weapon from Pos along Yaw/Pitch; Param is the shot number
	EvHit     // Actor hit Target for Param damage at Pos (told to the actor only)
	EvHurt    // Target was hurt for Param, from direction Dir (told to the target only)
	EvDeath   // Target died at Pos by Actor's Weapon; Pos only to those who saw it
	EvKill    // kill feed: Actor, Target, Weapon, no position
	EvImpact  // a bullet struck at Pos, normal Dir
	EvExplode // a rocket burst at Pos
	EvPickup  // Actor took item Param
	EvJump
	EvLand // Param is the speed in 1/8 m/s
	EvFootstep
	EvDoor     // door Param started to move at Pos
	EvTeleport // Actor left or arrived at Pos
	EvJoin
	EvLeave
	EvPad
	EvSwitch // weapon raised
	EvDryFire
	EvPing   // Actor marked Pos for its team, which is Param
	EvBreak  // piece Param broke at Pos, struck along Dir
	EvSmoke  // a cloud begins at Pos; Target is its thing
	EvFlash  // a flash at Pos
	EvBounce // a thing in flight struck something at Pos, Dir its normal
	EvReload // Actor began to reload Weapon
	EvSeat   // Actor got into a vehicle (Param 1) or out of it (0) at Pos
	NumEvents
)

// Quiet is the Param of a shot that is heard and not seen, when it left through a
// suppressor; otherwise that is 0.
const Quiet = 1

// Event is one thing that happened in a tick.
type Event struct {
	Kind   EventKind
	Weapon uint8
	Actor  ID
	Target ID
	Param  int32
	Pos    vec.V3
	Dir    vec.V3
	Yaw    Angle16
	Pitch  Angle16
	// Only, when not 0, is the one player who may be told.
	Only ID
	// Muffled says that a shot left through a suppressor. It is for game/hear and
	// nobody is told of it as such.
	Muffled bool
}

// DoorState is where a door is in its swing: a function of this and the tick.
// See game/scenery.
type DoorState struct {
	Open  bool   // where it is going
	Start Tick   // when it began
	From  uint16 // how open it was then, 65535 fully
}

// Piece is the state of one breakable piece of the level (level.Piece). The zero
// value is a piece that was never broken. Everybody is told of it.
type Piece struct {
	Broken bool
	At     Tick // in which it broke, or was mended
}

// Gone reports whether a piece is broken at a tick, as far as its newest state says:
// what it was before it was mended is forgotten.
func (p Piece) Gone(tick Tick) bool { return p.Broken && int32(tick-p.At) >= 0 }

// Score is one row of the scoreboard.
type Score struct {
	ID     ID
	Team   uint8
	Kills  int16
	Deaths int16
	Points int16
	Ping   uint16 // ms
	Bot    bool
	Name   string // at most MaxName bytes of clean UTF-8
}

// CompareScores orders a board: most points first, then by id.
func CompareScores(a, b Score) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.ID, b.ID))
}

// MaxName is the longest player name in bytes.
const MaxName = 32
