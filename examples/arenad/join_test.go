//go:build linux

package main_test

import (
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/udp"
)

// A server that nobody was on wakes at the first knock; who joins plays, and is
// told why when the server ends.
func TestJoinOverTheNetwork(t *testing.T) {
	p := launch(t, true, "-map", "corner", "+set", "sv.port", "0", "+set", "sv.bots", "0")
	time.Sleep(2500 * time.Millisecond) // until it sleeps
	sock, err := udp.Listen("127.0.0.1:0", udp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer sock.Close()
	levels, err := host.NewLevels([]string{"../arena"}, nil, 32)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(client.Config{
		Link: sock, Server: netip.MustParseAddrPort(p.addr), Name: "Ada", Hello: handshake.ClientConfig{}, Tables: host.TablesByHash,
		Load: func(name string, hash [32]byte) (client.Loaded, error) {
			got, err := levels.OpenNamed(name, hash)
			if err != nil {
				return client.Loaded{}, err
			}
			return got.Loaded, got.Files.Close()
		},
		Input: func(*client.Client, state.Tick) state.Cmd { return state.Cmd{Forward: 127} },
	})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	until := func(what string, f func() bool) {
		t.Helper()
		for !f() {
			if time.Since(began) > 15*time.Second {
				t.Fatalf("waited too long for %s: %v %q %+v\n%s", what, c.State(), c.Reason(), c.Stats(), p.log.String())
			}
			c.Advance(int64(time.Since(began)) + 1)
			time.Sleep(2 * time.Millisecond)
		}
	}
	until("the level", func() bool { return c.State() == client.Playing })
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v to join a server on the same machine", took)
	}
	until("a walk", func() bool { return c.Stats().Moved > 2 })
	if s := c.Stats(); s.Errors != 0 || s.BadSnapshots != 0 {
		t.Errorf("%+v", s)
	}
	if a := p.status(); a.clients != 1 || !strings.Contains(p.out.String(), "Ada") {
		t.Errorf("the server does not know of Ada\n%s", p.out.String())
	}
	syscall.Kill(p.cmd.Process.Pid, syscall.SIGTERM)
	until("the end", func() bool { return c.State() == client.Gone })
	if c.Reason() != "the server is shutting down" {
		t.Errorf("told %q", c.Reason())
	}
	if code := p.end(5 * time.Second); code != 0 {
		t.Errorf("exit status %d", code)
	}
	quiet(t, p)
}
