package state

// Delay is how much later than others a subject is drawn that is updated more
// rarely: interpolation needs the update after the instant. When the interval
// changes the subject's clock runs 2 % slow or fast until it is right, so that
// nothing jumps. It is a function of the updates alone, for who draws and for the
// server who tests shots at what is drawn.
type Delay struct {
	at       Tick
	from, to uint16 // 256ths of a tick
}

// glide is how much a Delay changes in a tick, in 256ths: 2 %.
const glide = 5

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

// First says with which interval a subject begins: there is nothing to glide from.
func (d *Delay) First(tick Tick, interval uint8, tickRate int) {
	x := excess(interval, tickRate)
	*d = Delay{tick, x, x}
}

// Update says which interval the update of a tick tells of. Ticks ascend.
func (d *Delay) Update(tick Tick, interval uint8, tickRate int) {
	if x := excess(interval, tickRate); x != d.to {
		*d = Delay{tick, uint16(d.Back(tick)), x}
	}
}

// Back returns how much later than others the subject is drawn when they are drawn
// at a tick, in 256ths of a tick.
func (d *Delay) Back(tick Tick) uint32 {
	passed := int64(max(int32(tick-d.at), 0)) * glide
	if d.from < d.to {
		return uint32(min(int64(d.from)+passed, int64(d.to)))
	}
	return uint32(max(int64(d.from)-passed, int64(d.to)))
}

// Earlier returns the instant by256 256ths before tick and frac.
func Earlier(tick Tick, frac uint8, by256 uint32) (Tick, uint8) {
	f := int64(frac) - int64(by256)
	return tick + Tick(int32(f>>8)), uint8(f & 255)
}
