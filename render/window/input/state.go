package input

import "strings"

// Mode says who has the keyboard.
type Mode uint8

// Modes.
const (
	Game Mode = iota // keys are actions, motion turns the view
	UI               // keys go to a console or menu, no action can be held
)

// maxText bounds what is kept of one frame's typing; the rest is dropped.
const maxText = 256

// maxActions bounds the distinct names a table of bindings may hold.
const maxActions = 64

// State folds events into what is held and what began. The zero value has no
// bindings and is in Game mode.
//
// Several keys may be bound to one action: it is held until the last of them is
// up.
type State struct {
	// Scale multiplies mouse motion; 0 counts as 1.
	Scale float64

	mode Mode

	bound   [KeyCount]int8 // action index + 1; 0: nothing
	actions []string
	down    [KeyCount]bool // keys down that count
	holders [maxActions]int8
	pressed [maxActions]int16 // edges not yet taken

	keys          []Event // presses and repeats for a text field
	text          []rune
	dx, dy        float64
	cursorX       float64
	cursorY       float64
	scroll        float64
	closing       bool
	width, height int
	resized       bool
	iconified     bool
}

// Bind makes a key an action; an empty action unbinds it. It reports false when
// there are already as many actions as a State can hold.
func (s *State) Bind(k Key, action string) bool {
	if k == None || k >= KeyCount {
		return false
	}
	action = strings.TrimSpace(action)
	s.releaseKey(k)
	if action == "" {
		s.bound[k] = 0
		return true
	}
	i := s.index(action)
	if i < 0 {
		if len(s.actions) == maxActions {
			return false
		}
		i = len(s.actions)
		s.actions = append(s.actions, strings.Clone(action))
	}
	s.bound[k] = int8(i + 1)
	return true
}

// Bound returns the action of a key, or "".
func (s *State) Bound(k Key) string {
	if k < KeyCount && s.bound[k] > 0 {
		return s.actions[s.bound[k]-1]
	}
	return ""
}

// Begin starts a frame: what was typed and moved in the last one is forgotten.
// Edges stay until they are taken, so that no press is lost to a slow tick.
func (s *State) Begin() {
	s.keys, s.text = s.keys[:0], s.text[:0]
	s.dx, s.dy, s.scroll = 0, 0, 0
	s.resized = false
}

// SetMode hands the keyboard over. Every held action is released and every
// untaken press forgotten; keys that are still down need a new press.
func (s *State) SetMode(m Mode) {
	if m == s.mode {
		return
	}
	s.mode = m
	s.ReleaseAll()
	s.keys, s.text = s.keys[:0], s.text[:0]
	s.dx, s.dy = 0, 0
}

// Mode returns who has the keyboard.
func (s *State) Mode() Mode { return s.mode }

// ReleaseAll lets go of everything.
func (s *State) ReleaseAll() {
	s.down = [KeyCount]bool{}
	s.holders = [maxActions]int8{}
	s.pressed = [maxActions]int16{}
}

// Feed takes one event.
func (s *State) Feed(e Event) {
	switch e.Kind {
	case Press:
		s.press(e)
	case Repeat:
		if s.mode == UI && len(s.keys) < maxText {
			s.keys = append(s.keys, e)
		}
	case Release:
		s.releaseKey(e.Key)
	case Char:
		if s.mode == UI && len(s.text) < maxText {
			s.text = append(s.text, e.Rune)
		}
	case Move:
		if s.mode == Game {
			s.dx += e.X
			s.dy += e.Y
		}
	case Cursor:
		s.cursorX, s.cursorY = e.X, e.Y
	case Scroll:
		s.wheel(e)
	case FocusLost:
		s.ReleaseAll()
		s.dx, s.dy = 0, 0
	case FocusGained:
		s.ReleaseAll()
	case Resize:
		s.width, s.height, s.resized = e.W, e.H, true
	case Iconify:
		s.iconified = true
		s.ReleaseAll()
	case Restore:
		s.iconified = false
	case Close:
		s.closing = true
	}
}

func (s *State) press(e Event) {
	if e.Key == None || e.Key >= KeyCount {
		return
	}
	if s.mode == UI {
		if len(s.keys) < maxText {
			s.keys = append(s.keys, e)
		}
		return
	}
	if s.down[e.Key] {
		return // a press without a release between is no edge
	}
	s.down[e.Key] = true
	if i := s.bound[e.Key]; i > 0 {
		s.holders[i-1]++
		if s.holders[i-1] == 1 && s.pressed[i-1] < 1<<14 {
			s.pressed[i-1]++
		}
	}
}

func (s *State) releaseKey(k Key) {
	if k >= KeyCount || !s.down[k] {
		return
	}
	s.down[k] = false
	if i := s.bound[k]; i > 0 && s.holders[i-1] > 0 {
		s.holders[i-1]--
	}
}

// wheel turns steps of the wheel into presses that end at once.
func (s *State) wheel(e Event) {
	s.scroll += e.Y
	if e.Y == 0 || e.Y != e.Y {
		return
	}
	k := WheelUp
	if e.Y < 0 {
		k = WheelDown
	}
	s.press(Event{Kind: Press, Key: k, Mods: e.Mods})
	s.releaseKey(k)
}

func (s *State) index(action string) int {
	for i, a := range s.actions {
		if a == action {
			return i
		}
	}
	return -1
}

// Held reports whether an action is held now.
func (s *State) Held(action string) bool {
	i := s.index(action)
	return i >= 0 && s.holders[i] > 0
}

// Began reports whether an action began since it was last taken, without taking it.
func (s *State) Began(action string) bool {
	i := s.index(action)
	return i >= 0 && s.pressed[i] != 0
}

// Take reports whether an action began since it was last taken, and takes it.
func (s *State) Take(action string) bool {
	i := s.index(action)
	if i < 0 || s.pressed[i] == 0 {
		return false
	}
	s.pressed[i] = 0
	return true
}

// TakeCount is Take for actions that count every press.
func (s *State) TakeCount(action string) int {
	i := s.index(action)
	if i < 0 {
		return 0
	}
	n := int(s.pressed[i])
	s.pressed[i] = 0
	return n
}

// HeldOrTake reports whether an action is held or was pressed and let go again
// since it was last asked: a click shorter than a frame still fires.
func (s *State) HeldOrTake(action string) bool {
	taken := s.Take(action)
	return s.Held(action) || taken
}

// Down reports whether a key is down and counts.
func (s *State) Down(k Key) bool { return k < KeyCount && s.down[k] }

// Keys returns the presses and repeats of this frame for a text field. Empty in
// Game mode.
func (s *State) Keys() []Event { return s.keys }

// Text returns what was typed in this frame. Empty in Game mode.
func (s *State) Text() []rune { return s.text }

// Mouse returns this frame's motion, scaled. Zero in UI mode.
func (s *State) Mouse() (dx, dy float64) {
	k := s.Scale
	if k == 0 {
		k = 1
	}
	return s.dx * k, s.dy * k
}

// Pointer returns where the free cursor is, in window units.
func (s *State) Pointer() (x, y float64) { return s.cursorX, s.cursorY }

// Wheel returns this frame's turns of the wheel.
func (s *State) Wheel() float64 { return s.scroll }

// Size returns the framebuffer size that was last reported, and whether that
// was in this frame.
func (s *State) Size() (width, height int, changed bool) { return s.width, s.height, s.resized }

// Iconified reports whether the window is minimised.
func (s *State) Iconified() bool { return s.iconified }

// Closing reports whether the window was asked to close.
func (s *State) Closing() bool { return s.closing }
