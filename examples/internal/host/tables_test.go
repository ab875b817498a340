package host_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// moonlit is a match of eight bots over a bad network, whose rules begin with a gravity
// of their own, change it two seconds before its end, and take that back.
func moonlit(t *testing.T, each func(r *room, h *host.Host, m *scenario.Match), set ...string) (held []string, rep scenario.Report) {
	t.Helper()
	r := newRoom(t, append([]string{
		"plugin.wait", "true", "duel.warmup_s", "1", "duel.time_limit_s", "6", "duel.over_s", "2", "duel.moon_s", "2", "duel.gravity_pct", "60",
	}, set...)...)
	h := host.Stepped(r.set, r.levels, r.slog(), *seed)
	cfg := r.scene(h, "pit", 8)
	cfg.Seconds = 12
	cfg.Hooks.Tables = func(from state.Tick, s *tables.Set, changed []tables.Value) {
		held = append(held, fmt.Sprintf("%d: version %d, %v", from, s.Version, changed))
	}
	cfg.Each = func(m *scenario.Match) { each(r, h, m) }
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if s, own := m.Server.Tables(); s.Movement.Gravity != 15 || own {
		t.Errorf("the match begins with a gravity of %v", s.Movement.Gravity)
	}
	for range int(cfg.Seconds) * cfg.TickRate {
		m.Step()
	}
	s, _ := m.Server.Tables()
	for i, b := range m.Crew.Bots() {
		if st := b.Stats(); b.Tables().Hash() != s.Hash() || st.TablesWrong != 0 {
			t.Errorf("bot %d has the server's tables: %v; wrong were %d", i, b.Tables().Hash() == s.Hash(), st.TablesWrong)
		}
	}
	rep = m.Finish()
	if rep.Errors != 0 || rep.Mismatches != 0 || rep.Joined != 8 || rep.Check != nil || rep.Kills == 0 {
		t.Errorf("%v", rep)
	}
	if t.Failed() {
		t.Logf("held %v\n%s", held, r.log)
	}
	return held, rep
}

// changes leaves the ticks and versions of what held away.
func changes(held []string) (out []string) {
	for _, h := range held {
		_, c, _ := strings.Cut(h, ", ")
		out = append(out, c)
	}
	return out
}

// Rules in a process that is killed as they ask for a change of tables, as it begins to
// hold, and as they take it back change them in the same ticks as rules that are never
// killed, and once; the whole match is the same one.
func TestTablesChangeOnceThroughKilledRules(t *testing.T) {
	t.Logf("seed %d", *seed)
	var at []int // ticks of the match in which tables change, for the kills
	version := 1
	calm, was := moonlit(t, func(_ *room, _ *host.Host, m *scenario.Match) {
		if s, _ := m.Server.Tables(); s.Version != version {
			version = s.Version
			at = append(at, m.Report.Ticks)
		}
	})
	t.Log(calm, was)
	if want := []string{"[movement.gravity = 2.55]", "[movement.gravity = 15]"}; !slices.Equal(changes(calm), want) || len(at) != 3 {
		t.Fatalf("never killed: %v, in ticks %v; want %v", calm, at, want)
	}
	lead := newRoom(t).set.TickRate.Get()
	for what, tick := range map[string]int{
		"as they ask":          at[1] - 2*lead - 1,
		"one tick later":       at[1] - 2*lead,
		"as it holds":          at[1] - 1,
		"as they take it back": at[2] - lead - 2,
		"when that is told":    at[2] - lead - 1,
	} {
		t.Run(what, func(t *testing.T) {
			pid := 0
			held, got := moonlit(t, func(_ *room, h *host.Host, m *scenario.Match) {
				if m.Report.Ticks == tick {
					_, ru, _ := h.Plugins()
					pid = ru.PID
					slay(t, pid)
				}
				if _, ru, _ := h.Plugins(); m.Report.Ticks == tick+50 && (ru.PID == pid || ru.Restarts != 1 || ru.Differ != 0) {
					t.Errorf("process %d was killed, now %+v", pid, ru)
				}
			})
			if !slices.Equal(held, calm) || got.Kills != was.Kills || got.Shots != was.Shots || got.Commands != was.Commands {
				t.Errorf("killed: %v, %v\nnever killed: %v, %v", held, got, calm, was)
			}
		})
	}
}

// A setting that is what a match begins with, and the rules anew: at the end of the round
// the tables become what the new ones begin with, a second ahead, and what those before
// had made of them is gone.
func TestRulesThatAreReloadedBringTheirTables(t *testing.T) {
	held, _ := moonlit(t, func(r *room, h *host.Host, m *scenario.Match) {
		if m.Report.Ticks == 150 {
			if err := r.reg.Exec("duel.gravity_pct 200", &strings.Builder{}); err != nil {
				t.Error(err)
			}
			h.ReloadRules()
		}
	}, "duel.moon_s", "0")
	if want := []string{"[movement.gravity = 50]"}; !slices.Equal(changes(held), want) {
		t.Errorf("held %v, want %v", held, want)
	}
}

// Linked in or as a process, what rules want to begin with is what the match begins with,
// and it knows the server's own.
func TestAMatchBeginsWithTheTablesOfItsRules(t *testing.T) {
	for _, linked := range []string{"true", "false"} {
		r := newRoom(t, "plugin.linked", linked, "sv.tables", "tactical", "duel.speed_pct", "0")
		h := host.Stepped(r.set, r.levels, r.slog(), *seed)
		m, err := h.StartMatch("pit")
		if err != nil {
			t.Fatalf("linked %s: %v", linked, err)
		}
		if m.Own == nil || m.Own.Movement.WalkSpeed == m.Tables.Movement.WalkSpeed || m.Tables.Version != m.Own.Version+1 {
			t.Errorf("linked %s: walks %v m/s, version %d", linked, m.Tables.Movement.WalkSpeed, m.Tables.Version)
		}
		if m.Close != nil {
			m.Close()
		}
	}
}
