//go:build unix

package host_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/level/load"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/plugins/host"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

var (
	recordSeed    = flag.Uint64("recorded.seed", 1, "seed of the recorded matches")
	recordSeconds = flag.Float64("recorded.seconds", 8, "length of the recorded matches")
)

// played is a match of bots that was recorded, as plugin.record does.
type played struct {
	policy, rules []byte
	report        scenario.Report
}

// playRecorded plays a match with linked-in policy and rules, and records both.
func playRecorded(t *testing.T, name string, spec rules.Spec, set map[string]string, patience float32) played {
	t.Helper()
	file := name + ".map"
	data, err := os.ReadFile("../../examples/arena/maps/" + file)
	if err != nil {
		t.Fatal(err)
	}
	lv, err := load.Bytes(file, data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := client.Loaded{Level: lv, World: trace.New(lv)}
	var asked, told bytes.Buffer
	var ends []func() (int, int, error)
	start := func(ref string) (*server.Match, error) {
		m := rules.Match{Level: ref, LevelHash: lv.Hash, Seed: *recordSeed, TickRate: 64, Tables: tables.Arena(), Settings: set}
		for _, s := range lv.Spawns {
			m.Spawns = append(m.Spawns, rules.Spawn{Pos: s.Pos, Yaw: s.Yaw, Team: uint8(s.Team)})
		}
		for _, z := range lv.Zones {
			m.Zones = append(m.Zones, rules.Zone{Name: z.Name, Box: z.Box})
		}
		value := spec.New()
		if err := value.Start(&m); err != nil {
			return nil, err
		}
		told.Reset()
		rr, err := host.NewRulesRecorder(rules.Inline(value), &told, host.RulesRecordHead{Rules: spec.Name, Version: spec.Version, Match: m})
		if err != nil {
			return nil, err
		}
		usual, err := deaddrop.Spec().Schema.Check(nil)
		if err != nil {
			return nil, err
		}
		asked.Reset()
		pr, err := host.NewRecorder(vis.Inline(linked(t, deaddrop.Spec(), vis.Env{World: got.World, TickRate: 64, Seed: *recordSeed})), &asked, host.RecordHead{
			Policy: "deaddrop", TickRate: 64, Seed: *recordSeed, Settings: usual, Level: host.LevelOf(file, data, level.Options{}, lv),
		})
		if err != nil {
			return nil, err
		}
		rr.Patient, pr.Patient = true, true
		ends = append(ends, rr.Close, pr.Close)
		begun, err := rules.Begin(&m.Tables, rr.Tables())
		if err != nil {
			return nil, err
		}
		return &server.Match{
			Ref: ref, Level: lv, World: got.World, Tables: begun, Own: &m.Tables, Policy: pr, Rules: rr, Range: vis.DefaultRange, VehicleRange: vis.DefaultRange,
		}, nil
	}
	bad := link.SimConfig{LatencyMS: 50, JitterMS: 8, Loss: 0.03}
	ticks := int(*recordSeconds * 64)
	report, err := scenario.Run(scenario.Config{
		Bots: 7, Seconds: *recordSeconds, TickRate: 64, Seed: *recordSeed, Up: bad, Down: bad, Start: start, Rotation: []string{name}, Skill: 1,
		Patience: patience, Throws: 1,
		Load:   func(string, [32]byte) (client.Loaded, error) { return got, nil },
		Tables: func(hash [32]byte) (tables.Set, bool) { s := tables.Arena(); return s, s.Hash() == hash },
		Each: func(m *scenario.Match) {
			// What bots do not do in so short a time, and not by any seed.
			switch n := m.Report.Ticks; {
			case n == ticks/3:
				m.Server.Smoke(lv.Spawns[0].Pos.Add(vec.V3{Z: 1}))
				for i := range lv.Doors {
					m.Server.Door(i, rules.DoorOpen)
				}
				for i := range lv.Pieces {
					m.Server.Piece(i, true)
				}
			case n == ticks/2:
				m.Server.Blast(lv.Spawns[0].Pos.Add(vec.V3{Z: 1}))
				for w, i := m.Server.World(), 0; i < len(w.IDs()); i++ {
					if p := w.Player(w.IDs()[i]); p.Alive() {
						m.Server.Flash(p.Pos.Add(vec.Forward(p.Yaw.Deg(), 0).Scale(2)).Add(vec.V3{Z: 1.6}))
					}
				}
			case n == ticks*2/3:
				m.Server.Kick(bots.Name(3), "to see one leave")
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range ends {
		if kept, missed, err := end(); missed > 0 || kept < ticks/2 || err != nil {
			t.Fatalf("%s: %d ticks kept and %d missed of %d: %v", name, kept, missed, ticks, err)
		}
	}
	return played{policy: asked.Bytes(), rules: told.Bytes(), report: report}
}

// TestRecordedMatchesAreAnsweredTheSame plays matches of bots, one by each of the shipped
// rules, and asks every shipped policy, and the rules, again what was recorded of them:
// linked in, through the codec, and as processes. Each answer is the same, byte for byte,
// and so is what the record holds.
func TestRecordedMatchesAreAnsweredTheSame(t *testing.T) {
	games := []struct {
		level    string
		spec     rules.Spec
		patience float32 // who leaves a fight looks around through an optic
		set      map[string]string
		match    played
	}{
		{level: "corner", spec: duel.Spec(), patience: 1, set: map[string]string{"warmup_s": "1", "respawn_s": "1", "scoped_pct": "100", "gravity_pct": "90"}},
		{level: "pit", spec: teams.Spec(), set: map[string]string{"warmup_s": "0"}},
		{level: "yard", spec: bomb.Spec(), set: map[string]string{"warmup_s": "0", "freeze_s": "0", "round_s": "3"}},
	}
	var seen sights
	t.Run("play", func(t *testing.T) {
		for i := range games {
			t.Run(games[i].level, func(t *testing.T) {
				t.Parallel()
				games[i].match = playRecorded(t, games[i].level, games[i].spec, games[i].set, games[i].patience)
				t.Logf("seed %d: %v", *recordSeed, games[i].match.report)
			})
		}
	})
	for i := range games {
		seen.policy(t, games[i].match.policy)
		seen.rules(t, games[i].match.rules)
	}
	if t.Failed() {
		return
	}
	t.Logf("seed %d: %+v", *recordSeed, seen)
	if what := seen.missing(); len(what) > 0 {
		t.Fatalf("seed %d: the matches hold no %v: they would not show a difference in it", *recordSeed, what)
	}
	for _, spec := range []vis.Spec{deaddrop.Spec(), netoptimize.Spec(), open.Spec(), pvs.Spec(), reach.Spec(), screen.Spec()} {
		t.Run("policy "+spec.Name, func(t *testing.T) {
			t.Parallel()
			for i := range games {
				askAgain(t, spec, games[i].level, games[i].match.policy)
			}
		})
	}
	for i := range games {
		t.Run("rules "+games[i].spec.Name, func(t *testing.T) {
			t.Parallel()
			playAgain(t, games[i].spec, games[i].match.rules)
		})
	}
}

// askAgain asks a policy in each of its shapes what a record holds.
func askAgain(t *testing.T, spec vis.Spec, name string, record []byte) {
	t.Helper()
	r, err := host.NewRecordReader(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	lv, err := load.Bytes(r.Head.Level.Name, r.Head.Level.Data, level.Options{})
	if err != nil {
		t.Fatal(err)
	}
	env := vis.Env{World: trace.New(lv), TickRate: r.Head.TickRate, Seed: r.Head.Seed}
	cfg, _ := config(t, "policy")
	cfg.Path, cfg.Wait = filepath.Join(bins, "policy-"+spec.Name), true
	pc := host.PolicyConfig{Config: cfg, Seed: r.Head.Seed, Level: r.Head.Level}
	process := startPolicy(t, pc)
	pc.Stream = true
	stream := startPolicy(t, pc)
	coded := &host.CodedPolicy{Policy: linked(t, spec, env)}
	shapes := []struct {
		name string
		vis.Decider
	}{
		{"linked in", vis.Inline(linked(t, spec, env))}, {"through the codec", coded}, {"as a process", process}, {"as a process over the stream", stream},
	}
	var in vis.Input
	var was, want vis.Answer
	var frame, first []byte
	ticks := 0
	for ; ; ticks++ {
		_, err := r.Next(&in, &was)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range shapes {
			shapes[i].Submit(&in)
		}
		for i := range shapes {
			a := shapes[i].Collect()
			if frame = codec.AppendAnswer(frame[:0], a); i == 0 {
				first = append(first[:0], frame...)
				want = *a
				if spec.Name == r.Head.Policy {
					was.Source = a.Source
					same(t, name+", and the record", a, &was)
				}
				continue
			}
			if !bytes.Equal(frame, first) {
				same(t, name+", "+shapes[i].name, a, &want)
				t.Fatalf("%s, tick %d, %s: the answers differ in what they do not permit", name, in.Tick, shapes[i].name)
			}
		}
	}
	if coded.Err != nil {
		t.Error(coded.Err)
	}
	for _, p := range []*host.Policy{process, stream} {
		if s := p.Stats(); s.FromPolicy != uint64(ticks) || ticks == 0 {
			t.Errorf("%s: %d ticks: %+v", name, ticks, s)
		}
	}
	if stream.Stats().Mailbox || runtime.GOOS == "linux" && !process.Stats().Mailbox {
		t.Error("both processes are reached alike")
	}
	for _, p := range []*host.Policy{process, stream} {
		p.Close()
	}
}

// playAgain gives rules in each of their shapes what a record holds.
func playAgain(t *testing.T, spec rules.Spec, record []byte) {
	t.Helper()
	r, err := host.NewRulesRecordReader(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	m := r.Head.Match
	value := func() rules.Rules {
		v := spec.New()
		if err := v.Start(&m); err != nil {
			t.Fatal(err)
		}
		return v
	}
	cfg, _ := config(t, "rules")
	cfg.Path, cfg.Wait = filepath.Join(bins, "rules-"+spec.Name), true
	process := startRules(t, host.RulesConfig{Config: cfg, Match: m})
	coded := &host.CodedRules{Rules: value()}
	shapes := []struct {
		name string
		rules.Runner
	}{{"linked in", rules.Inline(value())}, {"through the codec", coded}, {"as a process", process}}
	for _, s := range shapes {
		if vs := rules.TablesOf(s.Runner); !slices.Equal(vs, r.Head.Tables) {
			t.Fatalf("%s: the match would begin with %v, and began with %v", s.name, vs, r.Head.Tables)
		}
	}
	var in rules.TickIn
	var was []rules.Op
	var frame, want []byte
	ticks := 0
	for ; ; ticks++ {
		was, err = r.Next(&in, was)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		want = codec.AppendOps(want[:0], in.Tick, was)
		for i := range shapes {
			shapes[i].Submit(&in)
		}
		for i := range shapes {
			ops := shapes[i].Take()
			if frame = codec.AppendOps(frame[:0], in.Tick, ops); !bytes.Equal(frame, want) {
				t.Fatalf("tick %d, %s:\n got %+v\nwant %+v", in.Tick, shapes[i].name, ops, was)
			}
		}
	}
	if coded.Err != nil {
		t.Error(coded.Err)
	}
	if s := process.Stats(); s.Answers != uint64(ticks) || ticks == 0 || s.PID == os.Getpid() {
		t.Errorf("%d ticks: %+v", ticks, s)
	}
}

// sights counts what the records hold of what policies and rules may depend on.
type sights struct {
	Smoke, Holes, Doors, Broken, Dead, Blind, Aiming, Optics, Things, Vehicles, Came, Went, Permits, Denials int

	Spawns, Scores, Phases, Teams, Killed, Joined, Left int
}

func (s *sights) policy(t *testing.T, record []byte) {
	t.Helper()
	r, err := host.NewRecordReader(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	var in vis.Input
	var was vis.Answer
	viewers := 0
	for {
		if _, err := r.Next(&in, &was); err != nil {
			break
		}
		s.Smoke += len(in.Smokes)
		s.Holes += len(in.Holes)
		for _, d := range in.Doors {
			s.Doors += count(d != state.DoorState{})
		}
		for i := range in.Pieces {
			s.Broken += count(in.Pieces[i].Broken)
		}
		for i := range in.Subjects {
			e := &in.Subjects[i]
			s.Dead += count(e.Kind == state.KindPlayer && !e.Alive)
			s.Blind += count(e.Blind > 0)
			s.Aiming += count(e.Aiming)
			s.Things += count(e.Kind != state.KindPlayer && e.Kind != state.KindVehicle)
			s.Vehicles += count(e.Kind == state.KindVehicle)
		}
		for v := range in.Viewers {
			s.Optics += count(in.Viewers[v].Scope.Magnification > 1)
			for k := range in.Subjects {
				if in.IsAsked(v, k) {
					s.Permits += count(was.Permitted(v, k))
					s.Denials += count(!was.Permitted(v, k))
				}
			}
		}
		s.Came += count(len(in.Viewers) > viewers)
		s.Went += count(len(in.Viewers) < viewers)
		viewers = len(in.Viewers)
	}
}

func (s *sights) rules(t *testing.T, record []byte) {
	t.Helper()
	r, err := host.NewRulesRecordReader(bytes.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	var in rules.TickIn
	var ops []rules.Op
	for {
		if ops, err = r.Next(&in, ops); err != nil {
			break
		}
		for i := range ops {
			s.Spawns += count(ops[i].Kind == rules.OpSpawn)
			s.Scores += count(ops[i].Kind == rules.OpScore)
			s.Phases += count(ops[i].Kind == rules.OpPhase)
			s.Teams += count(ops[i].Kind == rules.OpSetTeam)
		}
		for i := range in.Events {
			s.Killed += count(in.Events[i].Kind == state.EvKill)
		}
		s.Joined += len(in.Joined)
		s.Left += len(in.Left)
	}
}

// missing names what was never seen.
func (s *sights) missing() (out []string) {
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		if v.Field(i).Int() == 0 {
			out = append(out, v.Type().Field(i).Name)
		}
	}
	return out
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
