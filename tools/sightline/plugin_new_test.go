package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var updateNew = flag.Bool("newplugin.update", false, "write examples/newpolicy and examples/newrules")

// The worked examples are what the command writes.
func TestExamplesAreWhatTheCommandWrites(t *testing.T) {
	for _, kind := range []string{"policy", "rules"} {
		m := &newModule{Kind: kind, Name: "new" + kind, Engine: "../.."}
		files, err := m.files()
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join("..", "..", "examples", "new"+kind)
		for name, text := range files {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			file := filepath.Join(dir, name)
			if *updateNew {
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			have, err := os.ReadFile(file)
			if err != nil || string(have) != string(text) {
				t.Errorf("%s is not what sightline plugin new writes (%v): go test ./tools/sightline -run TestExamplesAre -newplugin.update", file, err)
			}
		}
	}
}

// A new module builds, passes and installs as it stands.
func TestNewModulesBuildAndPass(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two modules")
	}
	for _, kind := range []string{"policy", "rules"} {
		dir, bin := filepath.Join(t.TempDir(), "mine"), t.TempDir()
		if out, err := sightline(t, "", "plugin", "new", kind, "mine", "--dir", dir, "--engine", "../.."); err != nil || !strings.Contains(out, "Next: make") {
			t.Fatalf("%v: %s", err, out)
		}
		cmd := exec.Command("make", "-C", dir, "PLUGINS="+bin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, out)
		}
		if _, err := os.Stat(filepath.Join(bin, kind+"-mine")); err != nil {
			t.Error(err)
		}
		if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("gofmt: %v %s", err, out)
		}
	}
}

func TestNewModuleSaysWhatIsWrong(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "notes.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for says, args := range map[string][]string{
		"say policy or rules":     {"plugin", "new", "map", "mine"},
		"cannot be a name":        {"plugin", "new", "policy", "My Policy"},
		"one of the engine's own": {"plugin", "new", "policy", "open", "--engine", "../.."},
		"not the engine's source": {"plugin", "new", "rules", "mine", "--engine", full},
		"holds something already": {"plugin", "new", "rules", "mine", "--engine", "../..", "--dir", full},
		"lies inside of":          {"plugin", "new", "rules", "mine", "--engine", "../..", "--dir", "./rules-mine"},
	} {
		if out, err := sightline(t, "", args...); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
	if b, err := os.ReadFile(filepath.Join(full, "notes.txt")); err != nil || string(b) != "mine" {
		t.Error("what was there is gone")
	}
}
