package handshake

import (
	"encoding/binary"

	"github.com/sightline-engine/sightline/net/bits"
)

// The first byte of every packet here; data packets have 0x40 to 0x7F.
const (
	typeHello  = 0xA1
	typeRetry  = 0xA2
	typeRefuse = 0xA3
	typeAccept = 0xA4
)

// Layout of a Hello. Bytes 0 to 71 and the whole of a Refuse stay as they are
// in all versions, so that any two versions can tell each other apart.
//
//	0      type          1–3 magic         4–5 protocol version
//	6      flags         7   suites offered
//	8–39   schema hash   40–71 the client's ephemeral key
//	72–91  cookie        92–93 length of the Noise message, then the message
//	       zeros to 1200, or to 1030 and a connect token
const (
	offVersion = 4
	offFlags   = 6
	offSuites  = 7
	offSchema  = 8
	offKey     = 40
	offCookie  = 72
	offNoise   = 94
	frozenSize = 72

	flagCookie = 1
	flagToken  = 2
	flagResume = 4 // what the client says of itself begins with a resume ticket

	offToken = HelloSize - TokenSize // of a Hello that has one
)

// Layout of a Retry (64 bytes) and the head of a Refuse and an Accept:
//
//	0 type   1–3 magic   4–11 first bytes of the client's ephemeral key
//	Retry:   12–43 the server's static key   44–63 cookie
//	Refuse:  12 code   13 zero   14–15 the server's protocol version
//	         16–23 first bytes of its schema hash   24 length, then text
//	Accept:  12… the Noise message
const (
	offEcho   = 4
	echoSize  = 8
	headSize  = offEcho + echoSize
	retrySize = 64

	refuseHead = 25
	maxText    = 160
)

var magic = [3]byte{'S', 'L', 'N'}

// prologue begins what both sides mix into the key agreement before it.
const prologue = "sightline handshake"

// IsHandshake reports whether pkt has the form of a packet of this package.
func IsHandshake(pkt []byte) bool {
	return len(pkt) >= headSize && pkt[0] >= typeHello && pkt[0] <= typeAccept && [3]byte(pkt[1:4]) == magic
}

// isData reports whether pkt has the form of a packet of net/netchan.
func isData(pkt []byte) bool { return len(pkt) > 0 && pkt[0]&0xC0 == 0x40 }

func putHead(dst []byte, kind byte, echo []byte) {
	dst[0] = kind
	copy(dst[1:], magic[:])
	copy(dst[offEcho:headSize], echo)
}

// noiseOf is the Noise message in a Hello, nil when its length is impossible.
func noiseOf(hello []byte) []byte {
	n := int(binary.LittleEndian.Uint16(hello[offNoise-2:]))
	end := HelloSize
	if hello[offFlags]&flagToken != 0 {
		end = offToken
	}
	if n == 0 || n > end-offNoise {
		return nil
	}
	return hello[offNoise : offNoise+n]
}

// prologueOf is what both sides mix into the key agreement: what was said before
// it, and the token.
func prologueOf(hello []byte) []byte {
	p := append([]byte(prologue), hello[:frozenSize]...)
	if hello[offFlags]&flagToken != 0 {
		p = append(p, hello[offToken:HelloSize]...)
	}
	return p
}

func appendTerms(buf []byte, suite uint8, o Offer, resume []byte) ([]byte, error) {
	if len(o.Welcome) > MaxWelcome {
		return nil, ErrWelcome
	}
	var w bits.Writer
	w.Reset(buf)
	w.Bits(uint64(suite), 8)
	w.Bits(uint64(o.Slot), 16)
	w.Bits(uint64(o.Tick), 32)
	w.Bits(uint64(o.TickRate), 16)
	w.Bits(uint64(len(resume)), 8)
	w.Raw(resume)
	w.Bits(uint64(len(o.Welcome)), 16)
	w.Raw(o.Welcome)
	return w.Bytes(), w.Err()
}

func readTerms(p []byte) (suite uint8, o Offer, resume []byte, ok bool) {
	var r bits.Reader
	r.Reset(p)
	suite = uint8(r.Bits(8))
	o.Slot = uint16(r.Bits(16))
	o.Tick = uint32(r.Bits(32))
	o.TickRate = uint16(r.Bits(16))
	if n := int(r.Bits(8)); n == ResumeSize {
		resume = make([]byte, n)
		r.Raw(resume)
	} else if n != 0 {
		return 0, Offer{}, nil, false
	}
	n := int(r.Bits(16))
	o.Welcome = r.Rest()
	if r.Err() != nil || n != len(o.Welcome) || n > MaxWelcome {
		return 0, Offer{}, nil, false
	}
	return suite, o, resume, true
}
