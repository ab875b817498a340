package client

import (
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/wire"
)

// The server may change the tables while a match runs. It announces that a second ahead
// at least, and each snapshot names what was announced last. A client that was told runs
// each command by the tables of its tick. One that finds that it lacks a change does not
// know which tick that is from, but that none is changed within a second of the newest
// snapshot that did not name it: from there on it predicts nothing, shows its player as
// the server tells of it, and goes on when it has been told.

const (
	// Of announcements: a burst, and how many a second are looked at. A server makes four
	// a second, and tells five again to who asks.
	tellBurst, tellPerS = 16, 8
	// askFirstNS is for how long the reliable stream may still bring what is missing;
	// then all tables are asked for, and again after twice as long each time.
	askFirstNS = 1_000_000_000
	askMostNS  = 30_000_000_000
)

// book is which tables hold when, as far as the client was told.
type book struct {
	line   tables.Timeline
	newest int // version of those announced last that it has

	named   uint8      // the version that the newest snapshot names
	sure    bool       // a snapshot has named newest, or an earlier one that it had
	sureAt  state.Tick // the last that did
	behind  bool       // named is one that it lacks: from until on it may hold
	until   state.Tick
	broken  bool // it was told tables and did not get them right: the same from wrongAt on
	wrongAt state.Tick
	hole    bool // of the ticks from holeAt on and before holeTo it was never told
	holeAt  state.Tick
	holeTo  state.Tick

	stopped bool  // it has been said that nothing is predicted at present
	askAt   int64 // when all of them may be asked for next
	askNS   int64 // how long to wait after that

	told   float64 // announcements that may be looked at
	toldAt int64
}

// begin takes the tables of a Welcome.
func (b *book) begin(s *tables.Set, tick state.Tick) {
	told, at := b.told, b.toldAt
	*b = book{newest: s.Version, named: uint8(s.Version), askAt: b.askAt, askNS: askFirstNS, told: told, toldAt: at}
	b.line.Reset(s, tick)
}

// has reports whether the tables of a tick are known.
func (b *book) has(tick state.Tick) bool {
	return !(b.behind && int32(tick-b.until) >= 0 || b.broken && int32(tick-b.wrongAt) >= 0 ||
		b.hole && int32(tick-b.holeAt) >= 0 && int32(tick-b.holeTo) < 0)
}

// heard takes the version that a snapshot of a tick names. A change that it names was
// announced after the last snapshot that did not, and holds a second after that at the
// earliest.
func (b *book) heard(named uint8, tick state.Tick, tickRate int) {
	b.named = named
	switch {
	case int8(named-uint8(b.newest)) <= 0: // below: the announcement was faster than the snapshots
		b.sure, b.sureAt, b.behind = true, tick, false
	case b.behind:
	case b.sure:
		b.behind, b.until = true, b.sureAt+1+state.Tick(tickRate)
	default:
		b.behind, b.until = true, tick+1
	}
}

// take takes an announcement; good reports whether what it says is what its hash says.
func (b *book) take(m *wire.Tables) (good bool) {
	var set tables.Set
	switch last, _ := b.line.Last(); {
	case int(m.Version) <= b.newest:
		return true // told again
	case len(m.Whole) > 0:
		s, err := wire.ParseTables(m.Whole)
		if err != nil || s.Version != int(m.Version) {
			return false
		}
		set = *s
	case b.broken || int(m.Version) != b.newest+1:
		return false
	default:
		s, err := last.With(m.Values)
		if err != nil {
			return false
		}
		s.Version = int(m.Version)
		set = s
	}
	if set.Hash() != m.Hash {
		return false
	}
	if int(m.Version) > b.newest+1 { // those between will not be told any more
		b.hole, b.holeAt, b.holeTo = true, m.From, m.From
		if b.behind && int32(b.until-b.holeAt) < 0 {
			b.holeAt = b.until
		}
		if b.broken && int32(b.wrongAt-b.holeAt) < 0 {
			b.holeAt = b.wrongAt
		}
	}
	b.line.Add(&set, m.From)
	b.newest, b.broken = int(m.Version), false
	b.behind = b.behind && int8(b.named-uint8(b.newest)) > 0
	b.askNS = askFirstNS
	return true
}

