// Package host runs plugins: processes in, vis.Decider and rules.Runner out. It
// owns what a server must not know of: finding the binary, starting it, telling a
// person why it did not start, the deadline, the fallback, the checks, the
// restart, and the end.
//
// The way of a tick through it:
//
//  1. Policy.Submit and Rules.Submit copy what they are given, encode it and
//     return: nothing here waits for a process on the tick's thread.
//  2. A goroutine per life owns the stream and sends; at most one input is with a
//     policy at a time, the newest waits, older ones are dropped. Rules get every
//     tick, from a journal.
//  3. A second goroutine per life receives, checks and keeps the newest answer.
//  4. The fallback decides the same batch on a goroutine of its own.
//  5. Policy.Collect waits until the deadline and returns the answer, or what the
//     standing answer's holds and the fallback permit (see standing.go). Rules.Take
//     returns the operations that have come since, without waiting.
//  6. A supervisor goroutine notices the end of a life and starts the next.
//
// With Wait set (tests, scenarios, replay) 5 waits without a deadline, and a
// restart is waited for, so that a match in stepped time depends on no clock.
//
// Never fail open: whatever happens to the process, no pair is permitted that
// neither an unexpired hold of its own last answer nor the fallback permits.
//
// Memory: batches, frames and answers are pooled; the steady state allocates only
// inside gRPC. Submit and Collect (or Take) are called by one goroutine, the
// tick's; everything else may be called by any.
package host
