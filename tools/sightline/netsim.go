package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/relay"
	"github.com/sightline-engine/sightline/net/udp"
)

// netsimFlags are what netsim is called with.
type netsimFlags struct {
	listen, server string
	up, down       link.SimConfig
	seed           uint64
	clients        int
	idle           time.Duration
	json           bool
}

// defaultPort is the one that a server listens on when nothing else is said.
const defaultPort = 27960

// newNetsim returns the netsim subcommand.
func newNetsim() *cobra.Command {
	var f netsimFlags
	c := &cobra.Command{
		Use:   "netsim --server host:port",
		Short: "Relay UDP between clients and a server through a bad line",
		Long: "Clients connect to --listen instead of the server. Each gets a socket of its own to\n" +
			"the server, and a line with the delay, jitter, loss and so on that is asked for, in\n" +
			"each direction apart. Interrupt it to end it; it then says what it did.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt)
			defer stop()
			return runNetsim(ctx, c.OutOrStdout(), f, func(a link.Addr) {
				fmt.Fprintf(c.ErrOrStderr(), "netsim: %v to %s\n", a, f.server)
			})
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.listen, "listen", ":27961", "address that clients connect to")
	fs.StringVar(&f.server, "server", "", "the server: host, host:port or [IPv6]:port")
	_ = c.MarkFlagRequired("server")
	for _, d := range []struct {
		name string
		cfg  *link.SimConfig
	}{{"up", &f.up}, {"down", &f.down}} {
		way := "to the server"
		if d.name == "down" {
			way = "from the server"
		}
		fs.Float64Var(&d.cfg.LatencyMS, d.name+"-latency", 0, "one-way delay "+way+", ms")
		fs.Float64Var(&d.cfg.JitterMS, d.name+"-jitter", 0, "random delay on top "+way+", 0 to this many ms")
		fs.Float64Var(&d.cfg.Loss, d.name+"-loss", 0, "share of packets lost "+way+", 0 to 1")
		fs.Float64Var(&d.cfg.Burst, d.name+"-burst", 0, "mean number of packets lost in a row "+way+"; 0: independent")
		fs.Float64Var(&d.cfg.Dup, d.name+"-dup", 0, "share of packets doubled "+way+", 0 to 1")
		fs.Float64Var(&d.cfg.Reorder, d.name+"-reorder", 0, "share of packets overtaken "+way+", 0 to 1")
		fs.Float64Var(&d.cfg.RateKbps, d.name+"-rate", 0, "speed of the line "+way+", kbps; 0: no limit")
	}
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the random choices")
	fs.IntVar(&f.clients, "clients", relay.DefaultClients, "most clients at a time")
	fs.DurationVar(&f.idle, "idle", relay.DefaultIdle, "silence after which a client is forgotten")
	fs.BoolVar(&f.json, "json", false, "print the figures at the end as JSON")
	return c
}

// runNetsim relays until ctx is done, then prints the figures. ready is told where
// it listens.
func runNetsim(ctx context.Context, out io.Writer, f netsimFlags, ready func(link.Addr)) error {
	server, err := udp.Resolve(ctx, f.server, defaultPort)
	if err != nil {
		return err
	}
	front, err := udp.Listen(f.listen, udp.Options{Queue: 4096, Answer: true})
	if err != nil {
		return err
	}
	defer front.Close()
	any4 := "0.0.0.0:0"
	if server.Addr().Is6() {
		any4 = "[::]:0"
	}
	f.up.Seed, f.down.Seed = f.seed, f.seed
	r, err := relay.New(relay.Config{
		Listen: front, Server: server, Up: f.up, Down: f.down, Clients: f.clients, Idle: f.idle.Nanoseconds(),
		Dial: func() (link.Link, error) {
			return udp.Listen(any4, udp.Options{ReadBuffer: 1 << 18, WriteBuffer: 1 << 18})
		},
	})
	if err != nil {
		return err
	}
	defer r.Close()
	ready(front.LocalAddr())

	// While somebody is there the sockets are looked at once per millisecond, which
	// is the finest that the simulated delays are kept to.
	const busy, quiet = time.Millisecond, 250 * time.Millisecond
	start := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return printNetsim(out, r.Stats(), f.json)
		case <-front.Ready():
		case <-timer.C:
		}
		r.Advance(time.Since(start).Nanoseconds())
		if r.Stats().Clients > 0 {
			timer.Reset(busy)
		} else {
			timer.Reset(quiet)
		}
	}
}

// printNetsim prints what a relay did.
func printNetsim(out io.Writer, s relay.Stats, asJSON bool) error {
	if asJSON {
		return writeJSON(out, s)
	}
	fmt.Fprintf(out, "%d clients, %d expired, %d packets refused, %d without a socket, %d from strangers\n",
		s.Seen, s.Expired, s.Refused, s.DialFails, s.Stray)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "direction\tpackets\tdelivered\tlost\toverflowed\tdoubled\treordered")
	for _, d := range []struct {
		name string
		s    link.SimStats
	}{{"up", s.Up}, {"down", s.Down}} {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", d.name, d.s.Packets, d.s.Delivered, d.s.Lost, d.s.Overflowed, d.s.Doubled, d.s.Reordered)
	}
	return w.Flush()
}
