package scenario_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/wire"
)

// turns are changes of what is predicted: how bodies move and fall, how high they are,
// how fast weapons fire and reload.
var turns = [][]tables.Value{
	{{Name: "movement.gravity", To: 12}},
	{{Name: "movement.run_speed", To: 14}, {Name: "weapon.rifle.interval_ms", To: 60}},
	{{Name: "movement.stand_height", To: 1.9}, {Name: "movement.stand_eye", To: 1.7}, {Name: "movement.half_width", To: 0.4}},
	{{Name: "weapon.rifle.mag", To: 20}, {Name: "weapon.rifle.reload_ms", To: 800}, {Name: "weapon.rifle.spread_deg", To: 3}},
	{{Name: "movement.gravity", To: 40}, {Name: "movement.friction", To: 2}, {Name: "movement.auto_jump", To: 1}},
	{{Name: "weapon.rocket.speed", To: 12}, {Name: "weapon.rocket.interval_ms", To: 300}, {Name: "weapon.rifle.ammo_max", To: 30}},
}

// Eight bots move and shoot while the tables change every 1.5 s, and back: everybody runs
// each tick on its own tables, and nothing is mispredicted that no outside force explains,
// over 100 ms with 3 % loss and jitter, where nobody has to stop predicting, and over a
// line so bad that announcements come too late, while the tick wraps.
func TestTablesChangeInTheSameTickOnBothSides(t *testing.T) {
	for _, c := range []struct {
		name  string
		line  link.SimConfig
		first state.Tick
		stops bool
	}{
		{"usual", link.SimConfig{LatencyMS: 50, JitterMS: 8, Loss: 0.03, Dup: 0.01, Reorder: 0.01}, 0, false},
		{"bad", link.SimConfig{LatencyMS: 300, JitterMS: 60, Loss: 0.2}, ^state.Tick(0) - 8*rate, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Logf("seed %d", *seed)
			cfg := config(maps{}, "pit", 8)
			cfg.Up, cfg.Down, cfg.FirstTick, cfg.Seconds = c.line, c.line, c.first, 24
			turning(t, cfg, c.stops)
		})
	}
}

