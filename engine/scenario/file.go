package scenario

import (
	"errors"
	"fmt"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/game/level"
)

// File is a scene as it is written: who stands where, who moves how, what happens,
// and who must be told of whom. ReadFile makes a Scene of it, which Scene.Run plays
// with one policy.
//
// Lengths are in the file's units, times in seconds from the scene's beginning, and
// angles in degrees. Nobody is simulated: bodies are where the file says, on straight
// lines between the places of a path, so that a scene has one right answer.
type File struct {
	Name       string  // what it is called in tables
	About      string  // one sentence: what is right, and why
	Group      string  // scenes of one group are compared in one table
	Units      string  // "metres", or "map": 1/32 m
	TickRate   int     `toml:"tick_rate"`   // 64 when left out
	SnapshotHz int     `toml:"snapshot_hz"` // 0: with every tick
	AtOnce     *bool   `toml:"at_once"`     // a reveal does not wait for its turn; true when left out
	Seconds    float64 // how long it takes
	Seed       uint64  // of jitter, loss and policies
	Policy     string  // deaddrop when left out
	RangeM     float64 `toml:"range_m"` // of candidates, metres; 0 has no limit
	FrameHz    float64 `toml:"frame_hz"`
	Backfill   *bool   // a first snapshot shows where the target came from; true when left out
	BufferMS   float64 `toml:"buffer_ms"` // how long commands wait at the server
	// VehicleRangeM is how far off vehicles are told of, metres; 0 has no limit.
	VehicleRangeM float64 `toml:"vehicle_range_m"`
	Map           string  // path of a map; or slabs
	// SpectateDelayS is how late who watches is told, seconds.
	SpectateDelayS float64 `toml:"spectate_delay_s"`

	Measure [][]string // pairs [viewer, target] to measure; when left out those of the expectations, and of up to three players all enemies

	Body     BodySpec
	Earshot  EarshotSpec
	Settings map[string]map[string]float64 // by policy
	Slab     []Slab
	Door     []DoorSpec
	Player   []PlayerSpec
	Vehicle  []VehicleSpec
	Event    []EventSpec
	Expect   []Expect
}

// BodySpec replaces the body of the movement table; what is 0 is left as it is there.
type BodySpec struct {
	Half, Height, Eye float64
}

// EarshotSpec replaces earshots of the arena's tables, in the file's units; what is 0
// is left as it is there.
type EarshotSpec struct {
	Shot, Muffled, Step, Jump, Land, Reload, Door float64
}

// Slab is a box: "solid" (when left out), "glass", "clip" or "weaponclip". A piece can
// be broken by an event; pieces are counted from 0 in the order of the slabs.
type Slab struct {
	Min, Max []float64
	Kind     string
	Piece    bool
}

// DoorSpec is a door, closed at first. It slides by Move, or turns about Hinge.
type DoorSpec struct {
	Min, Max []float64
	Move     []float64 // from closed to open
	Speed    float64   // units per second
	Open     float64   // how open it stands at first, 0 to 1
	Hinge    []float64 // [x, y] of the upright line that it turns about
	Degrees  float64   // from closed to open, counter-clockwise from above
	Turn     float64   `toml:"degrees_per_second"`
}

// PlayerSpec is a player and its link.
type PlayerSpec struct {
	Name      string
	Team      int
	Feet, Eye []float64   // either; the place before the path begins
	Path      [][]float64 // [seconds, x, y, z], the feet
	Yaw       float64
	Turn      [][]float64 // [seconds, degrees]
	Ducked    bool
	Optic     string // that it carries: "2x", "4x" or "8x"; iron sights when left out
	Link      LinkSpec
	InterpMS  *float64 `toml:"interp_ms"` // dictated interpolation delay; two snapshots when left out
	Client    *bool    // false: a body without a client; true when left out
}

// LinkSpec is both directions of a player's link.
type LinkSpec struct {
	RTTms    float64 `toml:"rtt_ms"`
	JitterMS float64 `toml:"jitter_ms"`
	Loss     float64 // share of snapshots that do not arrive
}

