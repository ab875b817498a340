package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
)

// ledgerKnew is what one viewer knew at a time, in the form of its JSON.
type ledgerKnew struct {
	At     string        `json:"at"`
	Tick   state.Tick    `json:"tick"`
	Source string        `json:"source"` // who decided at that tick
	Viewer state.ID      `json:"viewer"`
	Name   string        `json:"name"`
	Knew   []ledgerEntry `json:"knew"`
	Not    []string      `json:"not_told_of"` // players who were there
}

// ledgerEntry is one disclosure, in the form of its JSON.
type ledgerEntry struct {
	Type       string             `json:"type,omitempty"`
	Viewer     state.ID           `json:"viewer"`
	ViewerName string             `json:"viewer_name"`
	Target     state.ID           `json:"target"`
	TargetName string             `json:"target_name"`
	Begin      state.Tick         `json:"begin"`
	End        state.Tick         `json:"end,omitempty"`
	BeginAt    string             `json:"begin_at"`
	EndAt      string             `json:"end_at,omitempty"`
	First      string             `json:"first_reason"`
	Reason     string             `json:"reason"` // the present one, or the last
	ReasonAt   string             `json:"reason_since,omitempty"`
	Source     string             `json:"source"` // who decided when it began
	Cause      string             `json:"cause,omitempty"`
	Seq        uint64             `json:"first_packet,omitempty"`
	SentAt     string             `json:"sent_at,omitempty"`
	ArrivedBy  string             `json:"arrived_by,omitempty"`
	LastSeq    uint64             `json:"last_packet,omitempty"`
	Packets    uint32             `json:"packets,omitempty"`
	Held       map[string]float64 `json:"held_s,omitempty"`
	Claim      *ledgerClaim       `json:"claim,omitempty"` // the client's own word
	Loose      bool               `json:"uncertain,omitempty"`
}

func (b *book) entry(d *ledger.Disclosure) ledgerEntry {
	e := ledgerEntry{
		Viewer: d.Viewer, ViewerName: playerName(d.ViewerName, d.Viewer), Target: d.Target, TargetName: targetName(d),
		Begin: d.Begin, BeginAt: b.clock(d.Begin), First: d.First.String(), Reason: d.Reason.String(), ReasonAt: b.clock(d.Since),
		Source: d.Who.String(), Seq: d.Seq, LastSeq: d.LastSeq, Packets: d.Packets, Loose: d.Loose,
	}
	if d.Seq != 0 {
		e.SentAt = b.clock(d.Sent)
	}
	if d.HasCome {
		e.ArrivedBy = b.clock(d.Arrived)
	}
	e.Claim = b.claim(d)
	return e
}

func playerName(name string, id state.ID) string {
	if name == "" {
		return fmt.Sprintf("player %d", id)
	}
	return name
}

// targetName says what a target is.
func targetName(d *ledger.Disclosure) string {
	switch d.Subject {
	case state.KindPlayer:
		return playerName(d.TargetName, d.Target)
	case state.KindRocket:
		return fmt.Sprintf("rocket %d", d.Target)
	case state.KindPickup:
		return fmt.Sprintf("item %d", d.Target)
	case state.KindCorpse:
		return fmt.Sprintf("the body of player %d", d.Target-state.CorpseOf(1)+1)
	}
	return fmt.Sprintf("thing %d", d.Target)
}

// ledgerClaim is when a client came to know of a target and drew it, by its own word.
// S is sent_at, A is DelayMS after that and R RenderMS after A; what the clocks do not
// tell lies between the least and the most.
type ledgerClaim struct {
	DelayMS    float64  `json:"D_A_ms"`
	DelayLeast float64  `json:"D_A_least_ms"`
	DelayMost  float64  `json:"D_A_most_ms"`
	RenderMS   *float64 `json:"B_ms,omitempty"` // nothing: it was never drawn
	RenderMost *float64 `json:"B_most_ms,omitempty"`
	A          string   `json:"A"`
	R          string   `json:"R,omitempty"`
	Exact      bool     `json:"exact"`             // by one clock: in stepped time
	Clamped    bool     `json:"clamped,omitempty"` // the word could not be true
	Packet     uint64   `json:"packet"`            // that brought it
}

