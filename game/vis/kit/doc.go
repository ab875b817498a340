// Package kit is what visibility policies are put together from: which pairs are
// asked, a range, sight lines between bodies (Lines, Bodies), and a memory of when a
// pair was last clear (Pairs) and of whatever else a policy wants to keep of it
// (Store). A policy is then a page that says in which order they are asked.
//
// Everything is keyed by subject ids, because rows and columns of an Input change
// whenever somebody joins or leaves; what is remembered of an id is forgotten when
// the subject leaves, teleports or spawns anew. Lengths are metres, times ticks.
//
// A Pairs or Store belongs to one policy and one goroutine. It allocates only while more
// subjects are present than ever before.
package kit
