package scenario

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// packetOverhead is IP and UDP headers of one packet, in bytes.
const packetOverhead = 28

// nearM is how far off a player still counts as near, metres.
const nearM = 50

// Percentiles sums up a figure in milliseconds.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Direction is a figure for each direction.
type Direction struct {
	Down float64 `json:"down"`
	Up   float64 `json:"up"`
}

// Figures are what a benchmark of a match measured. A pointer is nil when nothing
// was there to measure.
type Figures struct {
	Form    string  `json:"form"` // how it was run, in words
	Players int     `json:"players"`
	TickHz  int     `json:"tick_hz"`
	Policy  string  `json:"policy"`
	Map     string  `json:"map"`
	Seconds float64 `json:"seconds"` // of the match's time

	Clock        string             `json:"tick_clock,omitempty"` // what ticks are timed with
	TickCPU      *Percentiles       `json:"tick_cpu_ms,omitempty"`
	StageMS      map[string]float64 `json:"stage_ms,omitempty"` // p50
	RelevanceP50 *float64           `json:"relevance_ms_p50,omitempty"`

	Rays       float64 `json:"rays_per_update"`
	Candidates float64 `json:"candidates_per_viewer"`
	Known      float64 `json:"known_per_viewer"`

	WireKbps    Direction          `json:"wire_kbps_per_player"`
	PayloadKbps Direction          `json:"payload_kbps_per_player"`
	Categories  map[string]float64 `json:"bytes_by_category"` // down, per player and second

	PositionP50Near *float64 `json:"position_error_cm_p50_50m,omitempty"`
	PositionP99Near *float64 `json:"position_error_cm_p99_50m,omitempty"`
	PositionP99Far  *float64 `json:"position_error_cm_p99_beyond,omitempty"`
	Positions       int      `json:"position_samples"`

	// HitAgreement is the share of shots that hit a player on their client's screen
	// and hit the same one on the server.
	HitAgreement *float64 `json:"hit_agreement,omitempty"`
	ShownHits    int      `json:"shown_hits"`
	Unshown      int      `json:"unshown_hits"` // hits on the server that were none on the screen
	Shots        int      `json:"shots"`
	Kills        int      `json:"kills"`

	PredictionErrors int     `json:"prediction_errors"`
	Commands         int     `json:"commands"`
	Starved          int     `json:"starved"`
	LateCommands     int     `json:"late_commands"`
	BadSnapshots     int     `json:"bad_snapshots"`
	Dropped          int     `json:"dropped_clients"`
	RSSMiB           float64 `json:"rss_mib,omitempty"`
}

// BenchConfig is what a benchmark is run with. Seconds of Config are those that are
// measured, after everybody has joined and Warm has passed.
type BenchConfig struct {
	Config
	Policy string  // its name, for the figures
	Warm   float64 // seconds
	// Now is the clock that ticks are timed with, of whatever kind; nil: no times.
	Now func() time.Time
	// JoinSeconds is how long the bots have to join (0: 30).
	JoinSeconds float64
}

// bench is one being measured.
type bench struct {
	cfg   BenchConfig
	m     *Match
	on    bool
	ticks []float64
	stage [server.NumStages][]float64

	updates, viewers         int
	rays, candidates, known  int64
	near, far                []float64
	shown                    []client.Shown
	fired                    [][256]aim
	agreed, refused, unshown int
	shots                    int
	before                   totals
}

// aim is a shot as its client saw it.
type aim struct {
	open bool // waits for the server's word
	at   state.ID
}

// totals are counters that only grow, to be taken at both ends.
type totals struct {
	server                server.Stats
	spent                 snapshot.Bits
	up, upPackets         int64
	errors, commands, bad int
}

// Bench runs a match in stepped time and measures it.
func Bench(cfg BenchConfig) (Figures, error) {
	if cfg.Bots < 1 || !(cfg.Seconds > 0) {
		return Figures{}, errors.New("scenario: a benchmark needs players and seconds")
	}
	if cfg.JoinSeconds == 0 {
		cfg.JoinSeconds = 30
	}
	b := &bench{cfg: cfg, fired: make([][256]aim, cfg.Bots)}
	c := cfg.Config
	c.Hooks.Decided, c.Hooks.Stage, c.Hooks.TickDone = b.decided, b.staged, b.ticked
	c.Each = func(*Match) { b.each() }
	m, err := New(c)
	if err != nil {
		return Figures{}, err
	}
	defer m.Close()
	b.m = m
	for i, bot := range m.Crew.Bots() {
		bot.Watch = func(e *state.Event, predicted bool) { b.watch(i, e, predicted) }
	}
	if cfg.Now != nil {
		m.Server.Measure(cfg.Now)
	}
	rate := float64(cfg.TickRate)
	for n := 0; b.playing() < cfg.Bots; n++ {
		if float64(n) > cfg.JoinSeconds*rate {
			return Figures{}, fmt.Errorf("scenario: %d of %d bots have joined after %g s", b.playing(), cfg.Bots, cfg.JoinSeconds)
		}
		m.Step()
	}
	for range int(cfg.Warm * rate) {
		m.Step()
	}
	b.before = b.totals()
	b.on = true
	steps := max(int(cfg.Seconds*rate), 1)
	for range steps {
		m.Step()
	}
	return b.figures(float64(steps) / rate), nil
}

