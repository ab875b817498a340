//go:build !linux

package main

import "time"

// cpuTime is wall-clock time where a thread's own cannot be had.
func cpuTime() (func() time.Time, string) { return time.Now, "wall-clock time" }

// residentMiB is not known here.
func residentMiB() float64 { return 0 }

// processTime is not known here.
func processTime() time.Duration { return 0 }
