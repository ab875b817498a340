package client

import (
	"math"
	"slices"

	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vehicle"
	"github.com/sightline-engine/sightline/game/weapon"
	"github.com/sightline-engine/sightline/net/wire"
)

// predLen is how many commands are kept: two seconds of 128 Hz. Older than that
// nothing is replayed; the client starts again from the server's state.
const predLen = 256

// predictor keeps the own commands and the states that they led to.
type predictor struct {
	cmds   [predLen]state.Cmd
	after  [predLen]state.Player // state after the command
	have   [predLen]bool
	sure   [predLen]bool           // after is what the command leads to
	packet [wire.MaxCmds]state.Cmd // memory of recent
	first  state.Tick              // oldest tick kept
	last   state.Tick              // newest command made
	made   bool
	now    state.Player // after the newest command that is predicted
	nowAt  state.Tick   // of it
	madeAt state.Tick   // newest tick that was predicted
	told   ownTrack
	base   state.Player // the server's newest
	baseAt state.Tick
	acked  state.Tick // newest command that the server is known to have

	doors  []state.DoorState // that the states were predicted with
	pieces []state.Piece
	fired  state.Tick // newest tick whose effects were shown
	pulled bool       // the trigger, in the last Advance
	pull   pull       // that no command has told of
	smooth vec.V3     // what the view still lags behind a correction
	stepUp float32    // view smoothing over stairs
}

// pull is a trigger pulled between two commands.
type pull struct {
	is         bool
	at         float64 // command timeline, ticks
	yaw, pitch state.Angle16
}

// trigger notes when the trigger is pulled, and where the view looks then.
func (c *Client) trigger() {
	p := &c.pred
	if c.cfg.Trigger == nil {
		return
	}
	held, yaw, pitch := c.cfg.Trigger()
	if held && !p.pulled {
		p.pull = pull{true, c.clk.cmd, yaw, pitch}
	}
	p.pulled = held
}

// edge tells in a command that presses the trigger when within its tick that was.
func (p *predictor) edge(cmd *state.Cmd) {
	if p.pull.is && cmd.Buttons&state.BtnFire != 0 {
		if before := (float64(cmd.Tick) - p.pull.at) * 256; before > 0 {
			cmd.Edge, cmd.EdgeYaw, cmd.EdgePitch = uint8(min(before, 255)), p.pull.yaw, p.pull.pitch
		}
	}
	p.pull.is = false
}

// follows reports whether the state after the command before one of a tick is known, as
// far as there was one.
func (p *predictor) follows(t state.Tick) bool {
	i := (t - 1) % predLen
	return !p.have[i] || p.cmds[i].Tick != t-1 || p.sure[i]
}

func (p *predictor) reset() { *p = predictor{doors: p.doors[:0], pieces: p.pieces[:0]} }

// recent returns the last commands, oldest first, as many as a packet carries;
// valid until the next call. known says that the server has told which of them it
// has.
func (p *predictor) recent(known bool) []state.Cmd {
	if !p.made {
		return nil
	}
	dst := p.packet[:0]
	for t := p.last - wire.MaxCmds + 1; int32(p.last-t) >= 0; t++ {
		if i := t % predLen; p.have[i] && p.cmds[i].Tick == t {
			dst = append(dst, p.cmds[i])
		}
	}
	return wire.Repeat(dst, p.acked, known)
}

// command makes and predicts a command for every tick that is due. It reports
// whether there was one.
func (c *Client) command() bool {
	if c.state != Playing || !c.haveSnap || !c.clk.synced {
		return false
	}
	due := state.Tick(c.clk.cmd)
	p := &c.pred
	if !p.made || int32(due-p.last) > predLen/2 || int32(p.last-due) > predLen/2 {
		p.made = true
		p.last = due - 1
		p.first = due
		p.have = [predLen]bool{}
		p.now, p.nowAt = p.base, p.baseAt
	}
	if int32(p.baseAt-p.last) > 0 {
		// The server has gone past the newest command, as after a stall: what it did
		// without one is in its state already, and is not to be done again.
		p.last, p.now, p.nowAt = p.baseAt, p.base, p.baseAt
		p.first = p.last + 1
	}
	any := false
	for int32(due-p.last) > 0 {
		t := p.last + 1
		cmd := c.cfg.Input(c, t)
		cmd.Tick = t
		cmd.ViewTick, cmd.ViewFrac = c.clk.shown(c.now)
		p.edge(&cmd)
		i := t % predLen
		p.cmds[i], p.have[i] = cmd, true
		p.last = t
		if int(p.last-p.first) >= predLen {
			p.first = p.last - predLen + 1
		}
		if p.sure[i] = !c.lack(t) && p.follows(t); p.sure[i] {
			c.step(&p.now, &cmd, int32(t-p.fired) > 0, true)
			if int32(t-p.fired) > 0 {
				p.fired = t
			}
			p.nowAt, p.madeAt = t, t
		}
		c.use(t)
		p.after[i] = p.now
		c.stats.Commands++
		any = true
	}
	return any
}

