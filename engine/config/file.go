package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// ReadFile reads a file for Parse, LoadVars or DecodeStrict: a regular file, and
// no more of it than is allowed. What is not there is fs.ErrNotExist.
func ReadFile(fsys fs.FS, name string) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return nil, fmt.Errorf("%s: %w", name, err) }
	st, err := fs.Stat(fsys, name) // before opening: a pipe would wait for its writer
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(fs.ErrNotExist)
	case err != nil:
		return fail(err)
	case st.IsDir():
		return fail(errors.New("is a folder; name the file in it"))
	case !st.Mode().IsRegular():
		return fail(errors.New("is not a regular file"))
	}
	f, err := fsys.Open(name)
	if err != nil {
		return fail(err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fail(err)
	}
	if len(data) > MaxSize {
		return fail(fmt.Errorf("is longer than %d bytes", MaxSize))
	}
	return data, nil
}
