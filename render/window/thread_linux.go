package window

import "syscall"

// threadID returns the system's number of the calling thread.
func threadID() uint64 { return uint64(syscall.Gettid()) }
