package vis

import "github.com/sightline-engine/sightline/game/state"

// pathMS is for how long after a player came into view the View tells the way
// there: until one of the first packets has surely left.
const pathMS = 125

// maxPath bounds a path, in places.
const maxPath = 7

// since is from when on somebody is in a View, and how finely it was told last.
type since struct {
	id     state.ID
	kind   state.Kind
	detail state.Detail
	tick   state.Tick
}

// since finds out who is new in the View, and where they came from.
func (b *builder) since(out *View) {
	before := out.before
	out.now = out.now[:0]
	fresh := state.Tick(pathMS * b.in.TickRate / 1000)
	b.looks()
	for i := range out.known {
		k := &out.known[i]
		k.Since = out.tick
		was := state.Near
		for len(before) > 0 && before[0].id < k.ID {
			before = before[1:]
		}
		if len(before) > 0 && before[0].id == k.ID && before[0].kind == k.Kind {
			k.Since, was = before[0].tick, before[0].detail
		}
		k.Detail = b.detail(k, was)
		out.now = append(out.now, since{k.ID, k.Kind, k.Detail, k.Since})
		if k.Kind == state.KindPlayer && b.f.Past != nil && out.tick-k.Since <= fresh {
			k.Path = b.path(out, &k.Entity)
		}
	}
}

// path appends the places that e came by to out.paths and returns them: within the
// viewer's interpolation delay, and within this life.
func (b *builder) path(out *View, e *state.Entity) []state.Body {
	gap := state.PathGap(b.in.TickRate)
	var late state.Delay
	late.Update(out.tick, e.Interval, b.in.TickRate)
	n := min((int(out.own.Interp)+int(late.Back(out.tick))+gap*256-1)/(gap*256), maxPath)
	from := len(out.paths)
	now := e.Body()
	for i := 1; i <= n; i++ {
		was, ok := b.f.Past(e.ID, out.tick-state.Tick(i*gap))
		if !ok || !state.SameLife(&was, &now) {
			break
		}
		out.paths = append(out.paths, was)
	}
	return out.paths[from:len(out.paths):len(out.paths)]
}
