package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
)

func main() {
	if err := newRoot().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "sightline:", err)
		os.Exit(1)
	}
}

// newRoot returns the whole command tree; streams are set by cobra's SetIn,
// SetOut and SetErr.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "sightline",
		Short:         "Tools of the Sightline engine",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newMap(), newDemo(), newLedger(), newNetsim(), newBench(), newTrain(), newScenario(), newToken(time.Now), newPlugin())
	return root
}
