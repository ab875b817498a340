package scenario

import (
	"math/bits"
	"runtime"
	"time"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// ServerTotals are counters of a server that only grow, to be taken at both ends of
// a measurement.
type ServerTotals struct {
	Stats          server.Stats
	Spent          snapshot.Bits
	Acks, Segments int64 // bytes, see server.Server.Carried
	// CPU of the processes of policy and rules, and of the policy that stands by or is
	// linked in.
	Policy, Rules, Fallback time.Duration
}

// ServerNotes are what was measured of a server.
type ServerNotes struct {
	From, To ServerTotals
	Level    string

	TicksMS []float64 // of each tick; empty without a clock
	StageMS [server.NumStages][]float64
	// RelevanceMS is of each tick what it takes to find out who is to be told of whom:
	// candidates, handing over and collecting, and building the Views, without the policy
	// itself. WaitMS is for how long the tick waited for a policy in another process.
	RelevanceMS, WaitMS []float64
	Processes           bool // policy and rules are processes

	Updates, Viewers        int
	Rays, Candidates, Known int64
	MostRays                int   // of a tick
	Scoped                  int64 // viewers who look through an optic
	ConeKnown               int64 // players known by a cone alone

	NaiveBits, NaivePackets int64 // of the same Views in the same packets

	// Sums over Views of what a client's picture lies behind by: round trip in ms, ticks
	// that its commands wait, and the delay that it is dictated, in ticks.
	Views              int
	RTT, Waits, Interp float64

	// Allocs is how many objects the process allocated in each of some ticks after the
	// measured ones.
	Allocs []float64
}

// Recorder measures a server: make one, pass its Hooks to server.New, then Attach
// it. It belongs to the server's goroutine.
type Recorder struct {
	ServerNotes
	// On is while the figures count.
	On bool
	// Meter is what the server's policy was put behind, and CPU how much the processes of
	// policy and rules have had. Either may be nil.
	Meter *Meter
	CPU   func() (policy, rules time.Duration)

	srv      *server.Server
	aside    time.Duration // of this tick: what the hook Decided took
	linked   time.Duration // the Meter's, at the last tick
	waited   time.Duration
	relevant time.Duration // of this tick so far
	clock    func() time.Time
	naive    map[state.ID]*naive
	starved  map[state.ID]uint16
	rtt      [state.MaxPlayers + 1]float32
	missing  []state.ID // whose command was made up in this tick
	counting bool
	fresh    bool // no stage of this tick has been timed
	before   runtime.MemStats
	after    runtime.MemStats
	players  []uint64 // a bit per subject that is a player
}

// NewRecorder makes a Recorder.
func NewRecorder() *Recorder {
	return &Recorder{naive: map[state.ID]*naive{}, starved: map[state.ID]uint16{}, fresh: true}
}

// Hooks returns h with those that the Recorder needs set. What h.Decided was is called
// too, and is none of the server's time.
func (r *Recorder) Hooks(h server.Hooks) server.Hooks {
	also := h.Decided
	h.Decided = func(in *vis.Input, ans *vis.Answer) {
		began := r.now()
		r.decided(in, ans)
		if also != nil {
			also(in, ans)
		}
		r.aside = r.now().Sub(began)
	}
	h.Stage, h.TickDone, h.View, h.Sent = r.stage, r.tick, r.view, r.sent
	return h
}

// Attach begins to measure s; clock is what its ticks are timed with, nil for
// nothing.
func (r *Recorder) Attach(s *server.Server, clock func() time.Time) {
	r.srv, r.clock = s, clock
	s.Measure(r.now)
	if clock != nil && r.Meter != nil {
		s.MeasureBeside(r.Meter.Wall)
	}
}

// Begin and End enclose what counts.
func (r *Recorder) Begin() { r.From, r.On = r.totals(), true }

// End ends it. From then on allocations are counted, until Done.
func (r *Recorder) End() {
	r.To, r.On = r.totals(), false
	r.Processes = r.CPU != nil
	r.Level = r.srv.Level()
	for _, n := range r.naive {
		r.NaiveBits += n.Bits
		r.NaivePackets += n.Pkts
	}
	r.Allocs = make([]float64, 0, 1024)
	r.counting = true
}

// Done ends the counting of allocations.
func (r *Recorder) Done() { r.counting = false }

func (r *Recorder) totals() ServerTotals {
	t := ServerTotals{Stats: r.srv.Stats(), Spent: r.srv.Spent()}
	t.Acks, t.Segments = r.srv.Carried()
	if r.CPU != nil {
		t.Policy, t.Rules = r.CPU()
	}
	if r.Meter != nil {
		t.Fallback = time.Duration(r.Meter.fallback.Load())
		if r.CPU == nil {
			t.Policy = r.Meter.linked
		}
	}
	return t
}

// now is the clock that the server asks at the beginning of a tick, after each
// stage and at the end.
func (r *Recorder) now() time.Time {
	if r.counting && r.fresh {
		runtime.ReadMemStats(&r.before)
	}
	r.fresh = false
	if r.clock == nil {
		return time.Time{}
	}
	return r.clock()
}

func (r *Recorder) stage(s server.Stage, took time.Duration) {
	r.relevance(s, took)
	if s == server.StageDecide {
		took -= r.aside
	}
	if r.On && r.clock != nil && s < server.NumStages {
		r.StageMS[s] = append(r.StageMS[s], took.Seconds()*1000)
	}
}

// relevance adds up those stages that find out who is to be told of whom.
func (r *Recorder) relevance(s server.Stage, took time.Duration) {
	switch s {
	case server.StageSubmit:
		r.relevant = took
		if m := r.Meter; m != nil {
			r.relevant -= m.linked - r.linked
			r.linked = m.linked
		}
	case server.StageDecide:
		r.relevant += took - r.aside
	case server.StageViews:
		r.relevant += took
		if r.On && r.clock != nil {
			r.RelevanceMS = append(r.RelevanceMS, r.relevant.Seconds()*1000)
		}
		if m := r.Meter; m != nil {
			if r.On && m.waited > 0 {
				r.WaitMS = append(r.WaitMS, (m.waited-r.waited).Seconds()*1000)
			}
			r.waited = m.waited
		}
	}
}

func (r *Recorder) tick(_ state.Tick, took time.Duration) {
	r.fresh = true
	if r.counting {
		runtime.ReadMemStats(&r.after)
		if n := len(r.Allocs); n < cap(r.Allocs) {
			r.Allocs = append(r.Allocs, float64(r.after.Mallocs-r.before.Mallocs))
		}
		return
	}
	if r.On && r.clock != nil {
		r.TicksMS = append(r.TicksMS, (took-r.aside).Seconds()*1000)
	}
}

func (r *Recorder) decided(in *vis.Input, ans *vis.Answer) {
	r.missing = r.missing[:0]
	for i := range in.Viewers {
		if id := in.Viewers[i].ID; int(id) < len(r.rtt) {
			r.rtt[id] = in.Viewers[i].RTTms
		}
	}
	if !r.On {
		return
	}
	r.Updates++
	r.Rays += int64(ans.Rays)
	r.MostRays = max(r.MostRays, ans.Rays)
	r.players = r.players[:0]
	for i := range in.Subjects {
		if i%64 == 0 {
			r.players = append(r.players, 0)
		}
		if in.Subjects[i].Kind == state.KindPlayer {
			r.players[i/64] |= 1 << (i % 64)
		}
	}
	for v := range in.Viewers {
		k := in.Viewers[v].Subject
		if k < 0 || !in.Subjects[k].Alive {
			continue
		}
		r.Viewers++
		sent, _ := vis.Count(in, ans, v)
		if in.Viewers[v].Scope.Asks(in.Tick) {
			r.Scoped++
		}
		for _, why := range ans.Reason[v*ans.Subjects : (v+1)*ans.Subjects] {
			if why == vis.Cone {
				r.ConeKnown++
			}
		}
		r.Known += int64(sent)
		for w, row := range in.Asked[v*in.Words : (v+1)*in.Words] {
			r.Candidates += int64(bits.OnesCount64(row & r.players[w]))
		}
	}
}

func (r *Recorder) view(v *vis.View) {
	own := v.Own()
	if was, ok := r.starved[own.ID]; ok && own.Starved != was {
		r.missing = append(r.missing, own.ID)
	}
	r.starved[own.ID] = own.Starved
	if !r.On {
		return
	}
	r.Views++
	r.RTT += float64(r.rtt[own.ID])
	r.Waits += float64(own.Margin)
	r.Interp += float64(own.Interp) / 256
	n := r.naive[own.ID]
	if n == nil {
		n = new(naive)
		r.naive[own.ID] = n
	}
	n.note(v)
}

func (r *Recorder) sent(v *vis.View, _ int) {
	if n := r.naive[v.Own().ID]; n != nil && r.On {
		n.send(v)
	}
}

// Moment fills m with the tick that the server has just run.
func (r *Recorder) Moment(m *Moment) {
	w := r.srv.World()
	m.Tick = w.Tick()
	m.Bodies = m.Bodies[:0]
	for _, id := range w.IDs() {
		s, _ := w.History().Sample(id, m.Tick)
		m.Bodies = append(m.Bodies, Body{ID: id, Sample: s, Lives: w.Player(id).Alive(), RTTms: r.rtt[id]})
	}
	m.Doors = append(m.Doors[:0], w.Doors()...)
	m.Pieces = append(m.Pieces[:0], w.Pieces()...)
	m.Shots = append(m.Shots[:0], w.LastShots()...)
	m.Starved = append(m.Starved[:0], r.missing...)
}

// ClientTotals are counters of a crew that only grow.
type ClientTotals struct {
	Packets, Bytes         int64 // up
	Acks, Segments         int64 // of Bytes
	Commands               int
	Errors, Explained, Bad int
	Mismatches             int
}

// ClientNotes are what was measured of a crew.
type ClientNotes struct {
	From, To ClientTotals
	Playing  int // at the end
	Gone     []string
	Aims     []Aim
	Seen     []Sighting
}

// TotalsOf adds up the counters of a crew.
func TotalsOf(c *bots.Crew) (t ClientTotals, playing int) {
	for _, b := range c.Bots() {
		s, n := b.Stats(), b.Net()
		t.Packets += s.PacketsOut
		t.Bytes += s.BytesOut
		t.Acks += int64(n.AcksOut)
		t.Segments += int64(n.SegmentsOut)
		t.Commands += s.Commands
		t.Errors += s.Errors
		t.Explained += s.Explained
		t.Bad += s.BadSnapshots
		t.Mismatches += s.Mismatches
		if b.State() == client.Playing {
			playing++
		}
	}
	return t, playing
}
