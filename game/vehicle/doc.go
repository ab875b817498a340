// Package vehicle drives a vehicle by one command, the same bits on the server and
// on the client of who drives, and says where its seats and its hull are.
//
// Step, in order: the tick is cut into equal sub-steps of at most 1/100 s, as pmove
// cuts it. In each: the ground below, water; the keys turn and speed up along the
// ground, or gravity pulls; then a slide along up to five planes, tried again from
// a step's height, and down again where the ground falls away. At the end its pitch
// follows the ground.
//
// For movement a vehicle is three upright boxes in a row along its heading (Boxes),
// which do not turn: a vehicle at 45 degrees is a little wider than it looks. It
// turns only into free space, and a step that would end inside something is not
// taken, so that it never ends inside a solid (TestNeverInsideASolid). Bodies meet
// the same boxes (Around). Shots meet one box that turns and pitches with it, exactly
// (Ray).
//
// It does not roll over, hurt anybody or send anything. All products are rounded
// explicitly; state is left finite and without negative zeros whatever goes in.
// Metres, seconds, z up. A Car belongs to the caller; any goroutine may call with
// its own.
package vehicle
