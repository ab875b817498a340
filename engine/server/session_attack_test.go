package server

import (
	"testing"

	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

// tamper is a line on which somebody sits who sees every packet and sends, before the
// true one, copies of it: each byte flipped in turn, cut and lengthened.
type tamper struct {
	link.Link
	from   link.Addr
	in     [][]byte // towards the client, in order
	copies int
}

// versions returns damaged copies of a packet.
func (l *tamper) versions(p []byte) (out [][]byte) {
	for i := range p {
		b := append([]byte(nil), p...)
		b[i] ^= 1 << (l.copies % 8)
		l.copies++
		out = append(out, b)
	}
	return append(out, p[:len(p)-1], append(append([]byte(nil), p...), 0))
}

func (l *tamper) Send(p []byte, to link.Addr) error {
	if netchan.IsData(p) {
		for _, v := range l.versions(p) {
			_ = l.Link.Send(v, to)
		}
	}
	return l.Link.Send(p, to)
}

func (l *tamper) Recv(p []byte) (int, link.Addr, bool) {
	if len(l.in) == 0 {
		n, from, ok := l.Link.Recv(p)
		if !ok {
			return 0, from, false
		}
		l.from = from
		if netchan.IsData(p[:n]) {
			l.in = append(l.in, l.versions(p[:n])...)
		}
		l.in = append(l.in, append([]byte(nil), p[:n]...))
	}
	n := copy(p, l.in[0])
	l.in = l.in[1:]
	return n, l.from, true
}

// Bound: every byte of every packet of a session, from joining to leaving and both
// ways, is flipped once, in a copy that comes before the true packet. Nothing of it is
// taken: the session is the one that it would have been, packet by packet.
func TestAttackEveryByteOfASession(t *testing.T) {
	run := func(tampered bool) (got []int, line *tamper) {
		st := newStage(t, nil)
		g := st.join("Ada")
		other := st.join("Bea")
		line = &tamper{Link: g.link}
		if tampered {
			g.link = line
		}
		st.run(20)
		st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: 1, Pos: st.level.Spawns[0].Pos, Value: 100})
		st.run(10)
		c := st.s.byID(1)
		if c == nil || g.wel == nil {
			t.Fatalf("tampered %v: not let in: %v, bye %q", tampered, g.hs.State(), g.bye)
		}
		g.say(&wire.Say{Text: "one line"})
		other.say(&wire.Say{Text: "another"})
		for n := range 40 {
			g.step(st.now)
			g.link.Send(g.packet(state.Cmd{Tick: st.s.Tick() + 4, Forward: 100, Yaw: state.Angle16(n * 900)}), st.at)
			st.run(1)
		}
		in := c.ch.Stats(st.now)
		p := st.s.World().Player(1)
		got = []int{
			int(in.Received), int(in.Drops.Protocol), c.cmds.Got, c.cmds.Starved, c.badCmds, g.snap,
			count[*wire.Chat](g), count[*wire.Player](g), int(p.Pos.X * 1000), int(p.Pos.Y * 1000), int(p.Yaw), st.seated(),
		}
		if tampered && (in.Drops.Auth == 0 || g.ch.Stats(st.now).Drops.Auth == 0) {
			t.Errorf("no damaged packet was refused: %+v", in.Drops)
		}
		g.say(&wire.Quit{Reason: "done"})
		st.run(3)
		return append(got, st.seated(), len(g.bye), len(other.bye)), line
	}
	want, _ := run(false)
	got, line := run(true)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("figure %d: %d with somebody on the line, %d without; all: %v, %v", i, got[i], want[i], got, want)
		}
	}
	if line.copies < 5000 {
		t.Errorf("only %d bytes were flipped", line.copies)
	}
}
