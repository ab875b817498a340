package scenario

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Leaks is what a scene shows of a policy that ought not to be.
type Leaks struct {
	Pairs  int      // of a viewer and somebody it is never told of, that were compared
	Spared int      // expectations that somebody is not sent, which were judged
	Found  []string // sentences
}

// mostAbsent is how many players of a scene are left out, one after the other.
const mostAbsent = 12

// Leaks plays the scene with a policy, and once more without each of its players: of
// whom a viewer is never told, that must not change by anything which others it is told
// of. With hidden it also judges those expectations of the file that somebody is not sent
// to a viewer by whom it could not have been seen up to then, but for those that the file
// records as failed by this policy. Scenes about too few rays for all are left out, for
// there everybody costs everybody.
func (s *Scene) Leaks(spec vis.Spec, hidden bool) (l Leaks, err error) {
	for i := range s.File.Expect {
		if s.File.Expect[i].RaysPerTick != nil {
			return l, nil
		}
	}
	all, p, err := s.told(spec, -1, hidden)
	if err != nil {
		return l, err
	}
	for t := range min(len(s.actors), mostAbsent) {
		var without *allTold
		for v := range s.actors {
			if v == t || !s.actors[v].client || all.ever[pairOf{v, t}] {
				continue
			}
			if without == nil {
				if without, _, err = s.told(spec, t, false); err != nil {
					return l, err
				}
			}
			l.Pairs++
			if where := differs(all.rows[v], without.rows[v], idOf(t)); where >= 0 {
				l.Found = append(l.Found, fmt.Sprintf("%s: %s is never told of %s, and yet, %.2f s after its beginning, whom else it is told of depends on whether %s is there",
					s.File.Name, s.actors[v].name, s.actors[t].name, s.seconds(where-s.warmTicks()), s.actors[t].name))
			}
		}
	}
	if !hidden {
		return l, nil
	}
	for i := range s.File.Expect {
		e := &s.File.Expect[i]
		if e.Sent == nil || *e.Sent || e.Fails[spec.Name] != "" || !s.hides(e) {
			continue
		}
		l.Spared++
		f, err := p.judge(e, spec)
		if err != nil {
			return l, err
		}
		if !f.Holds {
			l.Found = append(l.Found, fmt.Sprintf("%s: %s: %s (%s)", s.File.Name, f.Expected, f.Found, s.File.About))
		}
	}
	return l, nil
}

// hides reports whether an expectation is of a player whom the viewer, alive and with open
// eyes, could not see from the scene's beginning up to the expectation's end.
func (s *Scene) hides(e *Expect) bool {
	t := s.Index(e.Target)
	v := s.Index(e.Viewer)
	if e.Thing != "" || v < 0 || t < 0 || t >= len(s.actors) {
		return false
	}
	to := e.To
	if to == 0 {
		to = s.File.Seconds
	}
	return s.firstSeen(v, t) > to
}

// firstSeen is when a viewer can first see a target, or is dead or blinded, in seconds;
// beyond the scene's end when never.
func (s *Scene) firstSeen(v, t int) float64 {
	if at, ok := s.seen[pairOf{v, t}]; ok {
		return at
	}
	if s.seen == nil {
		s.seen = map[pairOf]float64{}
	}
	out := s.File.Seconds + 1
	l := &looker{s: s, poses: make([]level.Pose, len(s.level.Models))}
	a, b := &s.actors[v], &s.actors[t]
	for k := -s.warmTicks(); k <= s.ticks(); k++ {
		at := s.seconds(k)
		if !a.there(at) || !b.there(at) {
			continue
		}
		if !a.alive(at) || s.blinded(v, at) > 0 || l.sees(s.eye(a, at), s.box(b, at), at) {
			out = at
			break
		}
	}
	s.seen[pairOf{v, t}] = out
	return out
}

type pairOf struct{ v, t int }

// allTold is what a policy told whom, tick by tick.
type allTold struct {
	rows [][]row // by actor, by tick
	ever map[pairOf]bool
}

// row is what one viewer is told in one tick.
type row []toldOf

type toldOf struct {
	id       state.ID
	interval uint8
}

// told plays the scene without the absent, as far as decisions go or, with send, whole.
func (s *Scene) told(spec vis.Spec, absent int, send bool) (*allTold, *play, error) {
	out := &allTold{rows: make([][]row, len(s.actors)), ever: map[pairOf]bool{}}
	p, err := s.playing(spec, absent, false, func(p *play, ans *vis.Answer) bool {
		for v := range p.in.Viewers {
			who := int(p.in.Viewers[v].ID) - 1
			var r row
			for i := range p.in.Subjects {
				if !ans.Permitted(v, i) {
					continue
				}
				sub := &p.in.Subjects[i]
				if sub.Kind == state.KindPlayer { // things of who is absent are absent too
					r = append(r, toldOf{sub.ID, ans.Interval[v*ans.Subjects+i]})
					out.ever[pairOf{who, int(sub.ID) - 1}] = true
				} else if sub.Owner.IsPlayer() { // something of somebody's tells of him
					out.ever[pairOf{who, int(sub.Owner) - 1}] = true
				}
			}
			for len(out.rows[who]) < int(int32(p.in.Tick-base))+s.warmTicks() {
				out.rows[who] = append(out.rows[who], nil) // it was not there
			}
			out.rows[who] = append(out.rows[who], r)
		}
		return send
	})
	return out, p, err
}

// differs returns the first tick in which two viewers are told something else, leaving
// one subject out; -1 when there is none.
func differs(a, b []row, but state.ID) int {
	for k := range max(len(a), len(b)) {
		var x, y row
		if k < len(a) {
			x = a[k]
		}
		if k < len(b) {
			y = b[k]
		}
		i, j := 0, 0
		for {
			for i < len(x) && x[i].id == but {
				i++
			}
			for j < len(y) && y[j].id == but {
				j++
			}
			if i == len(x) || j == len(y) {
				break
			}
			if x[i] != y[j] {
				return k
			}
			i, j = i+1, j+1
		}
		if i < len(x) || j < len(y) {
			return k
		}
	}
	return -1
}
