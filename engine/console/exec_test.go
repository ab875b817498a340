package console_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-engine/sightline/engine/console"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][][]string{
		``:                               nil,
		` ;; ; `:                         nil,
		`a b`:                            {{"a", "b"}},
		`a "b c;d" e;f`:                  {{"a", "b c;d", "e"}, {"f"}},
		`say "he said \"hi\" \\ \n"`:     {{"say", `he said "hi" \ \n`}},
		`a // b; c`:                      {{"a"}},
		`url http://x//y`:                {{"url", "http://x//y"}},
		"a\tb\r":                         {{"a", "b"}},
		`bind "mouse 1" "+attack; echo"`: {{"bind", "mouse 1", "+attack; echo"}},
		`a ""`:                           {{"a", ""}},
	} {
		got, err := console.Split(line)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`a "b`, strings.Repeat("a", 5000), strings.Repeat("a ", 300)} {
		if _, err := console.Split(line); err == nil {
			t.Errorf("%.20q was accepted", line)
		}
	}
}

func TestQuotedWordsComeBackWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringN(0, 20, 80), 1, 10).Draw(t, "words")
		var line []string
		for _, w := range words {
			line = append(line, console.Quote(w))
		}
		got, err := console.Split(strings.Join(line, " "))
		if err != nil || len(got) != 1 || !slices.Equal(got[0], words) {
			t.Fatalf("%q became %q, %v", words, got, err)
		}
	})
}

func TestAliasesRunInOrderAndAreBounded(t *testing.T) {
	h := newHost()
	h.exec(`alias b "echo 2; echo 3"; alias a "echo 1; b; echo 4"`)
	if out, err := h.exec("a; echo 5"); err != nil || out != "1\n2\n3\n4\n5\n" {
		t.Fatalf("%q, %v", out, err)
	}
	for line, want := range map[string]string{
		`alias x "x"; x`:                          "does it name itself",
		`alias l "l2; l2"; alias l2 "l; l"; l`:    "stopped: one line set off more than 1000 commands",
		`alias echo "x"`:                          "there is a setting or command of that name",
		`alias cl_fov "x"`:                        "there is a setting or command of that name",
		`unalias nosuch`:                          "there is none",
		"alias " + strings.Repeat("q", 99) + " x": "at most 64",
	} {
		out, err := newHost().exec(line)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %.200q, %v", line, out, err)
		}
	}
}

func TestWaitRunsTheRestLater(t *testing.T) {
	h := newHost()
	var b bytes.Buffer
	h.Exec(`alias loop "echo x; wait; loop"; loop; echo never`, &b)
	for range 40 { // more often than aliases may nest
		h.Frame()
	}
	if got := strings.Count(b.String(), "x"); got != 41 || strings.Contains(b.String(), "never") {
		t.Fatalf("%d rounds: %q", got, b.String())
	}
	b.Reset()
	h = newHost()
	h.Exec("echo 1; wait 3; echo 2", &b)
	h.Frame()
	h.Frame()
	if b.String() != "1\n" {
		t.Fatal(b.String())
	}
	h.Frame()
	if b.String() != "1\n2\n" {
		t.Fatal(b.String())
	}
	if out, err := h.exec("wait -5; echo"); err == nil || !strings.Contains(out, "1 to 100000") {
		t.Fatal(out)
	}
}

func TestBinds(t *testing.T) {
	h := newHost()
	h.exec(`bind MOUSE1 "+attack; echo x"; bind f5 toggle cl.show_fps`)
	if h.Binds().Get("mouse1") != "+attack; echo x" || h.Binds().Get("F5") != "toggle cl.show_fps" {
		t.Fatal(h.Binds().Keys())
	}
	if out, _ := h.exec("bind"); !strings.Contains(out, `bind "mouse1" "+attack; echo x"`) {
		t.Fatal(out)
	}
	h.exec("unbind Mouse1")
	if got := h.Binds().Keys(); !slices.Equal(got, []string{"f5"}) {
		t.Fatal(got)
	}
}

func TestRemoteConsoleCannotUseLocalCommands(t *testing.T) {
	h := newHost()
	var b bytes.Buffer
	src := console.Source{Layer: console.LayerRuntime, Where: "admin 10.0.0.1", Remote: true}
	if err := h.ExecFrom("writeconfig x.cfg", &b, src); err == nil || !strings.Contains(b.String(), "own console") {
		t.Fatal(b.String())
	}
	if err := h.ExecFrom("cl.fov 100", &b, src); err != nil {
		t.Fatal(err)
	}
	if in, _ := h.Lookup("cl.fov"); in.Layers[len(in.Layers)-1].Where != "admin 10.0.0.1" {
		t.Fatal("nobody knows who set it")
	}
}

