// Package rangecode is a static range coder: symbols whose chances both sides know
// take as many bits as their chances say, fractions included.
//
// An Encoder narrows an interval of 32 bits by the share of each symbol, as in
// G. N. N. Martin's "Range encoding" (1979), and puts out a byte whenever the top
// one is settled; a carry into bytes that are already out is held back until it is
// decided. A Decoder follows the same intervals. Shares are integers out of Total,
// so that both sides agree to the bit on every machine. Raw bits of even chances go
// through the same interval.
//
// The end costs no length: Finish puts out the fewest bytes that name the interval,
// and a Decoder reads zeros past its end, at most Slack of them before it reports
// ErrShort. So the work of a Decoder is bounded by what it is asked for, and what
// it is asked for by the caller's own limits.
//
// An Encoder is a small value: Mark and Back take a copy and put it back, which
// undoes what was put in between, in the buffer too. Tell says how much was put in
// 16ths of a bit, long before the bytes are out.
//
// Nothing here panics on data from the wire, allocates, or keeps state between
// packets. Encoder and Decoder belong to one goroutine; a Table is only read.
package rangecode
