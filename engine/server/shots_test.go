package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/hitbox"
	"github.com/sightline-engine/sightline/game/rewind"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// slow is a client of a test's own on a line of 20 ms each way, which may hold back
// what it acknowledges and what it says of the newest snapshot.
type slow struct {
	st       *stage
	g        *guest
	c        *conn
	sim      *link.Sim
	waiting  [][]byte
	due      []int64
	holdNS   int64 // acknowledgements
	saidBack state.Tick
	silent   bool // names no snapshot
	view     func(at state.Tick) state.Tick
}

func newSlow(t *testing.T) *slow {
	st := newStage(t, nil)
	g, c := st.seat("Ada")
	line := link.SimConfig{LatencyMS: 20}
	sm, err := link.NewSim(g.link, line, line)
	if err != nil {
		t.Fatal(err)
	}
	g.link, g.mute, g.deaf = sm, true, true
	return &slow{st: st, g: g, c: c, sim: sm, view: func(at state.Tick) state.Tick { return at - rate/2 }}
}

// step runs a tick: a command that fires and claims to have seen half a second ago.
func (s *slow) step() {
	st, g := s.st, s.g
	at := st.s.Tick() + 6
	var w bits.Writer
	var plain [netchan.MaxPayload]byte
	w.Reset(plain[:g.ch.Budget()])
	wire.PutClient(&w, &wire.Client{
		HasSnap: !s.silent, SnapTick: st.s.Tick() - 1 - s.saidBack,
		Cmds: []state.Cmd{{Tick: at, Buttons: state.BtnFire, ViewTick: s.view(at)}},
	})
	pkt, _, err := g.ch.Seal(nil, w.Bytes(), st.now)
	if err != nil {
		st.t.Fatal(err)
	}
	g.link.Send(pkt, st.at)
	for k := range int64(4) {
		s.sim.Advance(st.now - int64(tickNS)*(3-k)/4)
	}
	var buf [link.MaxPacket]byte
	for {
		n, _, ok := g.link.Recv(buf[:])
		if !ok {
			break
		}
		s.waiting = append(s.waiting, append([]byte(nil), buf[:n]...))
		s.due = append(s.due, st.now+s.holdNS)
	}
	for len(s.due) > 0 && s.due[0] <= st.now {
		g.ch.Open(s.waiting[0], st.now)
		s.waiting, s.due = s.waiting[1:], s.due[1:]
	}
	st.run(1)
}

// Bound: a client that delays only its acknowledgements is rewound no further than
// before, and that the two measures differ is logged; one that delays everything that
// it says is in any case held to the caps, U of 250 ms, I of 150 ms, and both to the
// longest rewind.
func TestAttackDelayedAcks(t *testing.T) {
	s := newSlow(t)
	for range 3 * rate {
		s.step()
	}
	honest := s.c.lag.limit
	if ms := honest / 256 * float64(tickNS) / 1e6; ms < 100 || ms > 220 {
		t.Fatalf("an honest line explains %.0f ms", ms)
	}
	s.holdNS = 180e6
	for range 5 * rate {
		s.step()
	}
	_, acked := s.c.ch.RTT(s.st.now)
	if acked < 180e6 {
		t.Fatalf("the lie has no effect: %d ms", acked/1e6)
	}
	if s.c.lag.limit > honest+256 {
		t.Errorf("delayed acknowledgements: %v/256 ticks, honest %v", s.c.lag.limit, honest)
	}
	if !strings.Contains(s.st.log.String(), "longer than commands allow") || s.c.lag.disagree == 0 {
		t.Error("nothing is said of the two measures")
	}
	s.silent = true
	for range 3 * rate {
		s.step()
	}
	if s.c.lag.limit > honest+256 {
		t.Errorf("and no snapshot named: %v/256 ticks, honest %v", s.c.lag.limit, honest)
	}
	s.silent, s.holdNS, s.saidBack = false, 700e6, 50
	for range 8 * rate {
		s.step()
	}
	const tick = float64(1e9) / rate
	if most := (400e6/tick + 2) * 256; s.c.lag.limit > most+s.c.cmds.jitter/tick*256 {
		t.Errorf("a line that lies altogether explains %v/256 ticks, the caps %v", s.c.lag.limit, most)
	}
	shots := s.st.s.Shots(nil, 0, 50)
	most := s.st.s.World().History().Cap256()
	for i := range shots {
		if shots[i].Used256 > most {
			t.Fatalf("%+v", shots[i])
		}
	}
	if len(shots) == 0 {
		t.Fatal("no shot was recorded")
	}
}

