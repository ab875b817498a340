package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// Two rooms of 40 m by 20 m and 4 m height on both sides of a wall at x = 0.
func twoRooms(t testing.TB) (*level.Level, *trace.World) {
	t.Helper()
	b := level.NewBuilder("rooms")
	for _, x := range [][6]float32{
		{-41, -11, -1, 41, 11, 0}, {-41, -11, 4, 41, 11, 5}, {-41, -11, 0, -40, 11, 4}, {40, -11, 0, 41, 11, 4},
		{-40, -11, 0, 40, -10, 4}, {-40, 10, 0, 40, 11, 4}, {-0.2, -10, 0, 0.2, 10, 4},
	} {
		if err := b.AddBox(0, vec.Box{Min: vec.New(x[0], x[1], x[2]), Max: vec.New(x[3], x[4], x[5])}, level.Solid, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	b.AddSpawn(vec.New(-38, 9, 0.1), 0, 0) // where nobody stands who has entered
	l := b.Build()
	return l, trace.New(l)
}

// knows is a policy that tells whom a test says.
type knows struct {
	out    vis.Answer
	may    func(viewer, target state.ID) bool
	camera bool // something of a camera was asked about
}

func (k *knows) Submit(in *vis.Input) {
	k.out.Reset(in)
	for v := range in.Viewers {
		for s := range in.Subjects {
			k.camera = k.camera || in.Subjects[s].Kind == state.KindCamera && in.IsAsked(v, s)
			if k.may(in.Viewers[v].ID, in.Subjects[s].ID) {
				k.out.Allow(v, s, vis.EyeEye, in.Tick, 0)
			}
		}
	}
}
func (k *knows) Collect() *vis.Answer { return &k.out }

// told is what one client was told of a tick.
type told struct {
	own    vis.Own
	known  []vis.Known
	events []state.Event
}

// of returns what is known of a subject.
func (t *told) of(id state.ID) *vis.Known {
	for i := range t.known {
		if t.known[i].ID == id {
			return &t.known[i]
		}
	}
	return nil
}

// players returns the players that are known.
func (t *told) players() (ids []state.ID) {
	for i := range t.known {
		if t.known[i].Kind == state.KindPlayer {
			ids = append(ids, t.known[i].ID)
		}
	}
	return ids
}

// looking is a stage in two rooms that remembers what every client was told.
type looking struct {
	*stage
	policy *knows // nil: deaddrop decides
	views  map[state.ID]map[state.Tick]*told
	events map[state.Tick][]state.Event
	bodies map[state.Tick]map[state.ID]state.Entity
}

// everybody may know everybody.
func everybody(_, _ state.ID) bool { return true }

func newLooking(t *testing.T, may func(viewer, target state.ID) bool, change func(*Config)) *looking {
	t.Helper()
	l := &looking{views: map[state.ID]map[state.Tick]*told{}, events: map[state.Tick][]state.Event{}, bodies: map[state.Tick]map[state.ID]state.Entity{}}
	lv, world := twoRooms(t)
	l.stage = newStage(t, func(c *Config) {
		start := c.Start
		c.MaxClients = 6
		c.Start = func(ref string) (*Match, error) {
			m, err := start(ref)
			m.Level, m.World = lv, world
			if may != nil {
				l.policy = &knows{may: may}
				m.Policy = l.policy
				return m, err
			}
			spec := deaddrop.Spec()
			set, err := spec.Schema.Check(nil)
			if err != nil {
				return nil, err
			}
			p, err := spec.New(vis.Env{World: world, TickRate: c.TickRate, Seed: 1, Settings: set})
			m.Policy = vis.Inline(p)
			return m, err
		}
		c.Hooks.View = func(v *vis.View) {
			id := v.Own().ID
			if l.views[id] == nil {
				l.views[id] = map[state.Tick]*told{}
			}
			s := &told{own: *v.Own(), known: slices.Clone(v.Entities()), events: slices.Clone(v.Events())}
			for i := range s.known {
				s.known[i].Path = nil // reused
			}
			l.views[id][v.Tick()] = s
		}
		c.Hooks.Frame = func(in *vis.Input, f *vis.Frame, _ *vis.Answer) {
			l.bodies[f.Tick] = map[state.ID]state.Entity{}
			for i := range f.Entities {
				l.bodies[f.Tick][f.Entities[i].ID] = f.Entities[i]
			}
			l.events[f.Tick] = slices.Clone(f.Events)
		}
		if change != nil {
			change(c)
		}
	})
	l.level = lv
	return l
}

// enter seats a player at a place.
func (l *looking) enter(name string, at vec.V3, yaw float32, team int32) (*guest, state.ID) {
	l.t.Helper()
	g, c := l.seat(name)
	l.rules.ops = append(l.rules.ops, rules.Op{Kind: rules.OpSetTeam, ID: c.id, Value: team}, rules.Op{Kind: rules.OpSpawn, ID: c.id, Pos: at, Yaw: yaw, Value: 100})
	l.run(2)
	return g, c.id
}

func (l *looking) op(o rules.Op) { l.rules.ops = append(l.rules.ops, o) }

// last returns what a client was told last.
func (l *looking) last(id state.ID) *told { return l.views[id][l.s.Tick()] }

// ambles walks to and fro, turns and makes noise.
func ambles(tick state.Tick) state.Cmd {
	c := state.Cmd{Forward: 127, Yaw: state.Angle16(tick * 131)}
	if tick%64 == 0 {
		c.Buttons = state.BtnJump
	}
	return c
}

const threeSeconds = 3 * 64

// What arrives is the watched player's View of three seconds ago, with its own body,
// entity for entity, and nothing that is live; before there is one, nothing.
func TestWhoWatchesLateIsToldWhatThatPlayerKnew(t *testing.T) {
	shown := false
	l := newLooking(t, func(viewer, target state.ID) bool { return viewer == 1 && target == 3 && shown || viewer == 2 },
		func(c *Config) { c.Spectate.DelayS = 3 })
	ga, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
	gc, _ := l.enter("Cid", vec.New(10, 0, 0.1), 0, 0)
	ga.do, gc.do = ambles, ambles
	l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
	l.run(4)
	gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(ada)})
	l.run(4)
	with, without, sounds, blank := 0, 0, 0, 0
	for n := range 3 * threeSeconds {
		shown = n/40%2 == 0
		l.run(1)
		now := l.s.Tick()
		got := l.last(bob)
		if got.own.Watching != ada || got.own.Delay != threeSeconds {
			t.Fatalf("tick %d: watches %d, %d ticks late", n, got.own.Watching, got.own.Delay)
		}
		was := l.views[ada][now-threeSeconds]
		me := got.of(ada)
		if me == nil {
			if len(got.known)+len(got.events) != 0 || n > threeSeconds {
				t.Fatalf("tick %d: without the watched player it is told of %+v", n, got)
			}
			blank++
			continue
		}
		if body := l.bodies[now-threeSeconds][ada]; me.Pos != body.Pos || me.Yaw != body.Yaw || me.Reason != vis.Spectated {
			t.Fatalf("tick %d: the watched stands at %v, stood at %v (%v)", n, me.Pos, body.Pos, me.Reason)
		}
		if len(got.known) != len(was.known)+1 {
			t.Fatalf("tick %d: %d subjects, the watched knew %d", n, len(got.known), len(was.known))
		}
		for i := range was.known {
			k := got.of(was.known[i].ID)
			if k == nil || k.Entity != was.known[i].Entity || k.Reason != was.known[i].Reason {
				t.Fatalf("tick %d: %+v, the watched was told %+v", n, k, was.known[i])
			}
		}
		if len(was.known) > 0 {
			with++
		} else {
			without++
		}
		for i := range got.events {
			if !slices.Contains(l.events[now-threeSeconds], got.events[i]) {
				t.Fatalf("tick %d: is told of %+v, which did not happen three seconds ago", n, got.events[i])
			}
			sounds++
		}
	}
	if with < 100 || without < 100 || sounds < 5 || blank < 50 {
		t.Errorf("%d ticks with somebody, %d without, %d events, %d blank ones", with, without, sounds, blank)
	}
	if l.s.Stats().TapeBytes == 0 {
		t.Error("no memory is counted")
	}
}

