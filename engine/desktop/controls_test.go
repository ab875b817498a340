package desktop_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/render/window/input"
)

// desk is keyboard, controls and overlay joined as a game joins them, with a
// synthetic keyboard behind the window's own filter.
type desk struct {
	reg     *console.Registry
	c       *desktop.Controls
	o       *desktop.Overlay
	filter  input.Filter
	ran     []string
	said    []string
	scratch []input.Event
}

func newDesk() *desk {
	d := &desk{reg: console.New()}
	desktop.Declare(d.reg)
	d.o = desktop.NewOverlay(d.reg)
	d.o.Submit = func(f desktop.Field, line string) { d.said = append(d.said, line) }
	d.o.Pick = func(int) {}
	d.reg.Command(console.Command{Name: "toggleconsole", Help: "x", Run: func(*console.Call) error { d.o.Toggle(desktop.ConsoleField); return nil }})
	d.reg.Command(console.Command{Name: "messagemode", Help: "x", Run: func(*console.Call) error { d.o.Open(desktop.ChatField); return nil }})
	desktop.BindDefaults(d.reg.Binds())
	d.c = desktop.NewControls(d.reg.Binds(), func(line string) {
		d.ran = append(d.ran, line)
		d.reg.Exec(line, d.o)
	}, d.o.Feed)
	return d
}

// frame feeds one frame's raw events, a character after each press as a window
// system reports it.
func (d *desk) frame(raw ...input.Event) {
	d.c.Begin()
	for _, e := range raw {
		d.scratch = d.scratch[:0]
		switch e.Kind {
		case input.FocusLost:
			d.scratch = d.filter.FocusLost(d.scratch)
		case input.FocusGained:
			d.scratch = d.filter.FocusGained(d.scratch, nil)
		case input.Press, input.Repeat, input.Release:
			d.scratch = d.filter.Key(d.scratch, e)
			if s := e.Key.String(); e.Kind != input.Release && len(s) == 1 {
				d.scratch = append(d.scratch, input.Event{Kind: input.Char, Rune: rune(s[0])})
			} else if e.Kind != input.Release && e.Key == input.Grave {
				d.scratch = append(d.scratch, input.Event{Kind: input.Char, Rune: '`'})
			}
		default:
			d.scratch = append(d.scratch, e)
		}
		for _, f := range d.scratch {
			d.c.Feed(f)
			if ui := d.o.Field() != desktop.NoField; ui != d.c.UI() {
				d.c.SetUI(ui)
			}
		}
	}
}

func press(k input.Key) input.Event   { return input.Event{Kind: input.Press, Key: k} }
func repeat(k input.Key) input.Event  { return input.Event{Kind: input.Repeat, Key: k} }
func release(k input.Key) input.Event { return input.Event{Kind: input.Release, Key: k} }

func idle(c state.Cmd) bool {
	return c.Forward == 0 && c.Right == 0 && c.Up == 0 && c.Buttons == 0
}

// TestNothingStaysHeldWhenTheKeyboardIsTaken is O-31.
func TestNothingStaysHeldWhenTheKeyboardIsTaken(t *testing.T) {
	for _, way := range []struct {
		name       string
		take, back []input.Event
	}{
		{"focus", []input.Event{{Kind: input.FocusLost}}, []input.Event{{Kind: input.FocusGained}}},
		{"console", []input.Event{press(input.Grave), release(input.Grave)}, []input.Event{press(input.Grave), release(input.Grave)}},
		{"chat", []input.Event{press(input.T), release(input.T)}, []input.Event{press(input.Escape), release(input.Escape)}},
	} {
		t.Run(way.name, func(t *testing.T) {
			d := newDesk()
			d.frame(press(input.W), press(input.Mouse1), press(input.Space))
			c := d.c.Command(1)
			if c.Forward != 127 || c.Buttons&state.BtnFire == 0 || c.Buttons&state.BtnJump == 0 {
				t.Fatalf("held keys make %+v", c)
			}
			d.frame(way.take...)
			if c = d.c.Command(2); !idle(c) {
				t.Fatalf("after the keyboard was taken: %+v", c)
			}
			d.frame(way.back...)
			d.frame(repeat(input.W), repeat(input.Space)) // still down, by the system's word
			if c = d.c.Command(3); !idle(c) {
				t.Fatalf("keys still down on return act: %+v", c)
			}
			d.frame(release(input.W), release(input.Mouse1), release(input.Space))
			d.frame(press(input.W))
			if c = d.c.Command(4); c.Forward != 127 {
				t.Fatalf("a new press does nothing: %+v", c)
			}
		})
	}
}

