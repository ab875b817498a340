// Package rewind is the memory of lag compensation: where every player was and how
// every door stood in the last ticks (History), and what of it each client was sent
// (Seen).
//
// The way of the data:
//
//  1. Each tick, after everybody has moved: Begin(tick), then Put for each player
//     and PutDoors.
//  2. For each packet that leaves: Seen.Begin, then Tell for each player in it, with
//     TellPath for the way that somebody new came by, and SetDelay for who is sent
//     more rarely. When the packet is acknowledged: Arrived.
//  3. For a shot, Back turns "so many 256ths of a tick ago" into a Time, never
//     past the cap and never before the first tick;
//  4. Look finds where the shooter's client drew a player at that Time, on the curve
//     that the client itself draws by (state.Blend, state.Carry), between the updates
//     that had arrived there; and says how it was shown, or why it was not. At gives
//     the same for a client that has every tick, Doors the doors of the tick that
//     begins it. Nothing live is touched, so there is nothing to put back.
//
// Stored positions are on the 1/256 m grid, the finest that is ever sent: what is
// tested is what could be drawn. A coarser detail is a shift of that grid
// (Sample.Coarsen), applied when a shot looks. Between two updates
// a pose is blended, except over a teleport, a spawn or a death: there the earlier
// pose holds until the later one is reached, as on the shooter's screen.
//
// Look is held to the bit against a plain client by TestLookIsWhatAClientDraws, and
// against the real one by engine/scenario TestServersTestWhatClientsDrew.
//
// Depth counts the ticks kept: ceil(max rewind × tick rate) intervals back, the
// present one that ends them, and one spare, so that is ceil(…) + 2. A rewind of
// 250 ms needs 17 at 60 Hz and 10 at 30 Hz. NewDeep keeps some more: updates that
// were sent rarely are older than the instants that are drawn from them.
//
// A History owns all of its memory and allocates only when made; a Seen also at the
// first packet of each shooter. Both belong to the goroutine of the simulation.
package rewind
