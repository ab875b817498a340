package tables

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Value is one number of a set by its name: what rules change.
//
// A name is the path of the field in snake case, with the name of the row where a
// table has rows: movement.gravity, weapon.rifle.interval_ms, optic.4x.magnification,
// items.respawn_ms, sounds.step, vehicle.buggy.top_speed, vehicle.buggy.seat.0.x. Numbers
// are in the unit of the field; a yes or no is 1 or 0. Version and the names of rows
// are no values, and neither is what no weapon has.
type Value struct {
	Name string
	To   float32
}

func (v Value) String() string { return fmt.Sprintf("%s = %v", v.Name, v.To) }

// Line puts values into a line for a log: the first six, and how many more there are.
func Line(vs []Value) string {
	const most = 6
	var b strings.Builder
	for i, v := range vs {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(vs)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.64s = %v", v.Name, v.To)
	}
	return b.String()
}

// MaxChange is the most values that are changed at once.
const MaxChange = 64

// MaxValueName is the longest name of a value that is looked for, bytes.
const MaxValueName = 128

// ValueNames returns the name of every number of a set, in the order of the fields.
func ValueNames(s *Set) []string {
	var names []string
	s.eachValue(func(name string, _ reflect.Value) { names = append(names, name) })
	return names
}

// Get returns a number. The error is one sentence.
func (s *Set) Get(name string) (float32, error) {
	v, _, ok := s.find(name)
	if !ok {
		return 0, &unknownValue{set: s, name: name}
	}
	return getValue(v), nil
}

// Range returns what a number may be; whole says that it counts. The error is one sentence.
func (s *Set) Range(name string) (lo, hi float32, whole bool, err error) {
	v, r, ok := s.find(name)
	if !ok {
		return 0, 0, false, &unknownValue{set: s, name: name}
	}
	return float32(r.lo), float32(r.hi), v.Kind() != reflect.Float32, nil
}

// Put sets a number, if there is one of that name and it may be that; the error is one
// sentence, and nothing is changed then. Whether numbers contradict each other is for
// Validate to say.
func (s *Set) Put(v Value) error {
	field, r, ok := s.find(v.Name)
	if !ok {
		return &unknownValue{set: s, name: v.Name}
	}
	x := float64(v.To)
	kind := field.Kind()
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Errorf("%s = %v is not a finite number", v.Name, v.To)
	case kind == reflect.Bool && x != 0 && x != 1:
		return fmt.Errorf("%s = %v is neither 0 nor 1", v.Name, v.To)
	case !(x >= r.lo && x <= r.hi):
		return fmt.Errorf("%s = %v is outside %v to %v", v.Name, v.To, r.lo, r.hi)
	case kind != reflect.Float32 && x != math.Trunc(x):
		return fmt.Errorf("%s = %v is not a whole number, from %v to %v", v.Name, v.To, r.lo, r.hi)
	}
	switch kind {
	case reflect.Bool:
		field.SetBool(x == 1)
	case reflect.Int:
		field.SetInt(int64(x))
	case reflect.Uint16:
		field.SetUint(uint64(x))
	default:
		field.SetFloat(x)
	}
	return nil
}

// With returns a copy with all of vs, of two with one name the later, whose version is
// one higher. The error is one sentence: about the first value that cannot be, or what
// the numbers contradict each other in.
func (s *Set) With(vs []Value) (Set, error) {
	if len(vs) > MaxChange {
		return Set{}, fmt.Errorf("%d values are changed at once, and at most %d may be", len(vs), MaxChange)
	}
	to := *s
	for _, v := range vs {
		if err := to.Put(v); err != nil {
			return Set{}, err
		}
	}
	to.Version++
	if err := to.Validate(); err != nil {
		return Set{}, err
	}
	return to, nil
}

// Diff returns what has to be put into from so that it has the numbers of to, in the
// order of the fields, by the names that from has for them.
func Diff(from, to *Set) []Value {
	var want []float32
	to.eachValue(func(_ string, v reflect.Value) { want = append(want, getValue(v)) })
	var vs []Value
	i := 0
	from.eachValue(func(name string, v reflect.Value) {
		if math.Float32bits(getValue(v)) != math.Float32bits(want[i]) {
			vs = append(vs, Value{Name: name, To: want[i]})
		}
		i++
	})
	return vs
}

func getValue(v reflect.Value) float32 {
	if v.Kind() == reflect.Bool {
		if v.Bool() {
			return 1
		}
		return 0
	}
	x, _ := number(v)
	return float32(x)
}

