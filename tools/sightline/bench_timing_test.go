package main

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var updateTiming = flag.Bool("timing.update", false, "write docs/timing.md anew")

const timingAt = "../../docs/timing.md"

// TestTimingPageIsWhatIsMeasured measures some rows of the page anew.
func TestTimingPageIsWhatIsMeasured(t *testing.T) {
	if *updateTiming {
		page, err := timingPage()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(timingAt, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(timingAt)
	if err != nil {
		t.Fatal(err)
	}
	rows := timingRows()
	if !strings.HasPrefix(string(page), timingHead) || !strings.HasSuffix(string(page), timingFoot) || strings.Count(string(page), "| the ") != len(rows) {
		t.Error("docs/timing.md is not of this table: make timing-report")
	}
	for _, i := range []int{4, len(rows) - 2} {
		cells, err := rows[i].measure(timingCrossings)
		if err != nil {
			t.Fatal(err)
		}
		if want := rows[i].markdown(cells); !strings.Contains(string(page), want) {
			t.Errorf("docs/timing.md has another row than was measured: make timing-report\n%s", want)
		}
	}
}
