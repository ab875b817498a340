package config_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
)

// newRegistry has one variable of each kind, under the names that operators use.
func newRegistry() *console.Registry {
	r := console.New()
	r.Float(console.Var{Name: "cl.fov", Default: 90, Min: 60, Max: 140, Unit: "degrees", Flags: console.Archive, Help: "Horizontal field of view."})
	r.Int(console.Var{Name: "server.tick_rate", Default: 64, Min: 20, Max: 240, Unit: "Hz", Flags: console.Latch, Help: "Steps per second."})
	r.Int(console.Var{Name: "server.max_clients", Default: 16, Min: 1, Max: 500, Help: "How many players may join."})
	r.Int(console.Var{Name: "server.port", Default: 27500, Min: 1, Max: 65535, Help: "UDP port."})
	r.List(console.Var{Name: "server.rotation", Help: "Maps in turn."})
	r.String(console.Var{Name: "server.password", Default: "", Flags: console.Secret, Help: "What a player must know."})
	r.String(console.Var{Name: "server.map", Default: "", Flags: console.ReadOnly, Help: "The map being played."})
	r.Float(console.Var{Name: "visibility.hold", Default: 50, Min: 0, Max: 1000, Unit: "ms", Help: "How long a target stays known."})
	r.Float(console.Var{Name: "visibility.band", Default: 1, Min: 0, Max: 8, Unit: "m", Help: "Width of the edge."})
	r.Float(console.Var{Name: "visibility.deaddrop.radius", Default: 32, Min: 0, Max: 1e20, Help: "Range without sight."})
	r.Enum(console.Var{Name: "visibility.untested", Default: "send", Values: []string{"send", "withhold"}, Help: "What happens to a pair never tested."})
	r.Bool(console.Var{Name: "r.wireframe", Default: false, Flags: console.Cheat, Help: "Draws edges."})
	return r
}

func value(t *testing.T, r *console.Registry, name string) string {
	t.Helper()
	in, ok := r.Lookup(name)
	if !ok {
		t.Fatalf("no %s", name)
	}
	return in.Value
}

// Reports O-25, O-27 and O-28: every mistake names file, line, full key, and what
// would be right; nothing is applied.
func TestMistakesNameFileLineKeyAndRemedy(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"misspelt", "[server]\nmax_cleints = 8", "server.toml:2: server.max_cleints: unknown key; did you mean server.max_clients?"},
		{"misspelt table", "[sever]\nmax_clients = 8", "server.toml:2: sever.max_clients: unknown key; it belongs in [server]"},
		{"empty misspelt table", "\n[sever]\n", "server.toml:2: sever: unknown key; did you mean server?"},
		{"wrong table", "[visibility]\nhold = 20\ntick_rate = 128", "server.toml:3: visibility.tick_rate: unknown key; it belongs in [server]"},
		{"no table", "tick_rate = 128", "server.toml:1: tick_rate: unknown key; it belongs in [server]"},
		{"nothing near", "[server]\nqqqqqqq = 1", "server.toml:2: server.qqqqqqq: unknown key"},
		{"table as text", "server = \"x\"", "server.toml:1: server: found the text \"x\"; it is a table of settings: write [server] and below it keys such as map"},
		{"setting as table", "[server.port]\nx = 1", "server.toml:1: server.port: is a setting, not a table; write server.port = …, allowed: 1 to 65535"},
		{"text for list", "[server]\nrotation = \"dm1\"", "server.toml:2: server.rotation: found the text \"dm1\"; it needs a list of texts; allowed: at most 1024 texts, such as [\"a\", \"b\"]"},
		{"numbers in list", "server.rotation = [1]", "server.toml:1: server.rotation: found a list; it needs a list of texts only"},
		{"decimal for whole", "[server]\ntick_rate = 60.5", "server.toml:2: server.tick_rate: found 60.5; it needs a whole number; allowed: 20 to 240 Hz"},
		{"zero rate", "server.tick_rate = 0", "server.toml:1: server.tick_rate: 0 is out of range; allowed: 20 to 240 Hz"},
		{"negative rate", "server.tick_rate = -1", "server.toml:1: server.tick_rate: -1 is out of range; allowed: 20 to 240 Hz"},
		{"giant rate", "server.tick_rate = 1000000000", "server.toml:1: server.tick_rate: 1000000000 is out of range; allowed: 20 to 240 Hz"},
		{"giant clients", "server.max_clients = 100000", "server.toml:1: server.max_clients: 100000 is out of range; allowed: 1 to 500"},
		{"port", "server.port = 70000", "server.toml:1: server.port: 70000 is out of range; allowed: 1 to 65535"},
		{"nan", "[visibility]\n\nband = nan", "server.toml:3: visibility.band: nan is not a finite number; allowed: 0 to 8 m"},
		{"inf", "visibility.band = inf", "server.toml:1: visibility.band: inf is not a finite number; allowed: 0 to 8 m"},
		{"quoted number", "visibility.hold = \"200\"", "server.toml:1: visibility.hold: found the text \"200\"; it needs a number, without quotes; allowed: 0 to 1000 ms"},
		{"bad choice", "visibility.untested = \"maybe\"", "server.toml:1: visibility.untested: \"maybe\" is not one of the choices; allowed: send, withhold"},
		{"bool in quotes", "r.wireframe = \"true\"", "server.toml:1: r.wireframe: found the text \"true\"; it needs true or false, without quotes"},
		{"date", "server.port = 2020-01-01", "server.toml:1: server.port: found a date or time; it needs a whole number"},
		{"read-only", "server.map = \"x\"", "server.toml:1: server.map: is read-only"},
		{"secret not shown", "server.password = 1234567", "server.toml:1: server.password: found a whole number; it needs a text in quotes"},
		{"inline", "server = { port = 1,\n prot = 2 }", "server.toml:2: server.prot: unknown key; did you mean server.port?"},
		{"duplicate", "[server]\nport = 1\nport = 2", "server.toml:3: "},
		{"all at once", "a = 1\nserver.port = 0\n[visibility]\nband = nan\nhodl = 1", "did you mean visibility.hold?"},
	} {
		reg := newRegistry()
		before := reg.Version()
		// A good value in the same file must not be taken either.
		err := config.LoadVars(reg, "server.toml", []byte(row.text+"\n[cl]\nfov = 100\n"), console.LayerHost)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s:\n got %v\nwant %s", row.name, err, row.want)
		}
		if reg.Version() != before {
			t.Errorf("%s: something was applied", row.name)
		}
	}
}

