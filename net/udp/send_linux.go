package udp

import (
	"net"

	"golang.org/x/net/ipv4"
)

// sender hands a batch over in one sendmmsg. The ipv4 package serves both
// families here: the kernel takes IPv4 addresses on a socket of either.
type sender struct {
	conn     *ipv4.PacketConn
	control  *control
	messages [batchSize]ipv4.Message
	parts    [batchSize][1][]byte
	addrs    [batchSize]net.UDPAddr
	ips      [batchSize][16]byte
	beside   [batchSize][]byte
}

// init binds the sender to its socket; c is nil where packets leave from where the
// system likes.
func (s *sender) init(conn *net.UDPConn, c *control) {
	s.conn, s.control = ipv4.NewPacketConn(conn), c
	for i := range s.messages {
		s.messages[i].Buffers = s.parts[i][:]
		s.messages[i].Addr = &s.addrs[i]
		if c != nil {
			s.beside[i] = c.blank()
		}
	}
}

// send gives as many packets to the system as it takes. With n below
// 1 the first one is refused.
func (s *sender) send(out []outgoing) (n int, err error) {
	for i := range out {
		o := &out[i]
		a, ip := &s.addrs[i], o.to.Addr()
		if ip.Is4() {
			b := ip.As4()
			a.IP = s.ips[i][:copy(s.ips[i][:], b[:])]
		} else {
			s.ips[i] = ip.As16()
			a.IP = s.ips[i][:]
		}
		a.Port, a.Zone = int(o.to.Port()), ip.Zone()
		s.parts[i][0] = o.data[:o.n]
		s.messages[i].OOB = nil
		if o.from.addr.IsValid() {
			s.control.put(s.beside[i], o.from)
			s.messages[i].OOB = s.beside[i]
		}
	}
	return s.conn.WriteBatch(s.messages[:len(out)], 0)
}
