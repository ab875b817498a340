package handshake

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/curve25519"
)

// Key is a server's lasting X25519 key pair.
type Key struct{ Private, Public [32]byte }

// NewKey makes a key pair from random (nil: the system's generator).
func NewKey(random io.Reader) (Key, error) {
	var private [32]byte
	if random == nil {
		random = rand.Reader
	}
	if _, err := io.ReadFull(random, private[:]); err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	return keyOf(private)
}

func keyOf(private [32]byte) (Key, error) {
	public, err := curve25519.X25519(private[:], curve25519.Basepoint)
	if err != nil {
		return Key{}, fmt.Errorf("make a key: %w", err)
	}
	return Key{private, [32]byte(public)}, nil
}

// keyPrefix marks a private key in text, so that nobody mistakes it for a
// public one.
const keyPrefix = "sightline-private-key:"

// PrivateText is the pair as a line of text for a file that only the server's
// operator can read.
func (k Key) PrivateText() string { return keyPrefix + hex.EncodeToString(k.Private[:]) }

// ParseKey reads what PrivateText wrote; space around it is ignored.
func ParseKey(text string) (Key, error) {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), keyPrefix)
	if !ok {
		return Key{}, errors.New("not a private key: it begins with " + keyPrefix)
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 32 {
		return Key{}, errors.New("not a private key: 64 hexadecimal digits follow the prefix")
	}
	return keyOf([32]byte(b))
}

// String is the fingerprint: a key that is printed by mistake gives nothing
// away.
func (k Key) String() string { return Fingerprint(k.Public) }

// Fingerprint is a public key in a form that two people can compare aloud:
// eight groups of four hexadecimal digits.
func Fingerprint(public [32]byte) string {
	h := sha256.Sum256(public[:])
	var b strings.Builder
	for i := 0; i < 16; i += 2 {
		if i > 0 {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, "%02x%02x", h[i], h[i+1])
	}
	return b.String()
}
