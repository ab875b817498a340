package desktop

import (
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/render/window/input"
)

// The actions that a key may hold: "bind w +forward". Any other text bound to a key
// is run as a console line when the key goes down.
const (
	actForward = "+forward"
	actBack    = "+back"
	actLeft    = "+left"
	actRight   = "+right"
	actJump    = "+jump"
	actCrouch  = "+crouch"
	actWalk    = "+walk"
	actFire    = "+fire"
	actAim     = "+aim"
	actLeanL   = "+leanleft"
	actLeanR   = "+leanright"
	actReload  = "+reload"
	actUse     = "+use"
	actScores  = "+scores"
)

// Actions lists what a key may hold, with a line on each.
var Actions = []console.Match{
	{Text: actForward, Help: "move forward"}, {Text: actBack, Help: "move back"},
	{Text: actLeft, Help: "move left"}, {Text: actRight, Help: "move right"},
	{Text: actJump, Help: "jump, swim up"}, {Text: actCrouch, Help: "crouch, swim down"},
	{Text: actWalk, Help: "walk without noise"}, {Text: actFire, Help: "shoot; come back after death"},
	{Text: actAim, Help: "look along the sights"}, {Text: actLeanL, Help: "lean left"}, {Text: actLeanR, Help: "lean right"},
	{Text: actReload, Help: "reload"}, {Text: actUse, Help: "use"}, {Text: actScores, Help: "show the scoreboard"},
}

// consoleCommand is what the key that opens the console is bound to. It is also the
// one bind that works while the console has the keyboard.
const consoleCommand = "toggleconsole"

// DefaultBinds are the keys of a player who has chosen none.
var DefaultBinds = [][2]string{
	{"w", actForward}, {"s", actBack}, {"a", actLeft}, {"d", actRight},
	{"up", actForward}, {"down", actBack}, {"left", actLeft}, {"right", actRight},
	{"space", actJump}, {"leftcontrol", actCrouch}, {"c", actCrouch}, {"leftshift", actWalk},
	{"mouse1", actFire}, {"mouse2", actAim}, {"q", actLeanL}, {"e", actLeanR}, {"r", actReload}, {"f", actUse},
	{"1", "weapon 1"}, {"2", "weapon 2"}, {"3", "weapon 3"}, {"4", "weapon 4"}, {"5", "weapon 5"}, {"wheelup", "weapnext"}, {"wheeldown", "weapprev"},
	{"tab", actScores}, {"grave", consoleCommand}, {"t", "messagemode"}, {"y", "messagemode2"},
	{"mouse3", "ping"}, {"n", "watchnext"}, {"b", "watchprev"},
	{"f3", "toggle net.graph 0 1 2 3"}, {"f11", "toggle r.fullscreen"}, {"f12", "screenshot"},
}

// Controls turns what keyboard and mouse did into commands and view angles.
//
// Angles are kept as float64 and turned at once by every count of the mouse, so a
// frame shows what the hand has just done; they are rounded to the wire's angles
// only in Command.
type Controls struct {
	in    input.State
	binds *console.Binds
	lines [input.KeyCount]string // of keys that are bound to a line, not an action
	run   func(line string)
	typed func(e input.Event) // what a text field or menu is given, in order

	yaw, pitch float64
	weapon     uint8 // wanted, 0: keep
	swallow    bool  // the character of the key that has just opened a text field
}

// NewControls reads its binds from a registry's table. run executes the line that a
// key is bound to; typed is given presses, repeats, characters and the wheel while a
// text field or a menu has the keyboard, one by one.
func NewControls(b *console.Binds, run func(line string), typed func(input.Event)) *Controls {
	c := &Controls{binds: b, run: run, typed: typed}
	c.Rebind()
	return c
}

// BindDefaults gives the usual keys their actions, except where a key has one.
func BindDefaults(b *console.Binds) {
	for _, d := range DefaultBinds {
		if k, err := input.ParseKey(d[0]); err == nil && b.Get(k.String()) == "" {
			b.Set(k.String(), d[1])
		}
	}
}

// Rebind reads the table of keys anew. Nothing is held afterwards.
func (c *Controls) Rebind() {
	c.lines = [input.KeyCount]string{}
	var actions [input.KeyCount]string
	for _, name := range c.binds.Keys() {
		k, err := input.ParseKey(name)
		if err != nil {
			continue
		}
		line := strings.TrimSpace(c.binds.Get(name))
		if strings.HasPrefix(line, "+") && !strings.ContainsAny(line, " ;") {
			actions[k] = line
			continue
		}
		c.lines[k] = line
	}
	for k := input.None + 1; k < input.KeyCount; k++ {
		if c.in.Bound(k) != actions[k] {
			c.in.Bind(k, actions[k])
		}
	}
}

// Begin starts a frame.
func (c *Controls) Begin() { c.in.Begin() }

// Feed takes one event of the window. It may switch who has the keyboard, so events
// are fed one by one, in order.
func (c *Controls) Feed(e input.Event) {
	switch e.Kind {
	case input.Press:
		c.swallow = false
		if e.Key >= input.KeyCount {
			return
		}
		line := c.lines[e.Key]
		if line != "" && (!c.UI() || line == consoleCommand) {
			// The character of this very key comes after it and is no text.
			c.swallow = true
			c.run(line)
			return
		}
	case input.Repeat:
		if e.Key < input.KeyCount && c.lines[e.Key] == consoleCommand {
			return
		}
	case input.Char:
		if c.swallow {
			return
		}
	case input.Scroll:
		k := input.WheelUp
		if e.Y < 0 {
			k = input.WheelDown
		}
		if line := c.lines[k]; !c.UI() && e.Y != 0 && line != "" {
			c.run(line)
			return
		}
	}
	c.in.Feed(e)
	if !c.UI() || c.typed == nil {
		return
	}
	switch e.Kind {
	case input.Press, input.Repeat, input.Char, input.Scroll, input.Cursor:
		c.typed(e)
	}
}

