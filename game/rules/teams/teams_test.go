package teams_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

func match(settings map[string]string) *rules.Match { return rulestest.Match(settings, true) }

func start(t testing.TB, settings map[string]string, players int) (*rulestest.World, rules.Rules) {
	t.Helper()
	return rulestest.New(players, 1), rulestest.Start(t, teams.Spec(), match(settings))
}

func TestSavedAtAnyTickItGoesOnTheSame(t *testing.T) {
	set := map[string]string{"frag_limit": "9", "time_limit_s": "6", "warmup_s": "1", "over_s": "1"}
	ops := rulestest.SavedGoesOnTheSame(t, teams.Spec(), func() *rules.Match { return match(set) }, 1500,
		"/team red", "/team 2", "/team auto", "/team green", "/other", "hello")
	if n := len(rulestest.Find(ops, rules.OpPhase, 0)); n < 4 {
		t.Errorf("only %d phases: the script is too tame", n)
	}
}

func TestQuietTickAllocatesNothing(t *testing.T) {
	rulestest.QuietTickAllocatesNothing(t, teams.Spec(), match(nil))
}

func TestStartRefusesNonsense(t *testing.T) {
	rulestest.RefusesNonsense(t, teams.Spec(), func() *rules.Match { return match(nil) }, "frag_limit", "10000")
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte{})
	for _, b := range rulestest.Saves(f, teams.Spec(), match(nil)) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { rulestest.Restores(t, teams.Spec(), match(nil), b) })
}

func TestTeamsStayEven(t *testing.T) {
	w, r := start(t, nil, 7)
	w.Tick(r)
	count := func(team uint8) (n int) {
		for i := range w.In.Players {
			if w.In.Players[i].Team == team {
				n++
			}
		}
		return n
	}
	if count(1) != 4 || count(2) != 3 {
		t.Fatalf("%d and %d", count(1), count(2))
	}
	w.Say(1, "/team blue")
	if w.Tick(r); w.Team(1) != 2 || count(2) != 4 {
		t.Fatal("may not go to the smaller team")
	}
	w.Say(2, "/team blue")
	w.Say(1, "/team red ")
	w.Tick(r)
	if w.Team(1) != 1 || w.Team(2) != 2 {
		t.Fatal("may not go back")
	}
	mate := state.ID(3)
	if w.Team(mate) != 1 {
		t.Fatal("3 is not on team 1")
	}
	for w.Tick(r); count(1)-count(2) < 1; {
		t.Fatal("teams are not 4 to 3")
	}
	w.Say(mate, "/team blue")
	w.Say(4, "/team red")
	w.Tick(r)
	if d := count(1) - count(2); d != 1 && d != -1 {
		t.Errorf("%d to %d", count(1), count(2))
	}
	w.Say(5, "/team pink")
	if a := rulestest.Find(w.Tick(r), rules.OpAnnounce, 5); len(a) != 1 || !strings.Contains(a[0].Text, "red, blue") {
		t.Errorf("told %+v", a)
	}
}

// Kills of enemies count for the team, kills of mates and of oneself against oneself.
func TestTeamScore(t *testing.T) {
	w, r := start(t, map[string]string{"warmup_s": "0", "protect_s": "0", "frag_limit": "2"}, 4)
	for range 5 {
		w.Tick(r)
	}
	w.Kill(1, 3) // mates: 1 and 3, 2 and 4
	w.Kill(2, 2)
	ops := w.Tick(r)
	for id, want := range map[state.ID][3]int32{1: {0, 0, -1}, 2: {0, 1, -1}, 3: {0, 1, 0}} {
		s := rulestest.Find(ops, rules.OpScore, id)
		if len(s) != 1 || [3]int32{s[0].Value, s[0].Value2, s[0].Value3} != want {
			t.Errorf("player %d: %+v, want %v", id, s, want)
		}
	}
	w.Kill(1, 4)
	if h := rulestest.Find(w.Tick(r), rules.OpHUD, 0); len(h) != 1 || h[0].Text != "teams=1:0" {
		t.Errorf("%+v", h)
	}
	said := ""
	for i := 0; said == "" && i < 10*rulestest.Rate; i++ {
		if w.Alive(2) {
			w.Kill(3, 2)
			w.Kill(1, 2)
		}
		for _, op := range rulestest.Find(w.Tick(r), rules.OpAnnounce, 0) {
			said += op.Text
		}
	}
	if said != "Red wins 2 to 0: the frag limit is reached." {
		t.Errorf("said %q", said)
	}
}

func TestEachTeamEntersAtItsOwnPlaces(t *testing.T) {
	for seed := range uint64(20) {
		m := match(nil)
		m.Seed = seed
		w, r := rulestest.New(8, 1), rulestest.Start(t, teams.Spec(), m)
		at := map[vec.V3]bool{}
		for _, op := range rulestest.Find(w.Tick(r), rules.OpSpawn, 0) {
			if team := w.Team(op.ID); (op.Pos.X < 35) != (team == 1) {
				t.Errorf("seed %d: %d of team %d enters at %v", seed, op.ID, team, op.Pos)
			}
			at[op.Pos] = true
		}
		if len(at) != 8 {
			t.Errorf("seed %d: 8 players share %d of 8 places", seed, len(at))
		}
	}
}

// More players than places: nobody enters where somebody stands.
func TestMorePlayersThanPlaces(t *testing.T) {
	w, r := start(t, nil, 20)
	var at []vec.V3
	for _, op := range rulestest.Find(w.Tick(r), rules.OpSpawn, 0) {
		for _, p := range at {
			if p.Dist(op.Pos) < 1 {
				t.Errorf("%v and %v", p, op.Pos)
			}
		}
		at = append(at, op.Pos)
	}
	if len(at) != 20 {
		t.Errorf("%d enter", len(at))
	}
}

// What was broken in the warmup is whole when the match begins.
func TestAMatchBeginsWithTheLevelWhole(t *testing.T) {
	w, r := start(t, map[string]string{"warmup_s": "1"}, 4)
	for range 2 * rulestest.Rate {
		ops := w.Tick(r)
		if len(rulestest.Find(ops, rules.OpAnnounce, 0)) > 0 { // Fight!
			if m := rulestest.Find(ops, rules.OpPiece, 0); len(m) != 1 || m[0].Value != -1 || m[0].Value2 != 0 {
				t.Errorf("mends %+v", m)
			}
			return
		}
	}
	t.Error("the match does not begin")
}

func TestProtectionAndOver(t *testing.T) {
	w, r := start(t, map[string]string{"warmup_s": "0", "time_limit_s": "3"}, 4)
	w.Tick(r)
	w.Tick(r)
	n := 0
	for ; w.Row(1).Flags&state.Invulnerable != 0 && n < 1000; n++ {
		w.Tick(r)
	}
	if n != 2*rulestest.Rate+1 {
		t.Errorf("protected for %d ticks", n)
	}
	said := ""
	for range 2 * rulestest.Rate {
		for _, op := range rulestest.Find(w.Tick(r), rules.OpAnnounce, 0) {
			said += op.Text
		}
	}
	if !strings.Contains(said, "draw") || w.Row(1).Flags&state.Frozen == 0 {
		t.Errorf("said %q, flags %b", said, w.Row(1).Flags)
	}
}
