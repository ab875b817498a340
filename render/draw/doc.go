// Package draw turns a scene into pixels.
//
// A frame's way through it, all in Renderer.Render:
//
//  1. view.go       camera → matrices, frustum, the uniforms all shaders share
//  2. figure.go, weapon.go, item.go
//     figures, weapons, items, rockets → boxes with round edges, one
//     instance each, drawn by one call (shape.go)
//  3. sprite.go     beams, sparks, fire, smoke, shadows, lines → one sorted list
//  4. world.go      chunks inside the frustum, by material, then sky, shapes,
//     translucent chunks, sprites, the viewer's weapon
//  5. post.go       samples averaged, bloom, tone curve, tint → the target
//  6. hud.go        marks → boxes and glyphs over it
//
// At upload a world is cut into cells per material (chunk.go), its shadows from
// the sun are drawn once, and a coarse block of "how much sky is seen from
// here" is computed (volume.go), which gives rooms and corners their shade.
//
// Surfaces without an image get a generated look from shaders/world.frag: plates
// of one and two metres, so that distance can be read off the walls.
//
// Everything belongs to the thread of the current context. A Renderer owns all
// its memory and reuses it: a frame that needs no more than the ones before
// does not allocate.
package draw
