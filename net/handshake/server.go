package handshake

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"

	"github.com/flynn/noise"
)

// ServerConfig says how a server lets clients in. Key, Suites and Authentic
// are needed; for the rest zero is a good value.
type ServerConfig struct {
	Key      Key
	Protocol uint16   // 0: Protocol of this package
	Schema   [32]byte // hash of the data's layout
	Suites   uint8    // set of cipher suites that this machine offers

	// Gate is asked for each address that has shown its cookie, before any
	// costly step: bans, and a server that is full. Of a client that is resuming,
	// which has a place already if its ticket is good, it is asked again, as of any
	// other, when the ticket is not. nil lets everybody in.
	Gate func(from netip.AddrPort, resuming bool) Refusal
	// Offer is asked once the keys are agreed, with what the client said of
	// itself. Nothing is taken yet: the slot is only offered, and may be gone
	// at EventConfirmed. nil offers slot 0.
	Offer func(from netip.AddrPort, hello []byte) (Offer, Refusal)
	// Resume is asked instead of Offer, for a client whose ticket names a place of
	// this server; it reports whether the place is still there. A client whose
	// ticket leads nowhere joins like any other.
	Resume func(from netip.AddrPort, p Place) (Offer, bool)
	// Resumes makes the tickets; nil: nobody comes back.
	Resumes *Resumes
	// Authentic reports whether a data packet opens with the keys of a
	// session: netchan.Authentic.
	Authentic func(s *Session, pkt []byte) bool

	// Tokens lets in only clients with a connect token, and those who come back to a
	// place; nil lets in anybody.
	Tokens *Tokens

	Rand io.Reader // secrets; nil: the system's generator

	MaxPending        int  // entries at most (256)
	PendingPerNetwork int  // of them for one /24 or /56 (64)
	Agreements        Rate // key agreements for one /24 or /56 (64, 16 per second)
	AllAgreements     Rate // key agreements in all (256, 128 per second)
	Refusals          Rate // refusals sent to one /24 or /56 (8, 2 per second)
}

// Rate is how many at once, and how many per second in the long run.
type Rate struct{ Burst, PerSecond float32 }

func (r Rate) or(burst, perSecond float32) Rate {
	if r == (Rate{}) {
		return Rate{burst, perSecond}
	}
	return r
}

// EventKind says what a packet has led to.
type EventKind uint8

const (
	// EventNone: nothing that the caller must know.
	EventNone EventKind = iota
	// EventOffered: an Accept was sent for the first time; a session is
	// pending. Nothing is to be done.
	EventOffered
	// EventConfirmed: the data packet just handled proves that the client
	// holds the session's keys. The caller makes its channel, opens the packet
	// with it, takes the slot, and ends an older session of that address.
	EventConfirmed
	// EventBroken: the caller's own Offer was unusable; Err says how.
	EventBroken
)

// Event is the outcome of one packet.
type Event struct {
	Kind    EventKind
	Session *Session // EventOffered and EventConfirmed
	Err     error    // EventBroken
}

// ServerStats counts packets by what became of them.
type ServerStats struct {
	Hellos, Retries, Accepts, AcceptsAgain, Confirmed uint64

	Refused   uint64 // refusals sent
	Unrefused uint64 // refusals kept back by their rate
	Foreign   uint64 // no packet of this protocol
	Malformed uint64 // of a wrong length, or with impossible content
	Replayed  uint64 // a Hello whose session was confirmed before
	OverRate  uint64 // too many key agreements for that network, or in all
	NoRoom    uint64 // the pending table, or the network's share, is full
	Forged    uint64 // key agreement failed
	Stray     uint64 // data from an address with nothing pending
	BadData   uint64 // data that no pending session opens
	Expired   uint64 // pending entries never confirmed
	BadTokens uint64 // tokens refused, and used ones at confirmation
	Resumed   uint64 // sessions offered to who came back to a place
	Lapsed    uint64 // resume tickets that led nowhere
}

// Server lets clients in. Make it with NewServer.
type Server struct {
	cfg     ServerConfig
	cookies cookies
	pending []entry
	spent   [256]spentKey // Hellos whose session was confirmed, newest last
	spentAt int

	perNetwork, refusals budget
	all                  cell

	stats ServerStats
	out   [HelloSize]byte
}

