package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/link/relay"
	"github.com/sightline-engine/sightline/net/udp"
)

// A packet goes through real sockets to the server and back, and the end is clean.
func TestNetsimRelaysOverRealSockets(t *testing.T) {
	server, err := udp.Listen("127.0.0.1:0", udp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := udp.Listen("127.0.0.1:0", udp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	at, done := make(chan link.Addr, 1), make(chan error, 1)
	go func() {
		done <- runNetsim(ctx, &out, netsimFlags{
			listen: "127.0.0.1:0", server: server.LocalAddr().String(), clients: 4, seed: 1, json: true,
			up: link.SimConfig{LatencyMS: 2}, down: link.SimConfig{LatencyMS: 2},
		}, func(a link.Addr) { at <- a })
	}()
	var front link.Addr
	select {
	case front = <-at:
	case err := <-done:
		t.Fatal(err)
	}
	_ = client.Send([]byte("hello"), front)
	_ = client.Flush()

	var buf [link.MaxPacket]byte
	recv := func(c *udp.Conn) (string, link.Addr) {
		for {
			if n, from, ok := c.Recv(buf[:]); ok {
				return string(buf[:n]), from
			}
			select {
			case <-c.Ready():
			case <-t.Context().Done():
				t.Fatal("nothing came")
			}
		}
	}
	got, from := recv(server)
	if got != "hello" || from == client.LocalAddr() {
		t.Errorf("the server got %q from %v", got, from)
	}
	_ = server.Send([]byte("and back"), from)
	_ = server.Flush()
	if got, from := recv(client); got != "and back" || from != front {
		t.Errorf("the client got %q from %v", got, from)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var s relay.Stats
	if err := json.Unmarshal(out.Bytes(), &s); err != nil || s.Seen != 1 || s.Up.Delivered != 1 || s.Down.Delivered != 1 {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestNetsimSaysWhatIsWrong(t *testing.T) {
	for want, args := range map[string][]string{
		"required flag":         {"netsim"},
		"loss is 3, allowed":    {"netsim", "--server", "127.0.0.1:9", "--listen", "127.0.0.1:0", "--up-loss", "3"},
		"relay: -1 clients":     {"netsim", "--server", "127.0.0.1:9", "--listen", "127.0.0.1:0", "--clients", "-1"},
		"unknown command \"x\"": {"netsim", "x", "--server", "127.0.0.1:9"},
	} {
		root := newRoot()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(args)
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}