// duel seats two who know nothing of each other: nobody's policy shows anybody.
func duel(t *testing.T, change func(*Config)) (*stage, *conn, *conn) {
	t.Helper()
	st := newStage(t, change)
	ga, a := st.seat("Ada")
	gb, b := st.seat("Bob \"B\"")
	at := st.level.Spawns[0].Pos
	st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: a.id, Pos: at, Value: 100})
	st.run(2)
	for _, off := range []vec.V3{{X: 2.5}, {X: -2.5}, {Y: 2.5}, {Y: -2.5}} {
		st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: b.id, Pos: at.Add(off), Value: 100})
		st.run(2)
		if p := st.s.World().Player(b.id); p.Pos.Dist(at.Add(off)) < 1 {
			break
		}
	}
	st.run(20)
	ga.mute, gb.mute = true, true
	return st, a, b
}

// fire lets a shoot at b's chest once.
func fire(st *stage, a, b *conn) Shot {
	st.t.Helper()
	w := st.s.World()
	aim := w.Player(b.id).Pos.Add(vec.New(0, 0, 1.2)).Sub(w.Eye(a.id))
	yaw, pitch := vec.Angles(aim)
	for range 40 {
		at := st.s.Tick() + 1
		a.cmds.arrived([]state.Cmd{{Tick: at, Yaw: state.AngleOf(yaw), Pitch: state.AngleOf(pitch), Buttons: state.BtnFire, ViewTick: at}}, at, st.now, float64(tickNS))
		n := st.s.shotLog.n
		st.run(1)
		if st.s.shotLog.n > n {
			return st.s.Shots(nil, a.id, 1)[0]
		}
	}
	st.t.Fatal("nothing was fired")
	return Shot{}
}

// A hit on somebody whom the client was never told of is recorded as evidence and
// said in words; with the setting it does no harm.
func TestShotsAtTheUnshownAreEvidence(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		var hooked []Shot
		st, a, b := duel(t, func(c *Config) {
			c.Lag.RefuseUnshown = refuse
			c.Hooks.Shot = func(sh *Shot) { hooked = append(hooked, *sh) }
		})
		sh := fire(st, a, b)
		health := st.s.World().Player(b.id).Health
		if !sh.Evidence() || len(hooked) == 0 || hooked[len(hooked)-1] != sh {
			t.Fatalf("refuse %v: %+v", refuse, sh)
		}
		got := st.s.Evidence(nil, b.id, 10)
		if len(got) != 1 || got[0] != sh {
			t.Errorf("refuse %v: %d records", refuse, len(got))
		}
		words := st.s.Explain(&sh)
		if refuse {
			if health != 100 || sh.Refused != b.id || !strings.Contains(words, "a hit on Bob \"B\" was refused") {
				t.Errorf("health %d, %s", health, words)
			}
		} else if health == 100 || sh.Why != sim.WhyUnshown || !strings.Contains(words, "hit Bob \"B\", chest") || !strings.Contains(words, "never told of") {
			t.Errorf("health %d, %s", health, words)
		}
		if !strings.Contains(st.log.String(), "not shown") {
			t.Error("nothing is logged")
		}
	}
}

