package server

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// peer names the other end of a session: an address on one of the links.
type peer struct {
	link int
	addr link.Addr
}

// conn is one client.
type conn struct {
	peer peer
	slot int
	id   state.ID
	ch   *netchan.Channel
	enc  *snapshot.Encoder
	cmds commands

	place  handshake.Place      // what its resume ticket names
	tag    [8]byte              // the session's name in path packets
	path   handshake.Path[peer] // where it is
	user   uint64               // whom its token named
	lostAt int64                // since when
	hud    []wire.HUD           // values that the rules put into its picture

	since    int64 // the last sign of play: confirmed, joined, level told, a command
	told     int   // messages read in this tick
	opened   int   // packets opened in this tick
	messages int   // and in all
	name     string
	bot      bool
	interp   uint16    // dictated delay, 1/256 ticks
	scope    vis.Scope // that its player looks through

	// What the tick asks of every client lies together, for the processor's sake.
	away   bool // not heard of; the place is kept
	joined bool // said who it is
	ready  bool // has the level
	row    int  // in this tick's vis.Input; -1 none
	look   watch
	view   vis.View

	msg       wire.Client // reused
	acks      []netchan.Ack
	marks     int // set lately, for their limit
	marksAt   int64
	fulls     int // full snapshots lately, likewise
	fullsAt   int64
	fullsLost int // requests left out, and when the log was told
	fullsSaid int64
	// Of tables: the hash and the version that its Welcome named, and the newest version
	// that it has said to have; wholes are those told in full lately, for their limit.
	tablesHash            [32]byte
	toldTables, hasTables int
	wholes                int
	wholesAt              int64
	says                  int   // lines said lately, for the flood limit
	saysAt                int64 // when that was counted
	rttNS                 int64 // least of the last two seconds
	badCmds               int
	pace                  pace
	lag                   lag
	bucket                bucket
	reveals               *reveals // nil: the client is not asked for any
}

// playing reports whether the client has joined and has the level.
func (c *conn) playing() bool { return c.joined && c.ready }

// latency returns the measured round trip and jitter in milliseconds.
func (c *conn) latency() (rtt, jitter float32) {
	return float32(c.rttNS) / 1e6, float32(c.cmds.jitter) / 1e6
}

func (c *conn) interpMS(tickRate int) float32 {
	return float32(c.interp) / 256 / float32(tickRate) * 1000
}

// Interpolation delay: the interval of snapshots, one more for a lost packet, and
// what arrives late; between two ticks and interpCapMS.
const (
	interpLeast = 2.0 // ticks
	interpCapMS = 150
)

// dictate sets the interpolation delay from the measured jitter. It moves in
// steps of a quarter tick with a band around the present value, so that a client
// is not told a new one in every packet.
func (c *conn) dictate(tickNS, base float64) {
	ticks := base + 2.5*c.cmds.jitter/tickNS
	ticks = min(ticks, interpCapMS*1e6/tickNS)
	want := int(ticks*4) * 64
	if have := int(c.interp); c.interp == 0 || want > have+64 || want < have-128 {
		c.interp = uint16(max(want, int(base*256)))
	}
}

// tell queues a reliable message. A client that does not take them is dropped.
func (s *Server) tell(c *conn, m wire.Message, now int64) {
	if c.away {
		return // is told all of it when it comes back
	}
	s.scratch = wire.Append(s.scratch[:0], m)
	if err := c.ch.QueueReliable(s.scratch); err != nil {
		s.log.Warn("client does not take its messages", "player", c.name, "error", err)
		s.drop(c, "too slow: reliable messages are not being acknowledged", now)
	}
}

// tellAll queues a reliable message for every client that has joined.
func (s *Server) tellAll(m wire.Message, now int64) {
	for _, c := range s.conns {
		if c != nil && c.joined {
			s.tell(c, m, now)
		}
	}
}

// isShown reports whether a client is sent a View of this tick.
func (s *Server) isShown(c *conn) bool {
	return !c.away && c.playing() && c.row >= 0 && c.row < len(s.in.Viewers)
}

// encode makes the snapshot of each client's View, and seals it.
func (s *Server) encode(ans *vis.Answer, now int64) {
	k := s.Tick() % state.Tick(len(s.sentAt))
	s.sentTick[k], s.sentAt[k] = s.Tick(), now
	for _, c := range s.conns {
		if c == nil || c.away {
			continue
		}
		if !s.isShown(c) {
			if c.ch.Waits() > 0 || (s.Tick()+state.Tick(c.slot))%idleEvery == 0 {
				s.seal(c, nil, now)
			}
			continue
		}
		if h := s.cfg.Hooks.View; h != nil {
			h(&c.view)
		}
		s.snapshot(c, now)
	}
	if h := s.cfg.Hooks.Frame; h != nil {
		h(&s.in, &s.frame, ans)
	}
}

// idleEvery is how often, in ticks, a client that loads is sent a packet with nothing
// in it, so that it is told what has arrived.
const idleEvery = 4

// encoder returns what writes a client's snapshots.
func (s *Server) encoder() *snapshot.Encoder {
	e := snapshot.NewEncoder(s.cfg.TickRate)
	e.Plain(s.cfg.Naive)
	return e
}

// reliableMuch is how many bytes of reliable stream do not wait for the class's
// turn.
const reliableMuch = 160

// snapshot sends a client its View, or only notes what happened when this tick has
// no packet for it.
func (s *Server) snapshot(c *conn, now int64) {
	last, least := c.ch.RTT(now)
	c.bucket.refill(now, last, least)
	due, bypass := c.pace.due(&s.cfg.Pace, &c.view, s.cfg.TickRate)
	due = due || s.cfg.Pace.Hz == 0 && c.ch.Waits() > reliableMuch
	if !due || c.bucket.tokens <= 0 && !bypass {
		c.enc.Note(&c.view)
		return
	}
	s.part(c, c.enc.Encode, now)
	for n := 1; n < maxParts && c.enc.Pending() && c.bucket.tokens > 0; n++ {
		s.part(c, c.enc.EncodeRest, now)
	}
	c.pace.wrote(&c.view)
}

// maxParts is in how many packets a View is told at most; who is in none of them
// goes first in the next snapshot.
const maxParts = 4

// part sends one packet of a client's View.
func (s *Server) part(c *conn, encode func(*bits.Writer, *vis.View, uint64) error, now int64) {
	s.payload.Reset(s.plain[:c.bucket.room(min(c.ch.Budget(), len(s.plain)))])
	if seq := c.ch.Sent() + 1; encode(&s.payload, &c.view, seq) == nil {
		s.showed(c, seq)
	}
	bytes := s.seal(c, s.payload.Bytes(), now)
	c.bucket.pay(bytes)
	if h := s.cfg.Hooks.Sent; h != nil {
		h(&c.view, bytes)
	}
}

// seal sends a packet and returns its bytes, IP and UDP headers included.
func (s *Server) seal(c *conn, payload []byte, now int64) int {
	pkt, _, err := c.ch.Seal(s.out[:0], payload, now)
	if err != nil {
		s.log.Error("packet left out", "player", c.name, "error", err)
		return 0
	}
	s.transmit(c.peer, pkt)
	return len(pkt) + 28
}

func (s *Server) transmit(p peer, pkt []byte) {
	s.links[p.link].Send(pkt, p.addr)
	s.bytesOut += int64(len(pkt))
	s.packetsOut++
}

// send hands what was sealed to the network.
func (s *Server) send(now int64) {
	for _, l := range s.links {
		link.Flush(l)
	}
	s.publish(now)
}
