package config_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/config"
)

// FuzzSources reads any words as an environment and as a command line: no panic, and
// no word of a command line is lost.
func FuzzSources(f *testing.F) {
	f.Add("-v\n--port\n27500\n+set\nserver.tick_rate\n128\n+map\ndm1")
	f.Add("SIGHTLINE_CL_FOV=100\nSIGHTLINE_=\nPATH=/bin\n+\n+set")
	f.Add("+set\ncl.fov\n1e99\n+set\n=\n\"\\\n+quit;quit")
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		_ = config.LoadEnv(newRegistry(), words, "SIGHTLINE_X*")
		rest, plus := config.ParsePlusArgs(words)
		n := len(rest)
		for _, p := range plus {
			n += 1 + len(p.Args)
		}
		if n != len(words) {
			t.Fatalf("%d words of %d: %q, %q", n, len(words), rest, plus)
		}
		lines, err := config.ApplyPlus(newRegistry(), plus)
		if err == nil && len(lines) > len(plus) {
			t.Fatalf("%d lines of %d commands", len(lines), len(plus))
		}
	})
}
