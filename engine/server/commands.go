package server

import (
	"math"

	"github.com/sightline-engine/sightline/game/state"
)

// cmdWindow is how many ticks ahead of the next one a command may be for; it is
// also the size of the buffer. Commands beyond it are dropped, so no client can
// bank more input than this.
const cmdWindow = 64

// cmdRepeat is how many ticks the last command is repeated for when none came;
// after that the player stands still.
const cmdRepeat = 3

// commands is one client's jitter buffer. A command names the tick that it is
// for; exactly one is consumed per tick, that tick's or, when it is missing, a
// repeat. So a client cannot run faster than the server whatever it sends.
type commands struct {
	ring [cmdWindow]state.Cmd
	have [cmdWindow]bool
	// Of each command that waits: how many ticks early it came, and the newest
	// snapshot that its client had. hadNow is that of the packet being taken.
	ahead      [cmdWindow]int8
	had        [cmdWindow]state.Tick
	known      [cmdWindow]bool
	hadNow     state.Tick
	hadKnown   bool
	takenAhead int32 // the same of the last one taken
	takenHad   state.Tick
	takenKnown bool

	last    state.Cmd
	missed  int // ticks in a row without a command
	Starved int // ticks in all
	Late    int // commands that came after their tick
	Early   int // commands beyond the window
	Got     int

	newest    state.Tick
	hasNewest bool

	slack   [32]int8 // of recent packets, in ticks
	slackN  int
	transit float64 // arrival less tick, nanoseconds
	jitter  float64 // nanoseconds, smoothed as RFC 3550 does

	outside outside // what else acts on the player
}

// arrived takes the commands of one packet. next is the first tick that has not
// been simulated yet.
func (b *commands) arrived(cmds []state.Cmd, next state.Tick, now int64, tickNS float64) {
	for i := range cmds {
		c := cmds[i]
		ahead := int32(c.Tick - next)
		switch {
		case ahead < 0:
			// Repeats of what has been consumed are the usual case; only a command
			// newer than any before is late.
			if !b.hasNewest || int32(c.Tick-b.newest) > 0 {
				b.Late++
				b.newest, b.hasNewest = c.Tick, true
				b.note(ahead, c.Tick, now, tickNS)
			}
			continue
		case ahead >= cmdWindow:
			b.Early++
			continue
		}
		i := c.Tick % cmdWindow
		if !b.have[i] {
			b.ring[i], b.have[i] = c, true
			b.ahead[i], b.had[i], b.known[i] = int8(ahead), b.hadNow, b.hadKnown
			b.Got++
		}
		if !b.hasNewest || int32(c.Tick-b.newest) > 0 {
			b.newest, b.hasNewest = c.Tick, true
			b.note(ahead, c.Tick, now, tickNS)
		}
	}
}

func (b *commands) note(ahead int32, tick state.Tick, now int64, tickNS float64) {
	b.slack[b.slackN%len(b.slack)] = int8(min(max(ahead, -64), 63))
	b.slackN++
	at := float64(now) - float64(tick)*tickNS
	if b.transit != 0 {
		d := math.Abs(at - b.transit)
		b.jitter += (min(d, 500e6) - b.jitter) / 16
	}
	b.transit = at
}

// take returns the command for a tick and whether it had to be made up.
func (b *commands) take(tick state.Tick) (c state.Cmd, starved bool) {
	i := tick % cmdWindow
	if b.have[i] && b.ring[i].Tick == tick {
		b.have[i] = false
		b.last = b.ring[i]
		b.takenAhead, b.takenHad, b.takenKnown = int32(b.ahead[i]), b.had[i], b.known[i]
		b.missed = 0
		return b.last, false
	}
	b.have[i] = false
	b.missed++
	b.Starved++
	c = b.last
	c.Tick, c.Edge = tick, 0
	// A held button stays held, but nothing new is pressed and after a few ticks
	// the player stands still.
	if b.missed > cmdRepeat {
		c.Buttons &= state.BtnCrouch
		c.Forward, c.Right, c.Up = 0, 0, 0
	}
	return c, true
}

// margin returns the smallest slack of recent packets, in ticks: what a client
// steers its clock by.
func (b *commands) margin() int {
	n := min(b.slackN, len(b.slack))
	if n == 0 {
		return slackUnknown
	}
	m := 127
	for _, s := range b.slack[:n] {
		m = min(m, int(s))
	}
	return m
}

// lead returns the largest slack of recent packets, in ticks: how early commands
// come when nothing holds them up.
func (b *commands) lead() int {
	m := 0
	for _, s := range b.slack[:min(b.slackN, len(b.slack))] {
		m = max(m, int(s))
	}
	return m
}

// slackUnknown is the margin before any command came: no correction.
const slackUnknown = 2

// reset forgets everything, for a new level.
func (b *commands) reset() {
	*b = commands{Starved: b.Starved, Late: b.Late, Early: b.Early, Got: b.Got}
}