// A living teammate is watched at once, an enemy never.
func TestALivingMateIsWatchedAtOnce(t *testing.T) {
	for _, live := range []bool{true, false} {
		l := newLooking(t, func(v, s state.ID) bool { return v == 1 && s == 3 }, func(c *Config) { c.Spectate = Spectate{DelayS: 1, MatesLive: live} })
		_, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 1)
		gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 1)
		_, cid := l.enter("Cid", vec.New(10, 0, 0.1), 0, 2)
		l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
		l.run(2)
		gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(ada)})
		l.run(4)
		if got := l.last(bob); live != (got.own.Delay == 0) || live && got.of(cid) == nil {
			t.Errorf("live %v: %d ticks late, knows %v", live, got.own.Delay, got.players())
		}
		gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(cid)})
		l.run(4)
		if got := l.last(bob); got.own.Watching != cid || got.own.Delay == 0 {
			t.Errorf("live %v: watches %d, %d ticks late", live, got.own.Watching, got.own.Delay)
		}
	}
}

// Stepping goes round everybody, forth and back, mates first.
func TestSteppingGoesRoundEverybody(t *testing.T) {
	l := newLooking(t, everybody, nil)
	l.enter("Ada", vec.New(-30, 0, 0.1), 0, 2)
	gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 1)
	l.enter("Cid", vec.New(10, 0, 0.1), 0, 2)
	l.enter("Dan", vec.New(20, 0, 0.1), 0, 1)
	l.enter("Eve", vec.New(20, 5, 0.1), 0, 1)
	l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
	l.run(2)
	for _, by := range []int16{1, -1} {
		got := []state.ID{}
		for range 6 {
			gb.say(&wire.Wish{What: wire.WishStep, Value: by})
			l.run(3)
			got = append(got, l.last(bob).own.Watching)
		}
		want := map[int16][]state.ID{1: {4, 5, 1, 3, 4, 5}, -1: {4, 3, 1, 5, 4, 3}}[by]
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %v, want %v", by, got, want)
		}
	}
}

