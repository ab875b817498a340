package bomb_test

import (
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/rulestest"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

const rate = rulestest.Rate

// match has attackers at x 0 to 30, defenders at 40 to 70, and a site at x 45 to 55.
func match(settings map[string]string) *rules.Match {
	m := rulestest.Match(settings, true)
	m.Zones = []rules.Zone{
		{Name: "lobby", Box: vec.Box{Min: vec.New(-5, -5, -1), Max: vec.New(5, 5, 3)}},
		{Name: "bombsite", Box: vec.Box{Min: vec.New(45, -5, -1), Max: vec.New(55, 20, 3)}},
	}
	return m
}

// quick are settings in which everything is short.
func quick(more ...string) map[string]string {
	set := map[string]string{
		"half_rounds": "2", "overtime_rounds": "0", "warmup_s": "0", "freeze_s": "1", "round_s": "10",
		"bomb_s": "5", "plant_ms": "500", "defuse_ms": "1000", "after_s": "1", "over_s": "1",
	}
	for i := 0; i+1 < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	return set
}

// game is a match with what was said in it.
type game struct {
	*rulestest.World
	t       *testing.T
	r       rules.Rules
	said    []string
	hud     map[state.ID]map[string]string
	carrier state.ID
	lies    vec.V3
	ended   int
}

func start(t *testing.T, players int, settings map[string]string) *game {
	t.Helper()
	return &game{
		World: rulestest.New(players, 1), t: t, r: rulestest.Start(t, bomb.Spec(), match(settings)),
		hud: map[state.ID]map[string]string{},
	}
}

func (g *game) tick() []rules.Op {
	ops := g.Tick(g.r)
	for i := range g.In.Players {
		g.In.Players[i].Flags |= state.OnGround
	}
	for _, op := range ops {
		switch op.Kind {
		case rules.OpAnnounce:
			g.said = append(g.said, op.Text)
		case rules.OpHUD:
			if g.hud[op.ID] == nil {
				g.hud[op.ID] = map[string]string{}
			}
			k, v, _ := strings.Cut(op.Text, "=")
			g.hud[op.ID][k] = v
		case rules.OpCarry:
			g.carrier = op.ID
		case rules.OpPlace:
			g.carrier, g.lies = 0, op.Pos
		case rules.OpEndMatch:
			g.ended++
		}
	}
	return ops
}

// until plays until the stage is reached.
func (g *game) until(stage string) {
	g.t.Helper()
	for range 60 * rate {
		if g.hud[0]["stage"] == stage {
			return
		}
		g.tick()
	}
	g.t.Fatalf("stage %q is never reached: %v, said %q", stage, g.hud[0], g.said)
}

func (g *game) last() string {
	if len(g.said) == 0 {
		return ""
	}
	return g.said[len(g.said)-1]
}

// team returns the living or dead of a team.
func (g *game) team(team uint8) (ids []state.ID) {
	for i := range g.In.Players {
		if g.In.Players[i].Team == team {
			ids = append(ids, g.In.Players[i].ID)
		}
	}
	return ids
}

func TestSavedAtAnyTickItGoesOnTheSame(t *testing.T) {
	for _, bombS := range []string{"1", "3"} {
		set := quick("bomb_s", bombS, "plant_ms", "1", "defuse_ms", "30", "round_s", "4", "overtime_rounds", "1")
		ops := rulestest.SavedGoesOnTheSame(t, bomb.Spec(), func() *rules.Match {
			m := match(set)
			m.Zones[1].Box = vec.Box{Min: vec.New(-99, -99, -99), Max: vec.New(99, 99, 99)} // everywhere
			return m
		}, 2500, "/buy ammo", "/buy armor", "/buy kit", "/buy boat", "/drop", "/team red", "/team blue", "/x", "hi")
		said := map[string]bool{}
		for _, op := range rulestest.Find(ops, rules.OpAnnounce, 0) {
			said[op.Text] = true
		}
		if len(said) < 6 {
			t.Errorf("the script is too tame: %v", said)
		}
	}
}

func TestQuietTickAllocatesNothing(t *testing.T) {
	rulestest.QuietTickAllocatesNothing(t, bomb.Spec(), match(quick("freeze_s", "3", "round_s", "1000")))
}

func TestStartRefusesNonsense(t *testing.T) {
	rulestest.RefusesNonsense(t, bomb.Spec(), func() *rules.Match { return match(nil) }, "half_rounds", "100")
	if err := bomb.New().Start(match(map[string]string{"half_rounds": "0"})); err == nil {
		t.Error("a match without rounds is accepted")
	}
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte{})
	for _, b := range rulestest.Saves(f, bomb.Spec(), match(quick())) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { rulestest.Restores(t, bomb.Spec(), match(quick()), b) })
}