// step runs one command on p with the world as this client knows it. With effects
// set, what happened is passed on as predicted events; first says that it is run for
// the first time.
func (c *Client) step(p *state.Player, cmd *state.Cmd, effects, first bool) {
	rate := c.TickRate()
	l := c.loaded.Level
	c.use(cmd.Tick)
	scenery.Poses(l, c.doors, cmd.Tick, 0, rate, c.poses)
	scenery.Poses(l, c.doors, cmd.Tick-1, 0, rate, c.before)
	scenery.Breaks(l, c.pieces, cmd.Tick-1, c.poses) // what breaks in a tick does so after moves
	scenery.Breaks(l, c.pieces, cmd.Tick-1, c.before)
	from, eye := p.Pos, pmove.Eye(p, &c.set.Movement)
	hands := vehicle.Hands(p, c.set.Vehicles[:], *cmd)
	out := pmove.Step(p, hands, pmove.Env{
		World: c.around(p, rate), Vehicles: c.set.Vehicles[:], Move: &c.set.Movement,
		TickRate: rate, Pads: l.Pads, Poses: c.poses, Before: c.before, AimSpeed: weapon.AimSpeed(p, &c.set),
	})
	shot := weapon.Step(p, hands, weapon.Env{Set: &c.set, TickRate: rate, SpreadSeed: c.welcome.Seed, Tick: cmd.Tick})
	if !effects {
		return
	}
	if first {
		c.stats.Moved += p.Pos.Dist(from)
		if p.Flags&state.OnGround != 0 && out.StepUp != 0 {
			c.pred.stepUp = vec.Clamp(c.pred.stepUp+out.StepUp, -0.7, 0.7)
		}
	}
	c.effects(p, cmd.Tick, eye, out, shot)
}

// reconcile compares the server's state after tick with the prediction for that
// tick, and predicts the commands after it again.
func (c *Client) reconcile(auth *state.Player, tick state.Tick) {
	p := &c.pred
	was := p.base
	p.base, p.baseAt = *auth, tick
	p.told.add(tick, auth)
	c.toldShots(&was, auth, tick)
	if !p.made {
		p.now, p.nowAt = *auth, tick
		p.doors = append(p.doors[:0], c.doors...)
		p.pieces = append(p.pieces[:0], c.pieces...)
		return
	}
	i := tick % predLen
	same := false
	if p.have[i] && p.sure[i] && c.tab.has(tick) && p.cmds[i].Tick == tick && int32(p.last-tick) >= 0 {
		was := p.after[i]
		if same = samePrediction(&was, auth); !same {
			c.differ(&was, auth)
		}
	}
	redo := !same || c.blind() || !c.tab.has(p.last) || !sameDoors(p.doors, c.doors) || !slices.Equal(p.pieces, c.pieces)
	p.doors = append(p.doors[:0], c.doors...)
	p.pieces = append(p.pieces[:0], c.pieces...)
	if !redo {
		// Only what is not predicted has changed: carry it forward.
		for t := tick; ; t++ {
			copyUnpredicted(&p.after[t%predLen], auth)
			if t == p.last {
				break
			}
		}
		copyUnpredicted(&p.now, auth)
		return
	}
	c.renew(auth, tick)
}

// replay predicts the commands after a tick again, from the server's state after it.
func (c *Client) replay(auth *state.Player, tick state.Tick) {
	p := &c.pred
	c.fx.doubt(tick, auth)
	p.now, p.nowAt = *auth, tick
	if i := tick % predLen; p.have[i] && p.cmds[i].Tick == tick {
		p.after[i], p.sure[i] = *auth, true
	}
	known := true
	for t := tick + 1; int32(p.last-t) >= 0; t++ {
		i := t % predLen
		if !p.have[i] || p.cmds[i].Tick != t {
			continue
		}
		known = known && c.tab.has(t)
		if p.sure[i] = known; known {
			c.step(&p.now, &p.cmds[i], true, false)
			p.nowAt, p.madeAt = t, t
		}
		p.after[i] = p.now
	}
	c.use(p.last)
	c.settle()
}

