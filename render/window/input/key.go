package input

import (
	"fmt"
	"strings"
)

// Key is one key, mouse button or wheel step by its place on the device.
type Key uint8

// Keys. Letters and digits are where an American keyboard has them.
const (
	None Key = iota
	A
	B
	C
	D
	E
	F
	G
	H
	I
	J
	K
	L
	M
	N
	O
	P
	Q
	R
	S
	T
	U
	V
	W
	X
	Y
	Z
	Digit0
	Digit1
	Digit2
	Digit3
	Digit4
	Digit5
	Digit6
	Digit7
	Digit8
	Digit9
	F1
	F2
	F3
	F4
	F5
	F6
	F7
	F8
	F9
	F10
	F11
	F12
	Space
	Enter
	Escape
	Tab
	Backspace
	Insert
	Delete
	Left
	Right
	Up
	Down
	PageUp
	PageDown
	Home
	End
	CapsLock
	Pause
	PrintScreen
	Minus
	Equal
	LeftBracket
	RightBracket
	Backslash
	Semicolon
	Apostrophe
	Grave
	Comma
	Period
	Slash
	LeftShift
	RightShift
	LeftControl
	RightControl
	LeftAlt
	RightAlt
	LeftSuper
	RightSuper
	Menu
	Pad0
	Pad1
	Pad2
	Pad3
	Pad4
	Pad5
	Pad6
	Pad7
	Pad8
	Pad9
	PadPeriod
	PadDivide
	PadMultiply
	PadMinus
	PadPlus
	PadEnter
	World1
	World2
	Mouse1
	Mouse2
	Mouse3
	Mouse4
	Mouse5
	Mouse6
	Mouse7
	Mouse8
	WheelUp
	WheelDown
	KeyCount
)

// names is by Key.
var names = [KeyCount]string{
	"none",
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
	"n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
	"space", "enter", "escape", "tab", "backspace", "insert", "delete",
	"left", "right", "up", "down", "pageup", "pagedown", "home", "end",
	"capslock", "pause", "printscreen",
	"minus", "equal", "leftbracket", "rightbracket", "backslash", "semicolon",
	"apostrophe", "grave", "comma", "period", "slash",
	"shift", "rightshift", "ctrl", "rightctrl", "alt", "rightalt", "super", "rightsuper", "menu",
	"pad0", "pad1", "pad2", "pad3", "pad4", "pad5", "pad6", "pad7", "pad8", "pad9",
	"padperiod", "paddivide", "padmultiply", "padminus", "padplus", "padenter",
	"world1", "world2",
	"mouse1", "mouse2", "mouse3", "mouse4", "mouse5", "mouse6", "mouse7", "mouse8",
	"wheelup", "wheeldown",
}

// aliases are other words that people write for a key.
func alias(s string) string {
	switch s {
	case "`", "~", "tilde", "backquote", "console":
		return "grave"
	case "return":
		return "enter"
	case "esc":
		return "escape"
	case "control", "leftctrl", "leftcontrol":
		return "ctrl"
	case "leftshift":
		return "shift"
	case "leftalt":
		return "alt"
	case "-":
		return "minus"
	case "=":
		return "equal"
	case "[":
		return "leftbracket"
	case "]":
		return "rightbracket"
	case "\\":
		return "backslash"
	case ";":
		return "semicolon"
	case "'":
		return "apostrophe"
	case ",":
		return "comma"
	case ".":
		return "period"
	case "/":
		return "slash"
	case "mwheelup":
		return "wheelup"
	case "mwheeldown":
		return "wheeldown"
	}
	return s
}

// String returns the name that bindings use.
func (k Key) String() string {
	if k < KeyCount {
		return names[k]
	}
	return fmt.Sprintf("key%d", uint8(k))
}

// ParseKey returns the key of a name, in any case, or an error that says how
// names look.
func ParseKey(name string) (Key, error) {
	s := alias(strings.ToLower(strings.TrimSpace(name)))
	for k, n := range names {
		if n == s && Key(k) != None {
			return Key(k), nil
		}
	}
	return None, fmt.Errorf("no key is called %q (examples: w, space, ctrl, mouse1, wheelup, grave, f1)", name)
}
