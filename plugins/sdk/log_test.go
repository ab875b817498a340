package sdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// TestLinesAreWhatHostsRead: hclog's names, and never more than the cap.
func TestLinesAreWhatHostsRead(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&lineWriter{w: &b}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: hclogNames}))
	log.Warn("careful", "tick", 7, slog.Group("g", "level", "inner"))
	var m map[string]any
	if err := json.Unmarshal(b.Bytes(), &m); err != nil {
		t.Fatal(err)
	}
	if m["@level"] != "warn" || m["@message"] != "careful" || m["@timestamp"] == nil || m["tick"] != 7.0 {
		t.Errorf("%v", m)
	}
	b.Reset()
	log.Info(strings.Repeat("x", 1<<20))
	if err := json.Unmarshal(b.Bytes(), &m); err != nil || b.Len() > maxLine {
		t.Errorf("%d bytes, %v", b.Len(), err)
	}
	b.Reset()
	args := make([]any, 0, 200)
	for range 100 {
		args = append(args, "key", strings.Repeat("y", 1000))
	}
	log.Info("many", args...)
	if b.Len() > maxLine || !strings.HasSuffix(b.String(), "\n") {
		t.Errorf("%d bytes", b.Len())
	}
}

// TestAClosedPipeIsNoError: the host's death must not be what ends a plugin's log.
func TestAClosedPipeIsNoError(t *testing.T) {
	w := &lineWriter{w: failing{}}
	for _, n := range []int{1, maxLine + 1} {
		if got, err := w.Write(make([]byte, n)); got != n || err != nil {
			t.Errorf("%d %v", got, err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }
