package handshake

import (
	"net/netip"

	"github.com/flynn/noise"
)

// Session is what both sides hold when the handshake is over: all that a
// channel needs. Send of one side is Recv of the other.
type Session struct {
	Send, Recv [32]byte
	Suite      uint8 // one bit of the suites offered; see net/netchan

	Slot     uint16 // offered; the server confirms or changes it later
	Tick     uint32 // of the server when it answered
	TickRate uint16 // per second

	// Name stands in front of packets from an address that the server may not know.
	Name [8]byte

	Resume []byte // the ticket to come back with, at the client; nil: there is none
	Place  Place  // what it names, at the server
	// Resumed is the place that the client came back to, at the server, where
	// ServerConfig.Resume has said that it is there; zero otherwise.
	Resumed Place

	User    uint64         // whom the client's token names, at the server
	Peer    netip.AddrPort // of the client, at the server
	Hello   []byte         // what the client said of itself, at the server
	Welcome []byte         // what the server said, at the client
}

// Offer is what a server gives a client that it lets in.
type Offer struct {
	Slot     uint16
	Tick     uint32
	TickRate uint16
	Welcome  []byte // at most MaxWelcome bytes; the meaning is the engine's
}

// suite of the key agreement itself; the data's is agreed on in it.
var noiseSuite = noise.NewCipherSuite(noise.DH25519, noise.CipherChaChaPoly, noise.HashBLAKE2s)

// pickSuite is the best suite that both offer, 0 when there is none: the one
// with the lowest bit, which is AES where both machines have it in hardware.
func pickSuite(a, b uint8) uint8 {
	both := a & b
	return both & -both
}
