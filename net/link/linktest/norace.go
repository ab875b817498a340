//go:build !race

package linktest

// slack is how many allocations per round are let pass.
const slack = 0
