// Package link moves datagrams: an unordered, lossy, duplicating way from one
// address to another, as a network is, behind one small interface.
//
// Loop is the memory of one process (a listen server and its own player, or a
// whole match in a test). Sim wraps any other link and makes it worse in a
// seeded, repeatable way. Package udp is the socket. Package linktest holds
// the tests that all of them pass.
//
// Nothing here reads a clock or starts a goroutine. A Link belongs to one
// goroutine at a time; the two ends of a Loop may be on different ones. Send
// copies the packet before it returns; Recv fills the caller's buffer. Neither
// blocks, and neither allocates once its queues have been used.
package link

import (
	"errors"
	"net/netip"
)

// MaxPacket is the longest datagram in bytes that a Link carries: above any
// packet of the protocol, below the usual limit of a network.
const MaxPacket = 1400

// Errors of Send. A datagram lost on its way is not one of them.
var (
	// ErrTooLong says that a packet is longer than MaxPacket.
	ErrTooLong = errors.New("link: packet longer than the maximum")
	// ErrClosed says that this end was closed.
	ErrClosed = errors.New("link: closed")
)

// Addr names one end. IPv4 addresses are in their short form, never mapped
// into IPv6, so that equal ends compare equal.
type Addr = netip.AddrPort

// Link is one end of a datagram network.
type Link interface {
	// Send hands pkt over for to. It may be lost, doubled or overtaken. An
	// error means that it was certainly not sent.
	Send(pkt []byte, to Addr) error
	// Recv takes one packet that has arrived, or returns ok false at once. A
	// packet longer than buf is dropped; MaxPacket is always enough.
	Recv(buf []byte) (n int, from Addr, ok bool)
	// Close ends both directions; what was not received yet is lost. Closing
	// twice is allowed.
	Close() error
}

// A Flusher is a Link that may hold sent packets back until Flush, to hand
// many over at once.
type Flusher interface{ Flush() error }

// Flush sends what l holds back, for a Link of any kind.
func Flush(l Link) error {
	if f, ok := l.(Flusher); ok {
		return f.Flush()
	}
	return nil
}
