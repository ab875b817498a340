// Package udp is a link.Link over a socket of the system.
//
// Out: Send copies a packet into a batch; Flush, or a full batch, hands it to
// the system in as few calls as the system allows (one per 64 packets on
// Linux, one per packet elsewhere). Who sends calls Flush once per tick or
// frame.
//
// In: one goroutine reads the socket into a ring of buffers made in advance,
// and Recv takes packets out without blocking. A packet that finds the ring
// full is dropped and counted. Ready tells a program that has nothing else to
// do that something came. Close stops the goroutine and waits for it.
//
// Send, Flush and Recv belong to one goroutine; Close, Stats and LocalAddr may
// be called from any. IPv4 and IPv6 share one socket where the system allows,
// and IPv4 addresses are always in their short form. Nothing is allocated per
// packet.
//
// A server on a machine with several addresses sets Options.Answer: a packet to a
// peer then leaves from the address that the peer spoke to last, which is the only
// one that the peer takes it from. Which that was is kept in a table of fixed
// size; when the address is gone the system chooses.
package udp
