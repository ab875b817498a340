package vec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// predicted lists the packages whose results a client and a server must share to
// the bit.
var predicted = []string{"vec", "state", "scenery", "trace", "pmove", "weapon", "hitbox", "rewind"}

// The language lets a compiler fuse a product into a later sum, across
// statements, unless a conversion stands between. So in the predicted packages
// every product of floats that is not a constant is the argument of one, and
// math is used for nothing but what IEEE 754 rounds correctly.
func TestEveryProductIsRounded(t *testing.T) {
	c := checker{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	for _, name := range predicted {
		files, info := c.load(t, filepath.Join("..", name))
		if len(files) == 0 {
			t.Errorf("no source in game/%s", name)
		}
		for _, f := range files {
			c.check(t, f, info)
		}
	}
}

// The test of the test: it must see what it looks for.
func TestUnroundedProductsAreFound(t *testing.T) {
	c := checker{fset: token.NewFileSet(), done: map[string]*types.Package{}}
	src := `package x
import "math"
type v struct{ x float32 }
func f(a, b float32, i, j int, w v) float32 {
	c := a*b // 1
	a *= b // 2
	n := i*j + 2
	const k = 2.0 * 3
	d := float32(a*b) + float32((w.x * b)) // none
	e := float64(a)*2 // 3
	_ = math.Sin(e) // 4
	_ = math.Sqrt(float64(n))
	return c + d - -(w.x*b) // 5
}`
	f, err := parser.ParseFile(c.fset, "x.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := c.types("x", []*ast.File{f})
	if got := c.faults(f, info); len(got) != 5 {
		t.Fatalf("found %d faults, want 5: %v", len(got), got)
	}
}

type checker struct {
	fset *token.FileSet
	done map[string]*types.Package
}

func (c *checker) check(t *testing.T, f *ast.File, info *types.Info) {
	t.Helper()
	for _, fault := range c.faults(f, info) {
		t.Error(fault)
	}
}

func (c *checker) faults(f *ast.File, info *types.Info) []string {
	var out []string
	say := func(at token.Pos, what string) { out = append(out, c.fset.Position(at).String()+": "+what) }
	rounded := map[ast.Expr]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "float32" || id.Name == "float64") && len(n.Args) == 1 {
				rounded[bare(n.Args[0])] = true
			}
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "math" && !allowedMath[sel.Sel.Name] {
					say(n.Pos(), "math."+sel.Sel.Name+" is not the same on every platform")
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.MUL && isFloat(info, n) && !rounded[n] {
				say(n.Pos(), "product is not rounded: write float32(a*b)")
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN && isFloat(info, n.Lhs[0]) {
				say(n.Pos(), "product is not rounded: write a = float32(a*b)")
			}
		}
		return true
	})
	return out
}

var allowedMath = map[string]bool{
	"Sqrt": true, "Float32bits": true, "Float32frombits": true, "Float64bits": true, "Float64frombits": true,
	"Inf": true, "IsNaN": true, "IsInf": true, "Abs": true, "NaN": true,
}

func bare(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// isFloat reports whether e is, or may be, a float that is computed at run time.
func isFloat(info *types.Info, e ast.Expr) bool {
	tv, ok := info.Types[e]
	if !ok || tv.Type == nil {
		return true
	}
	if tv.Value != nil {
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsInteger == 0
}

// load parses and types the non-test files of a folder.
func (c *checker) load(t *testing.T, dir string) ([]*ast.File, *types.Info) {
	var files []*ast.File
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !isSource(e) {
			continue
		}
		f, err := parser.ParseFile(c.fset, filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files, c.types(dir, files)
}

func isSource(e fs.DirEntry) bool {
	return !e.IsDir() && strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
}

func (c *checker) types(name string, files []*ast.File) *types.Info {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	// What cannot be resolved stays untyped, and counts as a float.
	conf := types.Config{Importer: c, Error: func(error) {}}
	_, _ = conf.Check(name, c.fset, files, info)
	return info
}

// Import resolves this module's game packages from their source, and gives an
// empty package for all others.
func (c *checker) Import(path string) (*types.Package, error) {
	if p := c.done[path]; p != nil {
		return p, nil
	}
	name := path[strings.LastIndex(path, "/")+1:]
	const game = "github.com/sightline-engine/sightline/game/"
	if !strings.HasPrefix(path, game) {
		p := types.NewPackage(path, name)
		p.MarkComplete()
		c.done[path] = p
		return p, nil
	}
	dir := filepath.Join("..", filepath.FromSlash(strings.TrimPrefix(path, game)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		if isSource(e) {
			f, err := parser.ParseFile(c.fset, filepath.Join(dir, e.Name()), nil, 0)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: c, Error: func(error) {}}
	p, _ := conf.Check(path, c.fset, files, nil)
	c.done[path] = p
	return p, nil
}
