package desktop

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/scenery"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/wire"
)

// theatre is a demo that is being shown: a place in it, and from whose eyes or from
// where it is looked at. It stands where a game has its client.
type theatre struct {
	g    *game
	p    *demo.Player
	name string
	lvl  client.Loaded
	set  tables.Set // of the place
	base tables.Set // of the demo's header; its Version is 0 where this program does not have them
	blob []byte     // that set was read from; none: it is base

	who      state.ID // who is followed, or was last
	flying   bool     // the camera is free
	knew     bool     // only what who had been told is shown
	withheld bool     // and what it had not been told, as hollow outlines
	names    bool
	keys     bool // the list of keys is open

	eye   vec.V3  // of the camera
	speed float64 // of flying, m/s

	marks marks // kills, on the bar

	doors  []state.DoorState // as they are shown; while knew, as they were last told of
	poses  []level.Pose
	own    state.Player
	shown  []client.Shown
	hidden []client.Shown // withheld from who
	tags   []tag
	scores []state.Score
	known  int // living players that who had been told of
	kept   int // and those it had not

	said    string // a line below the bar
	saidAge float32
	pointer [2]float64 // window units
	drag    bool       // the bar is being pulled
	bar     [4]float32 // left, top, width, height as drawn last, HUD units
	ended   bool
	fresh   bool // the eyes have just been entered: nothing is raised or lowered
	wild    bool // the demo ended in the middle, and that has been said
}

