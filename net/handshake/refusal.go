package handshake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Code says why a server refuses.
type Code uint8

// The reasons. Accepted is the zero value.
const (
	Accepted      Code = iota
	OtherProtocol      // the versions of the protocol differ
	OtherSchema        // the protocol is the same, the data's layout is not
	Full               // no slot is free
	Banned             // this address may not play here
	Unwelcome          // any other reason, told in words
	NoToken            // only who has a connect token may join
	BadToken           // the connect token is not good; Text says why
)

// Refusal is a reason and, for Banned and Unwelcome, words of at most 160
// bytes for the player. The zero value refuses nothing.
type Refusal struct {
	Code Code
	Text string
}

// Errors of a Client.
var (
	// ErrTimeout says that the server did not answer in time.
	ErrTimeout = errors.New("no answer")
	// ErrWelcome says that a server's Welcome is longer than MaxWelcome.
	ErrWelcome = errors.New("handshake: welcome too long")
	// ErrHello says that a client's own bytes are longer than MaxHello.
	ErrHello = errors.New("handshake: hello too long")
	// ErrToken says that a client's token has not the size of one, or that the key
	// that it names is missing.
	ErrToken = errors.New("handshake: not a connect token with its key")
	// ErrResume says that a client's resume ticket has not the size of one.
	ErrResume = errors.New("handshake: not a resume ticket")
	// ErrSuites says that no cipher suite is given.
	ErrSuites = errors.New("handshake: no cipher suite given")
)

// RefusedError is why a server did not let a client in, in words for the
// player.
type RefusedError struct {
	Refusal
	Server, Client             uint16 // protocol versions
	ServerSchema, ClientSchema [8]byte
}

func (e *RefusedError) Error() string {
	switch e.Code {
	case OtherProtocol:
		if e.Server > e.Client {
			return fmt.Sprintf("server speaks protocol %d, you %d: update the client", e.Server, e.Client)
		}
		return fmt.Sprintf("server speaks protocol %d, you %d: the server must be updated, or join with an older client", e.Server, e.Client)
	case OtherSchema:
		return fmt.Sprintf("server and client both speak protocol %d, but lay out data differently (server %x, you %x): use the same build on both sides", e.Server, e.ServerSchema, e.ClientSchema)
	case Full:
		return "server is full: try again later"
	case Banned:
		return "you are banned from this server" + because(e.Text)
	case NoToken:
		return "this server lets in only whom its matchmaker sends: a connect token is needed"
	case BadToken:
		return "the connect token is refused" + because(e.Text)
	}
	return "server refuses" + because(e.Text)
}

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// PinError says that a server shows another key than it did before: either
// its operator made a new one, or somebody else answers in its place.
type PinError struct {
	Name          string
	Pinned, Shown [32]byte
}

func (e *PinError) Error() string {
	return fmt.Sprintf("%s shows another key than before: fingerprint %s, remembered is %s; ask its operator whether the key changed, and only then forget the old one",
		e.Name, Fingerprint(e.Shown), Fingerprint(e.Pinned))
}

// putRefusal writes a Refuse packet and returns its length.
func putRefusal(dst []byte, r Refusal, echo []byte, version uint16, schema []byte) int {
	text := r.Text
	if len(text) > maxText {
		text = text[:maxText]
	}
	putHead(dst, typeRefuse, echo)
	dst[12], dst[13] = byte(r.Code), 0
	binary.LittleEndian.PutUint16(dst[14:], version)
	copy(dst[16:24], schema[:8])
	dst[24] = byte(len(text))
	return refuseHead + copy(dst[refuseHead:], text)
}

// readRefusal reads one. It cannot be authenticated, so its words are shown
// with everything removed that is not printable.
func readRefusal(pkt []byte) (*RefusedError, bool) {
	if len(pkt) < refuseHead || len(pkt) != refuseHead+int(pkt[24]) || pkt[24] > maxText || pkt[12] == byte(Accepted) {
		return nil, false
	}
	text := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(pkt[refuseHead:]), ""))
	return &RefusedError{
		Refusal:      Refusal{Code(pkt[12]), text},
		Server:       binary.LittleEndian.Uint16(pkt[14:]),
		ServerSchema: [8]byte(pkt[16:24]),
	}, true
}
