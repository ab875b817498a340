//go:build !linux && !darwin

package window

// threadID returns 0, which turns the assertion off: nobody has built for this
// system yet.
func threadID() uint64 { return 0 }
