package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/trace"
)

func newMapDiff(assets *[]string) *cobra.Command {
	var opt diffOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Say how often two maps answer the same question differently",
		Long: `Say how often two maps answer the same question differently: a source and its
compiled map, for instance. Rays and swept player boxes start at random places
inside playable space, which is found by walking clear lines from the spawns and
things of both maps. Lengths are drawn so that about half of the rays hit; the
share is printed. Two answers agree when both start free or both do not, and
their ends lie within 1/4 map unit along the line.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := loadMap(args[0], *assets)
			if err != nil {
				return err
			}
			b, err := loadMap(args[1], *assets)
			if err != nil {
				return err
			}
			d, err := diffWorlds(trace.New(a), trace.New(b), opt)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), d)
			}
			d.print(cmd.OutOrStdout())
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&opt.Rays, "rays", 10000, "how many rays")
	f.IntVar(&opt.Sweeps, "sweeps", 1000, "how many swept boxes")
	f.Uint64Var(&opt.Seed, "seed", 1, "of the random numbers")
	f.IntVar(&opt.Worst, "worst", 10, "how many of the worst cases to list")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (d *diffReport) print(w io.Writer) {
	fmt.Fprintf(w, "A %s (%s)\nB %s (%s)\nseed %d\n", d.A, d.FormatA, d.B, d.FormatB, d.Seed)
	part := func(name string, t diffTally) {
		fmt.Fprintf(w, "%-7s %d, %.1f %% hit, %d disagree: %.3f %%\n", name, t.Count, 100*t.HitShare, t.Disagree, 100*t.Share)
	}
	part("rays", d.Rays)
	part("sweeps", d.Sweeps)
	if len(d.Worst) > 0 {
		fmt.Fprintln(w, "worst, in metres:")
	}
	for _, x := range d.Worst {
		fmt.Fprintf(w, "  %-5s %-5s from %s to %s: A %s B %s\n", x.Kind, x.Mask, show(x.From), show(x.To), x.A, x.B)
	}
}
