package asset

import "sync"

// Missing remembers what could not be found, so that each name is complained
// about once. The zero value is ready; it may be used from several goroutines.
type Missing struct {
	mu   sync.Mutex
	seen map[string]struct{}
}

// First reports whether name is new. After 10,000 names nothing is.
func (m *Missing) First(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.seen[name]; known || len(m.seen) >= 10000 {
		return false
	}
	if m.seen == nil {
		m.seen = map[string]struct{}{}
	}
	m.seen[name] = struct{}{}
	return true
}
