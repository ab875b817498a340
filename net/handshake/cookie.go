package handshake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
)

// cookies makes and checks proofs that somebody receives at an address. They
// hold nothing and are kept nowhere: a MAC over address, port, the client's
// key and a slice of time, under a secret of this run.
type cookies struct {
	mac hash.Hash
	in  [16 + 2 + 32 + 8]byte
	sum [sha256.Size]byte
}

// cookie is the low byte of its time slice and 152 bits of MAC.
type cookie [20]byte

func newCookies(secret [32]byte) cookies {
	return cookies{mac: hmac.New(sha256.New, secret[:])}
}

func (c *cookies) at(from netip.AddrPort, key []byte, slice int64) (k cookie) {
	a := from.Addr().As16()
	copy(c.in[:], a[:])
	binary.LittleEndian.PutUint16(c.in[16:], from.Port())
	copy(c.in[18:50], key)
	binary.LittleEndian.PutUint64(c.in[50:], uint64(slice))
	c.mac.Reset()
	c.mac.Write(c.in[:])
	k[0] = byte(slice)
	copy(k[1:], c.mac.Sum(c.sum[:0]))
	return k
}

func (c *cookies) make(from netip.AddrPort, key []byte, now int64) cookie {
	return c.at(from, key, now/bucket)
}

func (c *cookies) valid(got []byte, from netip.AddrPort, key []byte, now int64) bool {
	slice := now / bucket
	if got[0] != byte(slice) {
		if slice--; got[0] != byte(slice) {
			return false
		}
	}
	want := c.at(from, key, slice)
	return hmac.Equal(got, want[:])
}
