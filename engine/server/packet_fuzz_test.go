package server

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/wire"
)

// FuzzPacket gives a server with two players what one of them may send: bytes of no
// session, the content of a sealed packet, a reliable message. The server stands,
// the world is sound, the other player is not touched, and nothing that is not
// sealed ends a session.
func FuzzPacket(f *testing.F) {
	var w bits.Writer
	w.Reset(make([]byte, 200))
	wire.PutClient(&w, &wire.Client{Cmds: []state.Cmd{{Tick: 40, Forward: 127, Buttons: 0x3ff, Yaw: 9, ViewTick: 38}, {Tick: 41}}})
	join := wire.Append(nil, &wire.Join{Name: "x"})
	f.Add([]byte{0x40, 1, 0, 1}, w.Bytes(), join)
	f.Add([]byte{0xA1, 'S', 'L', 'N'}, []byte{0xff, 0xff, 0xff}, wire.Append(nil, &wire.Say{Text: "/kill"}))
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF}, []byte{}, wire.Append(nil, &wire.Quit{Reason: "x"}))
	f.Add([]byte{}, []byte{1}, wire.Append(nil, &wire.Ready{}))
	var st *stage
	var g, other *guest
	f.Fuzz(func(t *testing.T, raw, payload, message []byte) {
		if st == nil || st.seated() != 2 || st.now > 100e9 { // now and then a new match
			st = newStage(t, nil)
			g, _ = st.seat("Ada")
			other, _ = st.seat("Bea")
			g.mute = true
		}
		st.t = t
		g.link.Send(raw, st.at)
		st.run(1)
		if g.bye != "" || st.seated() != 2 {
			t.Fatalf("%x ended a session: %q", raw, g.bye)
		}
		snaps := other.snap
		_ = g.ch.QueueReliable(message)
		if len(payload) > g.ch.Budget() {
			payload = payload[:g.ch.Budget()]
		}
		for range 3 {
			pkt, _, err := g.ch.Seal(nil, payload, st.now)
			if err != nil {
				t.Fatal(err)
			}
			g.link.Send(pkt, st.at)
			st.run(1)
		}
		st.run(3)
		if err := st.s.Check(); err != nil {
			t.Fatal(err)
		}
		if st.seated() < 1 || other.bye != "" || other.snap == snaps {
			t.Fatalf("the other: bye %q, %d snapshots", other.bye, other.snap-snaps)
		}
	})
}
