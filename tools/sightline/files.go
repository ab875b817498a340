package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/bsp"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/level/shader"
)

// loadMap reads a map with the shader scripts of its own pack and of the asset
// folders. file is a path, PACK.pk3:PATH, or a name that is looked up in the
// packs of the asset folders.
func loadMap(file string, assets []string) (*level.Level, error) {
	packs, closeAll, err := openPacks(assets)
	defer closeAll()
	if err != nil {
		return nil, err
	}
	var data []byte
	if pack, inner, ok := splitPack(file); ok {
		z, err := zip.OpenReader(pack)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pack, err)
		}
		defer z.Close()
		packs = append(packs, &z.Reader)
		if data, err = readIn(&z.Reader, inner); err != nil {
			return nil, fmt.Errorf("%s: %w", pack, err)
		}
	} else if data, err = readPlain(file); errors.Is(err, fs.ErrNotExist) {
		found := false
		for i := len(packs) - 1; i >= 0 && !found; i-- { // a later pack wins
			for _, name := range []string{"maps/" + file + ".bsp", "maps/" + file + ".map", file} {
				if d, err := readIn(packs[i], name); err == nil {
					data, file, found = d, name, true
					break
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no file %s", file)
		}
	} else if err != nil {
		return nil, err
	}
	set := &shader.Set{}
	for _, p := range packs {
		addScripts(set, p)
	}
	return load.Bytes(file, data, level.Options{Shaders: set.Lookup})
}

// splitPack parts "some.pk3:maps/x.bsp".
func splitPack(file string) (pack, inner string, ok bool) {
	lower := strings.ToLower(file)
	for _, ext := range []string{".pk3:", ".zip:"} {
		if i := strings.Index(lower, ext); i >= 0 {
			return file[:i+len(ext)-1], file[i+len(ext):], true
		}
	}
	return "", "", false
}

func readPlain(file string) ([]byte, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return nil, fmt.Errorf("%s is a folder", file)
	}
	if st.Size() > bsp.MaxSize {
		return nil, fmt.Errorf("%s: %w", file, bsp.ErrTooLarge)
	}
	return os.ReadFile(file)
}

// openPacks opens the folders given and every pack in them, in the order of
// their names: later ones win.
func openPacks(assets []string) ([]fs.FS, func(), error) {
	var packs []fs.FS
	var open []io.Closer
	closeAll := func() {
		for _, c := range open {
			c.Close()
		}
	}
	for _, dir := range assets {
		names, err := filepath.Glob(filepath.Join(dir, "*.[pP][kK]3"))
		if err != nil {
			return nil, closeAll, err
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, closeAll, fmt.Errorf("assets: %w", err)
		}
		sort.Strings(names)
		for _, name := range names {
			z, err := zip.OpenReader(name)
			if err != nil {
				return nil, closeAll, fmt.Errorf("%s: %w", name, err)
			}
			open = append(open, z)
			packs = append(packs, &z.Reader)
		}
		packs = append(packs, os.DirFS(dir))
	}
	return packs, closeAll, nil
}

// readIn reads one file of a pack, by its exact name or else ignoring case.
func readIn(p fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%q is no path inside a pack", name)
	}
	f, err := p.Open(name)
	if z, ok := p.(*zip.Reader); ok && err != nil {
		for _, zf := range z.File {
			if strings.EqualFold(zf.Name, name) {
				f, err = z.Open(zf.Name)
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no file %q", name)
	}
	defer f.Close()
	var buf bytes.Buffer
	n, err := io.Copy(&buf, io.LimitReader(f, bsp.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n > bsp.MaxSize {
		return nil, fmt.Errorf("%s: %w", name, bsp.ErrTooLarge)
	}
	return buf.Bytes(), nil
}

// addScripts reads a pack's shader scripts. A script that makes no sense in
// places is used as far as it does; the map's own warnings are what matters here.
func addScripts(set *shader.Set, p fs.FS) {
	names, err := fs.Glob(p, "scripts/*.shader")
	if err != nil {
		return
	}
	for _, name := range names {
		if data, err := fs.ReadFile(p, name); err == nil {
			_ = set.Parse(path.Base(name), data)
		}
	}
}
