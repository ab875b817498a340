package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// Files is where exec reads and writeconfig writes. Names come from people, over
// the net too: an implementation refuses what would leave its folder.
type Files interface {
	Open(name string) (io.ReadCloser, error)
	Create(name string) (io.WriteCloser, error)
}

// SetFiles gives exec and writeconfig a folder; without one they refuse.
func (r *Registry) SetFiles(f Files) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files = f
}

func (r *Registry) filesOrNone() Files {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.files == nil {
		return noFiles{}
	}
	return r.files
}

type noFiles struct{}

var errNoFiles = errors.New("this host has no folder for files")

func (noFiles) Open(string) (io.ReadCloser, error)    { return nil, errNoFiles }
func (noFiles) Create(string) (io.WriteCloser, error) { return nil, errNoFiles }

// Root is a folder of .cfg files. Nothing outside it can be read or written, not
// by "..", an absolute name or a link that points out.
type Root struct{ root *os.Root }

// OpenRoot returns the folder dir as Files.
func OpenRoot(dir string) (*Root, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{r}, nil
}

// Close releases the folder.
func (r *Root) Close() error { return r.root.Close() }

// Open opens a regular file.
func (r *Root) Open(name string) (io.ReadCloser, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	st, err := r.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file", name)
	}
	return r.root.Open(name)
}

// Create replaces a file when the returned writer is closed; until then the old
// one stands.
func (r *Root) Create(name string) (io.WriteCloser, error) {
	if err := checkFile(name); err != nil {
		return nil, err
	}
	tmp := name + ".new"
	f, err := r.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &replacement{f, r.root, tmp, name}, nil
}

type replacement struct {
	*os.File
	root      *os.Root
	tmp, name string
}

func (f *replacement) Close() error {
	if err := f.File.Close(); err != nil {
		return err
	}
	return f.root.Rename(f.tmp, f.name)
}

// checkFile refuses names before anything is opened, with a message that os.Root
// would not give.
func checkFile(name string) error {
	bad := func(why string) error { return fmt.Errorf("file name %s: %s", show(name), why) }
	switch {
	case name == "" || len(name) > 255:
		return bad("must have 1 to 255 bytes")
	case clip(name[:min(len(name), 64)]) != name[:min(len(name), 64)] || strings.ContainsAny(name, "\\:\x00"):
		return bad("has a character that names here do not have")
	case strings.HasPrefix(name, "/") || path.Clean(name) != name || strings.HasPrefix(name, ".."):
		return bad("must stay in the host's folder")
	case path.Ext(name) != ".cfg":
		return bad("must end in .cfg")
	}
	return nil
}
