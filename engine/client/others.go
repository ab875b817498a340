package client

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// goneTicks is how long a track is kept after its subject has left: what was shown
// until then is still ahead on the shown timeline.
const goneTicks = 64

// track files the subjects of a snapshot.
func (c *Client) track(snap *snapshot.Snapshot) {
	for i := range snap.Entities {
		it := &snap.Entities[i]
		k := trackIndex(it.ID)
		if k == 0 {
			continue
		}
		t := c.tracks[k]
		if t == nil {
			if n := len(c.free); n > 0 {
				t, c.free = c.free[n-1], c.free[:n-1]
				*t = track{}
			} else {
				t = new(track)
			}
			t.id = it.ID
			c.tracks[k] = t
			c.live = append(c.live, it.ID)
		}
		if it.New && t.here() && int32(it.Tick-1-t.ticks[t.n-1]) > 0 {
			t.leave(it.Tick - 1) // it was gone in between: nothing is blended with before
		}
		if it.New {
			c.revealed(t, it, snap.Seq)
		}
		if it.New && len(it.Path) > 0 {
			t.back(it, c.TickRate())
		}
		t.add(it.Tick, &it.Entity)
		if it.Tick == snap.Tick {
			t.late.Update(snap.Tick, it.Interval, c.TickRate())
		} else {
			t.late.Still(snap.Tick)
		}
		t.seen = snap.Tick
	}
	for n := 0; n < len(c.live); {
		id := c.live[n]
		t := c.tracks[trackIndex(id)]
		if t.seen != snap.Tick {
			t.leave(snap.Tick)
		}
		if !t.here() && (t.n == 0 || int32(snap.Tick-t.ticks[t.n-1]) > goneTicks) {
			c.dropTrack(id)
			c.live[n] = c.live[len(c.live)-1]
			c.live = c.live[:len(c.live)-1]
			continue
		}
		n++
	}
}

// Others appends to dst everything that is on the screen now, at the shown
// timeline, by no particular order.
func (c *Client) Others(dst []Shown) []Shown {
	tick, frac := c.clk.shown(c.now)
	rate := c.TickRate()
	if tick == 0 || rate == 0 {
		return dst
	}
	var out Shown
	from := len(dst)
	for _, id := range c.live {
		if t := c.tracks[trackIndex(id)]; t.at(tick, frac, rate, &out) {
			t.drawn(c.now)
			dst = append(dst, out)
		}
	}
	c.rideAlong(dst[from:])
	return dst
}

// Known returns how many living players the newest snapshot holds.
func (c *Client) Known() int {
	n := 0
	for _, id := range c.live {
		if t := c.tracks[trackIndex(id)]; id.IsPlayer() && t.here() && t.newest().Pose&state.PoseDead == 0 {
			n++
		}
	}
	return n
}

// Shown returns the shown timeline: the tick and fraction at which others are
// drawn.
func (c *Client) Shown() (state.Tick, uint8) { return c.clk.shown(c.now) }
