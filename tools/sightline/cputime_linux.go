package main

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the CPU time of the calling thread, as a time, and what to call it. The
// goroutine must be locked to its thread. Where the system counts that only in
// steps too coarse for a tick it is wall-clock time.
func cpuTime() (func() time.Time, string) {
	now := func() time.Time {
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
			return time.Time{}
		}
		return time.Unix(t.Unix())
	}
	const fine, patience = 20 * time.Microsecond, 20 * time.Millisecond
	first := now()
	for start := time.Now(); time.Since(start) < patience; {
		if d := now().Sub(first); d > fine {
			break
		} else if d > 0 {
			return now, "CPU time of the thread"
		}
	}
	return time.Now, "wall-clock time"
}

// peakMiB is the most memory that the process has had resident, in MiB.
func peakMiB() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Maxrss) / 1024
}
