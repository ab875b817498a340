package handshake_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
)

func TestBothSidesAgree(t *testing.T) {
	for _, c := range []struct {
		name           string
		server, client uint8
		want           netchan.Suite
	}{
		{"both have AES", 3, 3, netchan.AESGCM},
		{"the client has none", 3, 2, netchan.ChaCha},
		{"the server has none", 2, 3, netchan.ChaCha},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(s *handshake.ServerConfig) { s.Suites = c.server })
			cl := w.newClient(4, func(cc *handshake.ClientConfig) { cc.Suites = c.client })
			accept, ev := w.handle(w.prove(cl), w.from)
			if err := cl.Handle(accept, w.now); err != nil {
				t.Fatal(err)
			}
			a, b := cl.Session(), ev.Session
			if a == nil || b == nil || a.Send != b.Recv || a.Recv != b.Send || a.Send == a.Recv || a.Suite != uint8(c.want) || b.Suite != a.Suite {
				t.Fatalf("sessions differ: %+v, %+v", a, b)
			}
			if a.Slot != 3 || a.Tick != 70000 || a.TickRate != 64 || string(a.Welcome) != "welcome, anna" || string(b.Hello) != "anna" || b.Peer != w.from {
				t.Errorf("terms: %+v, %+v", a, b)
			}
			if k, first := cl.ServerKey(); k != w.config.Key.Public || !first {
				t.Error("server key on first use")
			}
			if _, ev := w.handle(w.data(a), w.from); ev.Kind != handshake.EventConfirmed || ev.Session != b {
				t.Errorf("not confirmed: %+v", w.server.Stats())
			}
		})
	}
}

// Longest content of both sides still fits, and is never answered by more.
func TestLongestHelloAndWelcome(t *testing.T) {
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.Offer = func(netip.AddrPort, []byte) (handshake.Offer, handshake.Refusal) {
			return handshake.Offer{Welcome: make([]byte, handshake.MaxWelcome)}, handshake.Refusal{}
		}
	})
	c := w.newClient(4, func(c *handshake.ClientConfig) { c.Hello = make([]byte, handshake.MaxHello) })
	accept, ev := w.handle(w.prove(c), w.from)
	if err := c.Handle(accept, w.now); err != nil || c.Session() == nil {
		t.Fatal(err, ev)
	}
	if len(c.Session().Welcome) != handshake.MaxWelcome || len(ev.Session.Hello) != handshake.MaxHello {
		t.Error("cut")
	}
	if _, err := handshake.NewClient(handshake.ClientConfig{Suites: 1, Hello: make([]byte, handshake.MaxHello+1)}); err == nil {
		t.Error("a hello too long is taken")
	}
}

func TestNoStateBeforeTheCookie(t *testing.T) {
	w := newWorld(t, nil)
	hello := w.step(w.client)
	for i := range 1000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), uint16(1000+i))
		if reply, ev := w.handle(hello, from); len(reply) != 64 || ev.Kind != handshake.EventNone {
			t.Fatalf("%d bytes, %+v", len(reply), ev)
		}
	}
	if n := w.server.Pending(); n != 0 {
		t.Errorf("%d pending", n)
	}
	if n := testing.AllocsPerRun(100, func() { w.server.Handle(hello, w.from, w.now) }); n != 0 {
		t.Errorf("%v allocations for a hello without a cookie", n)
	}
}

// Every first byte and every size, from one byte to the longest packet.
func TestNoAnswerIsLongerThanWhatItAnswers(t *testing.T) {
	w := newWorld(t, nil)
	w.gate = handshake.Refusal{Code: handshake.Unwelcome, Text: strings.Repeat("no ", 500)}
	proof := w.prove(w.client)
	rng := rand.New(rand.NewPCG(1, 1))
	for kind := range 256 {
		for size := 0; size <= link.MaxPacket; size += 1 + rng.IntN(40) {
			pkt := make([]byte, size)
			copy(pkt, proof)
			if size > 0 {
				pkt[0] = byte(kind)
			}
			w.now += ms
			reply, _ := w.handle(pkt, w.from) // fails when the answer is longer
			if reply != nil && (size != handshake.HelloSize || kind != 0xA1) {
				t.Fatalf("type %#x of %d bytes is answered", kind, size)
			}
		}
	}
	if reply, _ := w.handle(proof, addr("198.51.100.1:1")); len(reply) != 64 {
		t.Errorf("a stranger's proof: %d bytes", len(reply))
	}
}

