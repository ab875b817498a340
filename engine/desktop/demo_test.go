package desktop_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/render/window/input"
)

// taped is a recorded match of five bots, who are told what the default policy
// permits, and what its own server said of it.
type taped struct {
	file []byte
	m    *match
}

func tapeMatch(t testing.TB, level string) *taped {
	t.Helper()
	if d := tapes[level]; d != nil {
		return d
	}
	const seconds = 10
	var out bytes.Buffer
	var rec *demo.Recorder
	var m *match
	m = newMatchWith(t, level, 5, server.Hooks{
		Scores: func(rows []state.Score) {
			if rec != nil {
				rec.Roster(rows)
			}
		},
		View: func(v *vis.View) {
			if rec != nil {
				rec.View(v)
			}
		},
		Frame: func(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
			if rec != nil {
				rec.Frame(in, f, ans)
			}
		},
	}, deaddrop.Spec())
	for m.tick < 64*3 {
		m.clock()
	}
	l, _ := m.load("", [32]byte{})
	set := tables.Arena()
	rec, err := demo.NewRecorder(&out, demo.Header{
		Level: level, LevelHash: l.Level.Hash, TablesHash: set.Hash(), TickRate: 64, Server: "test",
	}, demo.Options{Queue: 1 << 14})
	if err != nil {
		t.Fatal(err)
	}
	rec.Roster(m.srv.Scores())
	for m.tick < int64(64*(3+seconds)) {
		m.clock()
	}
	if _, err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	tapes[level] = &taped{out.Bytes(), m}
	return tapes[level]
}

// tapes are the matches that were recorded for earlier tests; no test runs beside
// another.
var tapes = map[string]*taped{}