// Whoever switches to another player has nothing of the old one's in the next View.
func TestSwitchingDropsWhatTheOldOneKnew(t *testing.T) {
	for _, delay := range []float64{0, 1} {
		l := newLooking(t, func(v, s state.ID) bool { return v == 1 && s == 3 }, func(c *Config) { c.Spectate.DelayS = delay })
		_, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
		gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
		_, cid := l.enter("Cid", vec.New(10, 0, 0.1), 0, 0)
		_, dan := l.enter("Dan", vec.New(20, 0, 0.1), 0, 0)
		l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
		l.run(2)
		gb.say(&wire.Wish{What: wire.WishStep, Value: 1})
		l.run(100)
		if got := l.last(bob); got.own.Watching != ada {
			t.Fatalf("steps to %d", got.own.Watching)
		}
		gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(ada)})
		l.run(140)
		if got := l.last(bob); got.of(cid) == nil || got.of(ada) == nil {
			t.Fatalf("delay %v: knows %v", delay, got.players())
		}
		gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(dan)})
		switched := 0
		for range 200 {
			l.run(1)
			got := l.last(bob)
			if got.own.Watching != dan {
				continue
			}
			switched++
			if got.of(cid) != nil || got.of(ada) != nil {
				t.Fatalf("delay %v: %d ticks after the switch it knows %v", delay, switched, got.players())
			}
		}
		if switched < 150 || l.last(bob).of(dan) == nil {
			t.Errorf("delay %v: %d ticks, knows %v", delay, switched, l.last(bob).players())
		}
		// Back in the match, with a body: nobody is watched.
		l.op(rules.Op{Kind: rules.OpSpawn, ID: bob, Pos: vec.New(-20, 5, 0.1), Value: 100})
		l.run(3)
		if got := l.last(bob); got.own.Watching != 0 || got.own.Delay != 0 || len(got.known) != 0 {
			t.Errorf("delay %v: alive it watches %d, %d ticks late, and knows %v", delay, got.own.Watching, got.own.Delay, got.players())
		}
	}
}

