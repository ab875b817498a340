package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/gen"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	reachable "github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/net/link"
)

// newBench returns the bench subcommands.
func newBench() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure a match, or the network code by itself"}
	c.AddCommand(newBenchMatch(), newBenchNet(), newBenchSoak(), newBenchPart(), newBenchTiming(), newBenchPlugins(), newBenchPolicies())
	return c
}

// matchFlags are what bench match is called with; parts of a match in processes of
// their own are handed them.
type matchFlags struct {
	Players, Tick     int
	Seconds, Warm     float64
	Level, Policy     string
	Set               []string // name=number, of the policy
	Assets            []string
	Loss, RTT, Jitter float64
	Dup, Reorder      float64
	Seed              uint64
	Snapshots         int
	Encoder           string
	Mortal            bool
	Scoped            int // percent
	Suppressed        int // percent
	Patience          float64
	Throws            float64
	Vehicles          int
	Plugins           string // folder
	Stepped, Linked   bool
	Processes         bool // with Stepped: policy and rules in theirs
	Mailbox           bool
	Stay              bool // with that many players, whatever the load
	JSON              bool
	Verbose           bool
}

// generated is the name of the level that is made by code.
const generated = "countryside"

func newBenchMatch() *cobra.Command {
	var f matchFlags
	c := &cobra.Command{
		Use:   "match",
		Short: "Run a match of bots and measure it",
		Long: "Runs a server in a process of its own, with policy and rules in theirs, and its bots in\n" +
			"two more, over UDP on this machine, each bot behind a simulated line. When the bots take\n" +
			"more of the machine than there is, it says so and goes on with 50 of them.\n\n" +
			"With --stepped, server and bots run in one process, in turn and in stepped time, over\n" +
			"simulated links in memory: traffic, disclosure, positions and hits are what they would\n" +
			"be over a network, every run gives the same, and tick times are those of the server's\n" +
			"part alone; sockets and late ticks are not in it. With --processes policy and rules are\n" +
			"processes there too, which are waited for in each tick: the figures are the same.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.Processes && !f.Stepped {
				return errors.New("--processes belongs to --stepped: in real time they are processes unless --in-process is given")
			}
			run := benchLive
			if f.Stepped {
				run = benchStepped
			}
			fig, err := run(c, f)
			if err != nil {
				return err
			}
			if f.JSON {
				return writeJSON(c.OutOrStdout(), fig)
			}
			return printMatch(c.OutOrStdout(), &fig)
		},
	}
	fs := c.Flags()
	f.add(c, 100, 30)
	fs.BoolVar(&f.Stepped, "stepped", false, "one process, stepped time: the same figures in every run")
	fs.BoolVar(&f.Processes, "processes", false, "with --stepped: policy and rules as processes that are waited for")
	fs.BoolVar(&f.Linked, "in-process", false, "policy and rules in the server's process")
	fs.BoolVar(&f.Mailbox, "mailbox", true, "frames to and from the policy's process in shared memory where the system has it; =false: over the stream")
	fs.StringVar(&f.Plugins, "plugins", "bin", "folder of the plugin binaries")
	fs.BoolVar(&f.Stay, "stay", false, "keep the number of players when the bots are the bottleneck")
	fs.BoolVar(&f.JSON, "json", false, "print JSON")
	fs.BoolVarP(&f.Verbose, "verbose", "v", false, "name the shown hits that the server did not agree with")
	return c
}

// add declares what every match has.
func (f *matchFlags) add(c *cobra.Command, players int, seconds float64) {
	fs := c.Flags()
	fs.IntVar(&f.Players, "players", players, fmt.Sprintf("bots, 1 to %d", state.MaxPlayers))
	fs.IntVar(&f.Tick, "tick", 64, "ticks per second, 20 to 240")
	fs.IntVar(&f.Snapshots, "snapshots", 0, "snapshots per second; 0 adapts to need")
	fs.StringVar(&f.Encoder, "encoder", "tight", "tight, or naive: whole own states, an event for each shot, no range coder")
	fs.Float64Var(&f.Seconds, "seconds", seconds, "match time that is measured")
	fs.Float64Var(&f.Warm, "warm", 5, "match time before it, after all have joined")
	fs.StringVar(&f.Level, "map", generated, "a map file, or "+generated+": the generated 2 km")
	fs.StringArrayVar(&f.Assets, "assets", nil, "folder with .pk3 packs that the map needs (may be repeated)")
	fs.StringVar(&f.Policy, "policy", "deaddrop", "deaddrop, netoptimize, open, pvs, reach or screen")
	fs.StringArrayVar(&f.Set, "set", nil, "a setting of the policy, name=number (may be repeated)")
	fs.Float64Var(&f.RTT, "rtt", 80, "round trip of the links, ms")
	fs.Float64Var(&f.Jitter, "jitter", 5, "jitter of the links, ms each way")
	fs.Float64Var(&f.Loss, "loss", 0.02, "share of packets lost each way, 0 to 1")
	fs.Float64Var(&f.Dup, "dup", 0.01, "share of packets doubled each way, 0 to 1")
	fs.Float64Var(&f.Reorder, "reorder", 0.01, "share of packets overtaken each way, 0 to 1")
	fs.IntVar(&f.Scoped, "scoped", 30, "percent of the bots that carry an 8x or a 4x optic, 0 to 100")
	fs.IntVar(&f.Suppressed, "suppressed", 20, "percent of the bots that carry a suppressor, 0 to 100")
	fs.BoolVar(&f.Mortal, "mortal", false, "players can die")
	fs.IntVar(&f.Vehicles, "vehicles", 8, "how many vehicles stand in the generated level for bots to drive, 48 at most")
	fs.Float64Var(&f.Throws, "throws", 0.5, "in how many of its half minutes a bot throws smoke or a flash, 0 to 1")
	fs.Float64Var(&f.Patience, "patience", 5, "seconds that a bot fights before it goes its way; 0: it fights on")
	fs.Uint64Var(&f.Seed, "seed", 1, "seed of the level, the links and the bots")
}

