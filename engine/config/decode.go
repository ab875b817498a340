package config

import (
	"encoding"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
)

// DecodeStrict reads a file into the struct that dst points to. See Doc.Decode.
func DecodeStrict(name string, data []byte, dst any) error {
	doc, err := Parse(name, data)
	if err != nil {
		return err
	}
	return doc.Decode(dst)
}

// Decode fills the struct that dst points to. Fields are named by their toml tag,
// or by the field's name regardless of case; "-" leaves one out. A range tag, as
// in `range:"0..100"`, bounds a number or a length of a list; `required:"true"`
// must be present. Keys that are absent leave their fields as they are, so dst
// may come filled with defaults. Supported: bool, integers, floats, string,
// slices, arrays, maps with text keys, structs, pointers, time.Duration as a text
// such as "50ms", any, and encoding.TextUnmarshaler.
//
// On an error dst is as it was. A dst of an unsupported type is a programming
// mistake and panics.
func (d *Doc) Decode(dst any) error { return d.decode("", d.tree, dst) }

// DecodeTable is Decode for the top-level key alone. It reports whether the key
// is there.
func (d *Doc) DecodeTable(key string, dst any) (bool, error) {
	val, ok := d.tree[key]
	if !ok {
		return false, nil
	}
	return true, d.decode(key, val, dst)
}

// Keys returns the top-level keys, sorted.
func (d *Doc) Keys() []string { return slices.Sorted(maps.Keys(d.tree)) }

func (d *Doc) decode(path string, val, dst any) error {
	to := reflect.ValueOf(dst)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		panic(fmt.Sprintf("config: decode into %T: a pointer is needed", dst))
	}
	fresh := reflect.New(to.Type().Elem())
	fresh.Elem().Set(to.Elem())
	r := &reader{doc: d}
	r.names = fieldPaths(to.Type().Elem(), "", 0)
	r.value(path, val, fresh.Elem())
	if err := r.problems.sorted(); err != nil {
		return err
	}
	to.Elem().Set(fresh.Elem())
	return nil
}

type reader struct {
	doc      *Doc
	names    []string // all paths that the destination knows
	problems Problems
}

func (r *reader) problem(path, format string, args ...any) {
	r.problems = append(r.problems, r.doc.problem(path, format, args...))
}

var durationType = reflect.TypeFor[time.Duration]()

