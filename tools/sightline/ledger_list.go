package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// ledgerShot, ledgerNote and ledgerSample are lines of the list, in the form of their
// JSON.
type ledgerShot struct {
	Type     string     `json:"type"`
	Tick     state.Tick `json:"tick"`
	At       string     `json:"at"`
	Shooter  string     `json:"shooter"`
	Weapon   string     `json:"weapon"`
	Result   string     `json:"result"`
	Why      string     `json:"why"`
	Target   string     `json:"target,omitempty"`
	Near     string     `json:"near,omitempty"`
	Shown    string     `json:"near_shown,omitempty"`
	Refused  string     `json:"refused,omitempty"`
	Damage   int32      `json:"damage"`
	Killed   bool       `json:"killed"`
	Evidence bool       `json:"evidence"`
	Claimed  float64    `json:"claimed_ms"`
	Used     float64    `json:"used_ms"`
	Limit    float64    `json:"limit_ms"`
}

type ledgerNote struct {
	Type string     `json:"type"`
	Tick state.Tick `json:"tick"`
	At   string     `json:"at"`
	Text string     `json:"text"`
}

type ledgerSample struct {
	Type     string     `json:"type"`
	Tick     state.Tick `json:"tick"`
	Viewer   string     `json:"viewer"`
	Target   string     `json:"target"`
	Reason   string     `json:"reason"` // hidden: it was withheld
	Distance float64    `json:"distance_m"`
	Aim      uint8      `json:"aim_deg"`
}

// line is one line of the list, to be put in order.
type line struct {
	tick state.Tick
	v    any
	text string
}

// in reports whether a stretch of time is asked for.
func (q *ledgerQuery) in(begin, end state.Tick) bool {
	return int32(q.to-begin) >= 0 && int32(end-q.from) > 0
}

