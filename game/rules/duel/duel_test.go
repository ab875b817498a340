package duel_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
)

const rate = 64

func match(settings map[string]string) *rules.Match {
	m := &rules.Match{Level: "test", Seed: 5, TickRate: rate, Tables: tables.Arena(), Settings: settings}
	for i := range 8 {
		m.Spawns = append(m.Spawns, rules.Spawn{Pos: vec.New(float32(i)*10, float32(i%3)*7, 0), Yaw: float32(i) * 45})
	}
	return m
}

func start(t testing.TB, m *rules.Match) *duel.Rules {
	t.Helper()
	d := duel.New()
	if err := d.Start(m); err != nil {
		t.Fatal(err)
	}
	return d
}

// world is as much of a simulation as rules can see.
type world struct {
	in   rules.TickIn
	rnd  vec.Rand
	next []state.Event
}

func newWorld(players int, seed uint64) *world {
	w := &world{rnd: vec.NewRand(seed)}
	for i := range players {
		w.join(state.ID(i + 1))
	}
	return w
}

func (w *world) join(id state.ID) {
	w.in.Players = append(w.in.Players, rules.PlayerRow{ID: id, Flags: state.Spectating})
	w.in.Joined = append(w.in.Joined, rules.Member{ID: id, Name: "player " + string(rune('a'+id))})
}

func (w *world) row(id state.ID) *rules.PlayerRow {
	for i := range w.in.Players {
		if w.in.Players[i].ID == id {
			return &w.in.Players[i]
		}
	}
	return nil
}

func (w *world) kill(by, target state.ID) {
	r := w.row(target)
	if r.Flags&(state.Dead|state.Spectating|state.Invulnerable) != 0 {
		return
	}
	r.Flags |= state.Dead
	w.next = append(w.next, state.Event{Kind: state.EvKill, Actor: by, Target: target})
}

// advance makes the next tick.
func (w *world) advance() *rules.TickIn {
	w.in.Tick++
	for i := range w.in.Players {
		r := &w.in.Players[i]
		r.DeadFor++
		if r.Flags&(state.Dead|state.Spectating) == 0 {
			r.DeadFor = 0
		}
	}
	w.in.Events, w.next = append(w.in.Events[:0], w.next...), w.next[:0]
	return &w.in
}

// done forgets the news of a tick and applies what the rules want.
func (w *world) done(ops []rules.Op) {
	w.in.Joined, w.in.Left = w.in.Joined[:0], w.in.Left[:0]
	for _, op := range ops {
		r := w.row(op.ID)
		switch op.Kind {
		case rules.OpSpawn:
			r.Flags &^= state.Dead | state.Spectating
			r.Pos, r.Yaw, r.Health, r.OutOfMap = op.Pos, op.Yaw, 100, false
		case rules.OpSetFlags:
			r.Flags = r.Flags&^op.Flags2 | op.Flags
		case rules.OpKillOff:
			w.kill(0, op.ID)
		}
	}
}

// chaos makes things happen.
func (w *world) chaos() {
	for i := range w.in.Players {
		r := &w.in.Players[i]
		r.Buttons = state.Buttons(w.rnd.Uint64()) & (state.BtnFire | state.BtnJump | state.BtnAim)
		r.Pos = r.Pos.Add(vec.New(w.rnd.Signed(), w.rnd.Signed(), 0))
		switch w.rnd.Intn(60) {
		case 0:
			w.kill(state.ID(w.rnd.Intn(len(w.in.Players)+1)), r.ID)
		case 1:
			w.next = append(w.next, state.Event{Kind: state.EvFire, Actor: r.ID})
		case 2:
			r.OutOfMap = true
		}
	}
	if w.in.Tick == 300 {
		w.join(77)
	}
	if w.in.Tick == 500 {
		w.in.Players = w.in.Players[:len(w.in.Players)-1]
		w.in.Left = append(w.in.Left, 77)
	}
}

func (w *world) tick(d *duel.Rules) []rules.Op {
	ops := d.Tick(w.advance(), nil)
	w.done(ops)
	return ops
}

func find(ops []rules.Op, kind rules.OpKind, id state.ID) (found []rules.Op) {
	for _, op := range ops {
		if op.Kind == kind && (id == 0 || op.ID == id) {
			found = append(found, op)
		}
	}
	return found
}

