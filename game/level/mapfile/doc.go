// Package mapfile reads Quake .map text as editors write it, into a Level.
//
// The way of the data: Parse splits the text into tokens (lex.go), reads
// entities with their brushes and patches (parse.go, face.go, patch.go), finds
// each brush's planes and corners (game/level/exact), asks what its textures
// mean (level.Options), and hands solids, curved surfaces, drawn faces and
// entities to a level.Builder, which gives the entities their meaning.
//
// Dialects: faces with classic texture placement, with Valve's axes ("Valve
// 220"), and brush primitives ("brushDef"); curved surfaces "patchDef2" and
// "patchDef3"; trailing numbers of any count, as Quake II, III and their kin
// write. Brushes of func_group and func_detail belong to the world. Doom 3's
// "brushDef3" is refused.
//
// What is wrong with one brush or patch costs a warning that names file, line,
// entity and brush, and that brush. What leaves the structure unreadable costs
// one *Error with its line. Memory and work are bounded for any input.
//
// Coordinates in a file are map units, whole numbers or fractions; the Level is
// in metres. Parse keeps no state and may be called from any goroutine.
package mapfile
