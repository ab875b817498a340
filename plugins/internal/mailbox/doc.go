// Package mailbox carries frames between a host and its plugin in shared memory, on
// Linux. It is shared by plugins/host and plugins/sdk.
//
// A box is two pieces of memory and two bells. The host writes requests into one
// piece, which the plugin can only read; the plugin writes answers into the other.
// Each piece is a head and four slots, used in turn:
//
//  1. Writer.Put takes the next slot, makes its sequence number odd, writes the
//     frame, makes the number even, and then names the slot in the head.
//  2. The writer rings: an eventfd that the other side sleeps on.
//  3. Reader.Take copies the newest frame out, and only then looks whether the slot
//     still has the number that it had before, and whether the sum agrees. Frames
//     that were overtaken are never seen.
//
// Nobody ever waits for the other to read, so that a plugin that stands still can
// delay no tick. Host.Wait waits for an answer, for the end of the process and for a
// deadline in one call.
//
// Trust: the host reads no byte of the plugin's memory twice, and uses none that was
// not copied out and checked. The pieces can be neither shrunk nor grown (no SIGBUS),
// and the requests cannot be written by the plugin (F_SEAL_FUTURE_WRITE). A plugin can
// spoil its own answers, and nothing else.
//
// Memory: Put copies from and Take into the caller's memory; the steady state
// allocates nothing. Each end belongs to one goroutine, but for Host.Close and
// Plugin.Ring, which any may call. Elsewhere than on Linux New says ErrUnsupported.
package mailbox
