// Package hear is the one place that decides which events a client is told of,
// and how exactly. An event may name a player and a place; here both are checked
// against what the client knows already, so that no event discloses more than
// sight did.
//
// What a client is told now: what happened to itself; what those do whom it is
// being sent; bullet marks, explosions, doors and teleports at places that it can
// see; and, without any place, the kill feed and who came and went. The sound of
// players that it is not being sent is not passed on.
//
// Route is a pure function; it keeps nothing and allocates nothing. Any goroutine
// may call it with its own Senses.
package hear
