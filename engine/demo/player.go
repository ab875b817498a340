package demo

import (
	"errors"
	"io"
	"math"

	"github.com/sightline-engine/sightline/game/state"
)

// The speeds at which a Player plays.
const (
	MinSpeed = 0.1
	MaxSpeed = 8
)

// maxStep bounds the time that one call of Advance lets pass, in seconds.
const maxStep = 0.5

// Player keeps a place in a demo and moves it. A place is a tick with a fraction:
// what is shown there lies between the two frames around it. It holds those two
// and nothing more, whatever the demo's length.
type Player struct {
	Paused bool

	r     *Reader
	info  Info
	speed float64
	at    float64 // ticks
	a, b  Frame   // a is at or before the place; b follows a
	more  bool    // there is a b
	cut   error   // why there is none, when it is not the end
}

// NewPlayer returns a Player at the beginning of a demo, playing.
func NewPlayer(r *Reader) (*Player, error) {
	p := &Player{r: r, info: r.Info(), speed: 1}
	return p, p.Seek(float64(p.info.First))
}

// Info returns what the demo is.
func (p *Player) Info() *Info { return &p.info }

// Speed returns how fast it plays; 1 is real time.
func (p *Player) Speed() float64 { return p.speed }

// SetSpeed sets how fast it plays, within MinSpeed and MaxSpeed.
func (p *Player) SetSpeed(k float64) {
	if k == k {
		p.speed = min(max(k, MinSpeed), MaxSpeed)
	}
}

// At returns the place in ticks.
func (p *Player) At() float64 { return p.at }

// Seconds returns the place as time since the beginning.
func (p *Player) Seconds() float64 {
	return (p.at - float64(p.info.First)) / float64(p.info.TickRate)
}

// Length returns how long the demo is, in seconds.
func (p *Player) Length() float64 {
	return float64(p.info.Last-p.info.First) / float64(p.info.TickRate)
}

// Ended reports whether the place is the end, and why the demo goes no further when
// that is not its last frame.
func (p *Player) Ended() (bool, error) { return !p.more, p.cut }

// Frames returns the frames around the place and where between them it lies, 0 to
// 1. At the end both are the last one. They hold until the next Advance or Seek.
func (p *Player) Frames() (a, b *Frame, frac float32) {
	if !p.more {
		return &p.a, &p.a, 0
	}
	f := (p.at - float64(p.a.Tick)) / float64(p.b.Tick-p.a.Tick)
	return &p.a, &p.b, float32(min(max(f, 0), 1))
}

// Advance lets time pass, in seconds of the watcher's; passed, which may be nil, is
// called with each frame that is reached, in order. Stretches of more than a second
// without frames, in which nobody was there, are passed over at once.
func (p *Player) Advance(seconds float64, passed func(*Frame)) {
	if p.Paused || !(seconds > 0) {
		return
	}
	rate := float64(p.info.TickRate)
	p.step(p.at+min(seconds, maxStep)*p.speed*rate, passed)
}

// Step moves by whole ticks while paused: forwards plays through them, backwards
// seeks.
func (p *Player) Step(ticks int, passed func(*Frame)) error {
	to := math.Floor(p.at) + float64(ticks)
	if ticks < 0 {
		return p.Seek(to)
	}
	p.step(to, passed)
	return nil
}

func (p *Player) step(to float64, passed func(*Frame)) {
	for p.more {
		if gap := p.b.Tick - p.a.Tick; gap > state.Tick(p.info.TickRate) {
			to = max(to, float64(p.b.Tick))
		}
		if float64(p.b.Tick) > to {
			p.at = to
			return
		}
		p.a, p.b = p.b, p.a
		p.at = float64(p.a.Tick)
		p.fetch()
		if passed != nil {
			passed(&p.a)
		}
	}
	p.at = float64(p.a.Tick)
}

// fetch reads the frame after a.
func (p *Player) fetch() {
	err := p.r.Next(&p.b)
	p.more = err == nil
	if p.cut = err; errors.Is(err, io.EOF) {
		p.cut = nil
	}
}

// Seek goes to a place in ticks; one outside the demo is its beginning or end. Where
// nothing was recorded, in between, it is the last frame before.
func (p *Player) Seek(tick float64) error {
	tick = min(max(tick, float64(p.info.First)), float64(p.info.Last))
	if !(tick >= 0) {
		tick = float64(p.info.First)
	}
	if err := p.r.At(state.Tick(tick), &p.a); err != nil {
		p.more, p.cut = false, err
		return err
	}
	p.fetch()
	p.at = tick
	if !p.more || p.b.Tick-p.a.Tick > state.Tick(p.info.TickRate) {
		p.at = float64(p.a.Tick)
	}
	return nil
}
