package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const module = "github.com/sightline-engine/sightline"

// Package is what go list says of one.
type Package struct {
	ImportPath   string
	Name         string
	Doc          string
	Standard     bool
	Dir          string
	GoFiles      []string
	CgoFiles     []string
	Imports      []string
	Deps         []string
	TestImports  []string
	XTestImports []string
}

// short is the path below the module, or the whole path of something outside.
func (p *Package) short() string { return short(p.ImportPath) }

func short(path string) string {
	if s, ok := strings.CutPrefix(path, module+"/"); ok {
		return s
	}
	return path
}

// load lists every package of the module and everything they need. Packages that
// do not build yet are listed as far as they can be read.
func load(dir string) (map[string]*Package, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Name,Doc,Standard,Dir,GoFiles,CgoFiles,Imports,Deps,TestImports,XTestImports", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1") // without it go list hides the files to be found
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	all := map[string]*Package{}
	for d := json.NewDecoder(&stdout); ; {
		var p Package
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all[p.ImportPath] = &p
	}
}

// covers reports whether a pattern of the table covers a path, and how closely.
func covers(pattern, path string) (closeness int, ok bool) {
	if base, cut := strings.CutSuffix(pattern, "/..."); cut {
		return len(base), path == base || strings.HasPrefix(path, base+"/")
	}
	if base, cut := strings.CutSuffix(pattern, "*"); cut {
		return len(base), strings.HasPrefix(path, base)
	}
	return len(pattern) + 1, path == pattern
}

func anyCovers(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { _, ok := covers(p, path); return ok })
}

func hasPrefix(prefixes []string, path string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// rowOf returns the row that holds for a package, nil if none does.
func rowOf(rows []Row, path string) *Row {
	var best *Row
	most := -1
	for i := range rows {
		for _, p := range rows[i].Packages {
			if n, ok := covers(p, path); ok && n > most {
				best, most = &rows[i], n
			}
		}
	}
	return best
}

// external reports whether a path is neither the module's nor the standard
// library's.
func external(all map[string]*Package, path string) bool {
	if short(path) != path {
		return false
	}
	if p := all[path]; p != nil {
		return !p.Standard
	}
	return strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
}

// check returns every breach, as sentences, sorted.
func check(all map[string]*Package, rows []Row, fences []Fence) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for path, p := range all {
		name := p.short()
		if name == path || len(p.GoFiles)+len(p.CgoFiles) == 0 {
			continue // not ours, or nothing but tests
		}
		row := rowOf(rows, name)
		if row == nil {
			say("%s: no row of the import table covers it; add one to tools/arch/table.go, with the reason for its fence", name)
			continue
		}
		for _, imp := range p.Imports {
			s := short(imp)
			switch {
			case s != imp && !anyCovers(row.May, s) && !anyCovers(row.Packages, s):
				say("%s imports %s, which its row does not name (%s)", name, s, row.Why)
			case external(all, imp) && !hasPrefix(row.Ext, imp):
				say("%s imports %s, a library its row does not name (%s)", name, imp, row.Why)
			}
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if external(all, imp) && !hasPrefix(row.Ext, imp) && !hasPrefix(testLibraries, imp) {
				say("%s: its tests import %s, a library neither its row nor the list of test libraries names", name, imp)
			}
		}
		if len(strings.Fields(p.Doc)) < 4 {
			say("%s: no package comment that says what it is for", name)
		}
		for _, f := range fences {
			if anyCovers(f.From, name) {
				breached(all, p, f, say)
			}
		}
	}
	slices.Sort(out)
	return out
}

func breached(all map[string]*Package, p *Package, f Fence, say func(string, ...any)) {
	for _, dep := range p.Deps {
		s := short(dep)
		if s != dep && anyCovers(f.Not, s) || s == dep && hasPrefix(f.Not, dep) {
			say("%s reaches %s by way of %s (%s)", p.short(), s, way(all, p.ImportPath, dep), f.Why)
		}
		if d := all[dep]; f.Cgo && d != nil && !d.Standard && len(d.CgoFiles) > 0 {
			say("%s reaches cgo in %s by way of %s (%s)", p.short(), s, way(all, p.ImportPath, dep), f.Why)
		}
	}
	if f.Cgo && len(p.CgoFiles) > 0 {
		say("%s uses cgo (%s)", p.short(), f.Why)
	}
}

// way is a shortest chain of imports between two packages.
func way(all map[string]*Package, from, to string) string {
	before := map[string]string{from: from}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		p := all[queue[0]]
		if p == nil {
			continue
		}
		for _, imp := range p.Imports {
			if before[imp] == "" {
				before[imp] = queue[0]
				queue = append(queue, imp)
			}
		}
	}
	chain := []string{short(to)}
	for at := to; at != from && before[at] != ""; {
		at = before[at]
		chain = append([]string{short(at)}, chain...)
	}
	return strings.Join(chain, " → ")
}