func (f *matchFlags) check() error {
	if f.Players < 1 || f.Players > state.MaxPlayers {
		return fmt.Errorf("%d players, allowed are 1 to %d", f.Players, state.MaxPlayers)
	}
	if !(f.Seconds > 0) || f.Warm < 0 {
		return fmt.Errorf("%g seconds after %g are nothing to measure", f.Seconds, f.Warm)
	}
	if f.Encoder != "tight" && f.Encoder != "naive" {
		return fmt.Errorf("encoder %q is neither tight nor naive", f.Encoder)
	}
	spec, ok := policies()[f.Policy]
	if !ok {
		return fmt.Errorf("policy %q is none of %s", f.Policy, strings.Join(slices.Sorted(maps.Keys(policies())), ", "))
	}
	set, err := f.settings(f.Policy)
	if err == nil {
		_, err = spec.Schema.Check(set)
	}
	if err != nil {
		return fmt.Errorf("policy %s: %w", f.Policy, err)
	}
	return f.line().Validate()
}

func policies() map[string]vis.Spec {
	out := map[string]vis.Spec{}
	for _, s := range []vis.Spec{deaddrop.Spec(), netoptimize.Spec(), open.Spec(), pvs.Spec(), reachable.Spec(), screen.Spec()} {
		out[s.Name] = s
	}
	return out
}

// line is one direction of a bot's link.
func (f *matchFlags) line() link.SimConfig {
	return link.SimConfig{LatencyMS: f.RTT / 2, JitterMS: f.Jitter, Loss: f.Loss, Dup: f.Dup, Reorder: f.Reorder}
}

// arenaSet is the tables that matches are measured with.
func arenaSet(hash [32]byte) (tables.Set, bool) {
	set := tables.Arena()
	return set, set.Hash() == hash
}

// countryside is what the generated level is made of.
func (f *matchFlags) countryside() gen.Config { return gen.Config{Seed: f.Seed, Vehicles: f.Vehicles} }

// load loads the level of the match; a match hands it out by the name that it has.
func (f *matchFlags) load() (name string, got client.Loaded, err error) {
	var l *level.Level
	name = generated
	if f.Level == generated {
		l, err = gen.Countryside(f.countryside())
	} else {
		l, err = loadMap(f.Level, f.Assets)
		name = strings.TrimSuffix(filepath.Base(f.Level), filepath.Ext(f.Level))
	}
	if err != nil {
		return name, got, err
	}
	return name, client.Loaded{Level: l, World: trace.New(l)}, nil
}

// rules describes the match to its rules.
func (f *matchFlags) rules(ref string, l *level.Level) rules.Match {
	m := rules.Match{Level: ref, LevelHash: l.Hash, Seed: f.Seed, TickRate: f.Tick, Tables: tables.Arena()}
	m.Settings = map[string]string{"scoped_pct": strconv.Itoa(f.Scoped), "suppressed_pct": strconv.Itoa(f.Suppressed)}
	for _, s := range l.Spawns {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
	}
	return m
}

// settings are those of a policy that are not its defaults: the policy that is measured
// has those of the command line, and a fallback has none.
func (f *matchFlags) settings(name string) (vis.Settings, error) {
	if name != f.Policy || len(f.Set) == 0 {
		return nil, nil
	}
	out := vis.Settings{}
	for _, s := range f.Set {
		key, value, _ := strings.Cut(s, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("setting %q is not of the form name=number", s)
		}
		out[key] = v
	}
	return out, nil
}

// raysCap is how many rays the policy may spend in a tick, nil when it spends none.
func (f *matchFlags) raysCap() *int {
	set, err := f.settings(f.Policy)
	if err != nil {
		return nil
	}
	if set, err = policies()[f.Policy].Schema.Check(set); err != nil {
		return nil
	}
	most, is := set["rays_per_tick"]
	if !is {
		return nil
	}
	n := int(most)
	return &n
}

