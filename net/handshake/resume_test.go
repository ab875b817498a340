package handshake_test

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/netchan"
)

func resumes(t *testing.T, seed byte) *handshake.Resumes {
	t.Helper()
	r, err := handshake.NewResumes(random(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// keeper is a server that keeps places: those in the map.
func keeper(t *testing.T, change func(*handshake.ServerConfig)) (*world, map[handshake.Place]bool) {
	places := map[handshake.Place]bool{}
	w := newWorld(t, func(s *handshake.ServerConfig) {
		s.Resumes = resumes(t, 50)
		s.Resume = func(_ netip.AddrPort, p handshake.Place) (handshake.Offer, bool) {
			return handshake.Offer{Slot: 9, Tick: 80000, TickRate: 64}, places[p]
		}
		if change != nil {
			change(s)
		}
	})
	return w, places
}

// visit joins with a client and leaves its place behind; it returns the ticket.
func (w *world) visit(c *handshake.Client, places map[handshake.Place]bool) []byte {
	w.t.Helper()
	accept, ev := w.handle(w.prove(c), w.from)
	if ev.Kind != handshake.EventOffered || c.Handle(accept, w.now) != nil {
		w.t.Fatalf("no offer: %+v", w.server.Stats())
	}
	if _, ev = w.handle(w.data(c.Session()), w.from); ev.Kind != handshake.EventConfirmed {
		w.t.Fatal("not confirmed")
	}
	if ev.Session.Place == (handshake.Place{}) || places[ev.Session.Place] {
		w.t.Fatalf("place %x", ev.Session.Place)
	}
	places[ev.Session.Place] = true
	return bytes.Clone(c.Session().Resume)
}

func TestResumeRows(t *testing.T) {
	for _, row := range table(t, "server", "ticket", "answer", "event", "place") {
		t.Run(row[0]+" "+row[1], func(t *testing.T) { resumeRow(t, row) })
	}
}

func resumeRow(t *testing.T, row []string) {
	k := keyPair(t, 20)
	tokened := tokenWorld(t, 0)
	w, places := keeper(t, func(s *handshake.ServerConfig) {
		switch row[0] {
		case "open", "no tickets":
		case "tokens":
			s.Tokens = tokened.config.Tokens
		default:
			t.Fatalf("unknown server %q", row[0])
		}
	})
	var fresh func(*handshake.ClientConfig)
	if row[0] == "tokens" {
		token := w.mint(k, nil)
		fresh = func(c *handshake.ClientConfig) { c.Token, c.Ephemeral = token, &k }
	}
	ticket := w.visit(w.newClient(11, fresh), places)
	if row[0] == "no tickets" {
		w, _ = keeper(t, func(s *handshake.ServerConfig) { s.Resumes = nil })
	}
	w.now += 5 * sec
	var own handshake.Place
	for own = range places {
	}

	again := keyPair(t, 22)
	var token []byte
	change := func(p []byte) []byte { return p }
	switch row[1] {
	case "good", "good, no cookie":
	case "good, from another address":
		w.from = addr("198.51.100.3:9")
	case "good, but the place is gone":
		delete(places, own)
	case "altered":
		ticket[30] ^= 1
	case "of another server":
		o, there := keeper(t, func(s *handshake.ServerConfig) { s.Resumes = resumes(t, 51) })
		ticket = o.visit(o.newClient(12, nil), there)
	case "of the run before":
		w, _ = keeper(t, func(s *handshake.ServerConfig) { s.Resumes = resumes(t, 52) })
	case "good, flag taken off on the way":
		change = func(p []byte) []byte { p[6] &^= 4; return p }
	case "good, server full", "altered, server full":
		w.config.Gate = func(_ netip.AddrPort, resuming bool) handshake.Refusal {
			if resuming {
				return handshake.Refusal{}
			}
			return handshake.Refusal{Code: handshake.Full}
		}
		if row[1] == "altered, server full" {
			ticket[3] ^= 1
		}
		var err error
		if w.server, err = handshake.NewServer(w.config); err != nil {
			t.Fatal(err)
		}
	case "good, banned":
		w.gate = handshake.Refusal{Code: handshake.Banned}
	case "altered, with a good token":
		ticket[55] ^= 1
		tok := handshake.Token{Client: again.Public, Servers: []netip.AddrPort{here}, Issued: epoch + w.now, Expires: epoch + w.now + 9*sec}
		var err error
		if token, err = tok.Seal(tokenKey, nil); err != nil {
			t.Fatal(err)
		}
	case "good, with an expired token":
		token = w.mint(again, func(t *handshake.Token) { t.Issued, t.Expires = t.Issued-5*sec, t.Issued })
	default:
		t.Fatalf("unknown ticket %q", row[1])
	}
	c := w.newClient(13, func(c *handshake.ClientConfig) {
		c.Resume = ticket
		if token != nil {
			c.Token, c.Ephemeral = token, &again
		}
	})
	pkt := w.step(c)
	if row[1] != "good, no cookie" {
		pkt = change(w.prove(c))
	}
	reply, ev := w.handle(pkt, w.from)
	answer, event, place := "–", [...]string{"–", "offered", "confirmed", "broken"}[ev.Kind], "–"
	if reply != nil {
		answer = map[byte]string{0xA2: "retry", 0xA3: "refuse", 0xA4: "accept"}[reply[0]]
		if answer == "refuse" {
			answer += map[byte]string{3: " full", 4: " banned", 6: " no token", 7: " bad token"}[reply[12]]
		}
	}
	if ev.Session != nil {
		switch ev.Session.Resumed {
		case handshake.Place{}:
			place = "a new one"
		case own:
			place = "its own"
		}
		if string(ev.Session.Hello) != "anna" {
			t.Errorf("the client says %q of itself", ev.Session.Hello)
		}
		if err := c.Handle(reply, w.now); err != nil || c.State() != handshake.Joined {
			t.Errorf("%v, %v", c.State(), err)
		}
		if n := len(c.Session().Resume); n != 0 && n != handshake.ResumeSize || (n == 0) != (row[0] == "no tickets") || bytes.Equal(c.Session().Resume, ticket) {
			t.Errorf("a ticket of %d bytes, or the same again", n)
		}
		if c.Session().Name != ev.Session.Name || c.Session().Name == ([8]byte{}) {
			t.Error("both sides name the session differently")
		}
	}
	if answer != row[2] || event != row[3] || place != row[4] {
		t.Errorf("answer %s, event %s, place %s; %+v", answer, event, place, w.server.Stats())
	}
}

// No two sessions of one player share a key, however often it comes back.
func TestKeysNeverRepeat(t *testing.T) {
	w, places := keeper(t, func(s *handshake.ServerConfig) {
		s.Agreements = handshake.Rate{Burst: 1e6, PerSecond: 1e6}
		s.AllAgreements = s.Agreements
	})
	seen := map[[32]byte]bool{}
	var ticket []byte
	for i := range 40 {
		c := w.newClient(byte(100+i), func(c *handshake.ClientConfig) { c.Resume = ticket })
		ticket = w.visit(c, places)
		for _, k := range [][32]byte{c.Session().Send, c.Session().Recv} {
			if seen[k] {
				t.Fatalf("key %x again in session %d", k, i)
			}
			seen[k] = true
		}
	}
	if s := w.server.Stats(); s.Resumed != 39 || s.Lapsed != 0 {
		t.Errorf("%+v", s)
	}
}

// Every byte of a ticket altered, and every length: a place is never found, and
// the client joins like any other.
func TestAlteredTicketsLeadNowhere(t *testing.T) {
	w, places := keeper(t, func(s *handshake.ServerConfig) {
		s.Agreements = handshake.Rate{Burst: 1e6, PerSecond: 1e6}
		s.AllAgreements, s.PendingPerNetwork = s.Agreements, 1000
	})
	ticket := w.visit(w.newClient(11, nil), places)
	for i := range ticket {
		bad := bytes.Clone(ticket)
		bad[i] ^= byte(1 + i)
		c := w.newClient(byte(100+i), func(c *handshake.ClientConfig) { c.Resume = bad })
		if _, ev := w.handle(w.prove(c), w.from); ev.Kind != handshake.EventOffered || ev.Session.Resumed != (handshake.Place{}) {
			t.Fatalf("byte %d: %+v", i, ev)
		}
	}
	for _, n := range []int{1, handshake.ResumeSize - 1, handshake.ResumeSize + 1} {
		if _, err := handshake.NewClient(handshake.ClientConfig{Suites: 1, Resume: make([]byte, n)}); err != handshake.ErrResume {
			t.Errorf("a ticket of %d bytes: %v", n, err)
		}
	}
}

// Invented tickets cost key agreements where tokens are wanted, and no more of them
// than a network may have in any case.
func TestInventedTicketsAreBudgeted(t *testing.T) {
	tokened := tokenWorld(t, 0)
	w, _ := keeper(t, func(s *handshake.ServerConfig) {
		s.Tokens = tokened.config.Tokens
		s.Agreements = handshake.Rate{Burst: 10, PerSecond: 1}
	})
	for i := range 60 {
		w.from = netip.AddrPortFrom(w.from.Addr(), uint16(1000+i))
		w.handle(w.prove(w.newClient(byte(i), func(c *handshake.ClientConfig) { c.Resume = make([]byte, handshake.ResumeSize) })), w.from)
	}
	if s := w.server.Stats(); s.Lapsed > 20 || s.Lapsed < 10 || s.OverRate != 60-s.Lapsed || w.server.Pending() != 0 {
		t.Errorf("%+v", s)
	}
}

func TestPathRows(t *testing.T) {
	for _, row := range table(t, "question", "packet", "answer", "then") {
		t.Run(row[0]+" "+row[1], func(t *testing.T) { pathRow(t, row) })
	}
}

// pathRow plays a server that does what engine/server does with a path packet.
func pathRow(t *testing.T, row []string) {
	keys := netchan.Config{Send: [32]byte{1}, Recv: [32]byte{2}, Suite: netchan.ChaCha}
	client, err := netchan.New(keys, 0)
	if err != nil {
		t.Fatal(err)
	}
	server, err := netchan.New(netchan.Config{Send: keys.Recv, Recv: keys.Send, Suite: keys.Suite}, 0)
	if err != nil {
		t.Fatal(err)
	}
	name, now, draws := [8]byte{5, 6, 7}, int64(0), uint64(1000)
	where, there, third := addr("192.0.2.1:1"), addr("198.51.100.1:2"), addr("203.0.113.1:3")
	var path handshake.Path[netip.AddrPort]
	var asked []uint64
	at, sent := where, 0
	hear := func(pkt []byte, from netip.AddrPort) (question []byte) {
		t.Helper()
		n, data, ok := handshake.SplitPath(pkt)
		if !ok || n != name {
			return nil
		}
		_, seq, err := server.Open(data, now)
		if err != nil {
			return nil
		}
		newest := seq == server.Newest()
		if number, ok := server.Answered(); ok && newest && path.Answered(from, number, now) {
			at = from
			return nil
		}
		number, ask := path.Heard(from, at, newest, func() uint64 { draws++; return draws }, now)
		if !ask {
			return nil
		}
		asked = append(asked, number)
		question = server.SealAsk(nil, number, now)
		if len(question) > len(pkt) {
			t.Errorf("%d bytes answered with %d", len(pkt), len(question))
		}
		sent++
		return question
	}
	named := func(data []byte) []byte { return handshake.AppendPath(nil, name, data) }
	old := named(client.SealProbe(nil, now))
	overtaken := named(client.SealProbe(nil, now))
	hear(old, where)
	hear(named(client.SealProbe(nil, now)), where)
	var number uint64
	var question []byte
	switch row[0] {
	case "none":
	case "sent":
		question = hear(named(client.SealProbe(nil, now)), there)
		if _, _, err := client.Open(question, now); err != nil {
			t.Fatal(err)
		}
		var ok bool
		if number, ok = client.Asked(); !ok || number != asked[0] {
			t.Fatal("the client was not asked")
		}
	default:
		t.Fatalf("unknown state %q", row[0])
	}
	before := sent

	pkt, from := named(client.SealProbe(nil, now)), there
	answer := func(n uint64) []byte { return named(client.SealAnswer(nil, n, now)) }
	switch row[1] {
	case "newest, from where it is", "newest, from where it is, then answer from there":
		from = where
	case "newest, from elsewhere", "newest, from there again":
	case "newest, from a third place":
		from = third
	case "replayed, from elsewhere":
		pkt = old
	case "overtaken, from elsewhere":
		pkt = overtaken
	case "forged, from elsewhere":
		pkt[len(pkt)-1] ^= 1
	case "of another session, from elsewhere":
		stranger, err := netchan.New(netchan.Config{Send: [32]byte{8}, Suite: netchan.ChaCha, Sent: 100}, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkt = named(stranger.SealProbe(nil, now))
	case "with another name, from elsewhere":
		pkt[4] ^= 1
	case "data without a name, from elsewhere":
		pkt = pkt[handshake.PathHead:]
	case "answer to nothing, from elsewhere":
		pkt = answer(0)
	case "answer from there":
		pkt = answer(number)
	case "answer with another number":
		pkt = answer(number + 1)
	case "answer from a third place":
		pkt, from = answer(number), third
	case "answer from where it is":
		pkt, from = answer(number), where
	case "answer from there, replayed from a third place":
		pkt = answer(number)
		hear(pkt, there)
		at, from = where, third // whatever it was before
	case "answer from there, forged":
		pkt = answer(number)
		pkt[len(pkt)-20] ^= 4
	case "the question itself, sent back":
		pkt = named(question)
	case "answer from there, 3 s later":
		now += 3 * sec
		pkt = answer(number)
	default:
		t.Fatalf("unknown packet %q", row[1])
	}
	hear(pkt, from)
	if row[1] == "newest, from where it is, then answer from there" {
		// Asked anew, for the answer is newest too; but not moved.
		hear(answer(number), there)
		if at == there {
			t.Error("moved on a void question")
		}
		sent = before
	}
	got, then := "–", "stays"
	if sent > before {
		got = "question"
		if row[0] == "sent" {
			got = "same question"
			if asked[len(asked)-1] != asked[0] {
				got = "another question"
			}
		}
	}
	if at != where {
		then = "moves"
		if at != there {
			then = "moves to a third place"
		}
	}
	if got != row[2] || then != row[3] {
		t.Errorf("answer %s, then %s", got, then)
	}
}

// FuzzPath takes apart any bytes: no panic, and what is taken is put together the
// same again.
func FuzzPath(f *testing.F) {
	f.Add([]byte{0xA5, 'S', 'L', 'N', 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 1, 0})
	f.Add([]byte{0xA5, 'S', 'L', 'N'})
	f.Fuzz(func(t *testing.T, pkt []byte) {
		name, data, ok := handshake.SplitPath(pkt)
		if ok && !bytes.Equal(handshake.AppendPath(nil, name, data), pkt) {
			t.Fatalf("%x", pkt)
		}
	})
}

// FuzzTerms reads any bytes as the terms in an accept: what is taken comes out the
// same again, with a ticket or none.
func FuzzTerms(f *testing.F) {
	for _, ticket := range [][]byte{nil, make([]byte, handshake.ResumeSize)} {
		b, err := handshake.AppendTerms(1, handshake.Offer{Slot: 3, Tick: 9, TickRate: 64, Welcome: []byte("hi")}, ticket)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		suite, o, ticket, ok := handshake.ReadTerms(b)
		if !ok {
			return
		}
		if n := len(ticket); n != 0 && n != handshake.ResumeSize || len(o.Welcome) > handshake.MaxWelcome {
			t.Fatalf("a ticket of %d bytes, a welcome of %d", n, len(o.Welcome))
		}
		again, err := handshake.AppendTerms(suite, o, ticket)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x\n%x, %v", b, again, err)
		}
	})
}
