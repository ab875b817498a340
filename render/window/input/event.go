package input

// Kind is what happened.
type Kind uint8

// Kinds of event.
const (
	Press       Kind = iota // Key went down
	Repeat                  // Key is held and the system repeats it
	Release                 // Key went up
	Char                    // Rune was typed
	Move                    // the mouse moved by X, Y
	Cursor                  // the cursor is at X, Y in window units (only when free)
	Scroll                  // the wheel turned by X, Y
	FocusLost               // releases of all held keys have come before it
	FocusGained             // keys held now count as up
	Resize                  // the framebuffer is W x H pixels; either may be 0
	Iconify                 // minimised
	Restore                 // no longer minimised
	Close                   // somebody wants the window closed
)

// Mods are the modifier keys held during a key event.
type Mods uint8

// Modifiers.
const (
	Shift Mods = 1 << iota
	Control
	Alt
	Super
)

// Event is one thing that happened. Which fields count depends on Kind.
type Event struct {
	Kind Kind
	Key  Key
	Mods Mods
	Rune rune
	X, Y float64
	W, H int
}