// Flips every byte of every packet of a handshake: none of it establishes a
// session on other keys, and the true packets still do afterwards.
func TestFlippedBytesNeverEstablish(t *testing.T) {
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.Agreements = handshake.Rate{Burst: 1e6, PerSecond: 1e6}
		s.AllAgreements = s.Agreements
	})
	proof := w.prove(w.client)
	end := 94 + 32 + 4 + 16 // all of the Noise message
	for i := range end {
		pkt := bytes.Clone(proof)
		pkt[i] ^= 1 << (i % 8)
		reply, ev := w.handle(pkt, w.from)
		if ev.Kind != handshake.EventNone || reply != nil && reply[0] == 0xA4 || w.server.Pending() > 0 {
			t.Fatalf("hello with byte %d flipped: event %v", i, ev.Kind)
		}
	}
	accept, ev := w.handle(proof, w.from)
	if ev.Kind != handshake.EventOffered {
		t.Fatal("the true hello afterwards: no offer")
	}
	for i := range accept {
		pkt := bytes.Clone(accept)
		pkt[i] ^= 1 << (i % 8)
		if err := w.client.Handle(pkt, w.now); err != nil || w.client.State() != handshake.Proving {
			t.Fatalf("accept with byte %d flipped: %v, %v", i, w.client.State(), err)
		}
	}
	if err := w.client.Handle(accept, w.now); err != nil || w.client.State() != handshake.Joined {
		t.Fatal("the true accept afterwards:", err)
	}
	first := w.data(w.client.Session())
	for i := range first {
		pkt := bytes.Clone(first)
		pkt[i] ^= 1 << (i % 8)
		if _, ev := w.handle(pkt, w.from); ev.Kind != handshake.EventNone {
			t.Fatalf("data with byte %d flipped: event %v", i, ev.Kind)
		}
	}
	if _, ev := w.handle(first, w.from); ev.Kind != handshake.EventConfirmed {
		t.Fatal("the true data afterwards: not confirmed")
	}
}

func TestPendingTableIsBounded(t *testing.T) {
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.MaxPending, s.PendingPerNetwork = 20, 6
		s.Agreements = handshake.Rate{Burst: 1000, PerSecond: 1000}
	})
	join := func(i int, network byte) bool {
		w.from = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, network, byte(i)}), 999)
		_, ev := w.handle(w.prove(w.newClient(byte(i), nil)), w.from)
		return ev.Kind == handshake.EventOffered
	}
	offered := 0
	for i := range 50 { // one network takes its share and no more
		if join(i, 1) {
			offered++
		}
	}
	if offered != 6 {
		t.Errorf("%d offers to one network", offered)
	}
	for i := range 50 {
		if join(i, byte(2+i)) {
			offered++
		}
	}
	if offered != 20 || w.server.Pending() != 20 || w.server.Stats().NoRoom != 80 {
		t.Errorf("%d offers, %d pending, %+v", offered, w.server.Pending(), w.server.Stats())
	}
	w.now += 2 * sec
	if !join(77, 1) || w.server.Pending() != 1 {
		t.Errorf("after 2 s: %d pending", w.server.Pending())
	}
}

// A network that burns its key agreements does not stop another one.
func TestAgreementsAreBudgetedByNetwork(t *testing.T) {
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.Agreements = handshake.Rate{Burst: 5, PerSecond: 1}
	})
	offers := func(from string, seed int) (n int) {
		for i := range 20 {
			w.from = addr(fmt.Sprintf(from, i+1))
			if _, ev := w.handle(w.prove(w.newClient(byte(seed+i), nil)), w.from); ev.Kind == handshake.EventOffered {
				n++
			}
		}
		return n
	}
	if n := offers("203.0.113.%d:5", 0); n != 5 {
		t.Errorf("IPv4: %d offers", n)
	}
	if n := offers("[2001:db8:0:ff%02x::1]:5", 30); n != 5 {
		t.Errorf("IPv6: %d offers", n)
	}
	w.now += 3 * sec
	if n := offers("203.0.113.%d:6", 60); n != 3 {
		t.Errorf("3 s later: %d offers", n)
	}
}

