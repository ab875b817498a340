package scenario_test

import (
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// FuzzFromServer gives a playing client what a server may send: bytes of no session,
// the content of a sealed packet, a reliable message. It plays on, or has ended with
// a reason; what it draws from is finite.
func FuzzFromServer(f *testing.F) {
	f.Add([]byte{0xA3, 0, 0, 0}, []byte{0, 1, 2, 3}, wire.Append(nil, &wire.HUD{Key: "k", Value: "v"}))
	f.Add([]byte{0x40, 1, 0, 1}, []byte{0xff, 0xff}, wire.Append(nil, &wire.Welcome{ID: 1, TickRate: 64, Level: "pit"}))
	f.Add([]byte{}, []byte{}, wire.Append(nil, &wire.Scores{Rows: []state.Score{{ID: 3}}}))
	f.Fuzz(func(t *testing.T, raw, payload, message []byte) {
		s := newStub(t, fuzzMaps)
		enc := snapshot.NewEncoder(rate)
		for tick := range state.Tick(4) {
			s.send(s.good(enc, 1000+tick))
		}
		s.port.Send(raw, s.peer)
		s.step()
		if s.c.State() != client.Playing {
			t.Fatalf("%x ended the connection: %s", raw, s.c.Reason())
		}
		_ = s.ch.QueueReliable(message)
		if len(payload) > s.ch.Budget() {
			payload = payload[:s.ch.Budget()]
		}
		for range 3 {
			s.send(payload)
			s.c.Others(nil)
			if p := s.c.Own(); !p.Pos.IsFinite() || !s.c.Eye().IsFinite() {
				t.Fatalf("predicted at %v, eye %v", p.Pos, s.c.Eye())
			}
		}
		if s.c.State() == client.Gone && s.c.Reason() == "" {
			t.Fatal("ended without a reason")
		}
	})
}

var fuzzMaps = maps{}
