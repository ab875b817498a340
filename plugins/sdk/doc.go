// Package sdk makes a plugin's main a dozen lines: ServePolicy and ServeRules
// take the same Spec that a server can link in.
//
// What it does before the author's code runs, in this order: it tells a person
// who started the binary by hand what it is; moves stdout out of everyone's way
// (stdout is the handshake's channel: a print there would break the start; from
// here on it goes to stderr and so to the server's log); ignores closed pipes;
// ties the process to the life of its host (parent-death signal on Linux, the
// parent's id elsewhere, the end of the stream everywhere); keeps the Go runtime
// to one processor. Then it serves base, and the kind's service: Configure loads
// the level from a private copy and compares its hash, Run answers one frame per
// tick and makes no garbage of its own while it does.
//
// The author's value is called from one goroutine at a time. A panic in it ends
// the process; the host logs the trace and starts another.
package sdk