// mayTell counts an announcement; it reports whether there may be so many.
func (b *book) mayTell(now int64) bool {
	if b.toldAt == 0 {
		b.told = tellBurst
	}
	b.told = min(b.told+float64(max(now-b.toldAt, 0))/1e9*tellPerS, tellBurst)
	b.toldAt = now
	if b.told < 1 {
		return false
	}
	b.told--
	return true
}

// announced takes an announcement of the server.
func (c *Client) announced(m *wire.Tables) {
	b := &c.tab
	if c.state != Playing {
		return
	}
	if !b.mayTell(c.now) || !b.take(m) {
		c.wrong(m)
		return
	}
	c.stats.TableChanges++
	c.log.Info("tables", "version", m.Version, "from", m.From)
	c.queue(&wire.Wish{What: wire.WishTables, Value: wire.TablesNo(b.newest)})
	if p := &c.pred; p.made && (int32(p.last-m.From) >= 0 || c.blind()) { // it comes late: what was made since is made anew
		c.renew(&p.base, p.baseAt)
	}
}

// wrong notes that tables are not what they are said to be.
func (c *Client) wrong(m *wire.Tables) {
	b := &c.tab
	c.stats.TablesWrong++
	from := m.From
	if b.sure && int(m.Version) > b.newest+1 { // one between is missing, which may hold sooner
		if first := b.sureAt + 1; int32(from-first) > 0 {
			from = first
		}
	}
	if !b.broken || int32(from-b.wrongAt) < 0 {
		b.wrongAt = from
	}
	if !b.broken {
		b.broken = true
		c.log.Warn("the server's tables are not what it says that they are: asking for all of them", "version", m.Version, "from", m.From)
	}
	c.ask()
}

// ask asks for all tables, unless that was done a moment ago.
func (c *Client) ask() {
	b := &c.tab
	if c.now < b.askAt {
		return
	}
	b.askAt = c.now + b.askNS
	b.askNS = min(b.askNS*2, askMostNS)
	c.queue(&wire.Wish{What: wire.WishTables, Value: wire.TablesWhole})
}

// lack is called for each command: whether its tick's tables are missing. It says so
// once when that begins and once when it ends, and asks for them while it lasts.
func (c *Client) lack(tick state.Tick) bool {
	b := &c.tab
	if b.has(tick) {
		if b.stopped {
			b.stopped = false
			c.log.Info("the tables are here: prediction goes on", "tick", tick, "version", b.newest)
		}
		return false
	}
	if !b.stopped {
		b.stopped = true
		c.stats.TablesLacked++
		if !b.broken {
			b.askAt = max(b.askAt, c.now+askFirstNS)
		}
		c.log.Warn("the server has changed its tables and this client has not been told yet: it does not predict until then", "tick", tick, "has", b.newest)
	}
	c.ask()
	c.stats.Unpredicted++
	return true
}

// blind reports whether the newest command was not predicted.
func (c *Client) blind() bool {
	p := &c.pred
	i := p.last % predLen
	return p.made && p.have[i] && p.cmds[i].Tick == p.last && !p.sure[i]
}

