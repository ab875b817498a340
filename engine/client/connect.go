package client

import (
	"errors"
	"fmt"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// The path to the server is tried after pathQuietNS without a packet, as long as
// nothing comes: the own address may have changed on the way. A server sends more
// often than that to anybody.
const (
	pathQuietNS = 250_000_000
	pathEveryNS = 100_000_000
)

// dial begins the handshake.
func (c *Client) dial() error {
	h := c.cfg.Hello
	h.Schema, h.Suites = wire.SchemaHash(), uint8(netchan.Suites())
	if h.Server == "" {
		h.Server = c.cfg.Server.String()
	}
	hs, err := handshake.NewClient(h)
	c.hs = hs
	return err
}

// redial begins a handshake with the ticket of the session that is lost, for the
// place that it had. It reports whether there is a way back.
func (c *Client) redial() bool {
	if c.ticket == nil || c.cfg.ReconnectMS < 0 {
		return false
	}
	key, _ := c.hs.ServerKey()
	h := c.cfg.Hello
	h.Schema, h.Suites = wire.SchemaHash(), uint8(netchan.Suites())
	if h.Server == "" {
		h.Server = c.cfg.Server.String()
	}
	h.Key, h.Resume, h.Timeout = &key, c.ticket, int64(c.cfg.ReconnectMS*1e6)
	h.Token, h.Ephemeral = nil, nil // good for one attempt, which is over
	hs, err := handshake.NewClient(h)
	if err != nil {
		c.log.Error("cannot come back", "error", err)
		return false
	}
	c.hs, c.ch, c.state, c.resuming = hs, nil, Connecting, true
	c.pred.reset()
	c.haveSnap, c.needFull = false, false
	c.reveals.asked = false
	clear(c.players)
	c.scores = c.scores[:0]
	c.log.Info("connection lost; trying to come back", "for_ms", c.cfg.ReconnectMS)
	return true
}

// Resuming reports whether a connection was lost and the client tries to come back
// to the place that it had.
func (c *Client) Resuming() bool { return c.resuming && c.state == Connecting }

// lost is called when the server is not heard of any more.
func (c *Client) lost() {
	if !c.redial() {
		c.end(c.silence())
	}
}

func (c *Client) silence() string {
	return fmt.Sprintf("the server has not been heard of for %.0f s", c.cfg.TimeoutMS/1000)
}

// refused ends an attempt, in words that fit what it was for.
func (c *Client) refused(err error) {
	var r *handshake.RefusedError
	switch {
	case !c.resuming:
		c.end(err.Error())
	case errors.Is(err, handshake.ErrTimeout):
		c.end(fmt.Sprintf("%s, and did not answer for %.0f s more", c.silence(), c.cfg.ReconnectMS/1000))
	case errors.As(err, &r) && r.Code == handshake.NoToken:
		c.end("the connection was lost, and the place on the server is given up: ask for a new token")
	default:
		c.end("the connection was lost: " + err.Error())
	}
}

// probe asks the server to find out where this client is, while nothing is heard.
func (c *Client) probe(now int64) {
	if now-c.ch.LastRecv() < pathQuietNS || now-c.probeAt < pathEveryNS {
		return
	}
	c.probeAt = now
	c.sendPath(c.ch.SealProbe(handshake.AppendPath(c.out[:0], c.tag, nil), now))
}

// found answers the server's question where this client is.
func (c *Client) found(now int64) {
	if number, ok := c.ch.Asked(); ok {
		c.sendPath(c.ch.SealAnswer(handshake.AppendPath(c.out[:0], c.tag, nil), number, now))
	}
}

func (c *Client) sendPath(pkt []byte) {
	c.cfg.Link.Send(pkt, c.cfg.Server)
	c.stats.BytesOut += int64(len(pkt))
	c.stats.PacketsOut++
}

// knock sends the handshake's next packet when one is due.
func (c *Client) knock(now int64) {
	if pkt := c.hs.Step(now); pkt != nil {
		c.cfg.Link.Send(pkt, c.cfg.Server)
		c.stats.BytesOut += int64(len(pkt))
		c.stats.PacketsOut++
	}
	if err := c.hs.Err(); err != nil {
		c.refused(err)
	}
}

// answer takes a packet of the handshake.
func (c *Client) answer(pkt []byte, now int64) {
	if c.state != Connecting {
		return
	}
	if err := c.hs.Handle(pkt, now); err != nil {
		c.refused(err)
		return
	}
	if c.hs.State() != handshake.Joined {
		return
	}
	se := c.hs.Session()
	ch, err := netchan.New(netchan.Config{Send: se.Send, Recv: se.Recv, Suite: netchan.Suite(se.Suite)}, now)
	if err != nil {
		c.end(err.Error())
		return
	}
	c.ch, c.state = ch, Joining
	c.ticket, c.tag = se.Resume, se.Name
	if key, first := c.hs.ServerKey(); first && c.hs.PinErr() == nil && c.cfg.Hello.Pins != nil {
		c.log.Info("server seen for the first time; its key is remembered", "fingerprint", handshake.Fingerprint(key))
	}
	c.queue(&wire.Join{Name: c.cfg.Name, Bot: c.cfg.Bot})
	c.send(now)
}