// The camera flies for whom it was granted, and never at once, whatever the setting;
// nobody is told of it.
func TestAFreeCameraIsGrantedLateAndUnseen(t *testing.T) {
	l := newLooking(t, everybody, func(c *Config) { c.Spectate.DelayS = 0 })
	ga, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	_, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
	ga.do = ambles
	l.op(rules.Op{Kind: rules.OpSpectate, ID: bob})
	l.run(100)
	if got := l.last(bob); len(got.known) != 0 || got.own.Delay != 0 {
		t.Fatalf("nobody granted it, and it knows %v", got.players())
	}
	if l.s.Observer("Nobody", true) || !l.s.Observer("Bob", true) {
		t.Fatal("the wrong one is an observer")
	}
	late := 0
	for n := range 200 {
		l.run(1)
		got, now := l.last(bob), l.s.Tick()
		if got.own.Delay != freeDelayS*64 {
			t.Fatalf("tick %d: %d ticks late", n, got.own.Delay)
		}
		if k := got.of(ada); k != nil {
			if k.Pos != l.bodies[now-freeDelayS*64][ada].Pos || k.Health != 0 {
				t.Fatalf("tick %d: Ada is at %v", n, k.Pos)
			}
			late++
		} else if n > 70 {
			t.Fatalf("tick %d: knows %v", n, got.players())
		}
		if a := l.last(ada); a.of(bob) != nil || len(a.known) != 0 {
			t.Fatalf("tick %d: Ada is told of %v", n, a.players())
		}
	}
	if late < 100 || l.policy.camera {
		t.Errorf("%d ticks; a policy was asked about the camera: %v", late, l.policy.camera)
	}
	l.s.Observer("Bob", false)
	l.run(3)
	if got := l.last(bob); len(got.known) != 0 {
		t.Errorf("taken away, it knows %v", got.players())
	}
}

// Who is dead and waits is told of no enemy until it has chosen whom to watch, and then
// of no more than that one knew: the own body lies beside an enemy.
func TestTheDeadWhoWaitKnowNoEnemy(t *testing.T) {
	l := newLooking(t, func(v, s state.ID) bool { return v != 1 }, func(c *Config) { c.Spectate.DelayS = 1 })
	_, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	gb, bob := l.enter("Bob", vec.New(10, 1, 0.1), 0, 0)
	_, cid := l.enter("Cid", vec.New(12, 0, 0.1), 0, 0)
	l.op(rules.Op{Kind: rules.OpKillOff, ID: bob})
	l.run(2)
	for range 100 {
		l.run(1)
		if got := l.last(bob); len(got.players()) != 0 {
			t.Fatalf("the dead know %v", got.players())
		}
	}
	gb.say(&wire.Wish{What: wire.WishWatch, Value: int16(ada)})
	l.run(100)
	for range 50 {
		l.run(1)
		if got := l.last(bob); !slices.Equal(got.players(), []state.ID{ada}) || got.of(cid) != nil {
			t.Fatalf("knows %v, Ada nobody", got.players())
		}
	}
	// A wish for who is not there, for itself and for one who is dead changes nothing.
	l.op(rules.Op{Kind: rules.OpKillOff, ID: cid})
	l.run(2)
	for _, id := range []int16{int16(bob), int16(cid), 6, 77, -3, 32767} {
		gb.say(&wire.Wish{What: wire.WishWatch, Value: id})
		l.run(3)
		if got := l.last(bob).own.Watching; got != ada {
			t.Errorf("watch %d: watches %d", id, got)
		}
	}
}

// T15: a mark is where the view meets the wall, whoever hides behind it, for mates
// only, three at once and then one in 1.5 s. A body that one is told of stops it; one
// that hides in the open does not.
func TestMarksStayOnTheWall(t *testing.T) {
	shown := false
	l := newLooking(t, func(v, s state.ID) bool { return shown }, nil)
	ga, ada := l.enter("Ada", vec.New(-10, 0, 0.1), 0, 1)
	_, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 1)
	_, cid := l.enter("Cid", vec.New(2, 0, 0.1), 0, 2)
	ga.do = func(state.Tick) state.Cmd { return state.Cmd{} }
	var marks []state.Event
	mark := func() (at []vec.V3) {
		ga.say(&wire.Wish{What: wire.WishMark})
		for range 3 {
			l.run(1)
			for _, id := range []state.ID{ada, bob, cid} {
				for _, e := range l.last(id).events {
					switch {
					case e.Kind != state.EvPing:
					case id == cid:
						t.Errorf("an enemy is told of %+v", e)
					case id == bob:
						at = append(at, e.Pos)
						marks = append(marks, e)
					}
				}
			}
			if l.last(ada).of(cid) != nil && !shown || l.last(bob).of(cid) != nil && !shown {
				t.Error("a mark makes somebody known")
			}
		}
		return at
	}
	for n := range 3 {
		at := mark()
		if len(at) != 1 || at[0].X > -0.19 || at[0].X < -0.3 || at[0].Y < -0.1 || at[0].Y > 0.1 {
			t.Fatalf("mark %d is at %v", n, at)
		}
	}
	for range 8 { // 24 ticks
		if at := mark(); len(at) != 0 {
			t.Fatalf("a fourth mark within a second, at %v", at)
		}
	}
	for _, e := range marks {
		if e.Actor != ada || e.Target != 0 {
			t.Errorf("%+v names somebody", e)
		}
	}
	// In the open, in the line of sight: not told of, he is not there for the mark.
	l.op(rules.Op{Kind: rules.OpSpawn, ID: cid, Pos: vec.New(-5, 0, 0.1), Value: 100})
	l.run(600)
	if at := mark(); len(at) != 1 || at[0].X < -0.3 {
		t.Errorf("behind somebody who is withheld: %v", at)
	}
	shown = true
	l.run(120)
	if at := mark(); len(at) != 1 || at[0].X > -5 || at[0].X < -6 {
		t.Errorf("on somebody who is sent: %v", at)
	}
	l.op(rules.Op{Kind: rules.OpSetTeam, ID: ada, Value: 0})
	l.run(300)
	if at := mark(); len(at) != 0 {
		t.Errorf("who has no team marked %v", at)
	}
}

