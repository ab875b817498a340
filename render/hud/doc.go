// Package hud lays out what is shown over the picture: crosshair, health and
// ammunition, score, kill feed, scoreboard, messages, net graph and console.
//
// Everything is a function from plain data to marks: a Model says what is true,
// Draw says where it stands. Nothing here keeps state, reads a clock or knows
// what a player is; times are given as ages, so that one model always gives one
// picture.
//
// Units are those of scene.HUD: 720 to the height of a 16:9 window, y downwards.
// Every layout is clamped to the space that there is, and one that does not fit
// leaves things out rather than drawing them on each other.
//
// Memory: marks and bytes are appended to the HUD that is passed in; a Model's
// slices and strings are the caller's and are only read. Drawing a model like
// the one before does not allocate. One goroutine at a time.
package hud
