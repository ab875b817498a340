package input

// Filter makes a clean stream of presses and releases from what a window system
// reports: every release has had its press, a second press without a release is
// a repeat, and focus changes leave nothing held.
//
// A key that is held while the focus goes and comes back is reported by some
// systems as pressed again, by the keyboard's own repeating. Such a key is
// stale: it is ignored until it has been let go.
type Filter struct {
	down  [KeyCount]bool
	stale [KeyCount]bool
}

// Key appends what a raw Press, Repeat or Release means to out.
func (f *Filter) Key(out []Event, e Event) []Event {
	k := e.Key
	if k == None || k >= KeyCount {
		return out
	}
	switch e.Kind {
	case Press, Repeat:
		switch {
		case f.stale[k]:
			return out
		case f.down[k]:
			e.Kind = Repeat
		case e.Kind == Repeat:
			return out // its press was never ours
		}
		f.down[k] = true
		return append(out, e)
	case Release:
		f.stale[k] = false
		if !f.down[k] {
			return out
		}
		f.down[k] = false
		return append(out, e)
	}
	return out
}

// FocusLost appends a release for every held key, and then the event itself.
func (f *Filter) FocusLost(out []Event) []Event {
	for k := range f.down {
		if f.down[k] {
			out = append(out, Event{Kind: Release, Key: Key(k)})
		}
	}
	f.down = [KeyCount]bool{}
	return append(out, Event{Kind: FocusLost})
}

// FocusGained appends the event. stillDown says whether a key is physically
// down now; nil where that cannot be known.
func (f *Filter) FocusGained(out []Event, stillDown func(Key) bool) []Event {
	for k := range f.stale {
		f.stale[k] = stillDown != nil && stillDown(Key(k))
	}
	return append(out, Event{Kind: FocusGained})
}

// Settle asks again about stale keys. Some systems do not report the release of
// a key whose press they have forgotten, so this is called before each poll; it
// costs nothing while no key is stale.
func (f *Filter) Settle(stillDown func(Key) bool) {
	for k := range f.stale {
		if f.stale[k] {
			f.stale[k] = stillDown(Key(k))
		}
	}
}

// Down reports whether a key is held.
func (f *Filter) Down(k Key) bool { return k < KeyCount && f.down[k] }
