package scenario

import (
	"fmt"
	"io"
	"strings"

	"github.com/sightline-engine/sightline/game/vis"
)

// Result is how a scene went with one policy.
type Result struct {
	Scene    string    `json:"scene"`
	File     string    `json:"file"`
	Policy   string    `json:"policy"`
	Findings []Finding `json:"findings"`
	Pairs    []Pair    `json:"pairs"`
	Rays     int       `json:"rays"`     // most in a tick
	Untested int       `json:"untested"` // most pairs in a tick that were sent untested
	OK       bool      `json:"ok"`
}

// Finding is what came of one expectation.
type Finding struct {
	Expected string `json:"expected"`
	Found    string `json:"found"`
	Holds    bool   `json:"holds"`
	Recorded string `json:"recorded,omitempty"` // why the policy fails it by its nature
	OK       bool   `json:"ok"`                 // holds, or fails as is recorded
}

// Run plays the scene with a policy.
func (s *Scene) Run(spec vis.Spec) (*Result, error) {
	encode := false
	for i := range s.File.Expect {
		encode = encode || s.File.Expect[i].Blind
	}
	p, err := s.play(spec, -1, encode)
	if err != nil {
		return nil, err
	}
	r := &Result{Scene: s.File.Name, File: s.Path, Policy: spec.Name, Rays: p.rays, Untested: p.untested, OK: true}
	for i := range s.pairs {
		r.Pairs = append(r.Pairs, p.measure(i))
	}
	for i := range s.File.Expect {
		e := &s.File.Expect[i]
		v, err := p.judge(e, spec)
		if err != nil {
			return nil, err
		}
		v.Recorded = e.Fails[spec.Name]
		v.OK = v.Holds == (v.Recorded == "")
		r.OK = r.OK && v.OK
		r.Findings = append(r.Findings, v)
	}
	return r, nil
}

const slack = 1e-6 // of times that are computed

// judge decides one expectation.
func (p *play) judge(e *Expect, spec vis.Spec) (Finding, error) {
	s := p.s
	v, t := s.ids[e.Viewer], s.ids[e.Target]
	var out Finding
	to := e.To
	if to == 0 {
		to = s.File.Seconds
	}
	switch {
	case e.Sent != nil:
		word := map[bool]string{true: "sent", false: "not sent"}
		what := e.Target
		if e.Thing != "" {
			what = "the " + e.Thing
		}
		out.Expected = fmt.Sprintf("%s is %s to %s from %g to %g s", what, word[*e.Sent], e.Viewer, e.From, to)
		n, wrong, at, reason := 0, 0, 0.0, vis.Hidden
		for i := range p.lines[v].packets {
			pk := &p.lines[v].packets[i]
			if pk.at < e.From-slack || pk.at > to+slack {
				continue
			}
			n++
			r, is := pk.tells(t)
			if e.Thing != "" {
				r, is = vis.Hidden, pk.tellsThing(things[e.Thing])
			}
			if is != *e.Sent {
				if wrong == 0 {
					at, reason = pk.at, r
				}
				wrong++
			}
		}
		out.Holds = wrong == 0 && n > 0
		out.Found = fmt.Sprintf("in all %d snapshots", n)
		if wrong > 0 {
			out.Found = fmt.Sprintf("%d of %d snapshots are otherwise, the first at %.3f s", wrong, n, at)
			if reason != vis.Hidden {
				out.Found += fmt.Sprintf(" (%s)", reason)
			}
		}
	case e.First != nil:
		out.Expected = fmt.Sprintf("%s is first sent to %s from %g to %g s", e.Target, e.Viewer, e.First[0], e.First[1])
		spans, _ := p.spans(v, t)
		switch {
		case len(spans) == 0:
			out.Found = "never"
		case spans[0].Standing:
			out.Found = "from the beginning on, " + spans[0].Reason
		default:
			at := spans[0].From
			out.Holds = at >= e.First[0]-slack && at <= e.First[1]+slack
			out.Found = fmt.Sprintf("at %.3f s (%s)", at, spans[0].Reason)
		}
	case e.HeldMS != nil:
		out.Expected = fmt.Sprintf("%s is still sent to %s for %g to %g ms after it was last visible", e.Target, e.Viewer, e.HeldMS[0], e.HeldMS[1])
		pr := p.pair(v, t)
		out.Holds, out.Found = true, ""
		for _, r := range pr.Reveals {
			if r.Tail != nil {
				out.Holds = out.Holds && *r.Tail >= e.HeldMS[0]-slack && *r.Tail <= e.HeldMS[1]+slack
				out.Found += fmt.Sprintf("%.0f ms ", *r.Tail)
			}
		}
		if out.Found = strings.TrimSpace(out.Found); out.Found == "" {
			out.Holds, out.Found = false, "nobody was released"
		}
	case e.Transitions != nil:
		out.Expected = fmt.Sprintf("%s vanishes for %s and comes back at most %d times", e.Target, e.Viewer, *e.Transitions)
		spans, _ := p.spans(v, t)
		n := max(len(spans)-1, 0)
		out.Holds, out.Found = n <= *e.Transitions && len(spans) > 0, fmt.Sprintf("%d times", n)
		if len(spans) == 0 {
			out.Found = "it is never sent"
		}
	case e.Missing != nil:
		pr := p.pair(v, t)
		out.Expected = fmt.Sprintf("%s is missing from the screen of %s in at most %d frames", e.Target, e.Viewer, *e.Missing)
		out.Holds = pr.Missing <= *e.Missing && pr.Screen > 0
		out.Found = fmt.Sprintf("%d of %d, %d in a row", pr.Missing, pr.Screen, pr.Longest)
	case e.Hears != "":
		kind := audible[e.Hears]
		of := ""
		if e.Target != "" {
			of = " of " + e.Target
		}
		out.Expected = fmt.Sprintf("%s hears a %s%s %d to %d times from %g to %g s", e.Viewer, e.Hears, of, e.Times[0], e.Times[1], e.From, to)
		n, named, off := 0, 0, 0.0
		for _, h := range p.heard {
			if h.viewer == v && h.kind == kind && (e.Target == "" || h.source == t) && h.at >= e.From-slack && h.at <= to+slack {
				n++
				off = max(off, h.off)
				if h.actor != 0 {
					named++
				}
			}
		}
		out.Holds, out.Found = n >= e.Times[0] && n <= e.Times[1], fmt.Sprintf("%d times", n)
		if e.Within > 0 {
			off /= s.scale
			out.Expected += fmt.Sprintf(", within %g of where it was", e.Within)
			out.Holds, out.Found = out.Holds && off <= e.Within, out.Found+fmt.Sprintf(", at most %.1f off", off)
		}
		if e.Named != nil {
			out.Expected += map[bool]string{true: ", by name", false: ", without a name"}[*e.Named]
			out.Holds, out.Found = out.Holds && (named == n) == *e.Named && (named == 0) != *e.Named, out.Found+fmt.Sprintf(", %d by name", named)
		}
	case e.Blind:
		out.Expected = fmt.Sprintf("every packet to %s is the same when %s is not there", e.Viewer, e.Target)
		q, err := s.play(spec, t, true)
		if err != nil {
			return out, err
		}
		out.Found = p.differs(q, v)
		if out.Holds = out.Found == ""; out.Holds {
			out.Found = fmt.Sprintf("%d packets, all the same", len(p.lines[v].packets))
		}
	case e.RaysPerTick != nil:
		out.Expected = fmt.Sprintf("at most %d rays in a tick", *e.RaysPerTick)
		out.Holds, out.Found = p.rays <= *e.RaysPerTick, fmt.Sprintf("%d", p.rays)
	case e.Untested != nil:
		out.Expected = fmt.Sprintf("at most %d pairs in a tick are sent untested", *e.Untested)
		out.Holds, out.Found = p.untested <= *e.Untested, fmt.Sprintf("%d", p.untested)
	case e.Alike:
		out.Expected = "mirrored and turned by quarters, everyone is sent at the same times"
		found, err := p.alike(spec)
		if err != nil {
			return out, err
		}
		if out.Holds = found == ""; out.Holds {
			found = "the same in all 8"
		}
		out.Found = found
	}
	return out, nil
}

