package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sightline-engine/sightline/net/handshake"
)

// pinFile is a handshake.PinStore in a file: servers and the keys that they showed
// at first use.
type pinFile struct {
	*handshake.Pins
	path string
}

func openPins(path string) (*pinFile, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &pinFile{new(handshake.Pins), path}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	pins, err := handshake.ReadPins(f)
	if err != nil {
		return nil, fmt.Errorf("known servers, %s: %w", path, err)
	}
	return &pinFile{pins, path}, nil
}

// Save remembers a server and writes the file anew, by renaming a finished copy.
func (p *pinFile) Save(server string, key [32]byte) error {
	if err := p.Pins.Save(server, key); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(p.path), ".known_servers-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	err = errors.Join(p.Pins.Write(tmp), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), p.path)
}
