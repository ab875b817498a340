package handshake

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/flynn/noise"
)

// ClientConfig says how to join a server.
type ClientConfig struct {
	// Server is its name as the user knows it, the key of the pin.
	Server string
	// Key is the server's key where it is known from elsewhere; otherwise it
	// comes from Pins, and on first use from the server itself.
	Key  *[32]byte
	Pins PinStore // nil: nothing is remembered

	Protocol uint16 // 0: Protocol of this package
	Schema   [32]byte
	Suites   uint8  // set of cipher suites that this machine offers
	Hello    []byte // sealed to the server: a name, say; at most MaxHello
	// Token is a sealed connect token, and Ephemeral the key pair that it names:
	// for one attempt only. Both are nil where the server asks for none.
	Token     []byte
	Ephemeral *Key
	// Resume is the ticket of an earlier session with this server, to go on where
	// that ended. It stands in for a token.
	Resume  []byte
	Rand    io.Reader // nil: the system's generator
	Timeout int64     // nanoseconds from the first Step to giving up (10 s)
}

// State is how far a Client is.
type State uint8

// The states in their order; Failed may follow any but Joined.
const (
	Asking  State = iota // sends a Hello without a cookie
	Proving              // has a cookie, sends it with its half of the keys
	Joined               // Session has the rest
	Failed               // Err says why
)

func (s State) String() string {
	return [...]string{"asking", "proving", "joined", "failed"}[s&3]
}

const (
	resendFirst = second / 5
	resendMost  = second / 2
)

// Client joins a server. Make it with NewClient.
type Client struct {
	cfg     ClientConfig
	private [32]byte
	noise   *noise.HandshakeState

	state    State
	server   [32]byte // key used in the agreement
	firstUse bool
	started  bool
	giveUp   int64
	next     int64 // when to send again
	wait     int64
	session  *Session
	err      error
	pinErr   error

	out [HelloSize]byte
}

// NewClient checks cfg and draws the ephemeral key of this attempt.
func NewClient(cfg ClientConfig) (*Client, error) {
	if cfg.Suites == 0 {
		return nil, ErrSuites
	}
	if len(cfg.Hello) > MaxHello {
		return nil, ErrHello
	}
	if len(cfg.Resume) != 0 && len(cfg.Resume) != ResumeSize {
		return nil, ErrResume
	}
	if cfg.Protocol == 0 {
		cfg.Protocol = Protocol
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Reader
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 10 * second
	}
	cfg.Hello = append(bytes.Clone(cfg.Resume), cfg.Hello...)
	k, err := NewKey(cfg.Rand)
	if err != nil {
		return nil, err
	}
	if cfg.Ephemeral != nil {
		if k, err = keyOf(cfg.Ephemeral.Private); err != nil {
			return nil, err
		}
	}
	if cfg.Token != nil && (len(cfg.Token) != TokenSize || cfg.Ephemeral == nil) {
		return nil, ErrToken
	}
	c := &Client{cfg: cfg, private: k.Private, wait: resendFirst, firstUse: true}
	if cfg.Key != nil {
		c.server, c.firstUse = *cfg.Key, false
	} else if cfg.Pins != nil {
		if pinned, ok := cfg.Pins.Lookup(cfg.Server); ok {
			c.server, c.firstUse = pinned, false
		}
	}

	c.out[0] = typeHello
	copy(c.out[1:], magic[:])
	binary.LittleEndian.PutUint16(c.out[offVersion:], cfg.Protocol)
	c.out[offSuites] = cfg.Suites
	copy(c.out[offSchema:], cfg.Schema[:])
	copy(c.out[offKey:], k.Public[:])
	if cfg.Token != nil {
		c.out[offFlags] = flagToken
		copy(c.out[offToken:], cfg.Token)
	}
	if len(cfg.Resume) > 0 {
		c.out[offFlags] |= flagResume
	}
	return c, nil
}

// Step gives the packet to send now, or nil. It is to be called every few
// milliseconds; after Joined it sends nothing more.
func (c *Client) Step(now int64) []byte {
	if c.state >= Joined {
		return nil
	}
	if !c.started {
		c.started, c.giveUp, c.next = true, now+c.cfg.Timeout, now
	}
	if now >= c.giveUp {
		c.fail(fmt.Errorf("%w from %s within %d s: check the address, and that the server runs", ErrTimeout, c.cfg.Server, c.cfg.Timeout/second))
		return nil
	}
	if now < c.next {
		return nil
	}
	c.next = now + c.wait
	c.wait = min(c.wait*3/2, resendMost)
	return c.out[:]
}

