package handshake_test

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
)

// epoch is what Unix nanoseconds were at 0 of the tests' clock.
const epoch = 1_700_000_000 * sec

var (
	tokenKey = [32]byte{42, 1}
	here     = addr("192.0.2.100:27960")
)

// tokenWorld is a server that asks for tokens, started at 90 s of its clock.
func tokenWorld(t *testing.T, most int) *world {
	t.Helper()
	tokens, err := handshake.NewTokens(handshake.TokenConfig{
		Key: tokenKey, Servers: []netip.AddrPort{here, addr("[2001:db8::1]:27960")}, Epoch: epoch, Started: epoch + 90*sec, Max: most,
	})
	if err != nil {
		t.Fatal(err)
	}
	return newWorld(t, func(s *handshake.ServerConfig) {
		s.Tokens = tokens
		s.Refusals = handshake.Rate{Burst: 1e6, PerSecond: 1e6}
		s.Agreements, s.AllAgreements = s.Refusals, s.Refusals
	})
}

func keyPair(t *testing.T, seed byte) handshake.Key {
	t.Helper()
	k, err := handshake.NewKey(random(seed))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// mint seals a token for a key, good for 30 s from now on, after change.
func (w *world) mint(k handshake.Key, change func(*handshake.Token)) []byte {
	w.t.Helper()
	tok := handshake.Token{Client: k.Public, Servers: []netip.AddrPort{addr("192.0.2.55:1"), here}, User: 77, Issued: epoch + w.now, Expires: epoch + w.now + 30*sec}
	if change != nil {
		change(&tok)
	}
	sealed, err := tok.Seal(tokenKey, random(60))
	if err != nil {
		w.t.Fatal(err)
	}
	return sealed
}

// bearer is a client with a token.
func (w *world) bearer(k handshake.Key, token []byte) *handshake.Client {
	return w.newClient(3, func(c *handshake.ClientConfig) { c.Token, c.Ephemeral = token, &k })
}

func TestTokenRows(t *testing.T) {
	for _, row := range table(t, "state", "token", "answer", "event", "then") {
		t.Run(row[0]+" "+row[1], func(t *testing.T) { tokenRow(t, row) })
	}
}

func tokenRow(t *testing.T, row []string) {
	w := tokenWorld(t, 0)
	k, other := keyPair(t, 20), keyPair(t, 21)
	token := w.mint(k, nil)
	shift := func(d int64) func(*handshake.Token) {
		return func(t *handshake.Token) { t.Issued, t.Expires = t.Issued+d, t.Expires+d }
	}
	switch row[1] {
	case "none", "good", "good, no cookie", "good, from another address", "good, 25 s later", "taken off on the way", "swapped on the way":
	case "expired":
		token = w.mint(k, func(t *handshake.Token) { t.Issued, t.Expires = t.Issued-5*sec, t.Issued })
	case "from the future":
		token = w.mint(k, shift(20*sec))
	case "3 s from the future":
		token = w.mint(k, shift(3*sec))
	case "older than the server":
		token = w.mint(k, shift(-11*sec))
	case "sealed with another key":
		tok, err := handshake.OpenToken(tokenKey, token)
		if err != nil {
			t.Fatal(err)
		}
		if token, err = tok.Seal([32]byte{43}, random(60)); err != nil {
			t.Fatal(err)
		}
	case "of another client":
		token = w.mint(other, nil)
	case "for another server":
		token = w.mint(k, func(t *handshake.Token) { t.Servers = []netip.AddrPort{addr("192.0.2.101:27960")} })
	case "for another port":
		token = w.mint(k, func(t *handshake.Token) { t.Servers = []netip.AddrPort{addr("192.0.2.100:27961")} })
	case "for its IPv6 address":
		token = w.mint(k, func(t *handshake.Token) { t.Servers = []netip.AddrPort{addr("[2001:db8::1]:27960")} })
	case "altered":
		token = bytes.Clone(token)
		token[100] ^= 1
	default:
		t.Fatalf("unknown token %q", row[1])
	}
	if row[0] != "none" && row[0] != "pending" && row[0] != "spent" {
		t.Fatalf("unknown state %q", row[0])
	}
	c := w.bearer(k, token)
	if row[1] == "none" {
		c = w.newClient(3, nil)
	}
	plain := w.step(c)
	proof := w.prove(c)
	var first []byte
	if row[0] != "none" {
		accept, ev := w.handle(proof, w.from)
		if ev.Kind != handshake.EventOffered || c.Handle(accept, w.now) != nil || ev.Session.User != 77 {
			t.Fatalf("no offer: %+v", w.server.Stats())
		}
		first = w.data(c.Session())
	}
	if row[0] == "spent" {
		if _, ev := w.handle(first, w.from); ev.Kind != handshake.EventConfirmed {
			t.Fatal("not confirmed")
		}
	}
	pkt := proof
	switch row[1] {
	case "good, no cookie":
		pkt = plain
	case "good, from another address":
		w.from = addr("198.51.100.3:9")
		pkt = w.prove(w.bearer(k, token))
	case "good, 25 s later":
		w.now += 25 * sec
		pkt = w.prove(w.bearer(k, token))
	case "taken off on the way":
		pkt = bytes.Clone(proof)
		pkt[6] &^= 2
	case "swapped on the way":
		pkt = bytes.Clone(proof)
		tok, err := handshake.OpenToken(tokenKey, token)
		if err != nil {
			t.Fatal(err)
		}
		tok.User++
		swapped, err := tok.Seal(tokenKey, random(61))
		if err != nil {
			t.Fatal(err)
		}
		copy(pkt[len(pkt)-handshake.TokenSize:], swapped)
	}
	reply, ev := w.handle(pkt, w.from)
	answer := "–"
	if reply != nil {
		answer = map[byte]string{0xA2: "retry", 0xA3: "refuse", 0xA4: "accept"}[reply[0]]
		if answer == "refuse" {
			answer += map[byte]string{6: " no token", 7: " bad token"}[reply[12]]
		}
	}
	event := [...]string{"–", "offered", "confirmed", "broken"}[ev.Kind]
	then := row[4]
	if (then == "pending") != (w.server.Pending() > 0) {
		then = "the other"
	}
	if answer != row[2] || event != row[3] || then != row[4] {
		t.Errorf("answer %s, event %s, then %s; %+v", answer, event, then, w.server.Stats())
	}
}

// Each bit of a token flipped, in the seal and under a correct hello: no session.
func TestAlteredTokensLetNobodyIn(t *testing.T) {
	w := tokenWorld(t, 0)
	k := keyPair(t, 20)
	token := w.mint(k, nil)
	for i := range len(token) * 8 {
		bad := bytes.Clone(token)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := handshake.OpenToken(tokenKey, bad); !errors.Is(err, handshake.ErrTokenForged) {
			t.Fatalf("bit %d: %v", i, err)
		}
		if i%8 != 0 {
			continue
		}
		c := w.bearer(k, bad)
		reply, ev := w.handle(w.prove(c), w.from)
		if ev.Kind != handshake.EventNone || len(reply) == 0 || reply[0] != 0xA3 {
			t.Fatalf("byte %d: event %v", i/8, ev.Kind)
		}
		if err := c.Handle(reply, w.now); err == nil || !strings.Contains(err.Error(), "altered") {
			t.Fatalf("byte %d: the player reads %v", i/8, err)
		}
	}
	if _, ev := w.handle(w.prove(w.bearer(k, token)), w.from); ev.Kind != handshake.EventOffered {
		t.Error("the true one is refused")
	}
}

// Two addresses race with one token: whoever is confirmed first has it, the other
// gets nothing, and a replay of the loser's packets neither.
func TestRacedTokenIsUsedOnce(t *testing.T) {
	w := tokenWorld(t, 0)
	k := keyPair(t, 20)
	token := w.mint(k, nil)
	var first [2][]byte
	from := []netip.AddrPort{addr("198.51.100.1:1"), addr("203.0.113.1:2")}
	for i := range 2 {
		w.from = from[i]
		c := w.bearer(k, token)
		accept, ev := w.handle(w.prove(c), w.from)
		if ev.Kind != handshake.EventOffered || c.Handle(accept, w.now) != nil {
			t.Fatal("no offer")
		}
		first[i] = w.data(c.Session())
	}
	if n := w.config.Tokens.Held(); n != 1 {
		t.Errorf("%d tokens are held", n)
	}
	if _, ev := w.handle(first[1], from[1]); ev.Kind != handshake.EventConfirmed || ev.Session.User != 77 {
		t.Fatal("not confirmed")
	}
	for range 3 {
		if _, ev := w.handle(first[0], from[0]); ev.Kind != handshake.EventNone {
			t.Fatal("a token was used twice")
		}
	}
	if w.server.Pending() != 0 {
		t.Errorf("%d pending", w.server.Pending())
	}
}

// The history refuses when it is full, and has room again when tokens expire.
func TestTokenHistoryIsBounded(t *testing.T) {
	w := tokenWorld(t, 5)
	offers := func() (n int) {
		for i := range 8 {
			k := keyPair(t, byte(100+i)+byte(w.now/sec))
			tok := handshake.Token{Client: k.Public, Servers: []netip.AddrPort{here}, Issued: epoch + w.now, Expires: epoch + w.now + 30*sec}
			sealed, err := tok.Seal(tokenKey, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := w.bearer(k, sealed)
			accept, ev := w.handle(w.prove(c), w.from)
			if ev.Kind != handshake.EventOffered {
				if err := c.Handle(accept, w.now); err == nil || !strings.Contains(err.Error(), "too many tokens") {
					t.Errorf("the player reads %v", err)
				}
				continue
			}
			if n++; c.Handle(accept, w.now) != nil {
				t.Fatal("accept")
			}
			if _, ev := w.handle(w.data(c.Session()), w.from); ev.Kind != handshake.EventConfirmed {
				t.Fatal("not confirmed")
			}
		}
		return n
	}
	if n := offers(); n != 5 || w.config.Tokens.Held() != 5 {
		t.Errorf("%d offers, %d held, want 5", n, w.config.Tokens.Held())
	}
	w.now += 31 * sec
	if n := offers(); n != 5 {
		t.Errorf("%d offers after the first have expired", n)
	}
}

// A server that asks for no token lets a bearer in as anybody.
func TestTokenAtAnOpenServer(t *testing.T) {
	w := newWorld(t, nil)
	k := keyPair(t, 20)
	c := w.bearer(k, w.mint(k, nil))
	accept, ev := w.handle(w.prove(c), w.from)
	if ev.Kind != handshake.EventOffered || c.Handle(accept, w.now) != nil || c.State() != handshake.Joined || ev.Session.User != 0 {
		t.Errorf("%v, %v", ev.Kind, c.State())
	}
}

func TestTokensAndTicketsAsText(t *testing.T) {
	w := tokenWorld(t, 0)
	k := keyPair(t, 20)
	in := handshake.Ticket{Token: w.mint(k, nil), Client: k, Server: w.config.Key.Public}
	out, err := handshake.ParseTicket(" " + in.Text() + "\n")
	if err != nil || !bytes.Equal(out.Token, in.Token) || out.Client != k || out.Server != in.Server {
		t.Fatal(err)
	}
	c := w.newClient(3, func(c *handshake.ClientConfig) { out.Use(c) })
	if accept, _ := w.handle(w.prove(c), w.from); c.Handle(accept, w.now) != nil || c.State() != handshake.Joined {
		t.Error("the ticket does not let in")
	}
	if _, first := c.ServerKey(); first {
		t.Error("the ticket's server key was not used")
	}
	key, err := handshake.ParseTokenKey(handshake.TokenKeyText(tokenKey) + "\n")
	if err != nil || key != tokenKey {
		t.Error(err)
	}
	for _, bad := range []string{"", "sightline-ticket:", "sightline-ticket:zz", in.Text()[:300], handshake.TokenKeyText(tokenKey)} {
		if _, err := handshake.ParseTicket(bad); err == nil {
			t.Errorf("%q is a ticket", bad)
		}
	}
	for _, bad := range []string{"", "sightline-token-key:", "sightline-token-key:00", k.PrivateText()} {
		if _, err := handshake.ParseTokenKey(bad); err == nil {
			t.Errorf("%q is a token key", bad)
		}
	}
	for name, change := range map[string]func(*handshake.Token){
		"too long":         func(t *handshake.Token) { t.Expires = t.Issued + 46*sec },
		"no server":        func(t *handshake.Token) { t.Servers = nil },
		"five servers":     func(t *handshake.Token) { t.Servers = []netip.AddrPort{here, here, here, here, here} },
		"no client":        func(t *handshake.Token) { t.Client = [32]byte{} },
		"backwards":        func(t *handshake.Token) { t.Expires = t.Issued },
		"wildcard":         func(t *handshake.Token) { t.Servers = []netip.AddrPort{addr("0.0.0.0:5")} },
		"before the epoch": func(t *handshake.Token) { t.Issued, t.Expires = -5, 5 },
	} {
		tok := handshake.Token{Client: k.Public, Servers: []netip.AddrPort{here}, Issued: epoch, Expires: epoch + sec}
		change(&tok)
		if _, err := tok.Seal(tokenKey, random(1)); err == nil {
			t.Errorf("%s: sealed", name)
		}
	}
	if _, err := handshake.NewClient(handshake.ClientConfig{Suites: 1, Token: in.Token}); !errors.Is(err, handshake.ErrToken) {
		t.Errorf("a token without its key: %v", err)
	}
	if _, err := handshake.NewTokens(handshake.TokenConfig{Servers: []netip.AddrPort{here}}); err == nil {
		t.Error("no key")
	}
	if _, err := handshake.NewTokens(handshake.TokenConfig{Key: tokenKey}); err == nil {
		t.Error("no address")
	}
}

// FuzzToken opens any bytes as a token, sealed right and not: no panic, and what
// is taken is within the bounds and comes out the same again.
func FuzzToken(f *testing.F) {
	tok := handshake.Token{Client: [32]byte{1}, Servers: []netip.AddrPort{here, addr("[2001:db8::1]:5")}, User: 7, Issued: epoch, Expires: epoch + 9*sec}
	sealed, err := tok.Seal(tokenKey, random(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed, handshake.TokenContent(&tok))
	f.Add([]byte{}, []byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 170), bytes.Repeat([]byte{0xff}, 130))
	f.Fuzz(func(t *testing.T, sealed, content []byte) {
		handshake.OpenToken(tokenKey, sealed)
		handshake.ParseTicket(string(sealed))
		tok, err := handshake.ParseToken(content)
		if err != nil {
			return
		}
		if n := len(tok.Servers); n < 1 || n > handshake.MaxTokenServers || tok.Expires-tok.Issued > handshake.MaxTokenLife || tok.Expires <= tok.Issued {
			t.Fatalf("%+v", tok)
		}
		again, err := handshake.ParseToken(handshake.TokenContent(tok))
		if err != nil || again.User != tok.User || again.Client != tok.Client || len(again.Servers) != len(tok.Servers) {
			t.Fatalf("%+v, %v", again, err)
		}
	})
}
