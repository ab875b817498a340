package scenario

import (
	"errors"
	"io"

	"github.com/sightline-engine/sightline/game/state"
)

// revealLog is a disclosure that has arrived and was not drawn yet.
type revealLog struct {
	sent    state.Tick // S
	arrived int64      // A
	seen    bool       // in the snapshot in hand
	drawn   bool
}

// Heard notes a snapshot that came to a client, in the order in which they come: where
// a player is in it and was not in the one before, it was told of (S) at the snapshot's
// tick and known (A) now. The first frame that draws it is R.
func (o *Onlooker) Heard(h *Heard) {
	e := o.eye(h.Viewer)
	e.arrive(h.Tick)
	for _, id := range h.IDs {
		if id == h.Viewer {
			continue
		}
		r := e.reveals[id]
		if r == nil {
			r = &revealLog{sent: h.Tick, arrived: h.Now}
			e.reveals[id] = r
		}
		r.seen = true
	}
	for id, r := range e.reveals {
		if !r.seen {
			delete(e.reveals, id)
		}
		r.seen = false
	}
}

// revealed notes which of the disclosures a frame is the first to draw.
func (o *Onlooker) revealed(e *eyeLog, g *Glimpse) {
	for _, id := range g.Drawn {
		r := e.reveals[id]
		if r == nil || r.drawn {
			continue
		}
		r.drawn = true
		if m := o.at(r.sent); o.On && m != nil && m.At != 0 {
			o.Delivery = append(o.Delivery, float64(r.arrived-m.At)/1e6)
			o.Render = append(o.Render, float64(g.Now-r.arrived)/1e6)
		}
	}
}

// Compare reads the log of a server and those of its clients, and compares every frame.
// Times of both are on one clock. The logs of clients are read side by side, by the
// newest tick that a record names.
func (o *Onlooker) Compare(truth *TruthReader, eyes []*EyeReader) error {
	type source struct {
		r         *EyeReader
		g         Glimpse
		h         Heard
		heard, on bool
		over      bool
	}
	advance := func(s *source) (err error) {
		s.heard, s.on, err = s.r.Next(&s.g, &s.h)
		if errors.Is(err, io.EOF) {
			s.over, err = true, nil
		}
		return err
	}
	newest := func(s *source) state.Tick {
		if s.heard {
			return s.h.Tick
		}
		return s.g.Arrived
	}
	all := make([]source, len(eyes))
	for i := range all {
		all[i].r = eyes[i]
		if err := advance(&all[i]); err != nil {
			return err
		}
	}
	var t Truth
	known, over := false, false
	for {
		var next *source
		for i := range all {
			if s := &all[i]; !s.over && (next == nil || int32(newest(s)-newest(next)) < 0) {
				next = s
			}
		}
		if next == nil {
			return nil
		}
		for !over && (!known || int32(t.Tick-newest(next)) < 0) {
			err := truth.Next(&t)
			if over = errors.Is(err, io.EOF); over {
				break
			}
			if err != nil {
				return err
			}
			o.Truth(&t)
			known = true
		}
		if next.heard {
			o.Heard(&next.h)
		} else {
			o.On = next.on
			o.Look(&next.g)
		}
		if err := advance(next); err != nil {
			return err
		}
	}
}
