package wire

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/bits"
)

// A packet repeats the last commands, so that one that is lost costs nothing: the
// last unacknowledged ones, at least MinRepeat and at most MaxCmds.
const (
	MinRepeat = 3
	MaxCmds   = 8
)

// buttonBits is how many buttons are sent; the others are not buttons yet.
const buttonBits = 10

// Client is what one packet of a client says.
type Client struct {
	// HasSnap and SnapTick name the newest snapshot that was decoded.
	HasSnap  bool
	SnapTick state.Tick
	// NeedFull says that a snapshot could not be decoded for want of what it is
	// based on; the server starts anew without bases.
	NeedFull bool
	// Cmds are the last commands, oldest first, at most MaxCmds.
	Cmds []state.Cmd
}

// Repeat returns the part of cmds, oldest first, that a packet carries: those
// after the newest one that the server is known to have, within the bounds.
func Repeat(cmds []state.Cmd, acked state.Tick, known bool) []state.Cmd {
	n := len(cmds)
	if known {
		n = 0
		for n < len(cmds) && int32(cmds[len(cmds)-1-n].Tick-acked) > 0 {
			n++
		}
	}
	n = min(max(n, MinRepeat), MaxCmds, len(cmds))
	return cmds[len(cmds)-n:]
}

// PutClient writes p. Of more than MaxCmds commands the newest are written.
func PutClient(w *bits.Writer, p *Client) {
	if n := len(p.Cmds); n > MaxCmds {
		q := *p
		q.Cmds = p.Cmds[n-MaxCmds:]
		p = &q
	}
	c := Writing(w)
	c.client(p)
}

// GetClient reads into p, whose Cmds are reused. Any buttons, angles and ticks
// may come: it is for the server to judge them.
func GetClient(r *bits.Reader, p *Client) error {
	*p = Client{Cmds: p.Cmds[:0]}
	c := Reading(r)
	c.client(p)
	if err := r.Err(); err != nil {
		p.Cmds = p.Cmds[:0]
		return err
	}
	return nil
}

func (c *Coder) client(p *Client) {
	if p.HasSnap = c.has("newest snapshot known", p.HasSnap); p.HasSnap {
		fixed(c, "its tick", &p.SnapTick, 32)
		c.done()
	}
	flag(c, "need full", &p.NeedFull)
	n := c.count("commands, oldest first", len(p.Cmds), MaxCmds, 4)
	var prev state.Cmd
	for i := range n {
		var cmd state.Cmd
		if i < len(p.Cmds) {
			cmd = p.Cmds[i]
		}
		if i == 0 {
			fixed(c, "tick, of the first", &cmd.Tick, 32)
			prev.Tick = cmd.Tick - 1
			prev.ViewTick = cmd.Tick
		} else if c.has("tick is not the next", cmd.Tick != prev.Tick+1) {
			gap(c, "tick", &cmd.Tick, prev.Tick+1, 3)
			c.done()
		} else {
			cmd.Tick = prev.Tick + 1
		}
		c.cmd(&cmd, &prev)
		if c.r != nil {
			p.Cmds = append(p.Cmds, cmd)
		}
		prev = cmd
	}
	c.done()
}

// cmd codes a command, its tick excepted, against the one before.
func (c *Coder) cmd(v, prev *state.Cmd) {
	if c.r != nil {
		tick := v.Tick
		*v = *prev
		v.Tick = tick
		v.Edge, v.EdgeYaw, v.EdgePitch = 0, 0, 0
	}
	v.Buttons &= 1<<buttonBits - 1
	if v.Weapon >= state.NumWeapons {
		v.Weapon = 0
	}
	if c.has("buttons", v.Buttons != prev.Buttons) {
		fixed(c, "buttons", &v.Buttons, buttonBits)
		c.edge(v, prev)
		c.done()
	}
	if c.has("move", v.Forward != prev.Forward || v.Right != prev.Right || v.Up != prev.Up) {
		signed(c, "forward", &v.Forward, 8)
		signed(c, "right", &v.Right, 8)
		signed(c, "up", &v.Up, 8)
		c.done()
	}
	if c.has("yaw", v.Yaw != prev.Yaw) {
		gap(c, "yaw", &v.Yaw, prev.Yaw, 7)
		c.done()
	}
	if c.has("pitch", v.Pitch != prev.Pitch) {
		gap(c, "pitch", &v.Pitch, prev.Pitch, 6)
		c.done()
	}
	if c.has("weapon", v.Weapon != prev.Weapon) {
		limited(c, "weapon", &v.Weapon, 4, state.NumWeapons)
		c.done()
	}
	gap(c, "view tick", &v.ViewTick, prev.ViewTick+1, 1)
	if c.has("view fraction", v.ViewFrac != prev.ViewFrac) {
		fixed(c, "view fraction", &v.ViewFrac, 8)
		c.done()
	}
}

// edge codes when within its tick a command presses the trigger.
func (c *Coder) edge(v, prev *state.Cmd) {
	if c.text == nil && v.Buttons&^prev.Buttons&state.BtnFire == 0 {
		return
	}
	if c.has("trigger within the tick, when it is newly pressed", v.Edge != 0) {
		fixed(c, "before the end, 1/256 ticks", &v.Edge, 8)
		gap(c, "yaw then", &v.EdgeYaw, prev.Yaw, 7)
		gap(c, "pitch then", &v.EdgePitch, prev.Pitch, 6)
		if c.r != nil && v.Edge == 0 {
			c.r.Fail(ErrRange) // has one form only: not there
		}
		c.done()
	}
}
