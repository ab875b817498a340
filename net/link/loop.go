package link

import (
	"fmt"
	"net/netip"
	"sync"
)

// Loop is a network inside one process: ports with addresses, each with a
// bounded queue of what has arrived. Every method may be called from any
// goroutine.
type Loop struct {
	mu    sync.RWMutex
	ports map[Addr]*Port
	next  uint16 // last port number given by Dial
}

// Port is one end of a Loop.
type Port struct {
	loop *Loop
	addr Addr

	mu     sync.Mutex // guards all below
	ring   []slot
	head   int // oldest
	count  int
	closed bool
	stats  PortStats
}

// PortStats counts what went through a Port.
type PortStats struct {
	Sent     uint64 // accepted by Send
	Received uint64 // taken by Recv
	Full     uint64 // dropped on arrival, the queue was full
	Unrouted uint64 // sent to an address that nobody has
	Short    uint64 // dropped by Recv, the buffer was too small
}

// slot is one queued packet. Its buffer is kept and used again.
type slot struct {
	from Addr
	data []byte
}

// DefaultQueue is the queue of a Port in packets when none is given: half a
// second of one client's packets at 128 Hz, several times over.
const DefaultQueue = 256

// NewLoop makes an empty network.
func NewLoop() *Loop { return &Loop{ports: make(map[Addr]*Port)} }

// Attach adds a port with this address. queue is how many packets wait at
// most (0: DefaultQueue); one that arrives at a full queue is dropped and
// counted.
func (l *Loop) Attach(addr Addr, queue int) (*Port, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ports[addr]; taken {
		return nil, fmt.Errorf("link: attach %v: address in use", addr)
	}
	return l.attachLocked(addr, queue), nil
}

// Dial adds a port with an address of the loop's choosing, 127.0.0.1 and a
// port number from 40000 up. It fails only when tens of thousands are open.
func (l *Loop) Dial(queue int) (*Port, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 1 << 16 {
		if l.next++; l.next < 40000 {
			l.next = 40000
		}
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), l.next)
		if _, taken := l.ports[addr]; !taken {
			return l.attachLocked(addr, queue), nil
		}
	}
	return nil, fmt.Errorf("link: dial: no address left")
}

func (l *Loop) attachLocked(addr Addr, queue int) *Port {
	if queue <= 0 {
		queue = DefaultQueue
	}
	p := &Port{loop: l, addr: addr, ring: make([]slot, queue)}
	l.ports[addr] = p
	return p
}

// Addr is the address of this end.
func (p *Port) Addr() Addr { return p.addr }

// Stats is a copy of the counters.
func (p *Port) Stats() PortStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Send implements Link.
func (p *Port) Send(pkt []byte, to Addr) error {
	if len(pkt) > MaxPacket {
		return ErrTooLong
	}
	p.loop.mu.RLock()
	dst := p.loop.ports[to]
	p.loop.mu.RUnlock()

	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	p.stats.Sent++
	if dst == nil {
		p.stats.Unrouted++
	}
	p.mu.Unlock()
	if dst != nil {
		dst.deliver(pkt, p.addr)
	}
	return nil
}

func (p *Port) deliver(pkt []byte, from Addr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	if p.count == len(p.ring) {
		p.stats.Full++
		return
	}
	s := &p.ring[(p.head+p.count)%len(p.ring)]
	s.from, s.data = from, append(s.data[:0], pkt...)
	p.count++
}

// Recv implements Link.
func (p *Port) Recv(buf []byte) (n int, from Addr, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.count > 0 && !p.closed {
		s := &p.ring[p.head]
		p.head = (p.head + 1) % len(p.ring)
		p.count--
		if len(s.data) > len(buf) {
			p.stats.Short++
			continue
		}
		p.stats.Received++
		return copy(buf, s.data), s.from, true
	}
	return 0, Addr{}, false
}

// Close implements Link. The address may be attached again.
func (p *Port) Close() error {
	p.loop.mu.Lock()
	if p.loop.ports[p.addr] == p {
		delete(p.loop.ports, p.addr)
	}
	p.loop.mu.Unlock()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return nil
}