// T14: whoever asks for the whole state with every packet gets two and then FullHz a
// second; each is the View that it would have been told by differences, without who
// hides; the others are counted and told to the log.
func TestAStormOfFullUpdatesIsBoundedAndTellsNoMore(t *testing.T) {
	l := newLooking(t, func(v, s state.ID) bool { return s == 2 }, func(c *Config) { c.FullHz = 2 })
	ga, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	gb, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
	gc, cid := l.enter("Cid", vec.New(10, 0, 0.1), 0, 0)
	gb.do, gc.do = ambles, ambles
	whole := func(payload []byte, seq uint64, d *snapshot.Decoder) (*snapshot.Snapshot, bool) {
		var r bits.Reader
		r.Reset(payload)
		s, err := d.Decode(&r, seq)
		return s, err == nil
	}
	along := snapshot.NewDecoder(64)
	fulls, deltas := 0, 0
	ga.take = func(payload []byte, seq uint64) {
		s, full := whole(payload, seq, snapshot.NewDecoder(64)) // one that knows nothing
		if full {
			fulls++
		} else {
			deltas++
		}
		same, ok := whole(payload, seq, along)
		if !ok {
			return
		}
		if !full {
			s = same
		}
		view := l.views[ada][s.Tick]
		if view == nil {
			return
		}
		ids := []state.ID{}
		for i := range s.Entities {
			ids = append(ids, s.Entities[i].ID)
		}
		want := []state.ID{}
		for i := range view.known {
			want = append(want, view.known[i].ID)
		}
		slices.Sort(ids)
		if !slices.Equal(ids, want) || slices.Contains(ids, cid) || !slices.Contains(ids, bob) {
			t.Errorf("tick %d, full %v: holds %v, the View %v", s.Tick, full, ids, want)
		}
	}
	l.run(64)
	before := l.s.Stats()
	fulls, deltas, ga.full = 0, 0, true
	l.run(640)
	ga.full = false
	l.run(64)
	st := l.s.Stats()
	if n := st.Fulls - before.Fulls; n < 15 || n > fullBurst+2*10+1 {
		t.Errorf("%d were granted in 10 s", n)
	}
	if n := st.FullsLost - before.FullsLost; n < 600 {
		t.Errorf("%d are counted as left out", n)
	}
	if n := strings.Count(l.log.String(), "asks for its whole state too often"); n < 1 || n > 2 {
		t.Errorf("the log says it %d times", n)
	}
	if fulls < 15 || deltas < 300 {
		t.Errorf("%d full snapshots, %d others", fulls, deltas)
	}
}

