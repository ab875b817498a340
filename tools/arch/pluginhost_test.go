package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostParts are the parts of what a host of plugins does, and how many lines each has at
// least in docs/plugin-host.md.
var hostParts = map[string]int{
	"authoring": 8, "equality": 1, "other languages": 1, "discover": 2, "start": 7, "agree": 3, "run": 6, "watch": 1, "restart": 4, "replace": 3,
	"stop": 1, "attach": 1, "observe": 2, "seen nowhere": 4,
}

// docs/plugin-host.md names tests that exist for each line of what the host does.
func TestPluginHostLinesNameTestsThatExist(t *testing.T) {
	root := "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "plugin-host.md"))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]int{}
	for i, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| part |") {
			continue
		}
		checkTests(t, root, line)
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 3 || hostParts[cells[0]] == 0 {
			t.Errorf("line %d: %s", i+1, line)
			continue
		}
		has[cells[0]]++
	}
	for part, least := range hostParts {
		if has[part] < least {
			t.Errorf("%s has %d lines, wanted %d", part, has[part], least)
		}
	}
}
