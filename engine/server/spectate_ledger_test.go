package server

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/wire"
)

// The ledger has what a late spectator was truly told, when it was told it: of whom the
// watched player knew a second before, as spectated, and nothing of the answer of now.
func TestTheLedgerHasWhatALateSpectatorWasTold(t *testing.T) {
	var book pages
	w, err := ledger.NewWriter(&book, ledger.Header{TickRate: rate}, ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	shown := false
	l := newLooking(t, func(v, s state.ID) bool { return v == 1 && s == 3 && shown || v == 2 }, func(c *Config) {
		c.Spectate.DelayS = 1
		c.Hooks = Ledger(c.Hooks, func() *ledger.Writer { return w })
	})
	_, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
	_, cid := l.enter("Cid", vec.New(10, 0, 0.1), 0, 0)
	l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
	l.run(2)
	gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(ada)})
	l.run(100)
	dead := l.s.Tick() - 90
	shown = true
	from := l.s.Tick() + 1
	l.run(20)
	shown = false
	until := l.s.Tick() + 1
	// He dies before the spectator has heard of him at all.
	l.op(rules.Op{Kind: rules.OpKillOff, ID: cid})
	l.run(120)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ledger.Open(bytes.NewReader(book.Bytes()), int64(book.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var of, watched []ledger.Disclosure
	rp := ledger.Replay{Ended: func(d *ledger.Disclosure) {
		switch {
		case d.Viewer == bob && d.Target == cid && int32(d.Begin-dead) >= 0:
			of = append(of, *d)
		case d.Viewer == bob && d.Target == ada && int32(d.Begin-dead) >= 0:
			watched = append(watched, *d)
		}
	}}
	var rec ledger.Record
	for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
		rp.Add(&rec)
	}
	if !errors.Is(err, io.EOF) || r.Info().Truncated {
		t.Fatal(err)
	}
	if len(of) != 1 || of[0].Begin != from+64 || of[0].End != until+64 || of[0].First != vis.Spectated || of[0].Packets < 5 {
		t.Errorf("knew from %d to %d; of the late one: %+v", from, until, of)
	}
	for _, d := range watched {
		if d.First != vis.Spectated {
			t.Errorf("the watched one: %+v", d)
		}
	}
}
