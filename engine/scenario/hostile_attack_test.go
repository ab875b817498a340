package scenario_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// own encodes a snapshot with an own state of the test's choice, for the next packet.
func (s *stub) own(enc *snapshot.Encoder, tick state.Tick, change func(*vis.Own)) []byte {
	s.t.Helper()
	var f vis.Frame
	var in vis.Input
	var ans vis.Answer
	var v vis.View
	f.Reset(tick)
	o := vis.Own{ID: 1, Interp: 900, LastCmd: tick}
	o.Player.Health = 100
	change(&o)
	f.Own = append(f.Own, o)
	in.Viewers = append(in.Viewers, vis.Viewer{ID: 1})
	ans.Reset(&in)
	vis.Build(&f, &in, &ans, 0, &v)
	var w bits.Writer
	w.Reset(make([]byte, s.ch.Budget()))
	if err := enc.Encode(&w, &v, s.ch.Sent()+1); err != nil {
		s.t.Fatal(err)
	}
	return append([]byte(nil), w.Bytes()...)
}

// Bound: whatever numbers a server gives for the own body, NaN and infinities
// included, what the client predicts and draws from is finite, and it plays on.
func TestAttackOwnStateOfNoNumbers(t *testing.T) {
	m := maps{}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tick := state.Tick(1000)
	s := newStub(t, m)
	enc := snapshot.NewEncoder(rate)
	n := 0
	for _, bad := range []float32{nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32, 1e-45, float32(math.Copysign(0, -1))} {
		for field := range 5 {
			for range 3 {
				tick++
				enc.Reset()
				s.send(s.own(enc, tick, func(o *vis.Own) {
					o.Player.Pos = vec.New(1, 2, 1)
					switch field {
					case 0:
						o.Player.Pos.X = bad
					case 1:
						o.Player.Pos = vec.New(bad, bad, bad)
					case 2:
						o.Player.Vel.Z = bad
					case 3:
						o.Player.Vel = vec.New(bad, -bad, bad)
					case 4:
						o.Margin, o.Interp, o.LastCmd = -128, math.MaxUint16, tick+1<<31
					}
				}))
				n++
				s.step()
				p := s.c.Own()
				if !p.Pos.IsFinite() || !p.Vel.IsFinite() || !s.c.Eye().IsFinite() {
					t.Fatalf("%v in field %d: predicted from %+v, eye %v", bad, field, p.Pos, s.c.Eye())
				}
				s.c.Others(nil)
			}
		}
	}
	for range rate {
		tick++
		enc.Reset()
		s.send(s.own(enc, tick, func(o *vis.Own) { o.Player.Pos = vec.New(1, 2, 1) }))
	}
	if s.c.State() != client.Playing || s.c.Stats().Snapshots < rate {
		t.Errorf("%v (%s), %d snapshots", s.c.State(), s.c.Reason(), s.c.Stats().Snapshots)
	}
}

// Bound: own states with any bits in them, weapons and movers that there are not
// included, leave a client playing: it predicts, fires and switches on from each.
func TestAttackOwnStateOfAnyBits(t *testing.T) {
	const seed = 9
	s := newStub(t, maps{})
	s.input = func(tick state.Tick) state.Cmd {
		return state.Cmd{Forward: 127, Buttons: state.Buttons(tick * 7), Weapon: uint8(tick % state.NumWeapons), Yaw: state.Angle16(tick * 500)}
	}
	rng := vec.NewRand(seed)
	enc := snapshot.NewEncoder(rate)
	tick := state.Tick(1000)
	taken := 0
	for n := range 3000 {
		tick++
		enc.Reset()
		before := s.c.Stats().Snapshots
		s.send(s.own(enc, tick, func(o *vis.Own) {
			p := &o.Player
			anyBits(&rng, reflect.ValueOf(p).Elem(), n)
			p.Pos = vec.New(1, 2, 1)
			if n%3 > 0 {
				p.Health, p.Flags = 100, p.Flags&^state.Dead&^state.Frozen
			}
		}))
		taken += s.c.Stats().Snapshots - before
		s.step()
		s.c.Others(nil)
		if !s.c.Eye().IsFinite() {
			t.Fatalf("seed %d, state %d: eye %v", seed, n, s.c.Eye())
		}
		if s.c.State() != client.Playing {
			t.Fatalf("seed %d, state %d: %s", seed, n, s.c.Reason())
		}
	}
	t.Logf("seed %d: %d of 3000 own states were taken", seed, taken)
	if taken == 0 {
		t.Error("no state was taken")
	}
}

