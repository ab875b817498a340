// Package sim is the authoritative world of a match: players, projectiles, doors
// and pickups, moved one tick at a time by commands, and changed from outside only
// by rules operations. It is a deterministic machine: the same Config, and the
// same calls in the same order, give the same bits (Hash) on every platform. It
// has no clock, no goroutine and no I/O.
//
// Between two ticks: Join, Leave, and Apply with what the rules answered. Then
// Step, in this order (step.go):
//
//  1. doors: triggers, waiting, blocking; where every mover is in this tick,
//  2. players by id: pmove, weapon, then what they touch (teleports, pickups,
//     liquids, the void),
//  3. bodies that overlap are pushed apart, softly,
//  4. everybody's pose goes into the rewind history,
//  5. shots by id (shoot.go): bullets and blows against players behind doors as
//     their shooter's client drew them; projectiles begin at that instant and meet
//     at once what they would have met since; each leaves a ShotRecord that says
//     what became of it and why,
//  6. projectiles fly, strike and burst,
//  7. pickups return; the list of things is made.
//
// A shot leaves from the shooter's eye at its command. Where the shooter had been
// thrown without its client knowing yet, that is the eye that the client showed,
// found by replaying the simulation's own states and commands (predicted.go).
//
// All players have moved before the first shot is tested, so ids give nobody an
// advantage, and two players can kill each other in one tick.
//
// Everything that changes predicted state other than by a player's own command
// adds to Player.Forced, so that a client can tell its own error from an outside
// force. Damage alone does not: health is not predicted.
//
// Memory: slices that a Sim returns (Events, Things, IDs, Doors, LastShots) and
// the Players that it points to are its own, valid until the next call that
// changes it, and must not be written. A steady tick allocates nothing. A Sim
// belongs to one goroutine. Metres, m/s, ticks.
package sim
