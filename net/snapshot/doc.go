// Package snapshot turns Views into packets and packets back into what a client
// knows.
//
// The server has one Encoder per client:
//
//  1. Encode writes a vis.View as the snapshot of one packet. It takes nothing
//     else: what is not in the View cannot be sent.
//  2. Acked and Lost say what became of a packet.
//
// The client has one Decoder: Decode takes a packet's snapshot and returns the
// Snapshot that holds after it.
//
// How it stays small and right over a link that loses and reorders:
//
//   - Both sides keep the last Ring packets. A record is coded against the record
//     of the same subject in a packet that the client has acknowledged, its base.
//     Each subject's base advances by itself; most are that of the packet which the
//     own state is based on, and cost a bit to name. A base older than MaxAge
//     packets, or none, gives a full record.
//   - A subject is sent while the newest record of it is not known to have arrived.
//     After that it costs nothing until it changes.
//   - A subject that leaves the View is named as removed until a packet that says
//     so is acknowledged. If it comes back it has a new generation and starts with a
//     full record, so nothing of before is taken for new.
//   - On the client a subject is a register: the highest packet number that mentions
//     it wins, in whatever order packets come.
//   - An event has a number of its own per client. It is sent once, again when the
//     packet was lost, and no longer when it is a second old; doubles are dropped.
//   - The own state is coded bit for bit, because the client predicts from it. While
//     nothing but the client's commands acted on it since the base, and no door moved
//     that the base does not tell of, one bit leaves it to the client's prediction:
//     replaying the commands from the base gives the same bits. In every 16th packet
//     a hash says whether it did; if not the Decoder needs a snapshot without a base.
//   - A subject with an Interval is sent every so many 32nds of a second once its
//     first record has arrived, and its record says so: who is drawn from rare updates
//     is drawn later.
//   - When a packet is full, those subjects wait that were sent last; new ones go
//     first. Whenever somebody waits the snapshot is not Complete: who is not mentioned
//     may have changed.
//
// Ids are those of game/state for now, the same for every client. Nothing counts
// across clients: event numbers and generations are per client and count only what
// that client was sent.
//
// Decode never panics; its work and memory are bounded by the packet. It changes
// nothing when it returns an error. After ErrNeedFull, which a damaged or hostile
// stream can cause but loss cannot, the client asks the server to Reset its
// Encoder; a snapshot without a base then starts the client anew.
//
// Encoder and Decoder own the memory that they return, reuse it in the next call,
// and allocate only while more is going on than ever before. Each belongs to one
// goroutine.
package snapshot