// SetUI hands the keyboard to a text field or a menu, or back to the game. Either
// way nothing is held afterwards.
func (c *Controls) SetUI(on bool) {
	m := input.Game
	if on {
		m = input.UI
	}
	c.in.SetMode(m)
}

// UI reports whether a text field or a menu has the keyboard.
func (c *Controls) UI() bool { return c.in.Mode() == input.UI }

// Look turns the view by what the mouse has done in this frame. sensitivity is in
// degrees per count.
func (c *Controls) Look(sensitivity float64, invert bool) {
	dx, dy := c.in.Mouse()
	if invert {
		dy = -dy
	}
	c.Turn(-dx*sensitivity, -dy*sensitivity)
}

// LookThrough is Look through an optic, in a frame of dt seconds.
func (c *Controls) LookThrough(z *zoom, sensitivity float64, invert bool, dt float32) {
	dx, dy := c.in.Mouse()
	if invert {
		dy = -dy
	}
	c.Turn(z.turn(-dx*sensitivity, dt), z.turn(-dy*sensitivity, dt))
}

// maxPitch is how far up and down one can look.
const maxPitch = 89

// Turn adds to the view angles, in degrees.
func (c *Controls) Turn(yaw, pitch float64) {
	c.yaw += yaw
	for c.yaw >= 180 {
		c.yaw -= 360
	}
	for c.yaw < -180 {
		c.yaw += 360
	}
	c.pitch = min(max(c.pitch+pitch, -maxPitch), maxPitch)
}

// SetAngles looks somewhere: after a spawn or a teleport.
func (c *Controls) SetAngles(yaw, pitch float64) {
	c.yaw, c.pitch = 0, 0
	c.Turn(yaw, pitch)
}

// Angles returns where the view looks, in degrees.
func (c *Controls) Angles() (yaw, pitch float64) { return c.yaw, c.pitch }

// WantWeapon asks for a weapon with the next command.
func (c *Controls) WantWeapon(w uint8) { c.weapon = w }

// Scores reports whether the scoreboard is asked for.
func (c *Controls) Scores() bool { return c.in.Held(actScores) }

// Command makes the command of one tick. A press that was shorter than a tick
// counts.
func (c *Controls) Command(tick state.Tick) state.Cmd {
	cmd := state.Cmd{Tick: tick, Yaw: state.AngleOf(float32(c.yaw)), Pitch: state.AngleOf(float32(c.pitch)), Weapon: c.weapon}
	c.weapon = 0
	if c.UI() {
		return cmd
	}
	cmd.Forward = axis(c.in.Held(actForward), c.in.Held(actBack))
	cmd.Right = axis(c.in.Held(actRight), c.in.Held(actLeft))
	jump, crouch := c.in.HeldOrTake(actJump), c.in.HeldOrTake(actCrouch)
	cmd.Up = axis(jump, crouch)
	for _, b := range [...]struct {
		on  bool
		bit state.Buttons
	}{
		{c.in.HeldOrTake(actFire), state.BtnFire}, {c.in.Held(actAim), state.BtnAim}, {jump, state.BtnJump}, {crouch, state.BtnCrouch},
		{c.in.Held(actWalk), state.BtnWalk}, {c.in.Held(actLeanL), state.BtnLeanLeft}, {c.in.Held(actLeanR), state.BtnLeanRight},
		{c.in.HeldOrTake(actReload), state.BtnReload}, {c.in.HeldOrTake(actUse), state.BtnUse}, {c.in.Held(actScores), state.BtnScore},
	} {
		if b.on {
			cmd.Buttons |= b.bit
		}
	}
	return cmd
}

// Trigger reports whether fire is held, or was pressed since the last command, and
// where the view looks now.
func (c *Controls) Trigger() (held bool, yaw, pitch state.Angle16) {
	held = !c.UI() && (c.in.Held(actFire) || c.in.Began(actFire))
	return held, state.AngleOf(float32(c.yaw)), state.AngleOf(float32(c.pitch))
}

func axis(plus, minus bool) int8 {
	switch {
	case plus && !minus:
		return 127
	case minus && !plus:
		return -127
	}
	return 0
}

// nextWeapon is the owned weapon after (step 1) or before (step -1) the one in hand.
func nextWeapon(p *state.Player, step int) uint8 {
	in := int(p.Weapon)
	if p.Next != 0 {
		in = int(p.Next)
	}
	for i := 1; i < state.NumWeapons; i++ {
		w := ((in-1+step*i)%(state.NumWeapons-1) + state.NumWeapons - 1) % (state.NumWeapons - 1)
		if p.Owned&(1<<(w+1)) != 0 {
			return uint8(w + 1)
		}
	}
	return 0
}

// parseWeapon reads the number of a weapon.
func parseWeapon(s string) (uint8, bool) {
	n, err := strconv.Atoi(s)
	return uint8(n), err == nil && n >= 1 && n < state.NumWeapons
}