func (p *play) pair(v, t int) Pair {
	for i := range p.s.pairs {
		if p.s.pairs[i] == (pair{v, t}) {
			return p.measure(i)
		}
	}
	return Pair{}
}

// differs says where the packets to a viewer differ between two runs.
func (p *play) differs(q *play, v int) string {
	a, b := p.lines[v].packets, q.lines[v].packets
	n, first := 0, 0.0
	for i := range min(len(a), len(b)) {
		if a[i].sum != b[i].sum || a[i].at != b[i].at {
			if n == 0 {
				first = a[i].at
			}
			n++
		}
	}
	switch {
	case n > 0:
		return fmt.Sprintf("%d of %d packets differ, the first at %.3f s", n, len(a), first)
	case len(a) != len(b):
		return fmt.Sprintf("%d packets, and %d without it", len(a), len(b))
	}
	return ""
}

// Alike plays the scene with a policy as it stands, mirrored, and turned by quarters, and
// says where it goes otherwise; "" nowhere.
func (s *Scene) Alike(spec vis.Spec) (string, error) {
	p, err := s.play(spec, -1, false)
	if err != nil {
		return "", err
	}
	return p.alike(spec)
}

// alike says where the scene goes otherwise when it is mirrored or turned.
func (p *play) alike(spec vis.Spec) (string, error) {
	sides := 8
	if len(p.s.cars) > 0 {
		sides = 4 // a vehicle in the mirror still has its driver on the same side
	}
	for n := 1; n < sides; n++ {
		s, err := p.s.turned(n%4, n >= 4)
		if err != nil {
			return "", err
		}
		q, err := s.play(spec, -1, false)
		if err != nil {
			return "", err
		}
		for _, pr := range p.s.pairs {
			a, _ := p.spans(pr.v, pr.t)
			b, _ := q.spans(pr.v, pr.t)
			same := len(a) == len(b)
			for i := 0; same && i < len(a); i++ {
				same = a[i].Interval == b[i].Interval
			}
			if !same {
				return fmt.Sprintf("turned by %d degrees, mirrored %v: %s is sent to %s in %v, and in %v as it stands", n%4*90, n >= 4,
					p.s.actors[pr.t].name, p.s.actors[pr.v].name, times(b), times(a)), nil
			}
		}
	}
	return "", nil
}

func times(d []Disclosure) string {
	s := []string{}
	for i := range d {
		s = append(s, fmt.Sprintf("%.3f to %.3f s", d[i].From, d[i].To))
	}
	return strings.Join(s, ", ")
}

// Print writes the verdicts for people.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n", r.Scene, r.Policy)
	for _, v := range r.Findings {
		mark := "ok    "
		switch {
		case !v.Holds && v.OK:
			mark = "known "
		case v.Holds && !v.OK:
			mark = "BETTER"
		case !v.OK:
			mark = "FAIL  "
		}
		fmt.Fprintf(&b, "  %s %s: %s\n", mark, v.Expected, v.Found)
		switch {
		case v.Recorded != "" && v.OK:
			fmt.Fprintf(&b, "         by its nature: %s\n", v.Recorded)
		case v.Recorded != "":
			fmt.Fprintf(&b, "         recorded as failing: %s\n", v.Recorded)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
