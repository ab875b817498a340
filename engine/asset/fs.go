package asset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 256 << 20

// maxList bounds what List returns and how far it walks.
const maxList = 200000

// FS is a place that files are found in. Names are as Clean returns them; others
// are refused with ErrName, what is missing is fs.ErrNotExist. Package assettest
// holds the test that every implementation passes.
type FS interface {
	// Open opens a regular file.
	Open(name string) (fs.File, error)
	// ReadFile returns the whole file, at most MaxFile bytes.
	ReadFile(name string) ([]byte, error)
	// List returns the names of the files in and below a folder ("" for all) that
	// end in ext ("" for all) regardless of case, sorted.
	List(dir, ext string) ([]string, error)
	// Close releases the place; later calls fail.
	Close() error
}

// folded is an FS that can also look a name up regardless of case.
type folded interface {
	// fold returns the name as it is stored, and whether there is one.
	fold(name string) (string, bool)
}

// Hash is a file's content hash, SHA-256.
type Hash [sha256.Size]byte

// Sum returns the hash of data.
func Sum(data []byte) Hash { return sha256.Sum256(data) }

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Dir is a folder.
type Dir struct{ root *os.Root }

// OpenDir returns a folder as an FS. Links inside it may not lead out.
func OpenDir(dir string) (*Dir, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// Open implements FS.
func (d *Dir) Open(name string) (fs.File, error) {
	name, err := Clean(name)
	if err != nil {
		return nil, err
	}
	st, err := d.root.Stat(name) // before opening: a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, notAFile(name)
	}
	return d.root.Open(name)
}

func notAFile(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
}

// ReadFile implements FS.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, MaxFile)
}

// readAll reads and closes f.
func readAll(f fs.File, name string, limit int64) ([]byte, error) {
	size := int64(0)
	if st, err := f.Stat(); err == nil {
		size = st.Size()
	}
	if size > limit {
		return nil, errors.Join(fmt.Errorf("read %s: %d bytes, more than the %d that are allowed", name, size, limit), f.Close())
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: more than the %d bytes that are allowed", name, limit)
	}
	return data, nil
}

// List implements FS. Links to folders are not followed.
func (d *Dir) List(dir, ext string) ([]string, error) {
	top := "."
	if dir != "" {
		var err error
		if top, err = Clean(dir); err != nil {
			return nil, err
		}
	}
	var out []string
	seen := 0
	err := fs.WalkDir(d.root.FS(), top, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if p == top {
				return err
			}
			return nil // a folder that may not be read hides its files, no more
		}
		if seen++; seen > maxList {
			return fmt.Errorf("list %s: more than %d files", dir, maxList)
		}
		if e.IsDir() || !hasExt(p, ext) {
			return nil
		}
		if e.Type()&fs.ModeSymlink != 0 {
			if st, err := d.root.Stat(p); err != nil || !st.Mode().IsRegular() {
				return nil
			}
		} else if !e.Type().IsRegular() {
			return nil
		}
		if clean, err := Clean(p); err == nil && clean == p {
			out = append(out, p)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	slices.Sort(out)
	return out, err
}

func hasExt(name, ext string) bool {
	return ext == "" || strings.EqualFold(path.Ext(name), ext)
}

// Close implements FS.
func (d *Dir) Close() error { return d.root.Close() }
