// Package bsp reads Quake III's compiled maps (IBSP version 46) into a Level.
//
// The way of the data: Parse reads the directory (lump.go), the entities
// (entity.go), then solids with their planes and shaders (solid.go), drawn
// surfaces and curved ones (surface.go), and visibility (vis.go), and hands all
// of it to a level.Builder.
//
// The directory's lengths are the only authority: entity text ends where its
// lump ends, with or without a NUL, and nothing outside a lump is read. Every
// index is checked; one that is wrong gives an error that names lump and index.
// A brush that encloses nothing costs a warning. Missing or odd visibility data
// means that everything is potentially visible. Memory and work are bounded.
//
// Curved surfaces are cut by level.Tessellate, as in package mapfile, so a
// source and its compiled map agree. Brush models are moved to their entity's
// origin. Lightmaps are as stored, without overbright scaling.
//
// Parse keeps no state and may be called from any goroutine; the Level shares no
// memory with the data.
package bsp