// anyBits fills some of the fields with bits that nobody meant: more of them the
// higher n is.
func anyBits(r *vec.Rand, v reflect.Value, n int) {
	for i := range v.NumField() {
		f := v.Field(i)
		if r.Intn(4) > n%4 {
			continue
		}
		switch f.Kind() {
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			f.SetUint(r.Uint64() >> (64 - f.Type().Bits()))
		case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			f.SetInt(int64(r.Uint64()) >> (64 - f.Type().Bits()))
		case reflect.Float32:
			f.SetFloat(float64(math.Float32frombits(uint32(r.Uint64()))))
		case reflect.Bool:
			f.SetBool(r.Intn(2) == 0)
		case reflect.Struct:
			anyBits(r, f, n)
		case reflect.Array:
			for k := range f.Len() {
				if e := f.Index(k); e.Kind() == reflect.Uint16 {
					e.SetUint(r.Uint64() & 0xffff)
				}
			}
		}
	}
}

// Bound: a tick rate that no server can have (20 to 240 Hz) ends the connection with
// a sentence, before anything is loaded.
func TestAttackAbsurdRates(t *testing.T) {
	m := maps{}
	l, err := m.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	set := tables.Arena()
	for _, hz := range []uint16{0, 1, 19, 241, 1000, math.MaxUint16} {
		s := newStub(t, m)
		s.say(wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: hz, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()}))
		if s.c.State() != client.Gone || !strings.Contains(s.c.Reason(), "tick rate") && hz != 0 {
			t.Errorf("%d Hz: %v, %q", hz, s.c.State(), s.c.Reason())
		}
	}
	for _, hz := range []uint16{20, 240} {
		s := newStub(t, m)
		s.say(wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: hz, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()}))
		if s.c.State() != client.Playing {
			t.Errorf("%d Hz: %v, %q", hz, s.c.State(), s.c.Reason())
		}
	}
}

// Bound: a connection that has ended stays ended, whatever comes in the same packet,
// and the reason is clean text.
func TestAttackAfterTheEnd(t *testing.T) {
	m := maps{}
	l, err := m.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	set := tables.Arena()
	s := newStub(t, m)
	for _, msg := range []wire.Message{
		&wire.Bye{Reason: "enough"},
		&wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: rate, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()},
	} {
		if err := s.ch.QueueReliable(wire.Append(nil, msg)); err != nil {
			t.Fatal(err)
		}
	}
	s.send(nil)
	if s.c.State() != client.Gone || s.c.Reason() != "enough" {
		t.Errorf("after a goodbye and a welcome: %v, %q", s.c.State(), s.c.Reason())
	}
	s = newStub(t, m)
	pkt, _ := s.ch.SealGoodbye(nil, "\x1b[31m\xff\x00"+strings.Repeat("b", 190), s.now)
	s.port.Send(pkt, s.peer)
	s.step()
	if r := s.c.Reason(); s.c.State() != client.Gone || r != wire.Clean(r, wire.MaxReason) || !strings.HasPrefix(r, "[31mb") {
		t.Errorf("%v, reason %q", s.c.State(), r)
	}
}

