package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// attacks is the list that docs/attacks.md answers, by what its rows begin with.
var attacks = []string{
	"amplification for every opcode and size", "hello flood", "half-open and never-confirming", "slot exhaustion",
	"token expired, future, altered, reused, raced", "every byte of a session flipped", "replay, duplication, reorder",
	"packets of another connection or reflected", "forged disconnect", "sequence wrap", "tick wrap", "49 days",
	"fragment bombs", "decoder bombs", "command floods, future and past ticks", "NaN and infinite angles", "view time forged",
	"acks for packets never sent", "ack-only ghosts", "rate requests absurd either way", "reliable backlog never acked",
	"chat spam", "400 ms silence", "optic or aim claims", "NaN positions from a plugin",
}

// docs/attacks.md names a bound and a test for each attack of the list.
func TestAttacksHaveTestsThatExist(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("../..", "docs", "attacks.md"))
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, a := range attacks {
		missing[a] = true
	}
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[1]) == "attack" {
			continue
		}
		for a := range missing {
			if strings.HasPrefix(strings.TrimSpace(cells[1]), a) {
				delete(missing, a)
			}
		}
		if strings.TrimSpace(cells[2]) == "" {
			t.Errorf("no bound in: %s", line)
		}
		checkTests(t, "../..", cells[3])
	}
	for a := range missing {
		t.Errorf("no row for: %s", a)
	}
}
