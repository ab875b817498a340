package console

import (
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// handle is what the typed handles share.
type handle struct {
	r *Registry
	e *entry
}

// Name returns the variable's name.
func (h handle) Name() string { return h.e.Name }

// set is how the program itself changes a variable: read-only and latched ones
// too, at once. The value must still be a legal one, and a cheat stays at its
// default while cheats are not allowed.
func (h handle) set(v any) error {
	v, refused := h.e.accept(h.e.kind, v)
	if refused != nil {
		return refused
	}
	h.r.mu.Lock()
	h.e.layers[LayerRuntime] = &layered{v, "the program"}
	_, calls, _ := h.r.settleLocked(h.e, true)
	h.r.mu.Unlock()
	run(calls)
	return nil
}

func (h handle) onChange(f func()) {
	h.r.mu.Lock()
	defer h.r.mu.Unlock()
	h.e.changed = append(h.e.changed, f)
}

// Bool is a variable that is true or false.
type Bool struct {
	handle
	v atomic.Bool
}

// Bool declares a variable. It panics if the declaration is wrong.
func (r *Registry) Bool(v Var) *Bool {
	b := &Bool{}
	b.handle = handle{r, r.declare(v, KindBool, func(x any) { b.v.Store(x.(bool)) })}
	return b
}

// Get returns the value in force.
func (b *Bool) Get() bool { return b.v.Load() }

// Set changes the value, from code.
func (b *Bool) Set(v bool) error { return b.set(v) }

// OnChange calls f with the value after each change.
func (b *Bool) OnChange(f func(bool)) { b.onChange(func() { f(b.Get()) }) }

// Int is a variable that is a whole number.
type Int struct {
	handle
	v atomic.Int64
}

// Int declares a variable. It panics if the declaration is wrong.
func (r *Registry) Int(v Var) *Int {
	i := &Int{}
	i.handle = handle{r, r.declare(v, KindInt, func(x any) { i.v.Store(x.(int64)) })}
	return i
}

// Get returns the value in force.
func (i *Int) Get() int { return int(i.v.Load()) }

// Set changes the value, from code.
func (i *Int) Set(v int) error { return i.set(v) }

// OnChange calls f with the value after each change.
func (i *Int) OnChange(f func(int)) { i.onChange(func() { f(i.Get()) }) }

// Float is a variable that is a finite number.
type Float struct {
	handle
	v atomic.Uint64
}

// Float declares a variable. It panics if the declaration is wrong.
func (r *Registry) Float(v Var) *Float {
	f := &Float{}
	f.handle = handle{r, r.declare(v, KindFloat, func(x any) { f.v.Store(math.Float64bits(x.(float64))) })}
	return f
}

// Get returns the value in force.
func (f *Float) Get() float64 { return math.Float64frombits(f.v.Load()) }

// Duration returns the value in force as a duration; the unit must be "s" or
// "ms".
func (f *Float) Duration() time.Duration {
	unit := float64(time.Millisecond)
	if f.e.Unit == "s" {
		unit = float64(time.Second)
	}
	return time.Duration(f.Get() * unit)
}

// Set changes the value, from code.
func (f *Float) Set(v float64) error { return f.set(v) }

// OnChange calls g with the value after each change.
func (f *Float) OnChange(g func(float64)) { f.onChange(func() { g(f.Get()) }) }

// String is a variable that is a text on one line.
type String struct {
	handle
	v atomic.Pointer[string]
}

// String declares a variable. It panics if the declaration is wrong.
func (r *Registry) String(v Var) *String {
	s := &String{}
	s.handle = handle{r, r.declare(v, KindString, func(x any) { t := x.(string); s.v.Store(&t) })}
	return s
}

// Get returns the value in force.
func (s *String) Get() string { return *s.v.Load() }

// Set changes the value, from code.
func (s *String) Set(v string) error { return s.set(v) }

// OnChange calls f with the value after each change.
func (s *String) OnChange(f func(string)) { s.onChange(func() { f(s.Get()) }) }

// Enum is a variable that is one of a few words.
type Enum struct {
	handle
	v atomic.Int64
}

// Enum declares a variable. It panics if the declaration is wrong.
func (r *Registry) Enum(v Var) *Enum {
	e := &Enum{}
	e.handle = handle{r, r.declare(v, KindEnum, func(x any) { e.v.Store(int64(slices.Index(v.Values, x.(string)))) })}
	return e
}

// Get returns the word in force.
func (e *Enum) Get() string { return e.e.Values[e.v.Load()] }

// Index returns the place of the word in force among Var.Values.
func (e *Enum) Index() int { return int(e.v.Load()) }

// Set changes the value, from code.
func (e *Enum) Set(v string) error { return e.set(v) }

// OnChange calls f with the word after each change.
func (e *Enum) OnChange(f func(string)) { e.onChange(func() { f(e.Get()) }) }

// List is a variable that is a list of texts: a map rotation.
type List struct {
	handle
	v atomic.Pointer[[]string]
}

// List declares a variable. It panics if the declaration is wrong.
func (r *Registry) List(v Var) *List {
	if v.Default == nil {
		v.Default = []string(nil)
	}
	l := &List{}
	l.handle = handle{r, r.declare(v, KindList, func(x any) { t := x.([]string); l.v.Store(&t) })}
	return l
}

// Get returns the list in force; it must not be modified.
func (l *List) Get() []string { return *l.v.Load() }

// Set changes the list, from code.
func (l *List) Set(v []string) error { return l.set(v) }

// OnChange calls f with the list after each change.
func (l *List) OnChange(f func([]string)) { l.onChange(func() { f(l.Get()) }) }
