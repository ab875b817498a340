// Package text turns runes into pictures of glyphs: faces that are compiled in,
// an atlas that is filled on demand, and the measures of a line.
//
// It works on the processor and knows nothing of OpenGL: the drawer uploads the
// rows that Dirty names. Glyphs are rasterised at the exact pixel size that is
// asked for, which keeps small console text crisp; sizes are whole pixels, so a
// window that is being resized asks for few of them. When the atlas is full it
// is emptied and filled anew with what is then in use.
//
// Units: pixels; a size is the height of the em square. Positions name the
// baseline. Memory: the Atlas owns its pixels and reuses them; looking up a
// glyph that is already there does not allocate. One goroutine at a time.
package text