func (d *taped) reader(t testing.TB) *demo.Reader {
	t.Helper()
	r, err := demo.Open(bytes.NewReader(d.file), int64(len(d.file)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (d *taped) config() desktop.Config {
	cfg := d.m.config()
	cfg.Registry, cfg.Autoplay, cfg.Dial = console.New(), false, nil
	now := int64(1)
	cfg.Now = func() int64 { now += 16_000_000; return now }
	return cfg
}

// show is a demo without a window, and its console.
type show struct {
	*desktop.Show
	t   testing.TB
	reg *console.Registry
}

func (d *taped) show(t testing.TB) *show {
	t.Helper()
	cfg := d.config()
	s, err := desktop.NewShow(cfg, d.reader(t), "test.sldemo")
	if err != nil {
		t.Fatal(err)
	}
	return &show{s, t, cfg.Registry}
}

func (s *show) say(line string) string {
	var out strings.Builder
	s.reg.Exec(line, &out)
	return out.String()
}

// must says a line that has nothing wrong.
func (s *show) must(line string) {
	s.t.Helper()
	var out strings.Builder
	if err := s.reg.Exec(line, &out); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
}

// What is drawn of what a client knew is what it had been told of, wherever the demo
// is and from wherever one looks; everything else is at most an outline.
func TestKnewDrawsOnlyWhatWasTold(t *testing.T) {
	d := tapeMatch(t, "corner")
	s := d.show(t)
	rng := rand.New(rand.NewPCG(1, 1))
	told, kept, things := 0, 0, 0
	for i := range 120 {
		s.must(fmt.Sprintf("demo.seek %v", rng.Float64()*10))
		s.must(fmt.Sprintf("demo.knew %d", 1+rng.IntN(5)))
		if free := i%2 == 0; free != s.Free() {
			s.must("demo.follow free")
		}
		s.must([]string{"demo.withheld on", "demo.withheld off"}[i%3%2])
		f := s.Frame(0.001)
		a, _, _ := s.At()
		v := a.Viewer(s.Who())
		permitted := map[state.ID]bool{s.Who(): true}
		if v != nil {
			for _, e := range a.Known(v, nil) {
				permitted[e.ID] = true
			}
		}
		drawn := 0
		for _, o := range s.View().Others {
			if !permitted[o.ID] {
				t.Fatalf("at %v player %d knew nothing of %d", s.Seconds(), s.Who(), o.ID)
			}
			if o.Kind == state.KindPlayer && o.ID != s.Who() {
				drawn++
			} else {
				things++
			}
		}
		alive := 0
		for k := range a.Entities {
			e := &a.Entities[k]
			if e.Kind == state.KindPlayer && e.Pose&state.PoseDead == 0 && e.Teleports != 0 && e.ID != s.Who() {
				alive++
				if permitted[e.ID] {
					told++
				} else {
					kept++
				}
			}
		}
		if n, k := s.Counts(); n+k != alive || n != drawn {
			t.Fatalf("at %v told of %d, withheld %d of %d, drawn %d", s.Seconds(), n, k, alive, drawn)
		}
		for _, h := range s.Hidden() {
			if permitted[h.ID] || i%3%2 == 1 {
				t.Fatalf("%d is outlined", h.ID)
			}
		}
		// A figure on the screen is somebody shown, or a body.
		for _, g := range f.Figures {
			if id := state.ID(g.Seed); !permitted[id] {
				t.Fatalf("at %v a figure of %d is drawn", s.Seconds(), id)
			}
		}
		s.must("demo.knew off")
		s.Frame(0.001)
		if n := len(s.View().Others); n < alive {
			t.Fatalf("%d of %d are shown when everything is", n, alive)
		}
	}
	if told < 20 || kept < 20 || things < 20 {
		t.Errorf("told %d times, withheld %d, %d things", told, kept, things)
	}
}

// The followed player's eyes are its own, at every tick; between two ticks they are
// between, and a jump to a place shows what playing up to it shows.
func TestFollowedEyesAreThePlayers(t *testing.T) {
	d := tapeMatch(t, "corner")
	s, jump := d.show(t), d.show(t)
	s.must("demo.follow 3")
	jump.must("demo.follow 3; demo.pause")
	set := tables.Arena()
	seen, moved := 0, 0
	s.Frame(0)
	last := s.View().Eye
	for s.Seconds() < 8 {
		s.Frame(1.0 / 200)
		v := s.View()
		a, b, frac := s.At()
		k, n := a.Find(3), b.Find(3)
		if k < 0 || n < 0 || v.Own == nil {
			continue
		}
		x, y := demo.PlayerOf(&a.Entities[k], nil), demo.PlayerOf(&b.Entities[n], nil)
		from, to := pmove.Eye(&x, &set.Movement), pmove.Eye(&y, &set.Movement)
		if a.Entities[k].Teleports != b.Entities[n].Teleports || !x.Alive() || !y.Alive() {
			continue
		}
		if d := v.Eye.Dist(from.Lerp(to, frac)); d > 0.02 {
			t.Fatalf("at %v the eye is %v m beside the player's", s.Seconds(), d)
		}
		if v.Eye.Dist(last) > 0.001 {
			moved++
		}
		last = v.Eye
		seen++
		if seen%40 == 0 {
			jump.must(fmt.Sprintf("demo.seek %.9f", s.Seconds()))
			jump.Frame(0)
			if w := jump.View(); w.Eye.Dist(v.Eye) > 1e-3 || math.Abs(float64(w.Yaw-v.Yaw)) > 0.01 || len(w.Others) != len(v.Others) {
				t.Fatalf("at %v: %v %v %d, after a jump %v %v %d", s.Seconds(), v.Eye, v.Yaw, len(v.Others), w.Eye, w.Yaw, len(w.Others))
			}
		}
	}
	if seen < 500 || moved < 100 {
		t.Errorf("seen %d, moved %d", seen, moved)
	}
}

// Everything that a demo can be told, with its mistakes, each answered in a line.
func TestCommandsOfADemo(t *testing.T) {
	d := tapeMatch(t, "corner")
	s := d.show(t)
	i := d.reader(t).Info()
	length := float64(i.Last-i.First) / 64
	near := func(line string, want float64) {
		t.Helper()
		s.must(line)
		if math.Abs(s.Seconds()-want) > 0.05 {
			t.Errorf("%s: at %v, not %v", line, s.Seconds(), want)
		}
	}
	near("demo.seek 4", 4)
	near("demo.seek +5", 9)
	near("demo.seek +5", length)
	near("demo.seek -2.5", length-2.5)
	near("demo.seek -99", 0)
	near("demo.seek 0:03.5", 3.5)
	near("demo.seek 50%", length/2)
	near("demo.seek end", length)
	near("demo.seek 1000000", length)
	near("demo.pause off", 0) // from the end it begins again
	s.must("demo.pause on")
	s.Frame(0.1)
	near("demo.step 64", 1)
	near("demo.step -32", 0.5)
	if !s.Paused() {
		t.Error("a step lets it play")
	}
	s.must("demo.pause")
	for _, c := range []struct {
		line string
		want float64
	}{{"demo.speed 0.1", 0.1}, {"demo.speed down", 0.1}, {"demo.speed up", 0.25}, {"demo.speed 8", 8}, {"demo.speed up", 8}, {"demo.speed down", 4}, {"demo.speed 1", 1}} {
		if s.must(c.line); s.Speed() != c.want {
			t.Errorf("%s: %v", c.line, s.Speed())
		}
	}
	at := s.Seconds()
	s.must("demo.speed 4")
	for range 10 {
		s.Frame(0.05)
	}
	if d := s.Seconds() - at; math.Abs(d-2) > 0.05 {
		t.Errorf("half a second at 4 times the speed is %v s", d)
	}
	first := s.Who()
	seen := map[state.ID]bool{}
	for range 5 {
		s.must("demo.follow next")
		seen[s.Who()] = true
	}
	if len(seen) != 5 || s.Who() != first {
		t.Errorf("next goes through %v, to %d", seen, s.Who())
	}
	s.must("demo.follow next; demo.follow prev")
	if s.Who() != first || s.Free() {
		t.Error("prev is not the way back")
	}
	s.Frame(0)
	eye := s.View().Eye
	s.must("demo.follow free; demo.fly 10")
	s.Frame(0)
	if d := s.View().Eye.Dist(eye); !s.Free() || d > 3.5 || s.View().Own != nil {
		t.Errorf("the free camera begins %v m away", d)
	}
	eye = s.View().Eye
	s.Hold(input.W, 0.5)
	s.Frame(0)
	if d := s.View().Eye.Dist(eye); math.Abs(float64(d)-5) > 0.1 {
		t.Errorf("half a second at 10 m/s is %v m", d)
	}
	s.Hold(input.E, 1000)
	s.Frame(0)
	if z := s.View().Eye.Z; z > 200 {
		t.Errorf("the camera is lost at %v", z)
	}
	name, _, _ := s.At()
	s.must("demo.follow " + name.Roster[2].Name)
	if s.Who() != name.Roster[2].ID || s.Free() {
		t.Error("a name is not followed")
	}
	for _, line := range []string{
		"demo.seek x", "demo.seek 1:2:3:4", "demo.seek -x", "demo.seek NaN", "demo.seek +Inf", "demo.seek 1e99", "demo.speed 0", "demo.speed 9", "demo.speed -1", "demo.speed NaN",
		"demo.step x", "demo.step 99999999999", "demo.follow nobody", "demo.knew nobody", "demo.pause maybe", "demo.names 7 8", "demo.fly 0", "demo.fly 1e9", "demo.withheld x",
	} {
		if got := s.say(line); strings.Count(got, "\n") != 1 || len(got) > 200 {
			t.Errorf("%s: %q", line, got)
		}
		if s.Frame(0.01); math.IsNaN(s.Seconds()) {
			t.Fatal(line)
		}
	}
}

// Keys and the mouse do what the list says; the time bar is clicked and pulled; a
// text field takes the keys to itself.
func TestKeysAndTheBarOfADemo(t *testing.T) {
	d := tapeMatch(t, "corner")
	s := d.show(t)
	s.Frame(0.01)
	near := func(what string, want float64) {
		t.Helper()
		if math.Abs(s.Seconds()-want) > 0.15 {
			t.Errorf("%s: at %v, not %v", what, s.Seconds(), want)
		}
	}
	s.Press(input.Space)
	if !s.Paused() {
		t.Error("space does not pause")
	}
	s.Press(input.Right)
	near("right", 5)
	s.Press(input.Left)
	near("left", 0)
	s.Press(input.Up)
	if s.Speed() != 1.5 {
		t.Errorf("up: %v", s.Speed())
	}
	b := s.Bar()
	at := func(share float32, y float32) input.Event {
		return input.Event{Kind: input.Cursor, X: float64(b[0] + b[2]*share), Y: float64(b[1] + y)}
	}
	s.Feed(at(0.75, 2))
	who := s.Who()
	s.Press(input.Mouse1)
	near("a click on the bar", 7.5)
	s.Feed(at(0.5, -60))
	if s.Press(input.Mouse1); s.Who() == who {
		t.Error("a click beside the bar is not the next player")
	}
	near("a click beside the bar", 7.5)
	if s.Press(input.Mouse2); s.Who() != who {
		t.Error("the right button is not the player before")
	}
	s.Press(input.K)
	s.Press(input.F)
	if !s.Knew() || !s.Free() {
		t.Error("k and f", s.Knew(), s.Free())
	}
	s.Press(input.F)
	s.Press(input.Grave)
	if !s.UI() {
		t.Fatal("no console")
	}
	for _, k := range []input.Key{input.Space, input.K, input.Right, input.Mouse1} {
		s.Press(k)
	}
	if !s.Knew() || !s.Paused() {
		t.Error("the console does not take the keys")
	}
	near("while the console is open", 7.5)
	for _, r := range "demo.seek 2" {
		s.Feed(input.Event{Kind: input.Char, Rune: r})
	}
	s.Press(input.Enter)
	near("typed", 2)
	s.Press(input.Grave)
	s.Press(input.T) // chat: nobody hears it
	for _, r := range "hello" {
		s.Feed(input.Event{Kind: input.Char, Rune: r})
	}
	s.Press(input.Enter)
	s.Press(input.Escape)
	if !s.UI() {
		t.Error("no menu")
	}
	s.Press(input.Escape)
	for _, line := range []string{"say hello", "say_team x", "cmd x", "kill", "weapon 1", "weapnext", "disconnect", "status", "screenshot", "record a", "stop"} {
		s.say(line) // of a match: answered, no fault
	}
	s.Frame(0.01)
}

// A demo command without a demo, and a recording before there is a match, are
// answered and leave nothing behind (O-35).
func TestDemoCommandsWithoutADemo(t *testing.T) {
	m := newMatch(t, "corner", 1)
	cfg := m.config()
	cfg.Seconds, cfg.Width, cfg.Height = 0.6, 120, 80
	folder := filepath.Join(t.TempDir(), "demos")
	cfg.DemoFolder = func() string { return folder }
	cfg.Lines = []string{"demo.seek +10", "demo.seek -10", "demo.pause", "demo.speed 2", "demo.follow next", "demo.knew", "demo.step 1", "stop", "record b", "stop"}
	var answers []string
	onMain(t, func() error {
		_, err := desktop.Run(cfg)
		for _, line := range cfg.Lines {
			var out strings.Builder
			cfg.Registry.Exec(line, &out)
			answers = append(answers, line+": "+out.String())
		}
		return err
	})
	for _, a := range answers {
		if strings.Count(a, "\n") != 1 || !strings.Contains(a, "no demo is playing") && !strings.Contains(a, "nothing is being recorded") && !strings.Contains(a, "not in a match") {
			t.Errorf("%q", a)
		}
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a folder was made")
	}
}

// A demo is shown in a window: seeking, speed, other eyes, a free camera and what
// one client knew, with pictures that are not blank.
func TestADemoIsShownInAWindow(t *testing.T) {
	d := tapeMatch(t, "corner")
	cfg := d.config()
	cfg.Seconds, cfg.Width, cfg.Height = 0.6, 120, 80
	cfg.Lines = []string{"demo.seek 3; demo.speed 4; demo.follow next; demo.knew; demo.keys; +scores; messagemode; say hello"}
	cfg.Screenshot = filepath.Join(t.TempDir(), "demo.png")
	cfg.DataDir = t.TempDir()
	if *keep != "" {
		cfg.Screenshot, cfg.Width, cfg.Height = filepath.Join(*keep, "demo.png"), 1280, 720
	}
	var sum desktop.Summary
	onMain(t, func() (err error) { sum, err = desktop.RunDemo(cfg, d.reader(t), "test.sldemo"); return err })
	if sum.Frames < 15 || !sum.NotBlank || sum.DemoAt < 5 || sum.Demo != "test.sldemo" || sum.Level != "corner.map" && sum.Level != "corner" {
		t.Errorf("%+v", sum)
	}
	var out strings.Builder
	sum.Print(&out)
	if !strings.Contains(out.String(), "test.sldemo") {
		t.Error(out.String())
	}
	// The keys of a demo are not written over the player's own.
	if b, err := os.ReadFile(filepath.Join(cfg.DataDir, "client.cfg")); err != nil || strings.Contains(string(b), "demo.") {
		t.Errorf("%v\n%s", err, b)
	}
}

// A level or tables that are not here, or not those of the demo, are one sentence.
func TestDemoOfAnotherLevelIsRefused(t *testing.T) {
	d := tapeMatch(t, "corner")
	other := shipped(t, "pit")
	for name, change := range map[string]func(*desktop.Config){
		"not here": func(c *desktop.Config) {
			c.Load = func(string, [32]byte) (client.Loaded, error) { return client.Loaded{}, errors.New("no such map") }
		},
		"another copy": func(c *desktop.Config) {
			c.Load = func(string, [32]byte) (client.Loaded, error) { return client.Loaded{Level: other}, nil }
		},
		"tables": func(c *desktop.Config) {
			c.Tables = func([32]byte) (tables.Set, bool) { return tables.Set{}, false }
		},
	} {
		cfg := d.config()
		change(&cfg)
		_, err := desktop.RunDemo(cfg, d.reader(t), "test.sldemo")
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "test.sldemo") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A steady demo makes frames without allocating.
func TestSteadyDemoDoesNotAllocate(t *testing.T) {
	d := tapeMatch(t, "corner")
	s := d.show(t)
	s.must("demo.knew; demo.keys")
	for range 500 {
		s.Frame(1.0 / 60)
	}
	s.must("demo.seek 3")
	if n := testing.AllocsPerRun(200, func() { s.Frame(1.0 / 60) }); n > 0.5 {
		t.Errorf("%v allocations per frame", n)
	}
}

// Every key that is told of is a key, does what there is a command for, and is not
// told of twice; what somebody has bound for demos stays.
func TestKeysOfADemoExist(t *testing.T) {
	d := tapeMatch(t, "corner")
	s := d.show(t)
	binds := desktop.DemoBinds(s.reg.Binds())
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]console.Command{}
	for _, c := range s.reg.Commands() {
		commands[c.Name] = c
	}
	seen := map[string]bool{}
	for _, k := range desktop.DemoKeys {
		key, err := input.ParseKey(k.Key)
		if err != nil || seen[k.Key] || k.Help == "" {
			t.Errorf("%+v: %v", k, err)
		}
		seen[k.Key] = true
		if got := binds.Get(key.String()); got != k.Line {
			t.Errorf("%s does %q, not %q", k.Key, got, k.Line)
		}
		name, _, _ := strings.Cut(k.Line, " ")
		if c, ok := commands[name]; !ok || c.Help == "" {
			t.Errorf("%s: there is no command %s", k.Key, name)
		}
		if err := s.reg.Exec(k.Line, io.Discard); err != nil && !strings.Contains(err.Error(), "neither kills nor dies") {
			t.Errorf("%s: %v", k.Line, err)
		}
		if !strings.Contains(string(page), "| `"+k.Key+"` | "+k.Help+" |") {
			t.Errorf("README.md does not tell of %s: %s", k.Key, k.Help)
		}
	}
	for name, c := range commands {
		if strings.HasPrefix(name, "demo.") && !strings.Contains(string(page), "`"+strings.TrimSpace(name+" "+strings.ReplaceAll(c.Usage, "|", "\\|"))+"`") {
			t.Errorf("README.md does not tell of %s %s", name, c.Usage)
		}
	}
	own := console.New().Binds()
	own.Set("space", "demo.step 5")
	own.Set("k", "kill")
	if b := desktop.DemoBinds(own); b.Get("space") != "demo.step 5" || b.Get("k") != "demo.knew" || own.Get("k") != "kill" {
		t.Error("an own key is lost")
	}
}
