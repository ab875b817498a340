package ledger

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Kind says what a Record is of.
type Kind uint8

// The kinds of record.
const (
	_       Kind = iota
	Begin        // Viewer may know of Target from Tick on: Subject, Reason
	Change       // it still may, for another Reason
	End          // it may not any more: Cause, and Seq, Packets of its time
	Sent         // S: Seq is the first packet that holds Target's state since Begin
	Arrived      // the server heard that the packet Seq is there; A lies between it and Sent
	Source       // Who decides from Tick on
	Name         // player Viewer is called Text
	Left         // player Viewer has left: Text
	Gap          // Count ticks before Tick were not recorded, Items things of them besides
	Carry        // open since before this part: Since and what Begin to Arrived told
	Fired        // Shot
	Sample       // a pair as it stood, drawn by chance: Reason, Distance, Aim
	Report       // the client's own word on Target and packet Seq, made at SentAt: Claim
	Plugin       // what became of a plugin's process: Text, Count is its number, 0 none
	Table        // the number Text of the tables is To from Tick on; Count is their version
	numKinds
)

// Cause says why a disclosure ended.
type Cause uint8

// The causes.
const (
	StillOpen  Cause = iota // it has not ended
	Withheld                // asked, and not permitted any more
	NotAsked                // no candidate any more: out of range
	Dead                    // Target has no living body any more, or is used up
	Gone                    // Target is not there any more
	NoBody                  // Viewer has no living body any more
	ViewerGone              // Viewer is not there any more
	NumCauses
)

func (c Cause) String() string {
	if c >= NumCauses {
		return "unknown"
	}
	return [NumCauses]string{"still open", "withheld", "out of range", "died", "gone", "no body", "viewer gone"}[c]
}

// Record is one entry. Which fields hold something is said at its Kind.
type Record struct {
	Kind    Kind
	Tick    state.Tick
	Viewer  state.ID
	Target  state.ID
	Subject state.Kind
	Reason  vis.Reason
	Who     vis.Source
	Cause   Cause
	Bot     bool // of Name

	Seq     uint64 // a packet's number; of End the last one with Target's state, 0: none
	Packets uint32 // with Target's state, of End and Carry
	Count   uint32 // of Gap, Plugin and Table
	Items   uint32

	Since     state.Tick // of Carry, as the next three
	SentAt    state.Tick // with Seq, the first packet; Seq 0: none yet; also of Report
	ArrivedAt state.Tick
	HasCome   bool

	Distance uint32 // of Sample, from eye to chest, cm
	Aim      uint8  // of Sample, between the view's direction and there, degrees
	Claim    Claim  // of Report

	Text string
	To   float32 // of Table
	Shot Shot
}

// Claim is when a client came to know of a target and when it drew it, by its own word,
// which its clock cannot prove. Microseconds; S is when the packet left.
type Claim struct {
	// CameUS is A − S as estimated, and it is no less than LeastUS and no more than
	// MostUS. All three are the same where the client's clock is the server's: in
	// stepped time.
	CameUS, LeastUS, MostUS uint32
	// Drawn says that a frame has drawn the target; then DrawnUS is R − A, and up to
	// LookUS more, for a packet waits until the client looks. One that is not Drawn has
	// gone again without having been on the screen.
	Drawn           bool
	DrawnUS, LookUS uint32
	// Clamped says that the word could not be true and was brought into what can.
	Clamped bool
}

// Shot is what the ledger keeps of a shot. Texts are short words for a reader.
type Shot struct {
	Target  state.ID // whom it hit, 0 nobody
	Near    state.ID // whom it hit or passed closest by
	Refused state.ID // who was not hit because its shooter's client did not show it

	Weapon, Result, Why string
	Shown               string // how the shooter's client showed Near

	Damage   int32
	Killed   bool
	Evidence bool // at somebody whom the client did not show

	Claimed256 int64  // how long ago the client claims to have seen it, 1/256 ticks
	Used256    uint32 // and how long ago it was tested
	Limit256   uint32 // the most that the line explains
}

// MaxText is the longest text of a record, bytes.
const MaxText = 64

// idSpace is one more than the largest id that a ledger holds.
const idSpace = int(state.FirstThing) + state.MaxThings
