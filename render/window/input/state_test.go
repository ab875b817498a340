package input_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-engine/sightline/render/window/input"
)

func press(k input.Key) input.Event   { return input.Event{Kind: input.Press, Key: k} }
func repeat(k input.Key) input.Event  { return input.Event{Kind: input.Repeat, Key: k} }
func release(k input.Key) input.Event { return input.Event{Kind: input.Release, Key: k} }
func char(r rune) input.Event         { return input.Event{Kind: input.Char, Rune: r} }

func bound(t *testing.T) *input.State {
	t.Helper()
	s := new(input.State)
	for k, a := range map[input.Key]string{
		input.W: "forward", input.Up: "forward", input.Space: "jump",
		input.Mouse1: "fire", input.Grave: "console", input.WheelUp: "next",
	} {
		if !s.Bind(k, a) {
			t.Fatal("bind", k)
		}
	}
	return s
}

func TestFocusLossReleasesEverything(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.W))
	s.Feed(press(input.Mouse1))
	s.Feed(input.Event{Kind: input.FocusLost})
	if s.Held("forward") || s.Held("fire") || s.Take("fire") {
		t.Error("an action outlives the focus")
	}
	// The keys are still down on return: the system may repeat them, and will
	// report their release, but neither begins anything.
	s.Feed(input.Event{Kind: input.FocusGained})
	s.Feed(repeat(input.W))
	if s.Held("forward") {
		t.Error("a key that is still held acts without a new press")
	}
	s.Feed(release(input.W))
	s.Feed(press(input.W))
	if !s.Held("forward") || !s.Take("forward") {
		t.Error("a new press does nothing")
	}
}

func TestMenuReleasesEverything(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.W))
	s.Feed(press(input.Mouse1))
	s.SetMode(input.UI)
	if s.Held("forward") || s.Held("fire") {
		t.Error("an action is held under a menu")
	}
	s.Feed(press(input.Space))
	s.SetMode(input.Game)
	s.Feed(repeat(input.W))
	if s.Held("forward") || s.Held("fire") || s.Held("jump") || s.Take("jump") {
		t.Error("leaving the menu starts an action")
	}
	s.Feed(release(input.Space)) // pressed in the menu, let go in the game
	if s.Held("jump") {
		t.Error("held after release")
	}
}

func TestRepeatIsNoPress(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.Space))
	for range 60 {
		s.Feed(repeat(input.Space))
	}
	if n := s.TakeCount("jump"); n != 1 {
		t.Errorf("jump held for two seconds: %d edges", n)
	}
	s.Feed(press(input.Grave))
	for range 60 {
		s.Feed(repeat(input.Grave))
		s.Feed(char('`'))
	}
	if n := s.TakeCount("console"); n != 1 {
		t.Errorf("console key held: %d toggles", n)
	}
}

func TestTextRepeatsOncePerRepeat(t *testing.T) {
	s := bound(t)
	s.SetMode(input.UI)
	s.Begin()
	s.Feed(press(input.A))
	s.Feed(char('a'))
	for range 10 {
		s.Feed(repeat(input.A))
		s.Feed(char('a'))
	}
	if n := len(s.Text()); n != 11 {
		t.Errorf("%d characters from one press and ten repeats", n)
	}
	if n := len(s.Keys()); n != 11 {
		t.Errorf("%d key events for the field", n)
	}
	s.Begin()
	if len(s.Text()) != 0 || len(s.Keys()) != 0 {
		t.Error("typing outlives its frame")
	}
	s.SetMode(input.Game)
	s.Feed(char('a'))
	if len(s.Text()) != 0 {
		t.Error("the game receives text")
	}
}

func TestOtherKeyStaysHeld(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.W))
	s.Feed(press(input.Up))
	s.Feed(press(input.Mouse1))
	s.Feed(release(input.W))
	if !s.Held("forward") {
		t.Error("two keys, one action: released with the first")
	}
	if !s.Held("fire") {
		t.Error("another key's release released fire")
	}
	s.Feed(release(input.Up))
	if s.Held("forward") {
		t.Error("held after the last release")
	}
	if n := s.TakeCount("forward"); n != 1 {
		t.Errorf("%d edges: the second key of a held action is none", n)
	}
}

