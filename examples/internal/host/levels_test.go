package host_test

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/examples/internal/host"
)

// A name from a server never becomes a path outside the search path: nothing there
// is read, and nothing is made.
func TestNamesFromAServerStayInside(t *testing.T) {
	root := t.TempDir()
	game, out := filepath.Join(root, "game"), filepath.Join(root, "outside")
	for _, d := range []string{filepath.Join(game, "maps"), filepath.Join(out, "maps")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	pit, err := os.ReadFile(arenaDir + "/maps/pit.map")
	if err != nil {
		t.Fatal(err)
	}
	// The canary is a level that would load well, were it reached.
	for _, f := range []string{filepath.Join(root, "canary.map"), filepath.Join(out, "canary.map"), filepath.Join(out, "maps", "canary.map"), filepath.Join(game, "maps", "ok.map")} {
		if err := os.WriteFile(f, pit, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{filepath.Join(game, "maps", "link.map"): filepath.Join(out, "canary.map"), filepath.Join(game, "maps", "way"): out}
	for l, to := range links {
		if err := os.Symlink(to, l); err != nil {
			t.Logf("no links here: %v", err)
		}
	}
	before := tree(t, root)
	l, err := host.NewLevels(nil, []string{game}, 32)
	if err != nil {
		t.Fatal(err)
	}
	good, err := l.OpenNamed("ok", [32]byte{})
	if err != nil {
		t.Fatalf("the level inside: %v", err)
	}
	good.Files.Close()
	abs := filepath.Join(out, "canary")
	for _, name := range []string{
		"../canary", "../../canary", "../outside/canary", "../../outside/maps/canary", "maps/../../../outside/canary",
		abs, abs + ".map", "/etc/passwd", `C:canary`, `C:\canary`, `..\canary`, `\\host\share\canary`, "canary\x00", "ok\x00../canary", "\x00",
		strings.Repeat("x", 300), strings.Repeat("../", 100) + "canary", "", ".", "..", "link", "way/canary", "ok.map/../../canary",
		"some.pk3:maps/canary.bsp", "a:b", "\xff\xfe", "ok\n", "~/canary", "$HOME/canary", "%2e%2e/canary",
	} {
		got, err := l.OpenNamed(name, [32]byte{1})
		if err == nil {
			got.Files.Close()
			t.Errorf("%q opened %s", name, got.File)
		} else if len(err.Error()) > 600 {
			t.Errorf("%.40q: the message is %d bytes long", name, len(err.Error()))
		}
	}
	if after := tree(t, root); after != before {
		t.Errorf("files were made or changed:\n%s\n%s", before, after)
	}
}

func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		b.WriteString(p + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is wrong with a level is said by name before its turn comes.
func TestCheckOfLevels(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "maps"), 0o700); err != nil {
		t.Fatal(err)
	}
	pit, err := os.ReadFile(arenaDir + "/maps/pit.map")
	if err != nil {
		t.Fatal(err)
	}
	nowhere := bytes.ReplaceAll(pit, []byte("info_player_deathmatch"), []byte("info_nobody_deathmatch"))
	walled, err := os.ReadFile("../../../game/level/testdata/spawnwall.map")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"walled.map": walled, "cut.map": pit[:len(pit)/2], "empty.map": nil, "nospawn.map": nowhere,
		"text.bsp": []byte("hello"), "cut.bsp": append([]byte("IBSP\x2e\x00\x00\x00"), make([]byte, 60)...), "good.map": pit,
	} {
		if err := os.WriteFile(filepath.Join(dir, "maps", name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := host.NewLevels(nil, []string{dir}, 32)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Check("good"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"cut.map", "empty.map", "nospawn.map", "walled.map", "text.bsp", "cut.bsp", "none", "none.bsp", "x.pk3", "x.pk3:maps/y.bsp"} {
		err := l.Check(filepath.Join(dir, "maps", name))
		file, _, _ := strings.Cut(name, ":")
		if file == "nospawn.map" || file == "walled.map" { // these name the level
			file = strings.TrimSuffix(file, ".map") + ": no place to enter"
		}
		if err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server whose rotation is empty, or whose plugins are not there, does not start
// and leaves nothing behind.
func TestStartRefuses(t *testing.T) {
	for name, set := range map[string][]string{
		"policy": {"plugin.policy", "policy-none"}, "rules": {"plugin.rules", "rules-none"}, "linked": {"plugin.linked", "true", "plugin.policy", "policy-none"},
		"level": {"sv.rotation", "none"},
	} {
		r := newRoom(t, append(set, "sv.bots", "0")...)
		h, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Offline: true})
		if err == nil {
			h.Stop("it should not have started")
			t.Errorf("%s: started", name)
			continue
		}
		if !strings.Contains(err.Error(), "none") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
