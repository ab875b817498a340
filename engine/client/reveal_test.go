package client

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// told gives a client a snapshot of some players, by its own clock in ms.
func told(c *Client, seq uint64, tick state.Tick, ms int64, isNew bool, ids ...state.ID) {
	c.reveals.looked, c.now = c.now, ms*1_000_000
	s := &snapshot.Snapshot{Seq: seq, Tick: tick}
	for _, id := range ids {
		s.Entities = append(s.Entities, snapshot.Item{Entity: state.Entity{ID: id, Kind: state.KindPlayer}, Tick: tick, New: isNew})
	}
	c.reveals.newest, c.reveals.came = seq, c.now
	c.track(s)
}

func revealing(asked bool) *Client {
	c := &Client{welcome: wire.Welcome{ID: 1, TickRate: 64}}
	c.clk.reset(64)
	c.clk.haveOff = true // tick 0 is nominally there at 0
	c.clk.interp = 2
	c.reveals.asked = asked
	return c
}

// What a client says of a reveal is when the packet was taken, how long it may have
// waited, and the first frame that drew the player, all by its own clock.
func TestRevealsAreReported(t *testing.T) {
	c := revealing(true)
	told(c, 50, 10, 150, false, 9)
	told(c, 51, 11, 160, true, 1, 7, 8) // 1 is itself
	c.now = 170 * 1_000_000             // frames without a packet draw nothing yet
	for _, ms := range []int64{178, 195} {
		c.now = ms * 1_000_000
		c.Others(nil)
	}
	told(c, 60, 20, 400, false, 7)
	c.report(c.now)
	if len(c.reveals.msg.Rows) != 0 {
		t.Fatal("it reports twice a second at most")
	}
	c.now = 700 * 1_000_000
	c.report(c.now)
	m := &c.reveals.msg
	if m.Now != 700_000 || m.Seq != 60 || m.Came != 300_000 || len(m.Rows) != 2 {
		t.Fatalf("%+v", m)
	}
	for i, id := range []state.ID{7, 8} {
		if want := (wire.Reveal{ID: id, Back: 9, Came: 540_000, Look: 10_000, Drawn: true, Drew: 18_000}); m.Rows[i] != want {
			t.Errorf("%+v, want %+v", m.Rows[i], want)
		}
	}
	c.now += revealEveryNS
	if c.report(c.now); len(m.Rows) != 0 {
		t.Error("it is said twice")
	}
}

// Somebody who comes and goes without a frame that draws it is said not to have been
// drawn; more than fit into a message wait for the next, and nothing is noted while the
// server does not ask.
func TestRevealsThatNobodySawAndThoseThatWait(t *testing.T) {
	c := revealing(true)
	told(c, 10, 100, 2000, true, 7)
	told(c, 11, 101, 2016, false)
	told(c, 90, 180, 3300, false, 3)
	c.report(3_300_000_000)
	if m := &c.reveals.msg; len(m.Rows) != 1 || m.Rows[0].ID != 7 || m.Rows[0].Drawn || m.Rows[0].Back != 80 {
		t.Fatalf("%+v", m)
	}
	var ids []state.ID
	for id := range state.ID(20) {
		ids = append(ids, 20+id)
	}
	told(c, 100, 190, 3310, true, ids...)
	c.Others(nil)
	seen := 0
	for _, ms := range []int64{3900, 4500, 5100} {
		c.report(ms * 1_000_000)
		seen += len(c.reveals.msg.Rows)
		if len(c.reveals.msg.Rows) > wire.MaxReveals {
			t.Error("too many at once")
		}
	}
	if seen != 20 {
		t.Errorf("%d of 20 were told", seen)
	}

	c = revealing(false)
	told(c, 10, 100, 2000, true, ids...)
	c.Others(nil)
	c.report(9_000_000_000)
	if len(c.reveals.msg.Rows) != 0 {
		t.Error("nobody has asked")
	}
}

func TestRevealsDoNotAllocate(t *testing.T) {
	c := revealing(true)
	told(c, 10, 100, 2000, true, 7, 8, 9)
	c.reveals.msg.Rows = make([]wire.Reveal, 0, wire.MaxReveals)
	out := make([]Shown, 0, 8)
	now := int64(10_000_000_000)
	if n := testing.AllocsPerRun(50, func() {
		for _, id := range c.live {
			c.tracks[trackIndex(id)].told.how = toldOf
		}
		out = c.Others(out[:0])
		now += revealEveryNS
		c.report(now)
	}); n != 0 || len(c.reveals.msg.Rows) != 3 {
		t.Errorf("%v allocations, %d rows", n, len(c.reveals.msg.Rows))
	}
}
