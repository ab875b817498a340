package handshake_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
)

const (
	ms  = int64(1e6)
	sec = int64(1e9)
)

func addr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// random is a repeatable source of secrets.
func random(seed byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

func channelConfig(s *handshake.Session) netchan.Config {
	return netchan.Config{Send: s.Send, Recv: s.Recv, Suite: netchan.Suite(s.Suite)}
}

func authentic(s *handshake.Session, pkt []byte) bool {
	return netchan.Authentic(channelConfig(s), pkt)
}

const suites = uint8(netchan.AESGCM | netchan.ChaCha)

var schema = [32]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}

// world is a server with what its callbacks answer, and one client of it.
type world struct {
	t      *testing.T
	now    int64
	gate   handshake.Refusal
	config handshake.ServerConfig
	server *handshake.Server
	client *handshake.Client
	from   netip.AddrPort
}

func newWorld(t *testing.T, change func(*handshake.ServerConfig)) *world {
	t.Helper()
	w := &world{t: t, now: 100 * sec, from: addr("192.0.2.7:40001")}
	key, err := handshake.NewKey(random(1))
	if err != nil {
		t.Fatal(err)
	}
	w.config = handshake.ServerConfig{
		Key: key, Protocol: 5, Schema: schema, Suites: suites, Rand: random(2),
		Gate: func(netip.AddrPort, bool) handshake.Refusal { return w.gate },
		Offer: func(_ netip.AddrPort, hello []byte) (handshake.Offer, handshake.Refusal) {
			return handshake.Offer{Slot: 3, Tick: 70000, TickRate: 64, Welcome: append([]byte("welcome, "), hello...)}, handshake.Refusal{}
		},
		Authentic: authentic,
	}
	if change != nil {
		change(&w.config)
	}
	if w.server, err = handshake.NewServer(w.config); err != nil {
		t.Fatal(err)
	}
	w.client = w.newClient(3, nil)
	return w
}

