package client

import (
	"errors"
	"log/slog"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/netchan"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
)

// idleSendNS is how often something is sent while there is no command to send.
const idleSendNS = 50_000_000

// State is how far a connection has come.
type State uint8

// The states.
const (
	Connecting State = iota
	Joining          // the session stands; waiting for the level
	Playing          // the level is loaded
	Gone             // ended; Reason says why
)

func (s State) String() string {
	return [...]string{"connecting", "joining", "playing", "gone"}[min(int(s), 3)]
}

// Loaded is a level that a client has loaded for itself.
type Loaded struct {
	Level *level.Level
	World *trace.World
}

// Config is what a Client is made with.
type Config struct {
	Link   link.Link
	Server link.Addr
	Name   string
	Bot    bool
	Hello  handshake.ClientConfig
	// Load finds a level by the name that the server gave. The hash is compared by
	// the Client.
	Load func(name string, hash [32]byte) (Loaded, error)
	// Tables returns the shipped tables with a hash. Others are sent by the server.
	Tables func(hash [32]byte) (tables.Set, bool)
	// Input makes the command for a tick. Tick, ViewTick and ViewFrac are filled in
	// by the Client.
	Input func(c *Client, tick state.Tick) state.Cmd
	// Trigger says in each Advance whether fire is held and where the view looks, so
	// that a shot goes where it was aimed when the trigger was pulled and not at the
	// end of the tick. May be nil; Input may set Cmd.Edge itself.
	Trigger func() (held bool, yaw, pitch state.Angle16)
	// Notice is told of everything that is not in the world: chat, joins, phases,
	// announcements. May be nil.
	Notice func(m wire.Message)
	// Event is told of events, predicted and received, each once. May be nil.
	Event func(e *state.Event, predicted bool)
	// Cancel takes a predicted event back that has turned out not to happen. May be nil.
	Cancel func(k Key)
	// Snapshot is told of what each packet of the server holds, late ones too; s is
	// only valid during the call. May be nil.
	Snapshot func(s *snapshot.Snapshot)

	// TimeoutMS is how long the server may be silent before the connection counts as
	// lost; 0 means 10000. ReconnectMS is for how long the client then tries to come
	// back to its place, where the server keeps it; 0 means 80000, below 0 not at all.
	TimeoutMS, ReconnectMS float64
	Log                    *slog.Logger
}

// Client is one connection.
type Client struct {
	cfg   Config
	log   *slog.Logger
	state State
	why   string

	hs  *handshake.Client
	ch  *netchan.Channel
	dec *snapshot.Decoder
	clk clock

	now     int64
	started int64
	sentAt  int64

	ticket   []byte  // to come back with; in memory only, so that it ends with the process
	tag      [8]byte // the session's name, in front of path packets
	resuming bool    // this is not the first attempt
	probeAt  int64   // when a path packet was last sent

	// The level.
	loaded  Loaded
	set     tables.Set // of the newest command's tick
	tab     book
	welcome wire.Welcome

	// The newest snapshot.
	snapTick state.Tick
	haveSnap bool
	needFull bool
	levelSeq uint64 // newest packet when the level was begun
	fresh    bool   // the clock has not been told of it
	interp   uint16 // delay that it dictates, 1/256 ticks
	watching state.ID
	delay    uint16 // how late what it watches is, ticks
	doors    []state.DoorState
	pieces   []state.Piece
	poses    []level.Pose
	before   []level.Pose
	near     trace.Near // of the own player, for the step in progress

	movers movers
	solid  vehicle.Around // of the step in progress
	ride   state.ID       // the vehicle that the own player sits in; 0 none

	pred   predictor
	fx     effects
	tracks [state.MaxPlayers + 1 + state.MaxThings]*track
	live   []state.ID // with a track
	free   []*track

	reveals reveals

	players map[state.ID]wire.Player
	scores  []state.Score
	phase   wire.Phase
	hud     map[string]string

	buf     [link.MaxPacket]byte
	out     [link.MaxPacket]byte
	plain   [netchan.MaxPayload]byte
	w       bits.Writer
	msg     wire.Client
	scratch []byte
	unread  int // reliable messages that this Advance may still look at
	stats   Stats
}

// Stats are counters of a client, for the net graph and for tests.
type Stats struct {
	Snapshots    int // decoded
	BadSnapshots int
	Dropped      int // snapshots that were not newer than the last
	Commands     int
	Corrections  int // states that differed from the prediction
	Explained    int // of them, by an outside force or a mover
	Errors       int // of them, by nothing: prediction errors
	WorstError   float32
	Mismatches   int // hashes that said that the prediction was wrong
	Resyncs      int
	Levels       int // loaded
	Starved      int // commands that the server had to make up
	TableChanges int // announced
	TablesWrong  int // of the announcements, what did not come out as they say, or was too much
	TablesLacked int // how often prediction stopped because tables were missing
	Unpredicted  int // commands that were made meanwhile
	BytesIn      int64
	BytesOut     int64
	PacketsIn    int64
	PacketsOut   int64
	Margin       int
	InterpTicks  float32
	Moved        float32 // metres walked by the predicted body
	Fired        int
}

