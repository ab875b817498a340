// Package state holds the words that every room shares: the player as movement
// and weapons predict it, a user command, what is shown of others, events. Data
// only; behaviour lives in the packages that use it.
//
// Units: metres, degrees at public surfaces (Angle16 on the wire and in
// commands), ticks for time. All types are plain values without pointers, so
// that copying one is a snapshot of it; any goroutine may use them.
package state