func TestSavedAtAnyTickItGoesOnTheSame(t *testing.T) {
	set := map[string]string{"frag_limit": "15", "time_limit_s": "20", "warmup_s": "1", "over_s": "2"}
	w, d := newWorld(6, 3), start(t, match(set))
	var ins []rules.TickIn
	var outs [][]rules.Op
	var saves [][]byte
	phases := 0
	for range 1500 {
		w.chaos()
		in := w.advance()
		c := *in
		c.Players = append([]rules.PlayerRow(nil), in.Players...)
		c.Events = append([]state.Event(nil), in.Events...)
		c.Joined = append([]rules.Member(nil), in.Joined...)
		c.Left = append([]state.ID(nil), in.Left...)
		ins = append(ins, c)
		ops := d.Tick(in, nil)
		outs, saves = append(outs, ops), append(saves, d.Save())
		phases += len(find(ops, rules.OpPhase, 0))
		w.done(ops)
	}
	if phases < 4 {
		t.Fatalf("only %d phases: the script is too tame", phases)
	}
	for at := 0; at < len(ins)-1; at += 13 {
		m := match(set)
		m.Saved, m.SavedTick = saves[at], ins[at].Tick
		m.Roster = []rules.Member{{ID: 1, Name: "other"}}
		again := start(t, m)
		if !bytes.Equal(again.Save(), saves[at]) {
			t.Fatalf("tick %d: what was restored saves differently", at)
		}
		for k := at + 1; k < min(at+120, len(ins)); k++ {
			if got := again.Tick(&ins[k], nil); !reflect.DeepEqual(got, outs[k]) {
				t.Fatalf("saved at %d, tick %d gives\n%+v, want\n%+v", at, k, got, outs[k])
			}
		}
	}
}

