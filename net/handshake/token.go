package handshake

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
)

// A connect token is what a matchmaker gives to a player whom it sends to a
// server. It is sealed with a key that matchmaker and servers share, and names
// the only client, by its public key, and the only servers that may use it.
//
//	0–23 nonce   24–153 sealed content   154–169 tag
//	content: 0 version   1 number of addresses   2–33 the client's key
//	         34–41 user   42–49 issued   50–57 expires, Unix nanoseconds
//	         58–129 addresses: 16 bytes and a port, four times
//
// TOKEN.md describes it for whoever writes a matchmaker, with test vectors.
const (
	// TokenSize is the length of every token.
	TokenSize = 24 + tokenPlain + 16
	// MaxTokenServers is how many addresses a token names at most.
	MaxTokenServers = 4
	// MaxTokenLife is how long a token may be good for.
	MaxTokenLife = 45 * second

	tokenPlain   = 58 + 18*MaxTokenServers
	tokenVersion = 1
	tokenAhead   = 5 * second // what clocks may differ by
)

const tokenPurpose = "sightline connect token"

// Token is what a connect token says.
type Token struct {
	Client  [32]byte         // public key of the only client that can use it
	Servers []netip.AddrPort // where it may be used
	User    uint64           // whom the matchmaker knows the player as
	Issued  int64            // Unix nanoseconds
	Expires int64            // Unix nanoseconds; at most MaxTokenLife later
}

// Errors of tokens; their texts are what a refused player reads.
var (
	ErrTokenForged  = errors.New("it is not this server's, or was altered")
	ErrTokenExpired = errors.New("it has expired: ask for a new one")
	ErrTokenFuture  = errors.New("it is from the future: the clocks of server and matchmaker differ")
	ErrTokenOld     = errors.New("it is from before the server's start: ask for a new one")
	ErrTokenServer  = errors.New("it is for another server")
	ErrTokenClient  = errors.New("it is for another client")
	ErrTokenUsed    = errors.New("it was used already: ask for a new one")
	ErrTokenRoom    = errors.New("too many tokens are in use: try again later")
)

// check reports what no token may say.
func (t *Token) check() error {
	switch {
	case len(t.Servers) == 0 || len(t.Servers) > MaxTokenServers:
		return fmt.Errorf("token: %d server addresses, want 1 to %d", len(t.Servers), MaxTokenServers)
	case t.Expires <= t.Issued || t.Expires-t.Issued > MaxTokenLife || t.Issued < 0:
		return fmt.Errorf("token: good for %d s, want 1 to %d", (t.Expires-t.Issued)/second, MaxTokenLife/second)
	case t.Client == [32]byte{}:
		return errors.New("token: the client's key is missing")
	}
	for _, a := range t.Servers {
		if !a.IsValid() || a.Port() == 0 || a.Addr().IsUnspecified() {
			return fmt.Errorf("token: %v is not an address that a client can reach", a)
		}
	}
	return nil
}

// Seal makes a token with the key that servers have (random nil: the system's
// generator).
func (t *Token) Seal(key [32]byte, random io.Reader) ([]byte, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if random == nil {
		random = rand.Reader
	}
	out := make([]byte, 24, TokenSize)
	if _, err := io.ReadFull(random, out); err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	c, err := chacha20poly1305.NewX(key[:])
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return c.Seal(out, out[:24], t.content(), []byte(tokenPurpose)), nil
}

// content is what is sealed.
func (t *Token) content() []byte {
	p := make([]byte, tokenPlain)
	p[0], p[1] = tokenVersion, byte(len(t.Servers))
	copy(p[2:], t.Client[:])
	binary.LittleEndian.PutUint64(p[34:], t.User)
	binary.LittleEndian.PutUint64(p[42:], uint64(t.Issued))
	binary.LittleEndian.PutUint64(p[50:], uint64(t.Expires))
	for i, a := range t.Servers {
		b := a.Addr().As16()
		copy(p[58+18*i:], b[:])
		binary.LittleEndian.PutUint16(p[58+18*i+16:], a.Port())
	}
	return p
}

