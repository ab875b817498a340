package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// runTool runs the command line and returns what it printed.
func runTool(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.Execute()
	return out.String(), err
}

func TestBenchMatchPrintsItsFigures(t *testing.T) {
	args := []string{"bench", "match", "--map", "../../examples/arena/maps/pit.map", "--players", "3", "--seconds", "1", "--warm", "0"}
	out, err := runTool(t, append(args, "--json")...)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"players", "tick_hz", "policy", "seconds", "tick_cpu_ms", "stage_ms", "relevance_ms_p50", "rays_per_update",
		"candidates_per_viewer", "known_per_viewer", "wire_kbps_per_player", "payload_kbps_per_player", "bytes_by_category", "prediction_errors", "dropped_clients"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	if got["players"] != 3.0 || got["dropped_clients"] != 0.0 || got["prediction_errors"] != 0.0 {
		t.Errorf("%v", got)
	}
	out, err = runTool(t, args...)
	if err != nil || !strings.Contains(out, "3 players on pit, 64 Hz, policy deaddrop, 1 s\nstepped: ") || !strings.Contains(out, "on the wire per player, kbps") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestBenchMatchSaysWhatIsWrong(t *testing.T) {
	for want, args := range map[string][]string{
		"0 players, allowed":           {"--players", "0"},
		"policy \"x\" is none of":      {"--policy", "x"},
		"there is no file":             {"--map", "none.map"},
		"loss is 3, allowed is 0 to 1": {"--map", "../../examples/arena/maps/pit.map", "--players", "1", "--loss", "3"},
	} {
		if _, err := runTool(t, append([]string{"bench", "match"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

// The steps of bench net work, and what is on the way of every packet allocates
// nothing.
func TestBenchNetSteps(t *testing.T) {
	rows, err := benchNet()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		t.Logf("%-40s %8.0f ns %6.2f allocations %6.1f bytes", r.Name, r.Ns, r.Allocs, r.Bytes)
		if r.Ns <= 0 || r.Bytes <= 0 || r.Allocs >= 1 {
			t.Errorf("%+v", r)
		}
	}
}
