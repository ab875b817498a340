package udp_test

import (
	"net"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
)

// rawSocket sends what our own Send would refuse.
func rawSocket(t *testing.T, to link.Addr) *net.UDPConn {
	t.Helper()
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}