// New makes a client that begins to connect at its first Advance.
func New(cfg Config) (*Client, error) {
	if cfg.Link == nil || cfg.Load == nil || cfg.Tables == nil || cfg.Input == nil {
		return nil, errors.New("client: link, level loader, tables and input are needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.TimeoutMS == 0 {
		cfg.TimeoutMS = 10000
	}
	if cfg.ReconnectMS == 0 {
		cfg.ReconnectMS = 80000
	}
	c := &Client{cfg: cfg, log: cfg.Log, players: map[state.ID]wire.Player{}, hud: map[string]string{}}
	if err := c.dial(); err != nil {
		return nil, err
	}
	return c, nil
}

// State returns how far the connection has come.
func (c *Client) State() State { return c.state }

// Reason says why a Gone client is gone.
func (c *Client) Reason() string { return c.why }

// Level returns the loaded level; both pointers are nil before Playing.
func (c *Client) Level() Loaded { return c.loaded }

// Tables returns the tables in force in the tick of the newest command. What it points to
// is another when the server changes them.
func (c *Client) Tables() *tables.Set { return &c.set }

// ID returns the own player's id, 0 before the Welcome.
func (c *Client) ID() state.ID { return c.welcome.ID }

// TickRate returns the server's tick rate, 0 before the Welcome.
func (c *Client) TickRate() int { return int(c.welcome.TickRate) }

// Server returns what the server calls itself.
func (c *Client) Server() string { return c.welcome.Server }

// Player returns what is known of a player by name and team.
func (c *Client) Player(id state.ID) (wire.Player, bool) { p, ok := c.players[id]; return p, ok }

// Scores returns the last scoreboard, best first, with names.
func (c *Client) Scores() []state.Score { return c.scores }

// Phase returns the phase of the match and the tick at which it ends.
func (c *Client) Phase() wire.Phase { return c.phase }

// HUD returns a value that the rules put on the screen.
func (c *Client) HUD(key string) string { return c.hud[key] }

// Net returns the session's figures; zero before there is one.
func (c *Client) Net() netchan.Stats {
	if c.ch == nil {
		return netchan.Stats{}
	}
	return c.ch.Stats(c.now)
}

// Stats returns the counters.
func (c *Client) Stats() Stats {
	s := c.stats
	s.Resyncs = c.clk.resyncs
	s.InterpTicks = float32(c.clk.interp)
	return s
}

// Advance runs everything that is due at now.
func (c *Client) Advance(now int64) {
	if c.state == Gone {
		return
	}
	if c.started == 0 {
		c.started = now
	}
	c.reveals.looked = c.now
	c.now = now
	c.clk.advance(now)
	c.receive(now)
	c.sync(now)
	switch c.state {
	case Connecting:
		c.knock(now)
	case Joining, Playing:
		if c.ch.Err() != nil {
			c.end("the server broke the protocol")
			return
		}
		if now-c.ch.LastRecv() > int64(c.cfg.TimeoutMS*1e6) {
			c.lost()
			return
		}
		c.probe(now)
		c.report(now)
		c.trigger()
		if c.command() {
			c.send(now)
		} else if now-c.sentAt > idleSendNS {
			c.send(now)
		}
	}
	link.Flush(c.cfg.Link)
}

// Say sends a line of chat, or a command for the rules when it begins with '/'.
func (c *Client) Say(text string, team bool) { c.queue(&wire.Say{Text: text, Team: team}) }

// Quit tells the server and ends the connection.
func (c *Client) Quit(reason string) {
	if c.ch != nil && c.state != Gone {
		for range 3 {
			pkt, _ := c.ch.SealGoodbye(c.out[:0], reason, c.now)
			c.cfg.Link.Send(pkt, c.cfg.Server)
		}
		link.Flush(c.cfg.Link)
	}
	c.end(reason)
}

func (c *Client) end(reason string) {
	if c.state == Gone {
		return
	}
	c.state, c.why = Gone, reason
	c.log.Info("connection ended", "reason", reason)
}

func (c *Client) queue(m wire.Message) {
	if c.ch == nil || c.state == Gone {
		return
	}
	c.scratch = wire.Append(c.scratch[:0], m)
	if err := c.ch.QueueReliable(c.scratch); err != nil {
		c.log.Warn("message left out", "error", err)
	}
}

// send seals the last commands and what was received.
func (c *Client) send(now int64) {
	c.msg.HasSnap, c.msg.NeedFull = c.haveSnap, c.needFull
	if c.haveSnap {
		c.msg.SnapTick = c.snapTick
	}
	c.msg.Cmds = c.pred.recent(c.haveSnap)
	c.w.Reset(c.plain[:min(c.ch.Budget(), len(c.plain))])
	wire.PutClient(&c.w, &c.msg)
	pkt, _, err := c.ch.Seal(c.out[:0], c.w.Bytes(), now)
	if err != nil {
		c.log.Error("packet left out", "error", err)
		return
	}
	c.cfg.Link.Send(pkt, c.cfg.Server)
	c.stats.BytesOut += int64(len(pkt))
	c.stats.PacketsOut++
	c.sentAt = now
}
