package wire_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
	"github.com/sightline-engine/sightline/net/wire"
)

// messages is one of each kind with every field set.
func messages() []wire.Message {
	return []wire.Message{
		&wire.Welcome{ID: 3, MaxPlayers: 64, TickRate: 64, Tick: 1 << 31, Seed: 1 << 63, Server: "here", Level: "corner",
			LevelHash: [32]byte{1, 2}, TablesHash: [32]byte{31: 9}, Tables: []byte{1, 0, 255}, Rules: "duel", Policy: "deaddrop"},
		&wire.Player{ID: 512, Team: 2, Bot: true, Name: "Zoë"},
		&wire.Gone{ID: 7, Reason: "timed out"},
		&wire.Scores{Rows: []state.Score{{ID: 1, Team: 1, Kills: -1, Deaths: 32767, Points: -32768, Ping: 65535, Bot: true}, {ID: 2}}},
		&wire.Chat{ID: 4, Team: true, Text: "привет"},
		&wire.Announce{Text: "fight"},
		&wire.HUD{Key: "round", Value: "2"},
		&wire.Phase{Phase: -1, End: math.MaxUint32},
		&wire.Var{Name: "sv.gravity", Value: "25"},
		&wire.Print{Text: "hello"},
		&wire.Bye{Reason: "kicked"},
		&wire.Tables{Version: 1<<31 - 1, From: math.MaxUint32, Hash: [32]byte{3}, Values: []tables.Value{{Name: "movement.gravity", To: 12.5}, {Name: "weapon.rifle.interval_ms", To: 90}}},
		&wire.Tables{Version: 7, From: 640, Hash: [32]byte{31: 4}, Whole: []byte{7, 8}},
		&wire.Join{Name: "Ann", Bot: true, Password: "pw"},
		&wire.Ready{LevelHash: [32]byte{5}, TablesHash: [32]byte{6}},
		&wire.Say{Team: true, Text: "hi"},
		&wire.Quit{Reason: "bye"}, &wire.Wish{What: wire.WishStep, Value: -1},
		&wire.Reveals{Now: 1<<56 - 1, Seq: 1<<48 - 1, Came: math.MaxUint32, Rows: []wire.Reveal{
			{ID: 7, Back: 3, Came: 52_000, Look: 6944, Drawn: true, Drew: 20_833}, {ID: 512, Back: math.MaxUint32, Came: math.MaxUint32, Look: math.MaxUint32},
		}},
	}
}

// parse reads a message from whichever side may send it, and checks that the
// other side may not.
func parse(t *testing.T, b []byte) wire.Message {
	t.Helper()
	down, err1 := wire.ParseFromServer(b)
	up, err2 := wire.ParseFromClient(b)
	if (err1 == nil) == (err2 == nil) {
		t.Fatalf("%x: from a server %v, from a client %v", b, err1, err2)
	}
	if err1 == nil {
		return down
	}
	return up
}

func TestEveryMessageArrivesAsSent(t *testing.T) {
	for _, m := range messages() {
		b := wire.Append(nil, m)
		if got := parse(t, b); !reflect.DeepEqual(got, m) {
			t.Errorf("%T\n%+v\nwant\n%+v", m, got, m)
		}
		for n := range b {
			if m, err := wire.ParseFromServer(b[:n]); err == nil {
				t.Errorf("%T cut to %d bytes parses", m, n)
			}
		}
		if _, err := wire.ParseFromServer(append(slices.Clip(b), 0)); err == nil {
			t.Errorf("%T with a byte too many parses", m)
		}
	}
}

func TestTheLongestMessagesFit(t *testing.T) {
	long := strings.Repeat("ä", 4000)
	rows := make([]state.Score, 500)
	for i := range rows {
		rows[i].ID = state.ID(i)
	}
	values := make([]tables.Value, tables.MaxChange+1)
	for i := range values {
		values[i].Name = long
	}
	for _, m := range []wire.Message{
		&wire.Tables{Values: values}, &wire.Tables{Values: values, Whole: make([]byte, wire.MaxTables)},
		&wire.Welcome{ID: 1, TickRate: 1, Server: long, Level: long, Rules: long, Policy: long, Tables: make([]byte, wire.MaxTables)},
		&wire.Print{Text: long}, &wire.Chat{Text: long}, &wire.HUD{Key: long, Value: long}, &wire.Scores{Rows: rows},
	} {
		b := wire.Append(nil, m)
		if len(b) > wire.MaxMessage {
			t.Errorf("%T has %d bytes", m, len(b))
		}
		parse(t, b)
	}
}

