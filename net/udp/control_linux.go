package udp

import (
	"encoding/binary"
	"net"
	"net/netip"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
	"golang.org/x/sys/unix"
)

// control reads and writes the messages beside a packet that say which of this
// machine's addresses it came to, or is to leave from. A socket of IPv6 says it of
// IPv4 packets too, as a mapped address, and takes it in that form.
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

// read finds the address in what came beside a packet. It does not allocate.
func (c *control) read(b []byte) source {
	for len(b) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(b)
		if err != nil {
			break
		}
		switch {
		case h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_PKTINFO && len(data) >= unix.SizeofInet6Pktinfo:
			return sourceAt(netip.AddrFrom16([16]byte(data)), int(binary.NativeEndian.Uint32(data[16:])))
		case h.Level == unix.IPPROTO_IP && h.Type == unix.IP_PKTINFO && len(data) >= unix.SizeofInet4Pktinfo:
			return sourceAt(netip.AddrFrom4([4]byte(data[4:])), 0)
		}
		b = rest
	}
	return source{}
}

// blank makes room for what put writes, once.
func (c *control) blank() []byte {
	if c.v6 {
		return unix.PktInfo6(&unix.Inet6Pktinfo{})
	}
	return unix.PktInfo4(&unix.Inet4Pktinfo{})
}

// put writes into b, made by blank, that a packet leaves from at.
func (c *control) put(b []byte, at source) {
	data := b[unix.CmsgLen(0):]
	if c.v6 {
		ip := at.addr.As16()
		copy(data, ip[:])
		binary.NativeEndian.PutUint32(data[16:], uint32(at.card))
		return
	}
	ip := at.addr.As4()
	copy(data[4:], ip[:])
}
