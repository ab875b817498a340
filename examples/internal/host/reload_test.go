package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

// A file of settings that is broken, or valid with a number out of range, changes
// nothing when it is read anew, and one error says what is wrong; a good one changes
// what can change now and names what waits.
func TestReloadTakesTheWholeFileOrNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server.toml")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[sv]\nname = \"first\"\nspectate_delay_s = 4\nport = 1234\n[vis]\nrange_m = 300\n")
	reg := console.New()
	set := host.Declare(reg)
	if _, err := set.Load(reg, host.Flags{Config: file}, nil); err != nil {
		t.Fatal(err)
	}
	r := newRoom(t)
	host.Commands(reg, host.Stepped(set, r.levels, r.slog(), 1), true)
	reg.HoldLatched(true) // a match runs
	values := func() string {
		var out []string
		for _, v := range reg.Vars("") {
			out = append(out, v.Name+"="+v.Value)
		}
		return strings.Join(out, "\n")
	}
	was := values()
	for _, c := range []struct{ name, text, want string }{
		{"a key twice", "[sv]\nspectate_delay_s = 9\nspectate_delay_s = 9\n", "server.toml:3"},
		{"a number out of range", "[sv]\nspectate_delay_s = 9\nport = 70000\n", "sv.port"},
		{"an unknown key", "[sv]\nspectate_delay_s = 9\nprot = 1\n", "sv.prot"},
		{"no text", "[sv\xff", "server.toml"},
	} {
		write(c.text)
		var out strings.Builder
		err := reg.Exec("reload", &out)
		if got := out.String() + errText(err); !strings.Contains(got, c.want) || !strings.Contains(got, "every setting stays as it was") {
			t.Errorf("%s: %q", c.name, got)
		}
		if now := values(); now != was {
			t.Errorf("%s changes something", c.name)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := reg.Exec("reload", &out); !strings.Contains(out.String()+errText(err), "server.toml") || values() != was {
		t.Errorf("of a file that is gone: %q %v", &out, err)
	}
	write("[sv]\nname = \"first\"\nspectate_delay_s = 9\nport = 4321\n[vis]\nrange_m = 200\n")
	out.Reset()
	err := reg.Exec("reload", &out)
	got := out.String() + errText(err)
	for _, want := range []string{"sv.spectate_delay_s is 9 now", "sv.port stays 1234 until a restart of the server", "vis.range_m stays 300 until the next level"} {
		if !strings.Contains(got, want) {
			t.Errorf("does not say %q: %q", want, got)
		}
	}
	if set.SpectateDelay.Get() != 9 || set.Port.Get() != 1234 {
		t.Errorf("delay %v, port %d", set.SpectateDelay.Get(), set.Port.Get())
	}
	out.Reset()
	if err := reg.Exec("reload", &out); err != nil || strings.Contains(out.String(), "is 9 now") {
		t.Errorf("twice: %q %v", &out, err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