// Before a round everybody stands, may not shoot and may buy; then the clock runs.
func TestARoundBegins(t *testing.T) {
	g := start(t, 4, quick("start_money", "1200"))
	g.until("buy")
	g.tick()
	for _, id := range []state.ID{1, 2, 3, 4} {
		if f := g.Row(id).Flags; f&state.Frozen == 0 || f&state.NoFire == 0 {
			t.Errorf("%d may move: %b", id, f)
		}
		if x := g.Row(id).Pos.X; (g.Row(id).Team == 1) != (x < 35) {
			t.Errorf("%d of team %d enters at %v", id, g.Row(id).Team, x)
		}
	}
	if g.Row(g.carrier).Team != 1 {
		t.Errorf("the bomb is with %d", g.carrier)
	}
	g.Say(1, "/buy armor")
	g.Say(2, "/buy rocket")
	g.Say(3, "/buy")
	ops := g.tick()
	if h := rulestest.Find(ops, rules.OpHeal, 1); len(h) != 1 || h[0].Value2 != 50 || g.hud[1]["money"] != "550" {
		t.Errorf("armour: %+v, %v", h, g.hud[1])
	}
	if !strings.Contains(strings.Join(g.said, "|"), "That costs 2700; you have 1200.|For sale: ammo 500") {
		t.Errorf("said %q", g.said)
	}
	g.Say(1, "/buy armor")
	if g.tick(); g.last() != "You have that." {
		t.Errorf("said %q", g.last())
	}
	g.until("live")
	g.Say(1, "/buy kit")
	if g.tick(); g.last() != "There is buying only before a round." || g.Row(1).Flags&state.Frozen != 0 {
		t.Errorf("said %q, flags %b", g.last(), g.Row(1).Flags)
	}
}

// What was broken in a round is whole in the next.
func TestARoundBeginsWithTheLevelWhole(t *testing.T) {
	g := start(t, 4, quick())
	mends := 0
	for range 2 {
		g.until("live")
		for g.hud[0]["stage"] != "buy" {
			mends += len(rulestest.Find(g.tick(), rules.OpPiece, 0))
		}
	}
	if mends != 2 {
		t.Errorf("mended %d times before the second and third round", mends)
	}
}

func TestTimeIsTheDefenders(t *testing.T) {
	g := start(t, 4, quick())
	g.until("decided")
	if g.last() != "Blue wins the round: time is up." || g.hud[0]["teams"] != "0:1" {
		t.Errorf("said %q, %v", g.last(), g.hud[0])
	}
	g.until("buy")
	// 800 and a win, 800 and a loss.
	if g.hud[2]["money"] != "3800" || g.hud[1]["money"] != "2200" {
		t.Errorf("%v and %v", g.hud[2], g.hud[1])
	}
}

// plantIt brings the carrier to the site and plants.
func (g *game) plantIt() {
	g.t.Helper()
	g.until("live")
	row := g.Row(g.carrier)
	row.Pos = vec.New(50, 5, 0)
	row.Buttons = state.BtnUse
	g.until("planted")
	row.Buttons = 0
}

