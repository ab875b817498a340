package duel_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const rate = rulestest.Rate

func match(settings map[string]string) *rules.Match { return rulestest.Match(settings, false) }

func start(t testing.TB, m *rules.Match) rules.Rules {
	t.Helper()
	return rulestest.Start(t, duel.Spec(), m)
}

var (
	newWorld = rulestest.New
	find     = rulestest.Find
)

func TestSavedAtAnyTickItGoesOnTheSame(t *testing.T) {
	set := map[string]string{"frag_limit": "15", "time_limit_s": "20", "warmup_s": "1", "over_s": "2"}
	ops := rulestest.SavedGoesOnTheSame(t, duel.Spec(), func() *rules.Match { return match(set) }, 1500)
	if n := len(find(ops, rules.OpPhase, 0)); n < 4 {
		t.Fatalf("only %d phases: the script is too tame", n)
	}
}

func TestPhases(t *testing.T) {
	w, d := newWorld(3, 1), start(t, match(map[string]string{"frag_limit": "3", "warmup_s": "2", "over_s": "1", "protect_s": "0"}))
	ops := w.Tick(d)
	if p := find(ops, rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Warmup || p[0].Value2 != 1+2*rate {
		t.Fatalf("begins with %+v", p)
	}
	if len(find(ops, rules.OpSpawn, 0)) != 3 {
		t.Fatal("not everybody enters at once")
	}
	w.Tick(d)
	w.Kill(1, 2)
	ops = w.Tick(d)
	for _, s := range find(ops, rules.OpScore, 0) {
		if s.Value != 0 || s.Value2 != 0 {
			t.Fatal("a kill of the warmup counts")
		}
	}
	for w.In.Tick < 1+2*rate {
		ops = w.Tick(d)
	}
	if p := find(ops, rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Live || p[0].Value2 != int32(w.In.Tick)+600*rate {
		t.Fatalf("live begins with %+v", p)
	}
	if len(find(ops, rules.OpSpawn, 0)) != 3 || len(find(ops, rules.OpAnnounce, 0)) != 1 {
		t.Fatalf("live begins with %+v", ops)
	}
	for kill := 1; kill <= 3; kill++ {
		w.Tick(d)
		w.Kill(1, 2)
		for kill < 3 && w.Row(2).Flags&state.Dead != 0 {
			w.Row(2).Buttons ^= state.BtnJump
			w.Tick(d)
		}
	}
	w.Tick(d)
	if p := find(w.Tick(d), rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Over {
		t.Fatalf("after the third kill: %+v", p)
	}
	// Reached with the third kill, before the dead one came back.
	if w.Row(1).Flags&(state.Frozen|state.NoFire) == 0 {
		t.Fatalf("the match goes on: %+v", w.In.Players)
	}
	over := w.In.Tick
	ended := false
	for w.In.Tick < over+2*rate && !ended {
		ops = w.Tick(d)
		ended = len(find(ops, rules.OpEndMatch, 0)) == 1
	}
	if !ended || w.Row(1).Flags&(state.Frozen|state.NoFire) != 0 || w.Row(2).Flags&state.Dead != 0 {
		t.Fatalf("does not begin again: %+v", w.In.Players)
	}
}

func TestScore(t *testing.T) {
	w, d := newWorld(3, 1), start(t, match(map[string]string{"warmup_s": "0", "protect_s": "0"}))
	for range 5 {
		w.Tick(d)
	}
	w.Kill(1, 2)
	w.Kill(3, 3) // a rocket at the own feet
	ops := w.Tick(d)
	for id, want := range map[state.ID][3]int32{1: {1, 0, 1}, 2: {0, 1, 0}, 3: {0, 1, -1}} {
		s := find(ops, rules.OpScore, id)
		if len(s) != 1 || [3]int32{s[0].Value, s[0].Value2, s[0].Value3} != want {
			t.Errorf("player %d: %+v, want %v", id, s, want)
		}
	}
	if s := find(w.Tick(d), rules.OpScore, 0); len(s) != 0 {
		t.Errorf("scores without news: %+v", s)
	}
}

func TestRespawn(t *testing.T) {
	for _, c := range []struct {
		name    string
		buttons func(tick int) state.Buttons
		want    int // ticks dead
	}{
		{"by itself", func(int) state.Buttons { return 0 }, 3 * rate},
		{"held since before is no press", func(int) state.Buttons { return state.BtnFire }, 3 * rate},
		{"pressed early waits for the shortest time", func(i int) state.Buttons { return state.Buttons(i&1) * state.BtnFire }, 109},
		{"pressed late", func(i int) state.Buttons {
			if i >= 150 {
				return state.BtnJump
			}
			return 0
		}, 150},
		{"other keys do nothing", func(i int) state.Buttons { return state.Buttons(i&1) * state.BtnCrouch }, 3 * rate},
	} {
		w, d := newWorld(2, 1), start(t, match(map[string]string{"warmup_s": "0"}))
		w.Row(2).Buttons = c.buttons(0)
		for range 100 {
			w.Tick(d)
		}
		w.Kill(1, 2)
		got := 0
		for i := 1; got == 0 && i < 1000; i++ {
			w.Row(2).Buttons = c.buttons(i)
			if ops := w.Tick(d); len(find(ops, rules.OpSpawn, 2)) == 1 {
				got = i
			}
		}
		if got != c.want {
			t.Errorf("%s: after %d ticks, want %d", c.name, got, c.want)
		}
	}
}

func TestProtectionEndsWithTimeOrAShot(t *testing.T) {
	for _, shoots := range []bool{false, true} {
		w, d := newWorld(1, 1), start(t, match(nil))
		w.Tick(d)
		if w.Row(1).Flags&state.Invulnerable == 0 {
			t.Fatal("enters without protection")
		}
		n := 0
		for ; w.Row(1).Flags&state.Invulnerable != 0 && n < 1000; n++ {
			if shoots && n == 10 {
				w.Next = append(w.Next, state.Event{Kind: state.EvFire, Actor: 1})
			}
			w.Tick(d)
		}
		if want := map[bool]int{false: rate + 1, true: 11}[shoots]; n != want {
			t.Errorf("shoots %v: protected for %d ticks, want %d", shoots, n, want)
		}
	}
}

func TestEntersFarFromOthers(t *testing.T) {
	m := match(map[string]string{"warmup_s": "0", "protect_s": "0"})
	seen := map[vec.V3]int{}
	for seed := range uint64(40) {
		m.Seed = seed
		w, d := newWorld(2, 1), start(t, m)
		for range 4 {
			w.Tick(d)
		}
		w.Kill(2, 1)
		w.Row(2).Pos = vec.New(0, 0, 0)
		for range 3 * rate {
			w.Tick(d)
			w.Row(2).Pos = vec.New(0, 0, 0)
		}
		if x := w.Row(1).Pos.X; x < 50 {
			t.Errorf("seed %d: enters at %v, the other stands at 0", seed, w.Row(1).Pos)
		}
		seen[w.Row(1).Pos]++
	}
	if len(seen) != 3 {
		t.Errorf("%d places in 40 matches, want each of the 3 farthest", len(seen))
	}
}

func TestAllEnterAtOnceApart(t *testing.T) {
	w, d := newWorld(8, 1), start(t, match(nil))
	at := map[vec.V3]bool{}
	for _, op := range find(w.Tick(d), rules.OpSpawn, 0) {
		at[op.Pos] = true
	}
	if len(at) != 8 {
		t.Errorf("8 players share %d of 8 spawns", len(at))
	}
}

func TestOutOfTheMapIsKilledOff(t *testing.T) {
	w, d := newWorld(1, 1), start(t, match(nil))
	w.Tick(d)
	w.Row(1).OutOfMap = true
	if len(find(w.Tick(d), rules.OpKillOff, 1)) != 1 {
		t.Fatal("lives on")
	}
}

func TestTimeLimitAndDraw(t *testing.T) {
	w, d := newWorld(2, 1), start(t, match(map[string]string{"warmup_s": "0", "time_limit_s": "2"}))
	said := ""
	for range 3 * rate {
		for _, op := range find(w.Tick(d), rules.OpAnnounce, 0) {
			said += op.Text
		}
	}
	if !strings.Contains(said, "draw") || !strings.Contains(said, "time is up") {
		t.Errorf("said %q", said)
	}
}

func TestStartRefusesNonsense(t *testing.T) {
	rulestest.RefusesNonsense(t, duel.Spec(), func() *rules.Match { return match(nil) }, "frag_limit", "1000")
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte{})
	for _, b := range rulestest.Saves(f, duel.Spec(), match(nil)) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { rulestest.Restores(t, duel.Spec(), match(nil), b) })
}

func TestQuietTickAllocatesNothing(t *testing.T) {
	rulestest.QuietTickAllocatesNothing(t, duel.Spec(), match(nil))
}

func TestSpecMakesRules(t *testing.T) {
	s := duel.Spec()
	if err := s.New().Start(match(nil)); err != nil || s.Name != "duel" {
		t.Fatal(err)
	}
}
