package vis

import (
	"math/bits"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Subject is one player or thing as a policy sees it.
type Subject struct {
	ID    state.ID
	Kind  state.Kind
	Owner state.ID // 0, or whose answer this thing shares (attached)
	Team  uint8    // 0: everyone is an enemy
	Alive bool     // a living player's body, or any thing that can be drawn

	Pos   vec.V3  // feet, or the thing's origin
	Eye   vec.V3  // leaned and ducked; the origin for a thing
	Chest vec.V3  // the origin for a thing
	Box   vec.Box // in world space
	Vel   vec.V3  // m/s; a player's own, and that of a mover under its feet

	Yaw, Pitch float32
	Lean       float32 // -1..1
	Ducked     bool
	Aiming     bool
	Weapon     uint8
	Fired      bool // in this tick
	// Blind is for how many ticks more the player sees nothing but white, by what the
	// server itself has done to it.
	Blind uint16

	Teleports uint8    // changes when the path jumps
	Watching  state.ID // whom a spectator watches; 0 nobody
}

// Viewer is one client as a policy sees it.
type Viewer struct {
	Subject    int // index of its player in Input.Subjects, -1 when it has no body
	ID         state.ID
	RTTms      float32 // measured by the server
	JitterMS   float32
	RenderMS   float32 // the dictated interpolation delay
	BufferMS   float32 // how long its commands wait at the server before they are run
	StillMS    float32 // for so long the commands that are here already leave its body where it stands
	Loss       float32 // share of the packets to it that were lost lately, 0 to 1
	SendTicks  uint8   // ticks until the next packet to it can leave, 0 and 1: each tick
	Spectating state.ID
	Scope      Scope
}

// Input is everything a policy may know of one tick: full state, never a delta.
type Input struct {
	Tick     state.Tick
	TickRate int
	Seed     uint64
	Subjects []Subject
	Viewers  []Viewer
	Doors    []state.DoorState
	Pieces   []state.Piece // parallel to Level.Pieces
	Smokes   []state.Smoke // clouds, each also a Subject
	Holes    []state.Hole  // in those
	// Asked has a bit per viewer and subject: the pairs that the engine wants
	// decided (candidates). Row v starts at word v*Words.
	Asked []uint64
	// VehicleRange is how far off vehicles are told of, in metres, whatever hides them:
	// a rule of the engine, of which policies are not asked. 0 has no limit.
	VehicleRange float32
	Words        int // words per row: ceil(len(Subjects)/64)

	// Standing is what was disclosed when another began to decide, or one anew that has
	// seen nothing yet: usually nothing. See Heir.
	Standing []Standing

	field field // scratch of Candidates
}

// Reset empties the Input for a new tick, keeping its memory.
func (in *Input) Reset(tick state.Tick, tickRate int) {
	in.Tick, in.TickRate = tick, tickRate
	in.Subjects, in.Viewers, in.Doors = in.Subjects[:0], in.Viewers[:0], in.Doors[:0]
	in.Pieces = in.Pieces[:0]
	in.Smokes, in.Holes = in.Smokes[:0], in.Holes[:0]
	in.Asked, in.Words = in.Asked[:0], 0
	in.Standing = in.Standing[:0]
}

// SizeAsked makes Asked fit the present subjects and viewers, all bits clear.
func (in *Input) SizeAsked() {
	in.Words = (len(in.Subjects) + 63) / 64
	in.Asked = sized(in.Asked, in.Words*len(in.Viewers))
}

// IsAsked reports whether viewer v's pair with subject s is asked.
func (in *Input) IsAsked(v, s int) bool { return in.Asked[v*in.Words+s/64]&(1<<(s%64)) != 0 }

// Ask marks the pair.
func (in *Input) Ask(v, s int) { in.Asked[v*in.Words+s/64] |= 1 << (s % 64) }

// Reason says why a pair was permitted (or not).
type Reason uint8

// The reasons. They are written to the ledger and drawn by developer views.
const (
	Hidden    Reason = iota // not permitted
	Self                    // engine
	Teammate                // engine
	Spectated               // engine
	Attached                // engine: shares its owner's answer
	Open                    // the policy sends everything in range
	EyeEye                  // a clear line from eye to eye
	EyeChest                // eye to chest
	ChestEye                // chest to eye
	Predicted               // a ray between predicted places
	Shifted                 // a ray shifted sideways
	Body                    // another part of the body
	Held                    // seen a moment ago
	ArmsReach               // too close to hide
	Untested                // never tested yet, and the policy's setting sends such
	Cone                    // inside a scope cone
	PVS                     // potentially visible
	Late                    // the policy was late: a standing answer's hold
	Fallback                // the fallback decided
	Distance                // engine: a vehicle within its range
	NumReasons
)

var reasonNames = [NumReasons]string{
	"hidden", "self", "teammate", "spectated", "attached", "open", "eye-eye", "eye-chest", "chest-eye",
	"predicted", "shifted", "body", "held", "arms-reach", "untested", "cone", "pvs", "late", "fallback", "distance",
}

func (r Reason) String() string {
	if r < NumReasons {
		return reasonNames[r]
	}
	return "unknown"
}

// Answer is what a policy decided for one tick. Rows are viewers, columns
// subjects, as in the Input with the same tick.
type Answer struct {
	Tick     state.Tick
	Viewers  int
	Subjects int
	Words    int
	Permit   []uint64     // bit per pair
	Reason   []Reason     // viewers × subjects
	Hold     []state.Tick // permitted until this tick without a new word; viewers × subjects
	Interval []uint8      // update every so many 32nds of a second, 0 and 1: as often as possible, NoNews: not at all; viewers × subjects
	Rays     int          // spent
	Source   Source       // who decided

	gate gate // scratch of Gate
}

// NoNews is the interval of a subject of which the viewer keeps what it has and is
// told nothing newer: one that is not in sight and stays known for a moment only
// because it may come back.
const NoNews = 255

// Source says who decided an answer.
type Source uint8

// The sources of an Answer.
const (
	FromPolicy   Source = iota
	FromStanding        // the last answer's holds, after a miss
	FromFallback
)

func (s Source) String() string {
	return [...]string{"policy", "standing", "fallback"}[min(int(s), 2)]
}

// Reset makes the Answer fit in's shape with nothing permitted.
func (a *Answer) Reset(in *Input) {
	a.Tick, a.Viewers, a.Subjects, a.Words = in.Tick, len(in.Viewers), len(in.Subjects), in.Words
	a.Permit = sized(a.Permit, a.Words*a.Viewers)
	a.Reason = sized(a.Reason, a.Viewers*a.Subjects)
	a.Hold = sized(a.Hold, a.Viewers*a.Subjects)
	a.Interval = sized(a.Interval, a.Viewers*a.Subjects)
	a.Rays, a.Source = 0, FromPolicy
}

// Renew is Reset for an Answer that nothing but Allow, Deny, Gate and a decoder has filled,
// so that nothing is said of pairs that are not permitted: of the same shape only what
// is permitted is wiped out.
func (a *Answer) Renew(in *Input) {
	if a.Viewers != len(in.Viewers) || a.Subjects != len(in.Subjects) || a.Words != in.Words ||
		len(a.Permit) != a.Words*a.Viewers || len(a.Reason) != a.Viewers*a.Subjects {
		a.Reset(in)
		return
	}
	for at, word := range a.Permit {
		base := at/a.Words*a.Subjects + at%a.Words*64
		for ; word != 0; word &= word - 1 {
			if i := base + bits.TrailingZeros64(word); i < len(a.Reason) {
				a.Reason[i], a.Hold[i], a.Interval[i] = Hidden, 0, 0
			}
		}
		a.Permit[at] = 0
	}
	a.Tick, a.Rays, a.Source = in.Tick, 0, FromPolicy
}

// Allow permits the pair until a tick, for a reason.
func (a *Answer) Allow(v, s int, r Reason, hold state.Tick, interval uint8) {
	a.Permit[v*a.Words+s/64] |= 1 << (s % 64)
	i := v*a.Subjects + s
	a.Reason[i], a.Hold[i], a.Interval[i] = r, hold, interval
}

// Deny withdraws the pair.
func (a *Answer) Deny(v, s int) {
	a.Permit[v*a.Words+s/64] &^= 1 << (s % 64)
	i := v*a.Subjects + s
	a.Reason[i], a.Hold[i], a.Interval[i] = Hidden, 0, 0
}

// Permitted reports whether viewer v may know of subject s.
func (a *Answer) Permitted(v, s int) bool {
	return a.Permit[v*a.Words+s/64]&(1<<(s%64)) != 0
}

// Env is what a policy is made with.
type Env struct {
	World    *trace.World
	TickRate int
	Seed     uint64
	Settings Settings
}

// Policy is what an author writes. Decide reads in and fills out, which has been
// Reset to in's shape. It must not keep either. Same inputs in the same order
// give the same answers, whatever the clock says.
type Policy interface {
	Decide(in *Input, out *Answer)
}

// Decider is what a server uses: Submit early in the tick, Collect late, always
// an answer. Submit does not keep in beyond the matching Collect; the Answer
// belongs to the Decider until the next Submit.
type Decider interface {
	Submit(in *Input)
	Collect() *Answer
}

// Inline makes a Decider of a policy in this process.
func Inline(p Policy) Decider { return &inline{p: p} }

type inline struct {
	p   Policy
	out Answer
}

func (d *inline) Submit(in *Input) {
	d.out.Reset(in)
	d.p.Decide(in, &d.out)
}

func (d *inline) Collect() *Answer { return &d.out }

// sized returns s with length n, zeroed, reusing its memory.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}
