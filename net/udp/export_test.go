package udp

import (
	"net/netip"

	"github.com/sightline-engine/sightline/net/link"
)

// Sources is the table of sources.
type Sources struct{ t *sources }

func NewSources() Sources                        { return Sources{newSources()} }
func (s Sources) Note(p link.Addr, a netip.Addr) { s.t.note(p, source{addr: a}) }
func (s Sources) Of(p link.Addr) netip.Addr      { return s.t.of(p).addr }
func (s Sources) Forget(p link.Addr)             { s.t.forget(p) }

// Pretend makes c believe that peer has spoken to an address.
func Pretend(c *Conn, peer link.Addr, a netip.Addr) { c.sources.note(peer, source{addr: a}) }
