package console_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/console"
)

// host is a registry with one variable of each kind and flag.
type host struct {
	*console.Registry
	fov      *console.Float
	tick     *console.Int
	show     *console.Bool
	wire     *console.Bool
	name     *console.String
	mode     *console.Enum
	rotation *console.List
	gravity  *console.Float
	mapName  *console.String
	password *console.String
	hold     *console.Float
}

func newHost() *host {
	r := console.New()
	return &host{
		Registry: r,
		fov:      r.Float(console.Var{Name: "cl.fov", Default: 90, Min: 60, Max: 140, Unit: "degrees", Flags: console.Archive, Help: "Horizontal field of view."}),
		tick:     r.Int(console.Var{Name: "sv.tick_rate", Default: 64, Min: 20, Max: 240, Unit: "Hz", Flags: console.Latch, Help: "Simulation steps per second."}),
		show:     r.Bool(console.Var{Name: "cl.show_fps", Default: false, Aliases: []string{"cl_showfps"}, Flags: console.Archive, Help: "Shows frames per second."}),
		wire:     r.Bool(console.Var{Name: "r.wireframe", Default: false, Flags: console.Cheat, Help: "Draws edges only."}),
		name:     r.String(console.Var{Name: "cl.name", Default: "player", MaxLen: 24, Flags: console.Archive, Help: "Your name."}),
		mode:     r.Enum(console.Var{Name: "net.graph", Default: "off", Values: []string{"off", "short", "full"}, Help: "How much of the connection is drawn."}),
		rotation: r.List(console.Var{Name: "sv.rotation", Flags: console.Archive, Help: "Maps in turn."}),
		gravity:  r.Float(console.Var{Name: "sv.gravity", Default: 25, Min: 0, Max: 100, Unit: "m/s²", Flags: console.Replicated, Help: "Pull of the ground."}),
		mapName:  r.String(console.Var{Name: "sv.map", Default: "", Flags: console.ReadOnly, Help: "The map being played."}),
		password: r.String(console.Var{Name: "sv.password", Default: "", Flags: console.Secret | console.Archive, Help: "What a player must know to join."}),
		hold:     r.Float(console.Var{Name: "vis.hold_ms", Default: 50, Min: 0, Max: 1000, Unit: "ms", Help: "How long a target stays known."}),
	}
}

func (h *host) exec(line string) (string, error) {
	var b bytes.Buffer
	err := h.Exec(line, &b)
	return b.String(), err
}

func TestTypedHandlesFollowTheConsole(t *testing.T) {
	h := newHost()
	for _, line := range []string{
		"cl.fov 100.5", "set sv_tick_rate 128", "CL_SHOWFPS on", `cl_name "a b;c"`, "net.graph FULL",
		`sv.rotation dm1 "dm 2"`, "vis_hold_ms 200",
	} {
		if out, err := h.exec(line); err != nil || out != "" {
			t.Errorf("%s: %q, %v", line, out, err)
		}
	}
	if h.fov.Get() != 100.5 || h.tick.Get() != 128 || !h.show.Get() || h.name.Get() != "a b;c" ||
		h.mode.Get() != "full" || h.mode.Index() != 2 || !slices.Equal(h.rotation.Get(), []string{"dm1", "dm 2"}) ||
		h.hold.Duration() != 200*time.Millisecond {
		t.Fatal("a handle did not follow")
	}
}