// corrected lets the view, which was at old, catch up over a tenth of a second; a
// teleport or a jump of more than a metre is shown at once.
func (p *predictor) corrected(old *state.Player) {
	d := old.Pos.Sub(p.now.Pos)
	if old.Teleports == p.now.Teleports && d.LenSq() < 1 {
		p.smooth = p.smooth.Add(d)
		if p.smooth.LenSq() > 1 {
			p.smooth = vec.V3{}
		}
		return
	}
	p.smooth, p.stepUp = vec.V3{}, 0
}

// predictedAt returns the own state that was predicted for a tick, for the
// snapshots that say no more than that it was right.
func (c *Client) predictedAt(tick state.Tick) (*state.Player, bool) {
	p := &c.pred
	i := tick % predLen
	if !p.made || !p.have[i] || !p.sure[i] || p.cmds[i].Tick != tick || int32(p.last-tick) < 0 {
		return nil, false
	}
	return &p.after[i], true
}

// Settled returns the newest own state that came from the server, and its
// tick.
func (c *Client) Settled() (state.Tick, *state.Player) { return c.pred.baseAt, &c.pred.base }

// differ counts a state that is not what was predicted, and says whether
// something from outside explains it.
func (c *Client) differ(was, auth *state.Player) {
	c.stats.Corrections++
	if was.Forced != auth.Forced || c.moverNear(was.Pos) || c.moverNear(auth.Pos) || c.pieceNear(was.Pos) || c.pieceNear(auth.Pos) {
		c.stats.Explained++
		return
	}
	c.stats.Errors++
	c.stats.WorstError = max(c.stats.WorstError, was.Pos.Dist(auth.Pos))
	c.log.Warn("prediction error", "off", was.Pos.Dist(auth.Pos), "predicted", *was, "server", *auth)
}

// moverNear reports whether a door or lift whose state was not the one predicted
// with could have touched a body at p.
func (c *Client) moverNear(p vec.V3) bool {
	l := c.loaded.Level
	for i := range l.Doors {
		if i < len(c.doors) && i < len(c.pred.doors) && c.doors[i] == c.pred.doors[i] {
			continue
		}
		d := &l.Doors[i]
		if d.Model <= 0 || d.Model >= len(l.Models) {
			continue
		}
		if d.Sweep(l.Models[d.Model].Bounds).Pad(2).Contains(p) {
			return true
		}
	}
	return false
}

func sameDoors(a, b []state.DoorState) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// copyUnpredicted copies what only the server decides.
func copyUnpredicted(to, from *state.Player) {
	to.Health, to.Armor, to.Team = from.Health, from.Armor, from.Team
}

// samePrediction compares everything that is predicted, bit for bit.
func samePrediction(a, b *state.Player) bool {
	x := *a
	copyUnpredicted(&x, b)
	return x == *b
}

// smoothSeconds is how long a correction is spread over in the view: then a
// twentieth of it is left.
const smoothSeconds = 0.1

// Ease lets the view catch up; dt is the seconds since the last frame. However many
// frames a time is cut into, the same is left of a correction.
func (c *Client) Ease(dt float32) {
	k := float32(math.Exp(-3 * float64(max(dt, 0)) / smoothSeconds))
	c.pred.smooth = c.pred.smooth.Scale(k)
	c.pred.stepUp = float32(c.pred.stepUp * k)
	c.movers.ride(c.pred.now.Ground, dt, k)
}

// Commanded returns the tick of the newest command.
func (c *Client) Commanded() state.Tick { return c.pred.last }

// Own returns the predicted own state after the newest command.
func (c *Client) Own() *state.Player { return &c.pred.now }

// Eye returns where the camera is: the predicted eye between the last two ticks,
// eased over corrections and steps.
func (c *Client) Eye() vec.V3 {
	p := &c.pred
	at := p.now
	if c.blind() && at.Vehicle == 0 {
		at = c.shownOwn()
		return pmove.Eye(&at, &c.set.Movement)
	}
	f := float32(c.clk.cmd - float64(uint32(c.clk.cmd)))
	if i := (p.last - 1) % predLen; p.made && p.have[i] && p.cmds[i].Tick == p.last-1 && p.after[i].Teleports == at.Teleports {
		prev := p.after[i]
		if prev.Pos.DistSq(at.Pos) < 4 {
			at.Pos = prev.Pos.Lerp(at.Pos, f)
			at.Duck = uint8(vec.Lerp(float32(prev.Duck), float32(at.Duck), f))
		}
	}
	if at.Vehicle != 0 && at.Seat != 0 {
		if seat, ok := c.seatShown(&at); ok {
			at.Pos = seat
			return pmove.Eye(&at, &c.set.Movement)
		}
	}
	eye := pmove.Eye(&at, &c.set.Movement)
	eye.Z -= p.stepUp
	return eye.Add(p.smooth)
}
