//go:build !linux

package main

import "time"

// cpuTime is wall-clock time where a thread's own cannot be had.
func cpuTime() (func() time.Time, string) { return time.Now, "wall-clock time" }

// peakMiB is not known here.
func peakMiB() float64 { return 0 }
