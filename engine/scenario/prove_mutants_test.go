package scenario_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
)

// found reports in which of a few pairs of worlds a leak shows first in what it must
// ("": in anything), and by what.
func found(t *testing.T, l leak, worlds uint64, in string) (kind string, n uint64) {
	t.Helper()
	step := uint64(1)
	if l.theme > 0 {
		n, step = uint64(l.theme-1), numProveThemes
	}
	for first := n; n < first+worlds*step; n += step {
		cfg := proveConfig{spec: deaddrop.Spec(), leak: l}
		cfg.at[2] = l.at
		a, b := pair(t, cfg, n)
		if kind, _ = difference(a, b); kind == "" || noPair(a, b) != "" {
			continue
		}
		if !slices.Equal(a.when(), b.when()) {
			kind += " time"
		}
		if strings.Contains(kind, in) {
			return kind, n
		}
	}
	return "", n
}

// Mistakes of the kinds that matter, each of them found by the comparison that
// TestNonInterference makes, and by what it must show in.
func TestMutantsAreFoundByName(t *testing.T) {
	isHidden := func(in *vis.Input) (row, s int) {
		for i := range in.Subjects {
			if in.Subjects[i].ID == proveHidden {
				return viewerRow(in), i
			}
		}
		return -1, -1
	}
	for _, m := range []struct {
		leak
		want string // in what it must differ; "" is in anything
	}{
		{leak{name: "an entity id, in another's owner", view: func(w *proveWorld, v *vis.View) {
			if ks := v.Entities(); len(ks) > 0 && w.bit() {
				ks[0].Owner = proveHidden
			}
		}}, ""},
		{leak{name: "a record for one tick", answer: func(w *proveWorld, in *vis.Input, ans *vis.Answer) {
			if v, s := isHidden(in); v >= 0 && s >= 0 && in.Tick == 200 {
				ans.Allow(v, s, vis.EyeEye, in.Tick, 0)
			}
		}}, ""},
		{leak{name: "an extra byte", packet: func(w *proveWorld, pkt []byte) []byte {
			if w.bit() {
				return append(slices.Clone(pkt), 0)
			}
			return pkt
		}}, "size"},
		{leak{name: "a send time", view: func(w *proveWorld, v *vis.View) {
			// What has acted on a player is sent at once: as if the hidden one's place did.
			if w.bit() {
				v.Own().Undisturbed = 0
			}
		}}, "time"},
		{leak{name: "the place of a sound", view: func(w *proveWorld, v *vis.View) {
			for i := range v.Events() {
				if p := w.hiddenBody(); p != nil && v.Events()[i].Pos != p.Pos {
					v.Events()[i].Pos.X += p.Pos.X / 16
				}
			}
		}}, ""},
		{leak{name: "an unfiltered join", answer: func(w *proveWorld, in *vis.Input, ans *vis.Answer) {
			v := viewerRow(in)
			if v < 0 || w.joined > 0 {
				return
			}
			if _, s := isHidden(in); s < 0 || !in.Subjects[s].Alive || in.Viewers[v].Subject < 0 {
				return
			}
			w.joined++
			for s := range in.Subjects {
				if in.Subjects[s].Alive {
					ans.Allow(v, s, vis.Untested, in.Tick, 0)
				}
			}
		}}, ""},
		{leak{name: "the order of events", view: func(w *proveWorld, v *vis.View) {
			if es := v.Events(); len(es) > 1 && w.bit() {
				es[0], es[len(es)-1] = es[len(es)-1], es[0]
			}
		}}, ""},
		{leak{name: "how many there are", view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(len(w.srv.World().Things()))
		}}, ""},
		{leak{name: "a door out of range", at: proveDoorX - 5, view: func(w *proveWorld, v *vis.View) {
			if ds := w.srv.World().Doors(); len(ds) > 0 && ds[0].Open {
				v.Own().Margin++
			}
		}}, ""},
		{leak{name: "a cloud", theme: 1 + proveMixed, view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(len(w.srv.World().Smokes()))
		}}, ""},
		{leak{name: "a flash", theme: 1 + proveMixed, view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(w.did[state.EvFlash])
		}}, ""},
		{leak{name: "a reload", theme: 1 + proveFar, view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(w.did[state.EvReload])
		}}, ""},
		{leak{name: "a shot out of earshot", theme: 1 + proveFar, view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(w.did[state.EvFire])
		}}, ""},
		{leak{name: "who broke a piece", theme: 1 + proveBreaks, view: func(w *proveWorld, v *vis.View) {
			v.Own().Starved += uint16(len(w.broke))
		}}, ""},
		{leak{name: "who sits in a vehicle", theme: 1 + proveSpecial, view: func(w *proveWorld, v *vis.View) {
			if p := w.hiddenBody(); p != nil && p.Vehicle != 0 {
				v.Own().Starved++
			}
		}}, ""},
		{leak{name: "where something lies that was carried", theme: 1 + proveMixed, view: func(w *proveWorld, v *vis.View) {
			for _, thing := range w.srv.World().Things() {
				if e := thing.Entity(); e.Kind == state.KindObjective {
					v.Own().Starved += uint16(e.Pos.X)
				}
			}
		}}, ""},
	} {
		t.Run(m.name, func(t *testing.T) {
			kind, n := found(t, m.leak, 6, m.want)
			t.Logf("found in world %d by %s", n, kind)
			if kind == "" {
				t.Errorf("not found by %q", m.want)
			}
		})
	}
}