func TestClickShorterThanAFrame(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.Mouse1))
	s.Feed(release(input.Mouse1))
	if !s.HeldOrTake("fire") {
		t.Error("a short click is lost")
	}
	if s.HeldOrTake("fire") {
		t.Error("a short click fires twice")
	}
}

func TestWheelIsAPress(t *testing.T) {
	s := bound(t)
	s.Feed(input.Event{Kind: input.Scroll, Y: 1})
	s.Feed(input.Event{Kind: input.Scroll, Y: 1})
	if n := s.TakeCount("next"); n != 2 || s.Held("next") {
		t.Errorf("%d steps", n)
	}
}

func TestRebindingAHeldKey(t *testing.T) {
	s := bound(t)
	s.Feed(press(input.W))
	s.Bind(input.W, "back")
	if s.Held("forward") || s.Held("back") {
		t.Error("rebinding a held key leaves something held")
	}
	s.Feed(release(input.W))
	s.Feed(press(input.W))
	if !s.Held("back") || s.Bound(input.W) != "back" {
		t.Error("the new binding does not act")
	}
}

func TestKeyNames(t *testing.T) {
	for k := input.Key(1); k < input.KeyCount; k++ {
		got, err := input.ParseKey(k.String())
		if err != nil || got != k {
			t.Errorf("%d: name %q gives %d, %v", k, k, got, err)
		}
	}
	for name, want := range map[string]input.Key{"SPACE": input.Space, "`": input.Grave, " Mouse1 ": input.Mouse1, "f1": input.F1, "ctrl": input.LeftControl} {
		if got, err := input.ParseKey(name); err != nil || got != want {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	if _, err := input.ParseKey("nonsense"); err == nil {
		t.Error("nonsense is a key")
	}
}

// Any order of events leaves an action held only if one of its keys was pressed
// after the last thing that releases all, and not released since.
func TestHeldIsWhatAPlainModelSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := new(input.State)
		keys := []input.Key{input.W, input.Up, input.Space}
		s.Bind(input.W, "forward")
		s.Bind(input.Up, "forward")
		s.Bind(input.Space, "jump")
		down := map[input.Key]bool{}
		mode := input.Game
		for _, step := range rapid.SliceOfN(rapid.IntRange(0, 12), 1, 80).Draw(t, "steps") {
			k := keys[step%3]
			switch {
			case step < 4:
				s.Feed(press(k))
				if mode == input.Game {
					down[k] = true
				}
			case step < 7:
				s.Feed(release(k))
				delete(down, k)
			case step < 9:
				s.Feed(repeat(k))
			case step == 9:
				s.Feed(input.Event{Kind: input.FocusLost})
				clear(down)
			case step == 10:
				s.Feed(input.Event{Kind: input.FocusGained})
				clear(down)
			default:
				m := input.Mode(step - 11)
				if m != mode {
					clear(down)
				}
				mode = m
				s.SetMode(m)
			}
			if want := down[input.W] || down[input.Up]; s.Held("forward") != want {
				t.Fatalf("forward held: %v, model: %v", s.Held("forward"), want)
			}
			if s.Held("jump") != down[input.Space] {
				t.Fatalf("jump held: %v", s.Held("jump"))
			}
		}
	})
}

func TestFeedDoesNotAllocate(t *testing.T) {
	s := bound(t)
	s.SetMode(input.UI)
	frame := func() {
		s.Begin()
		for range 20 {
			s.Feed(press(input.A))
			s.Feed(char('a'))
			s.Feed(release(input.A))
		}
	}
	frame()
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
}

func TestCursorOnScaledDisplays(t *testing.T) {
	for scale, want := range map[float64][2]float64{1: {100, 50}, 1.25: {125, 62.5}, 2: {200, 100}} {
		x, y := input.ToFramebuffer(100, 50, 800, 600, int(800*scale), int(600*scale))
		if x != want[0] || y != want[1] {
			t.Errorf("scale %g: %g, %g", scale, x, y)
		}
	}
	if x, y := input.ToFramebuffer(5, 5, 0, 0, 0, 0); x != 0 || y != 0 {
		t.Errorf("a minimised window: %g, %g", x, y)
	}
}
