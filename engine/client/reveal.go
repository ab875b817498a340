package client

import (
	"math"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// revealEveryNS is how often the server is told of reveals at most, where it asks.
const revealEveryNS = 500_000_000

// How far the word on a track's subject has come.
const (
	toldNot   = iota // nothing to say
	toldOf           // the packet is there; no frame has drawn it yet
	toldDrawn        // one has
	toldGone         // it has left without
)

// revealed is when a player came to be known, and drawn, on this client's own clock.
type revealed struct {
	how  uint8
	seq  uint64 // the first packet that held it
	came int64  // when that was taken
	look int64  // how long before the client had last looked for packets
	drew int64
}

// reveals is what waits to be told, where the server asks.
type reveals struct {
	asked  bool
	looked int64 // when the client looked for packets before this time
	newest uint64
	came   int64 // of newest
	sentAt int64
	gone   [8]struct {
		id state.ID
		revealed
	}
	n   int // of gone
	msg wire.Reveals
}

// revealed notes a player who came into view with a packet.
func (c *Client) revealed(t *track, it *snapshot.Item, seq uint64) {
	if !c.reveals.asked || it.Kind != state.KindPlayer || it.ID == c.welcome.ID {
		return
	}
	c.undrawn(t)
	t.told = revealed{how: toldOf, seq: seq, came: c.now, look: c.now - c.reveals.looked}
}

// drawn notes that a subject is on the screen of this frame.
func (t *track) drawn(now int64) {
	if t.told.how == toldOf {
		t.told.how, t.told.drew = toldDrawn, now
	}
}

// undrawn keeps what is to be said of a track that is given up, or begins anew.
func (c *Client) undrawn(t *track) {
	r := &c.reveals
	if t.told.how == toldNot || r.n == len(r.gone) {
		t.told.how = toldNot
		return
	}
	if t.told.how == toldOf {
		t.told.how = toldGone
	}
	r.gone[r.n].id, r.gone[r.n].revealed = t.id, t.told
	r.n++
	t.told.how = toldNot
}

// report tells the server of reveals, now and then and at most so many: the rest waits.
func (c *Client) report(now int64) {
	r := &c.reveals
	if !r.asked || r.newest == 0 || now-r.sentAt < revealEveryNS {
		return
	}
	m := &r.msg
	m.Now, m.Seq, m.Came = uint64(now/1000)&(1<<56-1), r.newest, micros(now-r.came)
	m.Rows = m.Rows[:0]
	for r.n > 0 && len(m.Rows) < wire.MaxReveals {
		r.n--
		c.revealRow(r.gone[r.n].id, &r.gone[r.n].revealed, now)
	}
	for _, id := range c.live {
		if t := c.tracks[trackIndex(id)]; t.told.how == toldDrawn && len(m.Rows) < wire.MaxReveals {
			c.revealRow(id, &t.told, now)
			t.told.how = toldNot
		}
	}
	if len(m.Rows) == 0 {
		return
	}
	r.sentAt = now
	c.queue(m)
}

func (c *Client) revealRow(id state.ID, t *revealed, now int64) {
	m := &c.reveals.msg
	row := wire.Reveal{ID: id, Back: uint32(m.Seq - t.seq), Came: micros(now - t.came), Look: micros(t.look)}
	if t.seq > m.Seq || m.Seq-t.seq > math.MaxUint32 {
		return
	}
	if t.how == toldDrawn {
		row.Drawn, row.Drew = true, micros(t.drew-t.came)
	}
	m.Rows = append(m.Rows, row)
}

func micros(ns int64) uint32 { return uint32(min(max(ns/1000, 0), math.MaxUint32)) }
