// Package netchan is one end of an established session: it seals and opens
// packets, knows which of its own arrived, and carries a bounded stream of
// reliable messages inside them. It is a state machine to step: no socket, no
// clock, no goroutine. Times are nanoseconds on the caller's clock and never
// go back.
//
// The way of a packet out:
//
//  1. Budget says how many bytes of payload there is room for.
//  2. Seal adds acknowledgements and reliable data, encrypts, and returns the
//     packet and its sequence number.
//
// and in:
//
//  1. Open checks form, replay window and authenticity, in this order; only
//     then does anything change.
//  2. It takes the acknowledgements (DrainAcks tells which of our packets
//     arrived or were lost) and the reliable data (ReliableIn), and returns
//     the payload.
//
// # Layout
//
//	byte 0      01rwmmmm: r reliable data present, w wide acknowledgement,
//	            mmmm which bytes of the acknowledgement mask are present
//	bytes 1–2   low 16 bits of the sequence number, little-endian
//	…           ciphertext, then a tag of 16 bytes
//
// Bytes 0–2 are authenticated. The first byte of a data packet is thus 0x40
// to 0x7F, which tells it from a handshake (0x80 and up) and from the queries
// that begin with 0xFF. Inside the ciphertext:
//
//	1 or 2      low bits of the newest sequence number received
//	0–4         bytes of the mask of the 32 before it; a byte that is left
//	            out is all ones (received)
//	…           reliable segments, if r
//	…           payload, whatever the caller put there
//
// On a healthy link an acknowledgement is one byte. The receiver takes the
// narrow form only while fewer than 256 of its packets are unaccounted for;
// the wide form comes every 16th packet and whenever something is missing, so
// that a long silence ends without a wrong acknowledgement.
//
// A reliable segment is a 24-bit offset in the stream, a 15-bit length and a
// more-segments bit, then bytes. Length 0 is a control, whose kind and length are
// the offset's: 1 a goodbye with its reason; 2 a question and 3 its answer, 8
// bytes, by which a server finds out where a client is; 4 a probe, zeros, by which
// the client has itself asked. The stream is messages, each with its length before it (one byte
// below 128, otherwise two); no byte in them is special.
//
// Sequence numbers are 64 bits, start at 1 and are the nonce; the keys of the
// two directions differ, so that no pair of key and nonce is used twice. A
// packet that fails authentication changes nothing but a counter.
//
// A Channel belongs to one goroutine. Slices that it returns are its own and
// valid until the next call of the same method. After the first few packets
// it does not allocate.
package netchan

import "errors"

const (
	// Overhead is what a packet adds to its content: header and tag.
	Overhead = headerSize + tagSize
	// MaxPayload is the longest content in bytes, acknowledgement and
	// reliable data included. With 28 bytes of IP and UDP headers a packet
	// stays below 1,220 bytes, so no real path cuts it up.
	MaxPayload = 1172
	// MaxPacket is the longest packet in bytes.
	MaxPacket = MaxPayload + Overhead
	// MaxMessage is the longest reliable message in bytes.
	MaxMessage = 8192
	// Backlog is how many bytes of reliable stream may be unacknowledged.
	Backlog = 64 << 10
	// Window is how many packets behind the newest a packet may be.
	Window = 1024

	headerSize = 3
	tagSize    = 16
	maxAckSize = 6
)

// Errors of Open. None of them ends a session, except ErrProtocol, which only
// the true peer can cause.
var (
	// ErrNotData says that a packet does not have the form of a data packet.
	ErrNotData = errors.New("netchan: not a data packet")
	// ErrReplay says that a packet was received before.
	ErrReplay = errors.New("netchan: packet received before")
	// ErrOld says that a packet is too old to tell whether it is a replay.
	ErrOld = errors.New("netchan: packet older than the window")
	// ErrAuth says that a packet is not from the peer, or was damaged.
	ErrAuth = errors.New("netchan: packet fails authentication")
	// ErrFull says that reliable data did not fit because ReliableIn has not
	// been called. The packet counts as lost and is sent again.
	ErrFull = errors.New("netchan: reliable data not taken in time")
	// ErrProtocol says that the peer broke the protocol.
	ErrProtocol = errors.New("netchan: peer breaks the protocol")
)

// Errors of the sending side.
var (
	// ErrTooLong says that a payload is above Budget or a message above
	// MaxMessage.
	ErrTooLong = errors.New("netchan: too long")
	// ErrEmpty says that a reliable message has no bytes.
	ErrEmpty = errors.New("netchan: empty message")
	// ErrBacklog says that the peer does not acknowledge as fast as messages
	// are queued. The caller drops the message or the peer.
	ErrBacklog = errors.New("netchan: reliable backlog is full")
)
