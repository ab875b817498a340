// Package level holds a map ready to use: what it is made of, not how to ask it
// questions (that is game/trace) nor how it is drawn (render).
//
// A Level is made once, by a reader (level/mapfile, level/bsp) or by code
// (Terrain, Builder), and never changes afterwards: any number of goroutines may
// read it. Whatever moves or breaks during a match is game/scenery's state, which
// refers to the level's models and doors by index.
//
// Units are metres, z up, right-handed, degrees. Readers scale map units by
// 1/32 m unless told otherwise (Options.Scale).
//
// The same Level is loaded by the server, by each client, by the policy process
// and by the tools; Hash lets them agree that it is the same.
package level
