package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
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
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/net/link"
)

// newBench returns the bench subcommands.
func newBench() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure a match, or the network code by itself"}
	c.AddCommand(newBenchMatch(), newBenchNet())
	return c
}

// matchFlags are what bench match is called with.
type matchFlags struct {
	players, tick     int
	seconds, warm     float64
	level, policy     string
	assets            []string
	loss, rtt, jitter float64
	dup, reorder      float64
	seed              uint64
	json              bool
}

// generated is the name of the level that is made by code.
const generated = "countryside"

func newBenchMatch() *cobra.Command {
	var f matchFlags
	c := &cobra.Command{
		Use:   "match",
		Short: "Run a match of bots and measure it",
		Long: "Runs a server and its bots in one process, in turn and in stepped time, over simulated\n" +
			"links in memory: traffic, disclosure, positions and hits are what they would be over a\n" +
			"network, tick times are those of the server's part alone. Not measured in this form:\n" +
			"sockets, plugins in processes of their own, and late ticks.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fig, clock, err := benchMatch(f)
			if err != nil {
				return err
			}
			if f.json {
				return writeJSON(c.OutOrStdout(), fig)
			}
			return printMatch(c.OutOrStdout(), &fig, clock)
		},
	}
	fs := c.Flags()
	fs.IntVar(&f.players, "players", 100, fmt.Sprintf("bots, 1 to %d", state.MaxPlayers))
	fs.IntVar(&f.tick, "tick", 64, "ticks and snapshots per second, 20 to 240")
	fs.Float64Var(&f.seconds, "seconds", 30, "match time that is measured")
	fs.Float64Var(&f.warm, "warm", 5, "match time before it, after all have joined")
	fs.StringVar(&f.level, "map", generated, "a map file, or "+generated+": the generated 2 km")
	fs.StringArrayVar(&f.assets, "assets", nil, "folder with .pk3 packs that the map needs (may be repeated)")
	fs.StringVar(&f.policy, "policy", "deaddrop", "deaddrop or open, in process")
	fs.Float64Var(&f.rtt, "rtt", 80, "round trip of the links, ms")
	fs.Float64Var(&f.jitter, "jitter", 5, "jitter of the links, ms each way")
	fs.Float64Var(&f.loss, "loss", 0.02, "share of packets lost each way, 0 to 1")
	fs.Float64Var(&f.dup, "dup", 0.01, "share of packets doubled each way, 0 to 1")
	fs.Float64Var(&f.reorder, "reorder", 0.01, "share of packets overtaken each way, 0 to 1")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the level, the links and the bots")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	return c
}

// benchMatch runs the match; clock says what its times are.
func benchMatch(f matchFlags) (fig scenario.Figures, clock string, err error) {
	if f.players < 1 || f.players > state.MaxPlayers {
		return fig, "", fmt.Errorf("%d players, allowed are 1 to %d", f.players, state.MaxPlayers)
	}
	spec := map[string]vis.Spec{"deaddrop": deaddrop.Spec(), "open": open.Spec()}
	policy, ok := spec[f.policy]
	if !ok {
		return fig, "", fmt.Errorf("policy %q is none of deaddrop, open", f.policy)
	}
	var l *level.Level
	name := generated
	if f.level == generated {
		l, err = gen.Countryside(gen.Config{Seed: f.seed})
	} else {
		l, err = loadMap(f.level, f.assets)
		name = strings.TrimSuffix(filepath.Base(f.level), filepath.Ext(f.level))
	}
	if err != nil {
		return fig, "", err
	}
	// A match hands out its level by the name that the level has.
	loaded := client.Loaded{Level: l, World: trace.New(l)}
	set := tables.Arena()
	line := link.SimConfig{LatencyMS: f.rtt / 2, JitterMS: f.jitter, Loss: f.loss, Dup: f.dup, Reorder: f.reorder}

	runtime.LockOSThread() // the clock is this thread's
	defer runtime.UnlockOSThread()
	now, clock := cpuTime()
	fig, err = scenario.Bench(scenario.BenchConfig{
		Policy: f.policy, Warm: f.warm, Now: now,
		Config: scenario.Config{
			Bots: f.players, Seconds: f.seconds, TickRate: f.tick, Seed: f.seed, Up: line, Down: line, Skill: 0.7,
			Rotation: []string{name},
			Start: func(ref string) (*server.Match, error) {
				return startMatch(ref, loaded, set, policy, f)
			},
			Load:   func(string, [32]byte) (client.Loaded, error) { return loaded, nil },
			Tables: func(hash [32]byte) (tables.Set, bool) { return set, set.Hash() == hash },
		},
	})
	fig.RSSMiB, fig.Clock = peakMiB(), clock
	return fig, clock, err
}

