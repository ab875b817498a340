package wire

import (
	"errors"
	"fmt"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
)

// MaxMessage is the longest reliable message in bytes.
const MaxMessage = 8192

// Longest texts of messages, in bytes of clean UTF-8.
const (
	MaxChat   = 256
	MaxLine   = 1024
	MaxReason = 128
	MaxLabel  = 64
	MaxTables = 4096
	MaxScores = 64 // rows in one message
)

// ErrMessage says that a reliable message is not one of the schema's.
var ErrMessage = errors.New("wire: not a message")

// Message is one reliable message.
type Message interface {
	kind() kind
	layout(c *Coder)
}

type kind uint8

// The kinds of message. A server sends those below firstUp.
const (
	kindNone kind = iota
	kindWelcome
	kindPlayer
	kindGone
	kindScores
	kindChat
	kindAnnounce
	kindHUD
	kindPhase
	kindVar
	kindPrint
	kindBye
	kindTables
	kindsDown

	kindJoin kind = 32 + iota - kindsDown - 1
	kindReady
	kindSay
	kindQuit
	kindWish
	kindReveals
	kindsUp
)

// Welcome is everything that a client needs before its first snapshot.
type Welcome struct {
	ID         state.ID // its player
	MaxPlayers uint16
	TickRate   uint16
	Tick       state.Tick
	Seed       uint64 // of its own shots' spread; nobody else's
	Server     string
	Level      string // what to load, by name
	LevelHash  [32]byte
	TablesHash [32]byte
	Tables     []byte // TablesBlob; empty: the shipped tables with that hash
	Rules      string
	Policy     string
}

// Player introduces a player, or says what has changed of one.
type Player struct {
	ID   state.ID
	Team uint8
	Bot  bool
	Name string
}

// Gone says that a player has left.
type Gone struct {
	ID     state.ID
	Reason string
}

// Scores is some rows of the scoreboard; names are known from Player.
type Scores struct{ Rows []state.Score }

// Chat is a line that a player said; ID 0 is the server.
type Chat struct {
	ID   state.ID
	Team bool // to the team only
	Text string
}

// Announce is a line in the middle of the picture.
type Announce struct{ Text string }

// HUD is one key and its value for the rules' part of the picture.
type HUD struct{ Key, Value string }

// Phase is what the match is in, until tick End (0: open).
type Phase struct {
	Phase int32
	End   state.Tick
}

// Var is one of the server's variables that clients are shown.
type Var struct{ Name, Value string }

// Print is a line for the console.
type Print struct{ Text string }

// Bye ends the connection and says why.
type Bye struct{ Reason string }

// Join is the first thing that a client says, and what it says anew when a
// setting changes.
type Join struct {
	Name     string
	Bot      bool
	Password string
}

// Ready says that the level is loaded: only then anyone is sent.
type Ready struct {
	LevelHash  [32]byte
	TablesHash [32]byte
}

// Say is a line or a command that the player typed.
type Say struct {
	Team bool
	Text string
}

// Quit says that the client leaves on purpose.
type Quit struct{ Reason string }

// Wanted is what a player asks for by a Wish.
type Wanted uint8

// The wishes. Which of them come true is the server's to say.
const (
	WishNone   Wanted = iota
	WishWatch         // to watch player Value; 0 nobody
	WishStep          // to watch the next player, Value 1, or the one before, -1
	WishRole          // to look on instead of playing, Value 1, or to play, 0
	WishMark          // to mark for the team what the own view is aimed at
	WishTables        // Value: the low 15 bits of the version of the tables that it has taken, or TablesWhole
	NumWishes
)

// TablesWhole as the Value of a WishTables asks for the tables of now and for all that
// are announced, each whole.
const TablesWhole = -1

// TablesNo is how a WishTables names a version.
func TablesNo(version int) int16 { return int16(version & 0x7fff) }

// Wish asks for something that is no part of a command.
type Wish struct {
	What  Wanted
	Value int16
}

func (*Welcome) kind() kind  { return kindWelcome }
func (*Player) kind() kind   { return kindPlayer }
func (*Gone) kind() kind     { return kindGone }
func (*Scores) kind() kind   { return kindScores }
func (*Chat) kind() kind     { return kindChat }
func (*Announce) kind() kind { return kindAnnounce }
func (*HUD) kind() kind      { return kindHUD }
func (*Phase) kind() kind    { return kindPhase }
func (*Var) kind() kind      { return kindVar }
func (*Print) kind() kind    { return kindPrint }
func (*Bye) kind() kind      { return kindBye }
func (*Join) kind() kind     { return kindJoin }
func (*Ready) kind() kind    { return kindReady }
func (*Say) kind() kind      { return kindSay }
func (*Quit) kind() kind     { return kindQuit }
func (*Wish) kind() kind     { return kindWish }

// blank returns an empty message of a kind, and nil when there is no such kind.
func blank(k kind) Message {
	switch k {
	case kindWelcome:
		return new(Welcome)
	case kindPlayer:
		return new(Player)
	case kindGone:
		return new(Gone)
	case kindScores:
		return new(Scores)
	case kindChat:
		return new(Chat)
	case kindAnnounce:
		return new(Announce)
	case kindHUD:
		return new(HUD)
	case kindPhase:
		return new(Phase)
	case kindVar:
		return new(Var)
	case kindPrint:
		return new(Print)
	case kindBye:
		return new(Bye)
	case kindTables:
		return new(Tables)
	case kindJoin:
		return new(Join)
	case kindReady:
		return new(Ready)
	case kindSay:
		return new(Say)
	case kindQuit:
		return new(Quit)
	case kindWish:
		return new(Wish)
	case kindReveals:
		return new(Reveals)
	}
	return nil
}