func (b *book) claim(d *ledger.Disclosure) *ledgerClaim {
	us, least, most, ok := d.Delay(b.head.TickRate)
	if !ok {
		return nil
	}
	at := func(us uint64) string { return clock(b.head.At(d.Sent) + time.Duration(us)*time.Microsecond) }
	m := &d.Claim
	c := &ledgerClaim{
		DelayMS: float64(us) / 1000, DelayLeast: float64(least) / 1000, DelayMost: float64(most) / 1000,
		A: at(us), Exact: least == most && m.LookUS == 0, Clamped: m.Clamped, Packet: d.ClaimSeq,
	}
	if m.Drawn {
		v, w := float64(m.DrawnUS)/1000, float64(uint64(m.DrawnUS)+uint64(m.LookUS))/1000
		c.RenderMS, c.RenderMost, c.R = &v, &w, at(us+uint64(m.DrawnUS))
	}
	return c
}

func (c *ledgerClaim) text() string {
	s := "A " + c.A
	if c.R != "" {
		s += ", R " + c.R
	}
	s += fmt.Sprintf(": D_A %.1f ms", c.DelayMS)
	if !c.Exact {
		s += fmt.Sprintf(" (%.1f to %.1f)", c.DelayLeast, c.DelayMost)
	}
	switch {
	case c.RenderMS == nil:
		s += ", never drawn"
	case *c.RenderMost == *c.RenderMS:
		s += fmt.Sprintf(", B %.1f ms", *c.RenderMS)
	default:
		s += fmt.Sprintf(", B %.1f ms (to %.1f)", *c.RenderMS, *c.RenderMost)
	}
	s += " by the client's word"
	if c.Clamped {
		s += ", which could not be true and is cut to what can"
	}
	return s
}

// knew prints what viewers knew at a time.
func (q *ledgerQuery) knew(out io.Writer, b *book) error {
	at, err := b.tick(q.at, "at", 0)
	if err != nil {
		return err
	}
	if int32(at-b.first) < 0 || int32(b.last-at) < 0 {
		return fmt.Errorf("--at %s is outside this ledger: it is of %s to %s", q.at, b.clock(b.first), b.clock(b.last))
	}
	var p ledger.Replay
	all := players{}
	if err := b.read(func(r *ledger.Record) bool {
		if int32(r.Tick-at) > 0 {
			return false
		}
		all.note(r)
		p.Add(r)
		return true
	}); err != nil {
		return err
	}
	if err := all.missing(q.player); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	found := false
	for _, id := range p.Players() {
		if !isPlayer(q.player, p.Name(id), id) {
			continue
		}
		found = true
		k := ledgerKnew{At: b.clock(at), Tick: at, Source: p.Who.String(), Viewer: id, Name: p.Name(id), Knew: []ledgerEntry{}, Not: []string{}}
		open := p.Open(id)
		for _, d := range open {
			if isPlayer(q.of, d.TargetName, d.Target) {
				k.Knew = append(k.Knew, b.entry(d))
			}
		}
		for _, other := range p.Players() {
			if other != id && p.Find(id, other) == nil && isPlayer(q.of, p.Name(other), other) {
				k.Not = append(k.Not, p.Name(other))
			}
		}
		if q.json {
			err = writeLine(w, k)
		} else {
			k.print(w)
		}
		if err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%s was not there at %s", q.player, b.clock(at))
	}
	return w.Flush()
}

func (k *ledgerKnew) print(w io.Writer) {
	fmt.Fprintf(w, "%s (tick %d): %s knew of %s, by the %s's word\n", k.At, k.Tick, k.Name, counted(len(k.Knew), "other"), k.Source)
	for i := range k.Knew {
		e := &k.Knew[i]
		fmt.Fprintf(w, "  %-16s since %s, begun by %s", e.TargetName, e.BeginAt, e.First)
		if e.ReasonAt != e.BeginAt || e.Reason != e.First {
			fmt.Fprintf(w, ", now %s since %s", e.Reason, e.ReasonAt)
		}
		fmt.Fprintf(w, "%s\n", e.path())
	}
	if len(k.Not) > 0 {
		fmt.Fprintf(w, "  not told of      %s\n", strings.Join(k.Not, ", "))
	}
}

// path says how a disclosure reached its viewer.
func (e *ledgerEntry) path() string {
	if e.Seq == 0 {
		return "; in no packet"
	}
	s := fmt.Sprintf("; first in packet %d at %s", e.Seq, e.SentAt)
	if e.ArrivedBy != "" {
		s += ", there by " + e.ArrivedBy
	} else {
		s += ", not known to have arrived"
	}
	if e.Claim != nil {
		s += "; " + e.Claim.text()
	}
	if e.Loose {
		s += " (ticks are missing here: at the latest)"
	}
	return s
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
