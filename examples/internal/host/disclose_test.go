package host_test

import (
	"math/bits"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
)

// standingTicks is how long an answer may serve after its tick: 62 ms at 64 Hz.
const standingTicks = 4

// judge decides for itself what the fallback permits, and holds every answer that
// did not come from the policy to that and to the policy's last word.
type judge struct {
	t      *testing.T
	policy vis.Policy
	mine   vis.Answer
	// Pairs of the policy's last answer that are held, by viewer and subject.
	held     map[[2]state.ID]hold
	heldTick state.Tick

	// Against the clock an answer may come a tick late and still count, unseen by
	// this judge: then answers tells how many have come from the process, and a
	// pair may also stand that was asked within standingTicks.
	answers func() uint64
	came    uint64
	cameAt  state.Tick
	asked   map[[2]state.ID]hold

	ticks, others int // answers, and those that were not the policy's
	pairs         int // that were checked
	withheld      int // pairs that were asked and not permitted in those answers
	bad           int
}

type hold struct {
	until  state.Tick
	jumped [2]uint8 // the bodies of viewer and subject
}

func newJudge(t *testing.T, w *trace.World) *judge {
	t.Helper()
	settings, err := deaddrop.Spec().Schema.Check(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := deaddrop.New(vis.Env{World: w, TickRate: 64, Seed: *seed, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	return &judge{t: t, policy: p, held: map[[2]state.ID]hold{}, asked: map[[2]state.ID]hold{}}
}

// bodies returns how often a viewer's and a subject's bodies were moved.
func bodies(in *vis.Input, v, s int) [2]uint8 {
	out := [2]uint8{0, in.Subjects[s].Teleports}
	if k := in.Viewers[v].Subject; k >= 0 {
		out[0] = in.Subjects[k].Teleports
	}
	return out
}

// decided is server.Hooks.Decided.
func (j *judge) decided(in *vis.Input, ans *vis.Answer) {
	j.mine.Reset(in)
	j.policy.Decide(in, &j.mine)
	vis.Gate(in, &j.mine)
	j.ticks++
	if j.answers != nil {
		if n := j.answers(); n != j.came {
			j.came, j.cameAt = n, in.Tick
		}
		defer func() {
			for v := range in.Viewers {
				for s := range in.Subjects {
					if in.IsAsked(v, s) {
						j.asked[[2]state.ID{in.Viewers[v].ID, in.Subjects[s].ID}] = hold{in.Tick + standingTicks, bodies(in, v, s)}
					}
				}
			}
		}()
	}
	if ans.Source == vis.FromPolicy {
		clear(j.held)
		j.heldTick = in.Tick
		each(ans, func(v, s, i int) {
			j.held[[2]state.ID{in.Viewers[v].ID, in.Subjects[s].ID}] = hold{ans.Hold[i], bodies(in, v, s)}
		})
		return
	}
	j.others++
	for v := range in.Viewers {
		for s := range in.Subjects {
			if in.IsAsked(v, s) && !ans.Permitted(v, s) {
				j.withheld++
			}
		}
	}
	each(ans, func(v, s, _ int) {
		j.pairs++
		if j.mine.Permitted(v, s) {
			return
		}
		h, ok := j.held[[2]state.ID{in.Viewers[v].ID, in.Subjects[s].ID}]
		if ok && int32(h.until-in.Tick) >= 0 && in.Tick-j.heldTick <= standingTicks && h.jumped == bodies(in, v, s) {
			return
		}
		h, ok = j.asked[[2]state.ID{in.Viewers[v].ID, in.Subjects[s].ID}]
		if ok && ans.Source == vis.FromStanding && in.Tick-j.cameAt <= standingTicks && int32(h.until-in.Tick) >= 0 && h.jumped == bodies(in, v, s) {
			return
		}
		if j.bad++; j.bad < 5 {
			j.t.Errorf("tick %d, source %v: viewer %d was told of %d, which neither the fallback nor a hold permits (%+v, last answer %d)",
				in.Tick, ans.Source, in.Viewers[v].ID, in.Subjects[s].ID, h, j.heldTick)
		}
	})
}

func each(a *vis.Answer, f func(v, s, i int)) {
	for at, word := range a.Permit[:a.Words*a.Viewers] {
		for ; word != 0; word &= word - 1 {
			v, s := at/a.Words, at%a.Words*64+bits.TrailingZeros64(word)
			f(v, s, v*a.Subjects+s)
		}
	}
}

// slay ends a process that this test started, the hard way.
func slay(t *testing.T, pid int) {
	t.Helper()
	if pid == 0 || pid == os.Getpid() {
		t.Fatalf("pid %d is no plugin's", pid)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatalf("kill %d: %v", pid, err)
	}
}

// Policy and rules are killed in the midst of a match in stepped time. Nothing is
// disclosed that neither the fallback nor a standing hold permits, play goes on,
// and both come back. policy-open tells everybody of everybody, so that a host
// that failed open would be seen at once.
func TestKilledPluginsDiscloseNothingInSteppedTime(t *testing.T) {
	for _, policy := range []string{"policy-deaddrop", "policy-open"} {
		t.Run(policy, func(t *testing.T) {
			t.Logf("seed %d", *seed)
			r := newRoom(t, "plugin.wait", "true", "plugin.policy", policy)
			h := host.Stepped(r.set, r.levels, r.slog(), *seed)
			cfg := r.scene(h, "pit", 8)
			got, err := r.levels.Open("pit")
			if err != nil {
				t.Fatal(err)
			}
			got.Files.Close()
			j := newJudge(t, got.World)
			cfg.Hooks = server.Hooks{Decided: j.decided}
			var first, last [2]int
			kills := 0
			cfg.Each = func(m *scenario.Match) {
				p, ru, _ := h.Plugins()
				pids := [2]int{p.PID, ru.PID}
				switch tick := m.Report.Ticks; tick {
				case 300:
					first, kills = pids, m.Server.Stats().Kills
					slay(t, pids[0])
				case 420:
					slay(t, pids[1])
				case 540:
					slay(t, pids[0])
					slay(t, pids[1])
				}
				last = pids
			}
			m, err := scenario.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			// The second restart of each waits half a second of real time.
			for n := 0; n < 1600 || n < 20000 && (last[0] == 0 || last[1] == 0); n++ {
				m.Step()
			}
			rep := m.Finish()
			t.Logf("%v; %d answers, %d not the policy's with %d pairs, pids %v then %v", rep, j.ticks, j.others, j.pairs, first, last)
			if j.others == 0 || j.pairs == 0 || j.withheld == 0 {
				t.Error("no tick was decided without the policy: the test has shown nothing")
			}
			if first[0] == first[1] || first[0] == os.Getpid() || first[1] == os.Getpid() {
				t.Errorf("processes %v of host %d: each must be its own", first, os.Getpid())
			}
			if last[0] == 0 || last[1] == 0 || last[0] == first[0] || last[1] == first[1] {
				t.Errorf("processes %v became %v: both must be back as new ones", first, last)
			}
			if rep.Kills <= kills || rep.Errors != 0 || rep.Joined != 8 || rep.Check != nil {
				t.Errorf("play did not go on as it should: %d kills before; %v", kills, rep)
			}
			sayWhat(t, r.log.String(), policy)
		})
	}
}

// sayWhat checks that the log says what happened to the plugins.
func sayWhat(t *testing.T, log, policy string) {
	t.Helper()
	for _, name := range []string{policy, "rules-duel"} {
		ended, started := 0, 0
		for line := range strings.Lines(log) {
			if strings.Contains(line, "plugin="+name) {
				ended += strings.Count(line, "plugin ended")
				started += strings.Count(line, "plugin started")
			}
		}
		if ended < 2 || started < 3 {
			t.Errorf("the log says %d times that %s ended and %d times that it started, want 2 and 3\n%s", ended, name, started, log)
		}
	}
	if !strings.Contains(log, "killed") {
		t.Errorf("the log does not say that a plugin was killed:\n%s", log)
	}
}

// The same against the clock, as arenad runs it: many ticks pass before the
// policy is back.
func TestKilledPluginsDiscloseNothingInRealTime(t *testing.T) {
	r := newRoom(t, "sv.bots", "8", "sv.seed", "5", "plugin.policy", "policy-open", "sv.rotation", "pit", "sv.bot_skill", "1")
	got, err := r.levels.Open("pit")
	if err != nil {
		t.Fatal(err)
	}
	got.Files.Close()
	j := newJudge(t, got.World)
	var running atomic.Pointer[host.Host]
	j.answers = func() uint64 {
		if h := running.Load(); h != nil {
			p, _, _ := h.Plugins()
			return p.Answers
		}
		return j.came + 1 // not known yet
	}
	h, err := host.Start(host.Config{Settings: r.set, Levels: r.levels, Log: r.slog(), Offline: true, Hooks: server.Hooks{Decided: j.decided}})
	if err != nil {
		t.Fatal(err)
	}
	running.Store(h)
	await := func(what string, f func() bool) {
		t.Helper()
		for end := time.Now().Add(15 * time.Second); !f(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				p, ru, _ := h.Plugins()
				t.Fatalf("waited too long for %s\npolicy %+v\nrules %+v\n%s", what, p, ru, r.log)
			}
		}
	}
	defer func() { h.Stop("the test is over") }()
	await("shots", func() bool { return h.Server().Stats().Shots > 3 })
	for range 2 {
		p0, _, _ := h.Plugins()
		before := h.Server().Stats()
		slay(t, p0.PID)
		await("the policy to return", func() bool { p, _, _ := h.Plugins(); return p.PID != 0 && p.PID != p0.PID && p.Answers > p0.Answers+32 })
		_, r0, _ := h.Plugins() // on a busy machine they may have been started again meanwhile
		slay(t, r0.PID)
		await("the rules to return", func() bool { _, ru, _ := h.Plugins(); return ru.PID != 0 && ru.PID != r0.PID && ru.Behind < 8 })
		await("ticks and shots", func() bool {
			s := h.Server().Stats()
			return s.Tick > before.Tick+64 && s.Shots > before.Shots
		})
	}
	h.Stop("the test is over")
	if j.others == 0 || j.withheld == 0 {
		t.Error("no tick was decided without the policy, or nothing was withheld in it")
	}
	t.Logf("%d answers, %d not the policy's with %d pairs and %d withheld", j.ticks, j.others, j.pairs, j.withheld)
	sayWhat(t, r.log.String(), "policy-open")
}