// Every line of a death can be explained, and the records are bounded.
func TestShotsAreExplainedAndBounded(t *testing.T) {
	st, a, b := duel(t, nil)
	base := Shot{ShotRecord: sim.ShotRecord{
		Shooter: a.id, Target: b.id, Near: b.id, Tick: 100, Weapon: tables.Rifle, Result: sim.ShotPlayer, Why: sim.WhyHit,
		Part: hitbox.Head, Damage: 24, Killed: true, Used256: 9 * 256, Claimed256: 9 * 256,
	}, View256: 9 * 256, Limit256: 12 * 256, RTT256: 5 * 256, Buffer256: 2 * 256, Interp256: 4 * 256}
	for _, c := range []struct {
		change func(*Shot)
		want   string
	}{
		{func(*Shot) {}, "tick 100: Ada (rifle) hit Bob \"B\", head, for 24, who died of it. Tested 141 ms ago (round trip 78, buffer 31, interpolation 62); on its screen Bob \"B\" was blended."},
		{func(s *Shot) { s.Claimed256, s.View256, s.Capped, s.Limit256 = 20*256, 20*256, true, 25*256 }, "though it saw 312 ms ago: that is the cap"},
		{func(s *Shot) { s.View256 = 40 * 256 }, "though it claims 625 ms: the line explains 188"},
		{func(s *Shot) { s.View256, s.Used256 = -5, 0 }, "Tested 0 ms ago although it claims to have seen the future"},
		{func(s *Shot) { s.Result, s.Why, s.Killed = sim.ShotGone, sim.WhyDead, false }, "hit Bob \"B\", who was dead already"},
		{func(s *Shot) { s.Why, s.Killed, s.Damage = sim.WhyInvulnerable, false, 0 }, "who takes no damage"},
		{func(s *Shot) { s.Result, s.Why, s.Target, s.NearGap = sim.ShotWorld, sim.WhyMissed, 0, 0.42 }, "missed: 0.42 m from the middle of Bob"},
		{func(s *Shot) { s.Result, s.Why, s.Target = sim.ShotWorld, sim.WhyBlocked, 0 }, "missed: the level stood before Bob"},
		{func(s *Shot) { s.Result, s.Why, s.Target, s.Near = sim.ShotMiss, sim.WhyNothing, 0, 0 }, "missed: nobody near its line"},
		{func(s *Shot) { s.Result, s.Why, s.Weapon = sim.ShotFlies, sim.WhyFlying, tables.Rocket }, "Ada (rocket) fired a projectile"},
		{func(s *Shot) { s.Late256, s.Short = 512, true }, "interpolation 62 and 31 for one sent rarely)"},
		{func(s *Shot) { s.Sight, s.Starved = rewind.Extended, true }, "was extended; the command was made up."},
		{func(s *Shot) { s.Replayed = true }, "had been thrown and did not know it yet."},
		{func(s *Shot) { s.Shooter = 77 }, "player 77 (rifle) hit"},
	} {
		sh := base
		c.change(&sh)
		if got := st.s.Explain(&sh); !strings.Contains(got, c.want) {
			t.Errorf("%s\nhas not: %s", got, c.want)
		}
		var line map[string]any
		b := sh.AppendJSON(nil)
		if err := json.Unmarshal(b, &line); err != nil || b[len(b)-1] != '\n' {
			t.Fatalf("%v: %s", err, b)
		}
		if line["tick"] != 100.0 || line["used_256"] != float64(sh.Used256) || (line["killed"] == true) != sh.Killed {
			t.Errorf("%s", b)
		}
	}
	for i := range shotsKept + 100 {
		sh := base
		sh.Tick = state.Tick(i)
		st.s.shotLog.put(&sh)
	}
	all := st.s.Shots(nil, 0, 1<<20)
	if len(all) != shotsKept || all[0].Tick != 100 || all[len(all)-1].Tick != shotsKept+99 {
		t.Fatalf("%d records, %d to %d", len(all), all[0].Tick, all[len(all)-1].Tick)
	}
	if got := st.s.Shots(nil, b.id, 3); len(got) != 3 || got[2].Tick != shotsKept+99 {
		t.Fatalf("%d of one player", len(got))
	}
	if got := st.s.Shots(nil, 3, 3); len(got) != 0 {
		t.Fatalf("%d of somebody else", len(got))
	}
	sh := base
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() {
		st.s.shotLog.put(&sh)
		buf = sh.AppendJSON(buf[:0])
	}); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// Filing a tick's shots allocates nothing, with a hook that looks at them.
func TestShotsAllocateNothing(t *testing.T) {
	filed := 0
	st, a, b := duel(t, func(c *Config) { c.Hooks.Shot = func(sh *Shot) { filed += int(sh.Damage) } })
	fire(st, a, b)
	st.s.evidenceAt = st.s.lastNow // what is logged is bounded by time
	if n := testing.AllocsPerRun(100, st.s.record); n != 0 || filed == 0 || len(st.s.match.sim.LastShots()) == 0 {
		t.Errorf("%v allocations, %d", n, filed)
	}
}

func TestByName(t *testing.T) {
	st, a, _ := duel(t, nil)
	if id, ok := st.s.ByName("Ada"); !ok || id != a.id {
		t.Error(id, ok)
	}
	if _, ok := st.s.ByName("Eve"); ok {
		t.Error("Eve is here")
	}
}
