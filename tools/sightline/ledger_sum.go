package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// ledgerSum is a summary, in the form of its JSON.
type ledgerSum struct {
	Level   string             `json:"level"`
	Server  string             `json:"server"`
	Policy  string             `json:"policy"`
	Parts   int                `json:"parts"`
	From    string             `json:"from"`
	To      string             `json:"to"`
	Seconds float64            `json:"seconds"`
	Lost    int                `json:"lost_ticks"`
	Sources map[string]float64 `json:"source_s"`         // seconds that each decided
	Reasons map[string]float64 `json:"reason_s"`         // seconds of disclosures of players, by reason
	Tables  []ledgerTable      `json:"tables,omitempty"` // numbers that changed
	Causes  map[string]int     `json:"ended"`            // disclosures of players, by how they ended
	Viewers []*ledgerViewer    `json:"viewers"`
	Delay   *ledgerSpread      `json:"D_A,omitempty"` // of players, by the clients' word
	Render  *ledgerSpread      `json:"B,omitempty"`
	Claims  int                `json:"claims"` // disclosures of players that a client's word is joined with
	Undrawn int                `json:"never_drawn"`
	Clamped int                `json:"clamped"`
	Told    ledgerAim          `json:"sampled_told"`
	Hidden  ledgerAim          `json:"sampled_withheld"`
	first   state.Tick
	last    state.Tick

	delays, renders spread
}

// ledgerTable is a number of the tables that changed.
type ledgerTable struct {
	From string  `json:"from"`
	Name string  `json:"name"`
	To   float32 `json:"to"`
}

type ledgerViewer struct {
	Name     string  `json:"name"`
	Players  int     `json:"players"` // disclosures of players
	Things   int     `json:"things"`
	Seconds  float64 `json:"seconds"` // of players, added up
	Median   float64 `json:"median_s"`
	Unsent   int     `json:"in_no_packet"` // of players: permitted, and in no packet
	Hits     int     `json:"hits"`
	Evidence int     `json:"evidence"`
	Aimed    float64 `json:"aim_at_withheld"` // share of samples of who was withheld that it aimed at within 5 degrees
	lengths  []float64
	hidden   ledgerAim
}

// ledgerAim is what samples say of one kind of pair.
type ledgerAim struct {
	Samples  int     `json:"samples"`
	Distance float64 `json:"mean_distance_m"`
	Aimed    float64 `json:"aimed_at"` // share within aimedDeg
	sum      float64
	aimed    int
}

const aimedDeg = 5

func (a *ledgerAim) add(r *ledger.Record) {
	a.Samples++
	a.sum += float64(r.Distance) / 100
	if r.Aim <= aimedDeg {
		a.aimed++
	}
	a.Distance, a.Aimed = a.sum/float64(a.Samples), float64(a.aimed)/float64(a.Samples)
}

