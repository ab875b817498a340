// Package wire is the schema of everything that travels above net/netchan: user
// commands, the records of a snapshot, and reliable messages.
//
// Each layout is written once, as a function over a Coder, which writes, reads or
// describes it. So the two directions cannot disagree, and the description
// (Schema, and its hash, which both sides compare before they talk) cannot be
// forgotten when a layout changes. STANDARD.md holds the description and test
// vectors; a test holds it to the code.
//
// A snapshot is range coded: each value is a symbol with chances of its own in the
// context that it stands in, and for large values raw bits below it (model.go). The
// chances are counts of what matches of bots coded (trained.go, by sightline train),
// on other maps and seeds than those that are measured; both sides have the same, for
// they are part of the Schema. The same layout packs itself bit by bit when it is
// given a bits.Writer. A Rec predicts the next record of its subject, in integers
// (record.go); state.Shown says what a client gets of a value.
//
// What is in one packet:
//
//   - client to server: one Client (commands and what was received);
//   - server to client: nothing, or one snapshot (net/snapshot);
//   - beside either, in netchan's reliable stream, whole messages: Append, and
//     ParseFromClient or ParseFromServer.
//
// Readers never panic and their work and memory are bounded by the packet; what
// is out of range is an error (bits.Reader.Fail) and the packet is dropped. Text
// is cleaned when it is written and again when it is read (Clean).
//
// Units are those of game/state. Values belong to the caller; nothing here is
// kept, and any goroutine may use it.
package wire
