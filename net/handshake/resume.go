package handshake

import (
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"io"

	"golang.org/x/crypto/chacha20poly1305"
)

// A resume ticket is what a server gives in each Accept: who comes back with it
// takes up the place that its session had. It means nothing to the client that
// keeps it, and travels under the keys of the handshake only, so that nobody else
// has it.
//
//	0–23 nonce   24–39 sealed place   40–55 tag
const (
	// ResumeSize is the length of every resume ticket.
	ResumeSize = 24 + placeSize + 16

	placeSize     = 16
	resumePurpose = "sightline resume ticket"
)

// Place names what a session leaves behind on its server: a body, a score. Each
// session has another, drawn by chance, so that a ticket is good once.
type Place [placeSize]byte

// Resumes makes and opens the resume tickets of one server, which lose their
// meaning when it ends. The Servers of one goroutine share one. Make it with
// NewResumes.
type Resumes struct {
	aead   cipher.AEAD
	random io.Reader
}

// NewResumes draws the key (random nil: the system's generator).
func NewResumes(random io.Reader) (*Resumes, error) {
	if random == nil {
		random = rand.Reader
	}
	var key [32]byte
	if _, err := io.ReadFull(random, key[:]); err != nil {
		return nil, fmt.Errorf("handshake: draw secrets: %w", err)
	}
	aead, err := chacha20poly1305.NewX(key[:])
	if err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	return &Resumes{aead, random}, nil
}

// issue draws a place and appends its ticket to dst.
func (r *Resumes) issue(dst []byte) (Place, []byte, error) {
	var b [24 + placeSize]byte
	if _, err := io.ReadFull(r.random, b[:]); err != nil {
		return Place{}, nil, fmt.Errorf("handshake: draw secrets: %w", err)
	}
	dst = append(dst, b[:24]...)
	return Place(b[24:]), r.aead.Seal(dst, b[:24], b[24:], []byte(resumePurpose)), nil
}

// open tells which place a ticket names. Of another server's, and of one that was
// altered, ok is false.
func (r *Resumes) open(ticket []byte) (p Place, ok bool) {
	if r == nil || len(ticket) != ResumeSize {
		return p, false
	}
	b, err := r.aead.Open(nil, ticket[:24], ticket[24:], []byte(resumePurpose))
	if err != nil || len(b) != placeSize {
		return p, false
	}
	return Place(b), true
}