// policy makes a policy in this process.
func (f *matchFlags) policy(name string, w *trace.World) (vis.Policy, error) {
	spec := policies()[name]
	set, err := f.settings(name)
	if err != nil {
		return nil, err
	}
	settings, err := spec.Schema.Check(set)
	if err != nil {
		return nil, err
	}
	return spec.New(vis.Env{World: w, TickRate: f.Tick, Seed: f.Seed, Settings: settings})
}

// linked makes a match with policy and rules in this process, the policy behind a
// meter.
func (f *matchFlags) linked(ref string, loaded client.Loaded, meter *scenario.Meter) (*server.Match, error) {
	p, err := f.policy(f.Policy, loaded.World)
	if err != nil {
		return nil, err
	}
	r := duel.Spec().New()
	m := f.rules(ref, loaded.Level)
	if err := r.Start(&m); err != nil {
		return nil, err
	}
	return f.match(ref, loaded, meter.Inline(p), rules.Inline(r)), nil
}

func (f *matchFlags) match(ref string, loaded client.Loaded, p vis.Decider, r rules.Runner) *server.Match {
	if !f.Mortal {
		r = scenario.Deathless(r)
	}
	return &server.Match{
		Ref: ref, Level: loaded.Level, World: loaded.World, Tables: tables.Arena(),
		Policy: p, Rules: r, Range: vis.DefaultRange, VehicleRange: vis.DefaultRange,
	}
}

// stepped describes the match in stepped time, with policy and rules in this process.
func (f *matchFlags) stepped() (scenario.Config, error) {
	name, loaded, err := f.load()
	if err != nil {
		return scenario.Config{}, err
	}
	return f.inSteps(name, loaded, func(ref string) (*server.Match, error) { return f.linked(ref, loaded, nil) }), nil
}

func (f *matchFlags) inSteps(name string, loaded client.Loaded, start func(string) (*server.Match, error)) scenario.Config {
	return scenario.Config{
		Bots: f.Players, Seconds: f.Seconds, TickRate: f.Tick, Seed: f.Seed, Up: f.line(), Down: f.line(),
		Skill: 0.7, Patience: float32(f.Patience), Throws: float32(f.Throws), Pace: server.Pace{Hz: f.Snapshots}, Naive: f.Encoder == "naive", Rotation: []string{name},
		Start: start, Load: func(string, [32]byte) (client.Loaded, error) { return loaded, nil }, Tables: arenaSet,
	}
}

// benchStepped runs the match in this process.
func benchStepped(c *cobra.Command, f matchFlags) (scenario.Figures, error) {
	name, loaded, err := f.load()
	if err != nil {
		return scenario.Figures{}, err
	}
	runtime.LockOSThread() // the clock is this thread's
	defer runtime.UnlockOSThread()
	now, clock := cpuTime()
	s := &serving{meter: scenario.Meter{CPU: now, Wall: time.Now}, wait: true}
	f.Linked = !f.Processes
	start := func(ref string) (*server.Match, error) { return s.start(&f, ref, loaded) }
	b := scenario.BenchConfig{Policy: f.Policy, Warm: f.Warm, Now: now, Range: vis.DefaultRange, Meter: &s.meter, Config: f.inSteps(name, loaded, start)}
	if f.Processes {
		b.CPU = s.cpu
	}
	if f.Verbose {
		b.Lost = func(a *scenario.Aim, why scenario.Why) {
			fmt.Fprintf(c.ErrOrStderr(), "tick %d: %d shot at %d, who was drawn %v: %v\n", a.Tick, a.Shooter, a.Target, a.Drawn, why)
		}
	}
	fig, err := scenario.Bench(b)
	fig.Clock, fig.RaysCap = clock, f.raysCap()
	if s.policy != nil {
		misses := s.misses()
		fig.Misses = &misses
	}
	if m := residentMiB(); m > 0 {
		fig.RSSMiB = &m
	}
	return fig, err
}

// perOp is a figure of bench net.
type perOp struct {
	Name   string  `json:"name"`
	Ns     float64 `json:"ns_per_op"`
	Allocs float64 `json:"allocs_per_op"`
	Bytes  float64 `json:"bytes,omitempty"` // of the packet
}

// measure runs f until it has taken a while, and says what one call took.
func measure(name string, bytes float64, f func()) perOp {
	const least = 100 * time.Millisecond
	f()
	for n := 64; ; n *= 4 {
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		start := time.Now()
		for range n {
			f()
		}
		took := time.Since(start)
		if took < least && n < 1<<26 {
			continue
		}
		runtime.ReadMemStats(&b)
		return perOp{Name: name, Ns: float64(took.Nanoseconds()) / float64(n), Allocs: float64(b.Mallocs-a.Mallocs) / float64(n), Bytes: bytes}
	}
}
