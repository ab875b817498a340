package host_test

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/udp"
)

// open starts a host on a free port of all addresses, without bots.
func (r *room) open(t *testing.T) *host.Host {
	t.Helper()
	h, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: r.slog()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Stop("the test is over") })
	return h
}

// at is the host's door as somebody on this machine reaches it.
func at(h *host.Host, ip string) netip.AddrPort {
	return netip.AddrPortFrom(netip.MustParseAddr(ip), h.Addr().Port())
}

// knock joins over a socket and waits until that has led to something.
func (r *room) knock(t *testing.T, local string, to netip.AddrPort, hello handshake.ClientConfig) *client.Client {
	t.Helper()
	sock, err := udp.Listen(local, udp.Options{})
	if err != nil {
		t.Skipf("no such address on this machine: %v", err)
	}
	t.Cleanup(func() { sock.Close() })
	c, err := client.New(client.Config{
		Link: sock, Server: to, Name: "Ada", Hello: hello, Load: r.load, Tables: host.TablesByHash,
		Input: func(*client.Client, state.Tick) state.Cmd { return state.Cmd{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for c.State() != client.Gone && c.Stats().Snapshots == 0 {
		if time.Since(began) > 15*time.Second {
			t.Fatalf("%v: nothing came of it: %v\n%s", to, c.State(), r.log)
		}
		c.Advance(int64(time.Since(began)) + 1)
		time.Sleep(2 * time.Millisecond)
	}
	t.Cleanup(func() { c.Quit("the test is over") })
	return c
}

// One host on all addresses of a machine is joined at each of them, in both
// families: its answers come from the address that was asked.
func TestHostIsJoinedAtEveryAddress(t *testing.T) {
	r := newRoom(t, "sv.port", "0", "sv.bots", "0", "plugin.linked", "true")
	h := r.open(t)
	for _, f := range []struct{ local, ip string }{
		{":0", "127.0.0.2"}, {":0", "127.0.0.1"}, {"[::1]:0", "::1"}, {":0", "::1"}, {"127.0.0.5:0", "127.0.0.3"},
	} {
		c := r.knock(t, f.local, at(h, f.ip), handshake.ClientConfig{})
		if c.State() != client.Playing {
			t.Errorf("from %s to %s: %v, %s", f.local, f.ip, c.State(), c.Reason())
		}
		c.Quit("seen")
	}
	// One address of IPv6, in either spelling; what is said of it is in brackets.
	for _, ip := range []string{"::1", "[::1]"} {
		r := newRoom(t, "sv.ip", ip, "sv.port", "0", "sv.bots", "0", "plugin.linked", "true")
		h := r.open(t)
		if c := r.knock(t, ":0", at(h, "::1"), handshake.ClientConfig{}); c.State() != client.Playing {
			t.Errorf("at %s: %v, %s", ip, c.State(), c.Reason())
		}
		port := h.Addr().Port()
		r = newRoom(t, "sv.ip", ip, "sv.port", strconv.Itoa(int(port)), "sv.bots", "0", "plugin.linked", "true")
		second, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: r.slog()})
		if err == nil {
			second.Stop("")
			t.Fatal("two hosts on one port")
		}
		if want := fmt.Sprintf("[::1]:%d", port); !strings.Contains(err.Error(), want) {
			t.Errorf("no %s in: %v", want, err)
		}
	}
}

// A host with sv.trust token lets in a ticket of its matchmaker over the network,
// once, and its own player without; everybody else reads why not.
func TestHostThatWantsTokens(t *testing.T) {
	dir := t.TempDir()
	shared := [32]byte{1, 2, 3}
	file := filepath.Join(dir, "key")
	if err := os.WriteFile(file, []byte(handshake.TokenKeyText(shared)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRoom(t, "sv.port", "0", "sv.bots", "0", "plugin.linked", "true", "sv.trust", "token", "sv.token_key", file, "sv.address", "127.0.0.1")
	h := r.open(t)
	ticket := func(change func(*handshake.Token)) *handshake.Ticket {
		k, err := handshake.NewKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		tok := handshake.Token{Client: k.Public, Servers: []netip.AddrPort{at(h, "127.0.0.1")}, User: 5, Issued: time.Now().UnixNano(), Expires: time.Now().Add(20 * time.Second).UnixNano()}
		if change != nil {
			change(&tok)
		}
		sealed, err := tok.Seal(shared, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &handshake.Ticket{Token: sealed, Client: k, Server: h.Key()}
	}
	good := ticket(nil)
	name := filepath.Join(dir, "ticket")
	if err := os.WriteFile(name, []byte(good.Text()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := host.LoadTicket(name)
	if err != nil {
		t.Fatal(err)
	}
	try := func(t *testing.T, k *handshake.Ticket) (state client.State, why string) {
		var hello handshake.ClientConfig
		if k != nil {
			k.Use(&hello)
		}
		c := r.knock(t, "127.0.0.1:0", at(h, "127.0.0.1"), hello)
		return c.State(), c.Reason()
	}
	if s, why := try(t, loaded); s != client.Playing {
		t.Fatalf("a good ticket: %v, %s\n%s", s, why, r.log)
	}
	before := func(d time.Duration) func(*handshake.Token) {
		return func(t *handshake.Token) { t.Issued, t.Expires = t.Issued-int64(d), t.Expires-int64(d) }
	}
	for _, f := range []struct {
		what   string
		ticket *handshake.Ticket
		says   string
	}{
		{"none", nil, "a connect token is needed"},
		{"used", good, "it was used already"},
		{"expired", ticket(before(21 * time.Second)), "it has expired"},
		{"from the future", ticket(before(-time.Minute)), "it is from the future"},
		{"older than the run", ticket(func(t *handshake.Token) { t.Issued -= int64(24 * time.Second) }), "from before the server's start"},
		{"for another port", ticket(func(t *handshake.Token) { t.Servers[0] = netip.AddrPortFrom(t.Servers[0].Addr(), 1) }), "for another server"},
	} {
		if s, why := try(t, f.ticket); s != client.Gone || !strings.Contains(why, f.says) || strings.Contains(why, "\n") {
			t.Errorf("%s: %v, %q", f.what, s, why)
		}
	}
	l, to, err := h.Dial()
	if err != nil {
		t.Fatal(err)
	}
	pub := h.Key()
	own, err := client.New(client.Config{
		Link: l, Server: to, Name: "host", Hello: handshake.ClientConfig{Key: &pub}, Load: r.load, Tables: host.TablesByHash,
		Input: func(*client.Client, state.Tick) state.Cmd { return state.Cmd{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); own.State() != client.Playing && time.Since(began) < 10*time.Second; time.Sleep(2 * time.Millisecond) {
		own.Advance(int64(time.Since(began)) + 1)
	}
	if own.State() != client.Playing {
		t.Errorf("the host's own player: %v, %s", own.State(), own.Reason())
	}
}

// nat is a socket that is exchanged without its owner's knowing, as a NAT changes
// the address that others see.
type nat struct{ *udp.Conn }

// Over true sockets a client whose address changes, from one family's loopback
// address to the next, plays on in the same session.
func TestHostFollowsItsClients(t *testing.T) {
	r := newRoom(t, "sv.port", "0", "sv.bots", "0", "plugin.linked", "true")
	h := r.open(t)
	listen := func(at string) *udp.Conn {
		c, err := udp.Listen(at, udp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	way := &nat{listen("127.0.0.1:0")}
	c, err := client.New(client.Config{
		Link: way, Server: at(h, "127.0.0.1"), Name: "Ada", Load: r.load, Tables: host.TablesByHash,
		Input: func(*client.Client, state.Tick) state.Cmd { return state.Cmd{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	until := func(what string, f func() bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); !f(); time.Sleep(2 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited too long for %s: %v %s\n%s", what, c.State(), c.Reason(), r.log)
			}
			c.Advance(int64(time.Since(began)) + 1)
		}
	}
	until("the match", func() bool { return c.Stats().Snapshots > 5 })
	id := c.ID()
	for _, next := range []string{"127.0.0.1:0", "127.0.0.7:0"} {
		way.Conn.Close()
		way.Conn = listen(next)
		was, quiet := c.Stats().Snapshots, time.Now()
		until("a snapshot at "+next, func() bool { return c.Stats().Snapshots > was+5 })
		if d := time.Since(quiet); d > 2*time.Second {
			t.Errorf("found after %v", d)
		}
	}
	if n := c.Stats().Levels; n != 1 || c.ID() != id || c.State() != client.Playing || h.Server().Stats().Clients != 1 {
		t.Errorf("%d levels, id %d, %v, %d clients", n, c.ID(), c.State(), h.Server().Stats().Clients)
	}
	c.Quit("seen")
}

// What sv.trust token lacks is said in one sentence that names the setting.
func TestTrustSettingsAreJudged(t *testing.T) {
	dir := t.TempDir()
	file, bad := filepath.Join(dir, "key"), filepath.Join(dir, "bad")
	if err := os.WriteFile(file, []byte(handshake.TokenKeyText([32]byte{1})), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte("sightline-private-key:"+hex.EncodeToString(make([]byte, 32))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		set  []string
		says []string
	}{
		{nil, []string{"sv.token_key", "sightline token keygen"}},
		{[]string{"sv.token_key", filepath.Join(dir, "none")}, []string{"sv.token_key", "none"}},
		{[]string{"sv.token_key", bad}, []string{"sv.token_key", bad, "not a token key"}},
		{[]string{"sv.token_key", file}, []string{"sv.address", "addresses that players reach"}},
		{[]string{"sv.token_key", file, "sv.address", "192.0.2.1:x y"}, []string{"sv.address"}},
		{[]string{"sv.trust", "open", "sv.bans", "somewhere"}, []string{"sv.bans", "somewhere"}},
	} {
		r := newRoom(t, append([]string{"sv.port", "0", "sv.bots", "0", "plugin.linked", "true", "sv.trust", "token"}, f.set...)...)
		h, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: r.slog()})
		if err == nil {
			h.Stop("")
			t.Errorf("%v: started", f.set)
			continue
		}
		for _, want := range f.says {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v: %v", f.set, err)
			}
		}
	}
	// Where the socket has an address of its own, that is the one.
	r := newRoom(t, "sv.port", "0", "sv.ip", "127.0.0.1", "sv.bots", "0", "plugin.linked", "true", "sv.trust", "token", "sv.token_key", file)
	r.open(t)
}

// A ban of 127.0.0.1 holds for whoever comes from there in the form of IPv6, counts
// at once, and is lifted at once.
func TestBansOfSettings(t *testing.T) {
	r := newRoom(t, "sv.port", "0", "sv.bots", "0", "plugin.linked", "true")
	h := r.open(t)
	to := at(h, "127.0.0.1")
	c := r.knock(t, "127.0.0.1:0", to, handshake.ClientConfig{})
	if c.State() != client.Playing {
		t.Fatalf("%v, %s", c.State(), c.Reason())
	}
	set := func(list ...string) {
		t.Helper()
		if err := r.set.Bans.Set(list); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		for !h.Server().Do(func(*server.Server) { close(done) }) {
			time.Sleep(time.Millisecond)
		}
		<-done
	}
	set("192.0.2.0/24", "127.0.0.1")
	for began := time.Now(); c.State() != client.Gone && time.Since(began) < 5*time.Second; time.Sleep(2 * time.Millisecond) {
		c.Advance(int64(20*time.Second) + int64(time.Since(began)))
	}
	if !strings.Contains(c.Reason(), "banned") {
		t.Errorf("%v, %q", c.State(), c.Reason())
	}
	mapped, err := net.ListenUDP("udp", nil) // of both families: 127.0.0.1 is ::ffff:127.0.0.1 to it
	if err != nil {
		t.Fatal(err)
	}
	mapped.Close()
	if c := r.knock(t, ":0", to, handshake.ClientConfig{}); !strings.Contains(c.Reason(), "banned") {
		t.Errorf("%v, %q", c.State(), c.Reason())
	}
	set("nonsense") // leaves the list as it was
	if c := r.knock(t, "127.0.0.1:0", to, handshake.ClientConfig{}); !strings.Contains(c.Reason(), "banned") {
		t.Errorf("%v, %q", c.State(), c.Reason())
	}
	set()
	if c := r.knock(t, "127.0.0.1:0", to, handshake.ClientConfig{}); c.State() != client.Playing {
		t.Errorf("%v, %q", c.State(), c.Reason())
	}
}
