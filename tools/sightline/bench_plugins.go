package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// crossing is how policy and rules are reached.
type crossing string

// The crossings.
const (
	linkedIn crossing = "linked in"
	inCodec  crossing = "codec"
	overPipe crossing = "stream"
	overBox  crossing = "mailbox"
)

func crossings() []crossing { return []crossing{linkedIn, inCodec, overPipe, overBox} }

// costPolicy is a policy that costs are measured with.
type costPolicy struct {
	name, file string
	spec       vis.Spec
	set        vis.Settings
}

// costPolicies are one that only measures distances, and the default one.
func costPolicies() []costPolicy {
	return []costPolicy{
		{"distance", "policy-netoptimize", netoptimize.Spec(), vis.Settings{"mode": 0, "far_plane_m": 40}},
		{"deaddrop", "policy-deaddrop", deaddrop.Spec(), nil},
	}
}

// costFlags are what bench plugins is called with.
type costFlags struct {
	Players, Hz []int
	Policies    []string
	Worlds      []string
	Seconds     float64
	Simulate    time.Duration
	Plugins     string
	JSON        bool
	Out         string
}

// pluginCost is what policy and rules together cost, per tick. Times are in ms.
type pluginCost struct {
	World    string   `json:"world"`
	Policy   string   `json:"policy"`
	Players  int      `json:"players"`
	Hz       int      `json:"tick_hz"`
	Crossing crossing `json:"crossing"`
	Ticks    int      `json:"ticks"`

	TripP50 float64 `json:"trip_ms_p50"` // policy: Submit to the end of Collect with nothing between
	TripP99 float64 `json:"trip_ms_p99"`
	PathP50 float64 `json:"path_ms_p50"` // Submit and Collect of both, with the simulation between
	PathP99 float64 `json:"path_ms_p99"`

	TickCPU   float64 `json:"tick_thread_cpu_ms"`
	HostCPU   float64 `json:"host_other_cpu_ms"` // threads of the host beside the tick's
	PluginCPU float64 `json:"plugin_cpu_ms"`     // both processes
	Allocs    float64 `json:"host_allocs"`
	BytesOut  float64 `json:"bytes_out"`
	BytesIn   float64 `json:"bytes_in"`
	Missed    float64 `json:"missed_share"` // of the policy's deadlines
	Restarts  int     `json:"restarts"`     // of the policy, who missed too many: it did less than it should
	Mailbox   bool    `json:"mailbox"`      // the policy's frames did go through shared memory
}

// costReport is a run of bench plugins.
type costReport struct {
	CPUs  int          `json:"cpus"`
	Go    string       `json:"go"`
	Load  [2]string    `json:"load"` // averages before and after
	Clock string       `json:"clock"`
	Rows  []pluginCost `json:"rows"`
}

func newBenchPlugins() *cobra.Command {
	f := costFlags{}
	c := &cobra.Command{
		Use:   "plugins",
		Short: "Measure what policy and rules cost linked in, encoded and as processes",
		Long: "Paced ticks, with policy and rules together: linked in, in this process through the codec,\n" +
			"each in a process of its own over the gRPC stream, and with the policy's frames in shared\n" +
			"memory. Every second tick the policy's answer is waited for at once (the round trip), in the\n" +
			"others there is a simulation between asking and collecting (the critical path). Compare\n" +
			"rows of one run: on a machine that others use only ratios say much. -o writes the page\n" +
			"docs/plugins-bench.md.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := benchPlugins(c.Context(), &f, func(line string) { fmt.Fprintln(c.ErrOrStderr(), line) })
			if err != nil {
				return err
			}
			switch {
			case f.Out != "":
				return os.WriteFile(f.Out, []byte(costPage(&r, &f)), 0o644)
			case f.JSON:
				return writeJSON(c.OutOrStdout(), r)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprintln(w, strings.Join(costColumns(), "\t")+"\t")
			for i := range r.Rows {
				fmt.Fprintln(w, strings.Join(r.Rows[i].cells(), "\t")+"\t")
			}
			fmt.Fprintf(w, "%s\n", r.under())
			return w.Flush()
		},
	}
	fs := c.Flags()
	fs.IntSliceVar(&f.Players, "players", []int{100, 250, 500}, "numbers of players, 2 to 500 each")
	fs.IntSliceVar(&f.Hz, "tick", []int{64, 128}, "tick rates, 20 to 240 each")
	fs.StringSliceVar(&f.Policies, "policy", []string{"distance", "deaddrop"}, "policies: distance, deaddrop")
	fs.StringSliceVar(&f.Worlds, "world", costWorlds(), "levels: "+country+" of 2 km, field where everybody is near")
	fs.Float64Var(&f.Seconds, "seconds", 1, "time that is measured for each row")
	fs.DurationVar(&f.Simulate, "simulate", time.Millisecond, "work between asking and collecting, in every second tick")
	fs.StringVar(&f.Plugins, "plugins", "bin", "folder of the plugin binaries")
	fs.BoolVar(&f.JSON, "json", false, "print JSON")
	fs.StringVarP(&f.Out, "out", "o", "", "write the page here")
	return c
}

