package main

import (
	"fmt"
	"strings"
)

func costColumns() []string {
	return []string{
		"world", "policy", "players", "Hz", "crossing", "trip p50", "p99", "path p50", "p99", "tick thread", "host's others", "plugins", "allocations", "bytes out", "in", "missed",
	}
}

// cells are a row as it is printed.
func (c *pluginCost) cells() []string {
	missed := "–"
	if c.Crossing == overPipe || c.Crossing == overBox {
		missed = fmt.Sprintf("%.2f %%", c.Missed*100)
		if c.Restarts > 0 {
			missed += fmt.Sprintf(", %d restarts", c.Restarts)
		}
	}
	plugins := ms3(c.PluginCPU)
	if c.Restarts > 0 {
		plugins = "–" // of more processes than the last one
	}
	x := string(c.Crossing)
	if c.Crossing == overBox && !c.Mailbox {
		x = "stream (no mailbox here)"
	}
	return []string{
		c.World, c.Policy, fmt.Sprint(c.Players), fmt.Sprint(c.Hz), x, ms3(c.TripP50), ms3(c.TripP99), ms3(c.PathP50), ms3(c.PathP99),
		ms3(c.TickCPU), ms3(c.HostCPU), plugins, fmt.Sprintf("%.1f", c.Allocs), fmt.Sprintf("%.0f", c.BytesOut), fmt.Sprintf("%.0f", c.BytesIn), missed,
	}
}

func ms3(v float64) string { return fmt.Sprintf("%.3f", v) }

// under says on what it was measured.
func (r *costReport) under() string {
	return fmt.Sprintf("%d processors, %s, load average %s before and %s after, tick thread by %s", r.CPUs, r.Go, r.Load[0], r.Load[1], r.Clock)
}

// costPage is the page docs/plugins-bench.md.
func costPage(r *costReport, f *costFlags) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What plugins cost

Written by `+"`make plugins plugins-report`"+` (`+"`sightline bench plugins -o docs/plugins-bench.md`"+`).

Measured on %s,
%g s for each row. A load average above the number of processors means that others ran at the
same time: times are then longer, and p99 is theirs more than ours. Compare rows of one table.

A policy and `+"`rules-duel`"+` together, paced ticks, players who run in circles. In the
*countryside* of bench match they are candidates of each other within 350 m; on the *field*,
160 m wide and with walls, everybody is one of everybody: more than any match asks. *distance*
permits by distance alone, *deaddrop* is the default policy, with its rays. All times in ms,
per tick:

- trip: from asking the policy to its answer, with nothing between; every second tick.
- path: what asking and collecting take with %v of simulation between them; the others.
- tick thread: CPU time of asking and collecting, of policy and rules, and for linked in and
  codec of deciding.
- host's others, plugins: CPU time of the host's other threads, of both plugin processes.
- allocations of the host, bytes of all frames, share of the policy's deadlines missed. A
  policy that misses half of them is started again, and takes no time while it starts: a row
  with restarts says what was missed, and too little of the rest.

`, r.under(), f.Seconds, f.Simulate)
	cols := costColumns()
	b.WriteString("| " + strings.Join(cols, " | ") + " |\n|" + strings.Repeat("---|", len(cols)) + "\n")
	for i := range r.Rows {
		b.WriteString("| " + strings.Join(r.Rows[i].cells(), " | ") + " |\n")
	}
	b.WriteString(costWords(r))
	return b.String()
}

// costWords says what the rows come to: of each policy, players and rate, the
// processes against linked in and each other.
func costWords(r *costReport) string {
	var b strings.Builder
	b.WriteString("\nAs ratios, of rows without restarts:\n\n| world | policy | players | Hz | mailbox : stream, trip p50 | p99 | tick thread | plugins' CPU | path p50 of mailbox : linked in |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range r.Rows {
		box := &r.Rows[i]
		if box.Crossing != overBox {
			continue
		}
		find := func(x crossing) *pluginCost {
			for k := range r.Rows {
				if o := &r.Rows[k]; o.World == box.World && o.Policy == box.Policy && o.Players == box.Players && o.Hz == box.Hz && o.Crossing == x {
					return o
				}
			}
			return &pluginCost{}
		}
		pipe, in := find(overPipe), find(linkedIn)
		if box.Restarts > 0 || pipe.Restarts > 0 {
			continue // they did not do the same
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s | %s | %s |\n", box.World, box.Policy, box.Players, box.Hz,
			ratio(box.TripP50, pipe.TripP50), ratio(box.TripP99, pipe.TripP99), ratio(box.TickCPU, pipe.TickCPU), ratio(box.PluginCPU, pipe.PluginCPU), ratio(box.PathP50, in.PathP50))
	}
	return b.String()
}

func ratio(a, b float64) string {
	if !(b > 0) {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}
