// Package assettest holds the test that every asset.FS passes.
package assettest

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/asset"
)

// Files is what an implementation under test must hold, no more and no less.
func Files() map[string]string {
	return map[string]string{
		"readme.txt":         "hello",
		"maps/one.bsp":       "IBSP one",
		"maps/One.txt":       "case differs",
		"maps/sub/two.BSP":   "IBSP two",
		"mapsnot/three.bsp":  "a neighbour",
		"textures/a b/é.tga": "blanks and letters",
		"empty":              "",
	}
}

// FS checks an implementation that holds Files. It closes it.
func FS(t *testing.T, f asset.FS) {
	t.Helper()
	files := Files()
	for name, want := range files {
		data, err := f.ReadFile(name)
		if err != nil || string(data) != want {
			t.Errorf("ReadFile %s: %q, %v", name, data, err)
		}
		r, err := f.Open(name)
		if err != nil {
			t.Errorf("Open %s: %v", name, err)
			continue
		}
		st, err := r.Stat()
		if err != nil || st.Size() != int64(len(want)) || st.IsDir() {
			t.Errorf("Stat %s: %v, %v", name, st, err)
		}
		data, err = io.ReadAll(r)
		if err != nil || string(data) != want {
			t.Errorf("Open and read %s: %q, %v", name, data, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("Close %s: %v", name, err)
		}
		data, err = f.ReadFile("./" + strings.ReplaceAll(name, "/", "//"))
		if err != nil || string(data) != want {
			t.Errorf("%s is not found by a name that means the same: %v", name, err)
		}
	}
	for _, name := range []string{"none", "maps/none.bsp", "readme.txt/x"} {
		if _, err := f.ReadFile(name); err == nil || errors.Is(err, asset.ErrName) {
			t.Errorf("ReadFile %s: %v", name, err)
		}
	}
	if _, err := f.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file is %v, not fs.ErrNotExist", err)
	}
	if _, err := f.ReadFile("maps"); err == nil {
		t.Error("a folder was read as a file")
	}
	for _, name := range Unsafe() {
		if _, err := f.Open(name); !errors.Is(err, asset.ErrName) {
			t.Errorf("Open %.40q: %v, want ErrName", name, err)
		}
		if _, err := f.ReadFile(name); !errors.Is(err, asset.ErrName) {
			t.Errorf("ReadFile %.40q: %v, want ErrName", name, err)
		}
		if name == "" {
			continue
		}
		if _, err := f.List(name, ""); !errors.Is(err, asset.ErrName) && name != "." && name != "x/../y" {
			t.Errorf("List %.40q: %v, want ErrName", name, err)
		}
	}
	var all []string
	for name := range files {
		all = append(all, name)
	}
	slices.Sort(all)
	for _, row := range []struct {
		dir, ext string
		want     []string
	}{
		{"", "", all},
		{"maps", ".bsp", []string{"maps/one.bsp", "maps/sub/two.BSP"}},
		{"maps/", "", []string{"maps/One.txt", "maps/one.bsp", "maps/sub/two.BSP"}},
		{"none", "", nil},
	} {
		if got, err := f.List(row.dir, row.ext); err != nil || !slices.Equal(got, row.want) {
			t.Errorf("List %q %q: %q, %v, want %q", row.dir, row.ext, got, err, row.want)
		}
	}
	if err := f.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := f.ReadFile("readme.txt"); err == nil {
		t.Error("a closed place was read")
	}
}

// Unsafe returns names that must be refused everywhere.
func Unsafe() []string {
	return []string{
		"", ".", "..", "../x", "x/../../y", "x/..", "/etc/passwd", "//x", "C:x", `C:\x`, `..\x`, `x\y`,
		"a\x00b", "a\nb", "a\x7f", "\xff", strings.Repeat("x", 300), "x:stream", "x/../y",
	}
}