// Handle takes a packet from the server's address. A packet that makes no
// sense is passed over without an error, whoever sent it; an error means that
// the attempt has failed, and is Err.
func (c *Client) Handle(pkt []byte, now int64) error {
	if c.state >= Joined || !IsHandshake(pkt) || !bytes.Equal(pkt[offEcho:headSize], c.out[offKey:offKey+echoSize]) {
		return nil
	}
	switch pkt[0] {
	case typeRetry:
		if len(pkt) == retrySize {
			return c.retry([32]byte(pkt[headSize:]), cookie(pkt[headSize+32:]), now)
		}
	case typeRefuse:
		if r, ok := readRefusal(pkt); ok {
			r.Client, r.ClientSchema = c.cfg.Protocol, [8]byte(c.cfg.Schema[:8])
			return c.fail(r)
		}
	case typeAccept:
		if c.state == Proving {
			c.accept(pkt[headSize:])
		}
	}
	return c.err
}

// retry takes a cookie and, on first use, the key.
func (c *Client) retry(key [32]byte, k cookie, now int64) error {
	if c.state == Asking && c.firstUse {
		c.server = key
	}
	if key != c.server {
		if c.state == Proving {
			return nil // the first answer counts
		}
		return c.fail(&PinError{Name: c.cfg.Server, Pinned: c.server, Shown: key})
	}
	if c.state == Proving && bytes.Equal(c.out[offCookie:offNoise-2], k[:]) {
		return nil // a copy of the first
	}
	c.out[offFlags] |= flagCookie
	copy(c.out[offCookie:], k[:])
	if c.state == Asking {
		msg, err := c.agree()
		if err != nil {
			return c.fail(err)
		}
		binary.LittleEndian.PutUint16(c.out[offNoise-2:], uint16(len(msg)))
		copy(c.out[offNoise:], msg)
		c.state = Proving
	}
	c.next, c.wait = now, resendFirst
	return nil
}

// agree starts the key agreement. Its first message is the same each time:
// the key, the content and what was said before do not change in an attempt.
func (c *Client) agree() ([]byte, error) {
	hs, err := noise.NewHandshakeState(noise.Config{
		CipherSuite: noiseSuite, Pattern: noise.HandshakeNK, Initiator: true,
		Random:     bytes.NewReader(c.private[:]), // the ephemeral key, drawn before
		Prologue:   prologueOf(c.out[:]),
		PeerStatic: c.server[:],
	})
	if err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	msg, _, _, err := hs.WriteMessage(nil, c.cfg.Hello)
	if err != nil {
		return nil, fmt.Errorf("handshake: server's key is unusable: %w", err)
	}
	c.noise = hs
	return msg, nil
}

// accept finishes the agreement if msg is the server's; otherwise all is as
// before.
func (c *Client) accept(msg []byte) {
	sealed, toServer, toClient, err := c.noise.ReadMessage(nil, msg)
	if err != nil {
		// A failed attempt may leave traces in the agreement: begin it anew.
		if _, err := c.agree(); err != nil {
			c.fail(err)
		}
		return
	}
	suite, o, resume, ok := readTerms(sealed)
	if !ok || suite == 0 || suite&(suite-1) != 0 || suite&c.cfg.Suites == 0 {
		c.fail(fmt.Errorf("handshake: %s accepts on terms that were not offered", c.cfg.Server))
		return
	}
	c.session = &Session{
		Send: toServer.UnsafeKey(), Recv: toClient.UnsafeKey(), Suite: suite,
		Slot: o.Slot, Tick: o.Tick, TickRate: o.TickRate, Welcome: o.Welcome,
		Resume: resume, Name: nameOf(c.noise.ChannelBinding()),
	}
	c.state = Joined
	if c.firstUse && c.cfg.Pins != nil {
		c.pinErr = c.cfg.Pins.Save(c.cfg.Server, c.server)
	}
}

func (c *Client) fail(err error) error {
	c.state, c.err = Failed, err
	return err
}

// State is how far the attempt is.
func (c *Client) State() State { return c.state }

// Err is why the attempt has failed, nil before.
func (c *Client) Err() error { return c.err }

// Session is the outcome, nil before Joined.
func (c *Client) Session() *Session { return c.session }

// ServerKey is the server's public key once Joined, and whether it was seen
// for the first time: then the user is shown its Fingerprint.
func (c *Client) ServerKey() (key [32]byte, firstUse bool) { return c.server, c.firstUse }

// PinErr is why the key of a first use could not be remembered, nil if it
// was.
func (c *Client) PinErr() error { return c.pinErr }
