package main

import (
	"bytes"
	"os"
	"strconv"
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

// residentMiB is the memory that the process has resident, in MiB; 0 when that
// cannot be had.
func residentMiB() float64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, ok := bytes.Cut(b, []byte("VmRSS:"))
	if !ok {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseFloat(string(fields[0]), 64)
	return kib / 1024
}

// processTime is the CPU time that the process has had.
func processTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
