package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/engine/scenario"
)

func newScenarioReport() *cobra.Command {
	var out, picture, drawn string
	c := &cobra.Command{
		Use:   "report -o MD PATH...",
		Short: "Play scenes with every policy and write a table of what each tells",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("say where to write the table: -o policies.md")
			}
			scenes, err := readScenes(args, nil)
			if err != nil {
				return err
			}
			page, img, err := reportScenes(scenes, drawn, picture)
			if err != nil {
				return err
			}
			if picture != "" {
				if img == nil {
					return fmt.Errorf("no scene is called %q", drawn)
				}
				if err := os.WriteFile(picture, img, 0o644); err != nil {
					return err
				}
			}
			return os.WriteFile(out, []byte(page), 0o644)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "the Markdown file to write")
	c.Flags().StringVar(&picture, "picture", "", "the PNG to write beside it")
	c.Flags().StringVar(&drawn, "drawn", "T01 corner sprint, 64 Hz", "the scene that is drawn")
	return c
}

const reportHead = `# Policies on small scenes

Written by ` + "`make policies-report`" + ` from the scenes in ` + "`engine/scenario/testdata/fog`" + `; a test
holds it to what the policies do. Each row is the first measured pair of a scene.

S: time of the first snapshot that holds the target. V: when the target's body truly
comes into view, by dense sampling. H = V - S. W: how long a cheat knows before that.
L: how much too late the honest screen has it. Preload: from its arrival to the first
frame that shows it. Tail: for how long it is still sent after it was last visible.
Hidden: share of the hidden time in which it is sent. Missing: frames (at 144 Hz) in
which an unfiltered server's client would show the target and this one does not, and
the most in a row. S and V are in seconds, the others in milliseconds. Scene: "holds", or
how many of its expectations fail by the policy's nature, which the scene's file gives
the reason for.

Bodies are on the files' paths, links are exact but for the seeded loss, and the input
buffer is 16 ms; what a whole server does over a real link is measured by the matches.
`

// reportScenes plays all scenes with all policies.
func reportScenes(scenes []*scenario.Scene, drawn, picture string) (page string, img []byte, err error) {
	var b strings.Builder
	b.WriteString(reportHead)
	if picture != "" {
		fmt.Fprintf(&b, "\n![%s, with each policy](%s)\n", drawn, picture[strings.LastIndexByte(picture, '/')+1:])
	}
	timing := b.Len()
	var t timingTable
	for _, s := range scenes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.File.Name, s.File.About)
		b.WriteString("| policy | S | V | H | W | L | preload | tail | hidden | missing | scene |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
		var all []*scenario.Result
		for _, spec := range everyPolicy() {
			r, err := s.Run(spec)
			if err != nil {
				return "", nil, err
			}
			all = append(all, r)
			b.WriteString(reportRow(r))
		}
		if s.File.Group == "timing" {
			t.add(s, all)
		}
		if s.File.Name == drawn {
			// From above as the default policy has it.
			above := append([]*scenario.Result{all[3]}, append(all[:3:3], all[4:]...)...)
			if img, err = encodePNG(drawScene(s, above)); err != nil {
				return "", nil, err
			}
		}
	}
	page = b.String()
	return page[:timing] + t.String() + page[timing:], img, nil
}

// timingTable compares policies over links: one corner, who moves, and how late the
// line is.
type timingTable struct{ rows []string }

func (t *timingTable) add(s *scenario.Scene, all []*scenario.Result) {
	p := &s.File.Player[0]
	who := "the target"
	if len(p.Path) > 0 {
		who = "the viewer"
	}
	row := fmt.Sprintf("| %s | %d Hz | %3.0f ms |", who, s.File.TickRate, p.Link.RTTms)
	for _, r := range all {
		if r.Policy == "pvs" { // as open, without visibility data
			continue
		}
		m := &r.Pairs[0]
		var rev scenario.Reveal
		if len(m.Reveals) > 0 {
			rev = m.Reveals[0]
		}
		row += fmt.Sprintf(" %s / %s / %.0f %% / %d |", millis(rev.W), millis(rev.Preload), m.HiddenKnown*100, m.Missing)
	}
	t.rows = append(t.rows, row)
}

func (t *timingTable) String() string {
	slices.Sort(t.rows)
	return `
## Over other links

The corner of T01 and T02, which is passed by the target or by the viewer. Each cell: W in
ms / preload in ms / share of the hidden time in which it is sent / missing frames. Where
the target is always sent there is no W: a cheat always knows.

| who moves | snapshots | round trip | open | netoptimize | deaddrop | reach | screen |
|---|---|---|---|---|---|---|---|
` + strings.Join(t.rows, "\n") + "\n"
}

func seconds(v float64) string { return fmt.Sprintf("%.3f", v) }

func millis(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f", *v+0) // no negative zero
}

// reportRow is a policy's line in a scene's table.
func reportRow(r *scenario.Result) string {
	holds, fails := "holds", 0
	for _, f := range r.Findings {
		if !f.Holds {
			fails++
		}
	}
	if fails > 0 {
		holds = fmt.Sprintf("%d of %d fail", fails, len(r.Findings))
	}
	if !r.OK {
		holds += ", not as recorded"
	}
	if len(r.Pairs) == 0 {
		return fmt.Sprintf("| %s | – | – | – | – | – | – | – | – | – | %s |\n", r.Policy, holds)
	}
	p := &r.Pairs[0]
	s, v := "never", "–"
	var rev scenario.Reveal
	switch {
	case len(p.Reveals) > 0:
		rev = p.Reveals[0]
		s = seconds(rev.S)
	case len(p.Sent) > 0:
		s = "always"
	}
	switch {
	case rev.V != nil:
		v = seconds(*rev.V)
	case len(p.Visible) > 0 && p.Visible[0].From > 0:
		v = seconds(p.Visible[0].From)
	case len(p.Visible) > 0:
		v = "always"
	default:
		v = "never"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %.0f %% | %d of %d, %d | %s |\n", r.Policy, s, v,
		millis(rev.H), millis(rev.W), millis(rev.L), millis(rev.Preload), millis(rev.Tail), p.HiddenKnown*100, p.Missing, p.Screen, p.Longest, holds)
}
