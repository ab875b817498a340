package client

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// packetsPerAdvance bounds what one call looks at.
const packetsPerAdvance = 512

// receive takes what has arrived.
func (c *Client) receive(now int64) {
	c.unread = messagesPerAdvance
	if c.ch != nil {
		c.read()
	}
	for range packetsPerAdvance {
		if c.state == Gone {
			return
		}
		n, from, ok := c.cfg.Link.Recv(c.buf[:])
		if !ok {
			return
		}
		if from != c.cfg.Server {
			continue
		}
		c.stats.BytesIn += int64(n)
		c.stats.PacketsIn++
		pkt := c.buf[:n]
		if !netchan.IsData(pkt) {
			c.answer(pkt, now)
			continue
		}
		if c.ch == nil {
			continue
		}
		payload, seq, err := c.ch.Open(pkt, now)
		if err != nil {
			continue
		}
		c.found(now)
		c.read()
		if reason, bye := c.ch.Goodbye(); bye {
			c.end(wire.Clean(reason, wire.MaxReason))
			return
		}
		if len(payload) > 0 && c.state == Playing {
			c.snapshot(payload, seq, now)
		}
	}
}

// messagesPerAdvance bounds the reliable messages that one call looks at, and a
// Welcome, which loads a level, ends them: what is left waits in the channel, which
// holds up the server and not the picture.
const messagesPerAdvance = 256

// read takes the messages that have arrived whole.
func (c *Client) read() {
	for ; c.unread > 0 && c.state != Gone; c.unread-- {
		m, ok := c.ch.ReliableIn()
		if !ok {
			return
		}
		c.message(m)
	}
}

// message takes one reliable message of the server.
func (c *Client) message(b []byte) {
	m, err := wire.ParseFromServer(b)
	if err != nil {
		c.end("the server sent a message that is not in the protocol: " + err.Error())
		return
	}
	switch m := m.(type) {
	case *wire.Welcome:
		c.unread = 0
		c.begin(m)
	case *wire.Player:
		if m.ID.IsPlayer() {
			c.players[m.ID] = *m
		}
	case *wire.Gone:
		delete(c.players, m.ID)
		c.scores = slices.DeleteFunc(c.scores, func(r state.Score) bool { return r.ID == m.ID })
	case *wire.Scores:
		c.takeScores(m.Rows)
	case *wire.Phase:
		c.phase = *m
	case *wire.Tables:
		c.announced(m)
	case *wire.HUD:
		if _, old := c.hud[m.Key]; old || len(c.hud) < 64 {
			c.hud[m.Key] = m.Value
		}
	case *wire.Var:
		if m.Name == wire.RevealReports {
			c.reveals.asked = m.Value == "1"
		}
	case *wire.Bye:
		c.end(m.Reason)
	}
	if c.cfg.Notice != nil {
		c.cfg.Notice(m)
	}
}

// takeScores puts changed rows into the board.
func (c *Client) takeScores(rows []state.Score) {
	for _, r := range rows {
		r.Name = c.players[r.ID].Name
		if i := slices.IndexFunc(c.scores, func(o state.Score) bool { return o.ID == r.ID }); i >= 0 {
			c.scores[i] = r
		} else if len(c.scores) < state.MaxPlayers {
			c.scores = append(c.scores, r)
		}
	}
	slices.SortFunc(c.scores, state.CompareScores)
}

// The tick rates that a server can have, in Hz.
const (
	minTickRate = 20
	maxTickRate = 240
)

// begin loads the level that the server plays.
func (c *Client) begin(m *wire.Welcome) {
	if m.TickRate < minTickRate || m.TickRate > maxTickRate {
		c.end(fmt.Sprintf("the server says that its tick rate is %d Hz, which none can have", m.TickRate))
		return
	}
	c.welcome = *m
	set, err := c.tablesOf(m)
	if err != nil {
		c.end(err.Error())
		return
	}
	got := c.loaded // still good where a lost connection has come back to its level
	if !c.resuming || got.Level == nil || got.Level.Hash != m.LevelHash {
		if got, err = c.cfg.Load(m.Level, m.LevelHash); err != nil {
			c.end("level " + m.Level + ": " + err.Error())
			return
		}
	}
	c.resuming = false
	if got.Level.Hash != m.LevelHash {
		c.end("level " + m.Level + ": the copy here is not the server's: get the same map")
		return
	}
	c.loaded, c.set = got, set
	c.tab.begin(&set, m.Tick)
	c.stats.Levels++
	c.state = Playing
	c.clk.reset(int(m.TickRate))
	c.pred.reset()
	c.fx = effects{}
	c.haveSnap, c.needFull = false, false
	c.watching, c.delay = 0, 0
	c.levelSeq = c.ch.Newest()
	c.scores = c.scores[:0]
	c.dec = snapshot.NewDecoder(int(m.TickRate))
	c.dec.Predict(c.predictedAt)
	c.poses = make([]level.Pose, len(got.Level.Models))
	c.before = make([]level.Pose, len(got.Level.Models))
	c.doors = make([]state.DoorState, len(got.Level.Doors))
	for i := range c.doors {
		c.doors[i] = scenery.Rest(&got.Level.Doors[i], 0)
		if c.doors[i].Open {
			c.doors[i].From = 65535
		}
	}
	c.movers.reset(c.doors, len(got.Level.Models))
	c.pieces = make([]state.Piece, len(got.Level.Pieces))
	c.movers.pieces.reset(got.Level)
	for _, id := range c.live {
		c.dropTrack(id)
	}
	c.live = c.live[:0]
	c.reveals = reveals{looked: c.reveals.looked} // the server asks anew
	c.queue(&wire.Ready{LevelHash: m.LevelHash, TablesHash: m.TablesHash})
}

