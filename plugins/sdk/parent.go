package sdk

import (
	"os"
	"strconv"
	"time"

	"github.com/sightline-engine/sightline/plugins/internal/contract"
)

// parentPoll is how often the parent's id is read where nothing better is known.
const parentPoll = 500 * time.Millisecond

// watchParent ends this process soon after its host has died, however it died.
func watchParent() {
	dieWithParent()
	parent := os.Getppid()
	if host, err := strconv.Atoi(os.Getenv(contract.EnvHost)); err == nil && host != parent && parent == 1 {
		os.Exit(0) // it died before this line
	}
	go func() {
		for os.Getppid() == parent {
			time.Sleep(parentPoll)
		}
		os.Exit(0)
	}()
}
