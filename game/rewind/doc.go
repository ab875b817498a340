// Package rewind is the memory of lag compensation: where every player was, and
// how every door stood, in the last ticks.
//
// The way of the data:
//
//  1. Each tick, after everybody has moved: Begin(tick), then Put for each player
//     and PutDoors.
//  2. For a shot, Back turns "so many 256ths of a tick ago" into a Time, never
//     past the cap and never before the first tick;
//  3. At gives a player's pose at that Time, Doors the doors of the tick that
//     begins it. Nothing live is touched, so there is nothing to put back.
//
// Stored positions are on the 1/256 m grid, the finest that is ever sent: what is
// tested is what could be drawn. Between two ticks a pose is blended, except over
// a teleport, a spawn or a death: there the earlier pose holds until the later
// tick is reached, as on the shooter's screen.
//
// Depth counts the ticks kept: ceil(max rewind × tick rate) intervals back, the
// present one that ends them, and one spare, so that is ceil(…) + 2. A rewind of
// 250 ms needs 17 at 60 Hz and 10 at 30 Hz.
//
// A History owns all of its memory and allocates only in New. It belongs to the
// goroutine of the simulation.
package rewind
