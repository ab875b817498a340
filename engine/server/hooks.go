package server

import (
	"time"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// Hooks are called on the server's goroutine at what their names say. Any may be
// nil. They must not call back into the Server.
type Hooks struct {
	// TickDone reports how long a tick took and how late it began.
	TickDone func(tick state.Tick, took time.Duration)
	// Stage reports how long one call of the main loop took, each in every tick, in
	// order, before TickDone. It is called only while Measure is on.
	Stage func(stage Stage, took time.Duration)
	// Decided reports the answer that was in force, after the gate. in and ans are
	// only valid during the call.
	Decided func(in *vis.Input, ans *vis.Answer)
	// Event reports every event of the world.
	Event func(tick state.Tick, e *state.Event)
	// Shot reports the record of every shot; it is only valid during the call.
	Shot func(sh *Shot)
	// Joined and Left report sessions.
	Joined func(id state.ID, name string, bot bool)
	Left   func(id state.ID, name, reason string)
	// Level reports that a level has been started, the first one during New.
	Level func(m *Match)
	// Tables reports that other tables hold from a tick on, which is run next, and what
	// changed; both are only valid during the call.
	Tables func(from state.Tick, set *tables.Set, changed []tables.Value)
	// Scores reports the board, with names, when somebody enters or leaves the match
	// and when clients are sent it.
	Scores func(rows []state.Score)
	// View reports what a client is told of the tick; v stays as it is until Frame
	// has been called, once per tick and after the Views. Together they are what a
	// demo is made of.
	View  func(v *vis.View)
	Frame func(in *vis.Input, f *vis.Frame, ans *vis.Answer)
	// Packet reports a packet of the tick, after its View, and the subjects whose state
	// of this tick a client has that gets it; of is only valid during the call. Acked
	// reports what became of a packet.
	Packet func(viewer state.ID, seq uint64, of []state.ID)
	Acked  func(viewer state.ID, seq uint64, lost bool)
	// Sent reports, after View, that a packet told of it, and the packet's bytes, IP
	// and UDP headers included.
	Sent func(v *vis.View, bytes int)
	// Reveal reports a client's own word on when a packet, made at a tick, was the first
	// to tell it of a target, and when it drew that. It comes only where Match.Reveals
	// asks for it.
	Reveal func(viewer, target state.ID, seq uint64, sentAt state.Tick, m ledger.Claim)
}

// Stage is one call of the main loop.
type Stage uint8

// The stages of a tick, in order.
const (
	StageReceive Stage = iota
	StageRules
	StageSimulate
	StageSubmit
	StageSubmitRules
	StageMeanwhile
	StageDecide
	StageViews
	StageEncode
	StageSend
	NumStages
)

func (s Stage) String() string {
	if s >= NumStages {
		return "unknown"
	}
	return [NumStages]string{"receive", "rules", "simulate", "submit", "submit_rules", "meanwhile", "decide", "views", "encode", "send"}[s]
}

// Stats are counters of a server since it started, and figures of its clients.
// A copy is handed out by Server.Stats; any goroutine may ask.
type Stats struct {
	Tick        state.Tick
	Clients     int
	Bots        int
	LateTicks   int // that the clock had to drop or run behind
	Starved     int // commands that had to be made up
	LateCmds    int // commands that came after their tick
	BytesIn     int64
	BytesOut    int64
	PacketsIn   int64
	PacketsOut  int64
	Known       float64 // living enemies disclosed per viewer, mean of the last tick
	Withheld    float64 // living enemies not disclosed per viewer, likewise
	Rays        int     // of the last answer
	Source      vis.Source
	Sources     [3]int // answers so far by vis.Source
	BadOps      int
	BadViews    int // commands that fire at a view time that cannot be
	Kills       int
	Shots       int
	Tables      int           // version of the tables in force
	TickMean    time.Duration // of the last second
	TickMax     time.Duration
	Level       string
	Restarts    int
	Fulls       int     // full snapshots that clients asked for
	RevealsLost int     // reports of reveals left out because a client sent too many
	FullsLost   int     // and requests left out because they were too many
	TapeBytes   int     // memory of what is kept for who watches late
	KnownSum    float64 // of Known over all ticks with a living viewer
	WithheldSum float64
	KnownTicks  int
	// ViewsBeside is how many Views the second goroutine has built up to the tick before.
	// With MeasureBeside, BesideTook is the time that they took it, and BesideWaited how
	// long the ticks have waited for those that it had begun.
	ViewsBeside  int
	BesideTook   time.Duration
	BesideWaited time.Duration
	Spent        snapshot.Bits     // of snapshots, to those who are there
	Classes      [NumClasses]int64 // client ticks spent in each class of packet rate, of those who are there
}
