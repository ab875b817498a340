package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/sightline-engine/sightline/game/state"
)

// awaitSeconds is how long a disclosure that has ended waits for its client's word: an
// honest client has said it within a second and a round trip.
const awaitSeconds = 8

func (b *book) await() state.Tick { return state.Tick(awaitSeconds * b.head.TickRate) }

// ledgerSpread is half and nineteen in twenty of some times in milliseconds, as
// estimated and with the least and the most that they can be.
type ledgerSpread struct {
	P50      float64 `json:"p50_ms"`
	P50Least float64 `json:"p50_least_ms"`
	P50Most  float64 `json:"p50_most_ms"`
	P95      float64 `json:"p95_ms"`
	P95Least float64 `json:"p95_least_ms"`
	P95Most  float64 `json:"p95_most_ms"`
}

// spread gathers times: as estimated, their least and their most.
type spread struct{ of, least, most []float64 }

func (s *spread) add(of, least, most float64) {
	s.of, s.least, s.most = append(s.of, of), append(s.least, least), append(s.most, most)
}

func (s *spread) sum() *ledgerSpread {
	if len(s.of) == 0 {
		return nil
	}
	at := func(list []float64, share float64) float64 {
		slices.Sort(list)
		return list[min(int(share*float64(len(list))), len(list)-1)]
	}
	return &ledgerSpread{
		P50: at(s.of, 0.5), P50Least: at(s.least, 0.5), P50Most: at(s.most, 0.5),
		P95: at(s.of, 0.95), P95Least: at(s.least, 0.95), P95Most: at(s.most, 0.95),
	}
}

func (s *ledgerSpread) text() string {
	one := func(p, least, most float64) string {
		if least == p && most == p {
			return fmt.Sprintf("%.1f ms", p)
		}
		return fmt.Sprintf("%.1f ms (%.1f to %.1f)", p, least, most)
	}
	return "p50 " + one(s.P50, s.P50Least, s.P50Most) + ", p95 " + one(s.P95, s.P95Least, s.P95Most)
}

// claim counts a client's word; what could not be true counts as such and not among
// the times.
func (s *ledgerSum) claim(c *ledgerClaim) {
	switch {
	case c == nil:
		return
	case c.Clamped:
		s.Clamped++
	default:
		s.delays.add(c.DelayMS, c.DelayLeast, c.DelayMost)
		if c.RenderMS != nil {
			s.renders.add(*c.RenderMS, *c.RenderMS, *c.RenderMost)
		}
	}
	s.Claims++
	if c.RenderMS == nil {
		s.Undrawn++
	}
}

func (s *ledgerSum) printClaims(w io.Writer) {
	if s.Claims == 0 {
		return
	}
	fmt.Fprintf(w, "by the clients' word on %s, %d never drawn, %d that could not be true:\n", counted(s.Claims, "reveal"), s.Undrawn, s.Clamped)
	if s.Delay != nil {
		fmt.Fprintf(w, "  D_A, sent to arrived: %s\n", s.Delay.text())
	}
	if s.Render != nil {
		fmt.Fprintf(w, "  B, arrived to drawn: %s\n", s.Render.text())
	}
}