// entry is a session that was offered and not confirmed yet.
type entry struct {
	key     [32]byte // the client's ephemeral key
	network uint64
	expires int64
	session *Session
	accept  []byte // to be sent again, as it was
	token   [24]byte
	bearer  bool // token is one
}

type spentKey struct {
	key     [32]byte
	expires int64
}

// NewServer checks cfg and draws the secrets.
func NewServer(cfg ServerConfig) (*Server, error) {
	if cfg.Suites == 0 {
		return nil, ErrSuites
	}
	if cfg.Authentic == nil {
		return nil, fmt.Errorf("handshake: ServerConfig.Authentic is not set")
	}
	if k, err := keyOf(cfg.Key.Private); err != nil || k.Public != cfg.Key.Public || cfg.Key.Private == [32]byte{} {
		return nil, fmt.Errorf("handshake: ServerConfig.Key is not a key pair")
	}
	if cfg.Protocol == 0 {
		cfg.Protocol = Protocol
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Reader
	}
	if cfg.MaxPending <= 0 {
		cfg.MaxPending = 256
	}
	if cfg.PendingPerNetwork <= 0 {
		cfg.PendingPerNetwork = 64
	}
	cfg.Agreements = cfg.Agreements.or(64, 16)
	cfg.AllAgreements = cfg.AllAgreements.or(256, 128)
	cfg.Refusals = cfg.Refusals.or(8, 2)

	var secret [32 + 16]byte
	if _, err := io.ReadFull(cfg.Rand, secret[:]); err != nil {
		return nil, fmt.Errorf("handshake: draw secrets: %w", err)
	}
	s := &Server{cfg: cfg, cookies: newCookies([32]byte(secret[:32])), pending: make([]entry, 0, cfg.MaxPending)}
	s.perNetwork = budget{burst: cfg.Agreements.Burst, perSecond: cfg.Agreements.PerSecond, seed: binary.LittleEndian.Uint64(secret[32:])}
	s.refusals = budget{burst: cfg.Refusals.Burst, perSecond: cfg.Refusals.PerSecond, seed: binary.LittleEndian.Uint64(secret[40:])}
	return s, nil
}

// Handle takes any packet that no established session has opened. reply, if
// not nil, is to be sent to from; it is never longer than pkt.
//
// Where an address has a session already, the caller tries that first and
// hands over only what it does not open: a client that restarted on the same
// port comes in this way.
func (s *Server) Handle(pkt []byte, from netip.AddrPort, now int64) (reply []byte, ev Event) {
	s.Expire(now)
	switch {
	case isData(pkt):
		return nil, s.confirm(pkt, from, now)
	case len(pkt) < headSize || pkt[0] != typeHello || [3]byte(pkt[1:4]) != magic:
		s.stats.Foreign++
		return nil, Event{}
	case len(pkt) != HelloSize:
		s.stats.Malformed++
		return nil, Event{}
	}
	return s.hello(pkt, from, now)
}

// hello is the order of the checks: the cheapest first, and nothing kept
// before the cookie is right.
func (s *Server) hello(pkt []byte, from netip.AddrPort, now int64) ([]byte, Event) {
	s.stats.Hellos++
	if binary.LittleEndian.Uint16(pkt[offVersion:]) != s.cfg.Protocol {
		return s.refuse(pkt, from, Refusal{Code: OtherProtocol}, now), Event{}
	}
	if [32]byte(pkt[offSchema:]) != s.cfg.Schema {
		return s.refuse(pkt, from, Refusal{Code: OtherSchema}, now), Event{}
	}
	key := pkt[offKey:offCookie]
	if pkt[offFlags]&^(flagCookie|flagToken|flagResume) != 0 {
		s.stats.Malformed++
		return nil, Event{}
	}
	if pkt[offFlags]&flagCookie == 0 || !s.cookies.valid(pkt[offCookie:offNoise-2], from, key, now) {
		return s.retry(from, key, now), Event{}
	}

	// Somebody does receive at this address.
	for i := range s.pending {
		if e := &s.pending[i]; e.session.Peer == from && e.key == [32]byte(key) {
			s.stats.AcceptsAgain++
			e.expires = now + pendingFor // at most as long as the cookie lives
			return e.accept, Event{}
		}
	}
	if s.isSpent([32]byte(key), now) {
		s.stats.Replayed++
		if s.cfg.Tokens != nil && pkt[offFlags]&flagToken != 0 { // tried again: said so
			if _, err := s.cfg.Tokens.admit(pkt[offToken:], key, now); err != nil {
				s.stats.BadTokens++
				return s.refuse(pkt, from, Refusal{Code: BadToken, Text: err.Error()}, now), Event{}
			}
		}
		return nil, Event{}
	}
	resuming := pkt[offFlags]&flagResume != 0 && s.cfg.Resumes != nil
	if s.cfg.Gate != nil {
		if r := s.cfg.Gate(from, resuming); r.Code != Accepted {
			return s.refuse(pkt, from, r, now), Event{}
		}
	}
	net := network(from.Addr())
	if !s.hasRoom(net) {
		s.stats.NoRoom++
		return nil, Event{}
	}
	s.all.refill(s.cfg.AllAgreements.PerSecond, now)
	if s.all.used+1 > s.cfg.AllAgreements.Burst || !s.perNetwork.take(net, now) {
		s.stats.OverRate++
		return nil, Event{}
	}
	s.all.used++
	var token *Token
	switch {
	case s.cfg.Tokens == nil:
	case pkt[offFlags]&flagToken == 0 && !resuming:
		return s.refuse(pkt, from, Refusal{Code: NoToken}, now), Event{}
	case pkt[offFlags]&flagToken != 0:
		var err error
		if token, err = s.cfg.Tokens.admit(pkt[offToken:], key, now); err != nil {
			s.stats.BadTokens++
			return s.refuse(pkt, from, Refusal{Code: BadToken, Text: err.Error()}, now), Event{}
		}
	}
	return s.agree(pkt, from, net, token, now)
}

