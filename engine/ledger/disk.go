package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Folder is a Store of files in one folder, which it makes when it is not there and
// which it cannot leave: NAME.001.slledger and so on.
type Folder struct {
	dir, name string
	root      *os.Root
}

// NewFolder checks the name and touches no disk: that is the Writer's goroutine's.
func NewFolder(dir, name string) (*Folder, error) {
	bad := name == "" || name[0] == '.' || name[0] == '-' || len(name) > 64
	for _, r := range name {
		bad = bad || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.+", r))
	}
	if bad {
		return nil, fmt.Errorf("%.64q is no name for a ledger: at most 64 letters, digits and _ - . +, and no folder", name)
	}
	return &Folder{dir: dir, name: name}, nil
}

// File returns what a part is called.
func (f *Folder) File(part int) string { return fmt.Sprintf("%s.%03d%s", f.name, part, Ext) }

// Create makes a part, which must not be there yet.
func (f *Folder) Create(part int) (io.WriteCloser, error) {
	if f.root == nil {
		if err := os.MkdirAll(f.dir, 0o755); err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(f.dir)
		if err != nil {
			return nil, err
		}
		f.root = root
	}
	w, err := f.root.OpenFile(f.File(part), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("there is a ledger %s already", f.File(part))
	}
	return w, err
}

// Remove removes a part; one that is gone already is as well.
func (f *Folder) Remove(part int) error {
	if err := f.root.Remove(f.File(part)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Close lets go of the folder once the Writer has ended.
func (f *Folder) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}
