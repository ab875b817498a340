package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Layer says who set a value. The highest layer that has one wins.
type Layer uint8

// The layers, lowest first.
const (
	LayerDefault Layer = iota // the declaration
	LayerEngine               // engine.toml
	LayerGame                 // game.toml
	LayerHost                 // server.toml, a user's own file
	LayerEnv                  // SIGHTLINE_… environment
	LayerFlag                 // command line, +set
	LayerRuntime              // typed, or set by the program
	LayerServer               // sent by the server that a client is connected to
	layerCount
)

var layerNames = []string{"built-in", "engine file", "game file", "host file", "environment", "flag", "runtime", "server"}

// String names the layer for a person.
func (l Layer) String() string { return layerNames[l] }

// Source is where a value or a command line comes from.
type Source struct {
	Layer  Layer
	Where  string // "server.toml:12", "SIGHTLINE_SV_PORT", "+set", "" for typed
	Remote bool   // came over the net: commands marked Local are refused
}

// Setting is one value for one variable.
type Setting struct {
	Name  string
	Value any // Text, or the variable's own type
	Where string
}

// Registry holds a host's variables, commands, aliases and binds. Make one with
// New.
type Registry struct {
	binds Binds

	mu       sync.RWMutex // guards what follows
	vars     map[string]*entry
	names    []string          // of variables, sorted
	also     map[string]string // old names → names
	commands map[string]*Command
	aliases  map[string]string
	waiting  []waiting
	files    Files
	cheats   bool
	latching bool
	remote   bool // a server's values stand here
	version  uint64
	watchers []func(name string)
	unknown  func(name string)
}

// entry is a declared variable with its values by layer.
type entry struct {
	Var
	kind    Kind
	layers  [layerCount]*layered
	current any
	store   func(any) // writes the handle's atomic
	changed []func()
}

type layered struct {
	value any
	where string
}

// New returns a registry with the built-in commands (see help).
func New() *Registry {
	r := &Registry{
		vars:     map[string]*entry{},
		also:     map[string]string{},
		commands: map[string]*Command{},
		aliases:  map[string]string{},
	}
	r.builtins()
	return r
}

// declare adds a variable; wrong declarations are programming mistakes.
func (r *Registry) declare(v Var, k Kind, store func(any)) *entry {
	bad := func(why string) { panic(fmt.Sprintf("console: declare %q: %s", v.Name, why)) }
	if !isName(v.Name) || !strings.Contains(v.Name, ".") {
		bad("a name is lower case and dotted, such as sv.tick_rate")
	}
	if v.Help == "" || strings.ContainsAny(v.Help, "\n") {
		bad("needs one sentence of help")
	}
	if v.Min > v.Max {
		bad("minimum is above maximum")
	}
	if k == KindEnum && len(v.Values) == 0 {
		bad("an enum needs values")
	}
	def, refused := v.accept(k, v.Default)
	if refused != nil {
		bad("default: " + refused.Error())
	}
	e := &entry{Var: v, kind: k, current: def, store: store}
	e.layers[LayerDefault] = &layered{value: def}
	store(def)

	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range append([]string{v.Name}, v.Aliases...) {
		if r.takenLocked(n) {
			bad("the name " + n + " is taken")
		}
	}
	r.vars[v.Name] = e
	for _, n := range v.Aliases {
		r.also[n] = v.Name
	}
	i, _ := slices.BinarySearch(r.names, v.Name)
	r.names = slices.Insert(r.names, i, v.Name)
	return e
}

func (r *Registry) takenLocked(name string) bool {
	return r.vars[name] != nil || r.commands[name] != nil || r.also[name] != ""
}

func isName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.')
	})
}

// resolveLocked finds a variable by name, old name, or name with an underscore
// for its first dot.
func (r *Registry) resolveLocked(name string) *entry {
	name = strings.ToLower(name)
	if e := r.vars[name]; e != nil {
		return e
	}
	if n := r.also[name]; n != "" {
		return r.vars[n]
	}
	return r.vars[strings.Replace(name, "_", ".", 1)]
}

func (r *Registry) unknownLocked(name, where string) *Refusal {
	names := slices.Concat(r.names, slices.Sorted(maps.Keys(r.commands)), slices.Sorted(maps.Keys(r.aliases)))
	near := Nearest(name, names)
	if near == "" {
		near = Nearest(strings.Replace(name, "_", ".", 1), names)
	}
	return &Refusal{Name: clip(name), Where: where, Reason: ErrUnknown, Near: near}
}

func clip(s string) string {
	if len(s) > 64 {
		s = s[:64] + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return '?'
		}
		return r
	}, s)
}

