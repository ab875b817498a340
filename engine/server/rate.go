package server

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Class is how often a client is sent snapshots. It follows from what the client
// may know and from nothing else: pace sees its View only, so that neither the
// number of packets nor their times tell of a hidden player.
type Class uint8

// The classes.
const (
	ClassFull    Class = iota // each tick: an enemy is close, or shots are exchanged
	ClassHalf                 // 32 Hz: an enemy is known who is to be told of that often
	ClassQuarter              // 16 Hz: none is
	NumClasses
)

func (c Class) String() string {
	if c >= NumClasses {
		return "unknown"
	}
	return [NumClasses]string{"64 Hz", "32 Hz", "16 Hz"}[c]
}

// Pace is how snapshots are paced.
type Pace struct {
	// Hz is a fixed rate; 0 adapts it by class.
	Hz int
	// Near is how close a known enemy makes ClassFull, metres, divided by what the
	// client's optic magnifies; 0 means 8.
	Near float32
}

func (p *Pace) check(tickRate int) error {
	if p.Hz < 0 || p.Hz > 0 && p.Hz < 10 {
		return fmt.Errorf("server: %d snapshots per second are not at least 10: set 0 to adapt", p.Hz)
	}
	p.Hz = min(p.Hz, tickRate)
	if p.Near == 0 {
		p.Near = 8
	}
	return nil
}

// every returns how many ticks lie between two packets of a class: 1 is each.
func (p *Pace) every(c Class, tickRate int) float64 {
	if p.Hz > 0 {
		return float64(tickRate) / float64(p.Hz)
	}
	switch c {
	case ClassHalf:
		return max(float64(tickRate)/32, 1)
	case ClassQuarter:
		return max(float64(tickRate)/16, 1)
	}
	return 1
}

// calmMS is how long a class outlasts its reason.
const calmMS = 300

// pace decides in which ticks one client is sent a snapshot.
type pace struct {
	class Class
	until [NumClasses]state.Tick // the class is needed until then
	begun bool
	sent  state.Tick
	told  []state.ID // subjects of the last packet, ascending
	spent [NumClasses]int64
}

// due takes the View of a tick and reports whether a packet is to tell of it. A
// subject that the last packet did not have does not wait for the class's turn, and
// neither does what acted on the client's own player. bypass says so.
func (c *pace) due(p *Pace, v *vis.View, tickRate int) (due, bypass bool) {
	tick := v.Tick()
	c.classify(p, v, tickRate)
	c.spent[c.class]++
	if p.Hz > 0 {
		return !c.begun || p.sends(tick, tickRate), false
	}
	if bypass = !c.begun || v.Own().Undisturbed == 0 && v.Own().Player.Alive() || c.reveals(v); bypass {
		return true, true
	}
	return float64(tick-c.sent) >= p.every(c.class, tickRate), false
}

// wrote notes that a packet told of the View.
func (c *pace) wrote(v *vis.View) {
	c.begun, c.sent = true, v.Tick()
	c.told = c.told[:0]
	for i := range v.Entities() {
		c.told = append(c.told, v.Entities()[i].ID)
	}
}

// reveals reports whether the View has somebody or something flying whom the last
// packet did not have.
func (c *pace) reveals(v *vis.View) bool {
	told := c.told
	for i := range v.Entities() {
		e := &v.Entities()[i]
		for len(told) > 0 && told[0] < e.ID {
			told = told[1:]
		}
		if (len(told) == 0 || told[0] != e.ID) && (e.Kind == state.KindPlayer || e.Kind == state.KindRocket) {
			return true
		}
	}
	return false
}

func (c *pace) classify(p *Pace, v *vis.View, tickRate int) {
	tick, own := v.Tick(), v.Own()
	calm := state.Tick(calmMS * tickRate / 1000)
	known := false
	near := state.Quant(vec.V3{X: p.Near}).X
	at := state.Quant(own.Player.Pos)
	for i := range v.Entities() {
		e := &v.Entities()[i]
		enemy := e.Kind == state.KindPlayer && e.Pose&state.PoseDead == 0 && (e.Team == 0 || e.Team != own.Player.Team)
		if enemy {
			known = true
			if float64(e.Interval) <= p.every(ClassHalf, tickRate) {
				c.until[ClassHalf] = tick + calm
			}
			if own.Player.Alive() && within(e.Pos, at, int32(float32(near)*max(e.Nearer, 1))) {
				c.until[ClassFull] = tick + calm
			}
		}
	}
	for i := range v.Events() {
		e := &v.Events()[i]
		mine := e.Actor == own.ID && (e.Kind == state.EvHit || e.Kind == state.EvFire && known)
		if mine || e.Kind == state.EvHurt && e.Target == own.ID {
			c.until[ClassFull] = tick + calm
		}
	}
	c.class = ClassQuarter
	for k := range ClassQuarter {
		if c.begun && int32(c.until[k]-tick) > 0 {
			c.class = k
			break
		}
	}
}

// within reports whether two places are at most r apart.
func within(a, b state.Q, r int32) bool {
	x, y, z := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y), float64(a.Z)-float64(b.Z)
	return x*x+y*y+z*z <= float64(r)*float64(r)
}