func (b *bench) playing() int {
	n := 0
	for _, bot := range b.m.Crew.Bots() {
		if bot.State() == client.Playing {
			n++
		}
	}
	return n
}

func (b *bench) totals() totals {
	t := totals{server: b.m.Server.Stats(), spent: b.m.Server.Spent()}
	for _, bot := range b.m.Crew.Bots() {
		s := bot.Stats()
		t.up += s.BytesOut
		t.upPackets += s.PacketsOut
		t.errors += s.Errors
		t.commands += s.Commands
		t.bad += s.BadSnapshots
	}
	return t
}

func (b *bench) staged(s server.Stage, took time.Duration) {
	if b.on && s < server.NumStages {
		b.stage[s] = append(b.stage[s], took.Seconds()*1000)
	}
}

func (b *bench) ticked(_ state.Tick, took time.Duration) {
	if b.on && b.cfg.Now != nil {
		b.ticks = append(b.ticks, took.Seconds()*1000)
	}
}

func (b *bench) decided(in *vis.Input, ans *vis.Answer) {
	if !b.on {
		return
	}
	b.updates++
	b.rays += int64(ans.Rays)
	var players []uint64 // a bit per subject that is a player
	for i := range in.Subjects {
		if i%64 == 0 {
			players = append(players, 0)
		}
		if in.Subjects[i].Kind == state.KindPlayer {
			players[i/64] |= 1 << (i % 64)
		}
	}
	for v := range in.Viewers {
		k := in.Viewers[v].Subject
		if k < 0 || !in.Subjects[k].Alive {
			continue
		}
		b.viewers++
		sent, _ := vis.Count(in, ans, v)
		b.known += int64(sent)
		for w, row := range in.Asked[v*in.Words : (v+1)*in.Words] {
			b.candidates += int64(bits.OnesCount64(row & players[w]))
		}
	}
}

// watch notes whom a shot hits on its client's screen.
func (b *bench) watch(i int, e *state.Event, predicted bool) {
	if !b.on || !predicted || e.Kind != state.EvFire {
		return
	}
	bot := b.m.Crew.Bots()[i]
	set := bot.Tables()
	if int(e.Weapon) >= len(set.Weapons) || set.Weapons[e.Weapon].Projectile {
		return
	}
	b.shots++
	end := e.Pos.Mad(set.Weapons[e.Weapon].Range, e.Dir)
	best, at := bot.Scene().Ray(e.Pos, end, level.MaskShot).Frac, state.ID(0)
	b.shown = bot.Others(b.shown[:0])
	for k := range b.shown {
		o := &b.shown[k]
		if o.Kind != state.KindPlayer || o.ID == bot.ID() || o.Pose&state.PoseDead != 0 {
			continue
		}
		pose := hitbox.Pose{Pos: o.At, Yaw: state.AngleOf(o.YawDeg), Duck: uint8(o.Duck01 * 255), Lean: int8(o.Lean11 * 127)}
		if hit, ok := hitbox.Ray(&set.Movement, pose, e.Pos, end); ok && hit.Frac < best {
			best, at = hit.Frac, o.ID
		}
	}
	b.fired[i][uint8(e.Param)] = aim{open: true, at: at}
}

