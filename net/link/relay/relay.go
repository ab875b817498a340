// Package relay puts the link simulator between any client and any server: what
// clients send to one address goes on to the server through a simulated line, and
// back.
//
// Every client gets an upstream link of its own, so that the server sees as many
// addresses as there are clients, and a simulated line of its own with a seed that
// follows from the order in which clients came. Their number is bounded, and one
// that is silent for long is forgotten.
//
// A Relay has no clock and starts no goroutine: Advance says what time it is, in
// nanoseconds. It belongs to one goroutine. It owns the upstream links; the one it
// listens on belongs to its maker.
package relay

import (
	"errors"
	"fmt"

	"github.com/sightline-engine/sightline/net/link"
)

// Config is what a Relay is made with.
type Config struct {
	Listen link.Link // where clients send to
	Server link.Addr
	// Dial opens a new upstream link for a new client.
	Dial func() (link.Link, error)
	// Up is what happens to packets to the server, Down to those from it. Client n
	// (from 0) has the seeds of both plus n.
	Up, Down link.SimConfig
	Clients  int   // most at a time; 0: DefaultClients
	Idle     int64 // nanoseconds without a packet from a client until it is forgotten; 0: DefaultIdle
}

// Limits where none are given.
const (
	DefaultClients = 128
	DefaultIdle    = 30_000_000_000

	// perAdvance bounds how many packets one Advance takes from each link.
	perAdvance = 8192
)

// Stats counts what a Relay did since it was made, clients that are gone included.
type Stats struct {
	Clients   int    // now
	Seen      int    // so far
	Expired   int    // forgotten after silence
	Refused   uint64 // packets of clients beyond the limit
	DialFails uint64 // packets lost because no upstream link could be opened
	Stray     uint64 // packets upstream from somebody other than the server
	Up, Down  link.SimStats
}

// Relay is a running relay.
type Relay struct {
	cfg     Config
	clients []*client
	byAddr  map[link.Addr]*client
	seen    int
	stats   Stats
	buf     [link.MaxPacket]byte
}

type client struct {
	addr link.Addr
	line *link.Sim
	last int64 // when it sent something
}

// New makes a Relay.
func New(cfg Config) (*Relay, error) {
	switch {
	case cfg.Listen == nil || cfg.Dial == nil:
		return nil, errors.New("relay: no link to listen on, or none to dial")
	case !cfg.Server.IsValid() || cfg.Server.Port() == 0:
		return nil, fmt.Errorf("relay: %v is no address of a server", cfg.Server)
	case cfg.Clients < 0 || cfg.Clients > 1<<14:
		return nil, fmt.Errorf("relay: %d clients, allowed are 1 to %d", cfg.Clients, 1<<14)
	case cfg.Idle < 0:
		return nil, fmt.Errorf("relay: idle time of %d ns", cfg.Idle)
	}
	if err := cfg.Up.Validate(); err != nil {
		return nil, fmt.Errorf("relay: up: %w", err)
	}
	if err := cfg.Down.Validate(); err != nil {
		return nil, fmt.Errorf("relay: down: %w", err)
	}
	if cfg.Clients == 0 {
		cfg.Clients = DefaultClients
	}
	if cfg.Idle == 0 {
		cfg.Idle = DefaultIdle
	}
	return &Relay{cfg: cfg, byAddr: map[link.Addr]*client{}}, nil
}

// Advance moves everything that is due at now, which never goes back.
func (r *Relay) Advance(now int64) {
	for _, c := range r.clients {
		c.line.Advance(now)
	}
	for range perAdvance {
		n, from, ok := r.cfg.Listen.Recv(r.buf[:])
		if !ok {
			break
		}
		if c := r.client(from, now); c != nil {
			c.last = now
			_ = c.line.Send(r.buf[:n], r.cfg.Server) // a line tells nobody of what it lost
		}
	}
	keep := r.clients[:0]
	for _, c := range r.clients {
		r.back(c)
		_ = link.Flush(c.line)
		if now-c.last < r.cfg.Idle {
			keep = append(keep, c)
			continue
		}
		r.stats.Expired++
		r.forget(c)
	}
	clear(r.clients[len(keep):])
	r.clients = keep
	_ = link.Flush(r.cfg.Listen)
}

// back hands a client what has come for it.
func (r *Relay) back(c *client) {
	for range perAdvance {
		n, from, ok := c.line.Recv(r.buf[:])
		if !ok {
			return
		}
		if from != r.cfg.Server {
			r.stats.Stray++
			continue
		}
		_ = r.cfg.Listen.Send(r.buf[:n], c.addr)
	}
}

// client finds who sends from an address, or lets it in; nil when it cannot.
func (r *Relay) client(from link.Addr, now int64) *client {
	if c, ok := r.byAddr[from]; ok {
		return c
	}
	if len(r.clients) >= r.cfg.Clients {
		r.stats.Refused++
		return nil
	}
	up, err := r.cfg.Dial()
	if err != nil {
		r.stats.DialFails++
		return nil
	}
	out, in := r.cfg.Up, r.cfg.Down
	out.Seed += uint64(r.seen)
	in.Seed += uint64(r.seen)
	line, err := link.NewSim(up, out, in)
	if err != nil {
		_ = up.Close()
		r.stats.DialFails++
		return nil
	}
	line.Advance(now)
	c := &client{addr: from, line: line}
	r.seen++
	r.clients = append(r.clients, c)
	r.byAddr[from] = c
	return c
}

func (r *Relay) forget(c *client) {
	delete(r.byAddr, c.addr)
	out, in := c.line.Stats()
	add(&r.stats.Up, out)
	add(&r.stats.Down, in)
	_ = c.line.Close()
}

// Next is when the next packet under way is due; ok is false when there is none.
func (r *Relay) Next() (at int64, ok bool) {
	for _, c := range r.clients {
		if t, has := c.line.Next(); has && (!ok || t < at) {
			at, ok = t, true
		}
	}
	return at, ok
}

// Stats is a copy of the counters.
func (r *Relay) Stats() Stats {
	s := r.stats
	s.Clients, s.Seen = len(r.clients), r.seen
	for _, c := range r.clients {
		out, in := c.line.Stats()
		add(&s.Up, out)
		add(&s.Down, in)
	}
	return s
}

// Close closes the upstream links. What is under way is lost; Stats stays.
func (r *Relay) Close() {
	for _, c := range r.clients {
		r.forget(c)
	}
	r.clients = nil
}

func add(to *link.SimStats, s link.SimStats) {
	to.Packets += s.Packets
	to.Delivered += s.Delivered
	to.Lost += s.Lost
	to.Overflowed += s.Overflowed
	to.Doubled += s.Doubled
	to.Reordered += s.Reordered
}
