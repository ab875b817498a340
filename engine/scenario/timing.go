package scenario

import (
	"fmt"
	"math"
	"net/netip"
	"slices"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// TimingConfig is one row of what a policy's timing is with a whole server and whole
// clients: somebody runs past a corner, again and again.
type TimingConfig struct {
	Policy     vis.Spec
	Settings   vis.Settings // nil: the policy's own
	ByViewer   bool         // it is the viewer who runs; otherwise the target
	RTTms      float64
	JitterMS   float64
	Loss       float64 // share of packets, each way
	SnapshotHz int     // fixed; 0 adapts
	TickRate   int     // 0: 64
	FPS        float64 // of the viewer's client; 0: 256
	Crossings  int     // how often; 0: 8
	Seed       uint64
}

// Timing is what was measured of such a row. Times are milliseconds.
type Timing struct {
	Policy     string  `json:"policy"`
	ByViewer   bool    `json:"viewer_moves"`
	RTTms      float64 `json:"rtt_ms"`
	SnapshotHz int     `json:"snapshot_hz"`
	Loss       float64 `json:"loss"`
	Crossings  int     `json:"crossings"`
	// W is for how long a cheat had the target before it truly came into view, mean and
	// most; null where it is always known.
	W    *float64 `json:"w_ms"`
	WMax *float64 `json:"w_max_ms"`
	// Preload is from the arrival to the first frame that shows some of it, mean and
	// most.
	Preload    *float64 `json:"preload_ms"`
	PreloadMax *float64 `json:"preload_max_ms"`
	// HiddenKnown is the share of frames in which nothing of the target is in sight and
	// the client has it all the same.
	HiddenKnown float64 `json:"hidden_known"`
	// Late is frames in which the target is not drawn and would be, had every snapshot
	// that arrived held it; of Visible frames that it is in sight in; and the longest
	// run of them.
	Late    int     `json:"excess_late_frames"`
	Visible int     `json:"visible_frames"`
	Longest float64 `json:"longest_late_ms"`
}

// The corner, in metres: a wall from y = -60 to 0, somebody who runs past its end at
// runnerX and somebody who stands at (standX, standY). The other way round the two
// change places.
const (
	viewerX, targetX, standY = -8, 8.5, -2
	wallThick, wallHigh      = 0.5, 8
	runFrom, runTo           = -16, 3
)

func timingLevel() (client.Loaded, error) {
	b := level.NewBuilder("timing")
	for _, x := range [][6]float32{{-80, -80, -1, 80, 80, 0}, {0, -70, 0, wallThick, 0, wallHigh}} {
		if err := b.AddBox(0, vec.Box{Min: vec.New(x[0], x[1], x[2]), Max: vec.New(x[3], x[4], x[5])}, level.Solid, "plain"); err != nil {
			return client.Loaded{}, err
		}
	}
	b.AddSpawn(vec.New(viewerX, standY, 0.1), 0, 0)
	l := b.Build()
	return client.Loaded{Level: l, World: trace.New(l)}, nil
}

// settling are rules that put players at their places, and do nothing else.
type settling struct{ at [2]rules.Spawn }

func (p *settling) Start(*rules.Match) error { return nil }
func (p *settling) Save() []byte             { return nil }

func (p *settling) Tick(in *rules.TickIn, ops []rules.Op) []rules.Op {
	for i := range in.Players {
		r := &in.Players[i]
		if r.Flags&(state.Dead|state.Spectating) != 0 && int(r.ID) <= len(p.at) {
			s := p.at[r.ID-1]
			ops = append(ops, rules.Op{Kind: rules.OpSpawn, ID: r.ID, Pos: s.Pos, Yaw: s.Yaw, Value: 100})
		}
	}
	return ops
}

// runner makes the commands of the one who runs: out past the corner, back, and a
// pause that differs each time, so that crossings meet ticks and snapshots in all
// phases.
type runner struct {
	out, began bool
	pause      int
	crossings  int
	want       int // crossings; then it stands
	rand       vec.Rand
}

func (r *runner) cmd(c *client.Client) state.Cmd {
	out := state.Cmd{Yaw: state.AngleOf(90)}
	y := c.Own().Pos.Y
	switch {
	case !r.began || r.pause > 0 || r.crossings >= r.want:
		r.pause--
		return out
	case r.out && y > runTo:
		r.out = false
	case !r.out && y < runFrom:
		r.out, r.pause = true, 8+r.rand.Intn(16)
		r.crossings++
	}
	out.Forward = 127
	if !r.out {
		out.Forward = -127
	}
	return out
}

// timing is a row while it runs.
type timing struct {
	cfg      TimingConfig
	srv      *server.Server
	clients  [2]*client.Client
	sims     [2]*link.Sim
	runner   runner
	look     *Onlooker
	now      int64 // of the present tick
	frame    int64 // of the present frame
	has      bool
	arrived  int64 // when the client came to have the target
	pending  bool  // it has not come into view since
	truly    bool  // it is in view on the server
	last     [2]state.Body
	eye      vec.V3
	pair     pairLog
	w        []float64
	always   bool
	observed bool
}

// MeasureTiming measures one row. The same Config gives the same row.
func MeasureTiming(cfg TimingConfig) (Timing, error) {
	if cfg.TickRate == 0 {
		cfg.TickRate = 64
	}
	if cfg.FPS == 0 {
		cfg.FPS = 256
	}
	if cfg.Crossings == 0 {
		cfg.Crossings = 8
	}
	if cfg.Crossings < 1 || cfg.Crossings > 10_000 || cfg.RTTms < 0 || cfg.RTTms > 1000 || cfg.FPS < 20 || cfg.FPS > 1000 {
		return Timing{}, fmt.Errorf("scenario: timing of %d crossings at %g ms and %g frames/s: give 1 to 10000, 0 to 1000 ms, 20 to 1000 frames/s", cfg.Crossings, cfg.RTTms, cfg.FPS)
	}
	t := &timing{cfg: cfg, now: 1, always: true}
	if err := t.start(); err != nil {
		return Timing{}, err
	}
	defer func() { t.srv.Close("measured", t.now) }()
	if err := t.run(); err != nil {
		return Timing{}, err
	}
	return t.result(), nil
}

// start makes the server and both clients, the viewer first.
func (t *timing) start() error {
	loaded, err := timingLevel()
	if err != nil {
		return err
	}
	set := tables.Arena()
	ruled := &settling{}
	ruled.at[0] = rules.Spawn{Pos: vec.New(viewerX, standY, 0.1), Yaw: 0}
	ruled.at[1] = rules.Spawn{Pos: vec.New(targetX, standY, 0.1), Yaw: 180}
	mover := 1
	if t.cfg.ByViewer {
		mover = 0
	}
	ruled.at[mover].Pos.Y = runFrom
	t.runner = runner{out: true, want: t.cfg.Crossings, rand: vec.NewRand(t.cfg.Seed, 0x71)}
	loop, addr := link.NewLoop(), netip.MustParseAddrPort("127.0.0.1:27960")
	port, err := loop.Attach(addr, 4096)
	if err != nil {
		return err
	}
	random := &stream{seed: t.cfg.Seed}
	key, err := handshake.NewKey(random)
	if err != nil {
		return err
	}
	t.srv, err = server.New(server.Config{
		Name: "timing", TickRate: t.cfg.TickRate, MaxClients: 2, Seed: t.cfg.Seed, Links: []link.Link{port}, Key: key, Rand: random,
		Rotation: []string{"timing"}, Pace: server.Pace{Hz: t.cfg.SnapshotHz},
		Start: func(string) (*server.Match, error) {
			settings, err := t.cfg.Policy.Schema.Check(t.cfg.Settings)
			if err != nil {
				return nil, err
			}
			policy, err := t.cfg.Policy.New(vis.Env{World: loaded.World, TickRate: t.cfg.TickRate, Seed: t.cfg.Seed, Settings: settings})
			if err != nil {
				return nil, err
			}
			return &server.Match{Ref: "timing", Level: loaded.Level, World: loaded.World, Tables: set, Range: vis.DefaultRange,
				Policy: vis.Inline(policy), Rules: rules.Inline(ruled)}, nil
		},
	})
	if err != nil {
		return err
	}
	t.look = NewOnlooker(loaded.World, &set, t.cfg.TickRate)
	for i := range t.clients {
		l, err := loop.Dial(4096)
		if err != nil {
			return err
		}
		line := link.SimConfig{LatencyMS: t.cfg.RTTms / 2, JitterMS: t.cfg.JitterMS, Loss: t.cfg.Loss}
		up, down := line, line
		up.Seed, down.Seed = t.cfg.Seed*64+uint64(2*i), t.cfg.Seed*64+uint64(2*i)+1
		if t.sims[i], err = link.NewSim(l, up, down); err != nil {
			return err
		}
		conf := client.Config{
			Link: t.sims[i], Server: addr, Name: [2]string{"viewer", "target"}[i], Hello: handshake.ClientConfig{Rand: random},
			Load:   func(string, [32]byte) (client.Loaded, error) { return loaded, nil },
			Tables: func([32]byte) (tables.Set, bool) { return set, true },
			Input:  func(*client.Client, state.Tick) state.Cmd { return state.Cmd{Yaw: state.AngleOf(90)} },
		}
		if i == mover {
			conf.Input = func(c *client.Client, _ state.Tick) state.Cmd { return t.runner.cmd(c) }
		}
		if i == 0 {
			conf.Snapshot = t.heard
		}
		if t.clients[i], err = client.New(conf); err != nil {
			return err
		}
		t.steps(8) // one after the other, so that ids are in order
	}
	for range 10 * t.cfg.TickRate {
		if t.clients[0].Own().Teleports > 0 && t.clients[1].Own().Teleports > 0 && t.clients[1].State() == client.Playing {
			t.steps(2 * t.cfg.TickRate) // round trip and delay are measured by then
			return nil
		}
		t.steps(1)
	}
	return fmt.Errorf("scenario: timing: the players did not come in: %s, %s", t.clients[0].State(), t.clients[1].State())
}

// run lets the runner cross so often.
func (t *timing) run() error {
	t.runner.began, t.observed, t.look.On = true, true, true
	for n := 0; t.runner.crossings < t.cfg.Crossings; n++ {
		t.steps(1)
		if n > t.cfg.Crossings*8*t.cfg.TickRate {
			return fmt.Errorf("scenario: timing: only %d of %d crossings: the runner is stuck at %v", t.runner.crossings, t.cfg.Crossings, t.clients[0].Own().Pos)
		}
	}
	t.steps(t.cfg.TickRate)
	for _, c := range t.clients {
		if c.State() != client.Playing {
			return fmt.Errorf("scenario: timing: a client is %s: %s", c.State(), c.Reason())
		}
	}
	return nil
}

// steps runs so many ticks, and frames in between.
func (t *timing) steps(ticks int) {
	tick := int64(math.Round(1e9 / float64(t.cfg.TickRate)))
	frames := max(int64(math.Round(t.cfg.FPS/float64(t.cfg.TickRate))), 1)
	for range ticks {
		for k := range frames {
			now := t.now + tick*k/frames
			t.frame = now
			for _, s := range t.sims {
				if s != nil {
					s.Advance(now)
				}
			}
			if k == 0 {
				t.srv.Step(now)
				t.look.Tick(t.srv, now)
				t.judge(now, tick)
			}
			for i, c := range t.clients {
				if c == nil {
					continue
				}
				c.Advance(now)
				c.Ease(float32(float64(tick/frames) / 1e9))
				if i == 0 {
					t.look.Frame(c, now)
				}
			}
		}
		t.now += tick
	}
}

// heard notes when the viewer's client comes to have the target, and loses it.
func (t *timing) heard(s *snapshot.Snapshot) {
	if !t.observed {
		return
	}
	has := false
	for i := range s.Entities {
		has = has || s.Entities[i].ID == 2
	}
	if has && !t.has {
		t.arrived, t.pending = t.frame, true
	}
	t.always = t.always && has
	t.has = has
}

// judge finds the instant at which the target truly comes into view.
func (t *timing) judge(now, tick int64) {
	w := t.srv.World()
	v, o := w.Player(1), w.Player(2)
	if v == nil || o == nil || v.Teleports == 0 || o.Teleports == 0 {
		return
	}
	e := w.Entity(2)
	body, eye := e.Body(), pmove.Eye(v, &t.look.set.Movement)
	placed := body.Placed()
	t.look.sight.Update(w.Doors(), w.Tick())
	sees := t.look.sees(&t.pair, eye, &placed)
	if sees && !t.truly && t.observed {
		lo, hi := uint32(0), uint32(256) // of the tick: not yet, and already
		for hi-lo > 1 {
			mid := (lo + hi) / 2
			at := state.Blend(&t.last[1], &body, 1, mid, t.cfg.TickRate)
			if t.look.sees(&t.pair, t.eye.Lerp(eye, float32(mid)/256), &at) {
				hi = mid
			} else {
				lo = mid
			}
		}
		came := now - tick + tick*int64(hi)/256
		if t.has && t.pending {
			t.w = append(t.w, math.Max(0, float64(came-t.arrived)/1e6))
		} else if !t.has {
			t.w = append(t.w, 0) // it comes after
		}
	}
	t.truly = sees
	t.last[1], t.eye = body, eye
	if sees {
		t.pending = false
	}
}

// result sums up.
func (t *timing) result() Timing {
	c, o := &t.cfg, &t.look.Complete
	out := Timing{
		Policy: c.Policy.Name, ByViewer: c.ByViewer, RTTms: c.RTTms, SnapshotHz: c.SnapshotHz, Loss: c.Loss, Crossings: t.runner.crossings,
		Late: o.Missing, Visible: o.Visible, Longest: o.LongestMS,
	}
	if o.Hidden > 0 {
		out.HiddenKnown = float64(o.Known) / float64(o.Hidden)
	}
	if t.always {
		return out
	}
	out.W, out.WMax = meanMost(t.w)
	out.Preload, out.PreloadMax = meanMost(o.Preload)
	return out
}

func meanMost(v []float64) (mean, most *float64) {
	if len(v) == 0 {
		return nil, nil
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	sum /= float64(len(v))
	top := slices.Max(v)
	return &sum, &top
}
