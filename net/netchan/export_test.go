package netchan

import "encoding/binary"

// SealRaw makes an authentic packet with any flags and content.
func SealRaw(key [32]byte, flags byte, seq uint64, content []byte) []byte {
	a, err := ChaCha.aead(&key)
	if err != nil {
		panic(err)
	}
	var nonce [12]byte
	binary.LittleEndian.PutUint64(nonce[4:], seq)
	head := []byte{flags, byte(seq), byte(seq >> 8)}
	return a.Seal(head, nonce[:], content, head)
}
