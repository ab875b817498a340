package console

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// History keeps the last lines that were typed, oldest first. A line typed again
// moves to the end. The zero value keeps 200.
type History struct {
	Keep int // how many lines; set before use

	mu    sync.Mutex
	lines []string
}

// Add appends a line unless it is blank, too long for Exec or has a control
// character in it.
func (h *History) Add(line string) {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > MaxLine || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' }) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.lines, line); i >= 0 {
		h.lines = slices.Delete(h.lines, i, i+1)
	}
	h.lines = append(h.lines, line)
	keep := h.Keep
	if keep <= 0 {
		keep = 200
	}
	if n := len(h.lines) - keep; n > 0 {
		h.lines = slices.Delete(h.lines, 0, n)
	}
}

// Len returns how many lines are kept.
func (h *History) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.lines)
}

// Back returns the nth line from the end, 1 being the newest, and "" where there
// is none.
func (h *History) Back(n int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n < 1 || n > len(h.lines) {
		return ""
	}
	return h.lines[len(h.lines)-n]
}

// Search returns the place (as for Back) of the newest line older than n that
// has the text in it, 0 where there is none.
func (h *History) Search(n int, text string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n = max(n, 0) + 1; n <= len(h.lines); n++ {
		if strings.Contains(h.lines[len(h.lines)-n], text) {
			return n
		}
	}
	return 0
}

// Save writes the lines, oldest first.
func (h *History) Save(w io.Writer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.lines {
		if _, err := fmt.Fprintln(w, l); err != nil {
			return fmt.Errorf("save history: %w", err)
		}
	}
	return nil
}

// Load adds the lines of an earlier Save, reading at most MaxFile bytes.
func (h *History) Load(r io.Reader) error {
	s := bufio.NewScanner(io.LimitReader(r, MaxFile))
	s.Buffer(nil, MaxFile+1)
	for s.Scan() {
		h.Add(s.Text())
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("load history: %w", err)
	}
	return nil
}
