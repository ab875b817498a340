// Package bits packs and unpacks values bit by bit in a buffer that the
// caller owns.
//
// Order: the first bit written is the lowest bit of the first byte, and a
// value goes low bit first. Unused bits of the last byte are zero.
//
// Neither side ever panics on what the wire holds, and neither allocates
// (Reader.String excepted). A Writer that runs out of room sets a flag and
// writes nothing more; Truncate to an earlier position clears it, so that an
// encoder can take back the one record that did not fit. A Reader that runs
// past its end, or meets a length above the caller's maximum, returns zeros
// from then on and keeps the first error.
//
// Writer and Reader are values for one goroutine; the zero value is an empty
// buffer.
package bits
