package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
)

// LoadVars reads a file into the variables of a registry: each key is a variable,
// its table is the part before the dot. The file becomes the whole content of
// the layer, or nothing changes.
func LoadVars(reg *console.Registry, name string, data []byte, layer console.Layer) error {
	doc, err := Parse(name, data)
	if err != nil {
		return err
	}
	_, err = doc.Vars(reg, layer)
	return err
}

// Vars is LoadVars for a parsed file. Tables named in except are left out, for
// Decode to read. It returns the names of variables whose new value waits for the
// next map.
func (d *Doc) Vars(reg *console.Registry, layer console.Layer, except ...string) (waits []string, err error) {
	learn(reg, "", d.tree, 0)
	v := &varReader{doc: d, known: map[string]console.Info{}, tables: map[string]bool{}}
	for _, in := range reg.Vars("") {
		v.names = append(v.names, in.Name)
		v.known[in.Name] = in
		for i, c := range in.Name {
			if c == '.' {
				v.tables[in.Name[:i]] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.tree)) {
		if !slices.Contains(except, key) {
			v.walk(key, d.tree[key])
		}
	}
	// Names are checked by the registry as well; with a mistake above only to have
	// them all in one report.
	if len(v.problems) == 0 {
		var refused []*console.Refusal
		waits, refused = reg.Replace(layer, v.settings)
		v.refuse(refused)
	} else {
		for _, s := range v.settings {
			var r *console.Refusal
			if _, err := reg.Check(s.Name, s.Value, console.Source{Layer: layer, Where: s.Where}); errors.As(err, &r) {
				v.refuse([]*console.Refusal{r})
			}
		}
	}
	return waits, v.problems.sorted()
}

// Texts returns the texts of a list in a table, whatever else is right or wrong with the
// file; nil when it is not there.
func (d *Doc) Texts(table, key string) (out []string) {
	t, _ := d.tree[table].(map[string]any)
	list, _ := t[key].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// learn lets those declare the names of a file who know them by no other way.
func learn(reg *console.Registry, path string, tree map[string]any, depth int) {
	const most = 3 // dots in a name
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		name := key
		if path != "" {
			name = path + "." + key
		}
		if sub, ok := tree[key].(map[string]any); ok && depth < most {
			learn(reg, name, sub, depth+1)
		} else if !ok {
			reg.Knows(name)
		}
	}
}

func (ps Problems) sorted() error {
	if len(ps) == 0 {
		return nil
	}
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].Line < ps[j].Line })
	return ps
}

type varReader struct {
	doc      *Doc
	names    []string
	known    map[string]console.Info
	tables   map[string]bool // prefixes of names
	settings []console.Setting
	problems Problems
}

func (v *varReader) problem(path string, format string, args ...any) {
	v.problems = append(v.problems, v.doc.problem(path, format, args...))
}

func (d *Doc) problem(path, format string, args ...any) *Problem {
	return &Problem{File: d.name, Line: d.line(path), Key: clip(path), Text: fmt.Sprintf(format, args...)}
}

// line is where a path stands, or the nearest thing around it.
func (d *Doc) line(path string) int {
	for {
		if n := d.lines[path]; n > 0 {
			return n
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return 0
		}
		path = path[:i]
	}
}

func (v *varReader) refuse(refused []*console.Refusal) {
	for _, r := range refused {
		bare := *r
		bare.Where = ""
		v.problems = append(v.problems, &Problem{
			File: v.doc.name, Line: v.doc.line(r.Name), Key: r.Name,
			Text: strings.TrimPrefix(bare.Error(), r.Name+": "), Err: r,
		})
	}
}

func (v *varReader) walk(path string, val any) {
	if t, ok := val.(map[string]any); ok {
		switch in, isVar := v.known[path]; {
		case isVar:
			v.problem(path, "is a setting, not a table; write %s = …, allowed: %s", path, in.Allowed)
		case !v.tables[path] && len(t) == 0:
			v.unknown(path, slices.Sorted(maps.Keys(v.tables)))
		default:
			for _, key := range slices.Sorted(maps.Keys(t)) {
				v.walk(join(path, key), t[key])
			}
		}
		return
	}
	in, ok := v.known[path]
	if !ok {
		if v.tables[path] {
			i := slices.IndexFunc(v.names, func(n string) bool { return strings.HasPrefix(n, path+".") })
			v.problem(path, "%s; it is a table of settings: write [%s] and below it keys such as %s",
				found(val), path, strings.TrimPrefix(v.names[i], path+"."))
			return
		}
		v.unknown(path, v.names)
		return
	}
	set, problem := fit(in, val)
	if problem != "" {
		shown := found(val)
		if in.Flags&console.Secret != 0 {
			shown = "found " + typeName(val)
		}
		v.problem(path, "%s; it needs %s; allowed: %s", shown, problem, in.Allowed)
		return
	}
	where := v.doc.name
	if n := v.doc.line(path); n > 0 {
		where += ":" + strconv.Itoa(n)
	}
	v.settings = append(v.settings, console.Setting{Name: path, Value: set, Where: where})
}

// unknown reports a key with the place where it belongs, or the nearest name.
func (v *varReader) unknown(path string, names []string) {
	text := "unknown key"
	if belongs := elsewhere(path, names); len(belongs) > 0 {
		text += "; it belongs in " + strings.Join(belongs, " or ")
	} else {
		text += console.DidYouMean(console.Nearest(path, names))
	}
	v.problem(path, "%s", text)
}

// elsewhere returns the tables in which a key of this name is known.
func elsewhere(path string, names []string) []string {
	key := path[strings.LastIndexByte(path, '.')+1:]
	var out []string
	for _, n := range names {
		if i := strings.LastIndexByte(n, '.'); n[i+1:] == key && n != path {
			if i < 0 {
				out = append(out, "the top of the file, before the first table")
			} else {
				out = append(out, "["+n[:i]+"]")
			}
		}
	}
	if len(out) > 3 {
		return nil // a common word; the nearest name says more
	}
	return out
}

// fit turns a TOML value into a variable's type, or says what that type is.
func fit(in console.Info, val any) (any, string) {
	switch in.Kind {
	case console.KindBool:
		if b, ok := val.(bool); ok {
			return b, ""
		}
		return nil, "true or false, without quotes"
	case console.KindInt:
		if i, ok := val.(int64); ok {
			return i, ""
		}
		return nil, "a whole number"
	case console.KindFloat:
		switch n := val.(type) {
		case int64:
			return n, ""
		case float64:
			return n, ""
		}
		return nil, "a number, without quotes"
	case console.KindList:
		list, ok := val.([]any)
		if !ok {
			return nil, `a list of texts`
		}
		out := make([]string, 0, len(list))
		for _, e := range list {
			s, ok := e.(string)
			if !ok {
				return nil, `a list of texts only`
			}
			out = append(out, s)
		}
		return out, ""
	}
	if s, ok := val.(string); ok {
		return s, ""
	}
	return nil, "a text in quotes"
}

// found describes a value for "found …": its type and, when short, itself.
func found(val any) string {
	switch x := val.(type) {
	case string:
		return "found the text " + clip(strconv.Quote(x[:min(len(x), 60)]))
	case bool, int64:
		return fmt.Sprintf("found %v", x)
	case float64:
		return "found " + strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64)), "+")
	}
	return "found " + typeName(val)
}

func typeName(val any) string {
	switch val.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64:
		return "a whole number"
	case float64:
		return "a decimal number"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	case []any:
		return "a list"
	}
	return "a date or time"
}
