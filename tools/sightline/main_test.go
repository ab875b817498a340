package main

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the tests' binary stand in for the program where that runs itself.
func TestMain(m *testing.M) {
	if os.Getenv(partEnv) != "" {
		if err := newRoot().Execute(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