// Bound: a flood of welcomes loads at most one level per call of Advance, and a flood
// of names, keys and lines keeps at most state.MaxPlayers names and 64 keys: memory
// stays below 4 MB.
func TestAttackMessagesFromAServer(t *testing.T) {
	m := maps{}
	l, err := m.load("pit")
	if err != nil {
		t.Fatal(err)
	}
	set := tables.Arena()
	s := newStub(t, m)
	welcome := wire.Append(nil, &wire.Welcome{ID: 1, MaxPlayers: 8, TickRate: rate, Level: "pit", LevelHash: l.Level.Hash, TablesHash: set.Hash()})
	for range 200 {
		if err := s.ch.QueueReliable(welcome); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		before := s.c.Stats().Levels
		s.send(nil)
		if n := s.c.Stats().Levels - before; n > 1 {
			t.Fatalf("%d levels loaded at once", n)
		}
	}
	if s.c.State() != client.Playing {
		t.Fatalf("%v: %s", s.c.State(), s.c.Reason())
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := 0; i < 30000; {
		for s.ch.QueueReliable(wire.Append(nil, &wire.Player{ID: state.ID(i), Name: fmt.Sprint("name ", i)})) == nil &&
			s.ch.QueueReliable(wire.Append(nil, &wire.HUD{Key: fmt.Sprint("key ", i), Value: strings.Repeat("v", 200)})) == nil {
			i++
		}
		s.send(nil)
	}
	for range 100 {
		s.send(nil)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	known := 0
	for id := range math.MaxUint16 {
		if _, ok := s.c.Player(state.ID(id)); ok {
			known++
		}
	}
	if known > state.MaxPlayers || s.c.State() != client.Playing {
		t.Errorf("%d names are kept, %v", known, s.c.State())
	}
}

// Bound: a match that passes tick 2^16 or 2^31 is like any other; one that passes
// 2^32 has every client playing again within 2 s. Nobody mispredicts.
func TestAttackMatchPastTheWrap(t *testing.T) {
	for _, wrap := range []uint64{1 << 16, 1 << 31, 1 << 32} {
		t.Run(fmt.Sprintf("%#x", wrap), func(t *testing.T) {
			cfg := config(maps{}, "pit", 6)
			const before, after = 4 * rate, 6 * rate
			cfg.FirstTick = state.Tick(wrap - before)
			m, err := scenario.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for range before + 2*rate {
				m.Step()
			}
			if d := int32(m.Server.Tick() - state.Tick(wrap)); d < 0 {
				t.Fatalf("%d ticks short", -d)
			}
			starved := 0
			for _, b := range m.Crew.Bots() {
				starved -= b.Stats().Starved
			}
			for range after - 2*rate {
				m.Step()
			}
			errors, resyncs := 0, 0
			for _, b := range m.Crew.Bots() {
				s := b.Stats()
				starved += s.Starved
				errors += s.Errors
				resyncs += s.Resyncs
				if b.State() != client.Playing {
					t.Errorf("%v: %s", b.State(), b.Reason())
				}
			}
			if errors != 0 || starved > 6*(after-2*rate)/20 || resyncs > 6 && wrap < 1<<32 {
				t.Errorf("%d prediction errors, %d commands made up, %d resyncs", errors, starved, resyncs)
			}
			t.Log(m.Finish())
		})
	}
}

// Bound: the client's work for one packet is bounded by the packet. A snapshot of
// netchan.MaxPayload bytes, whatever it says, allocates less than 4 KiB in the end, the
// sender's copy included.
func TestAttackBombsAtAClient(t *testing.T) {
	s := newStub(t, maps{})
	rng := vec.NewRand(4)
	var packets [][]byte
	for i := range 2000 {
		b := make([]byte, 200+rng.Intn(netchan.MaxPayload-220))
		for k := range b {
			switch i % 4 {
			case 0:
				b[k] = byte(rng.Uint64())
			case 1:
				b[k] = byte(rng.Uint64()) & byte(rng.Uint64())
			case 2:
				b[k] = byte(rng.Uint64()) | byte(rng.Uint64())
			}
		}
		if i%2 == 0 { // the packed form, without a base: it reaches what comes after
			b[0], b[1], b[2] = 0xFF, 0xFF, b[2]&0x80
		}
		packets = append(packets, b)
	}
	for round := range 2 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, b := range packets {
			s.send(b)
		}
		runtime.ReadMemStats(&after)
		bytes := int64(after.TotalAlloc - before.TotalAlloc)
		t.Logf("round %d: %d bytes allocated for %d packets", round, bytes, len(packets))
		if most := int64(len(packets)) * 4 << 10; round == 1 && bytes > most { // of it 1.2 KiB are the sender's
			t.Errorf("%d bytes allocated for %d packets", bytes, len(packets))
		}
	}
	if s.c.State() != client.Playing {
		t.Errorf("%v: %s", s.c.State(), s.c.Reason())
	}
}
