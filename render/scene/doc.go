// Package scene is the plain data of one drawn frame, and of the world that
// frames are drawn in. It holds no behaviour beyond small helpers: whoever
// produces a frame fills it, render/draw reads it, and neither knows the other.
//
// Units: metres, z up, right-handed. Yaw turns from +x to +y, pitch is positive
// looking up, angles are in degrees. Colours in Color types are linear light
// (1 = fully lit white, above 1 glows); RGBA in the HUD is sRGB, as a designer
// writes it.
//
// Memory: the producer owns a Frame and reuses it. Frame.Reset keeps every
// slice's capacity, so a steady state does not allocate. A drawer reads a frame
// only during the call that it is handed to, and keeps nothing of it. A World is
// read once, by the upload; its owner may drop it afterwards.
//
// Goroutines: none of its own. One goroutine at a time may touch a Frame.
package scene
