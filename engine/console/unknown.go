package console

// OnUnknown has f called with a name that nothing is declared under, before it is refused:
// f may declare it, with whatever belongs to it. It is called without a lock, from any
// goroutine, and once more for each time that the name is used. Call OnUnknown before
// values come.
func (r *Registry) OnUnknown(f func(name string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unknown = f
}

// learn gives a name that is not known a chance to be declared.
func (r *Registry) learn(name string) {
	r.mu.RLock()
	f := r.unknown
	if f != nil && (r.resolveLocked(name) != nil || r.takenLocked(name) || r.aliases[name] != "") {
		f = nil
	}
	r.mu.RUnlock()
	if f != nil {
		f(name)
	}
}

// Knows reports whether there is a variable of a name, which may be declared for that.
func (r *Registry) Knows(name string) bool {
	r.learn(name)
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.resolveLocked(name) != nil
}
