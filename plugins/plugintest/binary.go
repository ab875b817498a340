package plugintest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/host"
)

// Binary tries a built plugin, of either kind: that it starts and ends as it should,
// that two of its processes give the same answers, that nobody is told of by somebody
// else's secret path, in random worlds and on the shipped scenes, and that it comes back
// when it is killed. The file's name begins with policy- or rules-, as plugins' names do.
func Binary(t *testing.T, path string, opt ...Options) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("there is no plugin: %v", err)
	}
	o := options(opt)
	switch name := filepath.Base(path); {
	case strings.HasPrefix(name, "policy-"):
		t.Run("policy", func(t *testing.T) { binaryPolicy(t, path, o) })
		t.Run("scenes", func(t *testing.T) {
			spec, end := sceneSpec(t, path)
			policyScenes(t, o.usual(t, spec), o, end)
		})
	case strings.HasPrefix(name, "rules-"):
		t.Run("rules", func(t *testing.T) { binaryRules(t, path, o) })
	default:
		t.Fatalf("%s: the name of a plugin begins with policy- or rules-", name)
	}
}

func config(path string) host.Config {
	return host.Config{Path: path, TickRate: TickRate, Wait: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

func startBinary(t *testing.T, path string, w *World, o *Options) *host.Policy {
	t.Helper()
	p, err := host.StartPolicy(context.Background(), host.PolicyConfig{
		Config: config(path), Seed: w.In.Seed, Settings: o.numbers(t), Level: host.LevelOf(w.Name, w.Data, level.Options{}, w.Level),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func binaryPolicy(t *testing.T, path string, o Options) {
	const seed = 91
	a, b, c := NewWorld(t, seed, 1, crowdSize), NewWorld(t, seed, 1, crowdSize), NewWorld(t, seed, 2, crowdSize)
	p, q, r := startBinary(t, path, a, &o), startBinary(t, path, b, &o), startBinary(t, path, c, &o)
	told := 0
	for tick := range 200 {
		ia, ib, ic := a.Step(), b.Step(), c.Step()
		p.Submit(ia)
		q.Submit(ib)
		r.Submit(ic)
		x, y, z := p.Collect(), q.Collect(), r.Collect()
		for i, s := range []vis.Source{x.Source, y.Source, z.Source} {
			if s != vis.FromPolicy {
				t.Fatalf("seed %d, tick %d: process %d gave no answer that could be used: %+v", seed, tick, i, p.Stats())
			}
		}
		if why := fault(ia, x, o.MaxRays); why != "" {
			t.Fatalf("seed %d, tick %d: %s", seed, tick, why)
		}
		if why := differ(x, y); why != "" {
			t.Fatalf("seed %d, tick %d: two processes, two answers: %s", seed, tick, why)
		}
		for v := range ia.Viewers {
			for s := range ia.Subjects {
				switch {
				case v == a.Hidden():
				case s == a.Hidden():
					if x.Permitted(v, s) && !o.SendsHidden {
						t.Fatalf("seed %d, tick %d: viewer %d is told of the player in the vault (%v), whom nobody can see", seed, tick, v, x.Reason[v*x.Subjects+s])
					}
				case x.Permitted(v, s) != z.Permitted(v, s):
					t.Fatalf("seed %d, tick %d: whether viewer %d is told of subject %d depends on where the player in the vault is", seed, tick, v, s)
				case x.Permitted(v, s):
					told++
				}
			}
		}
	}
	if told == 0 {
		t.Error("in 200 ticks nobody was told of anybody")
	}
	killed(t, "policy", p.Stats().PID, func() host.Stats {
		p.Submit(a.Step())
		p.Collect()
		return p.Stats()
	})
}

func binaryRules(t *testing.T, path string, o Options) {
	const seed = 95
	begin := func() (*rulestest.World, *host.Rules) {
		r, err := host.StartRules(context.Background(), host.RulesConfig{Config: config(path), Match: *rulestest.Match(o.Settings, true)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Close)
		return rulestest.New(6, seed), r
	}
	w, r := begin()
	v, q := begin()
	if !slices.Equal(r.Tables(), q.Tables()) {
		t.Fatalf("two processes of one match, which begins with %v and with %v", r.Tables(), q.Tables())
	}
	set, err := follow(rulestest.Match(o.Settings, true), r)
	if err != nil {
		t.Fatal(err) // was checked when it started
	}
	said := 0
	for tick := range 300 {
		a, b := append([]rules.Op(nil), r.Take()...), append([]rules.Op(nil), q.Take()...)
		if len(a)+len(b) > 0 && !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d, tick %d: two processes, two answers:\n%+v\n%+v", seed, tick, a, b)
		}
		for i := range a {
			if a[i].Kind == rules.OpNone || a[i].Kind >= rules.NumOps {
				t.Fatalf("seed %d, tick %d: %+v is no operation", seed, tick, a[i])
			}
		}
		if why := set.fault(a); why != "" {
			t.Fatalf("seed %d, tick %d: %s", seed, tick, why)
		}
		said += len(a)
		w.Done(a)
		v.Done(b)
		w.Chaos()
		v.Chaos()
		r.Submit(w.Advance())
		q.Submit(v.Advance())
		w.In.Joined, v.In.Joined = w.In.Joined[:0], v.In.Joined[:0]
	}
	if said == 0 {
		t.Error("in 300 ticks it said nothing")
	}
	killed(t, "rules", r.Stats().PID, func() host.Stats {
		w.Done(r.Take())
		r.Submit(w.Advance())
		return r.Stats()
	})
}

// killed ends the process and plays on until another one answers.
func killed(t *testing.T, kind string, pid int, tick func() host.Stats) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil || pid == 0 {
		t.Fatalf("the %s has no process: %v", kind, err)
	}
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	for range 400 {
		if s := tick(); s.PID != 0 && s.PID != pid {
			return
		}
	}
	t.Errorf("the %s does not come back when its process is killed", kind)
}
