package client

import (
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
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

// knock sends the handshake's next packet when one is due.
func (c *Client) knock(now int64) {
	if pkt := c.hs.Step(now); pkt != nil {
		c.cfg.Link.Send(pkt, c.cfg.Server)
		c.stats.BytesOut += int64(len(pkt))
		c.stats.PacketsOut++
	}
	if err := c.hs.Err(); err != nil {
		c.end(err.Error())
	}
}

// answer takes a packet of the handshake.
func (c *Client) answer(pkt []byte, now int64) {
	if c.state != Connecting {
		return
	}
	if err := c.hs.Handle(pkt, now); err != nil {
		c.end(err.Error())
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
	if key, first := c.hs.ServerKey(); first && c.hs.PinErr() == nil && c.cfg.Hello.Pins != nil {
		c.log.Info("server seen for the first time; its key is remembered", "fingerprint", handshake.Fingerprint(key))
	}
	c.queue(&wire.Join{Name: c.cfg.Name, Bot: c.cfg.Bot})
	c.send(now)
}