func turning(t *testing.T, cfg scenario.Config, stops bool) {
	at := map[int]state.Tick{}
	cfg.Hooks.Tables = func(from state.Tick, set *tables.Set, _ []tables.Value) { at[set.Version] = from }
	told, seen := map[int]state.Tick{}, 0
	cfg.Each = func(m *scenario.Match) {
		switch now := m.Report.Ticks; {
		case now%(3*rate/2) == 0 && now > 2*rate && now < 20*rate:
			var from state.Tick
			var err error
			if k := now / (3 * rate / 2) % (len(turns) + 1); k == len(turns) {
				from, err = m.Server.ResetTables(0)
			} else {
				from, err = m.Server.ChangeTables(turns[k], 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			told[len(told)+2] = from
			if lead := from - m.Server.Tick(); lead <= rate {
				t.Fatalf("a lead of %d ticks", lead)
			}
		}
		for _, b := range m.Crew.Bots() {
			if b.State() == client.Playing && b.Commanded() != 0 && b.Predicting() {
				v, next := b.Tables().Version, b.Tables().Version+1
				if from, ok := told[v]; ok && int32(b.Commanded()-from) < 0 {
					t.Fatalf("a client has version %d in tick %d, which is from %d", v, b.Commanded(), from)
				}
				if from, ok := told[next]; ok && int32(b.Commanded()-from) >= 0 {
					t.Fatalf("a client still has version %d in tick %d, and %d is from %d", v, b.Commanded(), next, from)
				}
				seen++
			}
		}
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range int(cfg.Seconds) * rate {
		m.Step()
	}
	r := m.Finish()
	t.Log(r)
	t.Log(r.Bits(rate))
	switch err := judge(r, 8); {
	case !stops && err != nil:
		t.Error(err)
	case r.Errors != 0 || r.Mismatches != 0 || r.Check != nil:
		t.Errorf("%d prediction errors, worst %v m, %d wrong hashes, %v", r.Errors, r.WorstError, r.Mismatches, r.Check)
	}
	if len(told) < 11 || seen == 0 {
		t.Fatalf("%d changes", len(told))
	}
	for v, from := range told {
		if at[v] != from {
			t.Errorf("version %d was told from tick %d and held from %d", v, from, at[v])
		}
	}
	set, _ := m.Server.Tables()
	lacked, unpredicted := 0, 0
	for i, b := range m.Crew.Bots() {
		s := b.Stats()
		lacked, unpredicted = lacked+s.TablesLacked, unpredicted+s.Unpredicted
		if s.TablesWrong != 0 || !stops && s.TableChanges != len(told) {
			t.Errorf("bot %d was told of %d changes of %d, %d of them wrong", i, s.TableChanges, len(told), s.TablesWrong)
		}
		if b.Tables().Hash() != set.Hash() {
			t.Errorf("bot %d does not have the server's tables", i)
		}
	}
	t.Logf("%d changes, %d times somebody had to stop predicting, for %d commands of %d", len(told), lacked, unpredicted, r.Commands)
	if (lacked != 0) != stops {
		t.Errorf("%d times somebody lacked tables", lacked)
	}
}

// withheld keeps an announcement from the traveller: its reliable stream is full when
// that is made, so that the server leaves it out.
func withheld(v *traveller, vs []tables.Value) state.Tick {
	v.t.Helper()
	for i := range 210 {
		v.s.Say(fmt.Sprintf("%0240d", i))
	}
	from, err := v.s.ChangeTables(vs, 0)
	if err != nil {
		v.t.Fatal(err)
	}
	return from
}

// A client that is not told of a change finds it out by the next snapshot: it predicts
// up to the tick that the change may hold from at the earliest, and not beyond, shows its
// player where the server says, and goes on when it has been told. Nothing is mispredicted.
func TestClientWithoutTheTablesStopsPredicting(t *testing.T) {
	var v *traveller
	blindShots, twice := 0, map[int32]bool{}
	v = travel(t, func(c *client.Config) {
		c.Event = func(e *state.Event, _ bool) {
			if e.Kind == state.EvFire && e.Actor == 1 && v.c.State() == client.Playing && !v.c.Predicting() {
				if blindShots++; twice[e.Param] {
					t.Errorf("shot %d is shown twice", e.Param)
				}
				twice[e.Param] = true
			}
		}
	})
	v.run(3)
	v.plays(1)
	from := withheld(v, []tables.Value{{Name: "movement.run_speed", To: 3}, {Name: "movement.gravity", To: 9}})
	before := v.c.Stats()
	stopped, shown := 0, 0
	var last state.Tick
	for range 4 * rate {
		v.run(1.0 / rate)
		if c := v.c.Commanded(); !v.c.Predicting() {
			if stopped == 0 && int32(c-from) > 0 {
				t.Errorf("it stops in tick %d, and the tables are from %d", c, from)
			}
			stopped++
			p := v.s.World().Player(1)
			if p == nil {
				t.Fatalf("%v: %s", v.c.State(), v.c.Reason())
			}
			if v.c.Eye().Dist(p.Pos) < 6 {
				shown++
			}
			if tick, own := v.c.Settled(); own.Pos != v.c.Own().Pos && int32(tick-from) > 0 {
				t.Fatalf("tick %d: it shows %v, and the server says %v", tick, v.c.Own().Pos, own.Pos)
			}
		} else if stopped == 0 {
			last = c
		}
	}
	s := v.c.Stats()
	t.Logf("from %d: predicted to %d, then for %d ticks nothing, %d commands; asked and told", from, last, stopped, s.Unpredicted)
	if stopped == 0 || stopped > 2*rate || shown != stopped || s.TablesLacked != before.TablesLacked+1 {
		t.Errorf("for %d ticks nothing was predicted, in %d of them the eye was near the body, and that %d times", stopped, shown, s.TablesLacked)
	}
	if blindShots == 0 {
		t.Error("its own shots are not shown")
	}
	if int32(last-from) < -rate/2 {
		t.Errorf("it stopped %d ticks before it had to", int32(from-last))
	}
	set, _ := v.s.Tables()
	if !v.c.Predicting() || v.c.Tables().Hash() != set.Hash() {
		t.Error("it did not get the tables")
	}
	v.plays(1) // and 0 errors
	if s := v.c.Stats(); s.Mismatches != 0 || s.BadSnapshots != 0 {
		t.Errorf("%d wrong hashes, %d bad snapshots", s.Mismatches, s.BadSnapshots)
	}
}

// A silent line, over announcement and activation: what was predicted meanwhile by the
// old tables is made anew, and counts as no error of prediction.
func TestChangeDuringASilence(t *testing.T) {
	v := travel(t, nil)
	v.run(3)
	if _, err := v.s.ChangeTables(turns[1], 0); err != nil {
		t.Fatal(err)
	}
	v.way.cut = true
	v.run(2.5)
	v.way.cut = false
	v.run(2)
	v.plays(1)
	if set, _ := v.s.Tables(); set.Version != 2 || v.c.Tables().Hash() != set.Hash() {
		t.Errorf("server has version %d, client %d", set.Version, v.c.Tables().Version)
	}
}

// Who joins while changes have been made and others are announced, and who loses the
// connection and comes back, has the tables of each tick, as has everybody after the
// level has changed, back to its own.
func TestJoinsBetweenChanges(t *testing.T) {
	v := travel(t, nil)
	for _, vs := range turns[:2] {
		if _, err := v.s.ChangeTables(vs, 0); err != nil {
			t.Fatal(err)
		}
	}
	v.run(1.5) // the first holds when it is welcome, or is announced
	if _, err := v.s.ChangeTables(turns[4], v.s.Tick()+2*rate); err != nil {
		t.Fatal(err)
	}
	v.run(0.5)
	v.plays(1)
	same := func(version int) {
		t.Helper()
		set, own := v.s.Tables()
		if set.Version != version || v.c.Tables().Hash() != set.Hash() || own != (version == 1) {
			t.Fatalf("server has version %d, client %d, want %d", set.Version, v.c.Tables().Version, version)
		}
		if s := v.c.Stats(); s.TablesLacked != 0 || s.Mismatches != 0 {
			t.Errorf("it lacked tables %d times, %d wrong hashes", s.TablesLacked, s.Mismatches)
		}
	}
	v.run(2)
	same(4)

	// It is away while one more is announced, holds, and the next is announced.
	v.way.cut = true
	v.run(6)
	if _, err := v.s.ChangeTables(turns[3], 0); err != nil {
		t.Fatal(err)
	}
	v.run(8)
	if _, err := v.s.ChangeTables(turns[5], v.s.Tick()+3*rate); err != nil {
		t.Fatal(err)
	}
	v.way.cut = false
	v.run(2)
	v.plays(1)
	v.run(3)
	same(6)

	if err := v.s.Change("pit"); err != nil {
		t.Fatal(err)
	}
	v.run(2)
	v.plays(1)
	same(1)
}

// Changes that cannot be are refused in a sentence, and change nothing: one that is no
// number, that contradicts, too many values, too far ahead, too many that wait.
func TestChangesThatCannotBe(t *testing.T) {
	v := travel(t, nil)
	v.run(1)
	many := make([]tables.Value, tables.MaxChange+1)
	for i := range many {
		many[i] = tables.Value{Name: "movement.gravity", To: float32(i)}
	}
	for name, vs := range map[string][]tables.Value{
		"nothing": nil, "no such name": {{Name: "movement.gravitas", To: 3}}, "outside": {{Name: "movement.gravity", To: -1}},
		"against itself": {{Name: "movement.gravity", To: 9}, {Name: "movement.stand_height", To: 1}}, "too many": many,
	} {
		if from, err := v.s.ChangeTables(vs, 0); err == nil {
			t.Errorf("%s: from tick %d", name, from)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := v.s.ChangeTables(turns[0], v.s.Tick()+rate*4000); err == nil {
		t.Error("more than an hour ahead")
	}
	for i := range 5 {
		_, err := v.s.ChangeTables([]tables.Value{{Name: "movement.gravity", To: float32(10 + i)}}, 0)
		if (err == nil) != (i < 4) {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if _, err := v.s.ChangeTables([]tables.Value{{Name: "movement.gravity", To: 13}}, 0); err != nil {
		t.Errorf("what is announced already: %v", err)
	}
	v.run(2)
	if set, _ := v.s.Tables(); set.Version != 5 || set.Movement.Gravity != 13 {
		t.Errorf("version %d, gravity %v", set.Version, set.Movement.Gravity)
	}
}

// A server that announces without end, in the past, by the wrong version, with numbers
// that are none, and hashes that are not theirs, costs bounded work: nothing of it holds,
// the client asks now and then, predicts nothing from where it may hold, and plays on
// when the right ones come.
func TestHostileTables(t *testing.T) {
	s := newStub(t, maps{})
	set := tables.Arena()
	next, err := set.With(turns[0])
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(0)
	nan /= nan
	for i := range 3000 {
		m := &wire.Tables{Version: uint32(i % 5), From: state.Tick(i * 7), Values: []tables.Value{{Name: "movement.gravity", To: nan}, {Name: fmt.Sprint(i)}}}
		switch i % 4 {
		case 1:
			m.Version, m.Whole = 1<<31-1, []byte{1, 2, 3}
		case 2:
			m.Version, m.Values = 2, turns[0]
		case 3:
			m.Whole = wire.TablesBlob(&set)
		}
		s.say(wire.Append(nil, m))
	}
	if s.c.State() != client.Playing || s.c.Tables().Version != 1 {
		t.Fatalf("%v: %s, version %d", s.c.State(), s.c.Reason(), s.c.Tables().Version)
	}
	st := s.c.Stats()
	t.Logf("%d were wrong", st.TablesWrong)
	s.say(wire.Append(nil, &wire.Tables{Version: 2, From: 5000, Hash: next.Hash(), Whole: wire.TablesBlob(&next)}))
	for range 100 {
		s.step()
	}
	s.say(wire.Append(nil, &wire.Tables{Version: 2, From: 5000, Hash: next.Hash(), Whole: wire.TablesBlob(&next)}))
	if got := s.c.TablesAt(6000); got.Hash() != next.Hash() || s.c.TablesAt(4000).Version != 1 {
		t.Error("the right ones do not hold")
	}
}

// A demo of a match whose tables change has those of each tick: read through, and after
// every seek, over the changes there and back. One that is begun after a change has them
// too.
func TestDemoHasTheTablesOfEachTick(t *testing.T) {
	for _, begin := range []int{1, 5} {
		t.Run(fmt.Sprintf("from second %d", begin), func(t *testing.T) {
			var out bytes.Buffer
			var rec *demo.Recorder
			var m *scenario.Match
			cfg := config(maps{}, "pit", 4)
			cfg.Hooks.Tables = func(_ state.Tick, set *tables.Set, _ []tables.Value) {
				if rec != nil {
					rec.Tables(wire.TablesBlob(set))
				}
			}
			of := map[state.Tick]int{}
			cfg.Hooks.View = func(v *vis.View) {
				if rec != nil {
					rec.View(v)
				}
			}
			cfg.Hooks.Frame = func(in *vis.Input, f *vis.Frame, ans *vis.Answer) {
				if rec != nil {
					rec.Frame(in, f, ans)
					set, _ := m.Server.Tables()
					of[f.Tick] = set.Version
				}
			}
			m, err := scenario.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for i := range 12 * rate {
				if i == begin*rate {
					rec, err = demo.NewRecorder(&out, demo.Header{Level: "pit", TickRate: rate}, demo.Options{Queue: 1 << 12})
					if err != nil {
						t.Fatal(err)
					}
					if set, own := m.Server.Tables(); !own {
						rec.Tables(wire.TablesBlob(set))
					}
				}
				if i%(2*rate) == 0 {
					if _, err := m.Server.ChangeTables(turns[i/(2*rate)%len(turns)], 0); err != nil {
						t.Fatal(err)
					}
				}
				m.Step()
			}
			if _, err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := demo.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil {
				t.Fatal(err)
			}
			check := func(f *demo.Frame) {
				t.Helper()
				version := 1
				if len(f.Tables) > 0 {
					set, err := wire.ParseTables(f.Tables)
					if err != nil {
						t.Fatal(err)
					}
					version = set.Version
				}
				if version != of[f.Tick] {
					t.Fatalf("tick %d has version %d, and had %d", f.Tick, version, of[f.Tick])
				}
			}
			var f demo.Frame
			for err = r.Next(&f); err == nil; err = r.Next(&f) {
				check(&f)
			}
			info := r.Info()
			for i := range 200 {
				tick := info.First + state.Tick(i*7919)%(info.Last-info.First+1)
				if err := r.At(tick, &f); err != nil || f.Tick != tick {
					t.Fatalf("tick %d: %d, %v", tick, f.Tick, err)
				}
				check(&f)
			}
			if of[info.Last] < 6 {
				t.Errorf("the last tick has version %d", of[info.Last])
			}
			t.Logf("%d bytes, %d frames", out.Len(), info.Frames)
		})
	}
}

// In a scene earshots change while it plays: steps out of sight are heard up to then.
func TestSceneWhoseEarshotChanges(t *testing.T) {
	text := `name = "earshot"
seconds = 3
units = "metres"
[[slab]]
min = [-50, -50, -1]
max = [50, 50, 0]
[[slab]]
min = [-50, 3, 0]
max = [50, 4, 8]
[[player]]
name = "viewer"
feet = [0, 0, 0]
[[player]]
name = "target"
feet = [0, 10, 0]
[[event]]
at = 1.5
kind = "table"
name = "sounds.step"
to = 5
`
	for i := range 6 {
		text += fmt.Sprintf("[[event]]\nat = %v\nkind = \"step\"\nplayer = \"target\"\n", 0.25+float64(i)/2)
	}
	text += "[[expect]]\nviewer = \"viewer\"\ntarget = \"target\"\nhears = \"step\"\ntimes = [3, 3]\n"
	s, err := scenario.ReadFile("earshot.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // and again: the scene is not changed by being played
		r, err := s.Run(deaddrop.Spec())
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK {
			t.Errorf("%+v", r.Findings)
		}
	}
}

// Who watches late sees eyes as high as the tables of then had them.
func TestSpectatorsSeeByTheTablesOfThen(t *testing.T) {
	cfg := config(maps{}, "pit", 3)
	cfg.Spectate.DelayS = 3
	type change struct {
		from        state.Tick
		stand, duck float32
	}
	set := tables.Arena()
	held := []change{{0, set.Movement.StandEye, set.Movement.CrouchEye}}
	cfg.Hooks.Tables = func(from state.Tick, set *tables.Set, _ []tables.Value) {
		held = append(held, change{from, set.Movement.StandEye, set.Movement.CrouchEye})
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	seen := map[int]int{}
	for i := range 20 * rate {
		m.Step()
		b := m.Crew.Bots()[0]
		switch i {
		case 2 * rate:
			b.LookOn(true)
		case 3 * rate:
			b.SpectateNext(1)
		case 8 * rate, 11 * rate:
			eye := 1.1 + float32(i)/rate/100
			if _, err := m.Server.ChangeTables([]tables.Value{{Name: "movement.stand_eye", To: eye}, {Name: "movement.crouch_eye", To: eye - 0.2}}, 0); err != nil {
				t.Fatal(err)
			}
		}
		who, eye, ok := b.Watched()
		_, late := b.Watching()
		if !ok || late == 0 || who.Pose&state.PoseDead != 0 {
			continue
		}
		tick, _ := b.Shown()
		k := 0
		for n := range held {
			if int32(tick-late-held[n].from) >= 0 {
				k = n
			}
		}
		high, want := eye.Z-who.At.Z, held[k].stand+(held[k].duck-held[k].stand)*who.Duck01
		if d := high - want; d < -0.02 || d > 0.02 {
			t.Fatalf("tick %d, late by %d: the eye is %v high, and was %v", tick, late, high, want)
		}
		seen[k]++
	}
	t.Logf("%d changes, frames by the tables: %v", len(held)-1, seen)
	if len(seen) != 3 {
		t.Error("not all tables were seen")
	}
}

// Rules that begin a match with other tables than the server has: clients are sent them,
// and the next level begins so as well, whatever was changed meanwhile.
func TestMatchesThatBeginWithTheRulesTables(t *testing.T) {
	levels := maps{}
	cfg := config(levels, "pit", 4)
	own := tables.Arena()
	theirs, err := own.With([]tables.Value{{Name: "movement.gravity", To: 14}, {Name: "movement.run_speed", To: 8}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Start = func(ref string) (*server.Match, error) {
		m, err := levels.start(ref)
		if err == nil {
			m.Own, m.Tables = &own, theirs
		}
		return m, err
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	run := func(seconds int, want *tables.Set) {
		t.Helper()
		for range seconds * rate {
			m.Step()
		}
		set, shipped := m.Server.Tables()
		if set.Hash() != want.Hash() || shipped || *m.Server.OwnTables() != own {
			t.Fatalf("the server has version %d, shipped %v", set.Version, shipped)
		}
		for i, b := range m.Crew.Bots() {
			if b.State() != client.Playing || b.Tables().Hash() != want.Hash() {
				t.Fatalf("bot %d is %v (%s), with version %d", i, b.State(), b.Reason(), b.Tables().Version)
			}
		}
	}
	run(3, &theirs)
	next, err := theirs.With(turns[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Server.ChangeTables(turns[1], 0); err != nil {
		t.Fatal(err)
	}
	run(3, &next)
	if _, err := m.Server.ResetTables(0); err != nil {
		t.Fatal(err)
	}
	back := theirs
	back.Version = 4
	run(3, &back)
	if err := m.Server.Change("pit"); err != nil {
		t.Fatal(err)
	}
	run(3, &theirs)
	if r := m.Finish(); r.Errors != 0 || r.Mismatches != 0 {
		t.Errorf("%v", r)
	}
}
