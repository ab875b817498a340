// Package pmove moves one player by one command: the same bits on the server and
// on a client that predicts.
//
// Step, in order:
//
//  1. look and flags from the command; timers count down; the stance (crouch);
//  2. ride: what stands on a mover goes with it, what a mover enters is pushed;
//  3. the tick is cut into equal sub-steps of at most 1/100 s, so that jump
//     heights and speeds do not depend on the tick rate. In each: water level,
//     pads, one of walk, air, swim, climb or fly, then the ground below;
//  4. the eye: how far crouched, how far leaned, stopped by walls.
//
// A move is slide (along up to five planes) inside step (the same again from a
// step's height, kept when it lands higher). Velocities are integrated by the
// mean of a sub-step's start and end, which is exact under gravity.
//
// The world is an interface of two methods. A conversion of a trace.Scene to it
// allocates; hand in a pointer to one that is kept.
//
// It does not: apply damage (Out tells how hard a landing was), collide players
// with each other, teleport, or send anything. All products are rounded
// explicitly; state is left finite and without negative zeros whatever goes in.
// Metres, seconds, z up. A Player belongs to the caller; any goroutine may call
// with its own.
package pmove
