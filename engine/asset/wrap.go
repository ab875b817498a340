package asset

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"
)

// Wrap makes an FS of any io/fs file system: files compiled in with embed, a
// testing/fstest.MapFS.
func Wrap(fsys fs.FS) FS { return &wrapped{fs: fsys} }

type wrapped struct {
	fs     fs.FS
	closed atomic.Bool
}

func (w *wrapped) Open(name string) (fs.File, error) {
	name, err := Clean(name)
	if err != nil {
		return nil, err
	}
	if w.closed.Load() {
		return nil, fs.ErrClosed
	}
	f, err := w.fs.Open(name)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.Join(notAFile(name), err, f.Close())
	}
	return f, nil
}

func (w *wrapped) ReadFile(name string) ([]byte, error) {
	f, err := w.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, MaxFile)
}

func (w *wrapped) List(dir, ext string) ([]string, error) {
	top := "."
	if dir != "" {
		var err error
		if top, err = Clean(dir); err != nil {
			return nil, err
		}
	}
	if w.closed.Load() {
		return nil, fs.ErrClosed
	}
	var out []string
	seen := 0
	err := fs.WalkDir(w.fs, top, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > maxList {
			return fmt.Errorf("list %s: more than %d files", dir, maxList)
		}
		if e.Type().IsRegular() && hasExt(p, ext) {
			if c, err := Clean(p); err == nil && c == p {
				out = append(out, p)
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	slices.Sort(out)
	return out, err
}

func (w *wrapped) Close() error {
	w.closed.Store(true)
	return nil
}
