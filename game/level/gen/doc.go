// Package gen makes levels by code, for benchmarks: large ones, the same on every
// platform for the same Config, without a file.
//
// Countryside is about two kilometres of hills with towns and trees. Lengths are
// metres. Coordinates are whole eighths, and every product is rounded by itself, so
// that a level's hash is the same wherever it is made.
//
// Nothing here keeps state; a Level belongs to the caller and any goroutine may
// read it.
package gen
