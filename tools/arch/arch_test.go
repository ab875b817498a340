package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCodeKeepsToTheImportTable(t *testing.T) {
	// go list reads the tree where the test cache does not see it; walking the
	// folders makes a cached result depend on every file in them.
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2 {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := load("../..")
	if err != nil {
		t.Fatal(err)
	}
	if all[module+"/game/vec"] == nil {
		t.Fatal("go list did not see the module")
	}
	for _, breach := range check(all, table, fences) {
		t.Error(breach)
	}
}

// Every kind of breach is seen, so that a silent checker does not pass.
func TestBreachesAreSeen(t *testing.T) {
	own := func(name string) bool { return strings.HasPrefix(name, "game/") || strings.HasPrefix(name, "engine/") }
	pkg := func(name string, imports ...string) *Package {
		p := &Package{ImportPath: name, GoFiles: []string{"a.go"}, Doc: "Package x does something for someone."}
		if own(name) {
			p.ImportPath = module + "/" + name
		}
		for _, i := range imports {
			if own(i) {
				i = module + "/" + i
			}
			p.Imports, p.Deps = append(p.Imports, i), append(p.Deps, i)
		}
		return p
	}
	rows := []Row{
		{[]string{"game/a"}, nil, nil, "alone"},
		{[]string{"game/b/..."}, []string{"game/a"}, []string{"example.com/ok"}, "b's reason"},
		{[]string{"game/b/inner"}, nil, nil, "stricter"},
		{[]string{"engine/c"}, []string{"game/b/..."}, nil, "c's reason"},
	}
	fences := []Fence{{From: []string{"engine/..."}, Not: []string{"game/a", "example.com/bad"}, Cgo: true, Why: "fenced"}}
	std := pkg("fmt")
	std.Standard = true
	for name, row := range map[string]struct {
		pkgs []*Package
		want string
	}{
		"fine":            {[]*Package{pkg("game/b", "game/a", "fmt", "example.com/ok/sub"), pkg("game/b/x", "game/b")}, ""},
		"unknown package": {[]*Package{pkg("game/new")}, "game/new: no row"},
		"import":          {[]*Package{pkg("game/a", "game/b")}, "game/a imports game/b, which its row does not name (alone)"},
		"inner row":       {[]*Package{pkg("game/b/inner", "game/a")}, "game/b/inner imports game/a"},
		"library":         {[]*Package{pkg("game/a", "example.com/ok")}, "game/a imports example.com/ok, a library"},
		"library prefix":  {[]*Package{pkg("game/b", "example.com/okay")}, "a library its row does not name"},
		"test library":    {[]*Package{{ImportPath: module + "/game/a", GoFiles: []string{"a.go"}, Doc: "Package a is for b.", XTestImports: []string{"example.com/x"}}}, "its tests import example.com/x"},
		"no comment":      {[]*Package{{ImportPath: module + "/game/a", GoFiles: []string{"a.go"}}}, "no package comment"},
	} {
		all := map[string]*Package{"fmt": std}
		for _, p := range row.pkgs {
			all[p.ImportPath] = p
		}
		got := check(all, rows, fences)
		if row.want == "" && len(got) > 0 || row.want != "" && !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, row.want) }) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	a, b, c := pkg("game/a"), pkg("game/b", "game/a", "example.com/bad"), pkg("engine/c", "game/b")
	c.Deps = append(c.Deps, b.Deps...)
	bad := pkg("example.com/bad")
	bad.CgoFiles = []string{"c.go"}
	all := map[string]*Package{}
	for _, p := range []*Package{a, b, c, bad} {
		all[p.ImportPath] = p
	}
	got := strings.Join(check(all, rows, fences), "\n")
	for _, want := range []string{
		"engine/c reaches game/a by way of engine/c → game/b → game/a (fenced)", "engine/c reaches example.com/bad", "engine/c reaches cgo in example.com/bad",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\ndoes not say %s", got, want)
		}
	}
}

func TestEveryRowAndFenceHasItsReason(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		if r.Why == "" || len(r.Packages) == 0 {
			t.Errorf("row %v has no reason or no package", r.Packages)
		}
		for _, p := range r.Packages {
			if seen[p] {
				t.Errorf("%s stands in two rows", p)
			}
			seen[p] = true
		}
	}
	for _, f := range fences {
		if f.Why == "" || len(f.Not) == 0 && !f.Cgo {
			t.Errorf("fence of %v is empty or has no reason", f.From)
		}
	}
	// A library has one importer by the table where the architecture says so.
	for lib, only := range map[string]string{toml: "engine/config", gl: "render/gpu", glfw: "render/window/...", xnet: "net/udp", noise: "net/handshake"} {
		for _, r := range table {
			if slices.Contains(r.Ext, lib) && !slices.Equal(r.Packages, []string{only}) {
				t.Errorf("%s may import %s; only %s may", r.Packages, lib, only)
			}
		}
	}
	var b bytes.Buffer
	printTable(&b)
	if !strings.Contains(b.String(), "engine/config") || !strings.Contains(b.String(), "never reach") {
		t.Error(b.String())
	}
}