// Report O-27: whole numbers are decimals too; nonsense is refused by key, value
// and allowed range, and changes nothing.
func TestNonsenseIsRefusedWithKeyValueAndRange(t *testing.T) {
	for _, row := range []struct {
		line string
		want error
		says []string
	}{
		{"sv.tick_rate 60.5", console.ErrType, []string{"sv.tick_rate", "60.5", "20 to 240 Hz"}},
		{"sv.tick_rate 0", console.ErrRange, []string{"sv.tick_rate", "0 is out of range", "20 to 240 Hz"}},
		{"sv.tick_rate -1", console.ErrRange, []string{"-1"}},
		{"sv.tick_rate 1000000000", console.ErrRange, []string{"1000000000"}},
		{"sv.tick_rate 99999999999999999999", console.ErrType, []string{"99999999999999999999"}},
		{"vis.hold_ms nan", console.ErrRange, []string{"vis.hold_ms", "nan", "0 to 1000 ms"}},
		{"vis.hold_ms -inf", console.ErrRange, []string{"inf"}},
		{"vis.hold_ms soon", console.ErrType, []string{`"soon"`, "0 to 1000 ms"}},
		{"cl.show_fps maybe", console.ErrType, []string{"true or false"}},
		{"net.graph huge", console.ErrRange, []string{"off, short, full"}},
		{"cl.name " + strings.Repeat("x", 25), console.ErrRange, []string{"24 bytes"}},
		{"cl.name \"a\x00b\"", console.ErrRange, []string{"control character"}},
		{"cl.name \"\xda\"", console.ErrRange, []string{"UTF-8"}},
		{"r.wireframe 1", console.ErrCheat, []string{"r.wireframe", "cheat"}},
		{"sv.map x", console.ErrReadOnly, []string{"sv.map", "read-only"}},
		{"sv.tick_rat 64", console.ErrUnknown, []string{"did you mean sv.tick_rate?"}},
		{"cl_fvo 64", console.ErrUnknown, []string{"did you mean cl.fov?"}},
		{"fov 64", console.ErrUnknown, []string{"did you mean cl.fov?"}},
		{"cvarlits", console.ErrUnknown, []string{"did you mean cvarlist?"}},
	} {
		h := newHost()
		v := h.Version()
		out, err := h.exec(row.line)
		if !errors.Is(err, row.want) {
			t.Errorf("%q: error %v, want %v", row.line, err, row.want)
		}
		for _, s := range row.says {
			if !strings.Contains(out, s) {
				t.Errorf("%q: %q does not say %q", row.line, out, s)
			}
		}
		if h.Version() != v {
			t.Errorf("%q changed something", row.line)
		}
	}
	h := newHost()
	if err := h.fov.Set(math.Inf(1)); !errors.Is(err, console.ErrRange) {
		t.Errorf("code may set infinity: %v", err)
	}
}

func TestCheatsReturnToDefaults(t *testing.T) {
	h := newHost()
	if _, err := h.Set("r.wireframe", true, console.Source{Layer: console.LayerHost, Where: "host.toml:1"}); err != nil {
		t.Fatal(err)
	}
	if h.wire.Get() {
		t.Fatal("a file turned a cheat on")
	}
	h.AllowCheats(true)
	if !h.wire.Get() {
		t.Fatal("the file's wish is not in force with cheats allowed")
	}
	h.exec("r.wireframe 0; r.wireframe 1")
	h.AllowCheats(false)
	if h.wire.Get() {
		t.Fatal("cheat stayed on")
	}
}

func TestLatchedChangesWaitForTheNextMap(t *testing.T) {
	h := newHost()
	h.HoldLatched(true)
	out, err := h.exec("sv.tick_rate 128")
	if err != nil || !strings.Contains(out, "128 takes effect at the next map; now 64") {
		t.Fatalf("%q, %v", out, err)
	}
	if h.tick.Get() != 64 {
		t.Fatal("changed at once")
	}
	if in, _ := h.Lookup("sv.tick_rate"); in.Waiting != "128" || in.Value != "64" {
		t.Fatalf("%+v", in)
	}
	if got := h.ApplyLatched(); !slices.Equal(got, []string{"sv.tick_rate"}) || h.tick.Get() != 128 {
		t.Fatalf("applied %v, now %d", got, h.tick.Get())
	}
}

func TestRestartChangesWaitForTheNextStart(t *testing.T) {
	r := console.New()
	port := r.Int(console.Var{Name: "sv.port", Default: 1, Min: 0, Max: 9, Flags: console.Restart, Help: "Port."})
	var out strings.Builder
	r.Exec("sv.port 2", &out)
	if port.Get() != 2 || out.String() != "" {
		t.Fatalf("before the start: %d, %q", port.Get(), out.String())
	}
	r.HoldLatched(true)
	for _, line := range []string{"sv.port 3", "reset sv.port", "sv.port 3", "sv.port"} {
		out.Reset()
		if r.Exec(line, &out); !strings.Contains(out.String(), "when the program is started with it") {
			t.Errorf("%s: %q", line, out.String())
		}
	}
	if got := r.ApplyLatched(); len(got) != 0 || port.Get() != 2 {
		t.Errorf("%v, %d", got, port.Get())
	}
	r.HoldLatched(false)
	if port.Get() != 3 {
		t.Error(port.Get())
	}
}

func TestServerValuesStandWhileConnected(t *testing.T) {
	sv, cl := newHost(), newHost()
	sv.exec("sv.gravity 12.5")
	cl.exec("sv.gravity 30")
	cl.FollowServer(true)
	if _, refused := cl.Replace(console.LayerServer, sv.Replicated()); refused != nil {
		t.Fatal(refused)
	}
	if cl.gravity.Get() != 12.5 {
		t.Fatalf("gravity %v", cl.gravity.Get())
	}
	if out, err := cl.exec("sv.gravity 1"); !errors.Is(err, console.ErrServer) || !strings.Contains(out, "server") {
		t.Fatalf("%q, %v", out, err)
	}
	if _, refused := cl.Replace(console.LayerServer, []console.Setting{{Name: "cl.name", Value: console.Text("evil")}}); refused == nil {
		t.Fatal("a server set a client's own variable")
	}
	cl.FollowServer(false)
	if cl.gravity.Get() != 30 {
		t.Fatalf("own value not back: %v", cl.gravity.Get())
	}
}