// 20,000 hellos a second from everywhere, with and without guessed cookies,
// replays of a captured proof, and forged data: a player joins in one round.
func TestPlayerJoinsDuringAFlood(t *testing.T) {
	w := newWorld(t, nil)
	victim := w.newClient(40, nil)
	rng := rand.New(rand.NewPCG(7, 7))
	flood := w.prove(w.newClient(41, nil))
	junk := w.data(&handshake.Session{Suite: suites & 2})
	storm := func() {
		for range 200 {
			pkt := bytes.Clone(flood)
			if rng.IntN(2) == 0 {
				pkt[72+rng.IntN(20)] ^= byte(1 + rng.IntN(255))
			}
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()), 9}), uint16(rng.Uint32()))
			w.handle(pkt, from)
			w.handle(junk, w.from)
		}
		w.now += 10 * ms
	}
	w.from = addr("198.51.100.77:4444")
	for round := 0; victim.State() != handshake.Joined; round++ {
		if round > 10 {
			t.Fatalf("not joined: %v, %+v", victim.State(), w.server.Stats())
		}
		storm()
		if p := victim.Step(w.now); p != nil {
			reply, _ := w.handle(p, w.from)
			storm()
			if err := victim.Handle(reply, w.now); err != nil {
				t.Fatal(err)
			}
		}
	}
	storm()
	if _, ev := w.handle(w.data(victim.Session()), w.from); ev.Kind != handshake.EventConfirmed {
		t.Fatalf("not confirmed: %+v", w.server.Stats())
	}
	if w.server.Pending() != 0 {
		t.Errorf("%d pending from the flood", w.server.Pending())
	}
}

func TestRefusalsAreRare(t *testing.T) {
	w := newWorld(t, func(s *handshake.ServerConfig) { s.Protocol = 9 })
	hello := w.step(w.client)
	n := 0
	for range 1000 {
		if reply, _ := w.handle(hello, w.from); reply != nil {
			n++
			if len(reply) > 64 {
				t.Fatalf("refusal of %d bytes", len(reply))
			}
		}
	}
	if n != 8 {
		t.Errorf("%d of 1,000 answered", n)
	}
}

func TestRefusalSentences(t *testing.T) {
	for _, c := range []struct {
		name           string
		server, client uint16
		gate           handshake.Refusal
		want           string
	}{
		{"client older", 3, 2, handshake.Refusal{}, "server speaks protocol 3, you 2: update the client"},
		{"server older", 2, 3, handshake.Refusal{}, "server speaks protocol 2, you 3: the server must be updated, or join with an older client"},
		{"full", 2, 2, handshake.Refusal{Code: handshake.Full}, "server is full: try again later"},
		{"banned", 2, 2, handshake.Refusal{Code: handshake.Banned, Text: "team\x1b[31m kills\x00"}, "you are banned from this server: team[31m kills"},
		{"other", 2, 2, handshake.Refusal{Code: handshake.Unwelcome, Text: "training only \xff"}, "server refuses: training only "},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, func(s *handshake.ServerConfig) { s.Protocol = c.server })
			w.gate = c.gate
			cl := w.newClient(5, func(cc *handshake.ClientConfig) { cc.Protocol = c.client })
			for range 2 {
				if p := cl.Step(w.now); p != nil {
					reply, _ := w.handle(p, w.from)
					_ = cl.Handle(reply, w.now)
				}
			}
			if cl.Err() == nil || cl.Err().Error() != c.want {
				t.Errorf("%v", cl.Err())
			}
		})
	}
}

// A client that restarts on the same port comes in beside its old session,
// and an old pending entry does not stand in its way.
func TestRestartOnTheSamePort(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 5 {
		c := w.newClient(byte(20+i), nil)
		accept, ev := w.handle(w.prove(c), w.from)
		if ev.Kind != handshake.EventOffered {
			t.Fatalf("start %d: no offer", i)
		}
		if err := c.Handle(accept, w.now); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 { // the others never confirm
			continue
		}
		if _, ev := w.handle(w.data(c.Session()), w.from); ev.Kind != handshake.EventConfirmed {
			t.Fatalf("start %d: not confirmed", i)
		}
	}
}