// value stores val into to, which is settable and a private copy at its own
// level; what it refers to is copied before it is changed.
func (r *reader) value(path string, val any, to reflect.Value) {
	wrong := func(need string) { r.problem(path, "%s; it needs %s", found(val), need) }
	if to.Kind() == reflect.Pointer {
		fresh := reflect.New(to.Type().Elem())
		if !to.IsNil() {
			fresh.Elem().Set(to.Elem())
		}
		r.value(path, val, fresh.Elem())
		to.Set(fresh)
		return
	}
	if to.Type() == durationType {
		s, ok := val.(string)
		if !ok {
			wrong(`a duration in quotes, such as "50ms" or "2s"`)
			return
		}
		dur, err := time.ParseDuration(s)
		if err != nil {
			wrong(`a duration such as "50ms" or "2s"`)
			return
		}
		to.SetInt(int64(dur))
		return
	}
	if u, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok {
		s, ok := val.(string)
		if !ok {
			wrong("a text in quotes")
			return
		}
		if err := u.UnmarshalText([]byte(s)); err != nil {
			r.problem(path, "%s: %v", found(val), err)
		}
		return
	}
	switch to.Kind() {
	case reflect.Bool:
		if b, ok := val.(bool); ok {
			to.SetBool(b)
		} else {
			wrong("true or false, without quotes")
		}
	case reflect.String:
		if s, ok := val.(string); ok {
			to.SetString(s)
		} else {
			wrong("a text in quotes")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n, ok := val.(int64); !ok {
			wrong("a whole number")
		} else if to.OverflowInt(n) {
			bits := to.Type().Bits()
			r.problem(path, "%d is out of range; allowed: %d to %d", n, int64(-1)<<(bits-1), int64(1)<<(bits-1)-1)
		} else {
			to.SetInt(n)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n, ok := val.(int64); !ok {
			wrong("a whole number")
		} else if n < 0 || to.OverflowUint(uint64(n)) {
			r.problem(path, "%d is out of range; allowed: 0 to %d", n, uint64(math.MaxUint64)>>(64-to.Type().Bits()))
		} else {
			to.SetUint(uint64(n))
		}
	case reflect.Float32, reflect.Float64:
		r.float(path, val, to)
	case reflect.Slice:
		r.slice(path, val, to)
	case reflect.Array:
		n, at, ok := elements(val)
		if !ok || n != to.Len() {
			wrong(fmt.Sprintf("a list of %d", to.Len()))
			return
		}
		for i := range n {
			r.value(path+"["+strconv.Itoa(i)+"]", at(i), to.Index(i))
		}
	case reflect.Map:
		r.table(path, val, to)
	case reflect.Struct:
		r.fields(path, val, to)
	case reflect.Interface:
		if to.NumMethod() > 0 {
			panic(fmt.Sprintf("config: %s: cannot decode into %s", path, to.Type()))
		}
		to.Set(reflect.ValueOf(val))
	default:
		panic(fmt.Sprintf("config: %s: cannot decode into %s", path, to.Type()))
	}
}

func (r *reader) float(path string, val any, to reflect.Value) {
	var f float64
	switch n := val.(type) {
	case float64:
		f = n
	case int64:
		f = float64(n)
	default:
		r.problem(path, "%s; it needs a number, without quotes", found(val))
		return
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || to.OverflowFloat(f) {
		r.problem(path, "%s; it needs a finite number", found(val))
		return
	}
	to.SetFloat(f)
}

// elements gives access to either form of list that the library returns.
func elements(val any) (n int, at func(int) any, ok bool) {
	switch l := val.(type) {
	case []any:
		return len(l), func(i int) any { return l[i] }, true
	case []map[string]any:
		return len(l), func(i int) any { return l[i] }, true
	}
	return 0, nil, false
}

func (r *reader) slice(path string, val any, to reflect.Value) {
	n, at, ok := elements(val)
	if !ok {
		need := "a list in square brackets"
		if e := to.Type().Elem(); e.Kind() == reflect.Struct {
			need = "a list of tables: [[" + path + "]]"
		}
		r.problem(path, "%s; it needs %s", found(val), need)
		return
	}
	out := reflect.MakeSlice(to.Type(), n, n)
	for i := range n {
		r.value(path+"["+strconv.Itoa(i)+"]", at(i), out.Index(i))
	}
	to.Set(out)
}

func (r *reader) table(path string, val any, to reflect.Value) {
	t, ok := val.(map[string]any)
	if !ok {
		r.problem(path, "%s; it needs a table: [%s]", found(val), path)
		return
	}
	if to.Type().Key().Kind() != reflect.String {
		panic(fmt.Sprintf("config: %s: cannot decode into %s", path, to.Type()))
	}
	out := reflect.MakeMap(to.Type())
	for it := to.MapRange(); it.Next(); {
		out.SetMapIndex(it.Key(), it.Value())
	}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		k := reflect.ValueOf(key).Convert(to.Type().Key())
		e := reflect.New(to.Type().Elem()).Elem()
		if old := out.MapIndex(k); old.IsValid() {
			e.Set(old)
		}
		r.value(join(path, key), t[key], e)
		out.SetMapIndex(k, e)
	}
	to.Set(out)
}

func (r *reader) fields(path string, val any, to reflect.Value) {
	t, ok := val.(map[string]any)
	if !ok {
		r.problem(path, "%s; it needs a table: [%s]", found(val), path)
		return
	}
	fields := fieldsOf(to.Type())
	for _, key := range slices.Sorted(maps.Keys(t)) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		if i < 0 {
			i = slices.IndexFunc(fields, func(f field) bool { return !f.tagged && strings.EqualFold(f.name, key) })
		}
		if i < 0 {
			r.unknown(join(path, key))
			continue
		}
		f := fields[i]
		at, into := join(path, key), to.FieldByIndex(f.index)
		before := len(r.problems)
		r.value(at, t[key], into)
		if f.bounds != "" && len(r.problems) == before {
			r.bounds(at, f.bounds, into)
		}
	}
	for _, f := range fields {
		if _, ok := t[f.name]; f.required && !ok {
			r.problem(join(path, f.name), "is missing")
		}
	}
}

func (r *reader) unknown(path string) {
	bare := withoutIndexes(path)
	text := "unknown key"
	siblings := r.siblings(bare)
	near := console.Nearest(bare, siblings)
	if belongs := elsewhere(bare, r.names); near == "" && len(belongs) > 0 {
		text += "; it belongs in " + strings.Join(belongs, " or ")
	} else {
		if near == "" {
			near = console.Nearest(bare, r.names)
		}
		text += console.DidYouMean(near)
	}
	r.problem(path, "%s", text)
}

// siblings returns the known keys of the table that path is in.
func (r *reader) siblings(path string) []string {
	table := path[:strings.LastIndexByte(path, '.')+1]
	var out []string
	for _, n := range r.names {
		if strings.HasPrefix(n, table) && !strings.Contains(n[len(table):], ".") {
			out = append(out, n)
		}
	}
	return out
}

func withoutIndexes(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '[' {
			if j := strings.IndexByte(path[i:], ']'); j > 0 {
				i += j
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

func (r *reader) bounds(path, bounds string, v reflect.Value) {
	lo, hi := parseRange(bounds)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	var n float64
	what := ""
	switch {
	case v.CanInt():
		n = float64(v.Int())
	case v.CanUint():
		n = float64(v.Uint())
	case v.CanFloat():
		n = v.Float()
	default: // slice, map, string
		n, what = float64(v.Len()), " entries"
	}
	if n < lo || n > hi {
		r.problem(path, "%s%s is out of range; allowed: %s to %s", plain(n), what, plain(lo), plain(hi))
	}
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func parseRange(s string) (lo, hi float64) {
	a, b, ok := strings.Cut(s, "..")
	lo, err1 := strconv.ParseFloat(a, 64)
	hi, err2 := strconv.ParseFloat(b, 64)
	if !ok || err1 != nil || err2 != nil || lo > hi {
		panic(fmt.Sprintf("config: range tag %q: write it as 0..100", s))
	}
	return lo, hi
}

// field is one key that a struct takes.
type field struct {
	name     string
	index    []int
	bounds   string
	required bool
	tagged   bool
}

func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct {
			for _, in := range fieldsOf(f.Type) {
				in.index = append([]int{i}, in.index...)
				out = append(out, in)
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		name := tag
		if name == "" {
			name = f.Name
		}
		out = append(out, field{name, []int{i}, f.Tag.Get("range"), f.Tag.Get("required") == "true", tag != ""})
	}
	return out
}

// fieldPaths lists the keys that a type knows, for suggestions. Types may refer
// to themselves, so depth is bounded.
func fieldPaths(t reflect.Type, prefix string, depth int) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || depth > 4 {
		return nil
	}
	var out []string
	for _, f := range fieldsOf(t) {
		name := f.name
		if !f.tagged {
			name = strings.ToLower(name)
		}
		path := join(prefix, name)
		out = append(out, path)
		out = append(out, fieldPaths(t.FieldByIndex(f.index).Type, path, depth+1)...)
	}
	return out
}