func TestReplaceTakesAllOrNothing(t *testing.T) {
	h := newHost()
	set := func(s ...console.Setting) []*console.Refusal {
		_, refused := h.Replace(console.LayerHost, s)
		return refused
	}
	if r := set(console.Setting{Name: "cl.fov", Value: 100}, console.Setting{Name: "cl.name", Value: "file"}); r != nil {
		t.Fatal(r)
	}
	r := set(console.Setting{Name: "cl.name", Value: "other"}, console.Setting{Name: "cl.fov", Value: 500, Where: "f:2"}, console.Setting{Name: "nope.x", Value: 1})
	if len(r) != 2 || !strings.HasPrefix(r[0].Error(), "f:2: cl.fov") {
		t.Fatalf("refusals %v", r)
	}
	if h.name.Get() != "file" || h.fov.Get() != 100 {
		t.Fatal("half a file was applied")
	}
	if r := set(console.Setting{Name: "cl.name", Value: "file"}); r != nil || h.fov.Get() != 90 {
		t.Fatal("a key that left the file kept its value")
	}
}

func TestHighestLayerWinsAndIsRemembered(t *testing.T) {
	h := newHost()
	for l := console.LayerRuntime; l > console.LayerDefault; l-- {
		if _, err := h.Set("cl.fov", 60+int(l), console.Source{Layer: l, Where: "at " + l.String()}); err != nil {
			t.Fatal(err)
		}
	}
	in, _ := h.Lookup("cl_fov")
	if h.fov.Get() != 60+float64(console.LayerRuntime) || in.Layer != console.LayerRuntime || len(in.Layers) != int(console.LayerRuntime)+1 {
		t.Fatalf("%+v", in)
	}
	if in.Layers[3].Where != "at host file" {
		t.Fatalf("provenance %+v", in.Layers)
	}
}

func TestCallbacksRunAfterTheChangeAndMayChangeMore(t *testing.T) {
	h := newHost()
	var got []float64
	var names []string
	h.fov.OnChange(func(f float64) {
		got = append(got, f)
		h.exec("cl.show_fps 1")
	})
	h.Watch(func(n string) { names = append(names, n) })
	h.exec("cl.fov 91; cl.fov 91; cl.fov 92")
	if !slices.Equal(got, []float64{91, 92}) || !slices.Contains(names, "cl.show_fps") {
		t.Fatalf("%v %v", got, names)
	}
}

