package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sightline-engine/sightline/net/link"
)

// Options of a Conn; zero is a good value.
type Options struct {
	// Queue is how many packets wait for Recv at most (512): a server of 100
	// players that takes them once per tick needs some hundreds.
	Queue int
	// ReadBuffer and WriteBuffer are asked of the system, in bytes (4 MiB and
	// 1 MiB). It may give less, and says so to nobody.
	ReadBuffer, WriteBuffer int
	// Answer makes a packet to a peer leave from the address that the peer spoke to
	// last: for a server on a machine with several addresses, which the system would
	// choose among by route. It matters to a socket without an address of its own.
	Answer bool
}

const (
	batchSize = 64
	// maxReadErrors in a row, with nothing read in between, end the reading:
	// a socket that only fails would keep a processor busy.
	maxReadErrors = 10000
)

// Stats counts packets since the socket was opened.
type Stats struct {
	Sent, SendErrors uint64 // given to the system; refused by it
	Received         uint64 // put into the ring
	Full             uint64 // dropped, the ring was full
	Long             uint64 // dropped, longer than any packet of ours
	ReadErrors       uint64
}

// Conn is a socket. Make it with Listen.
type Conn struct {
	conn   *net.UDPConn
	sender sender
	closed atomic.Bool
	once   sync.Once
	done   chan struct{} // closed by the reader when it ends
	ready  chan struct{} // capacity 1: full when something waits

	control control
	sources *sources // of the owner; nil: packets leave from where the system likes

	// The ring: the reader writes tail, the owner head.
	slots      []slot
	head, tail atomic.Uint64

	sent, sendErrors, received, full, long, readErrors atomic.Uint64

	// The batch, of the owner.
	batch [batchSize]outgoing
	count int
}

type slot struct {
	from link.Addr
	at   source // where it came to
	n    int
	data [link.MaxPacket + 1]byte // one more, to see that one is too long
}

// outgoing is one packet of the batch.
type outgoing struct {
	to   link.Addr
	from source
	n    int
	data [link.MaxPacket]byte
}

// Listen opens a socket on an address such as ":27960", "127.0.0.1:0" or
// "[::1]:27960". Without a host it takes both IPv4 and IPv6.
func Listen(address string, o Options) (*Conn, error) {
	if o.Queue <= 0 {
		o.Queue = 512
	}
	if o.ReadBuffer <= 0 {
		o.ReadBuffer = 4 << 20
	}
	if o.WriteBuffer <= 0 {
		o.WriteBuffer = 1 << 20
	}
	a, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	conn, err := net.ListenUDP("udp", a)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	_ = conn.SetReadBuffer(o.ReadBuffer)
	_ = conn.SetWriteBuffer(o.WriteBuffer)
	c := &Conn{
		conn: conn, slots: make([]slot, o.Queue),
		done: make(chan struct{}), ready: make(chan struct{}, 1),
	}
	var beside *control
	if ip := conn.LocalAddr().(*net.UDPAddr).IP; o.Answer && ip.IsUnspecified() && c.control.ask(conn) {
		c.sources, beside = newSources(), &c.control
	}
	c.sender.init(conn, beside)
	go c.read()
	return c, nil
}

