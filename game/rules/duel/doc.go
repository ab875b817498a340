// Package duel is the rules of free-for-all deathmatch: everyone against everyone
// until somebody has enough frags or the time is over.
//
// A match runs warmup (kills do not count), live, over (everyone stands still and
// reads the score); then it says that the match has ended and begins again with a
// warmup, in case nobody takes the level away. The dead return when they press
// fire or jump and have been dead for as long as the tables say, or after a while
// by themselves. They enter far from living players, and cannot be hurt for a
// second or until they shoot.
//
// Settings, each a decimal number: frag_limit (0: none), time_limit_s (0: none),
// warmup_s, over_s, respawn_s (by itself), protect_s,
// scoped_pct (how many of a hundred carry an 8x or a 4x optic),
// suppressed_pct (how many carry a suppressor), gravity_pct and speed_pct (of what the
// tables say), moon_s (for so long at its end a match is played at a sixth of the gravity).
//
// Everything follows from the match's seed and the ticks. Save holds all of it:
// Start with that, and the same ticks give the same operations. A Rules belongs to
// one goroutine; a tick without news allocates nothing.
package duel