func TestTextIsCleanedBothWays(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"a\x00b\xffc\x80d", "abcd"},
		{"half \xe2\x82", "half "},
		{"\xc3", ""},
		{"line\nbreak\ttab", "line break tab"},
		{"bell\a esc\x1b[31m", "bell esc[31m"},
		{"turn\u202eround", "turnround"},
		{"Zoë €", "Zoë €"},
	} {
		b := wire.Append(nil, &wire.Chat{Text: c.in})
		if got := parse(t, b).(*wire.Chat).Text; got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
		// A sender that does not clean: the same bytes put in by hand.
		var w bits.Writer
		w.Reset(make([]byte, 300))
		w.Bits(5, 8)
		w.Bits(0, 17)
		w.String(c.in, wire.MaxChat)
		if got := parse(t, w.Bytes()).(*wire.Chat).Text; got != c.want {
			t.Errorf("raw %q becomes %q, want %q", c.in, got, c.want)
		}
	}
	if n := wire.CleanName(" \xff ", 32); n != "player" {
		t.Errorf("an empty name becomes %q", n)
	}
	if s := wire.Clean("ääää", 5); s != "ää" {
		t.Errorf("cut to %q", s)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\xffb\u202e", 3)
	f.Fuzz(func(t *testing.T, s string, most int) {
		most &= 255
		c := wire.Clean(s, most)
		if !utf8.ValidString(c) || len(c) > most || strings.ContainsAny(c, "\x00\n\x7f") || wire.Clean(c, most) != c {
			t.Fatalf("%q", c)
		}
	})
}

// fill sets every field of a struct to random values.
func fill(r *vec.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Float32:
		v.SetFloat(float64(r.Signed() * 100))
	default:
		if r.Intn(3) == 0 {
			return // as it was
		}
		x := r.Uint64() >> r.Intn(64)
		if v.CanInt() {
			v.SetInt(int64(x) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
		} else {
			v.SetUint(x & (1<<v.Type().Bits() - 1))
		}
	}
}

// through writes with put, reads with get, packed and range coded, and reports
// whether nothing is left. get is called twice and must give the same.
func through(t *testing.T, put, get func(c *wire.Coder)) {
	t.Helper()
	packed(t, put, get)
	var e rangecode.Encoder
	e.Reset(make([]byte, 2048))
	c := wire.Coding(&e, nil)
	put(&c)
	var d rangecode.Decoder
	d.Reset(e.Finish())
	c = wire.Decoding(&d)
	get(&c)
	if e.Overflowed() || d.Err() != nil {
		t.Fatalf("range coded: overflow %v, err %v", e.Overflowed(), d.Err())
	}
}

func packed(t *testing.T, put, get func(c *wire.Coder)) {
	t.Helper()
	var w bits.Writer
	w.Reset(make([]byte, 1024))
	c := wire.Writing(&w)
	put(&c)
	if w.Overflowed() {
		t.Fatal("does not fit")
	}
	var r bits.Reader
	r.Reset(w.Bytes())
	c = wire.Reading(&r)
	get(&c)
	if r.Align(); r.Err() != nil || r.Remaining() != 0 {
		t.Fatalf("err %v, %d bits left", r.Err(), r.Remaining())
	}
}

