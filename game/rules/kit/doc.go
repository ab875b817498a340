// Package kit is the parts that shipped rules are put together from and that an
// author of rules may use as well: places to enter a level, lives, teams with their
// score, a pace other than the tables', and a way to store and read a state.
//
// All of it is plain data of one goroutine; nothing here keeps what it was given
// beyond the call, and nothing has a clock or dice of its own.
package kit
