//go:build linux

package main_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// file writes a settings file and returns its path.
func file(t *testing.T, data string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "server.toml")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A settings file that is not right stops the start, with file, line, key and what
// would be right; whatever is in it, never with a stack trace.
func TestBadSettingsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int // 0: anywhere
		want       []string
	}{
		{"misspelt", "[sv]\nname = \"x\"\nmax_cleints = 8\n", 3, []string{"sv.max_cleints", "sv.max_clients"}},
		{"misspelt table", "[svv]\nport = 1\n", 2, []string{"svv.port", "[sv]"}},
		{"last byte", "[sv]\nname = \"x\"\xda", 2, nil},
		{"braces", "J={D.J=2,D=2,D.K=2", 1, nil},
		{"UTF-16", "\xff\xfe[\x00s\x00v\x00]\x00", 0, nil},
		{"NUL", "[sv]\nname = \"a\x00b\"\n", 2, nil},
		{"twice", "[sv]\nport = 1\nport = 2\n", 3, []string{"port"}},
		{"ten megabytes", strings.Repeat("[", 10<<20), 0, nil},
		{"half a tick", "[sv]\ntick_rate = 60.5\n", 2, []string{"sv.tick_rate", "60.5", "20", "240"}},
		{"no tick", "[sv]\ntick_rate = 0\n", 2, []string{"sv.tick_rate", "0", "20", "240"}},
		{"negative", "[sv]\ntick_rate = -1\n", 2, []string{"sv.tick_rate", "-1", "20", "240"}},
		{"huge", "[sv]\ntick_rate = 1000000000\n", 2, []string{"sv.tick_rate", "1000000000", "20", "240"}},
		{"too many", "[sv]\nmax_clients = 100000\n", 2, []string{"sv.max_clients", "100000", "128"}},
		{"no port", "[sv]\n\nport = 70000\n", 3, []string{"sv.port", "70000", "65535"}},
		{"nan", "[vis]\nhold_ms = nan\n", 2, []string{"vis.hold_ms", "nan"}},
		{"inf", "[vis]\nhold_ms = inf\n", 2, []string{"vis.hold_ms", "inf"}},
		{"quoted", "[vis]\nhold_ms = \"200\"\n", 2, []string{"vis.hold_ms", `"200"`, "number"}},
		{"wrong table", "[vis]\nhold_ms = 100\ntick_rate = 128\n", 3, []string{"vis.tick_rate", "[sv]"}},
		{"no table", "sv = \"x\"\n", 1, []string{"sv", "table"}},
		{"no list", "[sv]\nrotation = \"pit\"\n", 2, []string{"sv.rotation", "list"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := file(t, c.text)
			got := refused(t, "-config", name)
			where := name + ":"
			if c.line > 0 {
				where += fmt.Sprintf("%d: ", c.line)
			}
			for _, want := range append(c.want, where) {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in: %s", want, clip(got))
				}
			}
			if len(got) > 2000 || strings.Count(got, "\n") > 3 {
				t.Errorf("not a sentence: %s", clip(got))
			}
		})
	}
	dir := t.TempDir()
	if got := refused(t, "-config", dir); !strings.Contains(got, dir) {
		t.Errorf("a folder as settings: %s", got)
	}
	if got := refused(t, "-config", filepath.Join(dir, "none.toml")); !strings.Contains(got, "none.toml") {
		t.Errorf("no file: %s", got)
	}
}

