package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

const settingsPage = "../../../docs/settings.md"

// The page of settings says what the program says. -update writes it.
func TestSettingsPage(t *testing.T) {
	reg := console.New()
	host.Declare(reg)
	want := "<!-- Written by go test ./examples/internal/host -run SettingsPage -update. -->\n\n" + config.Reference(reg)
	if *update {
		if err := os.WriteFile(settingsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(settingsPage)
	if err != nil || string(have) != want {
		t.Errorf("docs/settings.md is not what the program has (%v): run go test ./examples/internal/host -run SettingsPage -update", err)
	}
}

// Flags, +set words, environment and file each count, the nearer over the farther.
func TestLayersOfSettings(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.toml")
	if err := os.WriteFile(name, []byte("[sv]\nname = \"file\"\nbots = 3\nport = 1\nrotation = [\"a\"]\n[plugin]\ndirs = [\"/p\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reg := console.New()
	s := host.Declare(reg)
	lines, err := s.Load(reg, host.Flags{
		Config: name, Map: "b", Plugins: "/q", Assets: []string{"/r"},
		Plus: []config.Plus{{Name: "set", Args: []string{"sv.port", "3"}}, {Name: "set", Args: []string{"sv.rotation", "c", "d"}}, {Name: "say", Args: []string{"hello"}}},
	}, []string{"SIGHTLINE_SV_BOTS=4", "SIGHTLINE_SV_PORT=2", "SIGHTLINE_PLUGIN_COOKIE=x", "HOME=/"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Name.Get() != "file" || s.Bots.Get() != 4 || s.Port.Get() != 3 {
		t.Errorf("name %q bots %d port %d, want file, 4, 3", s.Name.Get(), s.Bots.Get(), s.Port.Get())
	}
	for got, want := range map[string]string{
		strings.Join(s.Rotation.Get(), " "): "b", strings.Join(s.Dirs.Get(), " "): "/p /q",
		strings.Join(s.Assets.Get(), " "): "/r", strings.Join(lines, "; "): `say "hello"`,
	} {
		if got != want {
			t.Errorf("have %q, want %q", got, want)
		}
	}
}

// The simulated network of the settings is what bots are given.
func TestSimulatedNetworkOfSettings(t *testing.T) {
	r := newRoom(t)
	if _, _, on := r.set.Sim(1); on {
		t.Error("on without being set")
	}
	r = newRoom(t, "net.sim_latency_ms_up", "50", "net.sim_loss_down", "0.25")
	up, down, on := r.set.Sim(7)
	if !on || up.LatencyMS != 50 || down.Loss != 0.25 || up.Loss != 0 || down.LatencyMS != 0 || up.Seed == down.Seed {
		t.Errorf("up %+v down %+v %v", up, down, on)
	}
}