func TestPlantAndBlast(t *testing.T) {
	g := start(t, 4, quick())
	g.until("live")
	who := g.carrier
	row := g.Row(who)
	row.Buttons = state.BtnUse
	for range rate {
		if g.tick(); g.hud[0]["stage"] != "live" {
			t.Fatal("planted outside of a site")
		}
	}
	row.Pos = vec.New(50, 5, 0)
	row.Vel = vec.New(3, 0, 0)
	for range rate {
		if g.tick(); g.hud[0]["stage"] != "live" {
			t.Fatal("planted while walking")
		}
	}
	row.Vel = vec.V3{}
	for range rate/2 - 1 {
		g.tick()
	}
	row.Buttons = 0
	g.tick()
	row.Buttons = state.BtnUse
	for range rate/2 - 1 {
		if g.tick(); g.hud[0]["stage"] != "live" {
			t.Fatal("an interrupted work goes on")
		}
	}
	g.tick()
	if g.hud[0]["stage"] != "planted" || g.lies != row.Pos {
		t.Fatalf("%v at %v", g.hud[0], g.lies)
	}
	for _, id := range g.team(2) {
		g.Row(id).Pos = vec.New(50, 15, 0)
	}
	for _, id := range g.team(1) {
		g.Row(id).Pos = vec.New(0, 0, 0)
	}
	at := g.In.Tick
	g.until("decided")
	if took := g.In.Tick - at; took < 5*rate-1 || took > 5*rate+1 {
		t.Errorf("goes off after %d ticks", took)
	}
	if g.last() != "Red wins the round: the bomb went off." {
		t.Errorf("said %q", g.last())
	}
	g.tick()
	for _, id := range g.team(2) {
		if g.Alive(id) {
			t.Errorf("%d lives beside the bomb with %d", id, g.Row(id).Health)
		}
	}
}

func TestDisarming(t *testing.T) {
	for _, kit := range []bool{false, true} {
		g := start(t, 4, quick())
		g.until("buy")
		g.tick()
		d := state.ID(2)
		if kit {
			g.Say(d, "/buy kit")
		}
		g.plantIt()
		row := g.Row(d)
		row.Pos, row.Buttons = g.lies.Add(vec.New(1, 0, 0)), state.BtnUse
		other := g.Row(4)
		other.Pos, other.Buttons = row.Pos, state.BtnUse
		n := 0
		for ; g.hud[0]["stage"] == "planted"; n++ {
			g.tick()
		}
		if want := map[bool]int{false: rate, true: rate / 2}[kit]; n != want || g.last() != "Blue wins the round: the bomb was disarmed." {
			t.Errorf("kit %v: after %d ticks, said %q", kit, n, g.last())
		}
	}
}

// Where all attackers are dead the planted bomb has still to be disarmed; where all
// defenders are, it need not go off.
func TestNobodyLeft(t *testing.T) {
	g := start(t, 4, quick())
	g.plantIt()
	for _, id := range g.team(1) {
		g.Kill(2, id)
	}
	for range 2 * rate {
		g.tick()
	}
	if g.hud[0]["stage"] != "planted" {
		t.Fatalf("%v, said %q", g.hud[0], g.last())
	}
	for _, id := range g.team(2) {
		g.Kill(0, id)
	}
	g.tick()
	if g.last() != "Red wins the round: no defender is left." {
		t.Errorf("said %q", g.last())
	}
	g.until("live")
	for _, id := range g.team(1) {
		g.Kill(2, id)
	}
	g.tick()
	if g.last() != "Blue wins the round: no attacker is left." {
		t.Errorf("said %q", g.last())
	}
}

// The bomb lies where its carrier died, left or dropped it; attackers pick it up.
func TestTheBombFalls(t *testing.T) {
	for how, lose := range map[string]func(g *game){
		"dies":  func(g *game) { g.Kill(2, g.carrier) },
		"drops": func(g *game) { g.Say(g.carrier, "/drop") },
		"leaves": func(g *game) {
			for i := range g.In.Players {
				if g.In.Players[i].ID == g.carrier {
					g.In.Players = append(g.In.Players[:i], g.In.Players[i+1:]...)
					break
				}
			}
			g.In.Left = append(g.In.Left, g.carrier)
		},
	} {
		g := start(t, 6, quick())
		g.until("live")
		at := vec.New(33, 2, 0)
		who := g.carrier
		for _, id := range g.team(1) {
			g.Row(id).Pos = vec.New(1, 1, 0)
		}
		g.Row(who).Pos = at
		g.tick()
		lose(g)
		g.tick()
		if row := g.Row(who); row != nil {
			row.Pos = vec.New(1, 1, 0)
		}
		g.tick()
		if how == "drops" && g.carrier == who {
			continue // stood on it
		}
		if g.carrier != 0 || g.lies != at {
			t.Fatalf("%s: with %d at %v", how, g.carrier, g.lies)
		}
		g.Row(2).Pos = at // a defender
		if g.tick(); g.carrier != 0 {
			t.Fatalf("%s: a defender picks it up", how)
		}
		for _, id := range g.team(1) {
			if id != who {
				g.Row(id).Pos = at.Add(vec.New(0.5, 0, 0))
				g.tick()
				if g.carrier != id {
					t.Errorf("%s: with %d", how, g.carrier)
				}
				break
			}
		}
	}
}