// list prints every disclosure, and what else befell, by time.
func (q *ledgerQuery) list(out io.Writer, b *book) error {
	var lines []line
	all := players{}
	p := &ledger.Replay{Await: b.await()}
	p.Ended = func(d *ledger.Disclosure) {
		if q.in(d.Begin, d.End) && isPlayer(q.player, d.ViewerName, d.Viewer) && isPlayer(q.of, d.TargetName, d.Target) {
			e := b.ended(d)
			lines = append(lines, line{d.Begin, e, e.line(d)})
		}
	}
	p.Other = func(r *ledger.Record) {
		if !q.in(r.Tick, r.Tick+1) {
			return
		}
		l := b.other(p, r)
		switch {
		case r.Kind == ledger.Sample && !q.json, l.text == "":
			return
		case r.Kind == ledger.Gap, r.Kind == ledger.Source, r.Kind == ledger.Plugin, r.Kind == ledger.Table: // of everybody
		case !isPlayer(q.player, p.Name(r.Viewer), r.Viewer):
			return
		case q.of != "" && !isPlayer(q.of, p.Name(r.Target), r.Target) && !(r.Kind == ledger.Fired && isPlayer(q.of, p.Name(r.Shot.Near), r.Shot.Near)):
			return
		}
		lines = append(lines, l)
	}
	if err := b.read(func(r *ledger.Record) bool { all.note(r); p.Add(r); return true }); err != nil {
		return err
	}
	p.Finish(b.last)
	for _, name := range []string{q.player, q.of} {
		if err := all.missing(name); err != nil {
			return err
		}
	}
	slices.SortStableFunc(lines, func(x, y line) int { return int(int32(x.tick - y.tick)) })
	w := bufio.NewWriter(out)
	for _, l := range lines {
		if q.json {
			if err := writeLine(w, l.v); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s  %s\n", b.clock(l.tick), l.text)
	}
	return w.Flush()
}

// ended is the entry of a disclosure that has ended.
func (b *book) ended(d *ledger.Disclosure) ledgerEntry {
	e := b.entry(d)
	e.Type, e.End, e.EndAt, e.Cause, e.Held = "disclosure", d.End, b.clock(d.End), d.Cause.String(), map[string]float64{}
	for r, n := range d.Held {
		if n > 0 {
			e.Held[vis.Reason(r).String()] = float64(n) / float64(b.head.TickRate)
		}
	}
	return e
}

func (e *ledgerEntry) line(d *ledger.Disclosure) string {
	s := fmt.Sprintf("%s was told of %s until %s: %s; %s by the %s's word", e.ViewerName, e.TargetName, e.EndAt, e.Cause, shares(d), e.Source)
	if e.Packets > 0 {
		s += fmt.Sprintf("; %s", counted(int(e.Packets), "packet"))
	}
	return s + e.path()
}

// shares says which reasons held, the longest first.
func shares(d *ledger.Disclosure) string {
	var by []vis.Reason
	for r, n := range d.Held {
		if n > 0 {
			by = append(by, vis.Reason(r))
		}
	}
	slices.SortStableFunc(by, func(x, y vis.Reason) int { return int(d.Held[y]) - int(d.Held[x]) })
	var s []string
	for _, r := range by {
		if len(by) == 1 {
			return r.String()
		}
		s = append(s, fmt.Sprintf("%s %d %%", r, (d.Held[r]*100+d.Ticks()/2)/max(d.Ticks(), 1)))
	}
	return strings.Join(s, ", ")
}

// other puts a record that is of no disclosure into words.
func (b *book) other(p *ledger.Replay, r *ledger.Record) line {
	note := func(kind, format string, args ...any) line {
		text := fmt.Sprintf(format, args...)
		return line{r.Tick, ledgerNote{kind, r.Tick, b.clock(r.Tick), text}, text}
	}
	name := func(id state.ID) string {
		if id == 0 {
			return ""
		}
		return playerName(p.Name(id), id)
	}
	switch r.Kind {
	case ledger.Source:
		return note("source", "from here on the %s decides", r.Who)
	case ledger.Plugin:
		if r.Count == 0 {
			return note("plugin", "%s", r.Text)
		}
		return note("plugin", "%s (process %d)", r.Text, r.Count)
	case ledger.Table:
		return note("table", "from here on %s is %v (tables of version %d)", r.Text, r.To, r.Count)
	case ledger.Name:
		what := "a player"
		if r.Bot {
			what = "a bot"
		}
		return note("name", "%s is %s, number %d", r.Text, what, r.Viewer)
	case ledger.Left:
		return note("left", "%s left: %s", name(r.Viewer), r.Text)
	case ledger.Gap:
		return note("gap", "%s before here and %s of theirs are missing: the disk did not keep up", counted(int(r.Count), "tick"), counted(int(r.Items), "thing"))
	case ledger.Report:
		drew := "never drew"
		if r.Claim.Drawn {
			drew = fmt.Sprintf("drew after %.1f ms", float64(r.Claim.DrawnUS)/1000)
		}
		return note("report", "%s says that packet %d was the first to tell it of %s, whom it %s", name(r.Viewer), r.Seq, name(r.Target), drew)
	case ledger.Sample:
		s := ledgerSample{"sample", r.Tick, name(r.Viewer), name(r.Target), r.Reason.String(), float64(r.Distance) / 100, r.Aim}
		return line{r.Tick, s, "sample"}
	case ledger.Fired:
		t := &r.Shot
		ms := func(v256 float64) float64 { return v256 / 256 / float64(b.head.TickRate) * 1000 }
		s := ledgerShot{
			"shot", r.Tick, b.clock(r.Tick), name(r.Viewer), t.Weapon, t.Result, t.Why, name(t.Target), name(t.Near), t.Shown, name(t.Refused),
			t.Damage, t.Killed, t.Evidence, ms(float64(t.Claimed256)), ms(float64(t.Used256)), ms(float64(t.Limit256)),
		}
		return line{r.Tick, s, s.text()}
	}
	return line{}
}

func (s *ledgerShot) text() string {
	t := fmt.Sprintf("%s (%s) %s", s.Shooter, s.Weapon, s.Result)
	if s.Target != "" {
		t += fmt.Sprintf(" %s for %d", s.Target, s.Damage)
	}
	if s.Killed {
		t += ", who died of it"
	}
	t += fmt.Sprintf(": %s; tested %.0f ms ago", s.Why, s.Used)
	if s.Shown != "" {
		t += fmt.Sprintf("; on its screen %s was: %s", s.Near, s.Shown)
	}
	if s.Evidence {
		t += " (evidence)"
	}
	return t
}
