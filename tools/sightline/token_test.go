package main

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/net/handshake"
)

// tokenAt runs the token command at a time, and returns what it prints.
func tokenAt(t *testing.T, at time.Time, stdin string, args ...string) (string, error) {
	t.Helper()
	c := newToken(func() time.Time { return at })
	c.SilenceUsage, c.SilenceErrors = true, true
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetIn(strings.NewReader(stdin))
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

// What keygen and mint make, show explains and a server takes.
func TestTokensFromTheCommandLine(t *testing.T) {
	at := time.Date(2027, 1, 15, 8, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	key, file := filepath.Join(dir, "key"), filepath.Join(dir, "ticket")
	must := func(at time.Time, stdin string, args ...string) string {
		t.Helper()
		out, err := tokenAt(t, at, stdin, args...)
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return out
	}
	must(at, "", "keygen", key)
	if st, err := os.Stat(key); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	if _, err := tokenAt(t, at, "", "keygen", key); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a key was overwritten: %v", err)
	}
	server, err := handshake.NewKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(dir, "server")
	if err := os.WriteFile(private, []byte(server.PrivateText()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	public := strings.TrimSpace(must(at, "", "pubkey", private))
	must(at, "", "mint", "--key", key, "--server", "192.0.2.1,[2001:db8::1]:5", "--user", "77", "--server-key", public, "-o", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ticket, err := handshake.ParseTicket(string(data))
	if err != nil || ticket.Server != server.Public {
		t.Fatal(err)
	}
	secret, err := handshake.ParseTokenKey(string(read(t, key)))
	if err != nil {
		t.Fatal(err)
	}
	tok, err := handshake.OpenToken(secret, ticket.Token)
	if err != nil || tok.User != 77 || tok.Client != ticket.Client.Public || tok.Issued != at.UnixNano() || tok.Expires != at.Add(30*time.Second).UnixNano() ||
		len(tok.Servers) != 2 || tok.Servers[0] != netip.MustParseAddrPort("192.0.2.1:27960") || tok.Servers[1] != netip.MustParseAddrPort("[2001:db8::1]:5") {
		t.Errorf("%+v, %v", tok, err)
	}

	shown := must(at.Add(10*time.Second), "", "show", file, "--key", key)
	for _, want := range []string{"ticket", "good for another 20s", handshake.Fingerprint(server.Public), "77", "192.0.2.1:27960, [2001:db8::1]:5", "2027-01-15T08:00:00Z", "2027-01-15T08:00:30Z"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, regexp.MustCompile(`[0-9a-f]{64}`).FindString(string(data))) {
		t.Error("the private key is shown")
	}
	if s := must(at.Add(time.Minute), "", "show", file, "--key", key); !strings.Contains(s, "expired 30s ago") {
		t.Errorf("after a minute:\n%s", s)
	}
	if s := must(at.Add(-time.Minute), "", "show", file, "--key", key); !strings.Contains(s, "from the future: issued in 1m0s") {
		t.Errorf("a minute before:\n%s", s)
	}
	if s := must(at, "", "show", file); !strings.Contains(s, "sealed; --key opens it") || regexp.MustCompile(`\b77\b`).MatchString(s) {
		t.Errorf("without the key:\n%s", s)
	}
	var info tokenInfo
	if err := json.Unmarshal([]byte(must(at, string(data), "show", "-", "--key", key, "--json")), &info); err != nil || info.User != 77 || !info.Opened || info.State != "good" || info.ClientOwned == nil || !*info.ClientOwned {
		t.Errorf("%+v, %v", info, err)
	}

	// A client that keeps its own pair gets the token alone.
	alone := must(at, "", "mint", "--key", key, "--server", "192.0.2.1", "--client", public, "--life", "45s")
	if !strings.HasPrefix(alone, "sightline-token:") {
		t.Fatal(alone)
	}
	if s := must(at, alone, "show", "-", "--key", key); !strings.Contains(s, public) || !strings.Contains(s, "nobody in particular") {
		t.Errorf("%s", s)
	}
	other := filepath.Join(dir, "other")
	must(at, "", "keygen", other)
	for _, bad := range []struct {
		args  []string
		stdin string
		says  string
	}{
		{[]string{"show", "-", "--key", other}, alone, "another key, or was altered"},
		{[]string{"show", "-"}, "nonsense", "neither a token"},
		{[]string{"show", "-"}, "sightline-ticket:00", "hexadecimal digits follow"},
		{[]string{"show", "-"}, "", "neither a token"},
		{[]string{"show", filepath.Join(dir, "none")}, "", "none"},
		{[]string{"show", "-", "--key", file}, alone, "not a token key"},
		{[]string{"mint", "--key", key, "--server", "192.0.2.1", "--life", "46s"}, "", "want 1 to 45"},
		{[]string{"mint", "--key", key, "--server", "192.0.2.1,192.0.2.2,192.0.2.3,192.0.2.4,192.0.2.5"}, "", "5 server addresses"},
		{[]string{"mint", "--key", key, "--server", "0.0.0.0"}, "", "not an address that a client can reach"},
		{[]string{"mint", "--key", file, "--server", "192.0.2.1"}, "", "not a token key"},
		{[]string{"mint", "--key", key, "--server", "192.0.2.1", "--client", "12"}, "", "64 hexadecimal digits"},
		{[]string{"mint", "--key", key, "--server", "192.0.2.1", "--client", public, "--server-key", public}, "", "part of a ticket"},
		{[]string{"mint", "--key", key}, "", "server"},
		{[]string{"pubkey", key}, "", "not a private key"},
	} {
		out, err := tokenAt(t, at, bad.stdin, bad.args...)
		if err == nil || !strings.Contains(err.Error(), bad.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %q, %v", bad.args, out, err)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
