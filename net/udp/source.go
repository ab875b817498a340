package udp

import (
	"encoding/binary"
	"hash/maphash"
	"net"
	"net/netip"

	"github.com/sightline-engine/sightline/net/link"
)

// source is the address of this machine that a packet came to: an answer leaves
// from there, since its peer takes it from nowhere else. The zero source leaves
// the choice to the system.
type source struct {
	addr netip.Addr
	card int // index of the network card, for an address that is only good on one
}

// sources remembers for each peer which of this machine's addresses it speaks to.
// It is a table of fixed size: who floods it from invented addresses pushes out
// peers that were not heard of for longest, four to a set that a secret chooses,
// and a peer that is pushed out is back with its next packet.
type sources struct {
	sets [2048][4]sourceOf
	seed maphash.Seed
	uses uint64
}

type sourceOf struct {
	peer link.Addr
	at   source
	used uint64 // when, 0: never
}

func newSources() *sources { return &sources{seed: maphash.MakeSeed()} }

func (s *sources) set(peer link.Addr) *[4]sourceOf {
	var b [18]byte
	ip := peer.Addr().As16()
	copy(b[:], ip[:])
	binary.LittleEndian.PutUint16(b[16:], peer.Port())
	return &s.sets[maphash.Bytes(s.seed, b[:])%uint64(len(s.sets))]
}

// note remembers that peer has spoken to at.
func (s *sources) note(peer link.Addr, at source) {
	s.uses++
	set := s.set(peer)
	oldest := &set[0]
	for i := range set {
		if set[i].peer == peer {
			oldest = &set[i]
			break
		}
		if set[i].used < oldest.used {
			oldest = &set[i]
		}
	}
	*oldest = sourceOf{peer, at, s.uses}
}

// of is where an answer to peer leaves from.
func (s *sources) of(peer link.Addr) source {
	set := s.set(peer)
	for i := range set {
		if set[i].peer == peer {
			return set[i].at
		}
	}
	return source{}
}

// forget drops what is known of peer: its address is no longer this machine's.
func (s *sources) forget(peer link.Addr) {
	set := s.set(peer)
	for i := range set {
		if set[i].peer == peer {
			set[i] = sourceOf{}
		}
	}
}

// sourceAt is an address that answers can leave from; of a group's or nobody's
// address it is the zero source. The card matters to link-local addresses only:
// any other is reached whichever way the system knows.
func sourceAt(a netip.Addr, card int) source {
	a = a.Unmap()
	if !a.IsValid() || a.IsUnspecified() || a.IsMulticast() {
		return source{}
	}
	if !a.IsLinkLocalUnicast() || a.Is4() {
		card = 0
	}
	return source{a, card}
}

// isV6 reports whether a socket is one of IPv6, which most serve IPv4 too.
func isV6(conn *net.UDPConn) bool {
	return conn.LocalAddr().(*net.UDPAddr).IP.To4() == nil
}