// sum prints a summary.
func (q *ledgerQuery) sum(out io.Writer, b *book) error {
	s := &ledgerSum{
		Level: b.head.Level, Server: b.head.Server, Policy: b.head.Policy, Parts: len(b.parts),
		Sources: map[string]float64{}, Reasons: map[string]float64{}, Causes: map[string]int{}, Viewers: []*ledgerViewer{},
		first: b.first, last: b.last,
	}
	if int32(q.from-s.first) > 0 {
		s.first = q.from
	}
	if int32(s.last-q.to) > 0 {
		s.last = q.to
	}
	s.From, s.To = b.clock(s.first), b.clock(s.last)
	rate := float64(b.head.TickRate)
	s.Seconds = float64(max(int32(s.last-s.first)+1, 0)) / rate
	by := map[string]*ledgerViewer{}
	viewer := func(name string, id state.ID) *ledgerViewer {
		if name = playerName(name, id); by[name] == nil {
			by[name] = &ledgerViewer{Name: name}
			s.Viewers = append(s.Viewers, by[name])
		}
		return by[name]
	}
	all := players{}
	p := &ledger.Replay{Await: b.await()}
	p.Ended = func(d *ledger.Disclosure) {
		if !q.in(d.Begin, d.End) || !isPlayer(q.player, d.ViewerName, d.Viewer) || !isPlayer(q.of, d.TargetName, d.Target) {
			return
		}
		v := viewer(d.ViewerName, d.Viewer)
		if d.Subject != state.KindPlayer {
			v.Things++
			return
		}
		long := float64(d.Ticks()) / rate
		v.Players++
		v.Seconds += long
		v.lengths = append(v.lengths, long)
		if d.Seq == 0 {
			v.Unsent++
		}
		s.Causes[d.Cause.String()]++
		s.claim(b.claim(d))
		for r, n := range d.Held {
			if n > 0 {
				s.Reasons[vis.Reason(r).String()] += float64(n) / rate
			}
		}
	}
	who, since := vis.FromPolicy, s.first
	decided := func(until state.Tick) {
		if n := int32(until - since); n > 0 {
			s.Sources[who.String()] += float64(n) / rate
			since = until
		}
	}
	p.Other = func(r *ledger.Record) {
		if r.Kind == ledger.Source {
			if int32(r.Tick-s.last) <= 0 {
				decided(r.Tick)
				who = r.Who
			}
			return
		}
		if r.Kind == ledger.Table && q.in(r.Tick, r.Tick+1) {
			s.Tables = append(s.Tables, ledgerTable{b.clock(r.Tick), r.Text, r.To})
		}
		if !q.in(r.Tick, r.Tick+1) || !isPlayer(q.player, p.Name(r.Viewer), r.Viewer) {
			return
		}
		switch r.Kind {
		case ledger.Fired:
			v := viewer(p.Name(r.Viewer), r.Viewer)
			if r.Shot.Target != 0 {
				v.Hits++
			}
			if r.Shot.Evidence {
				v.Evidence++
			}
		case ledger.Sample:
			if r.Reason == vis.Hidden {
				s.Hidden.add(r)
				viewer(p.Name(r.Viewer), r.Viewer).hidden.add(r)
			} else {
				s.Told.add(r)
			}
		}
	}
	if err := b.read(func(r *ledger.Record) bool { all.note(r); p.Add(r); return true }); err != nil {
		return err
	}
	p.Finish(b.last)
	if err := all.missing(q.player); err != nil {
		return err
	}
	decided(s.last + 1)
	s.Delay, s.Render = s.delays.sum(), s.renders.sum()
	s.Lost = p.Lost
	for _, v := range s.Viewers {
		if slices.Sort(v.lengths); len(v.lengths) > 0 {
			v.Median = v.lengths[len(v.lengths)/2]
		}
		v.Aimed = v.hidden.Aimed
	}
	slices.SortStableFunc(s.Viewers, func(x, y *ledgerViewer) int { return y.Players - x.Players })
	if q.json {
		return writeJSON(out, s)
	}
	s.print(out)
	return nil
}

func (s *ledgerSum) print(w io.Writer) {
	fmt.Fprintf(w, "%s on %s, %s to %s (%.1f s), policy %s, %s\n", s.Level, s.Server, s.From, s.To, s.Seconds, s.Policy, counted(s.Parts, "part"))
	if s.Lost > 0 {
		fmt.Fprintf(w, "%s missing\n", counted(s.Lost, "tick"))
	}
	for _, t := range s.Tables {
		fmt.Fprintf(w, "from %s on %s was %v\n", t.From, t.Name, t.To)
	}
	table := func(title string, m map[string]float64) {
		type row struct {
			name string
			v    float64
		}
		var rows []row
		sum := 0.0
		for k, v := range m {
			rows, sum = append(rows, row{k, v}), sum+v
		}
		slices.SortFunc(rows, func(a, b row) int {
			if a.v != b.v {
				return map[bool]int{true: -1, false: 1}[a.v > b.v]
			}
			return map[bool]int{true: -1, false: 1}[a.name < b.name]
		})
		fmt.Fprintf(w, "%s", title)
		for i, r := range rows {
			sep := map[bool]string{true: " ", false: ", "}[i == 0]
			fmt.Fprintf(w, "%s%s %.1f %%", sep, r.name, r.v*100/max(sum, 1e-9))
		}
		fmt.Fprintln(w)
	}
	table("decided by:", s.Sources)
	table("players told of for:", s.Reasons)
	s.printClaims(w)
	ended := map[string]float64{}
	for k, n := range s.Causes {
		ended[k] = float64(n)
	}
	table("ended by:", ended)
	fmt.Fprintf(w, "\n%-20s %9s %9s %9s %9s %7s %6s %5s %9s\n", "viewer", "players", "of s", "median s", "unsent", "things", "hits", "evid.", "aim hid.")
	for _, v := range s.Viewers {
		fmt.Fprintf(w, "%-20s %9d %9.1f %9.2f %9d %7d %6d %5d %8.1f%%\n", v.Name, v.Players, v.Seconds, v.Median, v.Unsent, v.Things, v.Hits, v.Evidence, v.Aimed*100)
	}
	for _, a := range []struct {
		what string
		a    *ledgerAim
	}{{"told", &s.Told}, {"withheld", &s.Hidden}} {
		fmt.Fprintf(w, "\n%s of who was %s: %.1f m away on average, aimed at within %d degrees in %.1f %%", counted(a.a.Samples, "sample"), a.what, a.a.Distance, aimedDeg, a.a.Aimed*100)
	}
	fmt.Fprintln(w)
}