func TestRecordsArriveAsSent(t *testing.T) {
	for seed := range uint64(3000) {
		r := vec.NewRand(seed)
		var e, be state.Entity
		var p, bp state.Player
		var ev state.Event
		var d state.DoorState
		var h, bh wire.Head
		for _, v := range []any{&e, &be, &p, &bp, &ev, &d, &h, &bh} {
			fill(&r, reflect.ValueOf(v).Elem())
		}
		if r.Intn(2) == 0 { // little has changed
			x, y := e, p
			e, p = be, bp
			e.Pos, e.Yaw, p.Vel, p.Ammo[2] = x.Pos, x.Yaw, y.Vel, y.Ammo[2]
		}
		e.Kind, be.Kind, ev.Kind = state.Kind(r.Intn(int(state.NumKinds))), state.KindPlayer, state.EvFire
		if r.Intn(4) == 0 {
			p.Vel.X, p.Pos.Y = float32(math.NaN()), float32(math.Copysign(0, -1))
		}
		be.ID = e.ID
		at := wire.Extrapolate(&be, int32(r.Intn(100)-10), 64)

		var e2 state.Entity
		e2.ID = e.ID
		packed(t, func(c *wire.Coder) { c.Entity(&e, &be, at) }, func(c *wire.Coder) { c.Entity(&e2, &be, at) })
		if e2 != e {
			t.Fatalf("seed %d: delta\n%+v\nwant\n%+v", seed, e2, e)
		}
		packed(t, func(c *wire.Coder) { c.Entity(&e, nil, at) }, func(c *wire.Coder) { c.Entity(&e2, nil, at) })
		if e2 != e {
			t.Fatalf("seed %d: full\n%+v\nwant\n%+v", seed, e2, e)
		}
		records(t, &r, e, be)
		var p2 state.Player
		through(t, func(c *wire.Coder) { c.Player(&p, &bp, 7, 64) }, func(c *wire.Coder) { c.Player(&p2, &bp, 7, 64) })
		if !sameBits(&p2, &p) {
			t.Fatalf("seed %d:\n%+v\nwant\n%+v", seed, p2, p)
		}
		var ev2 state.Event
		near := state.Quant(p.Pos)
		packed(t, func(c *wire.Coder) { c.Event(&ev, near) }, func(c *wire.Coder) { c.Event(&ev2, near) })
		if ev2 != wire.Rounded(&ev) {
			t.Fatalf("seed %d:\n%+v\nwant\n%+v", seed, ev2, wire.Rounded(&ev))
		}
		through(t, func(c *wire.Coder) { c.Happened(&ev, near) }, func(c *wire.Coder) { c.Happened(&ev2, near) })
		if ev2 != wire.Told(&ev) {
			t.Fatalf("seed %d:\n%+v\nwant\n%+v", seed, ev2, wire.Told(&ev))
		}
		var d2 state.DoorState
		through(t, func(c *wire.Coder) { c.Door(&d, h.Tick) }, func(c *wire.Coder) { c.Door(&d2, h.Tick) })
		if d2 != d {
			t.Fatalf("seed %d: %+v, want %+v", seed, d2, d)
		}
		h.Based = uint8(r.Intn(2))
		if h.Based == 0 {
			bh = wire.Head{}
		}
		bh.Pace = uint16(16 + r.Intn(100))
		h2 := wire.Head{Based: h.Based}
		through(t, func(c *wire.Coder) { c.Head(&h, &bh) }, func(c *wire.Coder) { c.Head(&h2, &bh) })
		if h2 != h {
			t.Fatalf("seed %d: %+v, want %+v", seed, h2, h)
		}
	}
}

