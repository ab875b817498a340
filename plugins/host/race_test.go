//go:build race

package host_test

// raceEnabled: the race detector allocates and is slow.
const raceEnabled = true