func TestAllMistakesAreReportedInOrder(t *testing.T) {
	err := config.LoadVars(newRegistry(), "f", []byte("z = 1\nserver.port = 0\n[visibility]\nband = nan\nhodl = 1"), console.LayerHost)
	var ps config.Problems
	if !errors.As(err, &ps) || len(ps) != 4 {
		t.Fatalf("%v", err)
	}
	for i, line := range []int{1, 2, 4, 5} {
		if ps[i].Line != line {
			t.Errorf("mistake %d at line %d, want %d", i, ps[i].Line, line)
		}
	}
	if !errors.Is(err, console.ErrRange) {
		t.Error("the reason is lost")
	}
	many := ""
	for i := range 100 {
		many += fmt.Sprintf("k%d = 1\n", i)
	}
	if err := config.LoadVars(newRegistry(), "f", []byte(many), console.LayerHost); !strings.Contains(err.Error(), "and 80 more mistakes") {
		t.Error(err)
	}
}

func TestGoodFilesAreTaken(t *testing.T) {
	reg := newRegistry()
	text := "\ufeff# comment\r\ncl.fov = 90\r\n[server]\r\nmax_clients = 8 # eight\r\nrotation = [\r\n \"dm1\",\r\n \"dm 2\",\r\n]\r\npassword = \"a;\\\"b\"\r\n[visibility]\r\nhold = 20\r\n[visibility.deaddrop]\r\nradius = 1.5e3\r\n"
	if err := config.LoadVars(reg, "server.toml", []byte(text), console.LayerHost); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cl.fov": "90", "server.max_clients": "8", "server.rotation": "dm1 dm 2", "visibility.hold": "20", "visibility.deaddrop.radius": "1500",
	} {
		if got := value(t, reg, name); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
	// The next version of the file replaces the layer; an empty one means defaults.
	if err := config.LoadVars(reg, "server.toml", nil, console.LayerHost); err != nil || value(t, reg, "server.max_clients") != "16" {
		t.Fatal("an empty file is not defaults", err)
	}
}

