package server

import (
	"errors"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// packetsPerTick bounds the datagrams that are looked at in one tick, for each
// link: above what MaxClients honest clients send, so that a flood costs bounded
// time and is otherwise left to the socket's queue.
const packetsPerTick = 2048

// loadFactor is how many times the time-out a client may take to load a level.
const loadFactor = 6

// receive takes what has arrived: handshakes, commands, messages.
func (s *Server) receive(now int64) {
	for i, l := range s.links {
		for range packetsPerTick {
			n, from, ok := l.Recv(s.buf[:])
			if !ok {
				break
			}
			s.bytesIn += int64(n)
			s.packetsIn++
			s.packet(peer{i, from}, s.buf[:n], now)
		}
	}
	for _, c := range s.conns {
		if c == nil || s.lapsed(c, now) {
			continue
		}
		if s.read(c, now); s.conns[c.slot] != c {
			continue
		}
		c.told, c.opened = 0, 0
		_, acked := c.ch.RTT(now)
		c.rttNS = s.trueRTT(c, acked, now)
		c.dictate(s.tickNS, s.delayBase(c, now))
		c.acks = c.ch.DrainAcks(c.acks[:0])
		for _, a := range c.acks {
			if h := s.cfg.Hooks.Acked; h != nil {
				h(c.id, a.Seq, a.Lost)
			}
			if a.Lost {
				c.bucket.lost++
				c.enc.Lost(a.Seq)
			} else {
				c.bucket.arrived++
				c.enc.Acked(a.Seq)
				if c.reveals != nil {
					c.reveals.acked(a.Seq, now)
				}
				s.arrivedAck(c, a.Seq)
			}
		}
		c.lag.acked = c.lag.newest
		if reason, bye := c.ch.Goodbye(); bye {
			s.forget(c, wire.Clean(reason, wire.MaxReason))
			continue
		}
		timeout := int64(s.cfg.TimeoutMS * 1e6)
		switch {
		case c.ch.Err() != nil:
			s.drop(c, "broke the protocol", now)
		case now-c.ch.LastRecv() > timeout:
			s.vanish(c, "timed out", now)
		case !c.joined && now-c.since > timeout: // keeps a slot and never plays
			s.drop(c, "did not say who it is", now)
		case !c.ready && now-c.since > loadFactor*timeout:
			s.drop(c, "did not load the level", now)
		case c.ready && now-c.since > timeout:
			s.drop(c, "sends no commands", now)
		}
	}
}

func (s *Server) packet(from peer, pkt []byte, now int64) {
	c := s.byAddr[from]
	var payload []byte
	err := netchan.ErrNotData
	tag, data, isPath := handshake.SplitPath(pkt)
	switch {
	case isPath:
		c, payload, err = s.named(from, tag, data, now)
	case c != nil:
		payload, _, err = c.open(pkt, now)
	}
	if !isPath && err != nil && !errors.Is(err, netchan.ErrFull) && !errors.Is(err, netchan.ErrProtocol) {
		// No session's packet, or one of a client that began anew on this address: its
		// numbers start again, so that to the session before they look like replays.
		if c = s.greet(from, pkt, now); c != nil {
			payload, _, err = c.ch.Open(pkt, now)
		}
	}
	if c == nil || err != nil {
		return // counted by the channel; nothing unauthenticated ends a session
	}
	if s.read(c, now); s.conns[c.slot] != c {
		return
	}
	if len(payload) == 0 {
		return
	}
	s.reader.Reset(payload)
	if err := wire.GetClient(&s.reader, &c.msg); err != nil {
		c.badCmds++
		return
	}
	if c.msg.NeedFull {
		s.full(c, now)
	}
	if c.playing() {
		if len(c.msg.Cmds) > 0 {
			c.since = now
		}
		s.heard(c, now)
		c.cmds.hadNow, c.cmds.hadKnown = c.lag.had, c.lag.hasHad
		c.cmds.arrived(c.msg.Cmds, s.match.sim.Tick()+1, now, s.tickNS)
	}
}

// packetsOfOne bounds the true packets of one client that are opened in a tick: 4 s of
// them after a silence. Only what is authentic counts, so that nobody uses up
// another's by sending in his name.
const packetsOfOne = 256

// open opens a packet of the client's session; beyond the bound it is ErrFull.
func (c *conn) open(pkt []byte, now int64) (payload []byte, seq uint64, err error) {
	if c.opened >= packetsOfOne {
		return nil, 0, netchan.ErrFull
	}
	if payload, seq, err = c.ch.Open(pkt, now); err == nil {
		c.opened++
	}
	return payload, seq, err
}

// messagesPerTick bounds the reliable messages of one client that are read in a
// tick. What is left waits in its channel, which then takes no more: the sender is
// held up, and nobody else.
const messagesPerTick = 32

// read takes the messages that have arrived whole.
func (s *Server) read(c *conn, now int64) {
	for ; c.told < messagesPerTick; c.told++ {
		m, ok := c.ch.ReliableIn()
		if !ok {
			return
		}
		c.messages++
		if s.message(c, m, now); s.conns[c.slot] != c {
			return
		}
	}
}

// message takes one reliable message of a client.
func (s *Server) message(c *conn, b []byte, now int64) {
	m, err := wire.ParseFromClient(b)
	if err != nil {
		s.drop(c, "sent a message that is not in the protocol", now)
		return
	}
	switch m := m.(type) {
	case *wire.Join:
		s.join(c, m, now)
	case *wire.Ready:
		if m.LevelHash != s.match.Level.Hash || m.TablesHash != c.tablesHash {
			return // of the level before
		}
		if c.joined && !c.ready {
			c.ready, c.hasTables = true, c.toldTables
			s.enter(c)
		}
	case *wire.Say:
		s.say(c, m, now)
	case *wire.Wish:
		s.wish(c, m)
	case *wire.Reveals:
		s.reported(c, m, now)
	case *wire.Quit:
		s.forget(c, m.Reason)
	}
}

// Flood limit of what a client makes the server tell everybody, chat and new
// names: a burst of sayBurst, then one per sayEveryNS. Without it one client could
// fill the reliable streams of the others.
const (
	sayBurst   = 6
	sayEveryNS = 1_500_000_000
)

// chatRoom is how full a client's reliable stream may be for a line of chat to be
// put into it: many who speak at once, each within the limit, must not fill what
// is for rules, scores and levels.
const chatRoom = netchan.Backlog / 2

// maySay counts one such message; it reports whether it is within the limit.
func (c *conn) maySay(now int64) bool {
	for c.says > 0 && now-c.saysAt >= sayEveryNS {
		c.says--
		c.saysAt += sayEveryNS
	}
	if c.says == 0 {
		c.saysAt = now
	}
	if c.says >= sayBurst {
		return false
	}
	c.says++
	return true
}

func (s *Server) say(c *conn, m *wire.Say, now int64) {
	if m.Text == "" || !c.joined || !c.maySay(now) {
		return
	}
	s.match.chat = append(s.match.chat, rules.Chat{ID: c.id, Text: m.Text})
	if m.Text[0] == '/' {
		return // a command for the rules
	}
	team := s.match.sim.Side(c.id)
	for _, o := range s.conns {
		if o != nil && o.joined && o.ch.Unacked() < chatRoom && (!m.Team || team != 0 && s.match.sim.Side(o.id) == team || o == c) {
			s.tell(o, &wire.Chat{ID: c.id, Team: m.Team, Text: m.Text}, now)
		}
	}
}

func (s *Server) team(id state.ID) uint8 {
	if p := s.match.sim.Player(id); p != nil {
		return p.Team
	}
	return 0
}

// simulate takes one command of every player and runs the world's tick.
func (s *Server) simulate() {
	next := s.match.sim.Tick() + 1
	s.inputs = s.inputs[:0]
	for _, c := range s.conns {
		if c == nil || !c.playing() {
			continue
		}
		cmd, starved := c.cmds.take(next)
		s.inputs = append(s.inputs, s.judge(c, &cmd, starved, next))
	}
	s.match.sim.Step(s.inputs)
	s.record()
}
