package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
)

// Reference writes a page of Markdown on all settings and commands of a registry,
// made from their declarations, so that a test can tell when a committed copy has
// drifted.
func Reference(reg *console.Registry) string {
	var b strings.Builder
	b.WriteString("# Settings\n\nMade from the declarations in the code. In a TOML file the part before the last dot is the table: `[sv]` and below it `tick_rate = 64`.\n")
	table := ""
	cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, in := range byTable(reg) {
		if t := tableOf(in.Name); t != table {
			table = t
			fmt.Fprintf(&b, "\n## %s\n\n| name | default | allowed | flags | what it does |\n|---|---|---|---|---|\n", t)
		}
		def := in.DefaultText()
		if def == "" {
			def = `""`
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", in.Name, cell(def), cell(in.Allowed), in.Flags, cell(in.Help))
	}
	b.WriteString("\n# Commands\n\n| command | what it does |\n|---|---|\n")
	for _, c := range reg.Commands() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", cell(strings.TrimSpace(c.Name+" "+c.Usage)), cell(c.Help))
	}
	return b.String()
}

// Template writes a TOML file with every setting at its default, commented out,
// for people to start from.
func Template(reg *console.Registry) string {
	var b strings.Builder
	table := ""
	for _, in := range byTable(reg) {
		if in.Flags&console.ReadOnly != 0 {
			continue
		}
		if t := tableOf(in.Name); t != table {
			table = t
			fmt.Fprintf(&b, "\n[%s]\n", t)
		}
		fmt.Fprintf(&b, "# %s Allowed: %s.\n# %s = %s\n", in.Help, in.Allowed, in.Name[len(table)+1:], literal(in))
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// byTable returns all variables so that each table's keys stand together.
func byTable(reg *console.Registry) []console.Info {
	vars := reg.Vars("")
	slices.SortStableFunc(vars, func(a, b console.Info) int { return cmp.Compare(tableOf(a.Name), tableOf(b.Name)) })
	return vars
}

func tableOf(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// literal writes a variable's default as TOML.
func literal(in console.Info) string {
	quote := func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
	switch in.Kind {
	case console.KindString, console.KindEnum:
		if in.Flags&console.Secret != 0 {
			return `""`
		}
		return quote(in.DefaultText())
	case console.KindList:
		list, _ := in.Default.([]string)
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = quote(s)
		}
		return "[" + strings.Join(out, ", ") + "]"
	case console.KindFloat:
		if f, err := strconv.ParseFloat(in.DefaultText(), 64); err == nil && strings.Contains(in.DefaultText(), "e") {
			return strconv.FormatFloat(f, 'e', -1, 64)
		}
	}
	return in.DefaultText()
}
