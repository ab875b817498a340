package server

import (
	"fmt"
	"net/netip"
	"strings"
)

// Bans are addresses that may not join.
type Bans []netip.Prefix

// ParseBans reads addresses and prefixes: "192.0.2.7", "192.0.2.0/24",
// "2001:db8::/48". An address of IPv6 stands for its /64, which is one household;
// IPv4 addresses in the form of IPv6 are the same as in their own.
func ParseBans(texts []string) (Bans, error) {
	var b Bans
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if p, err := netip.ParsePrefix(t); err == nil {
			if a := p.Addr(); a.Is4In6() && p.Bits() >= 96 {
				p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
			}
			b = append(b, p.Masked())
			continue
		}
		a, err := netip.ParseAddr(strings.Trim(t, "[]"))
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a prefix such as 192.0.2.0/24", t)
		}
		a = a.Unmap().WithZone("")
		bits := 32
		if a.Is6() {
			bits = 64
		}
		b = append(b, prefix(a, bits))
	}
	return b, nil
}

// Has reports whether an address, in whatever form, is among them.
func (b Bans) Has(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range b {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// SetBans replaces the list, and ends the sessions of who is on it.
func (s *Server) SetBans(b Bans) {
	s.bans = b
	for _, c := range s.conns {
		if c != nil && !s.local(c.peer.link) && b.Has(c.peer.addr.Addr()) {
			s.drop(c, "you are banned from this server", s.lastNow)
		}
	}
}
