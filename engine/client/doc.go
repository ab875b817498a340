// Package client is a headless client: it connects, keeps its clock, predicts its
// own player, interpolates the others, and says what there is to be drawn and
// heard. A window (engine/desktop), a bot and a test use it alike.
//
// The way of one Advance:
//
//  1. receive: datagrams through the session; messages and snapshots are taken
//     (take.go);
//  2. reconcile: the newest own state replaces the prediction and the commands
//     after it are run again with the same code (predict.go);
//  3. command: for each tick that the command timeline has reached, Input is
//     asked for one and it is predicted at once (predict.go);
//  4. send: the last commands, and what was received.
//
// Others are asked for with Others, at the shown timeline (interp.go).
//
// What it knows of the world is the level that it loaded itself and what it was
// sent; it cannot import game/sim or engine/server (tools/arch). A Client belongs
// to one goroutine and reads no clock: now is an argument, nanoseconds.
package client
