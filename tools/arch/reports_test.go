package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var namedTest = regexp.MustCompile(`([a-z0-9/-]+) (Test[A-Za-z0-9]+)`)

var sceneFile = regexp.MustCompile(`[a-z0-9-]+\.toml`)

// docs/reports.md names a test for each report; a test that was renamed or lost is
// a report that nobody checks any more.
func TestReportsNameTestsThatExist(t *testing.T) {
	root := "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "reports.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, scenes := 0, 0
	for _, line := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(line, "| T") {
			scenes++
			checkTests(t, root, line)
			checkScenes(t, root, line)
			continue
		}
		if !strings.HasPrefix(line, "| O-") && !strings.HasPrefix(line, "| S-") {
			continue
		}
		rows++
		checkTests(t, root, line)
	}
	if rows < 20 {
		t.Errorf("only %d reports on the page", rows)
	}
	if scenes < 20 {
		t.Errorf("only %d scenes on the page", scenes)
	}
}

// checkScenes wants every scene file that a line names to exist, and the line to name one.
func checkScenes(t *testing.T, root, line string) {
	t.Helper()
	files := sceneFile.FindAllString(line, -1)
	if len(files) == 0 {
		t.Errorf("no scene in: %s", line)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(root, "engine/scenario/testdata/fog", f)); err != nil {
			t.Error(err)
		}
	}
}

// checkTests wants every test that a line names to exist, and the line to name one.
func checkTests(t *testing.T, root, line string) {
	t.Helper()
	tests := namedTest.FindAllStringSubmatch(line, -1)
	if len(tests) == 0 {
		t.Errorf("no test in: %s", line)
	}
	for _, m := range tests {
		files, _ := filepath.Glob(filepath.Join(root, m[1], "*_test.go"))
		found := false
		for _, f := range files {
			text, err := os.ReadFile(f)
			found = found || err == nil && strings.Contains(string(text), "func "+m[2]+"(")
		}
		if !found {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
}
