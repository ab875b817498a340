package netchan

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/sys/cpu"
)

// Suite is the cipher that both ends agreed on. The values are those of the
// handshake.
type Suite uint8

// The suites, as bits, so that a set of them is their sum.
const (
	AESGCM Suite = 1 << iota // AES-256-GCM
	ChaCha                   // ChaCha20-Poly1305
)

// Suites is the set that this machine runs at full speed and in constant
// time: ChaCha always, AES only with instructions for it, because the plain
// code for AES leaks its key through the cache.
func Suites() Suite {
	if cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ || cpu.ARM64.HasAES && cpu.ARM64.HasPMULL || cpu.S390X.HasAESGCM {
		return AESGCM | ChaCha
	}
	return ChaCha
}

func (s Suite) String() string {
	switch s {
	case AESGCM:
		return "AES-256-GCM"
	case ChaCha:
		return "ChaCha20-Poly1305"
	}
	return fmt.Sprintf("suite %d", uint8(s))
}

func (s Suite) aead(key *[32]byte) (cipher.AEAD, error) {
	switch s {
	case AESGCM:
		b, err := aes.NewCipher(key[:])
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(b)
	case ChaCha:
		return chacha20poly1305.New(key[:])
	}
	return nil, fmt.Errorf("netchan: unknown %v", s)
}

// Config is what the handshake agreed on.
type Config struct {
	Send, Recv [32]byte // keys, one for each direction
	Suite      Suite

	// Sequence numbers already used with these keys; 0 in a new session. The
	// next packets are one above.
	Sent, Received uint64
}

// IsData reports whether pkt has the form of a data packet. It says nothing
// about who sent it.
func IsData(pkt []byte) bool {
	return len(pkt) >= Overhead+1 && len(pkt) <= MaxPacket && pkt[0]&0xC0 == 0x40
}

// Authentic reports whether pkt opens with the keys of a session that has
// received nothing yet. It makes no Channel, so that packets for a session
// that was never confirmed stay cheap.
func Authentic(cfg Config, pkt []byte) bool {
	if !IsData(pkt) {
		return false
	}
	a, err := cfg.Suite.aead(&cfg.Recv)
	if err != nil {
		return false
	}
	seq := expand(cfg.Received, binary.LittleEndian.Uint16(pkt[1:]))
	var nonce [12]byte
	binary.LittleEndian.PutUint64(nonce[4:], seq)
	_, err = a.Open(nil, nonce[:], pkt[headerSize:], pkt[:headerSize])
	return err == nil && seq > cfg.Received
}

// expand gives the 64-bit sequence number nearest to the one after newest
// whose low 16 bits are low. 0 is no sequence number and stands for none.
func expand(newest uint64, low uint16) uint64 {
	next := newest + 1
	d := int64(int16(low - uint16(next)))
	if d < 0 && next < uint64(-d) {
		return 0
	}
	return next + uint64(d)
}
