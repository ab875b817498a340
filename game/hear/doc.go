// Package hear is the one place that decides which events a client is told of,
// and how exactly. An event may name a player and a place; here both are checked
// against what the client knows already, so that no event discloses more than
// sight did, but for one deliberate leak: sound.
//
// A client is told what happened to itself; what those do whom it is being sent;
// bullet marks and teleports at places that it can see; and, without any place, the
// kill feed and who came and went. Of those whom it is not being sent it hears what
// is within earshot (tables.Weapon.Earshot and Muffled, tables.Sounds):
//
//   - a shot: who, with what, where from and which way, the place and the way
//     roughly, and never its number, which counts shots that nobody heard;
//   - steps, jumps, landings, reloads and the like: that, and roughly where. They
//     name nobody;
//   - doors and pieces of the level that break: which, and where the level has them,
//     naming nobody;
//   - what bursts or goes off: what, and where to the grid of its distance, naming
//     nobody; the same of what is thrown and strikes something, but not what.
//
// Teleports and spawns are not heard of the unseen.
//
// # How rough a place is
//
// What is told is the true place, moved by an offset and rounded to a grid. The
// offset is drawn once for each listener, source, encounter and octave of distance,
// from a secret: evenly from a disc of the radius distance/64, to the nearest power
// of two. The grid is as wide as the radius, and a place stays as it was told until
// it is well out of its cell. An encounter ends after ten seconds without a sound, or
// when the listener is sent the source.
//
// Why both: the offset stays, so that listening longer says nothing new; alone it
// would hand over the exact shape of a way, moved as a whole, and from that and a map
// a cheat could find the offset. The grid takes the shape away; alone its lines could
// be found by whoever hears somebody cross them. The octave is found from rough
// places too: by the true one a listener who moves about could measure it.
//
// What it does leak: within an encounter, that two sounds came from one source; the
// distance at which a source is heard first and no more, as any sharp earshot does;
// and by averaging over encounters, which take ten seconds each, a place that does
// not change. Error bounds how far off a told place can be.
//
// # Who listens with the same ears
//
// Somebody who watches a player hears with that player's ears. An offset of its own
// would be a second draw for the same source: two drawn from a disc of radius r leave a
// place that is r/2 off in the mean of the squares instead of r over the root of two,
// and n of them r over the root of 2n, so friends who take turns in watching could
// average as fast as they like. So who watches has no draws: Follow gives it the
// watched player's Memory, before each tick. What two such listeners know together is
// what one of them knows; who is told without a delay, and after the watched in a tick,
// may find a place in the cell beside, by the same offsets. Only where the watched is told nothing itself, as when its
// line is down, a watcher begins encounters of its own; then nobody has the other draw.
//
// # Memory
//
// Route allocates nothing in steady state. What it remembers is in a Memory, one for
// each client, with an entry for each source heard in the last ten seconds. Any
// goroutine may call it with its own Senses and Memory.
package hear
