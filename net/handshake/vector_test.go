package handshake_test

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
)

// vectors are the token's example on its page.
func vectors(t *testing.T) (key [32]byte, nonce []byte, tok handshake.Token) {
	t.Helper()
	for i := range key {
		key[i] = byte(i)
	}
	for i := range 24 {
		nonce = append(nonce, 0x40+byte(i))
	}
	client, err := handshake.NewKey(bytes.NewReader(bytes.Repeat([]byte{0x11}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return key, nonce, handshake.Token{
		Client: client.Public, Servers: []netip.AddrPort{addr("192.0.2.100:27960"), addr("[2001:db8::1]:27960")},
		User: 0x0102030405060708, Issued: 1_800_000_000_000_000_000, Expires: 1_800_000_030_000_000_000,
	}
}

// The page for whoever writes a matchmaker says what the code does, byte for byte.
func TestTokenVectors(t *testing.T) {
	key, nonce, tok := vectors(t)
	sealed, err := tok.Seal(key, bytes.NewReader(nonce))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("TOKEN.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) string {
		t.Helper()
		m := regexp.MustCompile("(?s)" + name + ":?\n+```\n(.*?)```").FindSubmatch(page)
		if m == nil {
			t.Fatalf("the page has no %s", name)
		}
		return strings.Join(strings.Fields(string(m[1])), "")
	}
	for name, want := range map[string][]byte{
		"Key": key[:], "Nonce": nonce, "Public key of the client": tok.Client[:],
		"Content": handshake.TokenContent(&tok), "Token": sealed,
	} {
		if got := block(name); got != hex.EncodeToString(want) {
			t.Errorf("%s is\n%x\non the page it is\n%s", name, want, got)
		}
	}
	if got := block("As text"); got != handshake.TokenText(sealed) {
		t.Errorf("as text it is\n%s", handshake.TokenText(sealed))
	}
	back, err := handshake.ParseTokenText(block("As text"))
	if err != nil || !bytes.Equal(back, sealed) {
		t.Error(err)
	}
	again, err := handshake.OpenToken(key, back)
	if err != nil || again.User != tok.User || again.Client != tok.Client || len(again.Servers) != 2 || again.Servers[1] != tok.Servers[1] || again.Expires != tok.Expires {
		t.Errorf("%+v, %v", again, err)
	}
	for _, bad := range []string{"", "sightline-token:", "sightline-token:zz", handshake.TokenText(sealed)[:200], handshake.TokenKeyText(key)} {
		if _, err := handshake.ParseTokenText(bad); err == nil {
			t.Errorf("%q is a token", bad)
		}
	}
}
