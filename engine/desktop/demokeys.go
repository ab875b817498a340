package desktop

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/render/window/input"
)

// DemoKey is a key of a demo's player and what it does.
type DemoKey struct{ Key, Line, Help string }

// DemoKeys are the keys of a demo, over those of the game. A key that somebody has
// bound to a demo command of its own keeps that.
var DemoKeys = []DemoKey{
	{"space", "demo.pause", "play, pause"},
	{"left", "demo.seek -5", "5 seconds back"},
	{"right", "demo.seek +5", "5 seconds on"},
	{"pagedown", "demo.seek -30", "30 seconds back"},
	{"pageup", "demo.seek +30", "30 seconds on"},
	{"home", "demo.seek 0", "to the beginning"},
	{"end", "demo.seek end", "to the end"},
	{"j", "demo.seek kill", "to this player's next kill or death"},
	{"comma", "demo.step -1", "one tick back"},
	{"period", "demo.step 1", "one tick on"},
	{"up", "demo.speed up", "faster"},
	{"down", "demo.speed down", "slower"},
	{"backspace", "demo.speed 1", "real time"},
	{"mouse1", "demo.follow next", "the next player's eyes"},
	{"mouse2", "demo.follow prev", "the player's before"},
	{"f", "demo.follow free", "free camera, and back"},
	{"k", "demo.knew", "only what this player knew"},
	{"o", "demo.withheld", "outlines of what was withheld"},
	{"n", "demo.names", "names over heads"},
	{"f1", "demo.keys", "this list"},
}

// flyKeys are told of in the list of keys; they are the game's own actions.
var flyKeys = [...][2]string{
	{"w a s d", "fly (free camera)"}, {"e q", "rise, sink"}, {"shift", "fly fast"}, {"wheel", "flying speed"}, {"tab", "scoreboard"}, {"` f11 f12 esc", "console, full screen, picture, menu"},
}

// speeds are the steps of demo.speed up and down.
var speeds = [...]float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8}

// demoBinds is the table of keys while a demo is shown.
func demoBinds(own *console.Binds) *console.Binds {
	b := &console.Binds{}
	for _, k := range own.Keys() {
		b.Set(k, own.Get(k))
	}
	for _, d := range DemoKeys {
		k, err := input.ParseKey(d.Key)
		if err == nil && !strings.HasPrefix(own.Get(k.String()), "demo.") {
			b.Set(k.String(), d.Line)
		}
	}
	for _, d := range [...][2]string{{"wheelup", "demo.fly up"}, {"wheeldown", "demo.fly down"}} {
		b.Set(d[0], d[1])
	}
	return b
}

