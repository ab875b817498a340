package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs/faults.md names a test for each fault and kind of plugin.
func TestFaultsNameTestsThatExist(t *testing.T) {
	root := "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| fault |") {
			continue
		}
		rows++
		checkTests(t, root, line)
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 6 {
			t.Errorf("line %d has %d columns", i+1, len(cells))
		}
	}
	if rows < 20 {
		t.Errorf("only %d faults on the page", rows)
	}
}
