package window

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/sightline-engine/sightline/render/window/input"
)

// listen wires GLFW's callbacks, all of which run inside PollEvents.
func (w *Window) listen() {
	add := func(e input.Event) { w.events = append(w.events, e) }
	w.w.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, a glfw.Action, m glfw.ModifierKey) {
		if k := fromGLFW(key); k != input.None {
			w.events = w.filter.Key(w.events, input.Event{Kind: kind(a), Key: k, Mods: mods(m)})
		}
	})
	w.w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		if b >= 0 && b < 8 {
			k := input.Mouse1 + input.Key(b)
			w.events = w.filter.Key(w.events, input.Event{Kind: kind(a), Key: k, Mods: mods(m)})
		}
	})
	w.w.SetCharCallback(func(_ *glfw.Window, r rune) { add(input.Event{Kind: input.Char, Rune: r}) })
	w.w.SetScrollCallback(func(_ *glfw.Window, x, y float64) { add(input.Event{Kind: input.Scroll, X: x, Y: y}) })
	w.w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		if !w.captured {
			w.haveCursor = false
			add(input.Event{Kind: input.Cursor, X: x, Y: y})
			return
		}
		// The first position after capture says where the cursor was put, not
		// how far the hand moved.
		if w.haveCursor {
			add(input.Event{Kind: input.Move, X: x - w.lastX, Y: y - w.lastY})
		}
		w.haveCursor, w.lastX, w.lastY = true, x, y
	})
	w.w.SetFocusCallback(func(_ *glfw.Window, focused bool) {
		w.haveCursor = false
		if focused {
			w.events = w.filter.FocusGained(w.events, stillDown)
			return
		}
		w.events = w.filter.FocusLost(w.events)
	})
	w.w.SetFramebufferSizeCallback(func(_ *glfw.Window, width, height int) {
		add(input.Event{Kind: input.Resize, W: width, H: height})
	})
	w.w.SetIconifyCallback(func(_ *glfw.Window, iconified bool) {
		if iconified {
			add(input.Event{Kind: input.Iconify})
			return
		}
		add(input.Event{Kind: input.Restore})
	})
	w.w.SetCloseCallback(func(gw *glfw.Window) {
		gw.SetShouldClose(false) // the program decides
		w.closing.Store(true)
	})
}

func kind(a glfw.Action) input.Kind {
	switch a {
	case glfw.Press:
		return input.Press
	case glfw.Repeat:
		return input.Repeat
	}
	return input.Release
}

func mods(m glfw.ModifierKey) (out input.Mods) {
	if m&glfw.ModShift != 0 {
		out |= input.Shift
	}
	if m&glfw.ModControl != 0 {
		out |= input.Control
	}
	if m&glfw.ModAlt != 0 {
		out |= input.Alt
	}
	if m&glfw.ModSuper != 0 {
		out |= input.Super
	}
	return out
}

// fromGLFW translates a key; those without a name are None.
func fromGLFW(k glfw.Key) input.Key {
	switch {
	case k >= glfw.KeyA && k <= glfw.KeyZ:
		return input.A + input.Key(k-glfw.KeyA)
	case k >= glfw.Key0 && k <= glfw.Key9:
		return input.Digit0 + input.Key(k-glfw.Key0)
	case k >= glfw.KeyF1 && k <= glfw.KeyF12:
		return input.F1 + input.Key(k-glfw.KeyF1)
	case k >= glfw.KeyKP0 && k <= glfw.KeyKP9:
		return input.Pad0 + input.Key(k-glfw.KeyKP0)
	}
	for _, p := range keyTable {
		if p.glfw == k {
			return p.key
		}
	}
	return input.None
}

// toGLFW is the inverse of fromGLFW for keys of the keyboard.
func toGLFW(k input.Key) (glfw.Key, bool) {
	switch {
	case k >= input.A && k <= input.Z:
		return glfw.KeyA + glfw.Key(k-input.A), true
	case k >= input.Digit0 && k <= input.Digit9:
		return glfw.Key0 + glfw.Key(k-input.Digit0), true
	case k >= input.F1 && k <= input.F12:
		return glfw.KeyF1 + glfw.Key(k-input.F1), true
	case k >= input.Pad0 && k <= input.Pad9:
		return glfw.KeyKP0 + glfw.Key(k-input.Pad0), true
	}
	for _, p := range keyTable {
		if p.key == k {
			return p.glfw, true
		}
	}
	return 0, false
}

var keyTable = [...]struct {
	glfw glfw.Key
	key  input.Key
}{
	{glfw.KeySpace, input.Space}, {glfw.KeyEnter, input.Enter}, {glfw.KeyEscape, input.Escape},
	{glfw.KeyTab, input.Tab}, {glfw.KeyBackspace, input.Backspace}, {glfw.KeyInsert, input.Insert},
	{glfw.KeyDelete, input.Delete}, {glfw.KeyLeft, input.Left}, {glfw.KeyRight, input.Right},
	{glfw.KeyUp, input.Up}, {glfw.KeyDown, input.Down}, {glfw.KeyPageUp, input.PageUp},
	{glfw.KeyPageDown, input.PageDown}, {glfw.KeyHome, input.Home}, {glfw.KeyEnd, input.End},
	{glfw.KeyCapsLock, input.CapsLock}, {glfw.KeyPause, input.Pause}, {glfw.KeyPrintScreen, input.PrintScreen},
	{glfw.KeyMinus, input.Minus}, {glfw.KeyEqual, input.Equal}, {glfw.KeyLeftBracket, input.LeftBracket},
	{glfw.KeyRightBracket, input.RightBracket}, {glfw.KeyBackslash, input.Backslash},
	{glfw.KeySemicolon, input.Semicolon}, {glfw.KeyApostrophe, input.Apostrophe},
	{glfw.KeyGraveAccent, input.Grave}, {glfw.KeyComma, input.Comma}, {glfw.KeyPeriod, input.Period},
	{glfw.KeySlash, input.Slash}, {glfw.KeyLeftShift, input.LeftShift}, {glfw.KeyRightShift, input.RightShift},
	{glfw.KeyLeftControl, input.LeftControl}, {glfw.KeyRightControl, input.RightControl},
	{glfw.KeyLeftAlt, input.LeftAlt}, {glfw.KeyRightAlt, input.RightAlt},
	{glfw.KeyLeftSuper, input.LeftSuper}, {glfw.KeyRightSuper, input.RightSuper}, {glfw.KeyMenu, input.Menu},
	{glfw.KeyKPDecimal, input.PadPeriod}, {glfw.KeyKPDivide, input.PadDivide},
	{glfw.KeyKPMultiply, input.PadMultiply}, {glfw.KeyKPSubtract, input.PadMinus},
	{glfw.KeyKPAdd, input.PadPlus}, {glfw.KeyKPEnter, input.PadEnter},
	{glfw.KeyWorld1, input.World1}, {glfw.KeyWorld2, input.World2},
}
