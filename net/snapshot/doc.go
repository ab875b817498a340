// Package snapshot turns Views into packets and packets back into what a client
// knows.
//
// The server has one Encoder per client:
//
//  1. Encode writes a vis.View as the snapshot of one packet. It takes nothing
//     else: what is not in the View cannot be sent. EncodeRest goes on in another
//     packet with those for whom there was no room; Note takes the View of a tick
//     that has no packet.
//  2. Acked and Lost say what became of a packet. Told says what a packet tells.
//
// The client has one Decoder: Decode takes a packet's snapshot and returns the
// Snapshot that holds after it.
//
// How it stays small and right over a link that loses and reorders:
//
//   - Everything is range coded by trained tables (net/wire). Pack writes the same
//     packed bit by bit, Plain as a plain encoder would; a Decoder reads them all.
//   - Both sides keep the last Ring packets. A record is coded against the record
//     of the same subject in a packet that the client has acknowledged, its base.
//     Each subject's base advances by itself; most are in the packet which the own
//     state is based on, whose subjects are gone through in order and need no
//     naming. A base older than MaxAge packets, or none, gives a full record.
//   - A full record goes out in two packets, since one may be lost. Until something is
//     heard of them the subject's motion is told in loose records, against the first:
//     they stand last, and a client that does not have it stops there. Nothing is ever
//     based on a loose record. When a newer packet is acknowledged and neither of the
//     two, they were lost and it starts again.
//   - A subject is sent while the newest record of it is not known to have arrived.
//     After that it costs nothing until it changes.
//   - A subject that leaves the View is named as removed, likewise twice and then
//     when that was lost; until a packet that says so is acknowledged no snapshot is
//     Complete. If it comes back it has a new generation and starts with a full
//     record, so nothing of before is taken for new.
//   - On the client a subject is a register: the highest packet number that mentions
//     it wins, in whatever order packets come.
//   - An event has a number of its own per client. It is sent once, again when the
//     packet was lost, and no longer when it is a second old; doubles are dropped.
//     What a record shows by itself is no event: shots by their count, steps by the
//     stride, jumps and landings; the Decoder makes events of them. So is nothing that
//     the client predicted.
//   - The own state is coded bit for bit, because the client predicts from it. While
//     nothing but the client's commands acted on it since the base, and no door moved
//     that the base does not tell of, one bit leaves it to the client's prediction:
//     replaying the commands from the base gives the same bits. In every 16th packet
//     a hash says whether it did; if not the Decoder needs a snapshot without a base.
//   - A subject that is Still has no record in a packet, whatever of the earlier ones was
//     lost: a record would tell where it is by now.
//   - A subject with an Interval is sent every so many ticks once its first record
//     has arrived.
//   - When a packet is full, those subjects wait that were sent last; new ones go
//     first. Whenever somebody waits the snapshot is not Complete: who is not mentioned
//     may have changed.
//
// Subjects have numbers per client, the lowest that is free when one comes into view.
// Players keep their ids, which the board tells anyway; a thing's id is the Decoder's
// own, and the server's never leaves it. Shots, teleports and the stride are counted
// from when a subject came into view. So nothing counts across clients, or while
// somebody is hidden.
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
