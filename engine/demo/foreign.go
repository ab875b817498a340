package demo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
)

// marks are what files of others begin with.
var marks = []struct{ mark, what string }{
	{"HL2DEMO\x00", "a demo of the Source engine (Half-Life 2, Counter-Strike: Source, CS:GO)"},
	{"PBDEMS2\x00", "a demo of the Source 2 engine (Counter-Strike 2, Dota 2)"},
	{"PBUFDEM\x00", "a demo of Dota 2 on the Source engine"},
	{"HLDEMO\x00", "a demo of the GoldSrc engine (Half-Life, Counter-Strike 1.6)"},
	{"TWDEMO\x00", "a demo of Teeworlds or DDNet"},
	{"PK\x03\x04", "a zip archive"},
	{"\x1f\x8b", "packed by gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", "packed by zstd: unpack it first"},
	{"\xfd7zXZ\x00", "packed by xz: unpack it first"},
	{"BZh", "packed by bzip2: unpack it first"},
	{"\x7fELF", "a program"},
}

// foreign says in one sentence what a file is that is no demo of this engine, as
// far as its beginning tells.
func foreign(src io.ReaderAt, size int64) error {
	var b [512]byte
	n, err := src.ReadAt(b[:min(int64(len(b)), max(size, 0))], 0)
	if n == 0 && err != nil && err != io.EOF {
		return err
	}
	if what := kindOf(b[:n], src, size); what != "" {
		return fmt.Errorf("%w: it is %s", ErrForeign, what)
	}
	return ErrForeign
}

func kindOf(b []byte, src io.ReaderAt, size int64) string {
	if len(b) == 0 {
		return "empty"
	}
	for _, m := range marks {
		if bytes.HasPrefix(b, []byte(m.mark)) {
			return m.what
		}
	}
	switch {
	case isQuake3(b, src, size):
		return "a demo of Quake III or a game made from it (.dm_68 and the like)"
	case isQuake2(b):
		return "a demo of Quake II or a game made from it (.dm2)"
	case isQuake(b, size):
		return "a demo of Quake or a game made from it (.dem)"
	case isText(b):
		return "a text"
	}
	return ""
}

// isQuake3: messages of a number and a length of at most 16384, one after another,
// numbered upwards.
func isQuake3(b []byte, src io.ReaderAt, size int64) bool {
	le := binary.LittleEndian
	if len(b) < 8 {
		return false
	}
	num, n := int32(le.Uint32(b)), int32(le.Uint32(b[4:]))
	if num < 0 || num > 1<<28 || n < 1 || n > 16384 {
		return false
	}
	at := 8 + int64(n)
	if at+8 > size {
		return at == size
	}
	var next [8]byte
	if k, _ := src.ReadAt(next[:], at); k < len(next) {
		return false
	}
	then, m := int32(le.Uint32(next[:])), int32(le.Uint32(next[4:]))
	return then == -1 && m == -1 || then >= num && then-num < 1<<20 && m >= 1 && m <= 16384
}

// isQuake2: a length, then the message that tells the protocol's number.
func isQuake2(b []byte) bool {
	le := binary.LittleEndian
	return len(b) >= 9 && le.Uint32(b) > 0 && le.Uint32(b) <= 1<<16 && b[4] == 12 && le.Uint32(b[5:]) >= 26 && le.Uint32(b[5:]) <= 36
}

// isQuake: the number of a CD track on a line of its own, then a length.
func isQuake(b []byte, size int64) bool {
	i := bytes.IndexByte(b[:min(len(b), 12)], '\n')
	if i < 1 || len(b) < i+5 {
		return false
	}
	for j, c := range b[:i] {
		if !(c >= '0' && c <= '9' || c == '-' && j == 0) {
			return false
		}
	}
	n := binary.LittleEndian.Uint32(b[i+1:])
	return n > 0 && n <= 1<<16 && int64(n) <= size
}

func isText(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return len(b) < utf8.UTFMax && len(b) > 0 && !utf8.FullRune(b)
		}
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			return false
		}
		b = b[n:]
	}
	return true
}
