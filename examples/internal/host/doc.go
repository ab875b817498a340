// Package host puts a match together for the example programs: it declares their
// settings, finds levels, starts the rules and the policy (each in a process of
// its own, or linked in), opens the socket, and steps the server and the bots on a
// goroutine of its own, by a fixed clock.
//
// arena (client and listen server) and arenad (dedicated) share it, so that both
// run the same match. It needs no cgo.
//
// A Host's methods may be called from any goroutine unless they say otherwise.
package host