// agree runs the key agreement and makes a pending entry.
func (s *Server) agree(pkt []byte, from netip.AddrPort, net uint64, token *Token, now int64) ([]byte, Event) {
	msg := noiseOf(pkt)
	suite := pickSuite(pkt[offSuites], s.cfg.Suites)
	if msg == nil || suite == 0 || len(msg) < 32 || [32]byte(msg) != [32]byte(pkt[offKey:]) {
		s.stats.Malformed++
		return nil, Event{}
	}
	hs, err := noise.NewHandshakeState(noise.Config{
		CipherSuite: noiseSuite, Pattern: noise.HandshakeNK, Random: s.cfg.Rand,
		Prologue:      prologueOf(pkt),
		StaticKeypair: noise.DHKey{Private: s.cfg.Key.Private[:], Public: s.cfg.Key.Public[:]},
	})
	if err != nil {
		return nil, Event{Kind: EventBroken, Err: fmt.Errorf("handshake: %w", err)}
	}
	hello, _, _, err := hs.ReadMessage(nil, msg)
	var ticket []byte
	if pkt[offFlags]&flagResume != 0 && len(hello) >= ResumeSize {
		ticket, hello = hello[:ResumeSize], hello[ResumeSize:]
	}
	if err != nil || len(hello) > MaxHello {
		s.stats.Forged++
		return nil, Event{}
	}
	offer, place, r := s.offer(from, ticket, hello, token)
	if r.Code != Accepted {
		return s.refuse(pkt, from, r, now), Event{}
	}
	var next Place
	var resume []byte
	if s.cfg.Resumes != nil {
		if next, resume, err = s.cfg.Resumes.issue(nil); err != nil {
			return nil, Event{Kind: EventBroken, Err: err}
		}
	}
	var buf [MaxWelcome + ResumeSize + 16]byte
	sealed, err := appendTerms(buf[:], suite, offer, resume)
	if err != nil {
		return nil, Event{Kind: EventBroken, Err: err}
	}
	accept := make([]byte, headSize, HelloSize)
	putHead(accept, typeAccept, pkt[offKey:offKey+echoSize])
	accept, toServer, toClient, err := hs.WriteMessage(accept, sealed)
	if err != nil {
		return nil, Event{Kind: EventBroken, Err: fmt.Errorf("handshake: %w", err)}
	}
	session := &Session{
		Send: toClient.UnsafeKey(), Recv: toServer.UnsafeKey(), Suite: suite,
		Slot: offer.Slot, Tick: offer.Tick, TickRate: offer.TickRate,
		Peer: from, Hello: hello,
		Name: nameOf(hs.ChannelBinding()), Place: next, Resumed: place,
	}
	e := entry{
		key: [32]byte(pkt[offKey:]), network: net, expires: now + pendingFor,
		session: session, accept: accept,
	}
	if token != nil {
		session.User, e.token, e.bearer = token.User, [24]byte(pkt[offToken:]), true
		s.cfg.Tokens.hold(e.token, token.Expires)
	}
	s.pending = append(s.pending, e)
	s.stats.Accepts++
	return accept, Event{Kind: EventOffered, Session: session}
}