func (f *costFlags) check() error {
	for _, n := range f.Players {
		if n < 2 || n > 500 {
			return fmt.Errorf("%d players, allowed are 2 to 500", n)
		}
	}
	for _, hz := range f.Hz {
		if hz < 20 || hz > 240 {
			return fmt.Errorf("%d ticks a second, allowed are 20 to 240", hz)
		}
	}
	for _, name := range f.Policies {
		if !slices.ContainsFunc(costPolicies(), func(p costPolicy) bool { return p.name == name }) {
			return fmt.Errorf("policy %q is neither distance nor deaddrop", name)
		}
	}
	for _, name := range f.Worlds {
		if !slices.Contains(costWorlds(), name) {
			return fmt.Errorf("world %q is neither %s nor %s", name, country, field)
		}
	}
	if !(f.Seconds > 0) || f.Seconds > 600 {
		return fmt.Errorf("%g seconds, allowed are more than 0 and up to 600", f.Seconds)
	}
	return nil
}

// benchPlugins measures every row, after a word on each.
func benchPlugins(ctx context.Context, f *costFlags, say func(string)) (costReport, error) {
	r := costReport{CPUs: runtime.NumCPU(), Go: runtime.Version()}
	if err := f.check(); err != nil {
		return r, err
	}
	runtime.LockOSThread() // the clock is this thread's
	defer runtime.UnlockOSThread()
	clock, what := cpuTime()
	r.Clock, r.Load[0] = what, loadAverage()
	for _, world := range f.Worlds {
		g, err := newCostGround(world)
		if err != nil {
			return r, err
		}
		for _, row := range f.rows(world) {
			say(fmt.Sprintf("%s, %s, %d players, %d Hz, %s", world, row.Policy, row.Players, row.Hz, row.Crossing))
			if err := measureCost(ctx, f, g, &row, clock); err != nil {
				return r, err
			}
			r.Rows = append(r.Rows, row)
		}
	}
	r.Load[1] = loadAverage()
	return r, nil
}

// rows are those of a world, before they are measured.
func (f *costFlags) rows(world string) (out []pluginCost) {
	for _, p := range f.Policies {
		for _, n := range f.Players {
			for _, hz := range f.Hz {
				for _, x := range crossings() {
					out = append(out, pluginCost{World: world, Policy: p, Players: n, Hz: hz, Crossing: x})
				}
			}
		}
	}
	return out
}

// asked is whom a row asks.
type asked struct {
	policy vis.Decider
	rules  rules.Runner
	p      *plugin.Policy // nil in this process
	r      *plugin.Rules
	coded  []*plugin.Coded
}

// start makes policy and rules that are reached as the row says.
func (f *costFlags) start(ctx context.Context, row *pluginCost, w *costGround) (*asked, error) {
	all := costPolicies()
	p := &all[slices.IndexFunc(all, func(p costPolicy) bool { return p.name == row.Policy })]
	hz, x := row.Hz, row.Crossing
	set, err := p.spec.Schema.Check(p.set)
	if err != nil {
		return nil, err
	}
	env := vis.Env{World: w.trace, TickRate: hz, Seed: 1, Settings: set}
	match := rules.Match{Level: w.name, LevelHash: w.level.Hash, Seed: 1, TickRate: hz, Tables: tables.Arena()}
	for _, s := range w.level.Spawns {
		match.Spawns = append(match.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw})
	}
	if x == linkedIn || x == inCodec {
		pol, err := p.spec.New(env)
		if err != nil {
			return nil, err
		}
		mode := duel.Spec().New()
		if err := mode.Start(&match); err != nil {
			return nil, err
		}
		if x == linkedIn {
			return &asked{policy: vis.Inline(pol), rules: rules.Inline(mode)}, nil
		}
		cp, cr := &plugin.CodedPolicy{Policy: pol}, &plugin.CodedRules{Rules: mode}
		return &asked{policy: cp, rules: cr, coded: []*plugin.Coded{&cp.Coded, &cr.Coded}}, nil
	}
	common := plugin.Config{TickRate: hz, Engine: "sightline", Log: slog.New(slog.DiscardHandler), Stream: x == overPipe}
	pc := plugin.PolicyConfig{Config: common, Seed: 1, Settings: p.set, Level: plugin.LevelOf(w.name, w.text, level.Options{}, w.level)}
	pc.Path = filepath.Join(f.Plugins, p.file)
	a := &asked{}
	if a.p, err = plugin.StartPolicy(ctx, pc); err != nil {
		return nil, fmt.Errorf("%w (make plugins builds it)", err)
	}
	rc := plugin.RulesConfig{Config: common, Match: match}
	rc.Path = filepath.Join(f.Plugins, "rules-duel")
	if a.r, err = plugin.StartRules(ctx, rc); err != nil {
		a.p.Close()
		return nil, fmt.Errorf("%w (make plugins builds it)", err)
	}
	a.policy, a.rules = a.p, a.r
	return a, nil
}