// T17, S-19: whose level is not loaded yet is told of nobody: it is no viewer and gets
// empty packets, however long that takes. Then it is told of who is due.
func TestNobodyIsSentBeforeTheLevelIsLoaded(t *testing.T) {
	rows := 0
	l := newLooking(t, func(v, s state.ID) bool { return s == 2 }, func(c *Config) {
		was := c.Hooks.Decided
		c.Hooks.Decided = func(in *vis.Input, ans *vis.Answer) {
			if was != nil {
				was(in, ans)
			}
			rows = len(in.Viewers)
		}
	})
	_, ada := l.enter("Ada", vec.New(10, 0, 0.1), 0, 0)
	_, bob := l.enter("Bob", vec.New(-30, 5, 0.1), 0, 0)
	g := l.join("Cid")
	g.slow = true
	got := 0
	g.take = func([]byte, uint64) { got++ }
	l.run(400)
	if g.wel == nil || got != 0 || rows != 2 || l.views[g.wel.ID] != nil {
		t.Fatalf("%d snapshots, %d viewers while the level loads", got, rows)
	}
	for _, m := range g.got {
		switch m := m.(type) {
		case *wire.Welcome, *wire.Player, *wire.Scores, *wire.Phase, *wire.Print, *wire.Var, *wire.Announce, *wire.Chat, *wire.HUD:
			// Names, points and words: none of them has a place for a position.
		default:
			t.Errorf("a client that loads is told %T", m)
		}
	}
	g.ready()
	l.run(4)
	id := g.wel.ID
	l.op(rules.Op{Kind: rules.OpSpawn, ID: id, Pos: vec.New(-20, 0, 0.1), Value: 100})
	l.run(4)
	if v := l.last(id); got == 0 || v.of(bob) == nil || v.of(ada) != nil {
		t.Errorf("%d snapshots, knows %v", got, v.players())
	}
}

// S-18, T11: who changes sides is no mate from that tick on, and is gone from the other
// side of a wall in the next View, hold included, since the policy was never asked about
// a mate; a free-for-all takes effect in one tick, both ways.
func TestChangingSidesTakesEffectInOneTick(t *testing.T) {
	l := newLooking(t, nil, nil)
	_, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 1)
	_, bob := l.enter("Bob", vec.New(30, 0, 0.1), 0, 1)
	_, cid := l.enter("Cid", vec.New(30, 5, 0.1), 0, 2)
	l.run(64)
	know := func(when string, viewer, target state.ID, want bool) {
		t.Helper()
		got := l.last(viewer).of(target)
		if (got != nil) != want {
			t.Errorf("%s: %d knows %d: %v", when, viewer, target, got != nil)
		}
		if got != nil && got.Reason == vis.Teammate && !want {
			t.Errorf("%s: as a mate", when)
		}
	}
	know("mates", ada, bob, true)
	know("enemies", ada, cid, false)
	hold := 64 / 5 // 200 ms

	l.op(rules.Op{Kind: rules.OpSetTeam, ID: bob, Value: 2})
	l.run(2) // the ops are taken, then the world is that of the new sides
	for k := range hold + 2 {
		if got := l.last(ada).of(bob); got != nil && (k > hold || got.Reason == vis.Teammate) {
			t.Fatalf("%d ticks after the switch the old mate is known as %v", k, got.Reason)
		}
		l.run(1)
	}
	know("after the switch", ada, bob, false)
	know("new mates", cid, bob, true)

	l.s.SetTeams(sim.Teams{FreeForAll: true})
	l.run(1)
	if got := l.last(cid).of(bob); got != nil && got.Reason == vis.Teammate {
		t.Error("a mate in a free-for-all, one tick after it began")
	}
	l.s.SetTeams(sim.Teams{})
	l.run(1)
	if got := l.last(cid).of(bob); got == nil || got.Reason != vis.Teammate {
		t.Error("no mate again one tick after it ended")
	}
	// The wall between two who were mates in the tick before hides at once.
	l.op(rules.Op{Kind: rules.OpSetTeam, ID: bob, Value: 1})
	l.run(64)
	know("mates again", ada, bob, true)
	l.s.SetTeams(sim.Teams{FreeForAll: true})
	l.run(1)
	know("free-for-all, one tick", ada, bob, false)
	l.s.SetTeams(sim.Teams{})
	l.run(1)
	know("teams, one tick", ada, bob, true)
	// Who dies, and who looks on, knows no enemy in the next View.
	for _, kind := range []rules.OpKind{rules.OpKillOff, rules.OpSpectate} {
		l.op(rules.Op{Kind: rules.OpSpawn, ID: bob, Pos: vec.New(30, 0, 0.1), Value: 100})
		l.run(64)
		know("face to face", bob, cid, true)
		l.op(rules.Op{Kind: kind, ID: bob})
		l.run(2)
		know("without a body", bob, cid, false)
	}
}

