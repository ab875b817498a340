// Package bot plays: it turns what a client was sent into a command.
//
// A Brain gets Senses, which hold nothing but what its client holds, its own
// predicted body and the subjects on its screen, and answers with buttons and
// angles that a person could have pressed: it turns at a limited speed, needs
// time to react, misses by a hand's tremor, and shoots only at what its own eye
// sees over its own copy of the level. It never sees the server's world.
//
// On a long way it takes a vehicle that stands near and in which, as far as it knows,
// nobody sits (board.go), drives it along a way that is wide enough, aside of others,
// and gets out near the goal, when it is shot at, or when it is stuck (drive.go). Who
// finds the wheel taken sits beside, shoots from there, and gets out where the ride ends.
//
// A Brain belongs to one goroutine. All randomness comes from its seed and the
// tick: the same Senses give the same commands.
package bot
