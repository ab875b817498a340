package demo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Ext ends the names of demo files.
const Ext = ".sldemo"

// FileName checks what somebody wants a demo to be called, and completes it: a
// plain file name that stays in its folder on every system.
func FileName(name string) (string, error) {
	bad := name == "" || name[0] == '.' || name[0] == '-' || len(name) > 64
	for _, r := range name {
		bad = bad || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.+", r))
	}
	name = strings.TrimSuffix(name, Ext)
	if bad || name == "" {
		return "", fmt.Errorf("%.64q is no name for a demo: at most 64 letters, digits and _ - . +, and no folder", name)
	}
	return name + Ext, nil
}

// File is a demo that is being written into a folder which it cannot leave.
type File struct {
	name string
	root *os.Root
	file *os.File
}

// Create makes a file, which must not be there yet, in a folder that is made when
// it is not there.
func Create(folder, name string) (*File, error) {
	name, err := FileName(name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		err = fmt.Errorf("there is a demo %s already: choose another name", name)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &File{name, root, file}, nil
}

// Name returns the file's name in its folder.
func (f *File) Name() string { return f.name }

// Write adds to the file.
func (f *File) Write(b []byte) (int, error) { return f.file.Write(b) }

// Shorten cuts the file to a length and goes on writing there.
func (f *File) Shorten(length int64) error {
	if err := f.file.Truncate(length); err != nil {
		return err
	}
	_, err := f.file.Seek(length, io.SeekStart)
	return err
}

// Close closes the file once its Recorder has ended. One in which nothing can be
// played is removed, and kept is false.
func (f *File) Close() (kept bool, err error) {
	if st, err := f.file.Stat(); err == nil {
		_, err = Open(f.file, st.Size())
		kept = err == nil
	}
	err = f.file.Close()
	if !kept {
		err = f.root.Remove(f.name)
	}
	f.root.Close()
	return kept, err
}

// OpenFile opens the demo in a file for playing; done closes it. The error names
// the file.
func OpenFile(name string) (r *Reader, done func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a file")
	}
	if err == nil {
		r, err = Open(f, st.Size())
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, f.Close, nil
}
