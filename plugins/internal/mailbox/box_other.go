//go:build !linux

package mailbox

import (
	"os"
	"time"
)

// Event is what Wait came back for.
type Event uint8

// The events.
const (
	Nothing Event = iota
	Rung
	Gone
)

// Host is the host's end of a box, of which there is none here.
type Host struct{}

// New says that there is none here.
func New() (*Host, error) { return nil, ErrUnsupported }

// Files are none.
func (*Host) Files() []*os.File { return nil }

// Started does nothing.
func (*Host) Started(int) error { return ErrUnsupported }

// Use is false: there is no box.
func (*Host) Use() bool { return false }

// Leave does nothing.
func (*Host) Leave() {}

// Close does nothing.
func (*Host) Close() {}

// Put puts nothing.
func (*Host) Put([]byte) bool { return false }

// Take takes nothing.
func (*Host) Take(dst []byte) ([]byte, int64, bool, error) { return dst[:0], 0, false, nil }

// Answers is none.
func (*Host) Answers() []byte { return nil }

// Wait waits for nothing.
func (*Host) Wait(time.Duration) Event { return Gone }

// Now is no clock here.
func Now() int64 { return 0 }

// Plugin is the plugin's end of a box, of which there is none here.
type Plugin struct{}

// Open says that there is none here.
func Open(int) (*Plugin, error) { return nil, ErrUnsupported }

// Wait waits for nothing.
func (*Plugin) Wait() error { return ErrUnsupported }

// Ring does nothing.
func (*Plugin) Ring() {}

// Take takes nothing.
func (*Plugin) Take(dst []byte) ([]byte, bool, error) { return dst[:0], false, nil }

// Put puts nothing.
func (*Plugin) Put([]byte) bool { return false }
