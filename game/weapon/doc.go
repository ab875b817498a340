// Package weapon is the predicted weapon: a small state machine over the weapon
// fields of state.Player, and the paths that its projectiles take.
//
// The way of a tick, the same on the server and on a predicting client, after
// pmove has moved the player:
//
//  1. Step forgets burst shots (Cool, Shots) and counts WTimer down,
//  2. finishes or begins a change of weapon (Next),
//  3. fires when the trigger, the timer, the flags and the ammunition allow, and
//     reports the Shot with its direction, spread applied.
//
// What a shot hits is decided elsewhere, by the server alone; a weapon with Melee set
// is a shot of the same kind here, whose volume is tested there.
//
// Spread is a hash of the player's own secret seed and the shot's number, so that
// a client draws its own bullets where the server will put them, and nobody
// else's. The direction is rounded to the angles that an event can carry before
// it is used: what is told is what was tested.
//
// Units: degrees, ticks, metres. Times of the tables are rounded to whole ticks,
// at least one, at most 255. All products are rounded explicitly; nothing
// allocates; a Player belongs to the caller, and any goroutine may call with its
// own.
package weapon
