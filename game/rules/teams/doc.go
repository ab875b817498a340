// Package teams is the rules of team deathmatch: two teams, until one has enough
// frags or the time is over.
//
// Whoever comes is put on the smaller team and may ask for the other one with
// /team red, /team blue or /team auto, as long as the teams stay even. The dead
// return as in a duel, at places of their own team where the level has such, far
// from enemies, and cannot be hurt for a while or until they shoot. A kill of a mate
// costs a point; whether mates can be hurt at all is a setting, and so is how heavy and
// how fast people are, of what the tables say.
//
// Everything follows from the match's seed and the ticks. Save holds all of it. A
// Rules belongs to one goroutine; a tick without news allocates nothing.
package teams
