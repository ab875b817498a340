// Package codec turns one tick's data into one frame of bytes and back. It is
// shared by plugins/host and plugins/sdk, so that both sides of the process
// boundary read the same layout; plugins/README.md writes the layout down for
// other languages.
//
// A frame is a header of 16 bytes, fixed numbers of the kind, and columns: one
// array per field, all little-endian, in decreasing width, so that every array is
// aligned when the frame is. Texts come last.
//
// The Append functions cannot fail; they write what they are given. The Decode
// functions trust nothing: every count is checked against the bytes that are
// there before memory is made for it, no input panics, and the memory made is
// bounded by the frame's length and by the limits below. What decodes is well
// formed, not necessarily sensible: ids, ownership and finite numbers are the
// engine's to check (sim.Apply).
//
// Memory: Append functions append to a buffer of the caller's; Decode functions
// fill a value of the caller's and reuse its memory, so that the steady state
// allocates nothing except for texts that have changed. Nothing decoded keeps a
// slice of the frame. There is no state here: any goroutine may call.
package codec