// What is merely unusual is taken.
func TestUnusualSettingsAreTaken(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "BOM and CRLF": "\ufeff[sv]\r\nport = 0\r\n", "whole for decimal": "[sv]\nbot_skill = 1\n",
	} {
		out, err := command("-show-config", "-config", file(t, text)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Mistakes of command line and environment are told in the same way.
func TestBadWordsAreNamed(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"+set", "sv.prot", "1"}, []string{"sv.prot", "sv.port"}},
		{[]string{"+set", "sv.port", "70000"}, []string{"sv.port", "70000", "65535"}},
		{[]string{"pit"}, []string{"pit", "-map"}},
		{[]string{"-assets", "/nowhere/at/all"}, []string{"/nowhere/at/all"}},
		{[]string{"+set", "plugin.policy", "policy-nope", "+set", "sv.port", "0"}, []string{"policy-nope"}},
		{[]string{"+set", "plugin.rules", "../rules-duel", "+set", "sv.port", "0"}, []string{"../rules-duel"}},
		{[]string{"-key", "/nowhere/at/all"}, []string{"/nowhere/at/all"}},
	} {
		got := refused(t, c.args...)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in: %s", c.args, want, clip(got))
			}
		}
		said := 0
		for l := range strings.Lines(got) {
			if !strings.Contains(l, "level=INFO") {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%v: not a sentence: %s", c.args, clip(got))
		}
	}
	cmd := command()
	cmd.Env = append(cmd.Env, "SIGHTLINE_SV_PROT=1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "SIGHTLINE_SV_PORT") {
		t.Errorf("a misspelt environment variable: %v %s", err, out)
	}
}

// Every flag and every setting says what it is for.
func TestHelpExplainsEverything(t *testing.T) {
	out, err := command("-help").CombinedOutput()
	if err != nil {
		t.Fatalf("-help: %v\n%s", err, out)
	}
	flags, settings, _ := strings.Cut(string(out), "\nSettings")
	entries := regexp.MustCompile(`(?m)^  -(\S+)`).FindAllStringSubmatchIndex(flags, -1)
	seen := map[string]bool{}
	for i, e := range entries {
		name, end := flags[e[2]:e[3]], len(flags)
		if i+1 < len(entries) {
			end = entries[i+1][0]
		}
		seen[name] = true
		if text := strings.Fields(flags[e[3]:end]); len(text) < 4 {
			t.Errorf("-%s is not explained: %q", name, text)
		}
	}
	for _, name := range []string{"config", "map", "assets", "plugins", "key", "seconds", "show-config", "v"} {
		if !seen[name] {
			t.Errorf("-%s is not in the help", name)
		}
	}
	line := regexp.MustCompile(`(?m)^  ([a-z]\S*\.\S+) +\([^)]*\) +(.*)$`)
	explained := map[string]bool{}
	for _, m := range line.FindAllStringSubmatch(settings, -1) {
		explained[m[1]] = true
		if len(strings.Fields(m[2])) < 3 {
			t.Errorf("%s is not explained: %q", m[1], m[2])
		}
	}
	// The file of all settings has the same ones.
	shown, err := command("-show-config").Output()
	if err != nil {
		t.Fatal(err)
	}
	table, n := "", 0
	for l := range strings.Lines(string(shown)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			table = strings.Trim(l, "[]")
		} else if m := regexp.MustCompile(`^# ([a-z0-9_]+) = `).FindStringSubmatch(l); m != nil {
			n++
			if !explained[table+"."+m[1]] {
				t.Errorf("%s.%s of -show-config is not in the help", table, m[1])
			}
		}
	}
	if n == 0 || n != len(explained) {
		t.Errorf("-show-config has %d settings, the help %d", n, len(explained))
	}
	// That file, with nothing commented out, is a valid one.
	all := regexp.MustCompile(`(?m)^# ([a-z0-9_]+ = )`).ReplaceAllString(string(shown), "$1")
	if out, err := command("-show-config", "-config", file(t, all)).CombinedOutput(); err != nil {
		t.Errorf("the defaults are refused: %v\n%s", err, out)
	}
}

// The dedicated server is one static file: it needs no window system, no OpenGL,
// no sound, not even a C library.
func TestServerIsStatic(t *testing.T) {
	for _, name := range []string{"arenad", "policy-deaddrop", "rules-duel"} {
		f, err := elf.Open(filepath.Join(bin, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
				t.Errorf("%s has a %v: it is linked to shared libraries", name, p.Type)
			}
		}
		if libs, _ := f.ImportedLibraries(); len(libs) > 0 {
			t.Errorf("%s needs %v", name, libs)
		}
		f.Close()
	}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{len .CgoFiles}}", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(out)) {
		path, cgo, _ := strings.Cut(strings.TrimSpace(l), " ")
		if cgo != "0" || strings.Contains(path, "go-gl") || strings.Contains(path, "/render/") || strings.HasSuffix(path, "/engine/desktop") {
			t.Errorf("depends on %s", path)
		}
	}
}
