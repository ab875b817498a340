package handshake

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
)

// PinStore remembers which key a server had when it was first used. A server
// is named as the user names it, such as "host:27960".
type PinStore interface {
	Lookup(server string) (key [32]byte, ok bool)
	Save(server string, key [32]byte) error
}

// Pins is a PinStore in memory, read from and written to lines of text: a
// name, a space, 64 hexadecimal digits. The zero value is empty. It is not
// safe for several goroutines.
type Pins struct{ keys map[string][32]byte }

// maxPinLine bounds a line: a host name has 253 characters at most.
const maxPinLine = 512

// ReadPins reads lines of pins. Empty lines and lines that begin with # are
// passed over.
func ReadPins(r io.Reader) (*Pins, error) {
	p := new(Pins)
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, maxPinLine), maxPinLine)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, digits, _ := strings.Cut(line, " ")
		b, err := hex.DecodeString(strings.TrimSpace(digits))
		if err != nil || len(b) != 32 {
			return nil, fmt.Errorf("line %d: want a server's name, a space and 64 hexadecimal digits", n)
		}
		if err := p.Save(name, [32]byte(b)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("read pinned servers: %w", err)
	}
	return p, nil
}

// Write writes what ReadPins reads, in the order of the names.
func (p *Pins) Write(w io.Writer) error {
	names := make([]string, 0, len(p.keys))
	for n := range p.keys {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		k := p.keys[n]
		if _, err := fmt.Fprintf(w, "%s %s\n", n, hex.EncodeToString(k[:])); err != nil {
			return err
		}
	}
	return nil
}

// Lookup implements PinStore.
func (p *Pins) Lookup(server string) (key [32]byte, ok bool) {
	key, ok = p.keys[server]
	return key, ok
}

// Save implements PinStore.
func (p *Pins) Save(server string, key [32]byte) error {
	if server == "" || len(server) > maxPinLine-80 || server[0] == '#' || strings.ContainsFunc(server, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return fmt.Errorf("pin a server: %q is not a name", server)
	}
	if p.keys == nil {
		p.keys = make(map[string][32]byte)
	}
	p.keys[server] = key
	return nil
}

// Forget removes a pin, for a user who knows that the server's key changed.
func (p *Pins) Forget(server string) { delete(p.keys, server) }
