package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

const maxBinds = 512

// Binds is a table from a key's name to the commands it runs. What a key is
// called and when it is pressed is the window's business. The zero value is
// empty and ready.
type Binds struct {
	mu   sync.RWMutex
	keys map[string]string
}

// Binds returns the registry's table of keys.
func (r *Registry) Binds() *Binds { return &r.binds }

// Get returns the commands of a key, "" if it has none. Case does not matter.
func (b *Binds) Get(key string) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.keys[strings.ToLower(key)]
}

// Set gives a key its commands; "" removes them.
func (b *Binds) Set(key, commands string) error {
	key = strings.ToLower(key)
	b.mu.Lock()
	defer b.mu.Unlock()
	if commands == "" {
		delete(b.keys, key)
		return nil
	}
	if key == "" || len(key) > 32 || clip(key) != key {
		return fmt.Errorf("bind: a key's name is 1 to 32 bytes of text")
	}
	if _, known := b.keys[key]; !known && len(b.keys) >= maxBinds {
		return fmt.Errorf("bind %s: %d keys are bound already", key, maxBinds)
	}
	if b.keys == nil {
		b.keys = map[string]string{}
	}
	b.keys[key] = commands
	return nil
}

// Clear removes all.
func (b *Binds) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.keys)
}

// Keys returns the names of the keys that have commands, sorted.
func (b *Binds) Keys() []string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Sorted(maps.Keys(b.keys))
}