// demoCommands declares what a demo can be told. They are there without one too, and
// say so.
func (g *game) demoCommands() {
	add := func(name, usage, help string, most int, run func(t *theatre, c *console.Call) error) {
		g.reg.Command(console.Command{Name: name, Usage: usage, Help: help, Max: most, Local: true, Run: func(c *console.Call) error {
			if g.show == nil {
				return fmt.Errorf("%s: %w", name, errNoDemo)
			}
			return run(g.show, c)
		}})
	}
	add("demo.pause", "[on|off]", "Stops the demo, or lets it go on.", 1, func(t *theatre, c *console.Call) error {
		ended, _ := t.p.Ended()
		on, err := onOff(c, !t.p.Paused && !ended)
		if err != nil {
			return err
		}
		if t.p.Paused = on; !on && ended { // from the end it begins again
			t.seek(0)
		}
		return nil
	})
	add("demo.seek", "TIME|+SECONDS|-SECONDS|SHARE%|end|kill", "Goes to a time of the demo: 90 or 1:30 from the beginning, +5 or -5 from here, or shortly before the followed player next kills or dies.", 1, func(t *theatre, c *console.Call) error {
		if len(c.Args) == 0 {
			c.Printf("%s of %s, tick %.0f\n", clockText(t.p.Seconds()), clockText(t.p.Length()), math.Floor(t.p.At()))
			return nil
		}
		if c.Args[0] == "kill" {
			return t.seekKill()
		}
		to, err := seekTime(c.Args[0], t.p.Seconds(), t.p.Length())
		if err != nil {
			return err
		}
		t.seek(to)
		return nil
	})
	add("demo.step", "TICKS", "Stops the demo and moves it by single ticks.", 1, func(t *theatre, c *console.Call) error {
		n := 1
		if len(c.Args) > 0 {
			var err error
			if n, err = strconv.Atoi(c.Args[0]); err != nil || n < -1000 || n > 1000 {
				return fmt.Errorf("demo.step %s: not a number of ticks from -1000 to 1000", c.Args[0])
			}
		}
		t.p.Paused = true
		if n < 0 {
			defer t.cut(true)
		}
		return t.p.Step(n, t.passed)
	})
	add("demo.speed", "[FACTOR|up|down]", "Sets how fast the demo plays: 0.1 to 8, 1 is real time.", 1, func(t *theatre, c *console.Call) error {
		if len(c.Args) > 0 {
			k, err := speedOf(c.Args[0], t.p.Speed())
			if err != nil {
				return err
			}
			t.p.SetSpeed(k)
		}
		c.Printf("speed %g\n", t.p.Speed())
		return nil
	})
	add("demo.follow", "[NAME|NUMBER|next|prev|free]", "Looks out of a player's eyes, or flies the camera freely.", -1, func(t *theatre, c *console.Call) error {
		return t.followWho(strings.Join(c.Args, " "))
	})
	add("demo.knew", "[on|off|NAME]", "Shows only what the followed player had been told at that time.", -1, func(t *theatre, c *console.Call) error {
		return t.knewWho(c)
	})
	toggle := func(name, help string, what func(t *theatre) *bool) {
		add(name, "[on|off]", help, 1, func(t *theatre, c *console.Call) (err error) {
			p := what(t)
			*p, err = onOff(c, !*p)
			return err
		})
	}
	toggle("demo.withheld", "Outlines what was withheld from the player whose knowledge is shown.", func(t *theatre) *bool { return &t.withheld })
	toggle("demo.names", "Shows names over heads.", func(t *theatre) *bool { return &t.names })
	toggle("demo.keys", "Lists the keys of the demo on the screen.", func(t *theatre) *bool { return &t.keys })
	add("demo.fly", "[up|down|SPEED]", "Sets how fast the free camera flies, in m/s.", 1, func(t *theatre, c *console.Call) error {
		switch arg := strings.Join(c.Args, ""); arg {
		case "up":
			t.speed = min(t.speed*1.25, 200)
		case "down":
			t.speed = max(t.speed/1.25, 0.5)
		case "":
			c.Printf("%.1f m/s\n", t.speed)
		default:
			k, err := strconv.ParseFloat(arg, 64)
			if err != nil || !(k >= 0.5 && k <= 200) {
				return fmt.Errorf("demo.fly %s: allowed: 0.5 to 200 m/s, up, down", arg)
			}
			t.speed = k
		}
		return nil
	})
}

// onOff reads the argument of a switch; without one it is other.
func onOff(c *console.Call, other bool) (bool, error) {
	if len(c.Args) == 0 {
		return other, nil
	}
	switch strings.ToLower(c.Args[0]) {
	case "on", "1", "true":
		return true, nil
	case "off", "0", "false":
		return false, nil
	}
	return false, fmt.Errorf("%s %s: on or off", c.Name, c.Args[0])
}

