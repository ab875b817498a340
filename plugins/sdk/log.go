package sdk

import (
	"io"
	"log/slog"
	"os"
	"strings"
)

// maxLine is the longest line that a plugin logs in bytes: longer ones have
// stopped readers elsewhere.
const maxLine = 8 << 10

// Logger returns a logger whose lines the host puts into its own log with their
// level and attributes. Call it in main or in Spec.New, and hand it on.
func Logger() *slog.Logger { return loggerTo(os.Stderr) }

func loggerTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(&lineWriter{w: w}, &slog.HandlerOptions{
		Level: slog.LevelDebug, ReplaceAttr: hclogNames,
	}))
}

// hclogNames gives the built-in attributes the names that go-plugin's hosts read.
func hclogNames(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 {
		switch a.Key {
		case slog.TimeKey:
			a.Key = "@timestamp"
		case slog.LevelKey:
			return slog.String("@level", strings.ToLower(a.Value.String()))
		case slog.MessageKey:
			a.Key = "@message"
		}
	}
	if a.Value.Kind() == slog.KindString && len(a.Value.String()) > maxLine/4 {
		a.Value = slog.StringValue(a.Value.String()[:maxLine/4] + "…")
	}
	return a
}

// lineWriter caps lines and makes nothing of a reader that is gone: when the host
// dies, the next line of a log must not be what ends the plugin.
type lineWriter struct{ w io.Writer }

func (l *lineWriter) Write(p []byte) (int, error) {
	if len(p) > maxLine {
		line := append(append(make([]byte, 0, maxLine), p[:maxLine-8]...), "…\n"...)
		_, _ = l.w.Write(line)
		return len(p), nil
	}
	_, _ = l.w.Write(p)
	return len(p), nil
}
