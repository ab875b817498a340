package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
)

// A match in stepped time is the same match whether policy and rules are linked in or
// processes that are waited for: every figure but those of time and memory.
func TestSteppedMatchIsTheSameWithProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds plugins")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../../plugins/policy-screen", "../../plugins/rules-duel")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(more ...string) scenario.Figures {
		args := []string{"bench", "match", "--stepped", "--map", pit, "--players", "8", "--seconds", "2", "--warm", "0.5", "--policy", "screen", "--set", "rays_per_tick=150", "--plugins", dir, "--json"}
		out, err := runTool(t, append(args, more...)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var f scenario.Figures
		if err := json.Unmarshal([]byte(out), &f); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return f
	}
	in, out := run(), run("--processes")
	if in.PolicyCPU == nil || in.PolicyWait != nil || in.FallbackCPU != nil || in.RelevanceP50 == nil {
		t.Errorf("linked in: policy %v, wait %v, fallback %v", in.PolicyCPU, in.PolicyWait, in.FallbackCPU)
	}
	if out.PolicyCPU == nil || out.PolicyWait == nil || out.FallbackCPU == nil || out.RulesCPU == nil || out.RelevanceP50 == nil || out.Misses == nil || *out.Misses != 0 {
		t.Errorf("processes: %+v", out)
	}
	for _, f := range []*scenario.Figures{&in, &out} {
		if f.RaysCap == nil || *f.RaysCap != 150 || f.MostRays > 150 || f.MostRays < 100 {
			t.Errorf("most rays %d, cap %v", f.MostRays, f.RaysCap)
		}
		f.Form, f.TickCPU, f.StageMS, f.RelevanceP50, f.Relevance = "", nil, nil, nil, nil
		f.PolicyWait, f.PolicyCPU, f.FallbackCPU, f.RulesCPU, f.Misses = nil, nil, nil, nil, nil
		f.Allocs, f.AllocsMean, f.RSSMiB = nil, nil, nil
	}
	if !reflect.DeepEqual(in, out) {
		t.Errorf("linked in\n%+v\nprocesses\n%+v", in, out)
	}
}
