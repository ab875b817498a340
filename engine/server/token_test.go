package server

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
)

// The stage's clock is 1 when Unix time is epoch; the server that asks for tokens
// has started a minute before.
const tokenEpoch = 1_800_000_000 * int64(1e9)

var matchKey = [32]byte{9, 9}

// tokenStage is a server that lets in whom a matchmaker sends, with two links, and
// a local one where anybody comes in.
func tokenStage(t *testing.T) (st *stage, second link.Addr, local link.Addr) {
	t.Helper()
	second, local = netip.MustParseAddrPort("127.0.0.1:2"), netip.MustParseAddrPort("127.0.0.1:3")
	tokens, err := handshake.NewTokens(handshake.TokenConfig{
		Key: matchKey, Servers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:27960"), netip.MustParseAddrPort("[2001:db8::1]:27960")},
		Epoch: tokenEpoch, Started: tokenEpoch - 60e9,
	})
	if err != nil {
		t.Fatal(err)
	}
	st = newStage(t, func(c *Config) {
		keeping(c)
		c.Tokens, c.MaxClients = tokens, 12
	})
	// The other two ways in are on the same loop, at ports of their own.
	a, err := st.loop.Attach(second, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := st.loop.Attach(local, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := st.s.cfg
	cfg.Links, cfg.Local = append(cfg.Links, a), []link.Link{b}
	if st.s, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	return st, second, local
}

// ticket mints for a new client, good for 30 s from now, after change.
func (st *stage) ticket(user uint64, change func(*handshake.Token)) *handshake.Ticket {
	st.t.Helper()
	k, err := handshake.NewKey(random)
	if err != nil {
		st.t.Fatal(err)
	}
	tok := handshake.Token{
		Client: k.Public, Servers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:27960")}, User: user,
		Issued: tokenEpoch + st.now, Expires: tokenEpoch + st.now + 30e9,
	}
	if change != nil {
		change(&tok)
	}
	sealed, err := tok.Seal(matchKey, random)
	if err != nil {
		st.t.Fatal(err)
	}
	return &handshake.Ticket{Token: sealed, Client: k, Server: st.s.cfg.Key.Public}
}

func (st *stage) bearer(name string, t *handshake.Ticket) *guest {
	return st.guestWith(name, func(c *handshake.ClientConfig) { t.Use(c) })
}

// A server with a token key lets in who has a good token and nobody else, and says
// to each why in one sentence; bots and the listen server's player come in by the
// local way without.
func TestOnlyWhoHasAGoodTokenPlays(t *testing.T) {
	st, _, local := tokenStage(t)
	shift := func(d int64) func(*handshake.Token) {
		return func(t *handshake.Token) { t.Issued, t.Expires = t.Issued+d, t.Expires+d }
	}
	altered := st.ticket(3, nil)
	altered.Token = bytes.Clone(altered.Token)
	altered.Token[60] ^= 1
	stolen := st.ticket(4, nil)
	stolen.Client = st.ticket(5, nil).Client
	for _, f := range []struct {
		what   string
		ticket *handshake.Ticket
		says   string // in the only sentence; "" plays
	}{
		{"none", nil, "a connect token is needed"},
		{"good", st.ticket(1, nil), ""},
		{"for the IPv6 address", st.ticket(2, func(t *handshake.Token) { t.Servers = []netip.AddrPort{netip.MustParseAddrPort("[2001:db8::1]:27960")} }), ""},
		{"expired", st.ticket(1, shift(-31e9)), "it has expired"},
		{"from the future", st.ticket(1, shift(40e9)), "it is from the future"},
		{"from before the start", nil, "from before the server's start"},
		{"altered", altered, "it is not this server's, or was altered"},
		{"another's", stolen, "it is for another client"},
		{"for another server", st.ticket(1, func(t *handshake.Token) { t.Servers = []netip.AddrPort{netip.MustParseAddrPort("192.0.2.2:27960")} }), "it is for another server"},
	} {
		if f.what == "from before the start" { // and good still: the server began later
			f.ticket = st.ticket(1, func(t *handshake.Token) { t.Issued, t.Expires = t.Issued-20e9, t.Expires-20e9+14e9 })
			old, err := handshake.NewTokens(handshake.TokenConfig{Key: matchKey, Servers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:27960")}, Epoch: tokenEpoch, Started: tokenEpoch + st.now - 10e9})
			if err != nil {
				t.Fatal(err)
			}
			cfg := st.s.cfg
			cfg.Tokens = old
			if st.s, err = New(cfg); err != nil {
				t.Fatal(err)
			}
			st.clients = nil
		}
		g := st.join(f.what)
		if f.ticket != nil {
			st.clients = st.clients[:len(st.clients)-1]
			g = st.bearer(f.what, f.ticket)
		}
		st.run(30)
		if f.says == "" {
			if g.wel == nil {
				t.Errorf("%s: kept out: %v", f.what, g.hs.Err())
			}
			continue
		}
		if g.wel != nil || g.hs.State() != handshake.Failed {
			t.Errorf("%s: %v", f.what, g.hs.State())
			continue
		}
		if s := g.hs.Err().Error(); !strings.Contains(s, f.says) || strings.ContainsAny(s, "\n\x00") || len(s) > 160 {
			t.Errorf("%s: told %q", f.what, s)
		}
	}
	st.at = local
	if g := st.join("bot"); true {
		st.run(20)
		if g.wel == nil {
			t.Errorf("the local way asks for a token: %v", g.hs.Err())
		}
	}
}

// One token is used once, whichever way in: raced from two addresses at two links,
// and again after its use.
func TestTokenIsUsedOnceAtAllDoors(t *testing.T) {
	st, second, _ := tokenStage(t)
	ticket := st.ticket(0, nil) // of nobody in particular, so that none comes back
	a, b := st.bearer("a", ticket), st.bearer("b", ticket)
	b.link.Close()
	b.link = doorAt{st.dialAt("198.51.100.2:2"), second}
	st.run(40)
	in := 0
	for _, g := range []*guest{a, b} {
		if g.wel != nil {
			in++
		}
	}
	if in != 1 || st.seated() != 1 {
		t.Errorf("%d are in, %d seated", in, st.seated())
	}
	late := st.bearer("late", ticket)
	st.run(40)
	if late.wel != nil || late.hs.Err() == nil || !strings.Contains(late.hs.Err().Error(), "it was used already") {
		t.Errorf("a used token: %v %v", late.hs.State(), late.hs.Err())
	}
}

// doorAt sends everything to another door.
type doorAt struct {
	link.Link
	to link.Addr
}

func (d doorAt) Send(p []byte, _ link.Addr) error { return d.Link.Send(p, d.to) }

// Where tokens are wanted a resume ticket stands in for one while the place is
// kept; afterwards the player is told to get a new token. A new token of the same
// user leads to the place too, as after a restart of the client.
func TestComingBackWhereTokensAreWanted(t *testing.T) {
	st, _, _ := tokenStage(t)
	g := st.bearer("Ada", st.ticket(77, nil))
	st.run(second)
	if g.wel == nil {
		t.Fatalf("kept out: %v", g.hs.Err())
	}
	c := st.s.conns[g.wel.ID-1]
	st.silence(g)
	st.run(10 * second)
	again := st.back(g)
	st.run(second)
	if again.wel == nil || again.wel.ID != c.id || st.seated() != 1 {
		t.Fatalf("by ticket: %+v, %v", again.wel, again.hs.Err())
	}
	st.silence(again)
	st.run(10 * second)
	third := st.bearer("Ada", st.ticket(77, nil))
	st.run(second)
	if third.wel == nil || third.wel.ID != c.id || st.seated() != 1 || len(st.rules.joined) != 1 {
		t.Fatalf("by a token of the same user: %+v, %d seated", third.wel, st.seated())
	}
	st.silence(third)
	st.run(92 * second)
	late := st.back(third)
	st.run(second)
	if late.wel != nil || late.hs.Err() == nil || !strings.Contains(late.hs.Err().Error(), "a connect token is needed") {
		t.Errorf("after 92 s: %v", late.hs.Err())
	}
	if st.seated() != 0 {
		t.Errorf("%d seated", st.seated())
	}
}
