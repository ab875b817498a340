// Package window opens the window, owns its OpenGL 4.1 core context, and reports
// what keyboard and mouse did. It is the only importer of GLFW.
//
// Threads: the window system belongs to the main thread. A program calls
// Lock from an init function or first thing in main; Open remembers that thread,
// and every method panics with a plain sentence when called from another one.
// Two are the exception, because the wish to close comes from elsewhere: Do
// queues a function for the next Poll, and RequestClose asks for the end.
//
// Two sizes: Framebuffer is in pixels and is what a viewport is made from; Size
// is in the window system's units and is what cursor positions are in. They
// differ on scaled displays, and a framebuffer of a minimised window is 0 x 0:
// Drawable says whether there is anything to draw on.
//
// Memory: Poll returns a slice that the next Poll overwrites.
package window
