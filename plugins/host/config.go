package host

import (
	"log/slog"
	"time"

	"github.com/sightline-engine/sightline/game/level"
)

// Config is what both kinds of plugin are run with. The zero value of every
// optional field is the usual one.
type Config struct {
	// Path is the binary. When it is empty, Name ("policy-deaddrop") is looked for
	// in Dirs, in order.
	Path string
	Name string
	Dirs []string
	// Env is added to the plugin's environment, which is otherwise empty but for
	// an allow-list.
	Env []string

	// Attach is the address, unix:/PATH, of a plugin that somebody started with -debug:
	// it is used instead of a file, and never killed. Ticks wait for it however long it
	// takes, as at a breakpoint: for developing only.
	Attach string

	TickRate int
	// Wait makes every collection wait for the plugin: lockstep, no deadline.
	Wait bool
	// Engine is the engine's version, for the plugin's log.
	Engine string
	// MTLS encrypts the socket. On systems with unix sockets it lies in a folder
	// that only this user can enter, which needs none; elsewhere it is always on.
	MTLS bool
	// Stream keeps frames on the gRPC stream where shared memory could carry them.
	Stream bool
	// Frozen is how long a plugin may owe an answer before it is killed and
	// started again; 0 means 250 ms.
	Frozen time.Duration
	// StartLimit is how long a start may take; 0 means 5 s.
	StartLimit time.Duration

	// MemoryMB is how much memory the process may have resident, in MiB, before it is
	// ended; 0 is no limit. Only Linux tells.
	MemoryMB int

	// Decode reads manifests and lock files, which are TOML; nil reads none. LockedOnly
	// lets nothing run that its folder's lock file does not name with its hash.
	Decode     Decode
	LockedOnly bool

	Log    *slog.Logger // nil: slog.Default()
	Clock  Clock        // nil: WallClock()
	Notify func(Notice) // nil: nobody; called from goroutines of this package
}

// Decode fills dst from a TOML file's text and refuses unknown keys with a sentence
// that names the file.
type Decode func(file string, text []byte, dst any) error

// Numbers of the host. Those without another source are judgement.
const (
	startLimit   = 5 * time.Second        // plugins.md: from start to configured
	stopStep     = time.Second            // between bye, SIGTERM, SIGKILL
	frozenAfter  = 250 * time.Millisecond // rulings 22
	missWindow   = 64                     // rulings 22: ticks looked back on
	missLimit    = 32
	junkLimit    = 3                // nonsense answers in a row
	standingMS   = 62               // rulings 22: how long the last answer serves
	lateTicks    = 2                // an answer older than this is not used
	waitLimit    = 10 * time.Second // of Wait, in case a plugin hangs
	saveInterval = 10 * time.Second // between two states of rules: done again in under 0.5 s
)

func (c *Config) fill() {
	c.Wait = c.Wait || c.Attach != ""
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Clock == nil {
		c.Clock = WallClock()
	}
	if c.Notify == nil {
		c.Notify = func(Notice) {}
	}
	if c.Frozen == 0 {
		c.Frozen = frozenAfter
	}
	if c.StartLimit == 0 {
		c.StartLimit = startLimit
	}
	if c.TickRate == 0 {
		c.TickRate = 64
	}
}

// Notice is one change in a plugin's life, for the ledger and the operator.
type Notice struct {
	Plugin string
	What   What
	PID    int
	Err    error // why, where there is a reason
}

// What happened to a plugin.
type What uint8

// The changes in a plugin's life.
const (
	Started What = iota
	Ended
	StartFailed
	TurnedOff // no further restart until Restart is called
)

func (w What) String() string {
	return [...]string{"started", "ended", "start failed", "turned off"}[min(int(w), 3)]
}

// Level is the map as a plugin will load it: the bytes that the engine loaded,
// and what it knew of the texture names in them.
type Level struct {
	Name    string // with extension: "pit.map", "oa_dm1.bsp"
	Data    []byte
	Hash    [32]byte // level.Level.Hash
	Scale   float32  // as in level.Options
	Shaders []NamedShader
}

// NamedShader is what a script said of one texture name.
type NamedShader struct {
	Name string
	level.Shader
}

// LevelOf collects a Level after load.Bytes(name, data, opt) gave lv.
func LevelOf(name string, data []byte, opt level.Options, lv *level.Level) *Level {
	l := &Level{Name: name, Data: data, Hash: lv.Hash, Scale: opt.Scale}
	if opt.Shaders == nil {
		return l
	}
	for _, t := range lv.Textures {
		if s, ok := opt.Shaders(t); ok {
			l.Shaders = append(l.Shaders, NamedShader{Name: t, Shader: s})
		}
	}
	return l
}