// startMatch makes a match with policy and rules in this process.
func startMatch(ref string, loaded client.Loaded, set tables.Set, spec vis.Spec, f matchFlags) (*server.Match, error) {
	settings, err := spec.Schema.Check(nil)
	if err != nil {
		return nil, err
	}
	p, err := spec.New(vis.Env{World: loaded.World, TickRate: f.tick, Seed: f.seed, Settings: settings})
	if err != nil {
		return nil, err
	}
	r := duel.Spec().New()
	m := &rules.Match{Level: ref, LevelHash: loaded.Level.Hash, Seed: f.seed, TickRate: f.tick, Tables: set}
	for _, s := range loaded.Level.Spawns {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
	}
	if err := r.Start(m); err != nil {
		return nil, err
	}
	return &server.Match{
		Ref: ref, Level: loaded.Level, World: loaded.World, Tables: set,
		Policy: vis.Inline(p), Rules: rules.Inline(r), Range: vis.DefaultRange,
	}, nil
}

// printMatch prints the figures as a table.
func printMatch(out io.Writer, f *scenario.Figures, clock string) error {
	fmt.Fprintf(out, "%d players on %s, %d Hz, policy %s, %g s\n%s\n\n", f.Players, f.Map, f.TickHz, f.Policy, f.Seconds, f.Form)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t"+format+"\n", append([]any{name}, args...)...)
	}
	opt := func(name, format string, v *float64, scale float64) {
		if v == nil {
			row(name, "nothing to measure")
			return
		}
		row(name, format, *v*scale)
	}
	if t := f.TickCPU; t != nil {
		row("tick, ms ("+clock+")", "p50 %.3f  p95 %.3f  p99 %.3f  max %.3f", t.P50, t.P95, t.P99, t.Max)
		for st := range server.NumStages {
			row("  "+st.String()+", ms", "p50 %.3f", f.StageMS[st.String()])
		}
		opt("relevance, ms", "p50 %.3f", f.RelevanceP50, 1)
	}
	row("rays per update", "%.0f", f.Rays)
	row("candidates and known per viewer", "%.1f  %.1f", f.Candidates, f.Known)
	row("on the wire per player, kbps", "down %.1f  up %.1f", f.WireKbps.Down, f.WireKbps.Up)
	row("payload per player, kbps", "down %.1f  up %.1f", f.PayloadKbps.Down, f.PayloadKbps.Up)
	var names []string
	for n := range f.Categories {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		row("  "+n+", bytes/s down", "%.0f", f.Categories[n])
	}
	opt("position error within 50 m, cm", "p50 %.2f", f.PositionP50Near, 1)
	opt("", "p99 %.2f", f.PositionP99Near, 1)
	opt("position error beyond, cm", "p99 %.2f", f.PositionP99Far, 1)
	opt("hit agreement, %", "%.2f", f.HitAgreement, 100)
	row("hits shown, and given unshown", "%d  %d, of %d shots, %d kills", f.ShownHits, f.Unshown, f.Shots, f.Kills)
	row("prediction errors", "%d in %d commands", f.PredictionErrors, f.Commands)
	row("commands starved and late", "%d  %d", f.Starved, f.LateCommands)
	row("clients dropped", "%d", f.Dropped)
	if f.RSSMiB > 0 {
		row("resident at most, MiB", "%.0f (server and clients)", f.RSSMiB)
	}
	return w.Flush()
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
