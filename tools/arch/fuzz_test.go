package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// decoders names, by folder, what reads bytes or text that somebody else wrote, and
// the fuzz target that gives it anything. A function that looks like a decoder and is
// not here fails the test below.
var decoders = []struct {
	dir, funcs string // functions, as Name or Type.Name
	target     string // folder (own one if empty) and name
}{
	{"net/bits", "Reader.Raw Reader.Blob Reader.String", "FuzzReader"},
	{"net/rangecode", "Decoder.Get Decoder.Raw", "FuzzDecoder"},
	{"net/wire", "ParseFromServer ParseFromClient", "FuzzMessage"},
	{"net/wire", "GetClient", "FuzzClient"},
	{"net/wire", "ParseTables", "FuzzTables"},
	{"net/wire", "Clean CleanName", "FuzzClean"},
	{"net/snapshot", "Decoder.Decode", "FuzzDecode"},
	{"net/snapshot", "Decoder.Decode", "FuzzStream"},
	{"net/netchan", "Channel.Open", "FuzzOpen"},
	{"net/netchan", "Channel.ReliableIn", "FuzzStream"},
	{"net/handshake", "Server.Handle", "FuzzServer"},
	{"net/handshake", "Client.Handle", "FuzzClient"},
	{"net/handshake", "OpenToken", "FuzzToken"},
	{"net/handshake", "ParseKey ParseTokenKey ParseTokenText ParseTicket ReadPins", "FuzzText"},
	{"engine/server", "Server.packet Server.message", "FuzzPacket"},
	{"engine/server", "ParseBans", "FuzzBans"},
	{"engine/client", "Client.receive Client.message Client.snapshot", "engine/scenario FuzzFromServer"},
	{"engine/demo", "Open OpenFile", "FuzzReader"},
	{"engine/ledger", "Open OpenFile", "FuzzReader"},
	{"engine/ledger", "Reader.Next code.record", "FuzzRecords"},
	{"engine/scenario", "ReadFile", "FuzzSceneFile"},
	{"engine/config", "Parse ReadFile DecodeStrict LoadVars Doc.Decode Doc.DecodeTable", "FuzzParse"},
	{"engine/config", "LoadEnv ParsePlusArgs", "FuzzSources"},
	{"engine/console", "Registry.Exec Registry.Complete", "FuzzExec"},
	{"engine/console", "History.Load", "FuzzHistory"},
	{"engine/asset", "Clean", "FuzzClean"},
	{"engine/asset", "ParseMapRef MapName", "FuzzMapRef"},
	{"engine/asset", "OpenArchive Archive.Open Archive.ReadFile", "FuzzArchive"},
	{"engine/asset", "DecodeImage", "FuzzDecodeImage"},
	{"engine/asset/tga", "Decode ReadHeader", "FuzzDecode"},
	{"game/level/bsp", "Parse", "FuzzParse"},
	{"game/level/mapfile", "Parse", "FuzzParse"},
	{"game/level/boxes", "Parse Read", "FuzzParse"},
	{"game/level/gen", "Parse", "FuzzParse"},
	{"game/level/shader", "Set.Parse Load", "FuzzParse"},
	{"game/sim", "Sim.Apply", "FuzzApply"},
	{"game/rules/bomb", "Rules.restore", "FuzzRestore"},
	{"game/rules/duel", "Rules.restore", "FuzzRestore"},
	{"game/rules/teams", "Rules.restore", "FuzzRestore"},
	{"plugins/internal/codec", "ReadHeader DecodeState DecodeTick DecodeOps DecodeInput DecodeAnswer", "FuzzDecode"},
	{"plugins/internal/mailbox", "Reader.Take", "FuzzTake"},
	{"plugins/host", "parseLine", "FuzzOutput"},
	{"plugins/host", "NewRecordReader RecordReader.Next", "FuzzRecord"},
	{"plugins/host", "NewRulesRecordReader RulesRecordReader.Next", "FuzzRulesRecord"},
	{"tools/sightline", "parseVector parseMask parseQuery parseClock", "FuzzWords"},
}

