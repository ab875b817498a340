// Package kit is what visibility policies are put together from: which pairs are
// asked, a range, sight lines between bodies (Lines, Bodies), and a memory of when a
// pair was last clear (Pairs) and of whatever else a policy wants to keep of it
// (Store). A policy is then a page that says in which order they are asked.
//
// For rules that are asked of each viewer by itself there are also the places that
// an eye can reach in a while (Moves, Reach), the way that subjects came and the
// doors on it (Paths, Sights), the lines between the two (Look), the order of tests
// under a budget (Queue), and all of that put together (OneWay, for a Looker).
//
// Cones are where viewers see farther through the optics that they carry: what a
// policy with a range asks beyond it.
//
// Everything is keyed by subject ids, because rows and columns of an Input change
// whenever somebody joins or leaves; what is remembered of an id is forgotten when
// the subject leaves, teleports or spawns anew. Lengths are metres, times ticks.
//
// What has a Begin, Put or Decide belongs to one policy and one goroutine. It
// allocates only while more subjects are present than ever before.
package kit
