package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// mapQuery is one question to a map, in metres.
type mapQuery struct {
	from, to vec.V3
	half     vec.V3 // of a box; zero for a ray
	mask     level.Mask
}

// mapAnswer is what map trace prints.
type mapAnswer struct {
	From       [3]float32 `json:"from"`
	To         [3]float32 `json:"to"`
	Box        [3]float32 `json:"box"`
	Mask       string     `json:"mask"`
	Hit        bool       `json:"hit"`
	Frac       float32    `json:"frac"`
	End        [3]float32 `json:"end"`
	Normal     [3]float32 `json:"normal"`
	StartSolid bool       `json:"start_solid"`
	AllSolid   bool       `json:"all_solid"`
	Contents   []string   `json:"contents"`
	Texture    string     `json:"texture,omitempty"`
	Model      int        `json:"model"`
}

func newMapTrace(assets *[]string) *cobra.Command {
	var from, to, box, mask, units string
	var asJSON, batch bool
	c := &cobra.Command{
		Use:   "trace FILE --from x,y,z --to x,y,z",
		Short: "Say what a ray, or a swept box, meets in a map",
		Long: `Say what a ray, or a swept box, meets in a map.

--box gives half the box's size; the line is that of its middle. With --batch,
one query is read per line of standard input: FROM TO [BOX|-] [MASK], each as
the flags take it; what is left out is taken from the flags. Empty lines and
those that start with # are skipped.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			scale := float32(1)
			switch units {
			case "m":
			case "map":
				scale = 1.0 / level.UnitsPerMetre
			default:
				return fmt.Errorf("units %q are neither m nor map", units)
			}
			t := tracer{scale: scale, asJSON: asJSON, batch: batch, out: cmd.OutOrStdout()}
			var err error
			if t.def, err = parseQuery(from, to, box, mask, scale, batch); err != nil {
				return err
			}
			l, err := loadMap(args[0], *assets)
			if err != nil {
				return err
			}
			t.world = trace.New(l)
			if !batch {
				return t.answer(t.def)
			}
			return t.lines(cmd.InOrStdin())
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "where to start: x,y,z")
	f.StringVar(&to, "to", "", "where to go: x,y,z")
	f.StringVar(&box, "box", "", "half the size of the box: hx,hy,hz")
	f.StringVar(&mask, "mask", "move", "what stops it: sight, move or shot")
	f.StringVar(&units, "units", "m", "of the numbers given and printed: m or map (1/32 m)")
	f.BoolVar(&asJSON, "json", false, "print JSON, with --batch one object a line")
	f.BoolVar(&batch, "batch", false, "read one query per line from standard input")
	return c
}

// tracer answers queries about one map.
type tracer struct {
	world  *trace.World
	def    mapQuery
	scale  float32
	asJSON bool
	batch  bool
	out    io.Writer
}

// parseQuery reads a query's words; from and to may be missing when optional.
func parseQuery(from, to, box, mask string, scale float32, optional bool) (q mapQuery, err error) {
	if q.mask, err = parseMask(mask); err != nil {
		return q, err
	}
	for _, r := range [...]struct {
		name, s string
		v       *vec.V3
	}{{"from", from, &q.from}, {"to", to, &q.to}} {
		if r.s == "" {
			if optional {
				continue
			}
			return q, fmt.Errorf("--%s x,y,z is missing", r.name)
		}
		v, err := parseVector(r.s)
		if err != nil {
			return q, fmt.Errorf("%s: %w", r.name, err)
		}
		*r.v = v.Scale(scale)
	}
	if box != "" && box != "-" {
		v, err := parseVector(box)
		if err != nil {
			return q, fmt.Errorf("box: %w", err)
		}
		if v.X < 0 || v.Y < 0 || v.Z < 0 {
			return q, errors.New("box: half a size cannot be negative")
		}
		q.half = v.Scale(scale)
	}
	return q, nil
}

// lines answers one query per line.
func (t *tracer) lines(in io.Reader) error {
	out := bufio.NewWriter(t.out)
	t.out = out
	sc := bufio.NewScanner(in)
	for n := 1; sc.Scan(); n++ {
		f := strings.Fields(sc.Text())
		if len(f) == 0 || f[0][0] == '#' {
			continue
		}
		if len(f) < 2 || len(f) > 4 {
			return fmt.Errorf("line %d: want FROM TO [BOX|-] [MASK]", n)
		}
		box, mask := "", maskName(t.def.mask)
		if len(f) > 2 {
			box = f[2]
		}
		if len(f) > 3 {
			mask = f[3]
		}
		q, err := parseQuery(f[0], f[1], box, mask, t.scale, false)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if box == "" {
			q.half = t.def.half
		}
		if err := t.answer(q); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// ask runs one query.
func ask(w *trace.World, q mapQuery) trace.Result {
	if q.half == (vec.V3{}) {
		return w.Ray(q.from, q.to, q.mask)
	}
	return w.Box(q.from, q.to, vec.Box{Min: q.half.Neg(), Max: q.half}, q.mask)
}

func (t *tracer) answer(q mapQuery) error {
	r := ask(t.world, q)
	back := 1 / t.scale
	a := mapAnswer{
		From: triple(q.from.Scale(back)), To: triple(q.to.Scale(back)), Box: triple(q.half.Scale(back)), Mask: maskName(q.mask),
		Hit: r.Frac < 1 || r.StartSolid, Frac: r.Frac, End: triple(r.End.Scale(back)), Normal: triple(r.Normal),
		StartSolid: r.StartSolid, AllSolid: r.AllSolid, Contents: contentNames(r.Contents &^ level.Detail), Model: int(r.Model),
	}
	if tex := t.world.Level().Textures; a.Hit && int(r.Texture) < len(tex) {
		a.Texture = tex[r.Texture]
	}
	if t.asJSON && t.batch {
		return writeLine(t.out, a)
	}
	if t.asJSON {
		return writeJSON(t.out, a)
	}
	if !a.Hit {
		_, err := fmt.Fprintf(t.out, "clear to %s (mask %s)\n", show(a.End), a.Mask)
		return err
	}
	start := ""
	if a.StartSolid {
		start = ", starts inside"
	}
	_, err := fmt.Fprintf(t.out, "hit at %.6f: end %s normal %s, %s, %s, model %d (mask %s)%s\n",
		a.Frac, show(a.End), show(a.Normal), strings.Join(a.Contents, "+"), a.Texture, a.Model, a.Mask, start)
	return err
}

func show(v [3]float32) string { return fmt.Sprintf("%.4f,%.4f,%.4f", v[0], v[1], v[2]) }