// toldShots shows the own shots that the server's state tells of and that were not
// predicted, while nothing is: snapshots leave them to the prediction.
func (c *Client) toldShots(was, is *state.Player, tick state.Tick) {
	n := is.ShotSeq - was.ShotSeq
	if c.cfg.Event == nil || !c.blind() || n == 0 || n > 8 || was.Teleports != is.Teleports || !is.Alive() {
		return
	}
	for k := is.ShotSeq - n + 1; ; k++ {
		if c.fx.find(Key{tick, state.EvFire, k}) == nil {
			c.fx.event = state.Event{
				Kind: state.EvFire, Actor: c.welcome.ID, Weapon: is.Weapon, Pos: pmove.Eye(is, &c.TablesAt(tick).Movement),
				Dir: vec.Forward(is.Yaw.Deg(), is.Pitch.Deg()), Yaw: is.Yaw, Pitch: is.Pitch, Param: int32(k),
			}
			c.show(&c.fx.event, tick, k)
		}
		if k == is.ShotSeq {
			return
		}
	}
}

// renew predicts the commands after the server's state of a tick anew, and lets the view
// catch up.
func (c *Client) renew(auth *state.Player, tick state.Tick) {
	p := &c.pred
	old := p.now
	if c.blind() {
		old = c.shownOwn()
	}
	c.replay(auth, tick)
	if c.blind() {
		p.smooth, p.stepUp = vec.V3{}, 0
		return
	}
	p.corrected(&old)
}

// use makes the tables of a tick those of Tables.
func (c *Client) use(tick state.Tick) {
	if s := c.tab.line.At(tick); s != nil && s.Version != c.set.Version {
		c.set = *s
	}
}

// TablesAt returns the tables of a tick, as far as the client was told. They are only
// read, and may be others after the next Advance.
func (c *Client) TablesAt(tick state.Tick) *tables.Set {
	if s := c.tab.line.At(tick); s != nil {
		return s
	}
	return &c.set
}

// Predicting reports whether the own player is where its commands lead; otherwise the
// server has changed its tables, this client has not been told yet to what, and its player
// is where the server last said.
func (c *Client) Predicting() bool { return !c.blind() }

// toldLen is how many of the server's own states are kept to show the player by while
// nothing is predicted: a quarter of a second of 128 Hz.
const toldLen = 32

// ownTrack is the own player as the server told of it, oldest first.
type ownTrack struct {
	ticks [toldLen]state.Tick
	ps    [toldLen]state.Player
	n     int
}

func (o *ownTrack) add(tick state.Tick, p *state.Player) {
	if o.n > 0 && int32(tick-o.ticks[o.n-1]) <= 0 {
		return
	}
	if o.n == toldLen {
		copy(o.ticks[:], o.ticks[toldLen/2:])
		copy(o.ps[:], o.ps[toldLen/2:])
		o.n = toldLen / 2
	}
	o.ticks[o.n], o.ps[o.n] = tick, *p
	o.n++
}

// at returns the player between the two states around an instant; the first or the last
// where there is none before or after.
func (o *ownTrack) at(tick state.Tick, frac uint8) state.Player {
	i := 0
	for i+1 < o.n && int32(o.ticks[i+1]-tick) <= 0 {
		i++
	}
	p := o.ps[i]
	if i+1 == o.n || int32(tick-o.ticks[i]) < 0 {
		return p
	}
	q := &o.ps[i+1]
	if p.Teleports != q.Teleports || p.Alive() != q.Alive() {
		return p
	}
	k := (float32(tick-o.ticks[i]) + float32(frac)/256) / float32(o.ticks[i+1]-o.ticks[i])
	p.Pos = p.Pos.Lerp(q.Pos, k)
	p.Duck = uint8(vec.Lerp(float32(p.Duck), float32(q.Duck), k))
	p.Lean = int8(vec.Lerp(float32(p.Lean), float32(q.Lean), k))
	return p
}

// shownOwn is where the own player is shown while nothing is predicted: where prediction
// ended, until the shown timeline gets there, and then on that timeline.
func (c *Client) shownOwn() state.Player {
	p := &c.pred
	if p.told.n == 0 || int32(p.nowAt-p.madeAt) <= 0 {
		return p.now
	}
	tick, frac := c.clk.shown(c.now)
	if int32(tick-p.madeAt) < 0 {
		tick, frac = p.madeAt, 0
	}
	return p.told.at(tick, frac)
}