func TestWriteConfigIsReadBackByExec(t *testing.T) {
	dir := t.TempDir()
	root, err := console.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h := newHost()
	h.SetFiles(root)
	h.exec(`cl.fov 120; cl.name "a \"b\" \\ c"; sv.rotation x "y z"; net.graph full; alias hi "echo \"1;2\""; bind q "hi; hi"`)
	if out, err := h.exec("writeconfig"); err != nil {
		t.Fatal(out)
	}
	again := newHost()
	again.SetFiles(root)
	if out, err := again.exec("exec config.cfg"); err != nil {
		t.Fatal(out)
	}
	if again.fov.Get() != 120 || again.name.Get() != `a "b" \ c` || !slices.Equal(again.rotation.Get(), []string{"x", "y z"}) ||
		again.Binds().Get("q") != "hi; hi" || again.mode.Get() != "off" {
		data, _ := os.ReadFile(filepath.Join(dir, "config.cfg"))
		t.Fatalf("%s", data)
	}
	if out, _ := again.exec("q;hi"); !strings.Contains(out, "1;2\n") {
		t.Fatal(out)
	}
}

func TestExecSaysFileAndLineAndIsBounded(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.cfg", "\ufeff// comment\r\ncl.fov 100\r\ncl.fov 999\r\necho \"open\r\nexec b.cfg; echo after\r\n")
	write("b.cfg", "echo b")
	write("self.cfg", "exec self.cfg")
	write("big.cfg", strings.Repeat("\n", console.MaxFile+1))
	root, err := console.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h := newHost()
	h.SetFiles(root)
	out, err := h.exec("exec a.cfg; echo end")
	if err == nil || h.fov.Get() != 100 || !strings.HasSuffix(out, "b\nafter\nend\n") {
		t.Fatalf("%q %v", out, err)
	}
	for _, want := range []string{"a.cfg:3: cl.fov: 999 is out of range", "a.cfg:4: a quote is opened"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%q does not say %q once", out, want)
		}
	}
	for line, want := range map[string]string{"exec self.cfg": "does one run itself?", "exec big.cfg": "longer than"} {
		if out, err := h.exec(line); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %q", line, out)
		}
	}
	if out, err := newHost().exec("exec a.cfg"); err == nil || !strings.Contains(out, "no folder") {
		t.Errorf("%q", out)
	}
}

// Report O-40: nothing outside the folder is read or written.
func TestFilesStayInTheFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "game")
	canary := filepath.Join(outer, "canary.cfg")
	for _, err := range []error{
		os.Mkdir(dir, 0o700),
		os.WriteFile(canary, []byte("cl.fov 61"), 0o600),
		os.Symlink(canary, filepath.Join(dir, "link.cfg")),
		os.Symlink(outer, filepath.Join(dir, "up")),
		os.Mkdir(filepath.Join(dir, "folder.cfg"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := console.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	h := newHost()
	h.SetFiles(root)
	for _, name := range []string{
		"../canary.cfg", canary, "C:canary.cfg", `..\canary.cfg`, "up/canary.cfg", "link.cfg", "x/../../canary.cfg", "./x.cfg",
		"a\x00.cfg", strings.Repeat("x", 300) + ".cfg", "../x.toml", "x.toml", "folder.cfg", "", ".",
	} {
		if out, err := h.exec("exec " + console.Quote(name)); err == nil {
			t.Errorf("exec %q was taken: %s", name, out)
		}
		if name == "link.cfg" {
			continue // writing replaces the link itself; below
		}
		if out, err := h.exec("writeconfig " + console.Quote(name)); err == nil {
			t.Errorf("writeconfig %q was taken: %s", name, out)
		}
	}
	h.exec("writeconfig link.cfg")
	if got, err := os.ReadFile(canary); err != nil || string(got) != "cl.fov 61" || h.fov.Get() != 90 {
		t.Fatalf("canary: %q, %v", got, err)
	}
	entries, err := os.ReadDir(outer)
	if err != nil || len(entries) != 2 {
		t.Fatalf("outside the folder: %v, %v", entries, err)
	}
}

func FuzzExec(f *testing.F) {
	for _, s := range []string{`cl.fov 90; echo "x"`, `alias a "a;a"; a`, "wait;wait 2;echo", "toggle net.graph a b", "\"", "reset \xff", "cvarlist ;;//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		h := newHost()
		_ = h.Exec(line, io.Discard)
		h.Frame()
		h.Complete(line)
		if v := h.fov.Get(); !(v >= 60 && v <= 140) {
			t.Fatalf("fov %v", v)
		}
	})
}
