package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
)

// table writes rows of a name and what is said of it.
type table struct{ w *tabwriter.Writer }

func (t table) row(name, format string, args ...any) {
	fmt.Fprintf(t.w, "%s\t"+format+"\n", append([]any{name}, args...)...)
}

// opt writes a figure, or that there is none.
func (t table) opt(name, format string, v *float64, scale float64) {
	if v == nil {
		t.row(name, "not measured")
		return
	}
	t.row(name, format, *v*scale)
}

// parts writes the parts of a figure, in order of their names.
func parts[V any](t table, m map[string]V, row func(name string, v V)) {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		row("  "+n, m[n])
	}
}

func capText(rays *int) string {
	if rays == nil {
		return ", without a cap"
	}
	return fmt.Sprintf(", cap %d", *rays)
}

// printMatch prints the figures as a table.
func printMatch(out io.Writer, f *scenario.Figures) error {
	fmt.Fprintf(out, "%d players on %s, %d Hz, snapshots %s, policy %s, %g s\n%s\n\n", f.Players, f.Map, f.TickHz, f.Pace, f.Policy, f.Seconds, f.Form)
	t := table{tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	if p := f.TickCPU; p != nil {
		t.row("tick, ms ("+f.Clock+")", "p50 %.3f  p95 %.3f  p99 %.3f  max %.3f", p.P50, p.P95, p.P99, p.Max)
		for st := range server.NumStages {
			t.row("  "+st.String()+", ms", "p50 %.3f", f.StageMS[st.String()])
		}
		if r := f.Relevance; r != nil {
			t.row("relevance on that thread, ms", "p50 %.3f  p95 %.3f  p99 %.3f", r.P50, r.P95, r.P99)
		}
		if w := f.PolicyWait; w != nil {
			t.row("  and the wait for the policy, ms", "p50 %.3f  p99 %.3f", w.P50, w.P99)
		}
		if f.ViewsBeside != nil {
			t.row("  Views on a second thread, ms a tick", "%.3f, waited for %.3f", *f.ViewsBeside, *f.BesideWait)
		}
		t.opt("policy, ms of CPU a tick", "%.3f", f.PolicyCPU, 1)
		if f.FallbackCPU != nil {
			t.opt("  its fallback", "%.3f", f.FallbackCPU, 1)
			t.opt("  rules", "%.3f", f.RulesCPU, 1)
		}
	}
	if p := f.RoundTrip; p != nil {
		t.row("policy round trip, ms", "p50 %.3f  p99 %.3f", p.P50, p.P99)
	}
	if f.Misses != nil {
		t.row("deadlines missed", "%d", *f.Misses)
	}
	if f.LateTicks != nil {
		t.row("late ticks", "%d", *f.LateTicks)
	}
	t.row("rays per update", "%.0f, most %d%s", f.Rays, f.MostRays, capText(f.RaysCap))
	t.row("candidates and known per viewer", "%.1f  %.1f", f.Candidates, f.Known)
	if f.Scoped > 0 {
		t.row("  known by a cone alone", "%.2f, %.1f %% look through an optic", f.ConeKnown, f.Scoped*100)
	}
	t.row("on the wire per player, kbps", "down %.1f  up %.1f", f.WireKbps.Down, f.WireKbps.Up)
	t.row("  a plain encoder, same packets", "down %.1f", f.NaiveKbps)
	t.row("payload per player, kbps", "down %.1f  up %.1f", f.PayloadKbps.Down, f.PayloadKbps.Up)
	t.row("packets per second", "down %.1f  up %.1f", f.PacketHz.Down, f.PacketHz.Up)
	parts(t, f.RateClasses, func(n string, v float64) { t.row(n+", share of time", "%.1f %%", v*100) })
	parts(t, f.Categories.Down, func(n string, v float64) { t.row(n+", bytes/s down", "%.0f", v) })
	parts(t, f.Categories.Up, func(n string, v float64) { t.row(n+", bytes/s up", "%.0f", v) })
	t.opt("position error within 50 m, cm", "p50 %.2f", f.PositionP50Near, 1)
	t.opt("", "p99 %.2f", f.PositionP99Near, 1)
	parts(t, f.Positions, func(n string, e scenario.Errors) {
		t.row(n, "%d drawn, p50 %.2f  p99 %.2f  max %.2f", e.N, e.P50, e.P99, e.Max)
	})
	t.opt("position error beyond, cm", "p50 %.2f", f.PositionP50Far, 1)
	t.opt("", "p99 %.2f", f.PositionP99Far, 1)
	t.opt("hit agreement, %", "%.2f", f.HitAgreement, 100)
	if f.Undisturbed != nil {
		t.row("  of shooters not pushed, %", "%.2f (%d others)", *f.Undisturbed*100, f.Pushed)
	}
	t.row("hits shown, and given unshown", "%d  %d, of %d shots (%.1f per player and minute), %d kills", f.ShownHits, f.Unshown, f.Shots, f.ShotsMinute, f.Kills)
	parts(t, f.HitsLost, func(n string, v int) { t.row(n, "lost %d", v) })
	parts(t, f.HitsMoot, func(n string, v int) { t.row(n, "not counted %d", v) })
	for v := range scenario.NumVariants {
		if share, ok := f.Rewinds[v.String()]; ok {
			t.row("  shots tested again "+v.String(), "%.2f %% of %d", share*100, f.RewindShots)
		}
	}
	for c := range scenario.NumRanges {
		if h, ok := f.HitsByRange[scenario.RangeName(c)]; ok {
			t.row("  hits shown "+scenario.RangeName(c), "%d, agreed %.1f %%", h.Shown, float64(h.Agreed)/float64(h.Shown)*100)
		}
	}
	for _, s := range []struct {
		name string
		s    *scenario.Spread
	}{{"  targets, degrees/s across", f.TargetTurn}, {"  targets, m/s across", f.TargetMoves}, {"  targets, m away", f.TargetRange}} {
		if s.s != nil {
			t.row(s.name, "p10 %.1f  p50 %.1f  p90 %.1f", s.s.P10, s.s.P50, s.s.P90)
		}
	}
	if p := f.Peek; p != nil {
		t.row("peeker's advantage, ms", "p50 %.0f, by the formula %.0f", p.Measured, p.Formula)
	}
	t.row("prediction errors", "%d in %d commands; %d corrections explained, %d wrong hashes", f.PredictionErrors, f.Commands, f.Corrections, f.Mismatches)
	t.row("commands starved and late", "%d  %d", f.Starved, f.LateCommands)
	t.row("snapshots not decoded", "%d", f.BadSnapshots)
	if f.ExcessLate == nil {
		t.row("frames with somebody in excess late", "not measured")
	} else {
		t.row("frames with somebody in excess late", "%d", *f.ExcessLate)
		t.opt("", "%.3f %% of those in sight", f.ExcessShare, 100)
		parts(t, f.LateCauses, func(n string, v int) { t.row(n, "%d", v) })
	}
	if p := f.Preload; p != nil {
		t.row("known before seen, ms", "p50 %.0f  p95 %.0f  p99 %.0f  max %.0f", p.P50, p.P95, p.P99, p.Max)
		t.opt("", "%.0f %% are never seen", f.NeverShown, 100)
	}
	if d, r := f.Delivery, f.Render; d != nil && r != nil {
		t.row("sent to arrived (A - S), ms", "p50 %.0f  p95 %.0f", d.P50, d.P95)
		t.row("arrived to drawn (R - A), ms", "p50 %.0f  p95 %.0f", r.P50, r.P95)
	}
	t.opt("hidden players who are known, %", "%.1f", f.HiddenKnown, 100)
	t.row("clients dropped", "%d", f.Dropped)
	t.opt("allocations per tick", "p50 %.0f", f.Allocs, 1)
	t.opt("", "mean %.1f", f.AllocsMean, 1)
	t.opt("resident, MiB", "%.0f", f.RSSMiB, 1)
	if g := f.Generator; g != nil {
		t.row("bots", "%d processes, the busiest at %.0f %% of a processor, %.1f %% of frames late", g.Processes, g.CPUShare*100, g.LateFrames*100)
		if g.Note != "" {
			t.row("", "%s", g.Note)
		}
	}
	return t.w.Flush()
}
