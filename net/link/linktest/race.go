//go:build race

package linktest

// slack is how many allocations per round are let pass: under the race
// detector sync.Pool forgets on purpose.
const slack = 6