// Set gives a variable a value at a layer. It reports whether the value waits
// for the next map or start (a latched variable while a match runs). A refused value
// changes nothing; the error is a *Refusal.
func (r *Registry) Set(name string, value any, src Source) (waits bool, err error) {
	r.learn(name)
	r.mu.Lock()
	e, v, refused := r.checkLocked(name, value, src)
	if refused != nil {
		r.mu.Unlock()
		return false, refused
	}
	e.layers[src.Layer] = &layered{v, src.Where}
	_, calls, waits := r.settleLocked(e, false)
	r.mu.Unlock()
	run(calls)
	return waits, nil
}

// Check says whether Set would be refused, and returns the variable's own name.
func (r *Registry) Check(name string, value any, src Source) (string, error) {
	r.learn(name)
	r.mu.RLock()
	defer r.mu.RUnlock()
	e, _, refused := r.checkLocked(name, value, src)
	if refused != nil {
		return "", refused
	}
	return e.Name, nil
}

// Replace makes settings the whole content of a layer: what the layer held before
// and settings does not name falls back to the layers below. Either all of them
// are taken or, when one is refused, none; then every refusal is returned. It
// returns the names that wait for the next map.
func (r *Registry) Replace(layer Layer, settings []Setting) (waits []string, refusals []*Refusal) {
	for _, s := range settings {
		r.learn(s.Name)
	}
	r.mu.Lock()
	fresh := map[*entry]*layered{}
	for _, s := range settings {
		e, v, refused := r.checkLocked(s.Name, s.Value, Source{Layer: layer, Where: s.Where})
		if refused != nil {
			refusals = append(refusals, refused)
			continue
		}
		fresh[e] = &layered{v, s.Where}
	}
	if len(refusals) > 0 {
		r.mu.Unlock()
		return nil, refusals
	}
	var calls []func()
	for _, n := range r.names {
		e := r.vars[n]
		if layer != LayerDefault && (e.layers[layer] != nil || fresh[e] != nil) {
			e.layers[layer] = fresh[e]
			_, c, wait := r.settleLocked(e, false)
			calls = append(calls, c...)
			if wait {
				waits = append(waits, n)
			}
		}
	}
	r.mu.Unlock()
	run(calls)
	return waits, nil
}

// checkLocked resolves, converts and permits one value.
func (r *Registry) checkLocked(name string, value any, src Source) (*entry, any, *Refusal) {
	e := r.resolveLocked(name)
	if e == nil {
		return nil, nil, r.unknownLocked(name, src.Where)
	}
	v, refused := e.accept(e.kind, value)
	switch {
	case refused != nil:
	case e.Flags&ReadOnly != 0 && src.Layer != LayerServer:
		refused = &Refusal{Name: e.Name, Reason: ErrReadOnly}
	case src.Layer == LayerServer && e.Flags&Replicated == 0:
		refused = &Refusal{Name: e.Name, Reason: ErrServer} // a server sets nothing but what it replicates
	case src.Layer == LayerRuntime && e.Flags&Replicated != 0 && r.remote:
		refused = &Refusal{Name: e.Name, Reason: ErrServer}
	case src.Layer == LayerRuntime && e.Flags&Cheat != 0 && !r.cheats:
		refused = &Refusal{Name: e.Name, Reason: ErrCheat}
	}
	if refused != nil {
		refused.Where = src.Where
	}
	return e, v, refused
}

// wantedLocked is the value that the layers ask for.
func (r *Registry) wantedLocked(e *entry) (any, Layer) {
	top := LayerServer
	if e.Flags&Cheat != 0 && !r.cheats {
		top = LayerDefault // a cheat in a file waits there until cheats are allowed
	}
	for l := top; l > LayerDefault; l-- {
		if e.layers[l] != nil {
			return e.layers[l].value, l
		}
	}
	return e.layers[LayerDefault].value, LayerDefault
}

// settleLocked brings a variable to what its layers ask for, unless it waits,
// and returns the callbacks that are due once the lock is released.
func (r *Registry) settleLocked(e *entry, now bool) (changed bool, calls []func(), waits bool) {
	v, layer := r.wantedLocked(e)
	if equal(v, e.current) {
		return false, nil, false
	}
	// A server's value was decided by its own latch.
	if r.latching && layer != LayerServer && (e.Flags&Latch != 0 && !now || e.Flags&Restart != 0) {
		return false, nil, true
	}
	e.current = v
	e.store(v)
	r.version++
	calls = append(calls, e.changed...)
	for _, w := range r.watchers {
		calls = append(calls, func() { w(e.Name) })
	}
	return true, calls, false
}

func run(calls []func()) {
	for _, c := range calls {
		c()
	}
}

