package asset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// Path is a search path: several places seen as one, later ones in front. It is
// itself an FS. The zero value is empty and ready. Add places first, then read
// from any goroutine.
type Path struct {
	places []place
	closed atomic.Bool
}

type place struct {
	label string
	fs    FS
	owned bool
}

// Add puts a place in front; Close will close it. The label is what Where
// returns.
func (p *Path) Add(label string, f FS) { p.places = append(p.places, place{label, f, true}) }

// Under puts everything in another path in front without owning it, so that one
// map's archive can be laid over a path that outlives it.
func (p *Path) Under(q *Path) { p.places = append(p.places, place{"search path", q, false}) }

// AddDir puts a folder in front, and in front of it every .pk3 file that lies
// directly in it, in the order of their names regardless of case. An archive that
// cannot be opened is named in the error; the rest is added all the same.
func (p *Path) AddDir(dir string) error {
	d, err := OpenDir(dir)
	if err != nil {
		return err
	}
	p.Add(dir, d)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int {
		return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	})
	var errs []error
	for _, e := range entries {
		if hasExt(e.Name(), ".pk3") && !e.IsDir() {
			errs = append(errs, p.AddArchive(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}

// AddArchive puts a .pk3 or .zip file in front.
func (p *Path) AddArchive(file string) error {
	a, err := OpenArchive(file)
	if err != nil {
		return err
	}
	p.Add(file, a)
	return nil
}

// Close closes the places that were added.
func (p *Path) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, pl := range p.places {
		if pl.owned {
			errs = append(errs, pl.fs.Close())
		}
	}
	return errors.Join(errs...)
}

// Find returns the first of names that exists, as it is stored, and the place
// that has it. All names are tried exactly before any is tried regardless of
// case. Names that are not allowed are not found.
func (p *Path) Find(names ...string) (name, where string, ok bool) {
	i, name, err := p.find(names...)
	if err != nil {
		return "", "", false
	}
	return name, p.places[i].label, true
}

func (p *Path) find(names ...string) (index int, name string, err error) {
	if p.closed.Load() {
		return 0, "", fs.ErrClosed
	}
	clean := make([]string, 0, len(names))
	for _, n := range names {
		c, cerr := Clean(n)
		if cerr != nil {
			err = cerr
			continue
		}
		clean = append(clean, c)
	}
	if len(clean) == 0 && err != nil {
		return 0, "", err
	}
	for _, n := range clean {
		for i := len(p.places) - 1; i >= 0; i-- {
			if has(p.places[i].fs, n) {
				return i, n, nil
			}
		}
	}
	for _, n := range clean {
		if i, stored, ok := p.foldIn(n); ok {
			return i, stored, nil
		}
	}
	return 0, "", &fs.PathError{Op: "find", Path: strings.Join(clean, ", "), Err: fs.ErrNotExist}
}

func (p *Path) foldIn(name string) (int, string, bool) {
	for i := len(p.places) - 1; i >= 0; i-- {
		if f, ok := p.places[i].fs.(folded); ok {
			if stored, ok := f.fold(name); ok {
				return i, stored, true
			}
		}
	}
	return 0, "", false
}

func (p *Path) fold(name string) (string, bool) {
	_, stored, ok := p.foldIn(name)
	return stored, ok
}

// has reports whether a place has exactly this name, cheaply where it can.
func has(f FS, name string) bool {
	switch x := f.(type) {
	case *Archive:
		return x.files[name] != nil
	case *Dir:
		st, err := x.root.Stat(name)
		return err == nil && st.Mode().IsRegular()
	case *Path:
		return slices.ContainsFunc(x.places, func(pl place) bool { return has(pl.fs, name) })
	}
	r, err := f.Open(name)
	if err != nil {
		return false
	}
	return r.Close() == nil
}

// Open implements FS.
func (p *Path) Open(name string) (fs.File, error) {
	i, stored, err := p.find(name)
	if err != nil {
		return nil, err
	}
	return p.places[i].fs.Open(stored)
}

// ReadFile implements FS.
func (p *Path) ReadFile(name string) ([]byte, error) {
	return p.ReadLimited(name, MaxFile)
}

// ReadLimited is ReadFile for at most limit bytes.
func (p *Path) ReadLimited(name string, limit int64) ([]byte, error) {
	f, err := p.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, min(limit, MaxFile))
}

// List implements FS: the names in all places, each once.
func (p *Path) List(dir, ext string) ([]string, error) {
	if p.closed.Load() {
		return nil, fs.ErrClosed
	}
	var out []string
	var errs []error
	for _, pl := range p.places {
		names, err := pl.fs.List(dir, ext)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", pl.label, err))
		}
		out = append(out, names...)
	}
	slices.Sort(out)
	return slices.Compact(out), errors.Join(errs...)
}

// imageExts is the order in which Quake III looks for a picture.
var imageExts = []string{".tga", ".jpg", ".png", ".jpeg"}

// FindImage finds the picture that a map calls name: the name itself when it has
// an extension and exists, else with .tga, .jpg, .png or .jpeg.
func (p *Path) FindImage(name string) (stored string, ok bool) {
	var names []string
	base := name
	switch ext := path.Ext(name); strings.ToLower(ext) {
	case ".tga", ".jpg", ".jpeg", ".png":
		names = append(names, name)
		base = strings.TrimSuffix(name, ext)
	}
	for _, ext := range imageExts {
		names = append(names, base+ext)
	}
	stored, _, ok = p.Find(names...)
	return stored, ok
}
