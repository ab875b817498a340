// Package gpu is a thin typed layer over OpenGL 4.1 core, and its only importer:
// programs, buffers, vertex arrays, textures, framebuffers, state, reading
// pixels back. It knows nothing of what is drawn.
//
// Every function belongs to the thread whose context is current. Objects are
// freed by their Delete method; deleting the zero value or twice is harmless.
// Nothing here allocates except creation, ReadPixels and errors.
//
// Matrices are mgl32's, column by column, and multiply column vectors.
package gpu