// seekTime reads where to go to, in seconds from the beginning.
func seekTime(s string, at, length float64) (float64, error) {
	bad := fmt.Errorf("demo.seek %.32s: a time such as 90, 1:30, +5, -5, 50%%, end or kill", s)
	if s == "end" {
		return length, nil
	}
	sign, rest := 0.0, s
	switch {
	case strings.HasPrefix(s, "+"):
		sign, rest = 1, s[1:]
	case strings.HasPrefix(s, "-"):
		sign, rest = -1, s[1:]
	}
	share := strings.HasSuffix(rest, "%")
	sum := 0.0
	parts := strings.Split(strings.TrimSuffix(rest, "%"), ":")
	for _, p := range parts {
		k, err := strconv.ParseFloat(p, 64)
		if err != nil || !(k >= 0 && k <= 1e9) || len(parts) > 3 {
			return 0, bad
		}
		sum = sum*60 + k
	}
	if share {
		sum *= length / 100
	}
	if sign != 0 {
		return at + sign*sum, nil
	}
	return sum, nil
}

func speedOf(s string, now float64) (float64, error) {
	switch s {
	case "up":
		for _, k := range speeds {
			if k > now*1.001 {
				return k, nil
			}
		}
		return now, nil
	case "down":
		for i := len(speeds) - 1; i >= 0; i-- {
			if speeds[i] < now*0.999 {
				return speeds[i], nil
			}
		}
		return now, nil
	}
	k, err := strconv.ParseFloat(strings.TrimSuffix(s, "x"), 64)
	if err != nil || !(k >= speeds[0] && k <= speeds[len(speeds)-1]) {
		return 0, fmt.Errorf("demo.speed %.32s: allowed: %g to %g, up, down", s, speeds[0], speeds[len(speeds)-1])
	}
	return k, nil
}

// players returns who is in the match at the present place, in order.
func (t *theatre) players() []state.Score {
	a, _, _ := t.p.Frames()
	if c := t.p.Info().Client; c != 0 {
		for i := range a.Roster {
			if a.Roster[i].ID == c {
				return a.Roster[i : i+1]
			}
		}
	}
	return a.Roster
}

var errNobody = errors.New("nobody is in the match at this time")

// followWho looks through other eyes.
func (t *theatre) followWho(word string) error {
	list := t.players()
	switch word {
	case "":
		t.flying = false
		t.cut(false)
		return nil
	case "free":
		if !t.flying {
			t.stepBack()
		}
		t.flying = !t.flying
		t.cut(false)
		return nil
	case "next", "prev":
		if len(list) == 0 {
			return errNobody
		}
		at := -1
		for i := range list {
			if list[i].ID == t.who {
				at = i
			}
		}
		switch {
		case t.flying: // back into the eyes that were left
		case word == "next":
			at++
		default:
			at--
		}
		n := len(list)
		t.enter(list[(max(at, -1)+n)%n].ID)
		return nil
	}
	id, err := findPlayer(list, word)
	if err != nil {
		return fmt.Errorf("demo.follow: %w", err)
	}
	t.enter(id)
	return nil
}

// stepBack takes the camera out of the head that it looks from: behind it, as far
// as walls allow.
func (t *theatre) stepBack() {
	t.look(0) // where the eyes are now, drawn or not yet
	if t.g.view.Own == nil {
		return
	}
	const back, up = 2.6, 0.5
	d := direction(t.g.view.Yaw, 0)
	to := t.eye.Add(vec.V3{X: -d[0] * back, Y: -d[1] * back, Z: up})
	r := t.g.view.Scene.Ray(t.eye, to, level.MaskMove)
	t.eye = t.eye.Lerp(to, max(r.Frac-0.1, 0))
}

// enter follows a player from now on.
func (t *theatre) enter(id state.ID) {
	t.who, t.flying = id, false
	t.cut(false)
}

func findPlayer(list []state.Score, word string) (state.ID, error) {
	var names []string
	n, err := strconv.Atoi(word)
	for i := range list {
		if strings.EqualFold(list[i].Name, word) || err == nil && int(list[i].ID) == n {
			return list[i].ID, nil
		}
		names = append(names, list[i].Name)
	}
	if len(names) == 0 {
		return 0, errNobody
	}
	return 0, fmt.Errorf("nobody is called %.40q: there are %s", word, strings.Join(names[:min(len(names), 16)], ", "))
}

