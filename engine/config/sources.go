package config

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
)

// EnvPrefix starts the name of an environment variable that sets a variable:
// SIGHTLINE_SV_TICK_RATE sets sv.tick_rate.
const EnvPrefix = "SIGHTLINE_"

// LoadEnv fills LayerEnv from an environment, as os.Environ returns it. Names in
// ignore (whole, or up to a final *) are other programs' business. Like a file,
// it is taken whole or not at all, and unknown names are mistakes.
func LoadEnv(reg *console.Registry, environ []string, ignore ...string) error {
	byEnv := map[string]string{}
	var names []string
	for _, in := range reg.Vars("") {
		n := EnvPrefix + strings.ToUpper(strings.ReplaceAll(in.Name, ".", "_"))
		byEnv[n], names = in.Name, append(names, n)
	}
	var settings []console.Setting
	var problems []error
	for _, e := range slices.Sorted(slices.Values(environ)) {
		key, val, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(key, EnvPrefix) || ignored(key, ignore) {
			continue
		}
		name, ok := byEnv[key]
		for _, dots := range []int{1, 2} { // vis.mine.hold_ms, of one who is not known yet
			if n := strings.Replace(strings.ToLower(key[len(EnvPrefix):]), "_", ".", dots); !ok && reg.Knows(n) {
				name, ok = n, true
			}
		}
		if !ok {
			problems = append(problems, fmt.Errorf("%s: no setting has this name%s", clip(key), console.DidYouMean(strings.ToUpper(console.Nearest(key, names)))))
			continue
		}
		settings = append(settings, console.Setting{Name: name, Value: console.Text(val), Where: key})
	}
	for _, s := range settings {
		if _, err := reg.Check(s.Name, s.Value, console.Source{Layer: console.LayerEnv, Where: s.Where}); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	_, refused := reg.Replace(console.LayerEnv, settings)
	for _, r := range refused {
		problems = append(problems, r)
	}
	return errors.Join(problems...)
}

func ignored(key string, ignore []string) bool {
	return slices.ContainsFunc(ignore, func(p string) bool {
		prefix, star := strings.CutSuffix(p, "*")
		return key == p || star && strings.HasPrefix(key, prefix)
	})
}

// Plus is one +command of a command line.
type Plus struct {
	Name string
	Args []string
}

// ParsePlusArgs cuts a command line at the first +word: what stands before it is
// for the flag parser, the rest are console commands with their arguments, which
// may begin with a minus, or with a plus and a digit.
//
//	-v --port 27500 +set sv.gravity -1 +map dm1
func ParsePlusArgs(args []string) (rest []string, plus []Plus) {
	for i, a := range args {
		switch {
		case isPlus(a):
			plus = append(plus, Plus{Name: a[1:]})
		case plus == nil:
			rest = args[:i+1]
		default:
			last := &plus[len(plus)-1]
			last.Args = append(last.Args, a)
		}
	}
	return rest, plus
}

func isPlus(a string) bool {
	return len(a) > 1 && a[0] == '+' && !(a[1] >= '0' && a[1] <= '9' || a[1] == '.')
}

// ApplyPlus fills LayerFlag from the +set commands, all or none, and returns the
// other commands as lines for the console, to run once the host is up.
func ApplyPlus(reg *console.Registry, plus []Plus) (lines []string, err error) {
	var settings []console.Setting
	for _, p := range plus {
		if p.Name != "set" {
			words := []string{p.Name}
			for _, a := range p.Args {
				words = append(words, console.Quote(a))
			}
			lines = append(lines, strings.Join(words, " "))
			continue
		}
		if len(p.Args) < 2 {
			return nil, fmt.Errorf("+set %s: write +set NAME VALUE", clip(strings.Join(p.Args, " ")))
		}
		s := console.Setting{Name: p.Args[0], Value: console.Text(strings.Join(p.Args[1:], " ")), Where: "+set"}
		if in, ok := reg.Lookup(s.Name); ok && in.Kind == console.KindList {
			s.Value = slices.Clone(p.Args[1:])
		}
		settings = append(settings, s)
	}
	_, refused := reg.Replace(console.LayerFlag, settings)
	var problems []error
	for _, r := range refused {
		problems = append(problems, r)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return lines, nil
}

// Register adds the command config: "config explain NAME" prints every layer that
// has a value for a setting and which one won; "config changed" lists what is not
// at its default and why.
func Register(reg *console.Registry) {
	reg.Command(console.Command{
		Name: "config", Usage: "explain NAME | changed", Min: 1, Max: 2,
		Help: "Says where settings have their values from.",
		Run: func(c *console.Call) error {
			switch {
			case c.Args[0] == "explain" && len(c.Args) == 2:
				return explain(reg, c.Args[1], c.Out)
			case c.Args[0] == "changed" && len(c.Args) == 1:
				for _, in := range reg.Vars("") {
					if in.Changed || in.Waiting != "" {
						top := in.Layers[len(in.Layers)-1]
						c.Printf("%-28s %-16s %s %s\n", in.Name, in.Value, in.Layer, top.Where)
					}
				}
				return nil
			}
			return errors.New("usage: config explain NAME | changed")
		},
		Complete: func(args []string) []console.Match {
			var out []console.Match
			switch {
			case len(args) == 1:
				for _, m := range []console.Match{{Text: "changed", Help: "what is not at its default"}, {Text: "explain", Help: "the layers of one setting"}} {
					if strings.HasPrefix(m.Text, args[0]) {
						out = append(out, m)
					}
				}
			case args[0] == "explain":
				for _, in := range reg.Vars(args[1]) {
					out = append(out, console.Match{Text: in.Name, Help: in.Help})
				}
			}
			return out
		},
	})
}

func explain(reg *console.Registry, name string, out io.Writer) error {
	in, ok := reg.Lookup(name)
	if !ok {
		_, err := reg.Check(name, console.Text(""), console.Source{})
		return err
	}
	fmt.Fprintf(out, "%s = %s", in.Name, in.Value)
	if in.Waiting != "" {
		fmt.Fprintf(out, "; %s takes effect %s", in.Waiting, in.When())
	}
	fmt.Fprintln(out)
	for i := len(in.Layers) - 1; i >= 0; i-- {
		l := in.Layers[i]
		mark := " "
		if l.Layer == in.Layer {
			mark = "→"
		}
		fmt.Fprintf(out, "  %s %-12s %s", mark, l.Layer, l.Value)
		if l.Where != "" {
			fmt.Fprintf(out, "  (%s)", l.Where)
		}
		fmt.Fprintln(out)
	}
	if in.Flags&console.Cheat != 0 && in.Layer != in.Layers[len(in.Layers)-1].Layer {
		fmt.Fprintln(out, "  held at its default: it is a cheat, and cheats are not allowed")
	}
	return nil
}
