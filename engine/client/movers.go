package client

import (
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// Doors and lifts are drawn on the shown timeline, like other players: a door that
// the player opens swings when the server's word of it is shown. The one under the
// player's feet is drawn where the prediction has it, or the feet would leave it.

// doorLog is how many states of a door are kept for the shown timeline: it lags
// behind the newest by the round trip at most, and a door does not turn more often.
const doorLog = 4

// rideSeconds is how long a mover takes from one timeline to the other when the
// player steps on or off.
const rideSeconds = 0.2

// movers is what is drawn of doors and lifts.
type movers struct {
	past   [][doorLog]state.DoorState // by door, newest first
	ridden []float32                  // by model: 0 on the shown timeline, 1 on the predicted
	smooth []vec.V3                   // by model: what the view still lags behind a correction
	poses  []level.Pose
	pieces pieceLog
	firing bool // for an own shot the mover that is ridden is where it is predicted
}

func (m *movers) reset(doors []state.DoorState, models int) {
	m.past = make([][doorLog]state.DoorState, len(doors))
	for i := range doors {
		for k := range m.past[i] {
			m.past[i][k] = doors[i]
		}
	}
	m.ridden, m.smooth, m.poses = make([]float32, models), make([]vec.V3, models), make([]level.Pose, models)
}

// told takes the newest states. A lift that is ridden turns out to have turned a
// round trip ago: the view catches up with it as with its rider.
func (c *Client) doorsTold(doors []state.DoorState) {
	l, m := c.loaded.Level, &c.movers
	for i := range m.past {
		p := &m.past[i]
		if i >= len(doors) || doors[i] == p[0] {
			continue
		}
		if d := &l.Doors[i]; d.Model > 0 && d.Model < len(m.ridden) && m.ridden[d.Model] > 0 {
			now := c.pred.last
			slip := scenery.Offset(d, p[0], now, 0, c.TickRate()).Sub(scenery.Offset(d, doors[i], now, 0, c.TickRate()))
			if m.smooth[d.Model] = m.smooth[d.Model].Add(slip); m.smooth[d.Model].LenSq() > 1 {
				m.smooth[d.Model] = vec.V3{}
			}
		}
		copy(p[1:], p[:doorLog-1])
		p[0] = doors[i]
	}
}

// at returns the state that a door had at a tick.
func (m *movers) at(door int, tick state.Tick) state.DoorState {
	p := &m.past[door]
	for k := range p {
		if int32(tick-p[k].Start) >= 0 {
			return p[k]
		}
	}
	return p[doorLog-1]
}

// ride moves the mover that is stood on to the predicted timeline, and the others
// to the shown one; dt is in seconds, k what is left of corrections after it.
func (m *movers) ride(ground int16, dt, k float32) {
	for i := range m.ridden {
		m.smooth[i] = m.smooth[i].Scale(k)
		goal := float32(0)
		if i > 0 && i == int(ground) {
			goal = 1
		}
		m.ridden[i] += vec.Clamp(goal-m.ridden[i], -dt/rideSeconds, dt/rideSeconds)
	}
}

// Scene returns the level with the movers where they are drawn.
func (c *Client) Scene() trace.Scene {
	l, m := c.loaded.Level, &c.movers
	tick, frac := c.clk.shown(c.now)
	var ahead int32 // of the shown timeline, 256ths of a tick
	if p := &c.pred; p.made {
		ahead = int32(p.last-1-tick)*256 + int32((c.clk.cmd-float64(uint32(c.clk.cmd)))*256) - int32(frac)
	}
	clear(m.poses)
	for i := range l.Doors {
		d := &l.Doors[i]
		if d.Model <= 0 || d.Model >= len(m.poses) || i >= len(m.past) {
			continue
		}
		t, f := tick, frac
		w := m.ridden[d.Model]
		if m.firing && d.Model == int(c.pred.now.Ground) {
			w = 1
		}
		if w > 0 {
			t256 := int32(frac) + int32(w*float32(ahead))
			t, f = tick+state.Tick(t256>>8), uint8(t256&255)
		}
		m.poses[d.Model] = scenery.Pose(d, m.at(i, t), t, f, c.TickRate())
		if !m.firing {
			m.poses[d.Model].Off = m.poses[d.Model].Off.Mad(w, m.smooth[d.Model])
		}
	}
	c.poseBreaks(tick)
	return trace.Scene{W: c.loaded.World, Poses: m.poses}
}
