package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
)

// benchedPolicies are the rows, what discloses most first.
func benchedPolicies() []string {
	return []string{"open", "pvs", "netoptimize", "deaddrop", "reach", "screen"}
}

// The table stands between these two lines of the page.
const (
	policiesBegin = "<!-- bench policies: written by make bench-policies -->"
	policiesEnd   = "<!-- bench policies: end -->"
)

func newBenchPolicies() *cobra.Command {
	var f matchFlags
	var out string
	var only []string
	c := &cobra.Command{
		Use:   "policies",
		Short: "Run the match of bench match under each policy, and compare",
		Long: "Runs bench match --stepped --processes under each policy and prints a row for each. All\n" +
			"but the times is the same in every run. A policy that spends more rays in a tick than its\n" +
			"cap is an error. -o FILE writes the table into a page, between the lines of it that say so.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.Stepped, f.Processes = true, true
			before := loadAverage()
			var all []scenario.Figures
			for _, name := range only {
				f.Policy = name
				if err := f.check(); err != nil {
					return err
				}
				fmt.Fprintf(c.ErrOrStderr(), "%s, %d players, %g s\n", name, f.Players, f.Seconds)
				fig, err := benchStepped(c, f)
				if err != nil {
					return err
				}
				if fig.RaysCap != nil && fig.MostRays > *fig.RaysCap {
					return fmt.Errorf("policy %s spent %d rays in a tick, its cap is %d", name, fig.MostRays, *fig.RaysCap)
				}
				all = append(all, fig)
			}
			switch {
			case f.JSON:
				return writeJSON(c.OutOrStdout(), all)
			case out != "":
				page, err := os.ReadFile(out)
				if err != nil {
					return err
				}
				text, err := between(string(page), policiesBegin, policiesEnd, policiesTable(&f, all, before))
				if err != nil {
					return fmt.Errorf("%s: %w", out, err)
				}
				return os.WriteFile(out, []byte(text), 0o644)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, strings.Join(policyColumns(), "\t"))
			for i := range all {
				fmt.Fprintln(w, strings.Join(policyCells(&all[i]), "\t"))
			}
			return w.Flush()
		},
	}
	fs := c.Flags()
	f.add(c, 100, 8)
	_ = fs.MarkHidden("policy") // every row has its own
	fs.StringSliceVar(&only, "policies", benchedPolicies(), "the policies, in order")
	fs.StringVar(&f.Plugins, "plugins", "bin", "folder of the plugin binaries")
	fs.BoolVar(&f.Mailbox, "mailbox", true, "frames to and from the policy's process in shared memory where the system has it; =false: over the stream")
	fs.BoolVar(&f.JSON, "json", false, "print JSON")
	fs.StringVarP(&out, "out", "o", "", "write the table into this page")
	return c
}

// between replaces what stands between two lines of a page.
func between(page, begin, end, text string) (string, error) {
	head, rest, is := strings.Cut(page, begin+"\n")
	_, tail, also := strings.Cut(rest, end)
	if !is || !also {
		return "", fmt.Errorf("the lines %q and %q, between which the table belongs, are not there", begin, end)
	}
	return head + begin + "\n" + text + end + tail, nil
}

// policiesTable is what the page says.
func policiesTable(f *matchFlags, all []scenario.Figures, before string) string {
	var b strings.Builder
	clock := ""
	if len(all) > 0 {
		clock = all[0].Clock
	}
	fmt.Fprintf(&b, `
%d bots on %s for %g s after %g, %d Hz, snapshots adaptive, round trip %g ms, %g %% loss, %d %% of the bots with an optic; stepped, policy and rules each in a process of its own and waited for. %d processors, %s, load average %s before and %s after; times of the tick thread are %s. Counts are the same in every run, times are not: above a load of one the machine was shared.

`, f.Players, f.Level, f.Seconds, f.Warm, f.Tick, f.RTT, f.Loss*100, f.Scoped, runtime.NumCPU(), runtime.Version(), before, loadAverage(), clock)
	b.WriteString("| " + strings.Join(policyColumns(), " | ") + " |\n|" + strings.Repeat("---|", len(policyColumns())) + "\n")
	for i := range all {
		b.WriteString("| " + strings.Join(policyCells(&all[i]), " | ") + " |\n")
	}
	b.WriteString("\n")
	return b.String()
}

func policyColumns() []string {
	return []string{
		"policy", "relevance, ms p50 / p95", "wait, ms p50", "policy CPU, ms a tick", "fallback CPU", "rays a tick", "most in a tick / cap",
		"in range", "known", "excess-late frames", "hidden known", "preload, ms p50 / p95", "never shown", "A − S / R − A, ms p50", "down, kbps",
	}
}

// policyCells are a policy's row.
func policyCells(f *scenario.Figures) []string {
	ratio := func(v *float64, format string, scale float64) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf(format, *v*scale)
	}
	span := func(p *scenario.Percentiles, format string) string {
		if p == nil {
			return "–"
		}
		return fmt.Sprintf(format+" / "+format, p.P50, p.P95)
	}
	p50 := func(p *scenario.Percentiles, format string) string {
		if p == nil {
			return "–"
		}
		return fmt.Sprintf(format, p.P50)
	}
	most := fmt.Sprint(f.MostRays)
	if f.RaysCap != nil {
		most += fmt.Sprintf(" / %d", *f.RaysCap)
	} else {
		most += " / –"
	}
	late := "–"
	if f.ExcessLate != nil {
		late = fmt.Sprintf("%d (%s)", *f.ExcessLate, ratio(f.ExcessShare, "%.3f %%", 100))
	}
	return []string{
		"`" + f.Policy + "`", span(f.Relevance, "%.2f"), p50(f.PolicyWait, "%.2f"), ratio(f.PolicyCPU, "%.2f", 1), ratio(f.FallbackCPU, "%.2f", 1),
		fmt.Sprintf("%.0f", f.Rays), most, fmt.Sprintf("%.1f", f.Candidates), fmt.Sprintf("%.2f", f.Known), late,
		ratio(f.HiddenKnown, "%.1f %%", 100), span(f.Preload, "%.0f"), ratio(f.NeverShown, "%.0f %%", 100),
		p50(f.Delivery, "%.0f") + " / " + p50(f.Render, "%.0f"), fmt.Sprintf("%.1f", f.WireKbps.Down),
	}
}
