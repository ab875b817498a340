package main

import (
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
)

// newBenchSoak returns the bench soak subcommand.
func newBenchSoak() *cobra.Command {
	var f matchFlags
	var every float64
	var real bool
	c := &cobra.Command{
		Use:   "soak",
		Short: "Run a long match and look for what grows",
		Long: "Runs server and bots in this process over simulated links in memory, and looks at\n" +
			"memory, goroutines and how far the clients' pictures lie behind, once a minute. It\n" +
			"fails when one of them has grown at the end, when a prediction was wrong, or when\n" +
			"somebody has dropped out.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			cfg, err := f.stepped()
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			s := scenario.SoakConfig{Config: cfg, Every: every, Resident: residentMiB}
			if real {
				start := time.Now()
				s.Wait = func(at int64) { time.Sleep(time.Until(start.Add(time.Duration(at)))) }
			}
			if !f.JSON {
				fmt.Fprintf(out, "%d players on %s for %g s\n", f.Players, cfg.Rotation[0], f.Seconds)
				w := tabwriter.NewWriter(out, 11, 0, 1, ' ', tabwriter.AlignRight)
				fmt.Fprintln(w, "seconds\tresident\theap\tgoroutines\tbehind\tplaying\terrors\tstarved\t")
				s.Note = func(s scenario.Sample) {
					fmt.Fprintf(w, "%.0f\t%.1f MiB\t%.1f MiB\t%d\t%.2f\t%d\t%d\t%d\t\n", s.Seconds, s.RSSMiB, s.HeapMiB, s.Goroutines, s.Behind, s.Playing, s.Errors, s.Starved)
					w.Flush()
				}
			}
			r, err := scenario.Soak(s)
			if err != nil {
				return err
			}
			if f.JSON {
				if err := writeJSON(out, r); err != nil {
					return err
				}
			} else {
				fmt.Fprintln(out, r.Verdict)
			}
			if !r.Good() {
				return errors.New("the soak found something")
			}
			return nil
		},
	}
	f.add(c, 64, 1800)
	c.Flags().Float64Var(&every, "every", 60, "seconds between samples")
	c.Flags().BoolVar(&real, "real-time", false, "keep to the clock instead of running as fast as possible")
	c.Flags().BoolVar(&f.JSON, "json", false, "print JSON")
	return c
}
