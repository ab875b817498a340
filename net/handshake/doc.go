// Package handshake turns two addresses into a session with keys. Both sides
// are state machines to step: no socket, no clock, no goroutine.
//
//	client                                server
//	Client.Step    ── Hello, 1200 bytes ─▶  keeps nothing
//	Client.Handle  ◀─ Retry, 64 bytes ────  Server.Handle
//	Client.Step    ── Hello + cookie ────▶  checks, cheapest first; agrees keys
//	Client.Handle  ◀─ Accept ─────────────  keeps a pending entry, 2 s
//	(net/netchan)  ── data packet ───────▶  EventConfirmed: a slot is taken
//
// STATE-MACHINE.md holds every transition in a table, and a test executes it.
//
// Before the cookie has come back, the server keeps nothing about anybody; no
// answer is longer than the packet that it answers; a packet that fails any
// check is counted and forgotten. Key agreement is Noise NK (25519,
// ChaCha20-Poly1305, BLAKE2s) over everything that both sides said before, so
// that nobody in between can talk them into a weaker suite. A client that
// does not know the server's key takes it from the Retry, on first use, and
// pins it once the server has proved that it holds it.
//
// Each Accept holds a ticket by which the client comes back to its place when the
// session is lost (resume.go), and names the session, so that the server can follow
// the client to another address (path.go). A server that wants connect tokens lets
// in only whom a matchmaker sends (token.go, TOKEN.md).
//
// Times are nanoseconds on the caller's clock and never go back. A Server and
// a Client belong to one goroutine each. Packets that they return are valid
// until the next call of the same method.
package handshake

const (
	// Protocol is the version of the packets in net/, raised with every change
	// that an older side would misread.
	Protocol = 2
	// HelloSize is the length of a Hello and the most that is ever answered.
	HelloSize = 1200
	// MaxHello is how many bytes of its own a client may add to its Hello.
	MaxHello = 512
	// MaxWelcome is how many bytes of its own a server may add to an Accept.
	MaxWelcome = 1000
)

const (
	second     = int64(1e9)
	bucket     = 10 * second // a cookie lives for one to two of them
	pendingFor = 2 * second
)