// EventSpec is something that happens at a time:
//
//	kind = "door"      door = 0, open = true
//	kind = "break"     piece = 0; open = true mends it
//	kind = "shot"      player; suppressed = true: through a suppressor
//	kind = "step"      player: a footstep
//	kind = "jump"      player
//	kind = "land"      player
//	kind = "reload"    player
//	kind = "aim"       player, on: the first and the last command that asks for its optic
//	kind = "lean"      player, lean: from then on it leans so far, -1 left to 1 right
//	kind = "join"      player: is not there before
//	kind = "die"       player
//	kind = "spectate"  player, target ("" for nobody)
//	kind = "camera"    player, on, place: who has no body flies free there, late
//	kind = "mark"      player: marks for its team what it looks at, level
//	kind = "full"      player: asks for its whole state
//	kind = "carry"     player: carries an objective, which lies where it dies
//	kind = "drop"      player: leaves a weapon where it is
//	kind = "teams"     on = false: everyone is everyone's enemy
//	kind = "smoke"     place, radius (130/32 m), age: it began so many seconds before
//	kind = "blast"     place, radius (100/32 m): blows a hole into the smoke there
//	kind = "flash"     player, ms: the server blinds it for so long
//	kind = "enter"     player, vehicle, seat: sits there, 0 drives, wherever it was
//	kind = "leave"     player: stands where its path says
//	kind = "table"     name = "sounds.step", to = 5: an earshot of the tables is so many metres from then on
type EventSpec struct {
	At             float64
	Kind           string
	Player, Target string
	Door           int
	Piece          int
	Vehicle        string
	Seat           int
	Open, On       bool
	Suppressed     bool
	Place          []float64
	Radius         float64
	Age            float64 // seconds
	MS             float64
	Lean           float64 // -1 to 1
	Name           string  // of a number of the tables
	To             float64 // what it becomes, in the unit of the tables
}

// Expect is what must come out. The target may be a vehicle for sent, first and
// transitions; instead of it, sent may name a thing. Of sent, first, held_ms, transitions, hears and
// blind one is given, with viewer and target; rays_per_tick and untested are of
// the whole scene, and so is alike.
type Expect struct {
	Viewer, Target string
	Thing          string    // "corpse", "objective" or "weapon": any of those
	Sent           *bool     // in every snapshot from From to To, or in none
	From, To       float64   // To 0: to the end
	First          []float64 // the first snapshot with the target is in [from, to]
	HeldMS         []float64 `toml:"held_ms"`     // how long it is still sent after it was last visible, [least, most]
	Transitions    *int      `toml:"transitions"` // how often it may vanish and come back
	Missing        *int      // frames at most in which it is missing on the screen; beyond range_m those in which the viewer's optic shows it
	Hears          string    // "shot", "step", "jump", "land", "reload", "seat", "door" or "mark"
	Times          []int     // how often, [least, most]
	Within         float64   // of the place where it was, the place that is told; 0: anywhere
	Named          *bool     // whether it is told whose it was; left out: either
	Blind          bool      // the viewer's packets are the same bits when the target is not there
	RaysPerTick    *int      `toml:"rays_per_tick"`
	Untested       *int      // pairs at most that are sent because they were never tested
	Alike          bool      // the same times in all eight orientations
	Fails          map[string]string
}

// A Fault is something wrong in a file, with its place.
type Fault struct {
	File string
	Line int
	Text string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// ReadFile reads a scene. load finds the map that it names; nil when maps cannot be
// loaded. What is wrong is a *Fault.
func ReadFile(name string, data []byte, load func(ref string) (*level.Level, error)) (*Scene, error) {
	f := &File{TickRate: 64, Policy: "deaddrop", FrameHz: 144, BufferMS: 16, RangeM: 350, VehicleRangeM: 350, Units: "metres"}
	if err := config.DecodeStrict(name, data, f); err != nil {
		var p *config.Problem
		if !errors.As(err, &p) {
			return nil, &Fault{name, 0, err.Error()}
		}
		text := p.Text
		if p.Key != "" {
			text = p.Key + ": " + text
		}
		return nil, &Fault{name, p.Line, text}
	}
	lines := fileLines(data)
	c := &checker{f: f, file: name, lines: lines}
	s, err := c.scene(load)
	if err != nil {
		return nil, err
	}
	return s, nil
}