func TestToggleResetHelpAndLists(t *testing.T) {
	h := newHost()
	h.exec("toggle cl.show_fps; toggle net.graph; toggle net.graph; toggle cl.fov 90 110")
	if !h.show.Get() || h.mode.Get() != "full" || h.fov.Get() != 110 {
		t.Fatal("toggle")
	}
	h.exec("reset cl.fov; toggle net_graph")
	if h.fov.Get() != 90 || h.mode.Get() != "off" {
		t.Fatal("reset")
	}
	for line, want := range map[string]string{
		"help cl.fov":       "Horizontal field of view.",
		"help help":         "Says what",
		"cl.fov":            "cl.fov = 90 (default 90; 60 to 140 degrees) [archive]",
		"searchhelp FRAMES": "cl.show_fps",
		"cvarlist sv_":      "sv.gravity",
		"cmdlist":           "writeconfig [FILE]",
		"echo a  \"b  c\"":  "a b  c\n",
		"help nosuch":       "no setting or command",
		"set cl.fov":        "usage: set NAME VALUE",
		"toggle cl.name":    "name the values",
	} {
		if out, _ := h.exec(line); !strings.Contains(out, want) {
			t.Errorf("%s: %q does not say %q", line, out, want)
		}
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	h := newHost()
	if _, err := h.exec("sv.password hunter2"); err != nil || h.password.Get() != "hunter2" {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, line := range []string{"sv.password", "cvarlist", "help sv.password", "sv.password " + strings.Repeat("hunter2", 99)} {
		out, _ := h.exec(line)
		all.WriteString(out)
	}
	h.Write(&all)
	for _, m := range h.Complete("sv.password ") {
		all.WriteString(m.Text)
	}
	for _, s := range h.Replicated() {
		all.WriteString(s.Name)
	}
	if strings.Contains(all.String(), "hunter2") || strings.Contains(all.String(), "sv.password \"") {
		t.Fatal(all.String())
	}
	if !h.Sensitive("set sv_password x") || h.Sensitive("cl.fov 90") {
		t.Fatal("Sensitive")
	}
}

func TestCompleteShowsEachMatchWithItsHelp(t *testing.T) {
	h := newHost()
	texts := func(line string) (out []string) {
		for _, m := range h.Complete(line) {
			out = append(out, m.Text)
		}
		return out
	}
	if m := h.Complete("cl_f"); len(m) != 1 || m[0] != (console.Match{Text: "cl.fov", Help: "Horizontal field of view."}) {
		t.Fatalf("%v", m)
	}
	h.Command(console.Command{Name: "map", Usage: "NAME", Help: "Changes the map.", Max: 1,
		Run:      func(*console.Call) error { return nil },
		Complete: func(args []string) []console.Match { return []console.Match{{Text: args[0] + "x", Help: "a map"}} }})
	for line, want := range map[string][]string{
		"net.graph ":        {"off", "short", "full"},
		"set net.graph f":   {"full"},
		"echo; toggle cl.s": {"cl.show_fps"},
		"map dm":            {"dmx"},
		"help cvar":         {"cvarlist"},
		"echo ":             nil,
	} {
		if got := texts(line); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := texts(""); !slices.IsSorted(got) || len(got) < 20 {
		t.Errorf("%q", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"server.max_clients", "server.tick_rate", "vis.hold_ms", "map"}
	for word, want := range map[string]string{
		"server.max_cleints": "server.max_clients", "tick_rate": "server.tick_rate", "VIS.hold_m": "vis.hold_ms",
		"mpa": "map", "": "", "entirely_else": "", strings.Repeat("x", 500): "",
	} {
		if got := console.Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestHistory(t *testing.T) {
	h := console.History{Keep: 3}
	for _, l := range []string{"a", "b", " ", "a", "c\x00", "d", "e", strings.Repeat("x", 5000)} {
		h.Add(l)
	}
	if h.Len() != 3 || h.Back(1) != "e" || h.Back(3) != "a" || h.Back(4) != "" || h.Search(0, "a") != 3 || h.Search(3, "a") != 0 {
		t.Fatal(h.Back(1), h.Back(2), h.Back(3))
	}
	var b bytes.Buffer
	if err := h.Save(&b); err != nil {
		t.Fatal(err)
	}
	var again console.History
	if err := again.Load(&b); err != nil || again.Len() != 3 || again.Back(1) != "e" {
		t.Fatal(err, again.Len())
	}
}

func TestWrongDeclarationsPanic(t *testing.T) {
	for name, v := range map[string]console.Var{
		"no dot":      {Name: "fov", Default: 1, Help: "x"},
		"upper case":  {Name: "cl.Fov", Default: 1, Help: "x"},
		"no help":     {Name: "cl.x", Default: 1},
		"bad default": {Name: "cl.x", Default: 5, Min: 1, Max: 2, Help: "x"},
		"wrong type":  {Name: "cl.x", Default: "a", Help: "x"},
		"taken":       {Name: "cl.fov", Default: 1, Help: "x"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			newHost().Float(v)
		}()
	}
}

func TestRegistryServesManyGoroutines(t *testing.T) {
	h := newHost()
	h.fov.OnChange(func(float64) { h.Lookup("cl.fov") })
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				h.exec("toggle cl.fov 90 100; toggle cl.show_fps; alias x echo; bind k x; cvarlist; sv.tick_rate 100")
				h.HoldLatched(i%2 == 0)
				h.Complete("cl")
				_ = h.fov.Get()
				_ = h.name.Get()
				h.Frame()
			}
		}()
	}
	wg.Wait()
}

func TestGetDoesNotAllocate(t *testing.T) {
	h := newHost()
	if n := testing.AllocsPerRun(100, func() { _, _, _, _ = h.fov.Get(), h.name.Get(), h.mode.Get(), h.rotation.Get() }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func ExampleRegistry() {
	reg := console.New()
	fov := reg.Float(console.Var{Name: "cl.fov", Default: 90, Min: 60, Max: 140, Unit: "degrees", Help: "Horizontal field of view."})
	_ = reg.Exec("cl_fov 105; cl.fov 900; cl.fvo 90", os.Stdout)
	fmt.Println(fov.Get())
	// Output:
	// cl.fov: 900 is out of range; allowed: 60 to 140 degrees
	// no setting or command is named cl.fvo; did you mean cl.fov?
	// 105
}