// Name is the one spelling of a server's name, "host:port", that messages show and
// keys are remembered by; IPv6 addresses are in brackets.
func Name(server string, defaultPort uint16) string {
	host, port := server, strconv.Itoa(int(defaultPort))
	if h, p, err := net.SplitHostPort(server); err == nil {
		host, port = h, p
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if a, err := netip.ParseAddr(host); err == nil {
		return net.JoinHostPort(a.Unmap().String(), port)
	}
	return net.JoinHostPort(strings.ToLower(host), port)
}

// Resolve finds the address of a server named "host", "host:port", "IPv6" or
// "[IPv6]:port", IPv4 first where it has both.
func Resolve(ctx context.Context, server string, defaultPort uint16) (link.Addr, error) {
	name := Name(server, defaultPort)
	host, port, err := net.SplitHostPort(name)
	if err != nil {
		return link.Addr{}, fmt.Errorf("find server %s: %w", server, err)
	}
	n, err := net.DefaultResolver.LookupPort(ctx, "udp", port)
	if err != nil {
		return link.Addr{}, fmt.Errorf("find server %s: %w", name, err)
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return netip.AddrPortFrom(a, uint16(n)), nil
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return link.Addr{}, fmt.Errorf("find server %s: %w", name, err)
	}
	best := netip.Addr{}
	for _, ip := range ips {
		if ip = ip.Unmap(); !best.IsValid() || ip.Is4() && !best.Is4() {
			best = ip
		}
	}
	if !best.IsValid() {
		return link.Addr{}, fmt.Errorf("find server %s: it has no address", name)
	}
	return netip.AddrPortFrom(best, uint16(n)), nil
}

// LocalAddr is the address of the socket, with the port that was given.
func (c *Conn) LocalAddr() link.Addr {
	a := c.conn.LocalAddr().(*net.UDPAddr).AddrPort()
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

// Ready holds a value when a packet may be waiting. It is for sleeping until
// one comes; drain Recv before every sleep.
func (c *Conn) Ready() <-chan struct{} { return c.ready }

// Send implements link.Link. The packet leaves with the next Flush, or when
// 64 are waiting.
func (c *Conn) Send(pkt []byte, to link.Addr) error {
	if c.closed.Load() {
		return link.ErrClosed
	}
	if len(pkt) > link.MaxPacket {
		return link.ErrTooLong
	}
	o := &c.batch[c.count]
	o.to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	o.n = copy(o.data[:], pkt)
	if c.sources != nil {
		o.from = c.sources.of(o.to)
	}
	if c.count++; c.count == batchSize {
		return c.Flush()
	}
	return nil
}

// Flush implements link.Flusher. A packet that the system refuses is counted
// and skipped: to the caller it is one that was lost.
func (c *Conn) Flush() error {
	if c.closed.Load() {
		c.count = 0
		return link.ErrClosed
	}
	for out := c.batch[:c.count]; len(out) > 0; {
		n, err := c.sender.send(out)
		n = max(n, 0)
		c.sent.Add(uint64(n))
		out = out[n:]
		if err != nil && errors.Is(err, net.ErrClosed) {
			c.count = 0
			return link.ErrClosed
		}
		if n == 0 && out[0].from.addr.IsValid() { // no longer an address of this machine
			c.sources.forget(out[0].to)
			out[0].from = source{}
			continue
		}
		if n == 0 {
			c.sendErrors.Add(1)
			out = out[1:]
		}
	}
	c.count = 0
	return nil
}

// Recv implements link.Link.
func (c *Conn) Recv(buf []byte) (n int, from link.Addr, ok bool) {
	for h := c.head.Load(); h < c.tail.Load() && !c.closed.Load(); h++ {
		s := &c.slots[h%uint64(len(c.slots))]
		n, from, ok = s.n, s.from, s.n <= len(buf)
		if ok {
			copy(buf, s.data[:n])
			if s.at.addr.IsValid() {
				c.sources.note(from, s.at)
			}
		}
		c.head.Store(h + 1)
		if ok {
			return n, from, true
		}
	}
	return 0, link.Addr{}, false
}

// read fills the ring until the socket is closed.
func (c *Conn) read() {
	defer close(c.done)
	var spare slot
	var beside []byte // what the system says with a packet
	if c.sources != nil {
		beside = make([]byte, controlSize)
	}
	failed := 0
	for {
		t := c.tail.Load()
		s, full := &spare, t-c.head.Load() == uint64(len(c.slots))
		if !full {
			s = &c.slots[t%uint64(len(c.slots))]
		}
		n, said, _, from, err := c.conn.ReadMsgUDPAddrPort(s.data[:], beside)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil && n == 0:
			c.readErrors.Add(1)
			if failed++; failed == maxReadErrors {
				return
			}
			continue
		case err != nil || n > link.MaxPacket:
			c.long.Add(1)
		case full && t-c.head.Load() == uint64(len(c.slots)):
			c.full.Add(1)
		default:
			if full { // the owner made room while the packet was awaited
				dst := &c.slots[t%uint64(len(c.slots))]
				copy(dst.data[:n], spare.data[:n])
				s = dst
			}
			s.n, s.from, s.at = n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), source{}
			if said > 0 {
				s.at = c.control.read(beside[:said])
			}
			c.received.Add(1)
			c.tail.Store(t + 1)
			select {
			case c.ready <- struct{}{}:
			default:
			}
		}
		failed = 0
	}
}

// Stats is a copy of the counters.
func (c *Conn) Stats() Stats {
	return Stats{
		Sent: c.sent.Load(), SendErrors: c.sendErrors.Load(), Received: c.received.Load(),
		Full: c.full.Load(), Long: c.long.Load(), ReadErrors: c.readErrors.Load(),
	}
}

// Close implements link.Link. What was sent and not flushed is lost.
func (c *Conn) Close() error {
	var err error
	c.once.Do(func() {
		c.closed.Store(true)
		err = c.conn.Close()
	})
	<-c.done
	return err
}