// row is one struct of a set whose fields have names below its own.
type row struct {
	table string // movement, weapon, …
	name  string // of the row; "" where the table has only one
	of    reflect.Value
}

// rows returns the structs of a set in order.
func (s *Set) rows() []row {
	rows := make([]row, 0, 4+NumWeapons+NumOptics+NumVehicles)
	rows = append(rows, row{table: "movement", of: reflect.ValueOf(&s.Movement).Elem()})
	for i := NoWeapon + 1; i < NumWeapons; i++ {
		rows = append(rows, row{"weapon", s.Weapons[i].Name, reflect.ValueOf(&s.Weapons[i]).Elem()})
	}
	for i := range s.Optics {
		rows = append(rows, row{"optic", s.Optics[i].Name, reflect.ValueOf(&s.Optics[i]).Elem()})
	}
	rows = append(rows,
		row{table: "items", of: reflect.ValueOf(&s.Items).Elem()},
		row{table: "sounds", of: reflect.ValueOf(&s.Sounds).Elem()})
	for i := range s.Vehicles {
		rows = append(rows, row{"vehicle", s.Vehicles[i].Name, reflect.ValueOf(&s.Vehicles[i]).Elem()})
	}
	return rows
}

// eachValue calls f for every number of a set, in order.
func (s *Set) eachValue(f func(name string, v reflect.Value)) {
	for _, r := range s.rows() {
		name := r.table
		if r.name != "" {
			name += "." + string(appendSnake(nil, r.name))
		}
		eachField(name, r.of, f)
	}
}

func eachField(path string, v reflect.Value, f func(name string, v reflect.Value)) {
	t := v.Type()
	for i := range t.NumField() {
		field, name := v.Field(i), path+"."+string(appendSnake(nil, t.Field(i).Name))
		switch field.Kind() {
		case reflect.String:
		case reflect.Array: // of structs, which have a singular: Seats, Exits
			for k := range field.Len() {
				eachField(name[:len(name)-1]+"."+strconv.Itoa(k), field.Index(k), f)
			}
		default:
			f(name, field)
		}
	}
}

// find returns a number and what it may be. It makes no names, so that what is wrong
// is found to be so at little cost.
func (s *Set) find(name string) (reflect.Value, span, bool) {
	if len(name) > MaxValueName {
		return reflect.Value{}, span{}, false
	}
	table, rest := cut(name)
	var buf [MaxValueName]byte
	for _, r := range s.rows() {
		if r.table != table {
			continue
		}
		path := rest
		if r.name != "" {
			var of string
			if of, path = cut(rest); string(appendSnake(buf[:0], r.name)) != of {
				continue
			}
		}
		return findField(r.of, path)
	}
	return reflect.Value{}, span{}, false
}

func findField(v reflect.Value, path string) (reflect.Value, span, bool) {
	t := v.Type()
	first, rest := cut(path)
	var buf [MaxValueName]byte
	for i := range t.NumField() {
		name := string(appendSnake(buf[:0], t.Field(i).Name))
		switch field := v.Field(i); field.Kind() {
		case reflect.String:
		case reflect.Array:
			if name[:len(name)-1] != first {
				continue
			}
			at, below := cut(rest)
			if k, err := strconv.Atoi(at); err == nil && k >= 0 && k < field.Len() && strconv.Itoa(k) == at {
				return findField(field.Index(k), below)
			}
		default:
			if name != path {
				continue
			}
			if field.Kind() == reflect.Bool {
				return field, span{0, 1}, true
			}
			r, ok := ranges[t.Name()][t.Field(i).Name]
			return field, r, ok
		}
	}
	return reflect.Value{}, span{}, false
}

// cut returns what is before the first dot, and what is behind it.
func cut(s string) (first, rest string) {
	for i := range len(s) {
		if s[i] == '.' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// appendSnake appends a field's name, or a row's, in snake case: RespawnMS is
// respawn_ms. What is neither letter nor digit becomes an underscore.
func appendSnake(b []byte, s string) []byte {
	upper := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= 'A' && s[i] <= 'Z' }
	for i := range len(s) {
		c := s[i]
		switch {
		case upper(i):
			if i > 0 && (!upper(i-1) || i+1 < len(s) && !upper(i+1)) && b[len(b)-1] != '_' {
				b = append(b, '_')
			}
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
		default:
			c = '_'
		}
		b = append(b, c)
	}
	return b
}
