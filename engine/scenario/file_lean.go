package scenario

// leaned notes when everybody leans, of the events in order.
func (s *Scene) leaned() {
	for i := range s.events {
		if e := &s.events[i]; e.Kind == "lean" && e.who >= 0 && e.who < len(s.actors) {
			a := &s.actors[e.who]
			a.leans = append(a.leans, heading{e.At, e.Lean})
		}
	}
}

// lean returns how far an actor leans at a time, -1 to 1; a whole lean takes so many
// seconds. Its body stays where it is, and so does what is sampled of it: what leans out
// are its eye and its chest.
func (a *actor) lean(t, whole float64) float64 {
	now := 0.0
	for i, l := range a.leans {
		if l.t > t {
			break
		}
		until := t
		if i+1 < len(a.leans) {
			until = min(t, a.leans[i+1].t)
		}
		by := (until - l.t) / max(whole, 1e-3)
		if now < l.yaw {
			now = min(now+by, l.yaw)
		} else {
			now = max(now-by, l.yaw)
		}
	}
	return now
}
