package hud

import "github.com/sightline-engine/sightline/render/scene"

// Model is everything that can be shown over a picture.
type Model struct {
	Hide bool // a clean picture: only the console and the statistics are drawn

	Alive    bool
	Health   int
	Armour   int
	Ammo     int    // in the weapon
	Reserve  int    // carried; negative: not shown
	NoAmmo   bool   // the weapon needs none
	Weapon   string // its name
	Weapons  []Slot
	Pickup   string  // what was picked up last
	PickupMs float32 // how long ago

	Cross Crosshair
	Scope Scope
	Hurt  []Hurt // where damage came from

	Score    Score
	Kills    []Kill
	Board    *Board   // nil: hidden
	Centre   Message  // large, in the middle
	Notices  []Notice // small, above the health
	Net      *NetGraph
	Stats    []Stat // upper left, for developers
	Console  *Console
	Spectate string // whom we watch
	Hint     string // what a key does just now
}

// Slot is one weapon that is carried.
type Slot struct {
	Key  string
	Name string
	Ammo int
	Held bool
	None bool // not carried or empty
}

// Crosshair is what is aimed with.
type Crosshair struct {
	Hide   bool
	Gap    float32 // units from the middle to each bar: the spread
	Color  scene.RGBA
	HitMs  float32 // since the last hit was confirmed; negative: never
	Killed bool    // that hit killed
	Cool   float32 // 0…1: how much of the next shot is still to be waited for
}

// Scope is the round picture of an optic.
type Scope struct {
	Shown float32 // 0: none .. 1: all of it
	Zoom  float32 // what it magnifies
	Gap   float32 // units from the middle to where the next shot may go
}

// Hurt is one blow: from which side, how long ago, how hard.
type Hurt struct {
	Yaw    float32 // degrees from straight ahead, positive to the left
	Ms     float32
	Amount float32 // health taken
}

// Score is the line at the top.
type Score struct {
	Own, Best int
	Limit     int    // 0: none
	Teams     bool   // then Own and Best are the two teams'
	Time      int    // seconds; negative: not shown
	Label     string // of the match or round
	Leader    string
}

// Kill is one line of the feed.
type Kill struct {
	Killer, Victim           string
	KillerColor, VictimColor scene.RGBA
	With                     string
	Own                      bool // the player took part
	Ms                       float32
}

// Row is one player on the board.
type Row struct {
	Name          string
	Color         scene.RGBA
	Score, Deaths int
	Ping          int // milliseconds; negative: a bot
	Own, Dead     bool
}

// Board is the table of players, in the order in which it is to be shown.
type Board struct {
	Title, Sub string
	Rows       []Row
	Foot       string
}

// Message is a large text with a smaller one below.
type Message struct {
	Text, Sub string
	Ms        float32 // since it appeared
	ForMs     float32 // how long it stays; 0: as long as it is in the model
}

// Notice is one line of chat or news.
type Notice struct {
	Text  string
	Color scene.RGBA
	Ms    float32
}

// Stat is one name with a value.
type Stat struct{ Name, Value string }

// SampleKind says what became of one snapshot.
type SampleKind uint8

// What may become of a snapshot.
const (
	Received  SampleKind = iota
	Late                 // came after it was needed
	Lost                 // never came
	Choked               // the server held it back
	Predicted            // a prediction was corrected at it
)

// Sample is one snapshot in the net graph.
type Sample struct {
	Kind     SampleKind
	Bytes    int
	MarginMs float32 // how long before it was needed it came; negative: too late
}

// NetGraph is the state of the connection. Samples are the newest last.
type NetGraph struct {
	Samples    []Sample
	PingMs     float32
	JitterMs   float32
	DelayMs    float32 // interpolation delay
	LossShare  float32 // 0…1
	ChokeShare float32
	InBps      float32 // bytes per second
	OutBps     float32
	InHz       float32
	OutHz      float32
	Errors     int // predictions corrected
	Known      int // enemies that we were told of
	Withheld   int // of the others, by the server's count; negative: not told
}

// Completion is one way to go on with what is typed.
type Completion struct{ Name, Value, Help string }

// Console is the text console. Lines are the newest last; Scroll counts lines
// back from it.
type Console struct {
	Open        float32 // 0 closed … 1 open
	Lines       []Line
	Scroll      int
	Input       []rune
	Cursor      int
	Blink       bool // the cursor is shown
	Completions []Completion
	Selected    int // -1: none
	Version     string
}

// Line is one line of the console.
type Line struct {
	Text  string
	Color scene.RGBA // zero: the usual one
}
