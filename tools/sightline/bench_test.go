package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
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

const pit = "../../examples/arena/maps/pit.map"

// keys are those that reports compare over time.
var keys = []string{
	"players", "tick_hz", "policy", "seconds", "tick_cpu_ms", "stage_ms", "relevance_ms_p50", "policy_round_trip_ms", "deadline_misses",
	"rays_per_update", "candidates_per_viewer", "known_per_viewer", "wire_kbps_per_player", "payload_kbps_per_player", "bytes_by_category",
	"position_error_cm_p99_50m", "hit_agreement", "prediction_errors", "excess_late_frames", "preload_ms", "allocs_per_tick", "rss_mib", "dropped_clients",
}

func TestBenchMatchPrintsItsFigures(t *testing.T) {
	args := []string{"bench", "match", "--stepped", "--map", pit, "--players", "3", "--seconds", "1", "--warm", "0"}
	out, err := runTool(t, append(args, "--json")...)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if _, ok := got[key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	if got["players"] != 3.0 || got["dropped_clients"] != 0.0 || got["prediction_errors"] != 0.0 || got["policy_round_trip_ms"] != nil {
		t.Errorf("%v", got)
	}
	out, err = runTool(t, args...)
	if err != nil || !strings.Contains(out, "3 players on pit, 64 Hz, snapshots adaptive, policy deaddrop, 1 s\nstepped: ") || !strings.Contains(out, "on the wire per player, kbps") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Server and crews run in processes of their own, over sockets, and what they noted
// fits together.
func TestBenchMatchInRealTime(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for some seconds of real time")
	}
	t.Setenv("TMPDIR", t.TempDir())
	out, err := runTool(t, "bench", "match", "--map", pit, "--players", "4", "--seconds", "2", "--warm", "0.5", "--in-process", "--json")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got scenario.Figures
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	drawn := 0
	for _, e := range got.Positions {
		drawn += e.N
	}
	if got.Commands < 4*64 || got.Dropped != 0 || drawn == 0 || got.LateTicks == nil || got.Generator == nil || got.Generator.Processes != 2 || got.WireKbps.Down <= 0 {
		t.Errorf("%s", out)
	}
	if got.ExcessLate == nil || got.HiddenKnown == nil || got.Delivery == nil || got.Render == nil || got.Delivery.P50 < 35 || got.Delivery.P50 > 500 || *got.ExcessShare > 0.2 {
		t.Errorf("nobody was compared, or badly: %s", out)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "sightline-bench-*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

func TestBenchPartNeedsAJob(t *testing.T) {
	if _, err := runTool(t, "bench", "part"); err == nil || !strings.Contains(err.Error(), "told what to do by bench match") {
		t.Error(err)
	}
}

// A short soak passes, and says what it looked at.
func TestBenchSoak(t *testing.T) {
	out, err := runTool(t, "bench", "soak", "--map", pit, "--players", "6", "--seconds", "12", "--every", "2")
	if err != nil || !strings.Contains(out, "flat;") || !strings.Contains(out, "no drift;") || !strings.Contains(out, "no leak") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestBenchMatchSaysWhatIsWrong(t *testing.T) {
	for want, args := range map[string][]string{
		"0 players, allowed":           {"--players", "0"},
		"policy \"x\" is none of":      {"--policy", "x"},
		"there is no file":             {"--map", "none.map"},
		"nothing to measure":           {"--seconds", "0"},
		"loss is 3, allowed is 0 to 1": {"--map", pit, "--players", "1", "--loss", "3"},
		"server: there is no file":     {"--map", "none.map", "--stepped=false"},
		"not of the form name=number":  {"--set", "near_m"},
		"policy deaddrop: ":            {"--set", "nearly_m=3"},
		"--processes belongs to":       {"--processes", "--stepped=false"},
	} {
		if _, err := runTool(t, append([]string{"bench", "match", "--stepped"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
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
