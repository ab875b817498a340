package handshake

import "net/netip"

// budget limits how often something is done for one network: a /24 of IPv4 or
// a /56 of IPv6. It keeps no names. Each network is two cells of a fixed
// table, chosen by a secret, and may go on while either has something left:
// who floods empties his own two cells, and shares both with hardly anybody.
type budget struct {
	burst, perSecond float32
	seed             uint64
	cells            [2048]cell
}

type cell struct {
	used float32 // how much of the burst is gone
	at   int64
}

// take spends one for the network of addr, if there is one left.
func (b *budget) take(network uint64, now int64) bool {
	h := mix(network ^ b.seed)
	x, y := &b.cells[h%uint64(len(b.cells))], &b.cells[h>>32%uint64(len(b.cells))]
	x.refill(b.perSecond, now)
	y.refill(b.perSecond, now)
	if min(x.used, y.used)+1 > b.burst {
		return false
	}
	x.used = min(x.used+1, b.burst)
	if x != y {
		y.used = min(y.used+1, b.burst)
	}
	return true
}

func (c *cell) refill(perSecond float32, now int64) {
	if now > c.at {
		c.used = max(0, c.used-float32(now-c.at)/float32(second)*perSecond)
		c.at = now
	}
}

// network is the part of an address that one party usually owns.
func network(a netip.Addr) uint64 {
	if a = a.Unmap(); a.Is4() {
		b := a.As4()
		return 1<<63 | uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2])
	}
	b := a.As16()
	var n uint64
	for _, x := range b[:7] {
		n = n<<8 | uint64(x)
	}
	return n
}

// mix is the last step of splitmix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