// settleAllLocked settles every variable, at once if now.
func (r *Registry) settleAllLocked(now bool) (names []string, calls []func()) {
	for _, n := range r.names {
		if changed, c, _ := r.settleLocked(r.vars[n], now); changed {
			names, calls = append(names, n), append(calls, c...)
		}
	}
	return names, calls
}

// AllowCheats sets whether variables marked Cheat may leave their defaults. When
// it is taken back they return to them; when it is given, what files and flags
// ask for comes into force.
func (r *Registry) AllowCheats(on bool) {
	r.mu.Lock()
	r.cheats = on
	if !on {
		for _, e := range r.vars {
			if e.Flags&Cheat != 0 {
				e.layers[LayerRuntime] = nil
			}
		}
	}
	_, calls := r.settleAllLocked(false)
	r.mu.Unlock()
	run(calls)
}

// HoldLatched sets whether a change of a Latch or Restart variable waits: true while
// a match runs. Ending the hold applies what waits.
func (r *Registry) HoldLatched(on bool) {
	r.mu.Lock()
	r.latching = on
	_, calls := r.settleAllLocked(false)
	r.mu.Unlock()
	run(calls)
}

// ApplyLatched brings the values that wait for it into force, between two maps, and
// returns the names of the variables that changed. Those of Restart variables wait
// on.
func (r *Registry) ApplyLatched() []string {
	r.mu.Lock()
	names, calls := r.settleAllLocked(true)
	r.mu.Unlock()
	run(calls)
	return names
}

// FollowServer sets whether a server's values stand here: a client turns it on
// when it joins and then fills LayerServer. Turning it off drops that layer.
func (r *Registry) FollowServer(on bool) {
	r.mu.Lock()
	r.remote = on
	var calls []func()
	if !on {
		for _, e := range r.vars {
			e.layers[LayerServer] = nil
		}
		_, calls = r.settleAllLocked(false)
	}
	r.mu.Unlock()
	run(calls)
}

// Watch calls f with a variable's name after each change of any variable.
func (r *Registry) Watch(f func(name string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers = append(r.watchers, f)
}

// Version grows with every change of a value, for cheap "anything new?" tests.
func (r *Registry) Version() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

// Replicated returns the values that a server sends to its clients, by name.
// Secret ones are never among them.
func (r *Registry) Replicated() []Setting {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []Setting
	for _, n := range r.names {
		if e := r.vars[n]; e.Flags&(Replicated|Secret) == Replicated {
			out = append(out, Setting{Name: n, Value: Text(format(e.current))})
		}
	}
	return out
}

// Info describes a variable as it stands.
type Info struct {
	Var
	Kind    Kind
	Value   string // in force; "(secret)" where that is so
	Waiting string // what it becomes, see When; "" if nothing waits
	Changed bool   // Value is not the default
	Layer   Layer  // that Value, or what waits, comes from
	Allowed string
	Layers  []LayerValue // all that have one, lowest first
}

// LayerValue is the value that one layer holds.
type LayerValue struct {
	Layer Layer
	Value string
	Where string
}

// Lookup describes a variable, found by any of its names.
func (r *Registry) Lookup(name string) (Info, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	e := r.resolveLocked(name)
	if e == nil {
		return Info{}, false
	}
	return r.infoLocked(e), true
}

// Vars describes all variables whose name starts with prefix, by name.
func (r *Registry) Vars(prefix string) []Info {
	r.mu.RLock()
	defer r.mu.RUnlock()
	prefix = strings.ToLower(prefix)
	var out []Info
	for _, n := range r.names {
		if strings.HasPrefix(n, prefix) || strings.HasPrefix(strings.Replace(n, ".", "_", 1), prefix) {
			out = append(out, r.infoLocked(r.vars[n]))
		}
	}
	return out
}

func (r *Registry) infoLocked(e *entry) Info {
	show := func(v any) string {
		if e.Flags&Secret != 0 {
			return "(secret)"
		}
		return format(v)
	}
	in := Info{Var: e.Var, Kind: e.kind, Value: show(e.current), Allowed: e.allowed(e.kind)}
	in.Changed = !equal(e.current, e.layers[LayerDefault].value)
	var want any
	want, in.Layer = r.wantedLocked(e)
	if !equal(want, e.current) {
		in.Waiting = show(want)
	}
	for l, v := range e.layers {
		if v != nil {
			in.Layers = append(in.Layers, LayerValue{Layer(l), show(v.value), v.where})
		}
	}
	return in
}

// When says when a change takes effect that waits.
func (in Info) When() string {
	if in.Flags&Restart != 0 {
		return "when the program is started with it (a settings file, or +set)"
	}
	return "at the next map"
}

// DefaultText writes the declared default the way the console reads it.
func (in Info) DefaultText() string {
	if in.Flags&Secret != 0 {
		return "(secret)"
	}
	return in.Layers[0].Value
}
