// Package server is the authoritative host of a match, dedicated and listen
// alike. It owns time and sessions; what happens in the world is game/sim's, who
// may know of it is game/vis's and a policy's, and what the rules are is a rules
// plugin's.
//
// One tick is ten calls, in order, in tick.go. Step runs exactly one tick; who
// calls it decides what time is: Run with a clock, a test with a counter.
//
// A Server is single-threaded: every method must be called from the goroutine
// that steps it, except Do, Stop and Stats. It starts one goroutine of its own, with 24
// clients or more and where there are two processors for it, which builds some of the
// Views of a tick while Step builds the others, and does nothing when Step is not under
// way (beside.go). Each View is the same whoever builds it. What the goroutine reads
// stands still meanwhile: the Frame, the Input, the Answer and the world; what it writes
// are Views that nobody else looks at before it is done. Close ends it.
// It never imports engine/client, render or plugins: it is handed a vis.Decider
// and a rules.Runner and cannot tell whether they are in this process.
//
// A client goes through these states: pending (handshake), joining (has keys and
// has not said who it is), loading (it was told the level and says when it has it),
// playing (it has a body or waits for one, and gets snapshots), away (not heard of;
// Config.ResumeMS) and gone. SESSIONS.md has them as a table that a test executes.
// Nobody is disclosed to a client before it has the level that should hide them.
//
// Both sides send without being asked, the server at least 16 packets a second and
// a client 20, so that silence means something: after TimeoutMS of it a session is
// over. The place of the player is then kept until ResumeMS after the last packet,
// with the body standing still, for a client that shows the ticket of that session
// (resume.go). A side that ends a session says so, with a reason, in three packets;
// then no place is kept. A packet that is not authentic ends nothing, and only a
// client itself can move its session to another address, by answering a question
// that was sent there.
//
// Tables may change while a match runs (tables.go): announced a second ahead at least,
// they hold from one tick on, on the server and with every client.
//
// What a client claims to have seen is judged in lag.go: a shot is tested at most as
// long ago as round trip, input buffer, dictated delay and one send interval with
// jitter explain, and never past the caps. Every shot leaves a record (shots.go) that
// the console command shots puts into words.
package server
