//go:build !linux

package udp

import "net"

// sender hands packets over one by one.
type sender struct {
	conn    *net.UDPConn
	control *control
}

// init binds the sender to its socket; c is nil where packets leave from where the
// system likes.
func (s *sender) init(conn *net.UDPConn, c *control) { s.conn, s.control = conn, c }

// send gives the first packet to the system. With n 0 it is refused.
func (s *sender) send(out []outgoing) (n int, err error) {
	var beside []byte
	if out[0].from.addr.IsValid() {
		beside = s.control.message(out[0].from)
	}
	if _, _, err := s.conn.WriteMsgUDPAddrPort(out[0].data[:out[0].n], beside, out[0].to); err != nil {
		return 0, err
	}
	return 1, nil
}
