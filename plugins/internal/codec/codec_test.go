package codec_test

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
	"pgregory.net/rapid"
)

func f32(t *rapid.T) float32 {
	return rapid.Float32Range(-5000, 5000).Draw(t, "f")
}

func v3(t *rapid.T) vec.V3 { return vec.V3{X: f32(t), Y: f32(t), Z: f32(t)} }

func drawInput(t *rapid.T) *vis.Input {
	u8, u16, flip := rapid.Uint8(), rapid.Uint16(), rapid.Bool()
	in := &vis.Input{
		Tick: rapid.Uint32().Draw(t, "tick"), TickRate: rapid.IntRange(1, 1000).Draw(t, "rate"),
		Seed: rapid.Uint64().Draw(t, "seed"),
	}
	for range rapid.IntRange(0, 70).Draw(t, "subjects") {
		in.Subjects = append(in.Subjects, vis.Subject{
			ID: state.ID(u16.Draw(t, "id")), Kind: state.Kind(u8.Draw(t, "kind")), Owner: state.ID(u16.Draw(t, "owner")),
			Team: u8.Draw(t, "team"), Alive: flip.Draw(t, "alive"), Pos: v3(t), Eye: v3(t), Chest: v3(t),
			Box: vec.Box{Min: v3(t), Max: v3(t)}, Vel: v3(t), Yaw: f32(t), Pitch: f32(t), Lean: f32(t),
			Ducked: flip.Draw(t, "ducked"), Aiming: flip.Draw(t, "aiming"), Weapon: u8.Draw(t, "weapon"),
			Fired: flip.Draw(t, "fired"), Teleports: u8.Draw(t, "tele"), Watching: state.ID(u16.Draw(t, "watch")),
			Blind: u16.Draw(t, "blind"),
		})
	}
	for range rapid.IntRange(0, 9).Draw(t, "viewers") {
		in.Viewers = append(in.Viewers, vis.Viewer{
			Subject: rapid.IntRange(-1, len(in.Subjects)-1).Draw(t, "subject"), ID: state.ID(u16.Draw(t, "id")),
			RTTms: f32(t), JitterMS: f32(t), RenderMS: f32(t), BufferMS: f32(t), StillMS: f32(t), Loss: f32(t), SendTicks: u8.Draw(t, "send"), Spectating: state.ID(u16.Draw(t, "spec")),
			Scope: vis.Scope{Magnification: f32(t), HalfDeg: f32(t), RangeM: f32(t), TurnDPS: f32(t),
				Since: rapid.Uint32().Draw(t, "since"), Last: rapid.Uint32().Draw(t, "last")},
		})
	}
	for range rapid.IntRange(0, 5).Draw(t, "doors") {
		in.Doors = append(in.Doors, state.DoorState{Open: flip.Draw(t, "open"), Start: rapid.Uint32().Draw(t, "start"), From: u16.Draw(t, "from")})
	}
	for range rapid.IntRange(0, 5).Draw(t, "pieces") {
		in.Pieces = append(in.Pieces, state.Piece{Broken: flip.Draw(t, "broken"), At: rapid.Uint32().Draw(t, "at")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "smokes") {
		in.Smokes = append(in.Smokes, state.Smoke{ID: state.ID(u16.Draw(t, "id")), Start: rapid.Uint32().Draw(t, "start"), Pos: v3(t), Radius: u16.Draw(t, "radius")})
		in.Holes = append(in.Holes, state.Hole{ID: state.ID(u16.Draw(t, "id")), Smoke: state.ID(u16.Draw(t, "smoke")), Start: rapid.Uint32().Draw(t, "start"), Pos: v3(t), Radius: u16.Draw(t, "radius")})
	}
	in.SizeAsked()
	for v := range in.Viewers {
		for s := range in.Subjects {
			if flip.Draw(t, "ask") {
				in.Ask(v, s)
			}
			if rapid.IntRange(0, 5).Draw(t, "stands") == 0 {
				in.Standing = append(in.Standing, vis.Standing{
					Viewer: v, Subject: s, Until: rapid.Uint32().Draw(t, "until"),
					Reason: vis.Reason(rapid.IntRange(1, int(vis.NumReasons)-1).Draw(t, "reason")), Interval: u8.Draw(t, "interval"),
				})
			}
		}
	}
	return in
}

func drawAnswer(t *rapid.T, in *vis.Input) *vis.Answer {
	a := &vis.Answer{}
	a.Reset(in)
	same := rapid.Bool().Draw(t, "same")
	for v := range in.Viewers {
		for s := range in.Subjects {
			if !rapid.Bool().Draw(t, "permit") {
				continue
			}
			if same {
				a.Allow(v, s, vis.Open, in.Tick+3, 1)
				continue
			}
			a.Allow(v, s, vis.Reason(rapid.IntRange(0, int(vis.NumReasons)-1).Draw(t, "reason")),
				rapid.Uint32().Draw(t, "hold"), rapid.Uint8().Draw(t, "interval"))
		}
	}
	a.Rays = rapid.IntRange(0, 1<<30).Draw(t, "rays")
	return a
}

// eq compares slices and structs without telling an empty slice from none.
func eq(t *rapid.T, what string, got, want any) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	if g.Kind() == reflect.Slice && g.Len() == 0 && w.Len() == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// TestPolicyFramesRoundTrip: a value that was used before, and a frame that does
// not begin a buffer, make no difference.
func TestPolicyFramesRoundTrip(t *testing.T) {
	var got vis.Input
	var gotA vis.Answer
	var buf []byte
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		buf = codec.AppendInput(append(buf[:0], "xyz"...), in)
		if err := codec.DecodeInput(buf[3:], &got); err != nil {
			t.Fatal(err)
		}
		eq(t, "subjects", got.Subjects, in.Subjects)
		eq(t, "viewers", got.Viewers, in.Viewers)
		eq(t, "doors", got.Doors, in.Doors)
		eq(t, "pieces", got.Pieces, in.Pieces)
		eq(t, "smokes", got.Smokes, in.Smokes)
		eq(t, "holes", got.Holes, in.Holes)
		eq(t, "asked", got.Asked, in.Asked)
		eq(t, "standing", got.Standing, in.Standing)
		eq(t, "numbers", []any{got.Tick, got.TickRate, got.Seed, got.Words}, []any{in.Tick, in.TickRate, in.Seed, in.Words})

		a := drawAnswer(t, in)
		buf = codec.AppendAnswer(buf[:0], a)
		if err := codec.DecodeAnswer(buf, in, &gotA); err != nil {
			t.Fatal(err)
		}
		eq(t, "permit", gotA.Permit, a.Permit)
		eq(t, "reason", gotA.Reason, a.Reason)
		eq(t, "hold", gotA.Hold, a.Hold)
		eq(t, "interval", gotA.Interval, a.Interval)
		eq(t, "numbers", []any{gotA.Tick, gotA.Viewers, gotA.Subjects, gotA.Words, gotA.Rays, gotA.Source},
			[]any{a.Tick, a.Viewers, a.Subjects, a.Words, a.Rays, a.Source})
	})
}

