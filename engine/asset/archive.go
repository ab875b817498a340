package asset

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// Limits of an archive. An entry may unpack to MaxRatio times its stored size
// once it is larger than freeSize; deflate itself ends near 1032.
const (
	MaxEntries = 200000
	MaxRatio   = 400
	freeSize   = 32 << 20
)

// Archive is a .pk3 or .zip file.
type Archive struct {
	files   map[string]*zip.File
	folds   map[string]string // lower case → name; the first in order of names
	names   []string          // sorted
	skipped int
	closer  io.Closer
	closed  atomic.Bool
}

// OpenArchive opens the archive file at a path given by a local user.
func OpenArchive(file string) (*Archive, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, notAFile(file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	a, err := NewArchive(f, st.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open archive %s: %w", file, err), f.Close())
	}
	a.closer = f
	return a, nil
}

// NewArchive reads an archive's directory. Entries whose names are not allowed
// are left out and counted; backslashes, which some old tools wrote, are read as
// slashes. Of two entries of one name the later stands.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if len(z.File) > MaxEntries {
		return nil, fmt.Errorf("%d entries, more than %d", len(z.File), MaxEntries)
	}
	a := &Archive{files: map[string]*zip.File{}, folds: map[string]string{}}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") || f.Mode().IsDir() {
			continue
		}
		name, err := Clean(strings.ReplaceAll(f.Name, `\`, "/"))
		if err != nil || !f.Mode().IsRegular() {
			a.skipped++
			continue
		}
		a.files[name] = f
	}
	for name := range a.files {
		a.names = append(a.names, name)
	}
	slices.Sort(a.names)
	for _, name := range a.names {
		if l := strings.ToLower(name); a.folds[l] == "" {
			a.folds[l] = name
		}
	}
	return a, nil
}

// Skipped returns how many entries were left out because of their names.
func (a *Archive) Skipped() int { return a.skipped }

func (a *Archive) fold(name string) (string, bool) {
	n, ok := a.folds[strings.ToLower(name)]
	return n, ok
}

// find returns the entry, checked against the limits that its directory can
// break.
func (a *Archive) find(name string) (*zip.File, error) {
	name, err := Clean(name)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*zip.File, error) { return nil, &fs.PathError{Op: "open", Path: name, Err: err} }
	if a.closed.Load() {
		return fail(fs.ErrClosed)
	}
	f := a.files[name]
	switch {
	case f == nil:
		return fail(fs.ErrNotExist)
	case f.UncompressedSize64 > MaxFile:
		return fail(fmt.Errorf("unpacks to %d bytes, more than the %d that are allowed", f.UncompressedSize64, MaxFile))
	case f.UncompressedSize64 > freeSize && f.UncompressedSize64/MaxRatio > f.CompressedSize64:
		return fail(fmt.Errorf("unpacks to more than %d times its size", MaxRatio))
	}
	return f, nil
}

// Open implements FS. The stream fails where the entry turns out longer or
// shorter than it says, or damaged.
func (a *Archive) Open(name string) (fs.File, error) {
	f, err := a.find(name)
	if err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &entry{r, f.FileInfo()}, nil
}

type entry struct {
	io.ReadCloser
	info fs.FileInfo
}

func (e *entry) Stat() (fs.FileInfo, error) { return e.info, nil }

// ReadFile implements FS.
func (a *Archive) ReadFile(name string) ([]byte, error) {
	f, err := a.find(name)
	if err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return readAll(&entry{r, f.FileInfo()}, name, int64(f.UncompressedSize64))
}

// List implements FS.
func (a *Archive) List(dir, ext string) ([]string, error) {
	if a.closed.Load() {
		return nil, fs.ErrClosed
	}
	if dir != "" {
		clean, err := Clean(dir)
		if err != nil {
			return nil, err
		}
		dir = clean + "/"
	}
	var out []string
	i, _ := slices.BinarySearch(a.names, dir)
	for _, n := range a.names[i:] {
		if !strings.HasPrefix(n, dir) {
			break
		}
		if hasExt(n, ext) {
			out = append(out, n)
		}
	}
	return out, nil
}

// Close implements FS.
func (a *Archive) Close() error {
	if a.closed.Swap(true) || a.closer == nil {
		return nil
	}
	return a.closer.Close()
}
