package server

import (
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/wire"
)

func TestSessionRows(t *testing.T) {
	page, err := os.ReadFile("SESSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 5 || cells[0] == "state" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		rows++
		t.Run(cells[0]+", "+cells[1], func(t *testing.T) { sessionRow(t, cells) })
	}
	if rows < 30 {
		t.Errorf("only %d rows on the page", rows)
	}
}

// idle keeps a session alive and says nothing in it.
func (g *guest) idle(ticks int) {
	g.mute = true
	for range ticks {
		if g.bye == "" {
			g.link.Send(g.keepAlive(), g.st.at)
		}
		g.st.run(1)
	}
}

func sessionRow(t *testing.T, row []string) {
	st := newStage(t, keeping)
	var g *guest
	var c *conn
	name := "Ada"
	switch row[0] {
	case "joining":
		g = st.join("")
		st.run(20)
		c = st.s.conns[0]
	case "loading":
		g, c = st.seat(name)
		g.mute, g.deaf = true, true // hears of the level, and does nothing yet
		if err := st.s.Change("b"); err != nil {
			t.Fatal(err)
		}
	case "playing":
		g, c = st.seat(name)
	case "away":
		g, c = st.seat(name)
		st.silence(g)
		st.run(2*second + 4)
	default:
		t.Fatalf("unknown state %q", row[0])
	}
	if have := stateOf(st, c); have != row[0] {
		t.Fatalf("is %s", have)
	}

	resume := func(confirm bool, change func([]byte)) *guest {
		ticket := append([]byte(nil), g.hs.Session().Resume...)
		change(ticket)
		again := st.guestWith(name, func(c *handshake.ClientConfig) { c.Resume = ticket })
		if confirm {
			g.deaf = false // to read its goodbye
			st.run(second / 2)
			return again
		}
		again.mute, again.deaf = true, true
		var buf [link.MaxPacket]byte
		for range 10 {
			if pkt := again.hs.Step(st.now); pkt != nil {
				again.link.Send(pkt, st.at)
			}
			st.run(1)
			for n, _, ok := again.link.Recv(buf[:]); ok; n, _, ok = again.link.Recv(buf[:]) {
				if err := again.hs.Handle(buf[:n], st.now); err != nil {
					t.Fatal(err)
				}
			}
		}
		if again.hs.State() != handshake.Joined {
			t.Fatalf("no offer: %v", again.hs.State())
		}
		return again
	}
	asItIs := func([]byte) {}
	goodbye := func(ch *netchan.Channel) {
		pkt, _ := ch.SealGoodbye(nil, "", st.now)
		g.link.Send(pkt, st.at)
		st.run(2)
	}
	switch row[1] {
	case "says who it is":
		g.say(&wire.Join{Name: name})
		st.run(20)
	case "keep-alives and no name for 2 s", "keep-alives and no command for 2 s":
		g.idle(2*second + 4)
		st.run(3)
	case "keep-alives for 12 s":
		g.idle(12*second + 10)
		g.deaf = false
		st.run(3)
	case "silence for 2 s":
		g.mute = true
		st.run(2*second + 6)
	case "has the level":
		g.mute, g.deaf = false, false
		st.run(20)
	case "goodbye":
		g.mute = true
		goodbye(g.ch)
	case "says that it quits":
		g.say(&wire.Quit{Reason: "enough"})
		st.run(3)
		g.mute = true
	case "forged goodbye":
		fake, err := netchan.New(netchan.Config{Send: [32]byte{3}, Suite: netchan.ChaCha, Sent: g.ch.Sent()}, st.now)
		if err != nil {
			t.Fatal(err)
		}
		goodbye(fake)
	case "goodbye of another session":
		other := st.join("Bea")
		st.run(20)
		other.mute = true
		goodbye(other.ch)
	case "a message of no kind":
		if err := g.ch.QueueReliable([]byte{200, 1, 2}); err != nil {
			t.Fatal(err)
		}
		st.run(4)
	case "kicked":
		st.s.Kick(c.name, "for a test")
		st.run(2)
	case "its address is banned":
		bans, err := ParseBans([]string{c.peer.addr.Addr().String()})
		if err != nil {
			t.Fatal(err)
		}
		st.s.SetBans(bans)
		st.run(2)
	case "the server ends":
		st.s.Close("for a test", st.now)
		g.step(st.now)
	case "another level", "another level, then its ticket":
		if err := st.s.Change("b"); err != nil {
			t.Fatal(err)
		}
		st.run(20)
		if row[1] != "another level" {
			resume(true, asItIs)
		}
	case "its ticket, confirmed":
		resume(true, asItIs)
	case "its ticket, not confirmed":
		resume(false, asItIs)
	case "its ticket, altered":
		resume(true, func(b []byte) { b[len(b)-1] ^= 1 })
	case "joins anew from its address":
		again := st.guestWith("Bea", func(*handshake.ClientConfig) {})
		again.link.Close()
		again.link = g.link
		st.clients = []*guest{again}
		st.run(40)
		if again.wel == nil {
			t.Error("not let in")
		}
	case "its address changes and it answers":
		st.rebind(g, "203.0.113.20:20")
		g.deaf, g.mute = true, true
		for range 4 {
			g.probes()
			st.run(1)
		}
		g.deaf, g.mute = false, false
		st.run(3 * second)
		if c.peer.addr != g.link.(*link.Port).Addr() {
			t.Errorf("at %v", c.peer.addr)
		}
	case "its address changes and it does not answer":
		st.rebind(g, "203.0.113.20:20")
		st.run(3 * second)
	case "packets of the session that is over":
		g.mute = false
		st.run(second)
	case "90 s since its last packet":
		st.run(89 * second)
	default:
		t.Fatalf("unknown happening %q", row[1])
	}

	body, reason := "–", "–"
	if p := st.s.World().Player(c.id); p != nil && p.Alive() && c.name == name {
		body = "stands"
	}
	if g.bye != "" {
		reason = g.bye
	}
	if then := stateOf(st, c); then != row[2] || body != row[3] || reason != row[4] {
		t.Errorf("then %s, body %s, reason %q\n%s", then, body, reason, &st.log)
	}
	if err := st.s.Check(); err != nil {
		t.Error(err)
	}
}

// stateOf says what has become of a client, in the page's words.
func stateOf(st *stage, c *conn) string {
	switch {
	case st.s.conns[c.slot] != c:
		return "gone"
	case c.away:
		return "away"
	case !c.joined:
		return "joining"
	case !c.ready:
		return "loading"
	}
	return "playing"
}
