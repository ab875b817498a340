//go:build !linux

package udp

import (
	"net"
	"net/netip"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
)

// control reads and writes the messages beside a packet that say which of this
// machine's addresses it came to, or is to leave from, where the system has them.
// Reading allocates.
type control struct{ v6 bool }

// controlSize is enough for what the system says beside one packet.
const controlSize = 128

// ask makes the system say it; it reports whether it does.
func (c *control) ask(conn *net.UDPConn) bool {
	c.v6 = isV6(conn)
	if c.v6 {
		return ipv6.NewPacketConn(conn).SetControlMessage(ipv6.FlagDst|ipv6.FlagInterface, true) == nil
	}
	return ipv4.NewPacketConn(conn).SetControlMessage(ipv4.FlagDst|ipv4.FlagInterface, true) == nil
}

// read finds the address in what came beside a packet.
func (c *control) read(b []byte) source {
	if c.v6 {
		var m ipv6.ControlMessage
		if m.Parse(b) == nil {
			if a, ok := netip.AddrFromSlice(m.Dst); ok {
				return sourceAt(a, m.IfIndex)
			}
		}
		return source{}
	}
	var m ipv4.ControlMessage
	if m.Parse(b) == nil {
		if a, ok := netip.AddrFromSlice(m.Dst); ok {
			return sourceAt(a, 0)
		}
	}
	return source{}
}

// message says that a packet leaves from at.
func (c *control) message(at source) []byte {
	if c.v6 {
		ip := at.addr.As16()
		return (&ipv6.ControlMessage{Src: ip[:], IfIndex: at.card}).Marshal()
	}
	ip := at.addr.As4()
	return (&ipv4.ControlMessage{Src: ip[:]}).Marshal()
}