// Report O-37: what a rotation says is taken as it is; emptiness is not a mistake.
func TestRotationIsAListOfTexts(t *testing.T) {
	reg := newRegistry()
	for text, want := range map[string]string{`server.rotation = ["nope1", "nope2"]`: "nope1 nope2", `server.rotation = []`: ""} {
		if err := config.LoadVars(reg, "f", []byte(text), console.LayerHost); err != nil || value(t, reg, "server.rotation") != want {
			t.Errorf("%s: %q, %v", text, value(t, reg, "server.rotation"), err)
		}
	}
}

func utf16Bytes(s string, bom bool) []byte {
	var b []byte
	if bom {
		b = []byte{0xff, 0xfe}
	}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// malformed are the inputs of report O-26 and more of their kind.
func malformed() map[string]string {
	return map[string]string{
		"byte 0xDA at the end": "[server]\nport = 1\n\xda",
		"dotted inline":        "J={D.J=2,D=2,D.K=2",
		"dotted inline closed": "J={D.J=2,D=2,D.K=2}",
		"UTF-16":               string(utf16Bytes("port = 1", true)),
		"UTF-16 without mark":  string(utf16Bytes("port = 1", false)),
		"NUL":                  "[server]\nport = 1\x00",
		"duplicate key":        "a = 1\na = 2",
		"duplicate table":      "[a]\n[a]",
		"10 MB of brackets":    strings.Repeat("[", 10<<20),
		"1 MB of brackets":     strings.Repeat("[", 1<<20),
		"deep list":            "a = " + strings.Repeat("[", 1<<19),
		"deep tables":          "a = " + strings.Repeat("{a=", 1<<18),
		"long dotted key":      "a" + strings.Repeat(".a", 1<<18) + " = 1",
		"long dotted table":    "[a" + strings.Repeat(".a", 1<<18) + "]",
		"long key":             strings.Repeat("a", 1<<19) + " = 1",
		"many keys":            manyKeys(),
		"open string":          "a = \"\nb = 1",
		"open long string":     "a = \"\"\"\nb = 1",
		"no value":             "a =",
		"lone bracket":         "]",
		"lone carriage return": "a = 1\rb = 2",
		"huge number":          "a = 99999999999999999999",
		"a picture":            "\x89PNG\r\n\x1a\n\x00",
	}
}

func manyKeys() string {
	var b strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	return b.String()
}

func TestMalformedFilesAreRefusedByASentence(t *testing.T) {
	for name, text := range malformed() {
		reg := newRegistry()
		err := config.LoadVars(reg, "server.toml", []byte(text), console.LayerHost)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		msg := err.Error()
		if !strings.HasPrefix(msg, "server.toml") || strings.Contains(msg, "goroutine") || strings.Contains(msg, "runtime error") || len(msg) > 500 || strings.ContainsAny(msg, "\n\x00") {
			t.Errorf("%s: %q", name, msg)
		}
		var p *config.Problem
		if !errors.As(err, &p) || p.Line == 0 && len(text) <= config.MaxSize {
			t.Errorf("%s: no line in %q", name, msg)
		}
	}
	if err := config.LoadVars(newRegistry(), "f", utf16Bytes("a = 1", true), console.LayerHost); !strings.Contains(err.Error(), "save it as UTF-8") {
		t.Error(err)
	}
}

func TestExplainShowsWhichLayerWon(t *testing.T) {
	reg := newRegistry()
	config.Register(reg)
	for _, err := range []error{
		config.LoadVars(reg, "engine.toml", []byte("\nserver.port = 2"), console.LayerEngine),
		config.LoadVars(reg, "server.toml", []byte("[server]\nport = 3"), console.LayerHost),
		config.LoadEnv(reg, []string{"SIGHTLINE_SERVER_PORT=4", "HOME=/x", "SIGHTLINE_PLUGIN_COOKIE=1"}, "SIGHTLINE_PLUGIN_*"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := config.ApplyPlus(reg, []config.Plus{{Name: "set", Args: []string{"server_port", "5"}}}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	reg.Exec("server.port 6; config explain server.port", &out)
	want := `server.port = 6
  → runtime      6
    flag         5  (+set)
    environment  4  (SIGHTLINE_SERVER_PORT)
    host file    3  (server.toml:2)
    engine file  2  (engine.toml:2)
    built-in     27500
`
	if out.String() != want {
		t.Fatalf("got\n%s", out.String())
	}
	out.Reset()
	if err := reg.Exec("config explain server.prot", &out); err == nil || !strings.Contains(out.String(), "did you mean server.port?") {
		t.Error(out.String())
	}
	out.Reset()
	reg.Exec("config changed", &out)
	if !strings.Contains(out.String(), "server.port") || strings.Contains(out.String(), "cl.fov") {
		t.Error(out.String())
	}
}

func TestEnvironmentIsCheckedLikeAFile(t *testing.T) {
	reg := newRegistry()
	err := config.LoadEnv(reg, []string{"SIGHTLINE_CL_FOV=100", "SIGHTLINE_SERVER_PROT=1", "SIGHTLINE_SERVER_TICK_RATE=0"})
	if err == nil || !strings.Contains(err.Error(), "did you mean SIGHTLINE_SERVER_PORT?") ||
		!strings.Contains(err.Error(), "SIGHTLINE_SERVER_TICK_RATE: server.tick_rate: 0 is out of range") {
		t.Fatal(err)
	}
	if value(t, reg, "cl.fov") != "90" {
		t.Fatal("half an environment was applied")
	}
}

func TestPlusArgs(t *testing.T) {
	rest, plus := config.ParsePlusArgs([]string{"-v", "--port", "1", "+set", "x", "-1", "+map", "y", "+set", "z", "+5", "+vstr"})
	if !slices.Equal(rest, []string{"-v", "--port", "1"}) || fmt.Sprint(plus) != "[{set [x -1]} {map [y]} {set [z +5]} {vstr []}]" {
		t.Fatal(rest, plus)
	}
	if rest, plus := config.ParsePlusArgs(nil); len(rest)+len(plus) != 0 {
		t.Fatal(rest, plus)
	}
	reg := newRegistry()
	lines, err := config.ApplyPlus(reg, []config.Plus{
		{Name: "set", Args: []string{"server.rotation", "a b", "c"}}, {Name: "map", Args: []string{"x;y"}}, {Name: "set", Args: []string{"visibility.band", "0.5"}},
	})
	if err != nil || !slices.Equal(lines, []string{`map "x;y"`}) || value(t, reg, "visibility.band") != "0.5" || value(t, reg, "server.rotation") != "a b c" {
		t.Fatal(lines, err)
	}
	for _, args := range [][]string{{"cl.fov"}, {"cl.fov", "999"}, {"nope", "1"}} {
		if _, err := config.ApplyPlus(reg, []config.Plus{{Name: "set", Args: args}}); err == nil {
			t.Errorf("+set %v was taken", args)
		}
	}
}

func TestTemplateMeansDefaultsAlsoWhenUncommented(t *testing.T) {
	reg := newRegistry()
	text := config.Template(reg)
	var open []string
	for _, l := range strings.Split(text, "\n") {
		if k, ok := strings.CutPrefix(l, "# "); ok && !strings.HasSuffix(l, ".") {
			l = k
		}
		open = append(open, l)
	}
	for _, text := range []string{text, strings.Join(open, "\n")} {
		if err := config.LoadVars(reg, "template.toml", []byte(text), console.LayerHost); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for _, in := range reg.Vars("") {
			if in.Changed {
				t.Errorf("%s changed to %s", in.Name, in.Value)
			}
		}
	}
	if n := strings.Count(strings.Join(open, "\n"), "port = 27500"); n != 1 {
		t.Fatal(text)
	}
}

func TestReferenceNamesEverything(t *testing.T) {
	reg := newRegistry()
	ref := config.Reference(reg)
	for _, in := range reg.Vars("") {
		if !strings.Contains(ref, "`"+in.Name+"`") || !strings.Contains(ref, in.Help) {
			t.Errorf("%s is missing", in.Name)
		}
	}
	for _, c := range reg.Commands() {
		if !strings.Contains(ref, "`"+c.Name) {
			t.Errorf("%s is missing", c.Name)
		}
	}
	if strings.Count(ref, "## server") != 1 {
		t.Error(ref)
	}
}

func ExampleLoadVars() {
	reg := console.New()
	port := reg.Int(console.Var{Name: "server.port", Default: 27500, Min: 1, Max: 65535, Help: "UDP port."})
	err := config.LoadVars(reg, "server.toml", []byte("[server]\nprot = 1\n"), console.LayerHost)
	fmt.Println(err)
	err = config.LoadVars(reg, "server.toml", []byte("[server]\nport = 1234\n"), console.LayerHost)
	fmt.Println(port.Get(), err)
	// Output:
	// server.toml:2: server.prot: unknown key; did you mean server.port?
	// 1234 <nil>
}