func drawTick(t *rapid.T) *rules.TickIn {
	u8, u16, flip := rapid.Uint8(), rapid.Uint16(), rapid.Bool()
	text := rapid.StringN(0, 40, 200)
	id := func() state.ID { return state.ID(u16.Draw(t, "id")) }
	in := &rules.TickIn{Tick: rapid.Uint32().Draw(t, "tick"), Replaying: flip.Draw(t, "replaying")}
	for range rapid.IntRange(0, 20).Draw(t, "players") {
		in.Players = append(in.Players, rules.PlayerRow{
			ID: id(), Team: u8.Draw(t, "team"), Flags: state.Flags(u16.Draw(t, "flags")), Pos: v3(t), Vel: v3(t), Yaw: f32(t),
			Health: rapid.Int16().Draw(t, "health"), Armor: rapid.Int16().Draw(t, "armor"), Weapon: u8.Draw(t, "weapon"),
			Buttons: state.Buttons(u16.Draw(t, "buttons")), DeadFor: u16.Draw(t, "dead"), OutOfMap: flip.Draw(t, "out"),
		})
	}
	for range rapid.IntRange(0, 20).Draw(t, "events") {
		in.Events = append(in.Events, state.Event{
			Kind: state.EventKind(u8.Draw(t, "kind")), Weapon: u8.Draw(t, "weapon"), Actor: id(), Target: id(),
			Param: rapid.Int32().Draw(t, "param"), Pos: v3(t), Dir: v3(t),
			Yaw: state.Angle16(u16.Draw(t, "yaw")), Pitch: state.Angle16(u16.Draw(t, "pitch")), Only: id(),
		})
	}
	for range rapid.IntRange(0, 4).Draw(t, "joined") {
		in.Joined = append(in.Joined, rules.Member{ID: id(), Team: u8.Draw(t, "team"), Bot: flip.Draw(t, "bot"), Name: text.Draw(t, "name")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "left") {
		in.Left = append(in.Left, id())
	}
	for range rapid.IntRange(0, 4).Draw(t, "chat") {
		in.Chat = append(in.Chat, rules.Chat{ID: id(), Text: text.Draw(t, "text")})
	}
	return in
}

func drawOps(t *rapid.T) []rules.Op {
	u16 := rapid.Uint16()
	var ops []rules.Op
	for range rapid.IntRange(0, 30).Draw(t, "ops") {
		ops = append(ops, rules.Op{
			Kind: rules.OpKind(rapid.Uint8().Draw(t, "kind")), ID: state.ID(u16.Draw(t, "id")), Weapon: rapid.Uint8().Draw(t, "weapon"),
			Flags: state.Flags(u16.Draw(t, "set")), Flags2: state.Flags(u16.Draw(t, "clear")),
			Value: rapid.Int32().Draw(t, "v"), Value2: rapid.Int32().Draw(t, "v2"), Value3: rapid.Int32().Draw(t, "v3"),
			Pos: v3(t), Yaw: f32(t), Text: rapid.StringN(0, 40, 200).Draw(t, "text"),
		})
	}
	return ops
}

func TestRulesFramesRoundTrip(t *testing.T) {
	var got rules.TickIn
	var gotOps []rules.Op
	var buf []byte
	rapid.Check(t, func(t *rapid.T) {
		in := drawTick(t)
		buf = codec.AppendTick(buf[:0], in)
		if err := codec.DecodeTick(buf, &got); err != nil {
			t.Fatal(err)
		}
		eq(t, "players", got.Players, in.Players)
		eq(t, "events", got.Events, in.Events)
		eq(t, "joined", got.Joined, in.Joined)
		eq(t, "left", got.Left, in.Left)
		eq(t, "chat", got.Chat, in.Chat)
		eq(t, "numbers", []any{got.Tick, got.Replaying}, []any{in.Tick, in.Replaying})

		ops := drawOps(t)
		buf = codec.AppendOps(buf[:0], in.Tick, ops)
		var err error
		if gotOps, err = codec.DecodeOps(buf, in.Tick, gotOps); err != nil {
			t.Fatal(err)
		}
		eq(t, "ops", gotOps, ops)
	})
}

// sample is a tick of n players who are all viewers.
func sample(n int) (*vis.Input, *vis.Answer) {
	in := &vis.Input{Tick: 100, TickRate: 64, Seed: 7}
	for i := range n {
		in.Subjects = append(in.Subjects, vis.Subject{ID: state.ID(i + 1), Kind: state.KindPlayer, Alive: true, Pos: vec.V3{X: float32(i)}})
		in.Viewers = append(in.Viewers, vis.Viewer{Subject: i, ID: state.ID(i + 1), RTTms: 40})
	}
	in.SizeAsked()
	a := &vis.Answer{}
	a.Reset(in)
	for v := range in.Viewers {
		for s := range in.Subjects {
			if v != s {
				in.Ask(v, s)
				if (v+s)%3 == 0 {
					a.Allow(v, s, vis.Reason(1+(v+s)%8), uint32(100+v), 1)
				}
			}
		}
	}
	return in, a
}

// full is an Input with something in every column.
func full() *vis.Input {
	in, _ := sample(6)
	for i := range in.Subjects {
		s := &in.Subjects[i]
		s.Owner, s.Team, s.Weapon, s.Blind = state.ID(i), uint8(i%3), uint8(i), uint16(i*300)
		s.Eye, s.Chest = s.Pos.Add(vec.V3{Z: 1.7}), s.Pos.Add(vec.V3{Z: 1.2})
		s.Box = vec.Box{Min: s.Pos, Max: s.Eye}
		s.Vel, s.Yaw, s.Pitch, s.Lean = vec.V3{X: 1, Y: -2}, 33, -5, 0.5
		s.Ducked, s.Aiming, s.Fired, s.Teleports, s.Watching = i%2 == 0, i%3 == 0, i%2 == 1, uint8(i), state.ID(i)
		v := &in.Viewers[i]
		v.JitterMS, v.RenderMS, v.BufferMS, v.StillMS, v.Loss, v.SendTicks, v.Spectating = 2, 40, 16, 8, 0.25, 2, state.ID(i)
	}
	for k := state.KindRocket; k < state.NumKinds; k++ {
		in.Subjects = append(in.Subjects, vis.Subject{ID: state.FirstThing + state.ID(k), Kind: k, Owner: 1, Alive: true, Pos: vec.V3{Y: float32(k)}})
	}
	in.SizeAsked()
	in.Ask(1, 9)
	in.Standing = append(in.Standing, vis.Standing{Viewer: 1, Subject: 2, Until: 120, Reason: vis.EyeEye, Interval: 4},
		vis.Standing{Viewer: 3, Subject: 9, Until: 90, Reason: vis.Fallback})
	in.Doors = append(in.Doors, state.DoorState{Open: true, Start: 90, From: 77}, state.DoorState{})
	in.Pieces = append(in.Pieces, state.Piece{Broken: true, At: 95}, state.Piece{})
	in.Smokes = append(in.Smokes, state.Smoke{ID: state.FirstThing + 5, Start: 80, Pos: vec.V3{X: 3}, Radius: 1040})
	in.Holes = append(in.Holes, state.Hole{ID: state.FirstThing + 6, Smoke: state.FirstThing + 5, Start: 99, Pos: vec.V3{X: 3, Z: 1}, Radius: 800})
	return in
}

func sampleTick(n int) (*rules.TickIn, []rules.Op) {
	in := &rules.TickIn{Tick: 9}
	var ops []rules.Op
	for i := range n {
		in.Players = append(in.Players, rules.PlayerRow{ID: state.ID(i + 1), Health: 100})
		in.Events = append(in.Events, state.Event{Kind: state.EvFire, Actor: state.ID(i + 1)})
		ops = append(ops, rules.Op{Kind: rules.OpHUD, ID: state.ID(i + 1), Text: "clock=9:59"})
	}
	return in, ops
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	in, a := sample(100)
	tick, ops := sampleTick(100)
	var buf []byte
	var gotIn vis.Input
	var gotA vis.Answer
	var gotTick rules.TickIn
	var gotOps []rules.Op
	n := testing.AllocsPerRun(20, func() {
		buf = codec.AppendInput(buf[:0], in)
		check(t, codec.DecodeInput(buf, &gotIn))
		buf = codec.AppendAnswer(buf[:0], a)
		check(t, codec.DecodeAnswer(buf, in, &gotA))
		buf = codec.AppendTick(buf[:0], tick)
		check(t, codec.DecodeTick(buf, &gotTick))
		buf = codec.AppendOps(buf[:0], tick.Tick, ops)
		var err error
		gotOps, err = codec.DecodeOps(buf, tick.Tick, gotOps)
		check(t, err)
	})
	if n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryCutAndEveryBitIsAnErrorOrAValue: a frame cut anywhere is refused; a
// frame with any bit turned either is refused or decodes, and never panics.
func TestEveryCutAndEveryBitIsAnErrorOrAValue(t *testing.T) {
	in, a := sample(3)
	tick, ops := sampleTick(3)
	tick.Joined = []rules.Member{{ID: 4, Name: "four"}}
	tick.Chat = []rules.Chat{{ID: 4, Text: "hello"}}
	for _, f := range [][]byte{
		codec.AppendInput(nil, in), codec.AppendInput(nil, full()), codec.AppendAnswer(nil, a), codec.AppendTick(nil, tick), codec.AppendOps(nil, 9, ops),
		codec.AppendState(nil, 5, []byte("state")), codec.AppendSimple(nil, codec.KindBye, 5),
	} {
		for n := range f {
			cut := append([]byte(nil), f[:n]...)
			if n >= codec.HeaderSize {
				binary.LittleEndian.PutUint32(cut[12:], uint32(n)) // even when the length is honest
			}
			if decodes(cut, in) > 0 && n > codec.HeaderSize {
				t.Errorf("kind %d cut to %d of %d bytes decodes", f[6], n, len(f))
			}
		}
		for bit := range len(f) * 8 {
			bad := append([]byte(nil), f...)
			bad[bit/8] ^= 1 << (bit % 8)
			decodes(bad, in)
		}
	}
}

// decodes tries every decoder and counts those that accept.
func decodes(b []byte, in *vis.Input) int {
	n := 0
	var gotIn vis.Input
	var gotA vis.Answer
	var gotTick rules.TickIn
	if codec.DecodeInput(b, &gotIn) == nil {
		n++
	}
	if codec.DecodeAnswer(b, in, &gotA) == nil {
		n++
	}
	if codec.DecodeTick(b, &gotTick) == nil {
		n++
	}
	if _, err := codec.DecodeOps(b, 9, nil); err == nil {
		n++
	}
	if _, _, err := codec.DecodeState(b, nil); err == nil {
		n++
	}
	return n
}

func TestAnswersThatDoNotFitAreRefused(t *testing.T) {
	in, a := sample(4)
	good := codec.AppendAnswer(nil, a)
	set32 := func(off int, v uint32) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[off:], v) }
	}
	for _, c := range []struct {
		name string
		mend func(b []byte)
		want error
	}{
		{"another tick", set32(8, 99), codec.ErrTick},
		{"more viewers", set32(16, 5), codec.ErrShape},
		{"huge subjects", set32(20, math.MaxUint32), codec.ErrShape},
		{"wrong count", set32(28, 1), codec.ErrValue},
		{"bit beyond the subjects", func(b []byte) { b[32] |= 0x80 }, codec.ErrValue},
		{"unknown reason", func(b []byte) { b[len(b)-2] = 250 }, codec.ErrValue},
		{"another version", func(b []byte) { b[4]++ }, codec.ErrVersion},
		{"another kind", func(b []byte) { b[6] = 4 }, codec.ErrKind},
		{"not a frame", func(b []byte) { b[0] = 'x' }, codec.ErrMagic},
	} {
		b := append([]byte(nil), good...)
		c.mend(b)
		var got vis.Answer
		if err := codec.DecodeAnswer(b, in, &got); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, wanted %v", c.name, err, c.want)
		}
	}
}

