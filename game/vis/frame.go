package vis

import (
	"github.com/sightline-engine/sightline/game/hear"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Frame is everything of one tick that could be shown to somebody. The server
// fills it beside the Input of the same tick and hands it to Build, which alone
// decides what of it gets into a View. Its memory belongs to the server and is
// reused from tick to tick.
type Frame struct {
	Tick     state.Tick
	Entities []state.Entity // parallel to Input.Subjects
	Own      []Own          // parallel to Input.Viewers
	Events   []state.Event
	Doors    []state.DoorState // parallel to Level.Doors
	Pieces   []state.Piece     // parallel to Level.Pieces

	// DoorAt, when it is as long as Doors, says what space each door moves in; those
	// farther than DoorRange metres from a viewer are left out of its View. A
	// DoorRange of 0 has no limit.
	DoorAt    []vec.Box
	DoorRange float32

	// PieceAt, when it is as long as Pieces, says where each stands.
	PieceAt []vec.Box

	Sight *Sight // lines from eyes to where things happened; nil: nothing is in sight
	// Sounds say how far whom a client is not being sent is heard; nil: nobody is. It is
	// kept by Reset.
	Sounds *hear.Rules
	// EventRange is how far off what happened can be seen, in metres: nobody beyond
	// it is known either. 0 has no limit.
	EventRange float32

	// Past returns how a player stood at an earlier tick, false when that is not
	// known; nil: nothing is. Build asks it where those came from who come into view.
	Past func(id state.ID, tick state.Tick) (state.Body, bool)

	ready  bool  // index is that of this tick
	index  index // subject of an id
	field  doorField
	broken []PieceSeen
	ears   []*hear.Memory // by id, of those for whom a View of their own was built
	maker  Maker
}

// Own is what a client is told of itself: its predicted state, and how its
// commands are doing.
type Own struct {
	ID       state.ID
	Watching state.ID // whom it spectates; 0 nobody
	Player   state.Player
	LastCmd  state.Tick // of the last command that was consumed or made up
	Starved  uint16     // commands that had to be made up so far, wrapping
	Margin   int8       // smallest slack of recent commands, in ticks
	Interp   uint16     // dictated interpolation delay in 1/256 ticks
	Delay    uint16     // how old the rest of the View is, in ticks: a spectator's delay
	Tables   uint8      // the low bits of the version of the tables announced last

	// Undisturbed is for how many ticks now nothing but the client's own commands
	// has acted on Player: a client that had its state of so many ticks ago has
	// predicted this one. It is not sent.
	Undisturbed uint16
}

// Reset empties the Frame for a new tick, keeping its memory.
func (f *Frame) Reset(tick state.Tick) {
	f.Tick = tick
	f.Entities, f.Own, f.Events = f.Entities[:0], f.Own[:0], f.Events[:0]
	f.Doors = f.Doors[:0]
	f.Pieces = f.Pieces[:0]
	f.ready = false
}

// Prepare makes out what all Views of a tick have in common, when Frame and Input are
// filled. Build does it when nobody has.
func (f *Frame) Prepare(in *Input) {
	if f.ready {
		return
	}
	f.field.take(f.DoorAt, f.Doors)
	f.index.fill(in.Subjects)
	f.breaks()
	last := state.ID(0)
	for i := range in.Viewers {
		if id := in.Viewers[i].ID; id.IsPlayer() {
			last = max(last, id)
		}
	}
	for i := range in.Subjects {
		if id := in.Subjects[i].ID; id.IsPlayer() {
			last = max(last, id)
		}
	}
	f.field.grow(last)
	f.listen(last)
	f.ready = true
}

// index finds a subject by its id.
type index struct {
	at   []int16 // by id; subject + 1
	used []state.ID
}

func (x *index) fill(subjects []Subject) {
	for _, id := range x.used {
		x.at[id] = 0
	}
	x.used = x.used[:0]
	if x.at == nil {
		x.at = make([]int16, 1<<16)
	}
	for i := range subjects {
		if id := subjects[i].ID; id != 0 && i < 1<<15-1 {
			x.at[id] = int16(i + 1)
			x.used = append(x.used, id)
		}
	}
}

// of returns the subject with an id, and -1 when there is none.
func (x *index) of(id state.ID) int16 { return x.at[id] - 1 }