func (m *Welcome) layout(c *Coder) {
	fixed(c, "own id", &m.ID, 16)
	fixed(c, "most players", &m.MaxPlayers, 16)
	fixed(c, "tick rate", &m.TickRate, 16)
	fixed(c, "tick", &m.Tick, 32)
	fixed(c, "seed", &m.Seed, 64)
	text(c, "server", &m.Server, MaxLabel)
	text(c, "level", &m.Level, MaxLabel)
	hash(c, "level hash", &m.LevelHash)
	hash(c, "tables hash", &m.TablesHash)
	blob(c, "tables", &m.Tables, MaxTables)
	text(c, "rules", &m.Rules, MaxLabel)
	text(c, "policy", &m.Policy, MaxLabel)
	if c.r != nil && (m.TickRate == 0 || !m.ID.IsPlayer()) {
		c.r.Fail(ErrRange)
	}
}

func (m *Player) layout(c *Coder) {
	fixed(c, "id", &m.ID, 16)
	fixed(c, "team", &m.Team, 8)
	flag(c, "bot", &m.Bot)
	text(c, "name", &m.Name, state.MaxName)
}

func (m *Gone) layout(c *Coder) {
	fixed(c, "id", &m.ID, 16)
	text(c, "reason", &m.Reason, MaxReason)
}

func (m *Scores) layout(c *Coder) {
	n := c.count("rows", min(len(m.Rows), MaxScores), MaxScores, 7)
	var last state.Score
	for i := range n {
		var row state.Score
		if i < len(m.Rows) {
			row = m.Rows[i]
		}
		// Boards go from the best to the least: one row is much like the one before.
		uvar(c, "id", &row.ID, 5)
		uvar(c, "team", &row.Team, 0)
		gap(c, "kills", &row.Kills, last.Kills, 1)
		gap(c, "deaths", &row.Deaths, last.Deaths, 2)
		gap(c, "points", &row.Points, last.Points, 1)
		gap(c, "ping ms", &row.Ping, last.Ping, 4)
		flag(c, "bot", &row.Bot)
		if c.r != nil {
			m.Rows = append(m.Rows, row)
		}
		last = row
	}
	c.done()
}

func (m *Chat) layout(c *Coder) {
	fixed(c, "id", &m.ID, 16)
	flag(c, "team only", &m.Team)
	text(c, "text", &m.Text, MaxChat)
}

func (m *Announce) layout(c *Coder) { text(c, "text", &m.Text, MaxChat) }

func (m *HUD) layout(c *Coder) {
	text(c, "key", &m.Key, MaxLabel)
	text(c, "value", &m.Value, MaxChat)
}

func (m *Phase) layout(c *Coder) {
	signed(c, "phase", &m.Phase, 32)
	fixed(c, "end tick", &m.End, 32)
}

func (m *Var) layout(c *Coder) {
	text(c, "name", &m.Name, MaxLabel)
	text(c, "value", &m.Value, MaxChat)
}

func (m *Print) layout(c *Coder) { text(c, "text", &m.Text, MaxLine) }
func (m *Bye) layout(c *Coder)   { text(c, "reason", &m.Reason, MaxReason) }

func (m *Join) layout(c *Coder) {
	text(c, "name", &m.Name, state.MaxName)
	flag(c, "bot", &m.Bot)
	text(c, "password", &m.Password, MaxLabel)
	if c.r != nil {
		m.Name = CleanName(m.Name, state.MaxName)
	}
}

func (m *Ready) layout(c *Coder) {
	hash(c, "level hash", &m.LevelHash)
	hash(c, "tables hash", &m.TablesHash)
}

func (m *Say) layout(c *Coder) {
	flag(c, "team only", &m.Team)
	text(c, "text", &m.Text, MaxChat)
}

func (m *Quit) layout(c *Coder) { text(c, "reason", &m.Reason, MaxReason) }

func (m *Wish) layout(c *Coder) {
	limited(c, "what", &m.What, 4, NumWishes)
	signed(c, "value", &m.Value, 16)
}

// Append appends m to dst: whole bytes, to be put into netchan's reliable stream
// as one message.
func Append(dst []byte, m Message) []byte {
	var buf [MaxMessage]byte
	var w bits.Writer
	w.Reset(buf[:])
	w.Bits(uint64(m.kind()), 8)
	c := Writing(&w)
	m.layout(&c)
	return append(dst, w.Bytes()...)
}

// ParseFromServer reads a message that a server may send.
func ParseFromServer(b []byte) (Message, error) { return parse(b, kindNone, kindsDown) }

// ParseFromClient reads a message that a client may send.
func ParseFromClient(b []byte) (Message, error) { return parse(b, kindsDown, kindsUp) }

func parse(b []byte, after, before kind) (Message, error) {
	if len(b) == 0 || len(b) > MaxMessage {
		return nil, ErrMessage
	}
	k := kind(b[0])
	m := blank(k)
	if m == nil || k <= after || k >= before {
		return nil, fmt.Errorf("%w: kind %d", ErrMessage, k)
	}
	var r bits.Reader
	r.Reset(b[1:])
	c := Reading(&r)
	m.layout(&c)
	if r.Align(); r.Remaining() > 0 {
		r.Fail(ErrMessage)
	}
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("message kind %d: %w", k, err)
	}
	return m, nil
}
