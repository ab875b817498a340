package client

import "math"

// clock keeps the client's two timelines, in ticks of the server, as functions of
// the caller's time in nanoseconds:
//
//   - the command timeline: which tick the next command is for. It runs ahead of
//     the server so that commands arrive a little before they are consumed, and is
//     dilated by what the server reports of the slack (how many ticks early they
//     came), by 2 % and, when starving, 10 %. It begins to correct when the slack is
//     off by more than slackCalm and ends when it is right.
//   - the shown timeline: which tick others are drawn at, the nominal arrival of
//     snapshots less the interpolation delay that the server dictates.
//
// A gap beyond resyncTicks is jumped, not drifted.
type clock struct {
	tickNS float64

	synced bool
	last   int64   // when advance was last called
	heard  int64   // when the last snapshot came
	cmd    float64 // command timeline, ticks
	speed  float64 // of the command timeline, 1 is real time
	way    int     // of the correction under way: 1 faster, -1 slower, 0 none

	haveOff bool
	off     float64 // nominal arrival of tick 0, nanoseconds
	interp  float64 // ticks; approaches target at most 2 % of real time
	target  float64
	back    float64 // how much earlier shown is asked for, ticks

	// Round trips measured across a stall of this process, or a silence of the line,
	// are no round trips: for stallNS after one, those from before it count.
	stalled           int64
	leastNS, latestNS float64

	resyncs int
}

const (
	slackWanted = 1    // ticks that the latest of some packets should arrive early
	slackCalm   = 1.25 // no correction begins within this of the wanted slack
	slackMost   = 8    // ticks of jitter that are allowed for: the half of it, for the
	//                    latest packet has some of it in it already
	drift       = 0.02
	driftStarve = 0.10
	resyncMS    = 250
	stallNS     = 1_000_000_000
)

func (c *clock) reset(tickRate int) {
	*c = clock{tickNS: 1e9 / float64(tickRate), speed: 1}
}

// advance moves both timelines to now.
func (c *clock) advance(now int64) {
	d := float64(now-c.last) / c.tickNS
	c.last = now
	if d <= 0 || !c.synced {
		return
	}
	if d*c.tickNS > resyncMS*1e6 {
		c.stalled = now
	}
	if float64(now-c.heard) > resyncMS*1e6 {
		c.speed, c.way = 1, 0 // nobody says any more that it is off
	}
	c.cmd += d * c.speed
	step := d * drift
	c.interp += min(max(c.target-c.interp, -step), step)
}

// snapshot tells the clock that tick arrived at now, when the newest snapshot
// before was older, with the least round trip of late, the last one, and the delay
// that the server dictates. A command timeline more than resyncMS behind what even
// the least asks for, or ahead of what the last one does, is set anew.
func (c *clock) snapshot(tick uint32, now int64, leastNS, lastNS float64, interpTicks float64) {
	if c.heard != 0 && float64(now-c.heard) > resyncMS*1e6 {
		c.stalled = now
	}
	c.heard = now
	at := float64(now) - float64(tick)*c.tickNS
	if !c.haveOff || math.Abs(at-c.off) > resyncMS*1e6 {
		c.haveOff = true
		c.off = at
		c.interp = interpTicks
	}
	c.off += (at - c.off) * 0.03
	c.target = interpTicks
	if c.leastNS == 0 || c.stalled == 0 || now-c.stalled > stallNS {
		c.leastNS, c.latestNS = leastNS, lastNS
	}
	leastNS, lastNS = c.leastNS, c.latestNS
	want := float64(tick) + slackWanted + 1 + leastNS/c.tickNS
	most := want + slackMost + math.Max(lastNS-leastNS, 0)/c.tickNS
	far := resyncMS * 1e6 / c.tickNS
	if !c.synced || c.cmd < want-far || c.cmd > most+far {
		if c.synced {
			c.resyncs++
		}
		c.synced = true
		c.last = now
		c.cmd = want
		c.speed, c.way = 1, 0
	}
}

// slack takes the server's report of the smallest number of ticks that recent
// commands came early.
func (c *clock) slack(ticks, jitterTicks float64) {
	err := ticks - (slackWanted + math.Min(jitterTicks, slackMost)/2)
	switch {
	case err < -slackCalm:
		c.way = 1
	case err > slackCalm:
		c.way = -1
	case float64(c.way)*err >= 0:
		c.way = 0 // it has got there
	}
	c.speed = 1 + drift*float64(c.way)
	if ticks < 0 {
		c.speed = 1 + driftStarve
	}
}

// shown returns the tick, and its fraction in 256ths, that others are drawn at.
func (c *clock) shown(now int64) (tick uint32, frac uint8) {
	if !c.haveOff {
		return 0, 0
	}
	t := (float64(now)-c.off)/c.tickNS - c.interp - c.back
	if t < 0 {
		return 0, 0
	}
	f := math.Floor(t)
	return uint32(f), uint8((t - f) * 256)
}