// each compares, after a tick, what the server did with what the clients show.
func (b *bench) each() {
	if !b.on {
		return
	}
	w := b.m.Server.World()
	all := b.m.Crew.Bots()
	shots := w.LastShots()
	for i, bot := range all {
		for k := range shots {
			r := &shots[k]
			if r.Shooter != bot.ID() || r.Result == sim.ShotFlies {
				continue
			}
			a := &b.fired[i][r.Seq]
			if !a.open {
				continue
			}
			a.open = false
			hit := state.ID(0)
			if r.Result == sim.ShotPlayer {
				hit = r.Target
			}
			switch {
			case a.at != 0 && a.at == hit:
				b.agreed++
			case a.at != 0:
				b.refused++
			case hit != 0:
				b.unshown++
			}
		}
	}
	if b.updates%4 != 0 {
		return // four ticks in a row show much the same
	}
	for _, bot := range all {
		tick, frac := bot.Shown()
		me := bot.Own()
		if tick == 0 || !me.Alive() {
			continue
		}
		b.shown = bot.Others(b.shown[:0])
		for k := range b.shown {
			o := &b.shown[k]
			if o.Kind != state.KindPlayer || o.ID == bot.ID() || o.Pose&state.PoseDead != 0 {
				continue
			}
			// A stored time only: what is drawn from before it was first sent, or of a
			// body that has died since, has no true place to be compared with.
			truth, ok := w.History().At(o.ID, rewind.Time{Tick: tick, Frac: frac})
			if !ok {
				continue
			}
			cm := float64(truth.Pos.Dist(o.At)) * 100
			if me.Pos.Dist(o.At) <= nearM {
				b.near = append(b.near, cm)
			} else {
				b.far = append(b.far, cm)
			}
		}
	}
}

// figures sums up.
func (b *bench) figures(seconds float64) Figures {
	now, old := b.totals(), &b.before
	n := float64(b.cfg.Bots)
	kbps := func(bytes int64) float64 { return float64(bytes) * 8 / 1000 / seconds / n }
	f := Figures{
		Form:    "stepped: server and clients in one process, in turn, over simulated links in memory; policy and rules in process",
		Players: b.cfg.Bots, TickHz: b.cfg.TickRate, Policy: b.cfg.Policy, Map: b.m.Server.Level(), Seconds: seconds,
		Shots: b.shots, Unshown: b.unshown, ShownHits: b.agreed + b.refused,
		Kills:            now.server.Kills - old.server.Kills,
		PredictionErrors: now.errors - old.errors, Commands: now.commands - old.commands,
		Starved: now.server.Starved - old.server.Starved, LateCommands: now.server.LateCmds - old.server.LateCmds,
		BadSnapshots: now.bad - old.bad, Dropped: b.cfg.Bots - b.playing(), Positions: len(b.near) + len(b.far),
	}
	down, packets := now.server.BytesOut-old.server.BytesOut, now.server.PacketsOut-old.server.PacketsOut
	up, upPackets := now.up-old.up, now.upPackets-old.upPackets
	f.WireKbps = Direction{Down: kbps(down + packetOverhead*packets), Up: kbps(up + packetOverhead*upPackets)}
	f.PayloadKbps = Direction{Down: kbps(down), Up: kbps(up)}

	per := func(bits int64) float64 { return float64(bits) / 8 / seconds / n }
	s, o := &now.spent, &old.spent
	f.Categories = map[string]float64{
		"ip_udp": per(packetOverhead * 8 * packets),
		"head":   per(s.Head - o.Head), "own": per(s.Own - o.Own), "doors": per(s.Doors - o.Doors),
		"removed": per(s.Removed - o.Removed), "events": per(s.Events - o.Events), "others": per(s.Records - o.Records),
		"channel": per(down*8 - (s.Total() - o.Total())), // headers, acks, tags, reliable
	}
	if b.viewers > 0 {
		f.Candidates, f.Known = float64(b.candidates)/float64(b.viewers), float64(b.known)/float64(b.viewers)
	}
	if b.updates > 0 {
		f.Rays = float64(b.rays) / float64(b.updates)
	}
	if shown := b.agreed + b.refused; shown > 0 {
		share := float64(b.agreed) / float64(shown)
		f.HitAgreement = &share
	}
	f.PositionP50Near, f.PositionP99Near, f.PositionP99Far = part(b.near, 0.5), part(b.near, 0.99), part(b.far, 0.99)
	if len(b.ticks) > 0 {
		f.TickCPU = &Percentiles{P50: *part(b.ticks, 0.5), P95: *part(b.ticks, 0.95), P99: *part(b.ticks, 0.99), Max: *part(b.ticks, 1)}
		both := make([]float64, len(b.ticks))
		for i := range both {
			both[i] = b.stage[server.StageSubmit][i] + b.stage[server.StageDecide][i]
		}
		f.RelevanceP50 = part(both, 0.5)
		f.StageMS = map[string]float64{}
		for st := range server.NumStages {
			f.StageMS[st.String()] = *part(b.stage[st], 0.5)
		}
	}
	return f
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