// T13: who hides, shoots nothing, and dies with a weapon and an objective is told of by
// the words of the kill alone to who cannot see it: neither body nor corpse, neither the
// weapon nor the objective that it leaves. Who is there sees both, carried and lying.
func TestAHiddenDeathLeavesNothing(t *testing.T) {
	l := newLooking(t, nil, func(c *Config) { c.Drops = true })
	_, ada := l.enter("Ada", vec.New(-3, 0, 0.1), 0, 0)
	_, bob := l.enter("Bob", vec.New(30, 3, 0.1), 180, 0)
	_, cid := l.enter("Cid", vec.New(3, 0, 0.1), 0, 0)
	l.op(rules.Op{Kind: rules.OpCarry, ID: cid, Value: 1})
	l.run(80)
	carried := func() *vis.Known {
		for i := range l.last(bob).known {
			if k := &l.last(bob).known[i]; k.Kind == state.KindObjective {
				return k
			}
		}
		return nil
	}
	if k := carried(); k == nil || k.Owner != cid || k.Reason != vis.Attached || k.Weapon != 1 {
		t.Fatalf("who sees the carrier is told %+v of what it carries", k)
	}
	kills := 0
	for n := range 200 {
		if n == 40 {
			l.op(rules.Op{Kind: rules.OpKillOff, ID: cid})
		}
		l.run(1)
		got := l.last(ada)
		if len(got.known) != 0 {
			t.Fatalf("tick %d: through the wall it is told of %+v", n, got.known)
		}
		for _, e := range got.events {
			if e.Pos != (vec.V3{}) || e.Kind != state.EvKill {
				t.Fatalf("tick %d: through the wall it hears %+v", n, e)
			}
			kills++
		}
	}
	kinds := map[state.Kind]int{}
	for _, k := range l.last(bob).known {
		kinds[k.Kind]++
		if k.Kind == state.KindObjective && (k.Owner != 0 || k.Pos.V3().Dist(vec.New(3, 0, 0)) > 0.5) {
			t.Errorf("the objective lies at %v with owner %d", k.Pos.V3(), k.Owner)
		}
	}
	if kills != 1 || kinds[state.KindCorpse] != 1 || kinds[state.KindObjective] != 1 || kinds[state.KindPickup] != 1 || kinds[state.KindPlayer] != 0 {
		t.Errorf("%d kills; who is there is told of %v", kills, kinds)
	}
	if _, _, ok := l.s.World().Objective(1); !ok {
		t.Error("the objective is gone")
	}
	if err := l.s.Check(); err != nil {
		t.Error(err)
	}
}

// O-16: who is moved at once, by a teleport or a spawn, and sends nothing at all, knows
// in the next View who is in sight of the new place, and after the hold nobody of the
// old one.
func TestWhoIsMovedKnowsTheNewPlaceAtOnce(t *testing.T) {
	l := newLooking(t, nil, nil)
	ga, ada := l.enter("Ada", vec.New(-30, 0, 0.1), 0, 0)
	_, bob := l.enter("Bob", vec.New(-20, 5, 0.1), 0, 0)
	_, cid := l.enter("Cid", vec.New(20, 5, 0.1), 0, 0)
	ga.mute = true
	l.run(64)
	for n, o := range []rules.Op{
		{Kind: rules.OpTeleport, Pos: vec.New(10, 0, 0.1)}, {Kind: rules.OpTeleport, Pos: vec.New(-30, 0, 0.1)},
		{Kind: rules.OpSpawn, Pos: vec.New(10, 0, 0.1), Value: 100}, {Kind: rules.OpSpawn, Pos: vec.New(-30, 0, 0.1), Value: 100},
	} {
		old, fresh := bob, cid
		if n%2 == 1 {
			old, fresh = cid, bob
		}
		if l.last(ada).of(old) == nil || l.last(ada).of(fresh) != nil {
			t.Fatalf("move %d: knows %v before it", n, l.last(ada).players())
		}
		o.ID = ada
		l.op(o)
		for l.last(ada).own.Player.Pos.Dist(o.Pos) > 1 {
			l.run(1)
		}
		if l.last(ada).of(fresh) == nil {
			t.Errorf("move %d: in the View of the new place it knows %v", n, l.last(ada).players())
		}
		l.run(64/5 + 2)
		if got := l.last(ada).players(); !slices.Equal(got, []state.ID{fresh}) {
			t.Errorf("move %d: after the hold it knows %v", n, got)
		}
	}
}