func TestPhases(t *testing.T) {
	w, d := newWorld(3, 1), start(t, match(map[string]string{"frag_limit": "3", "warmup_s": "2", "over_s": "1", "protect_s": "0"}))
	ops := w.tick(d)
	if p := find(ops, rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Warmup || p[0].Value2 != 1+2*rate {
		t.Fatalf("begins with %+v", p)
	}
	if len(find(ops, rules.OpSpawn, 0)) != 3 {
		t.Fatal("not everybody enters at once")
	}
	w.tick(d)
	w.kill(1, 2)
	ops = w.tick(d)
	for _, s := range find(ops, rules.OpScore, 0) {
		if s.Value != 0 || s.Value2 != 0 {
			t.Fatal("a kill of the warmup counts")
		}
	}
	for w.in.Tick < 1+2*rate {
		ops = w.tick(d)
	}
	if p := find(ops, rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Live || p[0].Value2 != int32(w.in.Tick)+600*rate {
		t.Fatalf("live begins with %+v", p)
	}
	if len(find(ops, rules.OpSpawn, 0)) != 3 || len(find(ops, rules.OpAnnounce, 0)) != 1 {
		t.Fatalf("live begins with %+v", ops)
	}
	for kill := 1; kill <= 3; kill++ {
		w.tick(d)
		w.kill(1, 2)
		for kill < 3 && w.row(2).Flags&state.Dead != 0 {
			w.row(2).Buttons ^= state.BtnJump
			w.tick(d)
		}
	}
	w.tick(d)
	if p := find(w.tick(d), rules.OpPhase, 0); len(p) != 1 || p[0].Value != rules.Over {
		t.Fatalf("after the third kill: %+v", p)
	}
	// Reached with the third kill, before the dead one came back.
	if w.row(1).Flags&(state.Frozen|state.NoFire) == 0 {
		t.Fatalf("the match goes on: %+v", w.in.Players)
	}
	over := w.in.Tick
	ended := false
	for w.in.Tick < over+2*rate && !ended {
		ops = w.tick(d)
		ended = len(find(ops, rules.OpEndMatch, 0)) == 1
	}
	if !ended || w.row(1).Flags&(state.Frozen|state.NoFire) != 0 || w.row(2).Flags&state.Dead != 0 {
		t.Fatalf("does not begin again: %+v", w.in.Players)
	}
}

func TestScore(t *testing.T) {
	w, d := newWorld(3, 1), start(t, match(map[string]string{"warmup_s": "0", "protect_s": "0"}))
	for range 5 {
		w.tick(d)
	}
	w.kill(1, 2)
	w.kill(3, 3) // a rocket at the own feet
	ops := w.tick(d)
	for id, want := range map[state.ID][3]int32{1: {1, 0, 1}, 2: {0, 1, 0}, 3: {0, 1, -1}} {
		s := find(ops, rules.OpScore, id)
		if len(s) != 1 || [3]int32{s[0].Value, s[0].Value2, s[0].Value3} != want {
			t.Errorf("player %d: %+v, want %v", id, s, want)
		}
	}
	if s := find(w.tick(d), rules.OpScore, 0); len(s) != 0 {
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
		w.row(2).Buttons = c.buttons(0)
		for range 100 {
			w.tick(d)
		}
		w.kill(1, 2)
		got := 0
		for i := 1; got == 0 && i < 1000; i++ {
			w.row(2).Buttons = c.buttons(i)
			if ops := w.tick(d); len(find(ops, rules.OpSpawn, 2)) == 1 {
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
		w.tick(d)
		if w.row(1).Flags&state.Invulnerable == 0 {
			t.Fatal("enters without protection")
		}
		n := 0
		for ; w.row(1).Flags&state.Invulnerable != 0 && n < 1000; n++ {
			if shoots && n == 10 {
				w.next = append(w.next, state.Event{Kind: state.EvFire, Actor: 1})
			}
			w.tick(d)
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
			w.tick(d)
		}
		w.kill(2, 1)
		w.row(2).Pos = vec.New(0, 0, 0)
		for range 3 * rate {
			w.tick(d)
			w.row(2).Pos = vec.New(0, 0, 0)
		}
		if x := w.row(1).Pos.X; x < 50 {
			t.Errorf("seed %d: enters at %v, the other stands at 0", seed, w.row(1).Pos)
		}
		seen[w.row(1).Pos]++
	}
	if len(seen) != 3 {
		t.Errorf("%d places in 40 matches, want each of the 3 farthest", len(seen))
	}
}

func TestAllEnterAtOnceApart(t *testing.T) {
	w, d := newWorld(8, 1), start(t, match(nil))
	at := map[vec.V3]bool{}
	for _, op := range find(w.tick(d), rules.OpSpawn, 0) {
		at[op.Pos] = true
	}
	if len(at) != 8 {
		t.Errorf("8 players share %d of 8 spawns", len(at))
	}
}

func TestOutOfTheMapIsKilledOff(t *testing.T) {
	w, d := newWorld(1, 1), start(t, match(nil))
	w.tick(d)
	w.row(1).OutOfMap = true
	if len(find(w.tick(d), rules.OpKillOff, 1)) != 1 {
		t.Fatal("lives on")
	}
}

func TestTimeLimitAndDraw(t *testing.T) {
	w, d := newWorld(2, 1), start(t, match(map[string]string{"warmup_s": "0", "time_limit_s": "2"}))
	said := ""
	for range 3 * rate {
		for _, op := range find(w.tick(d), rules.OpAnnounce, 0) {
			said += op.Text
		}
	}
	if !strings.Contains(said, "draw") || !strings.Contains(said, "time is up") {
		t.Errorf("said %q", said)
	}
}

func TestStartRefusesNonsense(t *testing.T) {
	for name, change := range map[string]func(*rules.Match){
		"no spawns":       func(m *rules.Match) { m.Spawns = nil },
		"no rate":         func(m *rules.Match) { m.TickRate = 0 },
		"unknown setting": func(m *rules.Match) { m.Settings = map[string]string{"frag_limt": "3"} },
		"not a number":    func(m *rules.Match) { m.Settings = map[string]string{"frag_limit": "many"} },
		"negative":        func(m *rules.Match) { m.Settings = map[string]string{"frag_limit": "-1"} },
		"huge":            func(m *rules.Match) { m.Settings = map[string]string{"time_limit_s": "999999999"} },
		"damaged save":    func(m *rules.Match) { m.Saved = []byte{9, 9, 9} },
	} {
		m := match(nil)
		change(m)
		if err := duel.New().Start(m); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func FuzzRestore(f *testing.F) {
	w, d := newWorld(3, 1), start(f, match(nil))
	f.Add([]byte{})
	for range 50 {
		w.chaos()
		w.tick(d)
	}
	f.Add(d.Save())
	f.Fuzz(func(t *testing.T, b []byte) {
		m := match(nil)
		m.Saved = b
		d := duel.New()
		if m.Saved == nil || d.Start(m) != nil {
			return
		}
		if !bytes.Equal(d.Save(), b) {
			t.Fatal("accepted bytes that it would not write")
		}
		w := newWorld(5, 2)
		for range 20 {
			w.chaos()
			w.tick(d)
		}
	})
}

func TestQuietTickAllocatesNothing(t *testing.T) {
	w, d := newWorld(8, 1), start(t, match(nil))
	for range 5 * rate {
		w.tick(d)
	}
	ops := make([]rules.Op, 0, 64)
	if n := testing.AllocsPerRun(100, func() { ops = d.Tick(w.advance(), ops[:0]) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestSpecMakesRules(t *testing.T) {
	s := duel.Spec()
	if err := s.New().Start(match(nil)); err != nil || s.Name != "duel" {
		t.Fatal(err)
	}
}