// offer asks for the terms: of the place that a ticket names, or, when it leads
// nowhere, of a new one, for which all must be shown that anybody must.
func (s *Server) offer(from netip.AddrPort, ticket, hello []byte, token *Token) (o Offer, at Place, r Refusal) {
	if ticket != nil {
		if p, ok := s.cfg.Resumes.open(ticket); ok && p != (Place{}) && s.cfg.Resume != nil {
			if o, ok := s.cfg.Resume(from, p); ok {
				s.stats.Resumed++
				return o, p, Refusal{}
			}
		}
		s.stats.Lapsed++
		if s.cfg.Tokens != nil && token == nil {
			return o, at, Refusal{Code: NoToken}
		}
		if s.cfg.Gate != nil {
			if r = s.cfg.Gate(from, false); r.Code != Accepted {
				return o, at, r
			}
		}
	}
	if s.cfg.Offer != nil {
		o, r = s.cfg.Offer(from, hello)
	}
	return o, at, r
}

// confirm looks for a pending session that opens pkt.
func (s *Server) confirm(pkt []byte, from netip.AddrPort, now int64) Event {
	found := false
	for i := range s.pending {
		e := &s.pending[i]
		if e.session.Peer != from {
			continue
		}
		found = true
		if s.cfg.Authentic(e.session, pkt) {
			session := e.session
			if e.bearer && !s.cfg.Tokens.consume(e.token) {
				s.stats.BadTokens++ // the same client was faster on another way
				s.remove(i)
				return Event{}
			}
			s.spent[s.spentAt] = spentKey{e.key, now + 2*bucket}
			s.spentAt = (s.spentAt + 1) % len(s.spent)
			s.remove(i)
			s.stats.Confirmed++
			return Event{Kind: EventConfirmed, Session: session}
		}
	}
	if found {
		s.stats.BadData++
	} else {
		s.stats.Stray++
	}
	return Event{}
}

// Expire forgets what was not confirmed in time. Handle does it too.
func (s *Server) Expire(now int64) {
	for i := len(s.pending) - 1; i >= 0; i-- {
		if now >= s.pending[i].expires {
			s.remove(i)
			s.stats.Expired++
		}
	}
}

func (s *Server) remove(i int) {
	end := len(s.pending) - 1
	s.pending[i] = s.pending[end]
	s.pending[end] = entry{}
	s.pending = s.pending[:end]
}

func (s *Server) hasRoom(net uint64) bool {
	if len(s.pending) >= s.cfg.MaxPending {
		return false
	}
	n := 0
	for i := range s.pending {
		if s.pending[i].network == net {
			n++
		}
	}
	return n < s.cfg.PendingPerNetwork
}

func (s *Server) isSpent(key [32]byte, now int64) bool {
	for i := range s.spent {
		if s.spent[i].key == key && now < s.spent[i].expires {
			return true
		}
	}
	return false
}

// retry sends the server's key and a cookie: 64 bytes for 1,200.
func (s *Server) retry(from netip.AddrPort, key []byte, now int64) []byte {
	s.stats.Retries++
	putHead(s.out[:], typeRetry, key[:echoSize])
	copy(s.out[headSize:], s.cfg.Key.Public[:])
	k := s.cookies.make(from, key, now)
	copy(s.out[headSize+32:], k[:])
	return s.out[:retrySize]
}

// refuse answers with a reason, rarely enough to be no weapon.
func (s *Server) refuse(pkt []byte, from netip.AddrPort, r Refusal, now int64) []byte {
	if !s.refusals.take(network(from.Addr()), now) {
		s.stats.Unrefused++
		return nil
	}
	s.stats.Refused++
	n := putRefusal(s.out[:], r, pkt[offKey:offKey+echoSize], s.cfg.Protocol, s.cfg.Schema[:])
	return s.out[:n]
}

// WantsTokens reports whether only who has a connect token is let in.
func (s *Server) WantsTokens() bool { return s.cfg.Tokens != nil }

// Pending is how many sessions are offered and not confirmed.
func (s *Server) Pending() int { return len(s.pending) }

// Stats is a copy of the counters.
func (s *Server) Stats() ServerStats { return s.stats }