func (w *world) newClient(seed byte, change func(*handshake.ClientConfig)) *handshake.Client {
	w.t.Helper()
	cfg := handshake.ClientConfig{Server: "test:1", Protocol: 5, Schema: schema, Suites: suites, Hello: []byte("anna"), Rand: random(seed)}
	if change != nil {
		change(&cfg)
	}
	c, err := handshake.NewClient(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// handle gives a copy of the server's answer and checks that it is no longer
// than what it answers.
func (w *world) handle(pkt []byte, from netip.AddrPort) ([]byte, handshake.Event) {
	w.t.Helper()
	reply, ev := w.server.Handle(pkt, from, w.now)
	if len(reply) > len(pkt) {
		w.t.Fatalf("%d bytes answered with %d", len(pkt), len(reply))
	}
	return bytes.Clone(reply), ev
}

// step is the client's next packet, a copy; time passes until there is one.
func (w *world) step(c *handshake.Client) []byte {
	w.t.Helper()
	for range 200 {
		if p := c.Step(w.now); p != nil {
			return bytes.Clone(p)
		}
		w.now += 10 * ms
	}
	w.t.Fatal("client sends nothing")
	return nil
}

// prove brings a client to its Hello with a cookie.
func (w *world) prove(c *handshake.Client) []byte {
	w.t.Helper()
	retry, _ := w.handle(w.step(c), w.from)
	if err := c.Handle(retry, w.now); err != nil {
		w.t.Fatal(err)
	}
	return w.step(c)
}

// data is a first data packet of a session, as its client makes it.
func (w *world) data(s *handshake.Session) []byte {
	w.t.Helper()
	ch, err := netchan.New(channelConfig(s), w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	pkt, _, err := ch.Seal(nil, []byte("first"), w.now)
	if err != nil {
		w.t.Fatal(err)
	}
	return pkt
}

// table gives the rows below the header that begins with these columns.
func table(t *testing.T, columns ...string) (rows [][]string) {
	t.Helper()
	page, err := os.ReadFile("STATE-MACHINE.md")
	if err != nil {
		t.Fatal(err)
	}
	in := false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			in = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case strings.Join(cells, "|") == strings.Join(columns, "|"):
			in = true
		case in && !strings.HasPrefix(cells[0], "---"):
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no table with columns %v", columns)
	}
	return rows
}

func TestStateMachine(t *testing.T) {
	for _, row := range table(t, "state", "packet", "answer", "event", "then") {
		t.Run("server "+row[0]+" "+row[1], func(t *testing.T) { serverRow(t, row) })
	}
	for _, row := range table(t, "state", "input", "then", "why") {
		t.Run("client "+row[0]+" "+row[1], func(t *testing.T) { clientRow(t, row) })
	}
}

// serverRow executes one row of the server's table.
func serverRow(t *testing.T, row []string) {
	w := newWorld(t, nil)
	plain := w.step(w.client)
	proof := w.prove(w.client)
	from := w.from
	var session *handshake.Session // as the client sees it
	join := func() {
		accept, ev := w.handle(proof, w.from)
		if ev.Kind != handshake.EventOffered {
			t.Fatalf("no offer: %+v", w.server.Stats())
		}
		if err := w.client.Handle(accept, w.now); err != nil || w.client.State() != handshake.Joined {
			t.Fatal(w.client.State(), err)
		}
		session = w.client.Session()
	}
	switch row[0] {
	case "none":
	case "pending":
		join()
	case "spent":
		join()
		if _, ev := w.handle(w.data(session), w.from); ev.Kind != handshake.EventConfirmed {
			t.Fatal("not confirmed")
		}
	default:
		t.Fatalf("unknown state %q", row[0])
	}

	pkt := bytes.Clone(plain)
	word := func(p []byte, at int, v uint16) { binary.LittleEndian.PutUint16(p[at:], v) }
	switch row[1] {
	case "hello":
	case "hello cut by one byte":
		pkt = pkt[:len(pkt)-1]
	case "hello of 20 bytes":
		pkt = pkt[:20]
	case "hello one byte longer":
		pkt = append(pkt, 0)
	case "hello, newer protocol":
		word(pkt, 4, 6)
	case "hello, older protocol":
		word(pkt, 4, 4)
	case "hello, other schema":
		pkt[20]++
	case "hello, unknown flags":
		pkt[6] |= 8
	case "hello, guessed cookie":
		pkt = bytes.Clone(proof)
		pkt[80]++
	case "hello, cookie of another address":
		pkt, from = proof, addr("192.0.2.8:40001")
	case "hello, cookie of another port":
		pkt, from = proof, addr("192.0.2.7:40002")
	case "hello, cookie of another key":
		pkt = w.prove(w.newClient(9, nil))
		copy(pkt[72:92], proof[72:92])
	case "hello, cookie 25 s old":
		pkt = proof
		w.now += 25 * sec
	case "hello, cookie 9 s old":
		pkt = proof
		w.now += 9 * sec
	case "hello, cookie":
		pkt = proof
	case "hello, cookie, after 1.5 s, then 1.5 s of silence":
		pkt = proof
		w.now += 1500 * ms
		defer func() {
			w.now += 1500 * ms
			if _, ev := w.handle(w.data(session), w.from); ev.Kind != handshake.EventConfirmed {
				t.Error("not confirmed 1.5 s after the second hello")
			}
		}()
	case "hello, cookie, damaged agreement":
		pkt = bytes.Clone(proof)
		pkt[94+40] ^= 1
	case "hello, cookie, suites changed on the way":
		pkt = bytes.Clone(proof)
		pkt[7] = uint8(netchan.ChaCha)
	case "hello, cookie, no common suite":
		pkt = w.prove(w.newClient(9, func(c *handshake.ClientConfig) { c.Suites = 0x80 }))
	case "hello, cookie, banned":
		pkt = proof
		w.gate = handshake.Refusal{Code: handshake.Banned, Text: "for a test"}
	case "hello, cookie, server full":
		pkt = proof
		w.gate = handshake.Refusal{Code: handshake.Full}
	case "hello, cookie, new key":
		pkt = w.prove(w.newClient(9, nil))
	case "retry", "accept":
		pkt, _ = newWorld(t, nil).handle(map[string][]byte{"retry": plain, "accept": proof}[row[1]], from)
		if pkt == nil { // the same secrets: the other server knows the cookie
			t.Fatal("no packet to reflect")
		}
	case "query":
		pkt = []byte("\xff\xff\xff\xffgetstatus")
	case "data":
		if session == nil {
			session = &handshake.Session{Suite: uint8(netchan.ChaCha)}
		}
		pkt = w.data(session)
	case "data, forged":
		pkt = w.data(session)
		pkt[len(pkt)-1] ^= 1
	case "data of another session":
		pkt = w.data(&handshake.Session{Send: [32]byte{1}, Suite: session.Suite})
	case "data from another address":
		pkt, from = w.data(session), addr("192.0.2.7:40002")
	case "2 s of silence":
		pkt = nil
		w.now += 2 * sec
	default:
		t.Fatalf("unknown packet %q", row[1])
	}

	reply, ev := w.handle(pkt, from)
	answer := "–"
	if reply != nil {
		answer = map[byte]string{0xA2: "retry", 0xA3: "refuse", 0xA4: "accept"}[reply[0]]
		if answer == "refuse" {
			answer += map[byte]string{1: " protocol", 2: " schema", 3: " full", 4: " banned"}[reply[12]]
		}
	}
	event := [...]string{"–", "offered", "confirmed", "broken"}[ev.Kind]
	then := row[4]
	if then == "spent" { // seen by what the proof leads to
		if again, ev := w.handle(proof, w.from); again != nil || ev.Kind != handshake.EventNone {
			then = "not spent"
		}
	} else if (then == "pending") != (w.server.Pending() > 0) {
		then = "the other"
	}
	if answer != row[2] || event != row[3] || then != row[4] {
		t.Errorf("answer %s, event %s, then %s; %+v", answer, event, then, w.server.Stats())
	}
}

// clientRow executes one row of the client's table.
func clientRow(t *testing.T, row []string) {
	w := newWorld(t, nil)
	pins := new(handshake.Pins)
	if row[1] == "retry, other key than pinned" {
		if err := pins.Save("test:1", [32]byte{7}); err != nil {
			t.Fatal(err)
		}
	}
	c := w.newClient(3, func(c *handshake.ClientConfig) { c.Pins = pins })
	ask := w.step(c)
	retry, _ := w.handle(ask, w.from)
	// A twin with the same key finds out what the server will answer.
	twin := w.newClient(3, nil)
	proof := w.prove(twin)
	accept, ev := w.handle(proof, w.from)
	if ev.Kind != handshake.EventOffered {
		t.Fatal("no offer")
	}
	if row[0] != "asking" {
		if err := c.Handle(retry, w.now); err != nil {
			t.Fatal(err)
		}
	}
	if row[0] == "joined" {
		if err := c.Handle(accept, w.now); err != nil {
			t.Fatal(err)
		}
	}
	if c.State().String() != row[0] {
		t.Fatalf("state %v, want %s", c.State(), row[0])
	}

	var pkt []byte
	refuse := func(version uint16, gate handshake.Code) {
		o := newWorld(t, func(s *handshake.ServerConfig) { s.Protocol = version })
		o.gate = handshake.Refusal{Code: gate, Text: "for a test"}
		pkt, _ = o.handle(proof, w.from)
	}
	switch row[1] {
	case "time passes":
		w.step(c)
	case "10 s pass":
		for range 1100 {
			c.Step(w.now)
			w.now += 10 * ms
		}
	case "retry":
		pkt = retry
	case "retry, wrong echo":
		pkt = bytes.Clone(retry)
		pkt[5] ^= 1
	case "retry one byte short":
		pkt = retry[:63]
	case "retry, other key", "retry, other key than pinned":
		pkt = bytes.Clone(retry)
		pkt[20] ^= 1
	case "accept":
		pkt = accept
	case "accept, damaged":
		pkt = bytes.Clone(accept)
		pkt[30] ^= 1
	case "accept, wrong echo":
		pkt = bytes.Clone(accept)
		pkt[4] ^= 1
	case "accept for another client":
		pkt, _ = w.handle(w.prove(w.newClient(9, nil)), w.from)
		copy(pkt[4:12], accept[4:12])
	case "refuse newer protocol":
		refuse(6, 0)
	case "refuse older protocol":
		refuse(4, 0)
	case "refuse schema":
		o := newWorld(t, func(s *handshake.ServerConfig) { s.Schema[0]++ })
		pkt, _ = o.handle(proof, w.from)
	case "refuse full":
		refuse(5, handshake.Full)
	case "refuse banned":
		refuse(5, handshake.Banned)
	case "refuse no token":
		refuse(5, handshake.NoToken)
	case "refuse bad token":
		refuse(5, handshake.BadToken)
	case "refuse, wrong echo":
		refuse(6, 0)
		pkt[4] ^= 1
	case "data":
		pkt = w.data(&handshake.Session{Suite: uint8(netchan.ChaCha)})
	default:
		t.Fatalf("unknown input %q", row[1])
	}
	if pkt != nil {
		if err := c.Handle(pkt, w.now); err != c.Err() && c.State() == handshake.Failed {
			t.Errorf("Handle says %v, Err %v", err, c.Err())
		}
	}
	if c.State().String() != row[2] {
		t.Fatalf("then %v (%v), want %s", c.State(), c.Err(), row[2])
	}
	if row[3] != "" && (c.Err() == nil || !strings.Contains(c.Err().Error(), row[3])) {
		t.Errorf("error %v, want %q in it", c.Err(), row[3])
	}
	// Whatever was thrown at it, a client that has not failed can still join.
	if c.State() == handshake.Asking {
		if err := c.Handle(retry, w.now); err != nil {
			t.Fatal(err)
		}
	}
	if c.State() == handshake.Proving {
		if err := c.Handle(accept, w.now); err != nil || c.State() != handshake.Joined {
			t.Errorf("cannot join afterwards: %v, %v", c.State(), err)
		}
	}
	if c.State() == handshake.Joined {
		if k, ok := pins.Lookup("test:1"); !ok || k != w.config.Key.Public || c.PinErr() != nil {
			t.Error("the key was not pinned")
		}
	}
}