// OpenToken reads a sealed token. It does not judge time, place or client.
func OpenToken(key [32]byte, sealed []byte) (*Token, error) {
	if len(sealed) != TokenSize {
		return nil, ErrTokenForged
	}
	c, err := chacha20poly1305.NewX(key[:])
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	p, err := c.Open(nil, sealed[:24], sealed[24:], []byte(tokenPurpose))
	if err != nil {
		return nil, ErrTokenForged
	}
	return parseToken(p)
}

// parseToken reads the content of a token, of which anything is expected: a
// matchmaker is somebody else's program.
func parseToken(p []byte) (*Token, error) {
	if len(p) != tokenPlain || p[0] != tokenVersion || p[1] > MaxTokenServers {
		return nil, ErrTokenForged
	}
	t := &Token{
		Client: [32]byte(p[2:]), User: binary.LittleEndian.Uint64(p[34:]),
		Issued: int64(binary.LittleEndian.Uint64(p[42:])), Expires: int64(binary.LittleEndian.Uint64(p[50:])),
	}
	for i := range int(p[1]) {
		b := p[58+18*i:]
		t.Servers = append(t.Servers, netip.AddrPortFrom(netip.AddrFrom16([16]byte(b)).Unmap(), binary.LittleEndian.Uint16(b[16:])))
	}
	if t.check() != nil {
		return nil, ErrTokenForged
	}
	return t, nil
}

// TokenConfig says whose tokens a server takes.
type TokenConfig struct {
	Key     [32]byte         // shared with the matchmaker
	Servers []netip.AddrPort // the server's own addresses, as tokens name them
	// Epoch is what Unix nanoseconds were when the caller's clock was 0. Tokens
	// issued before Started are refused: which of them were used is forgotten.
	Epoch, Started int64
	Max            int // tokens that are remembered at most (1024)
}

// Tokens checks connect tokens and remembers which were used. The Servers of one
// goroutine share one.
type Tokens struct {
	cfg  TokenConfig
	held []heldToken
}

// heldToken is kept from the first agreement with a token until it expires.
type heldToken struct {
	id       [24]byte // its nonce
	expires  int64    // Unix nanoseconds
	consumed bool     // a session was confirmed; before, it is pending
}

// NewTokens checks cfg.
func NewTokens(cfg TokenConfig) (*Tokens, error) {
	if cfg.Key == [32]byte{} {
		return nil, errors.New("handshake: the token key is missing")
	}
	if len(cfg.Servers) == 0 {
		return nil, errors.New("handshake: the addresses that tokens name are missing")
	}
	if cfg.Max <= 0 {
		cfg.Max = 1024
	}
	return &Tokens{cfg: cfg, held: make([]heldToken, 0, cfg.Max)}, nil
}

// Held is how many tokens are remembered.
func (t *Tokens) Held() int { return len(t.held) }

// admit judges a token that came with a client's key. It keeps nothing.
func (t *Tokens) admit(sealed, client []byte, now int64) (*Token, error) {
	tok, err := OpenToken(t.cfg.Key, sealed)
	if err != nil {
		return nil, err
	}
	at := now + t.cfg.Epoch
	switch {
	case tok.Client != [32]byte(client):
		return nil, ErrTokenClient
	case !t.serves(tok):
		return nil, ErrTokenServer
	case at >= tok.Expires:
		return nil, ErrTokenExpired
	case tok.Issued > at+tokenAhead:
		return nil, ErrTokenFuture
	case tok.Issued < t.cfg.Started:
		return nil, ErrTokenOld
	}
	h := t.find([24]byte(sealed))
	if h != nil && h.consumed {
		return nil, ErrTokenUsed
	}
	if h == nil && len(t.held) >= t.cfg.Max {
		t.forget(at)
		if len(t.held) >= t.cfg.Max {
			return nil, ErrTokenRoom
		}
	}
	return tok, nil
}

