package handshake_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
)

// FuzzText reads any text as what people hand around as text: a private key, a
// token key, a ticket, a file of pinned servers. What is taken comes out the same.
func FuzzText(f *testing.F) {
	k, err := handshake.NewKey(random(3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(k.PrivateText())
	f.Add(handshake.TokenKeyText([32]byte{1, 2, 3}))
	f.Add((&handshake.Ticket{Token: make([]byte, handshake.TokenSize), Client: k}).Text())
	f.Add("# pins\n\nserver:27960 " + strings.Repeat("0a", 32) + "\nother " + strings.Repeat("ff", 32) + "\r\n")
	f.Add(handshake.TokenText(make([]byte, handshake.TokenSize)))
	f.Add("sightline-ticket:zz")
	f.Add(strings.Repeat("x", 600))
	f.Fuzz(func(t *testing.T, s string) {
		if k, err := handshake.ParseKey(s); err == nil && k.PrivateText() != strings.ToLower(strings.TrimSpace(s)) {
			t.Errorf("a key: %q of %q", k.PrivateText(), s)
		}
		if k, err := handshake.ParseTokenKey(s); err == nil && handshake.TokenKeyText(k) != strings.ToLower(strings.TrimSpace(s)) {
			t.Errorf("a token key: %q of %q", handshake.TokenKeyText(k), s)
		}
		if k, err := handshake.ParseTicket(s); err == nil && k.Text() != strings.ToLower(strings.TrimSpace(s)) {
			t.Errorf("a ticket: %q of %q", k.Text(), s)
		}
		if b, err := handshake.ParseTokenText(s); err == nil && handshake.TokenText(b) != strings.ToLower(strings.TrimSpace(s)) {
			t.Errorf("a token: %q of %q", handshake.TokenText(b), s)
		}
		p, err := handshake.ReadPins(strings.NewReader(s))
		if err != nil {
			return
		}
		var out, again bytes.Buffer
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		q, err := handshake.ReadPins(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%q was read and written as %q: %v", s, out.String(), err)
		}
		if err := q.Write(&again); err != nil || again.String() != out.String() {
			t.Fatalf("%q, then %q, %v", out.String(), again.String(), err)
		}
	})
}
