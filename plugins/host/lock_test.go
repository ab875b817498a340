//go:build unix

package host_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/plugins/host"
)

// decode stands in for TOML: this package knows no format.
func decode(file string, text []byte, dst any) error { return json.Unmarshal(text, dst) }

// What the lock file and the manifest say is held to at each start, and the sentence
// names the file and the command.
func TestLockAndManifest(t *testing.T) {
	for _, name := range []string{"policy-open", "rules-duel"} {
		t.Run(name, func(t *testing.T) { lockAndManifest(t, name) })
	}
}

func lockAndManifest(t *testing.T, file string) {
	kind, name, _ := strings.Cut(file, "-")
	other := map[string]string{"policy": "rules", "rules": "policy"}[kind]
	hash, err := host.FileHash(filepath.Join(bins, file))
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Repeat("ab", 32)
	entry := func(hash string) string { return `{"Plugin":[{"File":"` + file + `","SHA256":"` + hash + `"}]}` }
	for _, c := range []struct {
		name, lock, manifest string
		only                 bool
		says                 string // "": it starts
	}{
		{name: "nothing says anything"},
		{name: "locked", lock: entry(hash), only: true},
		{name: "locked in capitals", lock: entry(strings.ToUpper(hash)), only: true},
		{name: "another hash", lock: entry(wrong), says: "sightline plugin lock"},
		{name: "another hash where only locked ones run", lock: entry(wrong), only: true, says: "is not the file that was allowed"},
		{name: "no lock where only locked ones run", only: true, says: "is not in"},
		{name: "not named where only locked ones run", lock: `{}`, only: true, says: "sightline plugin lock"},
		{name: "not named elsewhere", lock: `{}`},
		{name: "a damaged lock", lock: `{`, says: "lock cannot be read"},
		{name: "a manifest that is right", manifest: `{"Kind":"` + kind + `","Name":"` + name + `","API":1,"SHA256":"` + hash + `"}`},
		{name: "a manifest with another hash", manifest: `{"SHA256":"` + wrong + `"}`, says: "its manifest says"},
		{name: "a manifest of another kind", manifest: `{"Kind":"` + other + `"}`, says: "its manifest says " + other},
		{name: "a manifest of another name", manifest: `{"Name":"closed"}`, says: `its manifest says "closed"`},
		{name: "a manifest of another version", manifest: `{"Version":"0.0.0"}`, says: "one of the two is older"},
		{name: "a manifest of another contract", manifest: `{"API":9}`, says: "its manifest says 9"},
		{name: "a damaged manifest", manifest: `]`, says: "manifest cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put := func(name, text string) {
				if text == "" {
					return
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			install(t, filepath.Join(dir, file), file)
			put(host.LockName, c.lock)
			put(file+".toml", c.manifest)
			cfg, _ := config(t, "")
			cfg.Path, cfg.Decode, cfg.LockedOnly = filepath.Join(dir, file), decode, c.only
			var p interface{ Close() }
			var err error
			if kind == "policy" {
				p, err = host.StartPolicy(t.Context(), host.PolicyConfig{Config: cfg})
			} else {
				p, err = host.StartRules(t.Context(), host.RulesConfig{Config: cfg, Match: match()})
			}
			if err == nil {
				p.Close()
			}
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), file)) {
				t.Errorf("wanted %q: %v", c.says, err)
			}
		})
	}
}

func TestDescribeAndScan(t *testing.T) {
	files, err := host.Scan(bins)
	if err != nil || len(files) != 9 {
		t.Fatalf("%v, %v", files, err)
	}
	for file, want := range map[string]string{"policy-deaddrop": "policy deaddrop hold_ms", "rules-duel": "rules duel frag_limit"} {
		cfg, _ := config(t, "")
		cfg.Path = filepath.Join(bins, file)
		d, err := host.Describe(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for _, s := range d.Settings {
			has = has || s.Name == strings.Fields(want)[2]
		}
		if d.Kind+" "+d.Name != want[:strings.LastIndex(want, " ")] || !has || len(d.SHA256) != 64 || d.Major != 1 {
			t.Errorf("%+v", d)
		}
	}
}