// TestStandingThatDoesNotFitIsRefused: each pair once, in order, of those that there
// are, for a reason.
func TestStandingThatDoesNotFitIsRefused(t *testing.T) {
	for name, mend := range map[string]func(*vis.Input){
		"twice":              func(in *vis.Input) { in.Standing[1] = in.Standing[0] },
		"out of order":       func(in *vis.Input) { in.Standing[0], in.Standing[1] = in.Standing[1], in.Standing[0] },
		"viewer of nobody":   func(in *vis.Input) { in.Standing[1].Viewer = len(in.Viewers) },
		"subject of nothing": func(in *vis.Input) { in.Standing[1].Subject = len(in.Subjects) },
		"for no reason":      func(in *vis.Input) { in.Standing[0].Reason = vis.Hidden },
		"unknown reason":     func(in *vis.Input) { in.Standing[0].Reason = vis.NumReasons },
	} {
		in := full()
		mend(in)
		var got vis.Input
		if err := codec.DecodeInput(codec.AppendInput(nil, in), &got); !errors.Is(err, codec.ErrValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := codec.AppendInput(nil, full())
	b[7] = 2
	if err := codec.DecodeInput(b, &vis.Input{}); !errors.Is(err, codec.ErrValue) {
		t.Errorf("a flag that there is not: %v", err)
	}
}

func TestStateRoundTrip(t *testing.T) {
	got, tick, err := codec.DecodeState(codec.AppendState(nil, 77, []byte("abc")), nil)
	if err != nil || tick != 77 || string(got) != "abc" {
		t.Fatalf("%q %d %v", got, tick, err)
	}
	if _, _, err := codec.DecodeState(codec.AppendState(nil, 1, make([]byte, codec.MaxState+1)), nil); !errors.Is(err, codec.ErrLimit) {
		t.Errorf("a state over the limit: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	in, a := sample(3)
	tick, ops := sampleTick(2)
	tick.Joined = []rules.Member{{ID: 4, Name: "four"}}
	tick.Chat = []rules.Chat{{ID: 4, Text: "hello"}}
	f.Add(codec.AppendInput(nil, in))
	f.Add(codec.AppendInput(nil, full()))
	f.Add(codec.AppendAnswer(nil, a))
	f.Add(codec.AppendTick(nil, tick))
	f.Add(codec.AppendOps(nil, 9, ops))
	f.Add(codec.AppendState(nil, 9, []byte("state")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= codec.HeaderSize { // let it past the header
			binary.LittleEndian.PutUint32(b[12:], uint32(len(b)))
		}
		decodes(b, in)
		// What decodes encodes to the same bytes: one meaning, one frame.
		var gotIn vis.Input
		if codec.DecodeInput(b, &gotIn) == nil {
			if again := codec.AppendInput(nil, &gotIn); string(again) != string(b) {
				t.Errorf("input: %x\nagain: %x", b, again)
			}
		}
		var gotTick rules.TickIn
		if codec.DecodeTick(b, &gotTick) == nil {
			if again := codec.AppendTick(nil, &gotTick); string(again) != string(b) {
				t.Errorf("tick: %x\nagain: %x", b, again)
			}
		}
	})
}

func BenchmarkPolicy100(b *testing.B) {
	in, a := sample(100)
	var buf []byte
	var gotIn vis.Input
	var gotA vis.Answer
	b.ReportAllocs()
	for b.Loop() {
		buf = codec.AppendInput(buf[:0], in)
		_ = codec.DecodeInput(buf, &gotIn)
		buf = codec.AppendAnswer(buf[:0], a)
		_ = codec.DecodeAnswer(buf, in, &gotA)
	}
}