// notDecoders look like decoders and read nothing that is foreign, or only by way of
// one of the above.
var notDecoders = []string{
	"engine/asset Dir.Open", "engine/asset Dir.ReadFile", "engine/asset OpenDir", // a folder: names go through Clean
	"engine/asset Path.Open", "engine/asset Path.ReadFile", "engine/asset Path.ReadLimited", "engine/asset Path.OpenMapName",
	"engine/asset wrapped.Open", "engine/asset wrapped.ReadFile",
	"engine/console Root.Open", "engine/console OpenRoot", "engine/console noFiles.Open",
	"engine/desktop Overlay.Open", "engine/desktop parseWeapon",
	"engine/scenario stream.Read",
	"plugins/host ReadLock", // engine/config decodes it
	"examples/internal/host Levels.Open", "examples/internal/host Levels.OpenNamed", "examples/internal/host LoadKey", "examples/internal/host LoadTokenKey", "examples/internal/host LoadTicket",
	"examples/internal/host ParseFlags", "examples/internal/host Settings.Load",
	"plugins/host ReadLock", // by engine/config
}

var decoderName = regexp.MustCompile(`^(Parse|Decode|Unmarshal|Load|Import|Restore|Open|Read)([A-Z].*)?$`)

// TestEveryDecoderIsFuzzed wants a fuzz target with a committed corpus for every
// decoder, and every function that looks like one to be on one of the lists.
func TestEveryDecoderIsFuzzed(t *testing.T) {
	root := "../.."
	listed := map[string]bool{}
	for _, s := range notDecoders {
		listed[s] = true
	}
	for _, d := range decoders {
		dir, name := d.dir, d.target
		if at, n, ok := strings.Cut(d.target, " "); ok {
			dir, name = at, n
		}
		if !declares(t, filepath.Join(root, dir), "_test.go", name) {
			t.Errorf("%s has no %s, for %s", dir, name, d.funcs)
		}
		corpus, _ := filepath.Glob(filepath.Join(root, dir, "testdata", "fuzz", name, "*"))
		if len(corpus) == 0 {
			t.Errorf("%s: %s has no corpus in testdata/fuzz", dir, name)
		}
		for _, f := range strings.Fields(d.funcs) {
			listed[d.dir+" "+f] = true
			if !declares(t, filepath.Join(root, d.dir), ".go", f) {
				t.Errorf("%s has no %s", d.dir, f)
			}
		}
	}
	for _, top := range []string{"engine", "examples", "game", "net", "plugins"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".pb.go") {
				return err
			}
			rel, _ := filepath.Rel(root, filepath.Dir(path))
			for _, f := range functions(t, path) {
				key := filepath.ToSlash(rel) + " " + f.name
				if decoderName.MatchString(f.name[strings.LastIndexByte(f.name, '.')+1:]) && f.foreign && !listed[key] {
					t.Errorf("%s: is it a decoder? List it, and its fuzz target, in tools/arch/fuzz_test.go", key)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

type function struct {
	name    string // Name or Type.Name
	foreign bool   // takes bytes, text or a reader
}

// functions lists what a file declares.
func functions(t *testing.T, path string) (list []function) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := function{name: fn.Name.Name}
		if fn.Recv != nil {
			typ := fn.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			if id, ok := typ.(*ast.Ident); ok {
				f.name = id.Name + "." + f.name
			}
		}
		for _, p := range fn.Type.Params.List {
			switch typ := p.Type.(type) {
			case *ast.ArrayType:
				id, ok := typ.Elt.(*ast.Ident)
				f.foreign = f.foreign || ok && (id.Name == "byte" || id.Name == "string")
			case *ast.Ident:
				f.foreign = f.foreign || typ.Name == "string"
			case *ast.SelectorExpr:
				f.foreign = f.foreign || slices.Contains([]string{"Reader", "ReaderAt", "FS"}, typ.Sel.Name)
			}
		}
		list = append(list, f)
	}
	return list
}

// declares reports whether a file of dir with that ending declares a function.
func declares(t *testing.T, dir, ending, name string) bool {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ending) && strings.HasSuffix(f.Name(), "_test.go") == (ending == "_test.go") {
			for _, fn := range functions(t, filepath.Join(dir, f.Name())) {
				if fn.name == name {
					return true
				}
			}
		}
	}
	return false
}
