package state

// Delay is how much later than others a subject is drawn that is updated more
// rarely: interpolation needs the update after the instant. When the interval
// changes the subject's clock runs 8 % slow or fast until it is right, so that
// nothing jumps: it is far away or was not looked at, where that is not seen, and
// somebody who is aimed at is soon shown like others, within what is rewound. It is a function of the updates alone, for who draws and for the
// server who tests shots at what is drawn.
type Delay struct {
	now, before leg // before is for instants before the last change
	seen        Tick
	begun       bool
}

// leg is one glide: from a delay towards another, beginning at a tick.
type leg struct {
	at       Tick
	from, to uint16 // 256ths of a tick
}

func (g *leg) back(tick Tick) uint32 {
	passed := int64(max(int32(tick-g.at), 0)) * glide
	if g.from < g.to {
		return uint32(min(int64(g.from)+passed, int64(g.to)))
	}
	return uint32(max(int64(g.from)-passed, int64(g.to)))
}

// glide is how much a Delay changes in a tick, in 256ths: 8 %.
const glide = 20

// IntervalTicks returns the ticks of an interval in 32nds of a second, as policies
// give it; 0 and 1 are no interval.
func IntervalTicks(n uint8, tickRate int) uint8 {
	if n < 2 {
		return 0
	}
	return uint8(min(int(n)*PathGap(tickRate), 255))
}

// excess returns the delay that an interval needs beyond that of the usual updates,
// in 256ths of a tick.
func excess(interval uint8, tickRate int) uint16 {
	return uint16(max(int(interval)-PathGap(tickRate), 0)) * 256
}

// awayMS is for how long a subject may be out of view without beginning anew: its
// way there is told, so that it may be drawn without a gap.
const awayMS = 250

// Update says which interval the record of a tick tells of. Ticks ascend. The first
// one, and the first one after the subject was away for long, has nothing to glide
// from.
func (d *Delay) Update(tick Tick, interval uint8, tickRate int) {
	x := excess(interval, tickRate)
	switch {
	case !d.begun || int64(tick-d.seen)*1000 > awayMS*int64(tickRate):
		d.now, d.begun = leg{tick, x, x}, true
		d.before = d.now
	case x != d.now.to:
		d.before = d.now
		d.now = leg{tick, uint16(d.Back(tick)), x}
	}
	d.seen = tick
}

// Still says that the subject is in view at a tick without a record of its own.
func (d *Delay) Still(tick Tick) { d.seen = tick }

// Back returns how much later than others the subject is drawn when they are drawn
// at a tick, in 256ths of a tick.
func (d *Delay) Back(tick Tick) uint32 {
	if int32(tick-d.now.at) < 0 {
		return d.before.back(tick)
	}
	return d.now.back(tick)
}

// Earlier returns the instant by256 256ths before tick and frac.
func Earlier(tick Tick, frac uint8, by256 uint32) (Tick, uint8) {
	f := int64(frac) - int64(by256)
	return tick + Tick(int32(f>>8)), uint8(f & 255)
}
