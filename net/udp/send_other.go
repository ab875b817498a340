//go:build !linux

package udp

import "net"

// sender hands packets over one by one.
type sender struct{ conn *net.UDPConn }

func (s *sender) init(conn *net.UDPConn) { s.conn = conn }

// send gives the first packet to the system. With n 0 it is refused.
func (s *sender) send(out []outgoing) (n int, err error) {
	if _, err := s.conn.WriteToUDPAddrPort(out[0].data[:out[0].n], out[0].to); err != nil {
		return 0, err
	}
	return 1, nil
}