// knewWho switches to what a player knew, or back to everything.
func (t *theatre) knewWho(c *console.Call) error {
	client := t.p.Info().Client != 0
	switch word := strings.Join(c.Args, " "); word {
	case "":
		t.knew = !t.knew
	case "on":
		t.knew = true
	case "off":
		t.knew = false
	default:
		id, err := findPlayer(t.players(), word)
		if err != nil {
			return fmt.Errorf("demo.knew: %w", err)
		}
		t.who, t.knew = id, true
	}
	if client && !t.knew {
		t.knew = true
		return fmt.Errorf("demo.knew: this demo holds only what %s was told", playerName(t, t.p.Info().Client))
	}
	t.cut(false)
	return nil
}

// input takes what was done since the last frame.
func (t *theatre) input(dt float32) {
	g := t.g
	c := g.controls
	c.Begin()
	for _, e := range g.win.Poll() {
		t.feed(e)
	}
	if share, _ := t.onBar(); t.drag {
		if to := share * t.p.Length(); math.Abs(to-t.p.Seconds()) > 0.05 {
			t.seek(to)
		}
	}
	if t.flying && g.captured {
		c.Look(g.vars.Sensitivity.Get(), g.vars.Invert.Get())
	}
	if t.flying || g.view.Own == nil {
		t.fly(dt)
	}
}

// feed takes one event.
func (t *theatre) feed(e input.Event) {
	switch {
	case e.Kind == input.Close:
		t.g.quit = true
	case e.Kind == input.Cursor:
		t.pointer = [2]float64{e.X, e.Y}
	case e.Kind == input.Release && e.Key == input.Mouse1, e.Kind == input.FocusLost:
		t.drag = false
	}
	if e.Kind == input.Press && !t.g.controls.UI() {
		if e.Key == input.Escape {
			if t.keys {
				t.keys = false
				return
			}
			t.g.overlay.Open(MenuField)
			t.keyboard()
			return
		}
		if share, on := t.onBar(); on && e.Key == input.Mouse1 {
			t.drag = true // a click may be over before the next picture
			t.seek(share * t.p.Length())
			return
		}
	}
	t.g.controls.Feed(e)
	t.keyboard()
}

// fly moves the free camera, through walls too.
func (t *theatre) fly(dt float32) {
	c := t.g.controls
	if c.UI() {
		return
	}
	yaw, pitch := c.Angles()
	d := direction(float32(yaw), float32(pitch))
	ahead := vec.V3{X: d[0], Y: d[1], Z: d[2]}
	r := direction(float32(yaw)-90, 0)
	right := vec.V3{X: r[0], Y: r[1]}
	held := func(plus, minus string) float32 {
		return flag01(c.in.Held(plus)) - flag01(c.in.Held(minus))
	}
	move := ahead.Scale(held(actForward, actBack)).Add(right.Scale(held(actRight, actLeft)))
	move.Z += held(actLeanR, actLeanL) + held(actJump, actCrouch)
	n := move.Len()
	if n < 1e-3 {
		return
	}
	k := float32(t.speed) * dt / n
	if c.in.Held(actWalk) {
		k *= 4
	}
	t.eye = t.eye.Mad(k, move)
	b := t.lvl.Level.Bounds
	const out = 60 // metres beyond the level
	t.eye.X = vec.Clamp(t.eye.X, b.Min.X-out, b.Max.X+out)
	t.eye.Y = vec.Clamp(t.eye.Y, b.Min.Y-out, b.Max.Y+out)
	t.eye.Z = vec.Clamp(t.eye.Z, b.Min.Z-out, b.Max.Z+out)
}

// keyboard gives keyboard and mouse to whoever is to have them: the mouse turns the
// free camera, and else points at the bar.
func (t *theatre) keyboard() {
	g := t.g
	ui := g.overlay.Field() != NoField
	if ui != g.controls.UI() {
		g.controls.SetUI(ui)
		t.drag = false
	}
	want := t.flying && !ui && !g.cfg.Hidden && g.win.Focused()
	if want != g.captured {
		g.captured = want
		g.win.Capture(want)
	}
}
