package server

import (
	"github.com/sightline-engine/sightline/game/sim"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Lag is how far back shots of clients are tested.
type Lag struct {
	// ProjectileMS and MeleeMS are the caps for projectiles and blows; 0 means 120,
	// below 0 none. Config.MaxRewindMS holds for them too.
	ProjectileMS, MeleeMS float32
	// RefuseUnshown lets no bullet hit whom its shooter's client did not show. Such
	// hits are recorded as evidence in any case.
	RefuseUnshown bool
}

func (l *Lag) check() {
	for _, v := range []*float32{&l.ProjectileMS, &l.MeleeMS} {
		switch {
		case *v == 0:
			*v = 120
		case *v < 0:
			*v = 0
		}
	}
}

// usualRewindMS is the longest rewind that fits the usual lines, 80 ms of round trip
// with jitter and a lost packet now and then: 150 ms with the input buffer, and the
// interpolation delay, which is longer where snapshots are fixed at a slow rate.
func usualRewindMS(hz int) float32 {
	if hz > 0 && hz < 32 {
		return 200 + 2000/float32(hz)
	}
	return 250
}

// Bounds of what a line can explain. A client that delays its acknowledgements, or
// its commands, gains no more than these.
const (
	upCapNS     = 250e6 // round trip and input buffer together
	disagreeNS  = 25e6  // by which two measures of one round trip may differ
	followShare = 0.02  // of real time: how fast a client follows the dictated delay
)

// lag is what the server measures of one client to know what its screen showed.
type lag struct {
	// Packets with a snapshot, the last of them: to name the tick of one that was
	// acknowledged.
	seqs   [64]uint64
	ticks  [64]state.Tick
	n      int
	acked  uint64 // newest acknowledged as of the tick before
	newest uint64 // and by now

	had    state.Tick // tick of the newest snapshot that the client is known to have
	hasHad bool

	cross    least // round trip by the tick that commands name, nanoseconds
	disagree int   // ticks in which the two measures differed
	loggedAt int64

	late []state.Delay // by player, how much later than others it is shown

	lossy  bool    // of the way down
	loss   float64 // share of the last packets on it
	lossAt int64

	shownI  float64 // interpolation delay that the client must have reached, 256ths
	limit   float64 // of the last command, 256ths
	buffer  float64 // likewise, ticks
	waited  int32   // likewise: how many ticks it waited
	claimed int64   // likewise: what it claims, 256ths
}

// wrote notes the packet of a snapshot.
func (l *lag) wrote(seq uint64, tick state.Tick) {
	l.seqs[l.n%len(l.seqs)], l.ticks[l.n%len(l.ticks)] = seq, tick
	l.n++
}

// at returns the tick of the snapshot in a packet.
func (l *lag) at(seq uint64) (state.Tick, bool) {
	for i := range min(l.n, len(l.seqs)) {
		if k := (l.n - 1 - i) % len(l.seqs); l.seqs[k] == seq {
			return l.ticks[k], true
		}
	}
	return 0, false
}

// upTo returns the tick of the newest snapshot in packets up to seq.
func (l *lag) upTo(seq uint64) (state.Tick, bool) {
	for i := range min(l.n, len(l.seqs)) {
		if k := (l.n - 1 - i) % len(l.seqs); l.seqs[k] <= seq {
			return l.ticks[k], true
		}
	}
	return 0, false
}

// least is the smallest sample of the last two seconds.
type least struct {
	in [8]int64
	no [8]int64
}

const leastBucket = 250_000_000

func (l *least) sample(v, now int64) {
	no := now/leastBucket + 1 // 0 is empty
	i := int(uint64(no) % uint64(len(l.in)))
	if l.no[i] != no || v < l.in[i] {
		l.no[i], l.in[i] = no, v
	}
}

func (l *least) get(now int64) (v int64, ok bool) {
	no := now/leastBucket + 1
	for i := range l.in {
		if l.no[i] > 0 && no-l.no[i] < int64(len(l.in)) && (!ok || l.in[i] < v) {
			v, ok = l.in[i], true
		}
	}
	return v, ok
}

// heard takes what a client's packet says of the newest snapshot that it has: by
// its own word, and by what its channel acknowledges.
func (s *Server) heard(c *conn, now int64) {
	l := &c.lag
	if tick, ok := l.upTo(c.ch.NewestAcked()); ok && (!l.hasHad || int32(tick-l.had) > 0) {
		l.had, l.hasHad = tick, true
	}
	if !c.msg.HasSnap {
		if len(c.msg.Cmds) > 0 {
			l.cross.sample(0, now) // no client that makes commands has no snapshot
		}
		return
	}
	tick := c.msg.SnapTick
	k := tick % state.Tick(len(s.sentAt))
	if s.sentTick[k] != tick || s.sentAt[k] == 0 {
		return
	}
	l.cross.sample(now-s.sentAt[k], now)
	// Its word counts for what it may have shown only where a packet of that tick left.
	if l.n > 0 && int32(tick-l.ticks[(l.n-1)%len(l.ticks)]) <= 0 && (!l.hasHad || int32(tick-l.had) > 0) {
		l.had, l.hasHad = tick, true
	}
}

// trueRTT returns the round trip for sight and shots: the least of two seconds by
// acknowledgements, and not more than the commands' arrival allows.
func (s *Server) trueRTT(c *conn, acked, now int64) int64 {
	l := &c.lag
	by, ok := l.cross.get(now)
	if !ok || acked == 0 || by >= acked {
		return acked
	}
	if acked-by > disagreeNS+int64(s.tickNS) {
		if l.disagree++; now-l.loggedAt > 10e9 || l.loggedAt == 0 {
			l.loggedAt = now
			s.log.Info("round trip by acknowledgements is longer than commands allow", "player", c.name, "acknowledged_ms", acked/1e6, "commands_ms", by/1e6)
		}
	}
	return by
}

// arrivedAck notes that the client has a packet. One that came after a newer one is
// not shown by clients.
func (s *Server) arrivedAck(c *conn, seq uint64) {
	l := &c.lag
	l.newest = max(l.newest, seq)
	if tick, ok := l.at(seq); ok && seq > l.acked {
		s.match.sim.Seen().Arrived(c.id, tick)
	}
}

// showed notes what the packet just made tells a client of players.
func (s *Server) showed(c *conn, seq uint64) {
	seen, tick := s.match.sim.Seen(), c.view.Tick()
	c.lag.wrote(seq, tick)
	if c.reveals != nil {
		c.reveals.wrote(seq, tick, s.lastNow)
	}
	seen.Begin(c.id, tick)
	for i := range c.view.Entities() {
		k := &c.view.Entities()[i]
		if k.Kind == state.KindPlayer {
			updated, class, path := c.enc.Told(seq, k.ID)
			seen.Tell(c.id, k.ID, tick, updated, class)
			if path > 0 {
				seen.TellPath(c.id, k.ID, tick, path)
			}
			s.delay(c, k, tick, updated)
		}
	}
	s.packed(c, seq)
}

// delay notes how much later than others a player is shown who is updated rarely,
// from the same records as the client: an interval counts from the record that tells
// it.
func (s *Server) delay(c *conn, k *vis.Known, tick state.Tick, updated bool) {
	l := &c.lag
	if len(l.late) == 0 {
		l.late = make([]state.Delay, s.cfg.MaxClients+1)
	}
	if k.ID == 0 || int(k.ID) >= len(l.late) {
		return
	}
	d := &l.late[k.ID]
	if updated {
		d.Update(tick, k.Interval, s.cfg.TickRate)
	} else {
		d.Still(tick)
	}
	s.match.sim.Seen().SetDelay(c.id, k.ID, *d)
}

// judge makes the input of a client's command for the simulation: how far back its
// shots are tested is what the client claims to have shown, at most what the server
// itself measured, at most the cap.
func (s *Server) judge(c *conn, cmd *state.Cmd, starved bool, next state.Tick) sim.Input {
	in := sim.Input{ID: c.id, Cmd: *cmd, Starved: starved}
	l := &c.lag
	l.follow(float64(c.interp))
	l.claimed = int64(int32(next-cmd.ViewTick))*256 - int64(cmd.ViewFrac)
	l.waited = c.cmds.takenAhead
	l.measure(c, s.tickNS, s.cfg.Pace.every(c.pace.class, s.cfg.TickRate))
	in.Rewind256 = c.rewind256(s.tickNS)
	if !starved && cmd.Buttons&state.BtnFire != 0 && c.badView(s.tickNS) {
		s.badViews++
	}
	if had, ok := c.cmds.takenHad, c.cmds.takenKnown; ok && c.lag.n > 0 {
		in.Tracked, in.Had = true, had
	}
	return in
}

// follow moves the delay that the client is known to have reached: it follows what
// is dictated slowly, so that after a step down it still shows others later.
func (l *lag) follow(dictated float64) {
	switch {
	case l.shownI == 0 || dictated >= l.shownI:
		l.shownI = dictated
	default:
		l.shownI = max(l.shownI-followShare*256, dictated)
	}
}

// measure finds how far back a client can have shown others by what the server
// knows of its line: round trip and input buffer, interpolation, and as tolerance
// one send interval and the jitter. The buffer is how long the command waited, or
// more where it was itself late: others of late waited longer.
func (l *lag) measure(c *conn, tickNS, interval float64) {
	jitter := c.cmds.jitter / tickNS
	waited := float64(max(l.waited, 0))
	l.buffer = min(max(float64(c.cmds.lead()), waited), waited+1+3*jitter)
	up := min(float64(c.rttNS)/tickNS+l.buffer, upCapNS/tickNS)
	shown := min(l.shownI/256, interpCapMS*1e6/tickNS)
	l.limit = (up + shown + interval + jitter) * 256
}

// rewind256 returns how far back, in 1/256 ticks, the shots of the last command are
// tested, the caps left out. From the future counts as now.
func (c *conn) rewind256(tickNS float64) uint32 {
	return uint32(min(max(float64(c.lag.claimed), 0), c.lag.limit, 1e9/tickNS*256))
}

// badView reports whether the view time that the last command claims cannot be:
// more than a tick in the future, or 100 ms further back than was measured. The shot
// is tested at the clamped time in any case.
func (c *conn) badView(tickNS float64) bool {
	return c.lag.claimed < -256 || float64(c.lag.claimed) > c.lag.limit+100e6/tickNS*256
}
