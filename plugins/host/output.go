package host

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"sync"
	"time"
)

// Limits of what a plugin may put into the host's log.
const (
	lineLimit  = 8 << 10 // bytes of one line; the rest of it is dropped
	linesKept  = 16      // for messages
	lineBurst  = 200     // lines at once
	linePerSec = 50      // afterwards
)

// output puts what a plugin writes into the host's log, with the level and the
// attributes of lines in hclog's JSON, and keeps the last lines for messages.
type output struct {
	log   *slog.Logger
	clock Clock

	mu      sync.Mutex
	last    []string
	budget  float64
	at      time.Time
	dropped int
	saidAt  time.Time
	seen    int // bytes since seenAt
	seenAt  time.Time
	flood   func(error) // told once when there is too much; may be nil
}

func newOutput(log *slog.Logger, clock Clock) *output {
	return &output{log: log, clock: clock, budget: lineBurst, at: clock.Now()}
}

// read logs lines until the reader ends. It never stops early: a full pipe would
// stop the plugin.
func (o *output) read(r *bufio.Reader, from string) {
	for {
		line, prefix, err := r.ReadLine()
		text := string(line)
		n := len(line) + 1
		for prefix && err == nil {
			line, prefix, err = r.ReadLine()
			n += len(line)
		}
		o.count(n)
		if text != "" {
			o.line(text, from)
		}
		if err != nil {
			return
		}
	}
}

// count ends a plugin that writes without end: reading it all costs the host a
// processor, and not reading it would stop the plugin.
func (o *output) count(n int) {
	o.mu.Lock()
	now := o.clock.Now()
	if now.Sub(o.seenAt) > floodWindow {
		o.seen, o.seenAt = 0, now
	}
	o.seen += n
	f := o.flood
	if o.seen <= floodLimit || f == nil {
		o.mu.Unlock()
		return
	}
	o.flood = nil
	o.mu.Unlock()
	f(fmt.Errorf("it wrote more than %d MiB to its log within %v", floodLimit>>20, floodWindow))
}

// Write takes what go-plugin brings over its stdio stream.
func (o *output) Write(p []byte) (int, error) {
	o.count(len(p))
	for line := range strings.Lines(string(p)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			o.line(line[:min(len(line), lineLimit)], "stdio")
		}
	}
	return len(p), nil
}

func (o *output) line(text, from string) {
	lvl, msg, attrs := parseLine(text)
	o.mu.Lock()
	if len(o.last) == linesKept {
		copy(o.last, o.last[1:])
		o.last = o.last[:linesKept-1]
	}
	o.last = append(o.last, printable(msg, 300))
	now := o.clock.Now()
	o.budget = min(lineBurst, o.budget+now.Sub(o.at).Seconds()*linePerSec)
	o.at = now
	over := o.budget < 1
	if over {
		o.dropped++
	} else {
		o.budget--
	}
	dropped := 0
	if o.dropped > 0 && (!over || now.Sub(o.saidAt) >= droppedSaid) {
		dropped, o.dropped, o.saidAt = o.dropped, 0, now
	}
	o.mu.Unlock()
	if dropped > 0 {
		o.log.Warn("plugin wrote more than the log takes", "lines_left_out", dropped)
	}
	if over {
		return
	}
	o.log.LogAttrs(context.Background(), lvl, msg, append(attrs, slog.String("from", from))...)
}

// tail returns the last n lines.
func (o *output) tail(n int) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.last[max(0, len(o.last)-n):]...)
}

// parseLine reads a line of hclog's JSON; any other line is its own message.
func parseLine(text string) (slog.Level, string, []slog.Attr) {
	var m map[string]any
	if text[0] != '{' || json.Unmarshal([]byte(text), &m) != nil || m["@message"] == nil {
		lvl := slog.LevelInfo
		if strings.HasPrefix(text, "panic: ") || strings.HasPrefix(text, "fatal error: ") {
			lvl = slog.LevelError
		}
		return lvl, printable(text, lineLimit), nil
	}
	lvl := slog.LevelInfo
	switch m["@level"] {
	case "trace", "debug":
		lvl = slog.LevelDebug
	case "warn":
		lvl = slog.LevelWarn
	case "error":
		lvl = slog.LevelError
	}
	msg, _ := m["@message"].(string)
	var attrs []slog.Attr
	for k, v := range m {
		if !strings.HasPrefix(k, "@") {
			attrs = append(attrs, slog.Any(k, v))
		}
	}
	sort.Slice(attrs, func(i, j int) bool { return attrs[i].Key < attrs[j].Key })
	return lvl, msg, attrs
}

// printable makes bytes of a plugin fit for a terminal, at most n of them.
func printable(s string, n int) string {
	cut := len(s) > n
	s = strings.ToValidUTF8(s[:min(len(s), n)], "?")
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
	if cut {
		s += "…"
	}
	return s
}
