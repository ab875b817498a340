package server

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// doors makes one handshake for each link, so that equal addresses on two links
// stay two peers. Tokens and resume tickets are the same at all of them.
func (s *Server) doors(random io.Reader) error {
	tickets, err := handshake.NewResumes(random)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	for i := range s.links {
		cfg := handshake.ServerConfig{
			Key: s.cfg.Key, Schema: wire.SchemaHash(), Suites: uint8(netchan.Suites()), Rand: random,
			Gate: func(from netip.AddrPort, resuming bool) handshake.Refusal {
				return s.gate(peer{i, from}, resuming)
			},
			Offer: func(from netip.AddrPort, _ []byte) (handshake.Offer, handshake.Refusal) {
				slot := s.freeSlot()
				if old := s.byAddr[peer{i, from}]; old != nil {
					slot = old.slot
				}
				if slot < 0 {
					return handshake.Offer{}, handshake.Refusal{Code: handshake.Full}
				}
				return s.terms(slot), handshake.Refusal{}
			},
			Resume: func(_ netip.AddrPort, at handshake.Place) (handshake.Offer, bool) {
				c := s.byPlace(at)
				if c == nil {
					return handshake.Offer{}, false
				}
				return s.terms(c.slot), true
			},
			Authentic: func(se *handshake.Session, pkt []byte) bool {
				return netchan.Authentic(channelOf(se), pkt)
			},
		}
		if s.cfg.ResumeMS > 0 {
			cfg.Resumes = tickets
		}
		if !s.local(i) {
			cfg.Tokens = s.cfg.Tokens
		}
		h, err := handshake.NewServer(cfg)
		if err != nil {
			return fmt.Errorf("server: %w", err)
		}
		s.hello = append(s.hello, h)
	}
	return nil
}

// local reports whether a link leads to this process only.
func (s *Server) local(link int) bool { return link >= len(s.cfg.Links) }

// gate says who may not even try.
func (s *Server) gate(from peer, resuming bool) handshake.Refusal {
	if !s.local(from.link) {
		if s.bans.Has(from.addr.Addr()) {
			return handshake.Refusal{Code: handshake.Banned}
		}
	}
	// Who resumes has a place, or is asked once more; a client that began anew on its
	// port takes its own old slot.
	if resuming || s.byAddr[from] != nil {
		return handshake.Refusal{}
	}
	if s.freeSlot() < 0 {
		return handshake.Refusal{Code: handshake.Full}
	}
	if why := s.crowded(from); why != "" {
		return handshake.Refusal{Code: handshake.Unwelcome, Text: why}
	}
	return handshake.Refusal{}
}

func (s *Server) terms(slot int) handshake.Offer {
	return handshake.Offer{Slot: uint16(slot), Tick: s.Tick(), TickRate: uint16(s.cfg.TickRate)}
}

func channelOf(se *handshake.Session) netchan.Config {
	return netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}
}

const (
	tooManyOfOne  = "too many players come from your address"
	tooManyOfMany = "too many players come from your network"
)

// crowded says why an address may have no more clients, "" when it may. One
// address is one of IPv4 and one /64 of IPv6; its neighbours, a /24 and a /56, are
// allowed half of the slots together, except in a private network, where all may
// be at home.
func (s *Server) crowded(from peer) string {
	a := from.addr.Addr().Unmap().WithZone("")
	if s.cfg.PerAddress < 0 || a.IsLoopback() || s.local(from.link) {
		return ""
	}
	one, many := 32, 24
	if a.Is6() {
		one, many = 64, 56
	}
	of, near := prefix(a, one), prefix(a, many)
	n, around := 0, 0
	for _, c := range s.conns {
		if c == nil {
			continue
		}
		o := c.peer.addr.Addr().Unmap().WithZone("")
		if of.Contains(o) {
			n++
		}
		if near.Contains(o) {
			around++
		}
	}
	switch {
	case n >= s.cfg.PerAddress:
		return tooManyOfOne
	case around >= max(s.cfg.PerAddress, (s.cfg.MaxClients+1)/2) && !a.IsPrivate() && !a.IsLinkLocalUnicast():
		return tooManyOfMany
	}
	return ""
}

func prefix(a netip.Addr, bits int) netip.Prefix {
	p, _ := a.Prefix(bits) // cannot fail: bits fit the family
	return p
}

func (s *Server) freeSlot() int {
	for i := range s.conns {
		if s.conns[i] == nil {
			return i
		}
	}
	return -1
}

// greet handles a packet that no session has opened, and returns the client that
// it confirms, if it does; the packet is then still to be opened.
func (s *Server) greet(from peer, pkt []byte, now int64) *conn {
	reply, ev := s.hello[from.link].Handle(pkt, from.addr, now)
	if reply != nil {
		s.transmit(from, reply)
	}
	switch ev.Kind {
	case handshake.EventBroken:
		s.log.Error("handshake", "error", ev.Err)
	case handshake.EventConfirmed:
		ch, err := netchan.New(channelOf(ev.Session), now)
		if err != nil {
			s.log.Error("session left out", "error", err)
			return nil
		}
		return s.confirmed(from, ev.Session, ch, now)
	}
	return nil
}

// confirmed gives a session its place: the one that it left before, or a new one.
// It returns nil where there is none, and says so to the client.
func (s *Server) confirmed(from peer, se *handshake.Session, ch *netchan.Channel, now int64) *conn {
	back := s.byPlace(se.Resumed)
	if back == nil {
		back = s.byUser(se.User)
	}
	if old := s.byAddr[from]; old != nil && old != back {
		s.forget(old, "joined anew from the same address")
	}
	if back != nil {
		s.comeBack(back, from, se, ch, now)
		return back
	}
	var c *conn
	why := "the server is full"
	switch {
	case se.Resumed != handshake.Place{} && s.hello[from.link].WantsTokens():
		why = "your place on the server was given up: ask for a new token"
	default:
		if crowd := s.crowded(from); crowd != "" {
			why = crowd
		} else {
			c = s.admit(from, se, ch, now)
		}
	}
	if c == nil { // the last slot went while this one was pending
		for range goodbyes {
			pkt, _ := ch.SealGoodbye(s.out[:0], why, now)
			s.transmit(from, pkt)
		}
	}
	return c
}
