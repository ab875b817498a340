package sdk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every part of the two kits is handed on: every type, and every function.
func TestEveryPartIsHandedOn(t *testing.T) {
	var own strings.Builder
	for _, file := range []string{"parts.go", "parts_more.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		own.Write(text)
	}
	n := 0
	for kit, as := range map[string]string{"vis": "viskit", "rules": "kit"} {
		files, err := filepath.Glob("../../game/" + kit + "/kit/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range exported(f) {
				n++
				rest := own.String()
				for found := false; !found; {
					i := strings.Index(rest, " "+as+"."+name)
					if i < 0 {
						t.Errorf("%s of %s is not handed on: put it into parts.go or parts_more.go", name, file)
						break
					}
					rest = rest[i+len(as)+len(name)+2:]
					found = !(rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= 'A' && rest[0] <= 'Z')
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d parts were found", n)
	}
}

// exported are the types and functions of a file.
func exported(f *ast.File) (out []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				out = append(out, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					out = append(out, s.Name.Name)
				}
			}
		}
	}
	return out
}
