// Package rules is what game rules are written against: an interface that is
// called once per tick with what happened, and a vocabulary of operations (Op)
// that the engine checks and applies at the start of the next tick.
//
// Rules decide who spawns where, scores, phases and messages. They never answer
// synchronously: whatever they would veto is state that they set before (flags on
// players, tables). Randomness comes from the seed and the tick.
//
// All types are plain data. A Rules value is called from one goroutine at a time
// and must keep neither a Tick nor its slices after the call.
package rules

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

// Spawn is a place to enter the level.
type Spawn struct {
	Pos  vec.V3
	Yaw  float32
	Team uint8 // 0 anyone
}

// Zone is a part of the level that its map gave a name, for rules to make of it what
// they like.
type Zone struct {
	Name string
	Box  vec.Box
}

// Match is what rules are started with.
type Match struct {
	Level     string
	LevelHash [32]byte
	Seed      uint64
	TickRate  int
	Spawns    []Spawn
	Zones     []Zone
	Tables    tables.Set
	Settings  map[string]string
	Roster    []Member // players already present
	Saved     []byte   // nil, or what Save gave in an earlier life
	SavedTick state.Tick
}

// Member is one player of the roster.
type Member struct {
	ID   state.ID
	Team uint8
	Bot  bool
	Name string
}

// PlayerRow is what rules are told of a player each tick.
type PlayerRow struct {
	ID       state.ID
	Team     uint8
	Flags    state.Flags
	Pos, Vel vec.V3
	Yaw      float32
	Health   int16
	Armor    int16
	Weapon   uint8
	Buttons  state.Buttons // of the last command: a press of fire asks for a respawn
	DeadFor  uint16        // ticks since death, 0 when alive
	OutOfMap bool
}

// TickIn is one tick of a match.
type TickIn struct {
	Tick      state.Tick
	Replaying bool
	Players   []PlayerRow
	Events    []state.Event
	Joined    []Member
	Left      []state.ID
	Chat      []Chat // commands and lines that players typed
}

// Chat is a line that a player typed.
type Chat struct {
	ID   state.ID
	Text string
}

// OpKind is what an operation does.
type OpKind uint8

// The operations.
const (
	OpNone     OpKind = iota
	OpSpawn           // ID enters at Pos, Yaw with Health, Armor (Value, Value2) and the default arms
	OpKillOff         // ID dies without a killer
	OpSetTeam         // Value
	OpGive            // Weapon with Value rounds
	OpTake            // Weapon
	OpSetFlags        // Flags set, Flags2 cleared: Frozen, NoFire, NoPickup, Invulnerable, Suppressed only
	OpTeleport        // ID to Pos, Yaw
	OpDamage          // ID by Value
	OpHeal            // ID by Value, and its armour by Value2
	OpScore           // ID's row: Value kills, Value2 deaths, Value3 points
	OpPhase           // Value is the Phase, Value2 its end tick or 0
	OpAnnounce        // Text to ID, or to everyone when 0
	OpHUD             // Text is key=value for ID, or everyone
	OpEndMatch        // Text says why
	OpDoor            // door Value opens, closes or, if hinged, goes ajar: Value2 is DoorOpen, DoorClosed or DoorAjar
	OpRemove          // thing ID
	OpSpectate        // ID becomes a spectator, watching Value (0 nobody)
	OpTeams           // all: Value 1 makes teammates enemies, Value2 is the percentage of a blow that a mate is spared, 0 to 100
	OpCarry           // ID takes objective Value, 0 to MaxObjectives-1, wherever it is
	OpPlace           // objective Value lies at Pos; of one that is carried, with Value2 1, at its carrier's feet
	OpOptic           // ID carries optic Value (tables.Optics), 0 none
	OpPiece           // piece Value, or every one when -1, breaks (Value2 1) or is mended (0)
	OpVehicle         // Value 1: a vehicle of type Weapon (tables.Vehicles) comes to Pos, Yaw; 0: the vehicle ID goes for good
	OpTable           // the number Text of the tables (tables.Value) is Pos.X from tick Value on; see SetTable and ResetTables
	NumOps
)

// MaxObjectives is how many things there are at most that can be carried and placed.
const MaxObjectives = 8

// Phase of a match.
type Phase = int32

// The phases.
const (
	Warmup Phase = iota
	Live
	Over
)

// Op is one operation. Fields that a kind does not name are zero.
type Op struct {
	Kind                  OpKind
	ID                    state.ID
	Weapon                uint8
	Flags, Flags2         state.Flags
	Value, Value2, Value3 int32
	Pos                   vec.V3
	Yaw                   float32
	Text                  string // at most MaxText bytes
}

// MaxText is the longest Op.Text in bytes.
const MaxText = 256

// MaxOps is the most operations in one tick's answer.
const MaxOps = 4096

// Rules is what an author writes.
type Rules interface {
	// Start begins a match.
	Start(m *Match) error
	// Tick appends this tick's operations to ops and returns it.
	Tick(in *TickIn, ops []Op) []Op
	// Save returns the state as of the last tick, for Match.Saved.
	Save() []byte
}

// Runner is what a server uses: Submit a tick, Take what has been answered since,
// without waiting.
type Runner interface {
	// Submit hands over one tick; in is not kept.
	Submit(in *TickIn)
	// Take returns the operations that are due now, in order; valid until the next
	// Submit.
	Take() []Op
}

// Inline makes a Runner of rules in this process: what a tick answers is taken at
// the start of the next, as with a process.
func Inline(r Rules) Runner { return &inline{r: r} }

type inline struct {
	r   Rules
	ops []Op
}

// Tables is what the rules want a match to begin with.
func (i *inline) Tables() []tables.Value { return TablesOf(i.r) }

func (i *inline) Submit(in *TickIn) { i.ops = i.r.Tick(in, i.ops[:0]) }

func (i *inline) Take() []Op {
	ops := i.ops
	i.ops = i.ops[:0]
	return ops
}

// Spec names rules and how they are made.
type Spec struct {
	Name    string
	Version string
	Help    string
	Schema  Schema
	New     func() Rules
}

// Where OpDoor sends a door.
const (
	DoorClosed = 0
	DoorOpen   = 1
	DoorAjar   = 2
)
