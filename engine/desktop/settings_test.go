package desktop_test

import (
	"flag"
	"os"
	"testing"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/desktop"
)

var update = flag.Bool("update", false, "rewrite the page of settings")

const settingsPage = "../../docs/settings-client.md"

// The page of the client's settings says what the program says. -update writes it.
func TestSettingsPage(t *testing.T) {
	reg := console.New()
	desktop.Declare(reg)
	want := "<!-- Written by go test ./engine/desktop -run SettingsPage -update. -->\n\n" + config.Reference(reg)
	if *update {
		if err := os.WriteFile(settingsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(settingsPage)
	if err != nil || string(have) != want {
		t.Errorf("docs/settings-client.md is not what the program has (%v): run go test ./engine/desktop -run SettingsPage -update", err)
	}
}