// place is a field of a View and how to get at it.
type place struct {
	name string
	of   func(v *vis.View) []reflect.Value // structs that have it
	path []int
	dim  int // of an array; -1 is none
}

// places lists every number and flag that a View tells.
func places() []place {
	var out []place
	var walk func(name string, t reflect.Type, of func(*vis.View) []reflect.Value, path []int)
	walk = func(name string, t reflect.Type, of func(*vis.View) []reflect.Value, path []int) {
		for i := range t.NumField() {
			f := t.Field(i)
			at := append(slices.Clone(path), i)
			switch f.Type.Kind() {
			case reflect.Struct:
				walk(name+"."+f.Name, f.Type, of, at)
			case reflect.Slice: // of structs: the path of who came into view
				walk(name+"."+f.Name, f.Type.Elem(), func(v *vis.View) (in []reflect.Value) {
					for _, s := range of(v) {
						s = s.FieldByIndex(at)
						for k := range s.Len() {
							in = append(in, s.Index(k))
						}
					}
					return in
				}, nil)
			case reflect.Array:
				for k := range f.Type.Len() {
					out = append(out, place{fmt.Sprintf("%s.%s[%d]", name, f.Name, k), of, at, k})
				}
			default:
				out = append(out, place{name + "." + f.Name, of, at, -1})
			}
		}
	}
	elems := func(get func(v *vis.View) any) func(v *vis.View) []reflect.Value {
		return func(v *vis.View) (in []reflect.Value) {
			s := reflect.ValueOf(get(v))
			for i := range s.Len() {
				in = append(in, s.Index(i))
			}
			return in
		}
	}
	walk("own", reflect.TypeFor[vis.Own](), func(v *vis.View) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(v.Own()).Elem()}
	}, nil)
	walk("known", reflect.TypeFor[vis.Known](), elems(func(v *vis.View) any { return v.Entities() }), nil)
	walk("event", reflect.TypeFor[state.Event](), elems(func(v *vis.View) any { return v.Events() }), nil)
	return out
}

// put lets a field differ as the hidden player's place does: by one, or in a flag,
// so that it stays a value that could be.
func (p *place) put(v *vis.View, by int64) {
	for _, s := range p.of(v) {
		f := s.FieldByIndex(p.path)
		if p.dim >= 0 {
			f = f.Index(p.dim)
		}
		switch {
		case f.CanInt():
			f.SetInt(f.Int() ^ min(by, 1<<(f.Type().Bits()-3)))
		case f.CanUint():
			f.SetUint(f.Uint() ^ uint64(by))
		case f.CanFloat():
			f.SetFloat(f.Float() + float64(by)*0.25)
		case f.Kind() == reflect.Bool:
			f.SetBool(f.Bool() != (by != 0))
		}
	}
}

// notSent are the fields of a View that no packet holds, each with the reason.
var notSent = map[string]string{
	"known.Reason": "for the ledger and developer views",
	"known.Since":  "how far back Path goes was decided when the View was built",
	"event.Only":   "an event that was routed names nobody: it is in that one's View",

	"event.Muffled": "how far a shot is heard was decided when the View was built",

	"known.Path.Yaw":       "of the path only place and velocity are told",
	"known.Path.Pitch":     "likewise",
	"known.Path.Duck":      "likewise",
	"known.Path.Lean":      "likewise",
	"known.Path.Teleports": "likewise",
	"known.Path.Alive":     "likewise",
}

// Whatever field of a View depends on the hidden player, one at a time, the property
// finds it, but for those that no packet holds.
func TestMutantsOfAnyFieldAreFound(t *testing.T) {
	all := places()
	if len(all) < 70 {
		t.Fatalf("%d fields of a View", len(all))
	}
	// All of them in the long form; a third, by the seed, otherwise.
	every, missed := uint64(3), 0
	if *proveWorlds >= 50 {
		every = 1
	}
	for i, p := range all {
		if (uint64(i)+*seed)%every != 0 {
			continue
		}
		var kind string
		var n uint64
		reason, silent := notSent[p.name]
		for _, by := range []int64{1, 256} { // finer than the wire's grid shows in nothing
			kind, n = found(t, leak{name: p.name, view: func(w *proveWorld, v *vis.View) {
				if w.bit() {
					p.put(v, by)
				}
			}}, 4, "")
			if kind != "" || silent {
				break
			}
		}
		switch {
		case silent && kind != "":
			t.Errorf("%s is told (%s) although %s", p.name, kind, reason)
		case !silent && kind == "":
			missed++
			t.Errorf("%s can depend on somebody hidden and nothing shows", p.name)
		case n > 0 && !silent:
			t.Logf("%s: found in world %d only", p.name, n)
		}
	}
	t.Logf("%d fields, %d missed", len(all), missed)
}
