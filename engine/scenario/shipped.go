package scenario

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
)

//go:embed testdata/fog/*.toml
var shippedFiles embed.FS

// Shipped returns the scenes that this package comes with, in the order of their names:
// each has one right answer, and says what it is. They are for authors' tests too. The
// caller owns them.
func Shipped() ([]*Scene, error) {
	names, err := fs.Glob(shippedFiles, "testdata/fog/*.toml")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []*Scene
	for _, name := range names {
		data, err := shippedFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := ReadFile(name[len("testdata/"):], data, nil)
		if err != nil {
			return nil, fmt.Errorf("a shipped scene: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}
