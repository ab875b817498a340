// Command trenchbroom draws what the TrenchBroom level editor shows for Sightline's
// textures, and the icon of its game list, into the game configuration beside it.
//
//	go run ./tools/trenchbroom [-o tools/trenchbroom/Sightline]
//
// The pictures are for the editor only. The game draws these names with its own
// generated looks (engine/desktop) and has no folder here in its search path.
//
// Everything is computed with whole numbers from names and coordinates: each run
// on each machine gives the same pixels. The test holds the pictures, the entity
// definitions and the configuration to the maps and to the loader.
package main
