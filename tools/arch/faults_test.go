package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faults are what can go wrong with a plugin of either kind, as docs/faults.md calls it.
var faults = []string{
	"`kill -9`", "SIGSTOP", "slow by 5 ms", "slow by 20 ms", "slow by 200 ms", "garbage", "flood of log", "prints before it serves",
	"wrong version", "wrong hash", "missing file", "no execute permission", "temporary folder with a long path", "host killed with `-9`",
	"full disk", "forks", "takes too much memory", "keeps failing",
}

// docs/faults.md has a row for each fault and kind of plugin, which names its tests.
func TestFaultsNameTestsThatExist(t *testing.T) {
	root := "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	has := map[[2]string]int{}
	for i, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| fault |") {
			continue
		}
		checkTests(t, root, line)
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 6 {
			t.Errorf("line %d has %d columns", i+1, len(cells))
			continue
		}
		has[[2]string{cells[0], cells[1]}]++
	}
	for _, fault := range faults {
		for _, kind := range []string{"policy", "rules"} {
			if n := has[[2]string{fault, kind}]; n != 1 {
				t.Errorf("%s of %s has %d rows, wanted one", fault, kind, n)
			}
			delete(has, [2]string{fault, kind})
		}
	}
	for row := range has {
		t.Errorf("nobody knows the fault %q of %q", row[0], row[1])
	}
}
