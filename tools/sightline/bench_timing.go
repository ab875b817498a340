package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	reachable "github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
)

// timedPolicy is a column of the table.
type timedPolicy struct {
	name string
	spec vis.Spec
	set  vis.Settings
}

// timedPolicies are the columns. The last is screen told that viewers go on as they
// go, which no policy can know: it shows what the target's own motion costs.
func timedPolicies() []timedPolicy {
	return []timedPolicy{
		{"open", open.Spec(), nil}, {"netoptimize", netoptimize.Spec(), nil}, {"deaddrop", deaddrop.Spec(), nil},
		{"reach", reachable.Spec(), nil}, {"screen", screen.Spec(), nil},
		{"screen, viewer's motion given", screen.Spec(), vis.Settings{"swerve": 0}},
	}
}

// timingCrossings is how often the corner is passed for a cell.
const timingCrossings = 8

// timingRow is a row of the table: a line and who moves.
type timingRow struct {
	byViewer bool
	hz       int
	rtt      float64
	loss     float64
}

func timingRows() (rows []timingRow) {
	for _, viewer := range []bool{false, true} {
		for _, loss := range []float64{0, 0.01} {
			for _, hz := range []int{20, 64} {
				for _, rtt := range []float64{20, 60, 150} {
					rows = append(rows, timingRow{viewer, hz, rtt, loss})
				}
			}
		}
	}
	return rows
}

// measure measures a row under each policy.
func (r timingRow) measure(crossings int) ([]scenario.Timing, error) {
	var out []scenario.Timing
	for _, p := range timedPolicies() {
		t, err := scenario.MeasureTiming(scenario.TimingConfig{
			Policy: p.spec, Settings: p.set, ByViewer: r.byViewer, RTTms: r.rtt, Loss: r.loss, SnapshotHz: r.hz, Crossings: crossings, Seed: 1,
		})
		if err != nil {
			return nil, err
		}
		t.Policy = p.name
		out = append(out, t)
	}
	return out, nil
}

// markdown is a row as the page has it.
func (r timingRow) markdown(cells []scenario.Timing) string {
	who := map[bool]string{false: "the target", true: "the viewer"}[r.byViewer]
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d Hz | %g ms | %g %% |", who, r.hz, r.rtt, r.loss*100)
	for i := range cells {
		c := &cells[i]
		fmt.Fprintf(&b, " %s / %s / %.0f %% / %d |", msOf(c.W), msOf(c.Preload), c.HiddenKnown*100, c.Late)
	}
	return b.String() + "\n"
}

func msOf(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f", *v)
}

const timingHead = `# Timing at a corner

Written by ` + "`make timing-report`" + `; a test measures rows of it anew. A whole server and two
whole clients in stepped time, over a simulated line: somebody runs at 10 m/s past the
end of a wall, eight times, each time in another phase of ticks and snapshots, and
somebody else stands behind it. Where the target moves the reveal is caused by it, where
the viewer moves by the viewer. The client draws 256 frames a second; snapshots go at a
fixed rate, and no reveal leaves between two.

Each cell: W in ms / preload in ms / share of the frames without sight of the target in
which it is known / excess-late frames. W: for how long a cheat had the target before it
truly came into view, on average. Preload: from its arrival to the first frame that
shows some of it, on average. Excess-late frames: the client's own arrivals, predicted
eye and clock are replayed as if every snapshot that it received had held the target;
frames that draw it there and not on its screen count. Under ` + "`open`" + ` the target is always
known, so that there is no W.

`

const timingFoot = `
What it says:

- No row of ` + "`deaddrop`, `reach` and `screen`" + ` has an excess-late frame. ` + "`netoptimize`" + ` looks ahead
  for targets that move and for nobody else.
- Given the viewer's motion, a reveal by the target's needs no look-ahead: in the last
  column W is what is left of the rate of snapshots. The motion of the viewer is not
  given. What one who stands could do within a round trip costs ` + "`screen`" + ` the rest: a step to
  the side opens as much of the corner. It begins when the commands have been run that
  the server has already.
- At 64 Hz ` + "`screen`" + ` tells later than ` + "`deaddrop`" + ` when the target moves, and sooner when the
  viewer does: of a viewer who runs it also foresees the lean and the turn that ` + "`deaddrop`" + `
  does not, which the matches of [proofs.md](proofs.md) count. At 20 Hz the two send in the
  same snapshots.
- With loss, ` + "`screen`" + ` tells one send sooner, and loses no frame by the packets that do not
  arrive.
`

// timingPage measures everything and writes the page.
func timingPage() (string, error) {
	var b strings.Builder
	b.WriteString(timingHead + "| who moves | snapshots | round trip | loss |")
	for _, p := range timedPolicies() {
		b.WriteString(" " + p.name + " |")
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(timedPolicies())) + "\n")
	for _, r := range timingRows() {
		cells, err := r.measure(timingCrossings)
		if err != nil {
			return "", err
		}
		b.WriteString(r.markdown(cells))
	}
	return b.String() + timingFoot, nil
}

func newBenchTiming() *cobra.Command {
	var asJSON bool
	var out string
	crossings := timingCrossings
	c := &cobra.Command{
		Use:   "timing",
		Short: "Measure who is told when at a corner, under each policy",
		Long: "A server and two clients in stepped time, somebody who runs past a corner and somebody\n" +
			"who stands behind it: what a cheat knows before, and what an honest screen misses. The\n" +
			"same every time. -o writes the page docs/timing.md.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if out != "" {
				page, err := timingPage()
				if err != nil {
					return err
				}
				return os.WriteFile(out, []byte(page), 0o644)
			}
			var all []scenario.Timing
			for _, r := range timingRows() {
				cells, err := r.measure(crossings)
				if err != nil {
					return err
				}
				if all = append(all, cells...); !asJSON {
					fmt.Fprint(c.OutOrStdout(), r.markdown(cells))
				}
			}
			if asJSON {
				return writeJSON(c.OutOrStdout(), all)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVarP(&out, "out", "o", "", "write the page here")
	c.Flags().IntVar(&crossings, "crossings", crossings, "how often the corner is passed in each row")
	return c
}