// records codes e without a base, then be against that, and e again against be: each
// in a detail of its own, which the counters and bit 7 of the pose do not survive.
func records(t *testing.T, r *vec.Rand, e, be state.Entity) {
	t.Helper()
	e.ID, be.ID = state.ID(1+r.Intn(512)), e.ID
	if r.Intn(2) == 0 {
		e.ID = state.FirstThing + state.ID(r.Intn(state.MaxThings))
	}
	e.Pose &= 127
	be.Pose &= 127
	near := state.Q{X: int32(r.Uint64()), Y: 5, Z: -7}
	rec := func(e state.Entity, tick state.Tick) *wire.Rec {
		d := state.Detail(r.Intn(int(state.NumDetails)))
		return &wire.Rec{Ent: state.Shown(e, d), Tick: tick, Detail: d}
	}
	check := func(got, want *wire.Rec) {
		t.Helper()
		if *got != *want {
			t.Fatalf("record\n%+v\nwant\n%+v", got, want)
		}
	}
	a := rec(e, 100)
	path := make([]state.Body, r.Intn(wire.MaxPath+1))
	for i := range path {
		path[i] = a.Ent.Body()
		path[i].Pos.X -= int32(r.Intn(200) * i)
		path[i].Vel.Y += int32(r.Intn(3)) * 100
		path[i].Coarsen(a.Detail)
		path[i].Yaw, path[i].Pitch, path[i].Duck, path[i].Lean = a.Ent.Yaw, a.Ent.Pitch, a.Ent.Duck, a.Ent.Lean
	}
	exact := a.Ent
	through(t, func(c *wire.Coder) {
		c.First(a, near)
		c.Path(path, a, 64)
	}, func(c *wire.Coder) {
		got := &wire.Rec{Tick: 100}
		c.First(got, near)
		if !a.Ent.ID.IsPlayer() && got.Ent.ID == 0 {
			got.Ent.ID = a.Ent.ID
		}
		check(got, a)
		if p := c.Path(nil, got, 64); !slices.Equal(p, path) {
			t.Fatalf("path\n%+v\nwant\n%+v", p, path)
		}
	})
	if a.Ent.Stride = exact.Stride; a.Ent != exact {
		t.Fatalf("arrives as\n%+v\nwant\n%+v", a.Ent, exact)
	}
	base := *a
	for i := range 3 {
		if i == 1 {
			be = e
			be.Pos.X += int32(r.Intn(300))
			be.Yaw += state.Angle16(r.Intn(2000))
		}
		be.ID, be.Kind = e.ID, e.Kind
		next := rec(be, base.Tick+state.Tick(r.Intn(70)))
		exact := next.Ent
		through(t, func(c *wire.Coder) { c.Record(next, &base, 64) }, func(c *wire.Coder) {
			got := &wire.Rec{Ent: state.Entity{ID: e.ID}, Tick: next.Tick}
			c.Record(got, &base, 64)
			check(got, next)
		})
		if by := int16(next.Ent.Stride - exact.Stride); by >= 20 || by < -20 || next.Detail == state.Exact && by != 0 {
			t.Fatalf("the stride is off by %d", by)
		}
		if next.Ent.Stride = exact.Stride; next.Ent != exact {
			t.Fatalf("arrives as\n%+v\nwant\n%+v", next.Ent, exact)
		}
		base = *next
	}
}

func sameBits(a, b *state.Player) bool {
	x, y := *a, *b
	for i := range 3 {
		if math.Float32bits(x.Pos.At(i)) != math.Float32bits(y.Pos.At(i)) || math.Float32bits(x.Vel.At(i)) != math.Float32bits(y.Vel.At(i)) {
			return false
		}
	}
	x.Pos, x.Vel, y.Pos, y.Vel = vec.V3{}, vec.V3{}, vec.V3{}, vec.V3{}
	return x == y
}

func TestCommandsArriveAsSent(t *testing.T) {
	for seed := range uint64(1000) {
		r := vec.NewRand(seed)
		p := wire.Client{HasSnap: r.Intn(2) == 0, NeedFull: r.Intn(2) == 0}
		if p.HasSnap {
			p.SnapTick = uint32(r.Uint64())
		}
		tick := uint32(r.Uint64())
		for range r.Intn(wire.MaxCmds + 1) {
			var c state.Cmd
			fill(&r, reflect.ValueOf(&c).Elem())
			c.Buttons &= 1<<10 - 1
			c.Weapon &= 3
			last := state.Buttons(0)
			if n := len(p.Cmds); n > 0 {
				last = p.Cmds[n-1].Buttons
			}
			if c.Edge == 0 || c.Buttons&^last&state.BtnFire == 0 { // no new press: there is no edge
				c.Edge, c.EdgeYaw, c.EdgePitch = 0, 0, 0
			}
			c.Tick = tick
			tick += 1 + uint32(r.Intn(4)/3)
			p.Cmds = append(p.Cmds, c)
		}
		var w bits.Writer
		w.Reset(make([]byte, 512))
		wire.PutClient(&w, &p)
		var rd bits.Reader
		rd.Reset(w.Bytes())
		var q wire.Client
		if err := wire.GetClient(&rd, &q); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if q.HasSnap != p.HasSnap || q.SnapTick != p.SnapTick || q.NeedFull != p.NeedFull || !slices.Equal(q.Cmds, p.Cmds) {
			t.Fatalf("seed %d:\n%+v\nwant\n%+v", seed, q, p)
		}
	}
}