func (a *asked) close() {
	if a.p != nil {
		a.p.Close()
		a.r.Close()
	}
}

// bytes are those that have crossed.
func (a *asked) bytes() (out, in uint64) {
	for _, c := range a.coded {
		out, in = out+c.Out, in+c.In
	}
	if a.p != nil {
		p, r := a.p.Stats(), a.r.Stats()
		out, in = p.BytesOut+r.BytesOut, p.BytesIn+r.BytesIn
	}
	return out, in
}

// pluginTime is the CPU time of both processes.
func (a *asked) pluginTime() time.Duration {
	if a.p == nil {
		return 0
	}
	return processTimeOf(a.p.Stats().PID) + processTimeOf(a.r.Stats().PID)
}

// warmSeconds are played before a row is measured.
const warmSeconds = 0.3

// measureCost measures a row.
func measureCost(ctx context.Context, f *costFlags, g *costGround, row *pluginCost, clock func() time.Time) error {
	hz := row.Hz
	w := newCostWorld(g, row.Players, hz)
	a, err := f.start(ctx, row, g)
	if err != nil {
		return err
	}
	defer a.close()
	warm := int(warmSeconds * float64(hz))
	row.Ticks = max(2, int(f.Seconds*float64(hz)))
	trips, paths := make([]float64, 0, row.Ticks), make([]float64, 0, row.Ticks)
	var tickCPU, threadFrom, hostFrom, pluginFrom time.Duration
	var mem runtime.MemStats
	var mallocs, outFrom, inFrom, missFrom uint64
	var restartsFrom int
	at := func() time.Duration { return time.Duration(clock().UnixNano()) }
	next := time.Now()
	for tick := range warm + row.Ticks {
		if tick == warm {
			runtime.GC()
			runtime.ReadMemStats(&mem)
			mallocs = mem.Mallocs
			outFrom, inFrom = a.bytes()
			missFrom, restartsFrom = a.missed()
			threadFrom, hostFrom, pluginFrom = at(), processTime(), a.pluginTime()
			tickCPU = 0
		}
		in, rin := w.step()
		overlap := tick%2 == 1
		cpu, began := at(), time.Now()
		a.rules.Take()
		a.policy.Submit(in)
		a.rules.Submit(rin)
		path := time.Since(began)
		tickCPU += at() - cpu
		if overlap {
			for s := time.Now(); time.Since(s) < f.Simulate; {
			}
		}
		cpu, again := at(), time.Now()
		a.policy.Collect()
		path += time.Since(again)
		tickCPU += at() - cpu
		if tick >= warm {
			if ms := path.Seconds() * 1e3; overlap {
				paths = append(paths, ms)
			} else {
				trips = append(trips, ms)
			}
		}
		next = next.Add(time.Second / time.Duration(hz))
		if left := time.Until(next); left > 0 {
			time.Sleep(left)
		} else {
			next = time.Now()
		}
	}
	host, thread, plugins := processTime()-hostFrom, at()-threadFrom, a.pluginTime()-pluginFrom
	runtime.ReadMemStats(&mem)
	out, back := a.bytes()
	n := float64(row.Ticks)
	row.TripP50, row.TripP99 = quantiles(trips)
	row.PathP50, row.PathP99 = quantiles(paths)
	row.TickCPU = tickCPU.Seconds() * 1e3 / n
	row.HostCPU = max(0, (host-thread).Seconds()*1e3/n)
	row.PluginCPU = plugins.Seconds() * 1e3 / n
	row.Allocs = float64(mem.Mallocs-mallocs) / n
	row.BytesOut, row.BytesIn = float64(out-outFrom)/n, float64(back-inFrom)/n
	missed, restarts := a.missed()
	row.Missed, row.Restarts = float64(missed-missFrom)/n, restarts-restartsFrom
	row.Mailbox = a.p != nil && a.p.Stats().Mailbox
	return nil
}

// missed are the deadlines that the policy missed, and how often it was started again.
func (a *asked) missed() (misses uint64, restarts int) {
	if a.p == nil {
		return 0, 0
	}
	s := a.p.Stats()
	return s.Misses, s.Restarts
}

func quantiles(v []float64) (p50, p99 float64) {
	if len(v) == 0 {
		return 0, 0
	}
	slices.Sort(v)
	return v[(len(v)-1)/2], v[(len(v)-1)*99/100]
}

// processTimeOf is the CPU time of another process, all of its threads; 0 where that
// is not known.
func processTimeOf(pid int) (sum time.Duration) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, name := range files {
		var ns int64
		if b, err := os.ReadFile(name); err == nil {
			_, _ = fmt.Sscan(string(b), &ns)
		}
		sum += time.Duration(ns)
	}
	return sum
}

// loadAverage is how many threads wanted a processor over the last minute, as the
// system says it.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(b), " ")
	return first
}
