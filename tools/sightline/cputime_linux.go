package main

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time of the calling thread, as a time. The goroutine must be
// locked to its thread.
func cpuTime() (func() time.Time, string) {
	return func() time.Time {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &r); err != nil {
			return time.Time{}
		}
		return time.Unix(0, r.Utime.Nano()+r.Stime.Nano())
	}, "CPU time of the thread"
}

// peakMiB is the most memory that the process has had resident, in MiB.
func peakMiB() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Maxrss) / 1024
}