func (t *Tokens) serves(tok *Token) bool {
	for _, a := range tok.Servers {
		for _, b := range t.cfg.Servers {
			if a.Port() == b.Port() && a.Addr().Unmap() == b.Addr().Unmap() {
				return true
			}
		}
	}
	return false
}

func (t *Tokens) find(id [24]byte) *heldToken {
	for i := range t.held {
		if t.held[i].id == id {
			return &t.held[i]
		}
	}
	return nil
}

// hold remembers a token that admit has let pass.
func (t *Tokens) hold(id [24]byte, expires int64) {
	if t.find(id) == nil {
		t.held = append(t.held, heldToken{id: id, expires: expires})
	}
}

// consume uses a held token up; it reports whether that was not done before.
func (t *Tokens) consume(id [24]byte) bool {
	h := t.find(id)
	if h == nil || h.consumed {
		return false // expired and forgotten counts as used
	}
	h.consumed = true
	return true
}

// forget drops what has expired, which admit refuses in any case.
func (t *Tokens) forget(at int64) {
	keep := t.held[:0]
	for _, h := range t.held {
		if at < h.expires {
			keep = append(keep, h)
		}
	}
	t.held = keep
}

const tokenPrefix = "sightline-token:"

// TokenText is a sealed token as a line of text, for a client that keeps the key
// that the token names to itself.
func TokenText(sealed []byte) string { return tokenPrefix + hex.EncodeToString(sealed) }

// ParseTokenText reads what TokenText wrote; space around it is ignored.
func ParseTokenText(text string) ([]byte, error) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), tokenPrefix)
	if !ok {
		return nil, errors.New("not a token: it begins with " + tokenPrefix)
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != TokenSize {
		return nil, fmt.Errorf("not a token: %d hexadecimal digits follow the prefix", 2*TokenSize)
	}
	return b, nil
}

// Ticket is a token with what its player needs to use it: a secret of his.
type Ticket struct {
	Token  []byte
	Client Key      // the pair whose public half the token names; for one attempt
	Server [32]byte // the server's public key; zero: pinned on first use
}

const ticketPrefix = "sightline-ticket:"

// Text is the ticket as a line of text.
func (t *Ticket) Text() string {
	b := append([]byte(nil), t.Client.Private[:]...)
	b = append(b, t.Server[:]...)
	return ticketPrefix + hex.EncodeToString(append(b, t.Token...))
}

// ParseTicket reads what Text wrote; space around it is ignored.
func ParseTicket(text string) (*Ticket, error) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), ticketPrefix)
	if !ok {
		return nil, errors.New("not a ticket: it begins with " + ticketPrefix)
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 64+TokenSize {
		return nil, fmt.Errorf("not a ticket: %d hexadecimal digits follow the prefix", 2*(64+TokenSize))
	}
	k, err := keyOf([32]byte(b))
	if err != nil {
		return nil, err
	}
	return &Ticket{Token: b[64:], Client: k, Server: [32]byte(b[32:])}, nil
}

// Use puts the ticket into a client's configuration.
func (t *Ticket) Use(c *ClientConfig) {
	c.Token, c.Ephemeral = t.Token, &t.Client
	if t.Server != [32]byte{} {
		c.Key = &t.Server
	}
}

const tokenKeyPrefix = "sightline-token-key:"

// TokenKeyText is a token key as a line of text for a file that only matchmaker
// and server can read.
func TokenKeyText(key [32]byte) string { return tokenKeyPrefix + hex.EncodeToString(key[:]) }

// ParseTokenKey reads what TokenKeyText wrote; space around it is ignored.
func ParseTokenKey(text string) (key [32]byte, err error) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), tokenKeyPrefix)
	if !ok {
		return key, errors.New("not a token key: it begins with " + tokenKeyPrefix)
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 32 {
		return key, errors.New("not a token key: 64 hexadecimal digits follow the prefix")
	}
	return [32]byte(b), nil
}
