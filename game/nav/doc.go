// Package nav finds ways over a level for anything that walks like a player.
//
// Build floods the level from its spawns and pickups with the real body: a grid
// of standing places half a body apart, joined by what a player can do between
// them: walk (stairs and slopes included), drop, jump up or across, ride a jump
// pad, step into a teleport, swim. So every edge has been tried with traces
// before a bot tries it, and any map that can be loaded can be walked.
//
// A Graph is immutable and shared; a Finder is one caller's scratch memory for
// A*. Nothing here reads a clock or random numbers, and ties are broken by node
// index: the same level gives the same graph and the same paths.
package nav