func TestRepeatKeepsTheBounds(t *testing.T) {
	var cmds []state.Cmd
	for i := range 20 {
		cmds = append(cmds, state.Cmd{Tick: ^uint32(9) + uint32(i)})
	}
	for _, c := range []struct {
		n     int
		acked state.Tick
		known bool
		want  int
	}{
		{20, 0, false, 8}, {2, 0, false, 2}, {20, cmds[19].Tick, true, 3}, {20, cmds[14].Tick, true, 5}, {20, cmds[1].Tick, true, 8},
	} {
		got := wire.Repeat(cmds[:c.n], c.acked, c.known)
		if len(got) != c.want || got[len(got)-1] != cmds[c.n-1] {
			t.Errorf("%+v: %d commands", c, len(got))
		}
	}
}

func TestAPacketOfCommandsIsSmall(t *testing.T) {
	p := wire.Client{HasSnap: true, SnapTick: 1000}
	for i := range uint32(4) {
		p.Cmds = append(p.Cmds, state.Cmd{Tick: 1006 + i, Buttons: state.BtnFire, Forward: 127, Yaw: 100 * state.Angle16(i),
			Pitch: 20 * state.Angle16(i), ViewTick: 990 + i, ViewFrac: 30})
	}
	var w bits.Writer
	w.Reset(make([]byte, 512))
	wire.PutClient(&w, &p)
	if n := len(w.Bytes()); n > 36 {
		t.Fatalf("%d bytes for four commands", n)
	}
}

func TestCommandsDoNotAllocate(t *testing.T) {
	p := wire.Client{Cmds: []state.Cmd{{Tick: 5, Forward: 1}, {Tick: 6, Yaw: 3}, {Tick: 7, Weapon: 1}}}
	q := wire.Client{Cmds: make([]state.Cmd, 0, wire.MaxCmds)}
	buf := make([]byte, 512)
	var w bits.Writer
	var r bits.Reader
	if n := testing.AllocsPerRun(100, func() {
		w.Reset(buf)
		wire.PutClient(&w, &p)
		r.Reset(w.Bytes())
		if err := wire.GetClient(&r, &q); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestTablesArriveAsSent(t *testing.T) {
	for name, set := range map[string]tables.Set{"arena": tables.Arena(), "tactical": tables.Tactical()} {
		b := wire.TablesBlob(&set)
		if len(b) == 0 || len(b) > wire.MaxTables {
			t.Fatalf("%s: %d bytes", name, len(b))
		}
		got, err := wire.ParseTables(b)
		if err != nil {
			t.Fatal(err)
		}
		if got.Hash() != set.Hash() {
			t.Fatalf("%s arrives as %+v", name, got)
		}
		if _, err := wire.ParseTables(b[:len(b)-1]); err == nil {
			t.Fatal("cut tables parse")
		}
	}
	if _, err := wire.ParseTables(make([]byte, 2000)); err == nil {
		t.Fatal("tables of zeros parse")
	}
}

func FuzzMessage(f *testing.F) {
	for _, m := range messages() {
		f.Add(wire.Append(nil, m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, parse := range []func([]byte) (wire.Message, error){wire.ParseFromServer, wire.ParseFromClient} {
			m, err := parse(b)
			if err != nil {
				continue
			}
			again, err := parse(wire.Append(nil, m))
			if err != nil || !reflect.DeepEqual(again, m) {
				t.Fatalf("%+v becomes %+v, %v", m, again, err)
			}
		}
	})
}

func FuzzClient(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		var r bits.Reader
		r.Reset(b)
		var p, q wire.Client
		if wire.GetClient(&r, &p) != nil {
			if len(p.Cmds) != 0 {
				t.Fatal("commands of a damaged packet")
			}
			return
		}
		if len(p.Cmds) > wire.MaxCmds {
			t.Fatalf("%d commands", len(p.Cmds))
		}
		var w bits.Writer
		w.Reset(make([]byte, 1024))
		wire.PutClient(&w, &p)
		r.Reset(w.Bytes())
		if err := wire.GetClient(&r, &q); err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%+v becomes %+v, %v", p, q, err)
		}
	})
}
