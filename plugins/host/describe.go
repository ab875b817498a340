package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	basev1 "github.com/sightline-engine/sightline/plugins/proto/base/v1"
)

// Description is what a plugin says of itself, and where it was found.
type Description struct {
	Path, SHA256        string
	Kind, Name, Version string
	Help                string // one sentence
	Major, Minor        uint32 // of its kind's contract
	Settings            []Described
}

// Described is one setting.
type Described struct {
	Name              string
	Default, Min, Max float64
	Unit, Help        string
}

// Describe starts a plugin of either kind, asks it who it is, and ends it. Nothing of
// Config but the file, its lock and the limits counts.
func Describe(ctx context.Context, cfg Config) (*Description, error) {
	cfg.fill()
	s, err := newStarter(&cfg, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(s.dir)
	hash, err := FileHash(s.path)
	if err != nil {
		return nil, &StartError{Plugin: s.name, Path: s.path, Why: fmt.Sprintf("cannot be read: %v", err), Err: err}
	}
	l, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	defer l.end(true)
	d := described(l.info)
	d.Path, d.SHA256 = s.path, hash
	return d, nil
}

// described is what a plugin says of itself.
func described(info *basev1.InfoReply) *Description {
	d := &Description{
		Kind: info.Kind, Name: info.Name, Version: info.Version, Help: info.Help,
		Major: info.ApiMajor, Minor: info.ApiMinor,
	}
	for _, t := range info.Settings {
		d.Settings = append(d.Settings, Described{t.Name, t.Default, t.Min, t.Max, t.Unit, t.Help})
	}
	return d
}

// Scan returns the files of a folder that are named as plugins are, sorted.
func Scan(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasPrefix(name, "policy-") && !strings.HasPrefix(name, "rules-") {
			continue
		}
		if ext := filepath.Ext(name); ext == "" || ext == ".exe" {
			out = append(out, filepath.Join(dir, name))
		}
	}
	sort.Strings(out)
	return out, nil
}