// TestRepeatsAreNoPresses is O-33.
func TestRepeatsAreNoPresses(t *testing.T) {
	d := newDesk()
	hold := func(k input.Key, n int) {
		d.frame(press(k))
		for range n {
			d.frame(repeat(k))
		}
	}
	hold(input.Space, 60)
	jumps, was := 0, false
	for i := range 60 {
		j := d.c.Command(state.Tick(i)).Buttons&state.BtnJump != 0
		if j && !was {
			jumps++
		}
		was = j
	}
	if jumps != 1 {
		t.Errorf("holding jump gives %d edges", jumps)
	}
	d.frame(release(input.Space))

	hold(input.Grave, 60)
	d.frame(release(input.Grave))
	if n := strings.Count(strings.Join(d.ran, "\n"), "toggleconsole"); n != 1 || d.o.Field() != desktop.ConsoleField {
		t.Fatalf("holding the console key toggled %d times, field %d", n, d.o.Field())
	}
	if d.o.Input() != "" {
		t.Errorf("the console key typed %q", d.o.Input())
	}
	hold(input.A, 9)
	if got := d.o.Input(); got != strings.Repeat("a", 10) {
		t.Errorf("one press and nine repeats typed %q", got)
	}
	d.frame(release(input.A), press(input.Grave), release(input.Grave))
	if d.o.Field() != desktop.NoField {
		t.Error("the console key does not close")
	}

	d.frame(press(input.W), press(input.D))
	d.frame(release(input.W))
	if c := d.c.Command(100); c.Right != 127 || c.Forward != 0 {
		t.Errorf("of two held keys one was let go: %+v", c)
	}
}

func TestMouseTurnsTheViewAtOnce(t *testing.T) {
	d := newDesk()
	d.frame(input.Event{Kind: input.Move, X: 100, Y: -50})
	d.c.Look(0.05, false)
	if yaw, pitch := d.c.Angles(); yaw != -5 || pitch != 2.5 {
		t.Errorf("angles %v %v", yaw, pitch)
	}
	// A slow hand is not lost to the wire's steps of 0.0055 degrees.
	for range 1000 {
		d.frame(input.Event{Kind: input.Move, X: -1})
		d.c.Look(0.001, false)
	}
	if yaw, _ := d.c.Angles(); yaw < -4.0001 || yaw > -3.9999 {
		t.Errorf("a thousand counts of 0.001° from -5° lead to %v", yaw)
	}
	d.frame(input.Event{Kind: input.Move, Y: -1e6})
	d.c.Look(0.05, false)
	if _, pitch := d.c.Angles(); pitch != 89 {
		t.Errorf("pitch %v", pitch)
	}
	d.c.SetAngles(0, 0)
	d.frame(input.Event{Kind: input.Move, Y: -10})
	d.c.Look(1, true)
	if _, pitch := d.c.Angles(); pitch != -10 {
		t.Errorf("inverted pitch %v", pitch)
	}
	d.frame(press(input.Grave), release(input.Grave), input.Event{Kind: input.Move, X: 100})
	d.c.Look(1, false)
	if yaw, _ := d.c.Angles(); yaw != 0 {
		t.Errorf("the mouse turned the view behind the console to %v", yaw)
	}
}

func TestAClickShorterThanATickFires(t *testing.T) {
	d := newDesk()
	d.frame(press(input.Mouse1), release(input.Mouse1))
	if d.c.Command(1).Buttons&state.BtnFire == 0 {
		t.Error("the click is lost")
	}
	if d.c.Command(2).Buttons&state.BtnFire != 0 {
		t.Error("the click fires twice")
	}
}

func TestBindsAreLinesAndActions(t *testing.T) {
	d := newDesk()
	d.reg.Exec("bind x +forward; bind z \"echo hello\"; bind w \"\"; bind ~ \"\"", d.o)
	d.c.Rebind()
	d.frame(press(input.X), press(input.W))
	if c := d.c.Command(1); c.Forward != 127 {
		t.Errorf("bind x +forward gives %+v", c)
	}
	d.frame(press(input.Z))
	if !slices.Contains(d.ran, "echo hello") {
		t.Errorf("ran %q", d.ran)
	}
	d.frame(input.Event{Kind: input.Scroll, Y: 1})
	if !slices.Contains(d.ran, "weapnext") {
		t.Errorf("the wheel ran %q", d.ran)
	}
}

func TestConsoleCompletesAndRemembers(t *testing.T) {
	d := newDesk()
	typed := func(s string) {
		for _, r := range s {
			d.o.Feed(input.Event{Kind: input.Char, Rune: r})
		}
	}
	key := func(k input.Key) { d.o.Feed(press(k)) }
	d.o.Open(desktop.ConsoleField)
	typed("cl.sens")
	key(input.Tab)
	if got := d.o.Input(); got != "cl.sensitivity " {
		t.Errorf("completed to %q", got)
	}
	typed("0.1")
	key(input.Enter)
	if len(d.said) != 1 || d.said[0] != "cl.sensitivity 0.1" {
		t.Errorf("submitted %q", d.said)
	}
	typed("second")
	key(input.Enter)
	typed("dra")
	key(input.Up)
	key(input.Up)
	if got := d.o.Input(); got != "cl.sensitivity 0.1" {
		t.Errorf("two back is %q", got)
	}
	key(input.Down)
	key(input.Down)
	if got := d.o.Input(); got != "dra" {
		t.Errorf("the draft came back as %q", got)
	}
	key(input.Home)
	key(input.Delete)
	typed("é")
	if got := d.o.Input(); got != "éra" {
		t.Errorf("edited to %q", got)
	}
}