// tablesOf returns the tables that a Welcome names, or sends.
func (c *Client) tablesOf(m *wire.Welcome) (tables.Set, error) {
	if len(m.Tables) == 0 {
		set, ok := c.cfg.Tables(m.TablesHash)
		if !ok {
			return set, errors.New("the server plays by tables that this client does not have: get the same version")
		}
		return set, nil
	}
	set, err := wire.ParseTables(m.Tables)
	if err != nil {
		return tables.Set{}, fmt.Errorf("the server's tables cannot be used: %w", err)
	}
	if set.Hash() != m.TablesHash {
		return tables.Set{}, errors.New("the server's tables are not what it says that they are: one of you has another version")
	}
	return *set, nil
}

// snapshot takes one snapshot.
func (c *Client) snapshot(payload []byte, seq uint64, now int64) {
	if seq <= c.levelSeq { // of the level before: this one's follow on our Ready
		c.stats.Dropped++
		return
	}
	var r bits.Reader
	r.Reset(payload)
	snap, err := c.dec.Decode(&r, seq)
	if err != nil {
		c.stats.BadSnapshots++
		if errors.Is(err, snapshot.ErrMismatch) {
			c.stats.Mismatches++
			c.log.Warn("the own state is not what the server says was predicted", "packet", seq)
		}
		c.needFull = c.needFull || errors.Is(err, snapshot.ErrNeedFull)
		return
	}
	c.needFull = false
	if c.cfg.Snapshot != nil {
		c.cfg.Snapshot(snap)
	}
	defer c.events(snap)
	if snap.Late || c.haveSnap && int32(snap.Tick-c.snapTick) < 0 { // of one tick are the parts of a large one
		c.stats.Dropped++
		return
	}
	c.snapTick, c.haveSnap = snap.Tick, true
	c.stats.Snapshots++
	c.fresh, c.interp = true, snap.Own.Interp
	c.watching, c.delay = snap.Own.Watching, snap.Own.Delay
	c.stats.Margin, c.stats.Starved = int(snap.Own.Margin), int(snap.Own.Starved)
	c.doorsTold(snap.Doors)
	copy(c.doors, snap.Doors)
	c.piecesTold(snap.Pieces)
	c.pred.acked = snap.Tick
	c.reveals.newest, c.reveals.came = snap.Seq, c.now
	c.tab.heard(snap.Own.Tables, snap.Tick, c.TickRate())
	c.track(snap)
	c.findRide(&snap.Own.Player)
	c.reconcile(&snap.Own.Player, snap.Tick)
}

// sync tells the clock of the newest snapshot, once all that has arrived is taken:
// of those that waited for a slow frame, or for a suspended process to go on, only
// the last says what time it is.
func (c *Client) sync(now int64) {
	if !c.fresh {
		return
	}
	c.fresh = false
	last, least := c.ch.RTT(now)
	st := c.ch.Stats(now)
	c.clk.snapshot(c.snapTick, now, float64(least), float64(last), float64(c.interp)/256)
	c.clk.slack(float64(c.stats.Margin), float64(st.Jitter)/c.clk.tickNS)
}

// events passes on what the server says happened and was not predicted here.
func (c *Client) events(snap *snapshot.Snapshot) {
	if c.cfg.Event == nil {
		return
	}
	for i := range snap.Events {
		if e := &snap.Events[i]; !c.shown(&e.Event, e.Tick) {
			c.cfg.Event(&e.Event, false)
		}
	}
}

func trackIndex(id state.ID) int {
	if id.IsPlayer() {
		return int(id)
	}
	if id >= state.FirstThing && int(id-state.FirstThing) < state.MaxThings {
		return state.MaxPlayers + 1 + int(id-state.FirstThing)
	}
	return 0
}

func (c *Client) dropTrack(id state.ID) {
	i := trackIndex(id)
	if t := c.tracks[i]; t != nil {
		c.undrawn(t)
		c.free = append(c.free, t)
		c.tracks[i] = nil
	}
}
