// Package demo writes and reads recordings of matches: one canonical stream made
// on the server, of the whole world on the grid of the wire and of who was told
// what of it. Any player's picture, a free camera, or what one client knew are
// filters at playback.
//
// # The file
//
//	magic "SLDEMO\r\n", version u16, length u32, CRC u32, header
//	record: kind u8, length u32, CRC u32, payload     (again and again)
//	index:  a record of kind 3, then its offset u64 and "SLDEMOIX"
//
// All numbers are little-endian; the CRC is CRC-32 (IEEE) of what it precedes. A
// payload of kind 1 is a keyframe, which needs nothing before it, one of kind 2 is
// a tick coded against the one before. Both begin with their tick, u32, and go on
// in bits as code.go walks them. A keyframe comes every two seconds, and a stream
// begins with one, so a recording that was begun in the middle of a match plays
// alone. A file without its index was cut off; it plays up to the cut, and
// Info.Cut says so in a sentence, so that a program can refuse it.
//
// # Who may do what
//
// Recorder.View, Frame and Roster belong to the goroutine of the server's ticks.
// They code into memory; a goroutine of the Recorder's own writes, through a
// queue that is bounded in number and bytes. When the writer cannot keep up, or
// fails (a full disk), recording ends with one sentence and the match goes on; a
// file is then cut back so far that its index fits.
// What they are handed is copied.
//
// A client can record too: what it was told, as frames with one viewer, itself
// (Header.Client). Such a demo is read by the same code.
//
// A Player is a Reader with a place in it, that plays, pauses and seeks; who it is
// shown to is not its business. Both are for one goroutine, which may be another
// for each.
//
// Reader is for one goroutine. It reads at any offset, keeps one record and two
// frames in memory, both bounded (MaxRecord, MaxSubjects), and never panics on
// what a file holds.
//
// Tables that were changed while the match ran are part of each frame, whole in a
// keyframe, so that a seek over a change, there and back, has those of its tick.
//
// Positions are state.Q (1/256 m), times are ticks.
package demo
