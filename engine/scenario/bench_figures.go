package scenario

import (
	"slices"
	"time"

	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/rewind"
)

// Bytes of each packet around what is counted by category: IP and UDP headers, and
// the header and tag of package netchan.
const (
	packetOverhead = 28
	sealOverhead   = headers - packetOverhead
)

// nearM is how far off a player still counts as near, metres.
const nearM = 50

// Percentiles sums up a figure in milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95,omitempty"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max,omitempty"`
}

// Direction is a figure for each direction.
type Direction struct {
	Down float64 `json:"down"`
	Up   float64 `json:"up"`
}

// Categories splits bytes per player and second, for each direction.
type Categories struct {
	Down map[string]float64 `json:"down"`
	Up   map[string]float64 `json:"up"`
}

// Errors is how far from the truth others were drawn, centimetres.
type Errors struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Spread is the distribution of something over shots.
type Spread struct {
	P10 float64 `json:"p10"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
}

// Peek is for how long somebody who holds a corner is seen before seeing, in
// milliseconds: between the instant that a client's picture shows and the test of the
// shot that answers it. Formula is rewind.PeekersAdvantage of the round trip, the wait
// of commands and the tick that runs them, and the delay that others are drawn with.
type Peek struct {
	Measured float64 `json:"measured_p50"`
	Formula  float64 `json:"formula"`
}

// Generator is how the processes fared that play the players.
type Generator struct {
	Processes  int     `json:"processes"`
	CPUShare   float64 `json:"cpu_share"`         // of one processor, the busiest process
	LateFrames float64 `json:"late_frames_share"` // frames that came half a tick late or more
	Bottleneck bool    `json:"bottleneck"`
	Note       string  `json:"note,omitempty"`
}

// Figures are what a benchmark of a match measured. What is null was not measured.
type Figures struct {
	Form    string  `json:"form"` // how it was run, in words
	Players int     `json:"players"`
	TickHz  int     `json:"tick_hz"`
	Pace    string  `json:"snapshots"`
	Policy  string  `json:"policy"`
	Map     string  `json:"map"`
	Seconds float64 `json:"seconds"` // of the match's time

	Clock   string             `json:"tick_clock,omitempty"` // what ticks are timed with
	TickCPU *Percentiles       `json:"tick_cpu_ms"`
	StageMS map[string]float64 `json:"stage_ms"` // p50
	// Relevance is candidates, handing over, collecting and building Views, on the thread
	// of the ticks. The wait for the answer is not in it, nor the policy's own time: the
	// CPU of its process, or of the policy that is linked in, a tick on average. The
	// fallback is the policy that stands by for one that is a process.
	RelevanceP50 *float64     `json:"relevance_ms_p50"`
	Relevance    *Percentiles `json:"relevance_ms"`
	PolicyWait   *Percentiles `json:"policy_wait_ms"`
	// ViewsBeside is what the Views took that the server's second goroutine built, which
	// is not in Relevance, and BesideWait how long the thread of the ticks waited for the
	// last of them: both by the wall clock, a tick on average.
	ViewsBeside *float64     `json:"views_beside_ms"`
	BesideWait  *float64     `json:"views_beside_wait_ms"`
	PolicyCPU   *float64     `json:"policy_cpu_ms"`
	FallbackCPU *float64     `json:"fallback_cpu_ms"`
	RulesCPU    *float64     `json:"rules_cpu_ms"`
	RoundTrip   *Percentiles `json:"policy_round_trip_ms"`
	Misses      *int         `json:"deadline_misses"`
	LateTicks   *int         `json:"late_ticks"`

	Rays       float64 `json:"rays_per_update"`
	MostRays   int     `json:"rays_most"` // in a single update
	RaysCap    *int    `json:"rays_cap"`  // of the policy; null: it has none
	Candidates float64 `json:"candidates_per_viewer"`
	Known      float64 `json:"known_per_viewer"`
	Scoped     float64 `json:"share_looking_through_optics"`
	ConeKnown  float64 `json:"known_by_cone_per_viewer"`

	WireKbps    Direction          `json:"wire_kbps_per_player"`
	PayloadKbps Direction          `json:"payload_kbps_per_player"` // without IP, UDP, packet header and tag
	Categories  Categories         `json:"bytes_by_category"`
	RateClasses map[string]float64 `json:"rate_classes"` // share of the clients' ticks in each
	PacketHz    Direction          `json:"packets_per_second"`
	NaiveKbps   float64            `json:"naive_wire_kbps_per_player"` // down, the same Views in the same packets

	PositionP50Near *float64          `json:"position_error_cm_p50_50m"`
	PositionP99Near *float64          `json:"position_error_cm_p99_50m"`
	PositionP50Far  *float64          `json:"position_error_cm_p50_beyond"`
	PositionP99Far  *float64          `json:"position_error_cm_p99_beyond"`
	Positions       map[string]Errors `json:"position_error_by_drawing_50m"`

	// HitAgreement is the share of shots that hit a player on their client's screen
	// and hit the same one on the server. Shots at who was dead on the server by then,
	// and of shooters who were, are not in it but in HitsMoot.
	HitAgreement *float64 `json:"hit_agreement"`
	// Undisturbed is the same without shots whose shooter had just been pushed by
	// something that its client could not know of yet, as by a bullet.
	Undisturbed *float64       `json:"hit_agreement_undisturbed"`
	ShownHits   int            `json:"shown_hits"`
	Pushed      int            `json:"shown_hits_of_pushed_shooters"`
	HitsLost    map[string]int `json:"hits_lost"`
	HitsMoot    map[string]int `json:"hits_moot"`
	Unshown     int            `json:"unshown_hits"` // hits on the server that were none on the screen
	Shots       int            `json:"shots"`
	ShotsMinute float64        `json:"shots_per_player_minute"`
	// Rewinds is the agreement that the same shots would have had at other view times,
	// each shot tested anew against the server's own record.
	Rewinds     map[string]float64 `json:"rewind_agreement"`
	RewindShots int                `json:"rewind_shots"`
	Differs     int                `json:"rewind_retests_that_differ"`
	TargetTurn  *Spread            `json:"target_deg_per_s"`
	TargetMoves *Spread            `json:"target_across_m_per_s"`
	TargetRange *Spread            `json:"target_distance_m"`
	HitsByRange map[string]Hits    `json:"shown_hits_by_distance"`
	Kills       int                `json:"kills"`
	Peek        *Peek              `json:"peekers_advantage_ms"`

	PredictionErrors int `json:"prediction_errors"`
	Corrections      int `json:"prediction_corrections_explained"`
	Mismatches       int `json:"prediction_mismatches"`
	Commands         int `json:"commands"`
	Starved          int `json:"starved_commands"`
	LateCommands     int `json:"late_commands"`
	BadSnapshots     int `json:"bad_snapshots"`

	// ExcessLate is frames in which somebody was missing whom an unfiltered server's
	// client would have shown, a frame and a target each; ExcessShare is of all targets in
	// sight. Preload is for how long a client had somebody before a frame showed him, or in
	// vain (NeverShown of all), and HiddenKnown the share of hidden targets that clients
	// have. Null: not measured.
	ExcessLate  *int         `json:"excess_late_frames"`
	ExcessShare *float64     `json:"excess_late_share"`
	Preload     *Percentiles `json:"preload_ms"`
	NeverShown  *float64     `json:"disclosures_never_shown"`
	HiddenKnown *float64     `json:"hidden_known_share"`
	// Delivery is A - S and Render R - A, of the disclosures that were drawn: how long the
	// first snapshot with somebody was on its way, and how long until a frame drew him.
	Delivery *Percentiles `json:"delivery_ms"`
	Render   *Percentiles `json:"render_ms"`
	// LateCauses is why those of ExcessLate were (Cause).
	LateCauses map[string]int `json:"excess_late_causes"`

	Allocs     *float64   `json:"allocs_per_tick"`      // p50
	AllocsMean *float64   `json:"allocs_per_tick_mean"` // buffers that grow are in it
	RSSMiB     *float64   `json:"rss_mib"`
	Dropped    int        `json:"dropped_clients"`
	Generator  *Generator `json:"generator"`
}

// Sum makes Figures of what was measured in so many seconds of a match of n players
// at hz ticks a second.
func Sum(n, hz int, seconds float64, s *ServerNotes, crews []ClientNotes, v *Verdict) Figures {
	f := Figures{Players: n, TickHz: hz, Map: s.Level, Seconds: seconds}
	was, is := &s.From.Stats, &s.To.Stats
	f.Kills, f.Starved, f.LateCommands = is.Kills-was.Kills, is.Starved-was.Starved, is.LateCmds-was.LateCmds
	var up, before ClientTotals
	for i := range crews {
		c := &crews[i]
		up.add(&c.To)
		before.add(&c.From)
		f.Dropped -= c.Playing
	}
	f.Dropped += n
	f.PredictionErrors, f.Corrections = up.Errors-before.Errors, up.Explained-before.Explained
	f.Mismatches, f.Commands, f.BadSnapshots = up.Mismatches-before.Mismatches, up.Commands-before.Commands, up.Bad-before.Bad
	f.traffic(float64(n), s, &before, &up)
	f.times(s)
	if s.Viewers > 0 {
		f.Candidates, f.Known = float64(s.Candidates)/float64(s.Viewers), float64(s.Known)/float64(s.Viewers)
		f.Scoped, f.ConeKnown = float64(s.Scoped)/float64(s.Viewers), float64(s.ConeKnown)/float64(s.Viewers)
	}
	if s.Updates > 0 {
		f.Rays, f.MostRays = float64(s.Rays)/float64(s.Updates), s.MostRays
	}
	if n := len(s.Allocs); n > 0 {
		mean := 0.0
		for _, a := range s.Allocs {
			mean += a / float64(n)
		}
		f.Allocs, f.AllocsMean = part(s.Allocs, 0.5), &mean
	}
	f.judged(v)
	if n := float64(s.Views); v != nil && len(v.Ago) > 0 && n > 0 && hz > 0 {
		formula := rewind.PeekersAdvantage(float32(s.RTT/n), float32(hz), float32(s.Waits/n)+1, float32(hz), float32(s.Interp/n))
		f.Peek = &Peek{Measured: *part(v.Ago, 0.5), Formula: float64(formula)}
	}
	return f
}

func (t *ClientTotals) add(o *ClientTotals) {
	t.Packets += o.Packets
	t.Bytes += o.Bytes
	t.Acks += o.Acks
	t.Segments += o.Segments
	t.Commands += o.Commands
	t.Errors += o.Errors
	t.Explained += o.Explained
	t.Bad += o.Bad
	t.Mismatches += o.Mismatches
}

// traffic splits what went each way.
func (f *Figures) traffic(n float64, s *ServerNotes, before, up *ClientTotals) {
	per := func(bytes int64) float64 { return float64(bytes) / f.Seconds / n }
	kbps := func(bytes int64) float64 { return per(bytes) * 8 / 1000 }
	was, is := &s.From, &s.To
	down, packets := is.Stats.BytesOut-was.Stats.BytesOut, is.Stats.PacketsOut-was.Stats.PacketsOut
	sent, upPackets := up.Bytes-before.Bytes, up.Packets-before.Packets
	f.WireKbps = Direction{Down: kbps(down + packetOverhead*packets), Up: kbps(sent + packetOverhead*upPackets)}
	f.PayloadKbps = Direction{Down: kbps(down - sealOverhead*packets), Up: kbps(sent - sealOverhead*upPackets)}
	f.PacketHz = Direction{Down: per(packets), Up: per(upPackets)}
	if s.NaivePackets > 0 {
		rest := down + packetOverhead*packets - (is.Spent.Total()-was.Spent.Total())/8
		f.NaiveKbps = kbps(rest + s.NaiveBits/8)
	}

	bits := func(now, old int64) float64 { return per(now-old) / 8 }
	a, b := &is.Spent, &was.Spent
	f.Categories.Down = map[string]float64{
		"headers": per(headers * packets), "acks": per(is.Acks - was.Acks), "reliable": per(is.Segments - was.Segments),
		"head": bits(a.Head, b.Head), "own": bits(a.Own, b.Own), "doors": bits(a.Doors, b.Doors),
		"others": bits(a.Records+a.Removed, b.Records+b.Removed), "sound_and_events": bits(a.Events, b.Events),
	}
	f.Categories.Down["rounding"] = f.WireKbps.Down*1000/8 - sum(f.Categories.Down)
	f.Categories.Up = map[string]float64{
		"headers": per(headers * upPackets), "acks": per(up.Acks - before.Acks), "reliable": per(up.Segments - before.Segments),
	}
	f.Categories.Up["commands"] = f.WireKbps.Up*1000/8 - sum(f.Categories.Up)

	total := int64(0)
	for c := range server.NumClasses {
		total += is.Stats.Classes[c] - was.Stats.Classes[c]
	}
	if total > 0 {
		f.RateClasses = map[string]float64{}
		for c := range server.NumClasses {
			f.RateClasses[c.String()] = float64(is.Stats.Classes[c]-was.Stats.Classes[c]) / float64(total)
		}
	}
}

func sum(m map[string]float64) float64 {
	s := 0.0
	for _, v := range m {
		s += v
	}
	return s
}

// times sums up how long ticks took.
func (f *Figures) times(s *ServerNotes) {
	if len(s.TicksMS) == 0 {
		return
	}
	f.TickCPU = percentiles(s.TicksMS)
	if f.Relevance = percentiles(s.RelevanceMS); f.Relevance != nil {
		f.RelevanceP50 = &f.Relevance.P50
	}
	f.PolicyWait = percentiles(s.WaitMS)
	each := func(was, is time.Duration) *float64 {
		ms := (is - was).Seconds() * 1000 / float64(len(s.TicksMS))
		return &ms
	}
	if from, to := &s.From.Stats, &s.To.Stats; to.ViewsBeside > from.ViewsBeside {
		f.ViewsBeside, f.BesideWait = each(from.BesideTook, to.BesideTook), each(from.BesideWaited, to.BesideWaited)
	}
	f.PolicyCPU = each(s.From.Policy, s.To.Policy)
	if s.Processes {
		f.RulesCPU, f.FallbackCPU = each(s.From.Rules, s.To.Rules), each(s.From.Fallback, s.To.Fallback)
	}
	f.StageMS = map[string]float64{}
	for st := range server.NumStages {
		if p := part(s.StageMS[st], 0.5); p != nil {
			f.StageMS[st.String()] = *p
		}
	}
}

// judged takes over what the judge found.
func (f *Figures) judged(v *Verdict) {
	if v == nil {
		return
	}
	f.Shots, f.Unshown = v.Shots, v.Unshown
	f.ShotsMinute = float64(v.Shots) / f.Seconds * 60 / float64(f.Players)
	hits, agreed := v.shown()
	f.ShownHits = hits
	f.HitsLost, f.HitsMoot = v.lostBy(WhyNotRun, WhyTargetDead), v.lostBy(WhyTargetDead, NumWhy)
	if hits > 0 {
		share := float64(agreed) / float64(hits)
		f.HitAgreement = &share
	}
	f.Pushed = v.Moved
	if calm := hits - v.Moved; calm > 0 {
		share := float64(agreed-v.StillAgreed) / float64(calm)
		f.Undisturbed = &share
	}
	f.RewindShots, f.Differs = v.Tested, v.Differs
	if v.Tested > 0 {
		f.Rewinds = map[string]float64{}
		for k := range NumVariants {
			f.Rewinds[k.String()] = float64(v.Agreed[k]) / float64(v.Tested)
		}
	}
	f.HitsByRange = v.byRange()
	f.TargetTurn, f.TargetMoves, f.TargetRange = spread(v.Turn), spread(v.Across), spread(v.Range)

	var near, far []float64
	f.Positions = map[string]Errors{}
	for d := range NumDrawn {
		if d != DrawnJumped { // who has just come is drawn at once: there is no true place then
			near, far = append(near, v.Near[d]...), append(far, v.Far[d]...)
		}
		if e := v.Near[d]; len(e) > 0 {
			f.Positions[d.String()] = Errors{N: len(e), P50: *part(e, 0.5), P99: *part(e, 0.99), Max: *part(e, 1)}
		}
	}
	f.PositionP50Near, f.PositionP99Near = part(near, 0.5), part(near, 0.99)
	f.PositionP50Far, f.PositionP99Far = part(far, 0.5), part(far, 0.99)
}

func spread(v []float64) *Spread {
	if len(v) == 0 {
		return nil
	}
	return &Spread{P10: *part(v, 0.1), P50: *part(v, 0.5), P90: *part(v, 0.9)}
}

// percentiles sums values up, nil of none. It sorts them.
func percentiles(v []float64) *Percentiles {
	if len(v) == 0 {
		return nil
	}
	return &Percentiles{P50: *part(v, 0.5), P95: *part(v, 0.95), P99: *part(v, 0.99), Max: *part(v, 1)}
}

// part returns the value that this share of all does not exceed; nil of none. It
// sorts them.
func part(v []float64, share float64) *float64 {
	if len(v) == 0 {
		return nil
	}
	slices.Sort(v)
	x := v[min(int(share*float64(len(v))), len(v)-1)]
	return &x
}
