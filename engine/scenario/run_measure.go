package scenario

import (
	"github.com/sightline-engine/sightline/game/vis"
)

// Interval is a span of time, seconds from the scene's beginning.
type Interval struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Disclosure is a span in which every snapshot held the target.
type Disclosure struct {
	Interval         // To: of the first snapshot without it, or the scene's end
	Reason   string  `json:"reason"`
	Reasons  []Since `json:"reasons"`        // each as it changed
	Standing bool    `json:"from_the_start"` // it was told before the scene began
	Open     bool    `json:"to_the_end"`
}

// Since is a reason and when it began.
type Since struct {
	At     float64 `json:"at"`
	Reason string  `json:"reason"`
}

// Reveal is what one disclosure means. S, A, R, V are seconds; the others are
// milliseconds. What does not exist is left out: V of somebody who never comes into
// view.
type Reveal struct {
	S       float64  `json:"S"`
	A       float64  `json:"A"`
	R       float64  `json:"R"`
	V       *float64 `json:"V,omitempty"`
	H       *float64 `json:"H_ms,omitempty"`
	W       *float64 `json:"W_ms,omitempty"`
	L       *float64 `json:"L_ms,omitempty"`
	Preload *float64 `json:"preload_ms,omitempty"` // from A to the first frame that shows it
	Tail    *float64 `json:"tail_ms,omitempty"`    // still told after it was last visible
}

// Pair is what was measured of a viewer and a target.
type Pair struct {
	Viewer      string       `json:"viewer"`
	Target      string       `json:"target"`
	Sent        []Disclosure `json:"sent"`
	Visible     []Interval   `json:"visible"`
	Reveals     []Reveal     `json:"reveals"`
	Screen      int          `json:"frames_visible"`  // frames in which an unfiltered screen shows it
	Missing     int          `json:"frames_missing"`  // of those, not on this one
	Longest     int          `json:"longest_missing"` // in a row
	HiddenKnown float64      `json:"hidden_known"`    // share of the hidden time in which it is told
}

// spans finds the disclosures of a target.
func (p *play) spans(v, t int) (out []Disclosure, arrivals []float64) {
	end := p.s.File.Seconds
	known := false
	packets := p.lines[v].packets
	for i := range packets {
		pk := &packets[i]
		reason, is := pk.tells(t)
		if !is {
			if known {
				out[len(out)-1].To, out[len(out)-1].Open = pk.at, false
			}
			known = false
			continue
		}
		if !known {
			out = append(out, Disclosure{Interval: Interval{pk.at, end}, Reason: reason.String(), Open: true, Standing: pk.at < 0})
			arrivals = append(arrivals, -1)
		}
		d := &out[len(out)-1]
		if n := len(d.Reasons); n == 0 || d.Reasons[n-1].Reason != reason.String() {
			d.Reasons = append(d.Reasons, Since{pk.at, reason.String()})
		}
		if arrivals[len(out)-1] == -1 && !pk.lost {
			arrivals[len(out)-1] = pk.arrives
		}
		known = true
	}
	// What ended before the scene began is none of it.
	for len(out) > 0 && out[0].To <= 0 {
		out, arrivals = out[1:], arrivals[1:]
	}
	return out, arrivals
}

// measure computes everything of a pair.
func (p *play) measure(n int) Pair {
	s := p.s
	pr, tr := s.pairs[n], s.truth()[n]
	a, b := &s.actors[pr.v], &s.actors[pr.t]
	out := Pair{Viewer: a.name, Target: b.name, Visible: tr.visible}
	spans, arrivals := p.spans(pr.v, pr.t)
	out.Sent = spans
	backfill := s.File.Backfill == nil || *s.File.Backfill
	// When the same screen would have it of an unfiltered server.
	all := 1e9
	for i := range p.lines[pr.v].packets {
		if pk := &p.lines[pr.v].packets[i]; !pk.lost && pk.at >= b.from {
			all = pk.arrives
			break
		}
	}
	first := make([]float64, len(spans)) // first frame that shows it
	run := 0
	for f, visible := range tr.screen {
		now := s.frame(f)
		_, shown := s.shown(a, now)
		if !visible || now < all {
			run = 0
			continue
		}
		out.Screen++
		drawn := false
		for i := range spans {
			if arrivals[i] != -1 && arrivals[i] <= now && shown < spans[i].To && (backfill || shown >= spans[i].From) {
				drawn = true
				if first[i] == 0 {
					first[i] = now
				}
			}
		}
		if drawn {
			run = 0
			continue
		}
		out.Missing++
		run++
		out.Longest = max(out.Longest, run)
	}
	for i := range spans {
		if !spans[i].Standing && arrivals[i] != -1 {
			out.Reveals = append(out.Reveals, p.reveal(a, &spans[i], arrivals[i], first[i], tr.visible, backfill))
		}
	}
	hidden, known := 0, 0
	for i := range p.lines[pr.v].packets {
		pk := &p.lines[pr.v].packets[i]
		if pk.at < 0 || !a.alive(pk.at) || !b.alive(pk.at) || inside(tr.visible, pk.at) {
			continue
		}
		hidden++
		if r, is := pk.tells(pr.t); is && r != vis.Teammate {
			known++
		}
	}
	if hidden > 0 {
		out.HiddenKnown = float64(known) / float64(hidden)
	}
	return out
}

func inside(spans []Interval, t float64) bool {
	for _, v := range spans {
		if t >= v.From && t <= v.To {
			return true
		}
	}
	return false
}

// reveal computes the words of one disclosure.
func (p *play) reveal(a *actor, d *Disclosure, arrives, first float64, visible []Interval, backfill bool) Reveal {
	s := p.s
	r := Reveal{S: d.From, A: arrives}
	ready := arrives
	if !backfill {
		ready += a.interp // it is drawn as of its first snapshot
	}
	n := int(ready * s.File.FrameHz)
	if s.frame(n) < ready {
		n++
	}
	r.R = s.frame(n)
	ms := func(v float64) *float64 { v *= 1000; return &v }
	for _, v := range visible {
		if v.To < d.From || v.From > d.To {
			continue
		}
		if r.V == nil && v.From > 0 {
			at := v.From
			lead := at - r.S
			r.V, r.H = &at, ms(lead)
			r.W, r.L = ms(max(0, lead-(r.A-r.S))), ms(max(0, r.R-at))
		}
		if !d.Open && v.To < d.To {
			r.Tail = ms(d.To - v.To)
		}
	}
	if first > 0 {
		r.Preload = ms(first - arrives)
	}
	return r
}
