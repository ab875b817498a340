// Package python holds a visibility policy in Python, policy-distance, and the test
// that holds it to the contract.
package python