// Sides are swapped at half time with the money begun anew; who has more than half of
// the rounds has won.
func TestHalvesAndTheEnd(t *testing.T) {
	g := start(t, 4, quick())
	g.until("live")
	if g.hud[0]["attackers"] != "Red" {
		t.Fatal(g.hud[0])
	}
	g.until("decided")
	g.until("live")
	g.until("decided") // blue has won two by the time
	g.until("buy")
	if g.hud[0]["attackers"] != "Blue" || g.hud[1]["money"] != "800" || g.hud[2]["money"] != "800" {
		t.Errorf("second half: %v, %v, %v", g.hud[0], g.hud[1], g.hud[2])
	}
	g.tick()
	if g.Row(2).Pos.X > 35 {
		t.Errorf("blue enters at %v", g.Row(2).Pos)
	}
	g.until("decided") // red
	if g.hud[0]["teams"] != "1:2" {
		t.Error(g.hud[0])
	}
	g.until("live")
	for _, id := range g.team(1) {
		g.Kill(2, id)
	}
	g.until("over")
	if g.last() != "Blue wins the match 3 to 1." {
		t.Errorf("said %q", g.last())
	}
	g.until("warmup")
	if g.ended != 1 {
		t.Errorf("%d ends", g.ended)
	}
}

func TestDrawAndOvertime(t *testing.T) {
	g := start(t, 4, quick())
	g.until("over") // each side wins by the time where it defends
	if g.last() != "A draw, 2 to 2." {
		t.Errorf("said %q", g.last())
	}
	g = start(t, 4, quick("overtime_rounds", "1"))
	for range 4 {
		g.until("decided")
		g.until("buy")
	}
	if g.hud[0]["round"] != "5" || g.hud[0]["stage"] != "buy" {
		t.Fatalf("no overtime: %v", g.hud[0])
	}
	for range 2 { // even again: another pair
		g.until("decided")
		g.until("buy")
	}
	g.until("decided")
	g.until("live")
	team := g.team(1)
	if g.hud[0]["attackers"] == "Red" {
		team = g.team(2)
	}
	for _, id := range team { // the attackers win: two in a row for one team
		g.Kill(0, id)
	}
	g.until("over")
	if !strings.Contains(g.last(), "wins the match 5 to 3") {
		t.Errorf("said %q", g.last())
	}
}

func TestWaitsForBothSides(t *testing.T) {
	g := start(t, 1, quick())
	for range 3 * rate {
		g.tick()
	}
	if g.hud[0]["stage"] != "warmup" || !g.Alive(1) {
		t.Fatal(g.hud[0])
	}
	g.Join(2)
	g.until("live")
	g.Join(3) // comes too late for this round
	for range rate {
		g.tick()
	}
	if g.Alive(3) {
		t.Error("enters during a round")
	}
	g.until("decided")
	g.until("live")
	if !g.Alive(3) {
		t.Error("does not enter in the next")
	}
}

// A level that marks nothing is divided between the sides.
func TestALevelWithoutMarks(t *testing.T) {
	m := rulestest.Match(quick(), false)
	w, r := rulestest.New(4, 1), rulestest.Start(t, bomb.Spec(), m)
	var carrier state.ID
	for range 3 * rate {
		for _, op := range w.Tick(r) {
			if op.Kind == rules.OpCarry {
				carrier = op.ID
			}
		}
	}
	for i := range w.In.Players {
		if p := &w.In.Players[i]; (p.Team == 1) != (p.Pos.X < 35) {
			t.Errorf("%d of team %d is at %v", p.ID, p.Team, p.Pos)
		}
	}
	w.Row(carrier).Pos, w.Row(carrier).Buttons = vec.New(70, 7, 0), state.BtnUse
	w.Row(carrier).Flags |= state.OnGround
	for range rate {
		for _, op := range w.Tick(r) {
			if op.Kind == rules.OpPlace {
				return
			}
		}
	}
	t.Error("the farthest of the defenders' places is no site")
}
