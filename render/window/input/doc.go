// Package input is what a keyboard and a mouse did, as plain values: the events
// that a window reports, the names of keys that bindings use, and a State that
// folds events into "which actions are held, and which began".
//
// It links no window system, so that all of it is tested without one, and so
// that settings and bindings can name keys on a machine that has none.
//
// The way through it, once a frame:
//
//  1. window.Poll returns the events since the last one
//  2. State.Feed takes each; Game, UI or nobody receives it by State.Mode
//  3. State.Held, State.Take, State.Text, State.Mouse answer for this frame
//
// A key counts as pressed once, however long it is held: what the system repeats
// arrives as Repeat and is seen by text fields only. When the focus is lost, or
// a menu takes the keyboard, every action is released, and a key that is still
// down then does nothing until it is pressed anew.
//
// Units: mouse motion in counts of the device when raw, otherwise in window
// units. Memory: a State owns its slices and reuses them; Text is valid until
// the next Begin. One goroutine at a time.
package input
