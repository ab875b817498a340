// Package ledger writes and reads the record of disclosure: for every viewer and
// target the tick and the reason with which the target became known to the viewer,
// who decided that, the packets that told of it, and the tick and the cause of its
// end. It is what an audit, an operator and a detector of cheats read.
//
// # The way of a tick
//
//  1. The server's goroutine calls Acked, Shot, Name and Left as things happen,
//     Decided with the answer that is in force, Packet for each packet with a
//     snapshot, and Done at the end of the tick. All of them copy into a batch.
//  2. Done hands the batch to the Writer's own goroutine through a queue that is
//     bounded in number and bytes. When it is full the tick is left out and counted;
//     nothing waits, unless Options.Wait asks for it.
//  3. That goroutine (book.go) compares the batch with what was open, makes records
//     of the differences, and writes them in chunks (output.go).
//
// What a batch holds is the whole answer, so that a tick left out costs no more than
// its own place: the next one is compared with the last that was kept, and a Gap
// record says that the ticks of its changes are the latest that they can be.
//
// # The file
//
//	magic "SLLEDG\r\n", version u16, length u32, CRC u32, header
//	chunk: kind u8, length u32, CRC u32, payload      (again and again)
//
// Numbers of the framing are little-endian; the CRC is CRC-32 (IEEE) of what it
// precedes. A payload begins with the tick of its first and of its last record and
// their number, u32 each. Records follow, in bytes and varints as code.go walks them,
// in the order of their ticks. Kind 1 is a chunk of records; kind 2 is the last chunk
// of a file that was ended on purpose. A file without it was cut off, and Info.Cut
// says so in a sentence.
//
// A ledger is written in parts: when one is as long as Options.PartBytes the next
// begins, and the oldest is removed once there are Options.Parts of them. Each part
// begins with the names and with what is open (Carry), so it reads alone.
//
// A file that cannot be written to (a full disk) ends the ledger with one sentence;
// the match goes on.
//
// # Units and owners
//
// Times are ticks of the match; a disclosure is known from Begin to the tick before
// End. Distances are centimetres, angles degrees. The methods of a Writer that belong
// to the tick are for the server's goroutine and do not allocate in steady state;
// Stop and Close may be called from any. A Reader and a Replay are for one goroutine,
// hold one chunk and what is open, and never panic on what a file holds.
package ledger
