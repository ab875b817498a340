// Package client is a headless client: it connects, keeps its clock, predicts its
// own player, interpolates the others, and says what there is to be drawn and
// heard. A window (engine/desktop), a bot and a test use it alike.
//
// The way of one Advance:
//
//  1. time goes on, on both timelines (clock.go);
//  2. receive: datagrams through the session; messages and snapshots are taken
//     (take.go);
//  3. reconcile: the newest own state replaces the prediction and the commands
//     after it are run again with the same code (predict.go); what they showed and
//     do not make any more is taken back (effects.go);
//  4. sync: the newest snapshot tells the clock how late or early it is;
//  5. command: for each tick that the command timeline has reached, Input is
//     asked for one and it is predicted at once (predict.go);
//  6. send: the last commands, and what was received.
//
// There are two timelines. The own player, and the mover that it stands on, are
// predicted: shown where they will be when the commands under way have been run.
// Others, doors and other movers are shown as they were an interpolation delay ago:
// Others draws them by state.Blend and state.Carry, and by state.Delay those later
// who are updated rarely (interp.go), Scene the movers (movers.go). The server tests
// shots by the same functions on the updates that arrived, so whatever is changed
// in how something is drawn must be changed there.
//
// The server may change the tables while a match runs (tables.go): each command runs by
// those of its tick, and where the client lacks them it predicts nothing and shows its
// player as the server tells of it (Predicting).
//
// Between two ticks the view is interpolated, and eased over corrections (Eye,
// Ease); nothing of that is sent or predicted: the frame rate changes no bit.
//
// What it knows of the world is the level that it loaded itself and what it was
// sent; it cannot import game/sim or engine/server (tools/arch). A Client belongs
// to one goroutine and reads no clock: now is an argument, nanoseconds.
package client
