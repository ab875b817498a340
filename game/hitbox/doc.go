// Package hitbox is where a player can be hit: a head, a chest, a pelvis and legs
// posed by where the player stands, how it is turned, how far it ducks and how
// far it leans, and the test of a shot's line against them.
//
// A pose holds only what is sent of another player, so that a shooter's client
// could draw exactly what the server tests. Sizes follow from the movement table:
// the head is a ball around the eye, the rest are boxes that turn with the body
// and stand inside the movement box. Leaning shifts the head as far as the eye
// and the chest half as far; only then may they reach out of the movement box.
//
// Metres, degrees. Everything is a plain value; nothing allocates; any goroutine
// may call. All products are rounded explicitly: a client may predict a hit.
package hitbox