func TestPinnedKey(t *testing.T) {
	w := newWorld(t, nil)
	pins := new(handshake.Pins)
	join := func(seed byte, server *handshake.Server) *handshake.Client {
		c := w.newClient(seed, func(c *handshake.ClientConfig) { c.Pins = pins })
		for range 2 {
			if p := c.Step(w.now); p != nil {
				reply, _ := server.Handle(p, w.from, w.now)
				_ = c.Handle(reply, w.now)
			}
		}
		return c
	}
	if c := join(1, w.server); c.State() != handshake.Joined {
		t.Fatal(c.State(), c.Err())
	}
	second := join(2, w.server)
	if _, first := second.ServerKey(); second.State() != handshake.Joined || first {
		t.Fatal("a second visit:", second.State(), second.Err())
	}
	key, _ := handshake.NewKey(random(99))
	cfg := w.config
	cfg.Key = key
	other, err := handshake.NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := join(3, other)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), handshake.Fingerprint(key.Public)) || !strings.Contains(err.Error(), w.config.Key.String()) {
		t.Errorf("another server on the address: %v, %v", c.State(), err)
	}
	if k, _ := pins.Lookup("test:1"); k != w.config.Key.Public {
		t.Error("the pin was overwritten")
	}
	// Who knows the key from elsewhere and meets another: the same.
	c = w.newClient(4, func(c *handshake.ClientConfig) { c.Key = &key.Public })
	reply, _ := w.handle(w.step(c), w.from)
	if err := c.Handle(reply, w.now); err == nil {
		t.Error("a wrong known key is accepted")
	}
}

// A man in the middle that forwards everything but puts its own key into the
// Retry is not the server that the client then talks to: with the true
// server's answers nothing is established.
func TestForeignKeyInRetryEstablishesNothing(t *testing.T) {
	w := newWorld(t, nil)
	retry, _ := w.handle(w.step(w.client), w.from)
	evil, _ := handshake.NewKey(random(66))
	copy(retry[12:44], evil.Public[:])
	if err := w.client.Handle(retry, w.now); err != nil {
		t.Fatal(err)
	}
	if reply, ev := w.handle(w.step(w.client), w.from); reply != nil || ev.Kind != handshake.EventNone || w.server.Stats().Forged != 1 {
		t.Errorf("answered with %d bytes", len(reply))
	}
}

func TestBadConfigsAreRefused(t *testing.T) {
	key, _ := handshake.NewKey(random(1))
	for name, c := range map[string]handshake.ServerConfig{
		"no key":       {Suites: 1, Authentic: authentic},
		"half a key":   {Suites: 1, Authentic: authentic, Key: handshake.Key{Public: key.Public}},
		"no suites":    {Key: key, Authentic: authentic},
		"no authentic": {Key: key, Suites: 1},
	} {
		if _, err := handshake.NewServer(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.Offer = func(netip.AddrPort, []byte) (handshake.Offer, handshake.Refusal) {
			return handshake.Offer{Welcome: make([]byte, handshake.MaxWelcome+1)}, handshake.Refusal{}
		}
	})
	if reply, ev := w.handle(w.prove(w.client), w.from); reply != nil || ev.Kind != handshake.EventBroken || ev.Err == nil {
		t.Errorf("a welcome too long: %+v", ev)
	}
}