// RunDemo shows a demo instead of a match: of cfg, Dial, Hello, Name and Autoplay
// are not used. The rest is as for Run. A level or tables that are missing, or not
// those of the demo, are an error in one sentence.
func RunDemo(cfg Config, r *demo.Reader, name string) (Summary, error) {
	g := &game{cfg: cfg, log: cfg.Log, reg: cfg.Registry}
	if g.reg == nil || cfg.Load == nil || cfg.Tables == nil || cfg.Now == nil {
		return Summary{}, errors.New("desktop: registry, load, tables and a clock are needed")
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	t, err := newTheatre(&g.cfg, r, name)
	if err != nil {
		return Summary{}, err
	}
	t.g, g.show = g, t
	if err := g.open(); err != nil {
		return g.sum, err
	}
	defer g.close()
	defer g.watch()()
	for _, line := range cfg.Lines {
		g.exec(line)
	}
	g.controls.Rebind()
	err = t.loop()
	t.finish()
	if err == nil && g.sum.Frames == 0 {
		err = errors.New("desktop: no frame was drawn")
	}
	return g.sum, err
}

// newTheatre finds the level and the tables that a demo was recorded with.
func newTheatre(cfg *Config, r *demo.Reader, name string) (*theatre, error) {
	info := r.Info()
	t := &theatre{name: name, speed: 10, names: true, withheld: true, fresh: true, who: info.Client, knew: info.Client != 0}
	var ok bool
	if t.base, ok = cfg.Tables(info.TablesHash); !ok {
		t.base = tables.Set{}
	}
	t.set = t.base
	var err error
	if t.lvl, err = cfg.Load(info.Level, info.LevelHash); err != nil {
		return nil, fmt.Errorf("%s was recorded on level %s, which is not here: %w", name, info.Level, err)
	}
	if t.lvl.Level.Hash != info.LevelHash {
		return nil, fmt.Errorf("%s was recorded on another copy of level %s than the one that is here: get the same map", name, info.Level)
	}
	t.marks.r = r.Fork()
	if t.p, err = demo.NewPlayer(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t.poses = make([]level.Pose, len(t.lvl.Level.Models))
	t.eye = overlook(t.lvl.Level)
	t.still()
	a, _, _ := t.p.Frames()
	if t.tables(a); t.set.Version == 0 {
		return nil, fmt.Errorf("%s was played by tables that this program does not have: get the version that recorded it", name)
	}
	if t.who == 0 {
		t.who = t.first(a)
	}
	return t, nil
}

// tables takes the tables of a frame. Of what is damaged it keeps those from before.
func (t *theatre) tables(f *demo.Frame) {
	if bytes.Equal(f.Tables, t.blob) {
		return
	}
	t.blob = append(t.blob[:0], f.Tables...)
	if len(f.Tables) == 0 {
		if t.base.Version != 0 {
			t.set = t.base
		}
		return
	}
	set, err := wire.ParseTables(f.Tables)
	if err != nil {
		t.say("the tables of this place cannot be read: " + err.Error())
		return
	}
	t.set = *set
}

// first is who is followed at the start: a person before a bot.
func (t *theatre) first(f *demo.Frame) state.ID {
	var best state.ID
	for i := range f.Roster {
		switch s := &f.Roster[i]; {
		case !s.Bot:
			return s.ID
		case best == 0:
			best = s.ID
		}
	}
	return best
}

func (t *theatre) loop() error {
	g := t.g
	g.start = g.cfg.Now()
	g.last = g.start
	for !g.quit {
		now := g.cfg.Now()
		dt := float32(min(float64(now-g.last)/1e9, 0.1))
		g.last = now
		t.input(dt)
		t.p.Advance(float64(dt), t.passed)
		t.tellEnd()
		g.reg.Frame()
		if g.cfg.Seconds > 0 && float64(now-g.start)/1e9 >= g.cfg.Seconds {
			g.quit = true
		}
		if err := t.picture(now, dt); err != nil {
			return err
		}
		g.pace(now)
	}
	return nil
}

// tellEnd says once why a demo goes no further, when that is not its end.
func (t *theatre) tellEnd() {
	var err error
	if t.ended, err = t.p.Ended(); err != nil && !t.wild {
		t.wild = true
		t.say("it goes no further: " + err.Error())
		fmt.Fprintln(t.g.overlay, t.said)
	}
}

// say shows a line for a while.
func (t *theatre) say(line string) { t.said, t.saidAge = line, 0 }

// passed takes a frame that time went over: what happened in it is seen and told.
func (t *theatre) passed(f *demo.Frame) {
	g := t.g
	events := f.Events
	if t.knew {
		v := f.Viewer(t.who)
		if v == nil {
			return
		}
		t.tellDoors(f, v)
		events = v.Events
	}
	for i := range events {
		e := events[i]
		if e.Only != 0 && (e.Only != t.who || t.flying) {
			continue
		}
		if t.flying && e.Kind == state.EvHurt {
			continue // the red of a screen is nobody's here
		}
		g.stage.Event(&e, false)
		g.status.event(t, &e)
	}
}

// tellDoors keeps what a viewer was told of doors.
func (t *theatre) tellDoors(f *demo.Frame, v *demo.Viewer) {
	for i := range min(len(f.Doors), len(v.Doors), len(t.doors)) {
		if v.Doors[i] {
			t.doors[i] = f.Doors[i]
		}
	}
}

// still sets the doors as a level begins: what a viewer knows who has been told
// nothing.
func (t *theatre) still() {
	t.doors = t.doors[:0]
	for i := range t.lvl.Level.Doors {
		d := scenery.Rest(&t.lvl.Level.Doors[i], 0)
		if d.Open {
			d.From = 65535
		}
		t.doors = append(t.doors, d)
	}
}

// cut is a jump in time, or into other eyes: nothing is carried over.
func (t *theatre) cut(time bool) {
	t.still()
	t.fresh = true
	if time {
		t.g.stage.Reset()
		t.g.status.forget()
		t.wild = false
		return
	}
	t.g.stage.otherEyes()
}

// seek goes to a place in seconds.
func (t *theatre) seek(seconds float64) {
	i := t.p.Info()
	if err := t.p.Seek(float64(i.First) + seconds*float64(i.TickRate)); err != nil {
		t.say(err.Error())
	}
	t.cut(true)
}

// picture draws one frame.
func (t *theatre) picture(now int64, dt float32) error {
	g := t.g
	w, h, ok := g.win.Drawable()
	if !ok {
		time.Sleep(10 * time.Millisecond)
		return nil
	}
	t.keyboard()
	if err := g.upload(t.lvl); err != nil {
		return err
	}
	t.look(dt)
	t.marks.read(marksPerFrame)
	g.frame.HUD.Resize(w, h)
	g.stage.Build(&g.frame, &g.view)
	t.outlines(&g.frame)
	if uw, _ := g.win.Size(); uw > 0 {
		g.overlay.SetPixels(float64(w) / float64(uw))
	}
	m := g.status.fillDemo(t, g.controls.Scores() && !g.controls.UI())
	if !m.Hide {
		t.drawTags(&g.frame, w, h)
		t.draw(&g.frame.HUD, dt)
	}
	if err := g.render(m, w, h, dt); err != nil {
		return err
	}
	g.screenshot(w, h)
	if g.cfg.Screenshot != "" {
		g.best.kept, g.best.score, g.best.at, g.best.w, g.best.h = true, 1, now, w, h
		copyFrame(&g.best.frame, &g.frame)
	}
	g.win.Swap()
	return nil
}

// finish fills the summary and keeps what is to be kept.
func (t *theatre) finish() {
	g := t.g
	s := &g.sum
	s.Demo = t.name
	s.Level = t.lvl.Level.Name
	s.Seconds = max(float64(g.cfg.Now()-g.start)/1e9, 1e-9)
	s.FPS = float64(s.Frames) / s.Seconds
	s.DemoAt = t.p.Seconds()
	g.keepPicture()
	g.keep()
}

// ID, Player, Scores, Tables, Level and Server are what a status asks of whoever
// knows the match.

// ID returns whose eyes these are, 0 for nobody's.
func (t *theatre) ID() state.ID {
	if t.flying {
		return 0
	}
	return t.who
}

// Player returns what is known of a player by name and team.
func (t *theatre) Player(id state.ID) (wire.Player, bool) {
	a, _, _ := t.p.Frames()
	for i := range a.Roster {
		if s := &a.Roster[i]; s.ID == id {
			return wire.Player{ID: id, Team: s.Team, Bot: s.Bot, Name: s.Name}, true
		}
	}
	return wire.Player{}, false
}

// Scores returns the board, best first.
func (t *theatre) Scores() []state.Score {
	a, _, _ := t.p.Frames()
	t.scores = append(t.scores[:0], a.Roster...)
	for i := 1; i < len(t.scores); i++ {
		for j := i; j > 0 && t.scores[j].Points > t.scores[j-1].Points; j-- {
			t.scores[j], t.scores[j-1] = t.scores[j-1], t.scores[j]
		}
	}
	return t.scores
}

// Tables returns the tables of the match.
func (t *theatre) Tables() *tables.Set { return &t.set }

// Level returns the level.
func (t *theatre) Level() client.Loaded { return t.lvl }

// Server returns what the server called itself.
func (t *theatre) Server() string { return t.p.Info().Server }

// teller is what a status asks of whoever knows the match: a client, or a demo.
type teller interface {
	ID() state.ID
	Player(id state.ID) (wire.Player, bool)
	Scores() []state.Score
	Tables() *tables.Set
	Level() client.Loaded
	Server() string
}

var (
	_ teller = (*client.Client)(nil)
	_ teller = (*theatre)(nil)
)

// errNoDemo is said when a demo is told something and none is shown.
var errNoDemo = errors.New("no demo is playing: arena -demo FILE plays one")

// place returns the present place as a tick and its fraction.
func (t *theatre) place() (tick state.Tick, frac uint8) {
	f := math.Floor(t.p.At())
	return state.Tick(f), uint8((t.p.At() - f) * 256)
}
