package handshake

import (
	"crypto/sha256"
)

// A client that hears nothing more may have got another address on its way, which
// it cannot see. It then sends its packets with the name of the session in front,
// by which the server finds the session that no longer comes from its address:
//
//	0 type   1–3 magic   4–11 name   12– a data packet of the session
//
// The name is made of the agreement and known to both sides alone until it is
// used; it proves nothing, the data packet does.
const (
	// PathHead is how much longer than its data packet a path packet is.
	PathHead = headSize

	typePath = 0xA5
	pathFor  = 3 * second // a challenge waits for its answer
)

const pathPurpose = "sightline path"

// nameOf makes a session's name of what both sides agreed on.
func nameOf(binding []byte) [8]byte {
	h := sha256.Sum256(append([]byte(pathPurpose), binding...))
	return [8]byte(h[:8])
}

// AppendPath appends to dst a data packet with its session's name in front.
func AppendPath(dst []byte, name [8]byte, data []byte) []byte {
	dst = append(dst, typePath, magic[0], magic[1], magic[2])
	dst = append(dst, name[:]...)
	return append(dst, data...)
}

// SplitPath takes apart what AppendPath made. It says nothing about who sent it.
func SplitPath(pkt []byte) (name [8]byte, data []byte, ok bool) {
	if len(pkt) <= PathHead || pkt[0] != typePath || [3]byte(pkt[1:4]) != magic || !isData(pkt[PathHead:]) {
		return name, nil, false
	}
	return [8]byte(pkt[offEcho:]), pkt[PathHead:], true
}

// Path decides, at the server, where one session's client is; P is an address as
// the server knows it. A packet of the client from elsewhere moves nothing: it
// leads to a question to there, and only who answers it from there is the client.
// So whoever sends a captured packet from an address of his own gains nothing but
// one question, shorter than the packet.
type Path[P comparable] struct {
	asked P // where the question was sent
	nonce uint64
	until int64 // 0: no question waits
}

// Heard takes the place that an authentic packet came from, and the place where
// the session's client is. newest says that no packet of a higher number was
// received before: one that was captured, or overtaken, is passed over. It reports
// whether a question with nonce is to be sent there; while one waits for that place
// it is the same again.
func (p *Path[P]) Heard(from, at P, newest bool, draw func() uint64, now int64) (nonce uint64, ask bool) {
	if !newest {
		return 0, false
	}
	if from == at { // the client is where it was: nobody else is believed
		*p = Path[P]{}
		return 0, false
	}
	if now >= p.until || p.asked != from {
		*p = Path[P]{asked: from, nonce: draw(), until: now + pathFor}
	}
	return p.nonce, true
}

// Answered takes an answer and where it came from; it reports whether the client
// is there now.
func (p *Path[P]) Answered(from P, nonce uint64, now int64) bool {
	if now >= p.until || from != p.asked || nonce != p.nonce {
		return false
	}
	*p = Path[P]{}
	return true
}
