package server

import (
	"net/netip"
	"testing"
)

// FuzzBans reads any text as an address or prefix that is banned: what is taken bans
// every form of the address that it names, and none of another family.
func FuzzBans(f *testing.F) {
	for _, s := range []string{"192.0.2.7", "192.0.2.0/24", "2001:db8::/48", "[::1]", "::ffff:192.0.2.7", "::ffff:192.0.2.0/120", "fe80::1%eth0", "0.0.0.0/0", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBans([]string{s})
		if err != nil {
			return
		}
		if len(b) != 1 || !b[0].IsValid() {
			t.Fatalf("%q is %v", s, b)
		}
		a := b[0].Addr()
		if !b.Has(a) || a.Is4() && !b.Has(netip.AddrFrom16(a.As16())) {
			t.Fatalf("%q bans not even %v", s, a)
		}
		other := netip.MustParseAddr("203.0.113.1")
		if a.Is4() {
			other = netip.MustParseAddr("2001:db8:5::1")
		}
		if b.Has(other) && b[0].Bits() > 0 && a.Is4() != other.Is4() {
			t.Fatalf("%q bans %v", s, other)
		}
	})
}