// Over a path that loses, doubles and reorders, everybody joins.
func TestLossyPathConverges(t *testing.T) {
	for seed := range uint64(30) {
		w := newWorld(t, nil)
		loop := link.NewLoop()
		server, _ := loop.Dial(0)
		port, _ := loop.Dial(0)
		cfg := link.SimConfig{LatencyMS: 60, JitterMS: 40, Loss: 0.3, Burst: 2, Dup: 0.1, Reorder: 0.2, Seed: seed}
		path, err := link.NewSim(port, cfg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		c := w.newClient(byte(50+seed), nil)
		var ch *netchan.Channel
		var buf [link.MaxPacket]byte
		start, confirmed := w.now, false
		for !confirmed && w.now < start+10*sec {
			w.now += 5 * ms
			path.Advance(w.now)
			if p := c.Step(w.now); p != nil {
				_ = path.Send(p, server.Addr())
			}
			for {
				n, from, ok := server.Recv(buf[:])
				if !ok {
					break
				}
				reply, ev := w.server.Handle(buf[:n], from, w.now)
				if reply != nil {
					_ = server.Send(reply, from)
				}
				confirmed = confirmed || ev.Kind == handshake.EventConfirmed
			}
			for {
				n, _, ok := path.Recv(buf[:])
				if !ok {
					break
				}
				if err := c.Handle(buf[:n], w.now); err != nil {
					t.Fatal(err)
				}
			}
			if s := c.Session(); s != nil {
				if ch == nil {
					if ch, err = netchan.New(channelConfig(s), w.now); err != nil {
						t.Fatal(err)
					}
				}
				pkt, _, _ := ch.Seal(nil, nil, w.now)
				_ = path.Send(pkt, server.Addr())
			}
		}
		if !confirmed {
			t.Errorf("seed %d: not in after 10 s: client %v, %+v", seed, c.State(), w.server.Stats())
		}
	}
}

func TestKeysAndPinsAsText(t *testing.T) {
	key, _ := handshake.NewKey(random(5))
	got, err := handshake.ParseKey(" " + key.PrivateText() + "\n")
	if err != nil || got != key {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "abc", strings.TrimPrefix(key.PrivateText(), "sightline-"), key.PrivateText() + "00"} {
		if _, err := handshake.ParseKey(bad); err == nil {
			t.Errorf("%q is a key", bad)
		}
	}
	if f := fmt.Sprint(key); len(f) != 39 || f != handshake.Fingerprint(key.Public) {
		t.Errorf("printed as %q", f)
	}

	var pins handshake.Pins
	for _, n := range []string{"b.example:1", "[2001:db8::1]:27960", "a.example:1"} {
		if err := pins.Save(n, key.Public); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []string{"", "a b", "#x", "x\ny", strings.Repeat("x", 600)} {
		if pins.Save(n, key.Public) == nil {
			t.Errorf("%q is pinned", n)
		}
	}
	pins.Forget("b.example:1")
	var text bytes.Buffer
	if err := pins.Write(&text); err != nil {
		t.Fatal(err)
	}
	back, err := handshake.ReadPins(strings.NewReader("# known servers\n\n" + text.String()))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := back.Write(&again); err != nil || again.String() != text.String() || strings.Count(text.String(), "\n") != 2 {
		t.Errorf("%q, then %q", text.String(), again.String())
	}
	for _, bad := range []string{"name", "name zz", "name " + strings.Repeat("0", 62), strings.Repeat("x", 5000)} {
		if _, err := handshake.ReadPins(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// FuzzServer gives a server any packet, as it is and with parts put right so
// that the later checks are reached.
func FuzzServer(f *testing.F) {
	f.Add([]byte{0xA1, 'S', 'L', 'N'}, uint16(0))
	f.Add([]byte{0x40, 1, 0}, uint16(1))
	f.Add(bytes.Repeat([]byte{0xA1}, 1200), uint16(2))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		w := newWorld(t, nil)
		w.handle(data, w.from)
		proof := w.prove(w.client)
		offset := int(at) % len(proof)
		pkt := bytes.Clone(proof)
		copy(pkt[offset:], data)
		_, ev := w.handle(pkt, w.from)
		if ev.Kind == handshake.EventConfirmed || ev.Kind == handshake.EventOffered && !bytes.Equal(pkt[:140], proof[:140]) {
			t.Fatalf("event %v for a changed hello", ev.Kind)
		}
		w.handle(proof, w.from)
		if _, ev := w.handle(data, w.from); ev.Kind == handshake.EventConfirmed {
			t.Fatal("confirmed by chance")
		}
	})
}

// FuzzClient does the same to a client in each state.
func FuzzClient(f *testing.F) {
	f.Add([]byte{0xA2, 'S', 'L', 'N'}, uint16(12))
	f.Add(bytes.Repeat([]byte{0xA3}, 64), uint16(12))
	f.Add(bytes.Repeat([]byte{0xFF}, 200), uint16(24))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		w := newWorld(t, nil)
		key := w.config.Key.Public
		c := w.newClient(3, func(c *handshake.ClientConfig) { c.Key = &key })
		hello := w.step(c)
		_ = c.Handle(data, w.now)
		retry, _ := w.handle(hello, w.from)
		mangled := func(p []byte) []byte {
			p = bytes.Clone(p)
			if len(p) > 0 && int(at)%len(p) >= 12 {
				p = append(p[:int(at)%len(p)], data...)
			}
			return p
		}
		_ = c.Handle(mangled(retry), w.now)
		if c.State() == handshake.Failed {
			return // another key than the known one
		}
		_ = c.Handle(retry, w.now)
		accept, _ := w.handle(w.step(c), w.from)
		m := mangled(accept)
		refused := append([]byte{0xA3}, retry[1:12]...)
		_ = c.Handle(append(refused, data...), w.now)
		if c.State() == handshake.Failed {
			if len(c.Err().Error()) > 600 {
				t.Fatalf("a sentence of %d bytes", len(c.Err().Error()))
			}
			return
		}
		_ = c.Handle(m, w.now)
		if c.State() == handshake.Joined && accept != nil && !bytes.Equal(m, accept) {
			t.Fatal("joined on a changed accept")
		}
	})
}
