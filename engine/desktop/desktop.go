package desktop

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/bots"
	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/snapshot"
	"github.com/sightline-engine/sightline/net/wire"
	"github.com/sightline-engine/sightline/render/draw"
	"github.com/sightline-engine/sightline/render/gpu"
	"github.com/sightline-engine/sightline/render/hud"
	"github.com/sightline-engine/sightline/render/scene"
	"github.com/sightline-engine/sightline/render/window"
	"github.com/sightline-engine/sightline/render/window/input"
)

// Config is what Run is told. Registry, Dial, Load, Tables and Now are needed.
type Config struct {
	Title         string
	Width, Height int // window units; 0: 1280 x 720
	Fullscreen    bool
	VSync         bool
	Hidden        bool // no window is shown

	// Registry gets the window's commands, and its settings when Vars is nil; one
	// Run per registry.
	Registry *console.Registry
	Vars     *Vars
	Lines    []string // run on the console when the window is open
	Log      *slog.Logger

	// Dial opens the way to a server; Run closes it.
	Dial  func() (link.Link, link.Addr, error)
	Hello handshake.ClientConfig
	Name  string
	// Load, Tables: see client.Config.
	Load   func(name string, hash [32]byte) (client.Loaded, error)
	Tables func(hash [32]byte) (tables.Set, bool)
	// Files returns where a level's pictures are; nil: generated looks.
	Files func(level string) Art

	// Autoplay puts a bot's brain at the controls; everything else is the same.
	Autoplay bool
	Skill    float32
	Seed     uint64
	// Seconds ends the run after a time; 0: when the player leaves.
	Seconds float64
	// Screenshot is a PNG file to be written at the end, of the best moment seen.
	Screenshot string
	// DataDir keeps settings, history and screenshots; "": nothing is kept.
	DataDir string
	// DemoFolder is where the commands record and stop keep demos; nil: there are no
	// such commands here. Disk, when not nil, stands before every such file.
	DemoFolder func() string
	Disk       func(io.Writer) io.Writer

	// Notices are lines for the player from the rest of the program. May be nil.
	Notices <-chan string

	// Now is a monotonic clock in nanoseconds.
	Now func() int64
	// Stop, when closed, ends the run as the window's close button does.
	Stop <-chan struct{}
	// ServerStats adds lines to the summary: what only the server knows.
	ServerStats func() []string
	// Tested appends to dst what the server tested of one player's shots since the last
	// call: given where the server is in this process, for cl.show_hitboxes.
	Tested func(dst []server.Shot, of state.ID) []server.Shot
	// Insight copies what a viewer was told of and what was withheld from it: given where
	// the server is in this process, for vis.draw and vis.above. There is no other way to
	// it: a server never sends it.
	Insight func(dst *server.Insight, of state.ID) bool
}

// Lock ties the main goroutine to the main thread, which window systems want: call
// it from an init function of the program.
func Lock() { window.Lock() }

// ErrRefused is wrapped by the error of a run that never came to play.
var ErrRefused = errors.New("not joined")

// game is one run.
type game struct {
	cfg  Config
	log  *slog.Logger
	reg  *console.Registry
	vars *Vars
	win  *window.Window
	dev  *gpu.Device
	draw *draw.Renderer

	client   *client.Client // nil while a demo is shown
	show     *theatre       // nil in a match
	tape     *tape          // nil while nothing is recorded
	link     link.Link
	driver   *bots.Driver
	controls *Controls
	overlay  *Overlay
	stage    Stage
	status   *status
	boxes    Hitboxes
	showing  Showing        // of vis.draw
	insight  server.Insight // for it
	above    Above
	nameOf   func(state.ID) string
	frame    scene.Frame
	view     View
	world    *trace.World // that is uploaded
	camera   vec.V3       // while there is nobody to look through
	watched  watched
	riding   riding

	captured    bool
	quit        bool
	shot        string // a screenshot is wanted, with this name
	best        moment
	sum         Summary
	knownSum    float64
	knownFrames int
	start       int64
	last        int64
}

// Run plays until the player leaves, the time is up or the window cannot go on. It
// must be called on the locked main thread (window.Lock). The summary counts also
// when there is an error.
func Run(cfg Config) (Summary, error) {
	g := &game{cfg: cfg, log: cfg.Log, reg: cfg.Registry}
	if g.reg == nil || cfg.Dial == nil || cfg.Load == nil || cfg.Tables == nil || cfg.Now == nil {
		return Summary{}, errors.New("desktop: registry, dial, load, tables and a clock are needed")
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if err := g.open(); err != nil {
		return g.sum, err
	}
	defer g.close()
	if err := g.connect(); err != nil {
		return g.sum, err
	}
	for _, line := range cfg.Lines {
		g.exec(line)
	}
	g.controls.Rebind()
	defer g.watch()()
	err := g.loop()
	g.finish()
	if err == nil && g.sum.Frames == 0 {
		err = errors.New("desktop: no frame was drawn")
	}
	if err == nil && !g.sum.Joined {
		err = fmt.Errorf("%w: %s", ErrRefused, g.client.Reason())
	}
	return g.sum, err
}

// watch closes the window when the program is told to stop, until done is called.
func (g *game) watch() (done func()) {
	stopped := make(chan struct{})
	if g.cfg.Stop != nil {
		go func() {
			select {
			case <-g.cfg.Stop:
				g.win.RequestClose()
			case <-stopped:
			}
		}()
	}
	return func() { close(stopped) }
}

// writer is what a demo is written to.
func (c *Config) writer(f io.Writer) io.Writer {
	if c.Disk != nil {
		return c.Disk(f)
	}
	return f
}

func (g *game) open() error {
	if g.vars = g.cfg.Vars; g.vars == nil {
		g.vars = Declare(g.reg)
	}
	g.overlay = NewOverlay(g.reg)
	g.controls = NewControls(g.reg.Binds(), g.exec, g.overlay.Feed)
	g.overlay.Submit, g.overlay.Pick = g.submit, g.pick
	g.commands()
	BindDefaults(g.reg.Binds())
	g.recall()
	if g.show != nil {
		g.controls.binds = demoBinds(g.reg.Binds())
	}
	g.controls.Rebind()
	title := g.cfg.Title
	if title == "" {
		title = "Sightline"
	}
	w, err := window.Open(window.Config{
		Title: title, Width: g.cfg.Width, Height: g.cfg.Height, Hidden: g.cfg.Hidden,
		Fullscreen: g.cfg.Fullscreen || g.vars.Fullscreen.Get(), VSync: g.cfg.VSync && g.vars.VSync.Get(),
	})
	if err != nil {
		return err
	}
	g.win = w
	g.overlay.Clipboard = w.Clipboard
	if g.dev, err = gpu.New(); err != nil {
		w.Close()
		return err
	}
	info := g.dev.Info()
	g.sum.Renderer = info.Renderer
	if g.draw, err = draw.New(g.dev, g.options()); err != nil {
		w.Close()
		return err
	}
	again := func() { w.Do(func() { g.draw.SetOptions(g.options()) }) }
	g.vars.Samples.OnChange(func(int) { again() })
	g.vars.Bloom.OnChange(func(bool) { again() })
	g.vars.Exposure.OnChange(func(float64) { again() })
	g.vars.Scale.OnChange(func(float64) { again() })
	g.vars.VSync.OnChange(func(on bool) { w.Do(func() { w.SetVSync(on) }) })
	g.vars.Fullscreen.OnChange(func(on bool) { w.Do(func() { w.SetFullscreen(on) }) })
	g.stage.Reset()
	g.status = newStatus()
	g.log.Info("window open", "renderer", info.Renderer, "opengl", info.Version, "software", info.Software)
	return nil
}

// options is how much work a picture is worth, as far as the player has a say.
func (g *game) options() draw.Options {
	o := draw.Defaults(g.dev.Info())
	if n := g.vars.Samples.Get(); n >= 0 {
		o.Samples = n
	}
	if n := g.vars.Shadows.Get(); n >= 0 {
		o.Shadows = n
	}
	if k := g.vars.Scale.Get(); k > 0 {
		o.Scale = float32(k)
	}
	o.Bloom = o.Bloom && g.vars.Bloom.Get()
	o.Exposure = float32(g.vars.Exposure.Get())
	return o
}

func (g *game) close() {
	g.draw.Close()
	g.win.Close()
}

func (g *game) connect() error {
	l, addr, err := g.cfg.Dial()
	if err != nil {
		return fmt.Errorf("reach the server: %w", err)
	}
	cfg := client.Config{
		Link: l, Server: addr, Name: g.cfg.Name, Hello: g.cfg.Hello, Load: g.cfg.Load, Tables: g.cfg.Tables,
		Input: g.command, Notice: g.notice, Event: g.event, Cancel: g.stage.Cancel, Log: g.log,
		Snapshot: func(s *snapshot.Snapshot) {
			if g.tape != nil {
				g.tape.snapshot(g.client, s)
			}
		},
	}
	if !g.cfg.Autoplay {
		cfg.Trigger = g.controls.Trigger
	} else {
		skill := g.cfg.Skill
		if skill == 0 {
			skill = 0.75
		}
		var graph *nav.Graph
		var of *trace.World
		g.driver = &bots.Driver{Seed: g.cfg.Seed, Skill: skill, Graph: func(w *trace.World, m *tables.Movement) *nav.Graph {
			if of != w {
				of, graph = w, nav.Build(w, m)
			}
			return graph
		}}
	}
	if g.client, err = client.New(cfg); err != nil {
		l.Close()
		return err
	}
	g.link = l
	return nil
}

// command makes the command of a tick for the client: the player's, or the bot's.
func (g *game) command(c *client.Client, tick state.Tick) state.Cmd {
	if g.driver == nil {
		return g.controls.Command(tick)
	}
	return g.driver.Input(c, tick)
}

// event is told of everything that happens around the player.
func (g *game) event(e *state.Event, predicted bool) {
	if e.Actor == g.client.ID() && (e.Kind == state.EvSpawn || e.Kind == state.EvTeleport && e.Param == 1) {
		g.controls.SetAngles(float64(e.Yaw.Deg()), 0)
	}
	if g.driver != nil {
		g.driver.Event(e, predicted)
	}
	g.ownShot(e, predicted)
	g.stage.Predicted(e, g.client.Key())
	g.status.event(g.client, e)
}

func (g *game) notice(m wire.Message) {
	if g.tape != nil {
		g.tape.news(m)
	}
	if line := g.status.tell(g.client, m); line != "" {
		g.overlay.Print(line, scene.RGBA{R: 150, G: 190, B: 230, A: 255})
	}
}

// notices shows what the rest of the program has to say, a line in each frame.
func (g *game) notices() {
	select {
	case line, ok := <-g.cfg.Notices:
		if ok {
			fmt.Fprintln(g.overlay, line)
			g.status.notice(line, demoAccent)
		}
	default:
	}
}

// loop is the program's frame loop.
func (g *game) loop() error {
	g.start = g.cfg.Now()
	g.last = g.start
	for !g.quit {
		now := g.cfg.Now()
		dt := float32(min(float64(now-g.last)/1e9, 0.1))
		g.last = now
		g.input()
		g.client.Advance(now)
		g.mindTape()
		g.notices()
		g.reg.Frame()
		if g.cfg.Seconds > 0 && float64(now-g.start)/1e9 >= g.cfg.Seconds {
			g.quit = true
		}
		if g.client.State() == client.Gone && (g.cfg.Autoplay || g.cfg.Seconds > 0 || g.cfg.Hidden) {
			g.quit = true // nobody is there to read why
		}
		if err := g.picture(now, dt); err != nil {
			return err
		}
		g.pace(now)
	}
	return nil
}

// input takes what was done since the last frame.
func (g *game) input() {
	c := g.controls
	c.Begin()
	for _, e := range g.win.Poll() {
		if e.Kind == input.Close {
			g.quit = true
		}
		if e.Kind == input.Press && e.Key == input.Escape && !c.UI() {
			if g.client.State() == client.Gone {
				g.quit = true
			}
			g.overlay.Open(MenuField)
			g.keyboard()
			continue
		}
		c.Feed(e)
		g.keyboard()
	}
	if g.driver == nil {
		s := g.vars.Sensitivity.Get()
		z := &g.stage.zoom
		if z.raise > 0 {
			s *= float64(z.narrow) * (1 + float64(z.raise)*(g.vars.Zoom.Get()-1))
		}
		c.LookThrough(z, s, g.vars.Invert.Get(), g.view.DT)
	}
}

// keyboard gives keyboard and mouse to whoever is to have them.
func (g *game) keyboard() {
	if g.show != nil {
		g.show.keyboard()
		return
	}
	ui := g.overlay.Field() != NoField
	if ui != g.controls.UI() {
		g.controls.SetUI(ui)
	}
	want := !ui && !g.cfg.Hidden && !g.cfg.Autoplay && g.client.State() != client.Gone && g.win.Focused()
	if want != g.captured {
		g.captured = want
		g.win.Capture(want)
	}
}

// picture draws one frame.
func (g *game) picture(now int64, dt float32) error {
	w, h, ok := g.win.Drawable()
	if !ok {
		time.Sleep(10 * time.Millisecond) // minimised: the net goes on, pixels do not
		return nil
	}
	g.keyboard()
	if err := g.level(); err != nil {
		return err
	}
	g.client.Ease(dt)
	g.look(now, dt)
	g.frame.HUD.Resize(w, h)
	g.stage.Build(&g.frame, &g.view)
	g.hitboxes(dt)
	g.visDraw(w, h)
	if uw, _ := g.win.Size(); uw > 0 {
		g.overlay.SetPixels(float64(w) / float64(uw))
	}
	m := g.status.fill(g.client, &g.stage, &g.view, g.vars, g.controls.Scores() && !g.controls.UI())
	g.status.watching(m, &g.watched, g.client)
	g.hint(m)
	if !m.Hide {
		g.stage.marks.draw(&g.frame, w, h, g.view.Eye, g.client)
	}
	if err := g.render(m, w, h, dt); err != nil {
		return err
	}
	g.pictures(now, w, h)
	g.win.Swap()
	return nil
}

// render draws the console and the HUD over what the frame holds, and all of it.
func (g *game) render(m *hud.Model, w, h int, dt float32) error {
	m.Console = g.overlay.Draw(&g.frame.HUD, dt, "Sightline")
	hud.Draw(&g.frame.HUD, m)
	if err := g.draw.Render(&g.frame, nil, w, h); err != nil {
		return fmt.Errorf("draw a frame: %w", err)
	}
	g.sum.Frames++
	if g.sum.Frames%256 == 1 {
		if err := g.dev.Err("draw a frame"); err != nil {
			return err
		}
	}
	return nil
}

// level uploads the level that the server plays when it has changed.
func (g *game) level() error { return g.upload(g.client.Level()) }

func (g *game) upload(l client.Loaded) error {
	if l.World == nil || l.World == g.world {
		return nil
	}
	g.world = l.World
	art := Art{}
	if g.cfg.Files != nil {
		art = g.cfg.Files(l.Level.Name)
	}
	if art.Log == nil {
		art.Log = g.log
	}
	w := BuildWorld(l.Level, art)
	if err := g.draw.UploadWorld(w); err != nil {
		return fmt.Errorf("show level %s: %w", l.Level.Name, err)
	}
	g.stage.Reset()
	g.best.kept, g.best.score = false, 0
	g.camera = overlook(l.Level)
	g.log.Info("level shown", "level", l.Level.Name, "meshes", len(w.Meshes), "materials", len(w.Materials), "lightmaps", len(w.Lightmaps), "lamps", len(w.Lamps))
	return nil
}

// look fills the view of this frame from the client and the hand on the mouse.
func (g *game) look(now int64, dt float32) {
	v := &g.view
	c := g.client
	v.Time, v.DT = float64(now-g.start)/1e9, dt
	v.FOV, v.Bob, v.Weapon = float32(g.vars.FOV.Get()), g.vars.Bob.Get(), g.vars.ShowWeapon.Get()
	v.ID, v.Tables = c.ID(), c.Tables()
	v.TickMS = 1000 / float32(max(c.TickRate(), 1))
	v.Others = v.Others[:0]
	v.Clouds.Clouds = v.Clouds.Clouds[:0]
	v.Own, v.Alive, v.Scene = nil, false, trace.Scene{}
	if c.Level().World == nil || c.State() == client.Connecting || c.State() == client.Joining {
		v.Eye, v.Yaw, v.Pitch = g.camera, float32(v.Time*4), -8
		return
	}
	v.Scene = c.Scene()
	v.Others = c.Others(v.Others)
	c.Clouds(&v.Clouds)
	if c.Stats().Snapshots == 0 {
		v.Eye, v.Yaw, v.Pitch = g.camera, float32(v.Time*4), -8
		return
	}
	g.sum.Joined = true
	g.knownSum += float64(c.Known())
	g.knownFrames++
	v.Own = c.Own()
	v.Alive = v.Own.Alive()
	v.Eye = c.Eye()
	if g.driver != nil {
		// A bot turns once per tick: the picture follows in between.
		yaw, pitch := g.controls.Angles()
		k := float64(vec.Clamp(dt/0.04, 0, 1))
		g.controls.Turn(float64(vec.WrapDeg(v.Own.Yaw.Deg()-float32(yaw)))*k, (float64(v.Own.Pitch.Deg())-pitch)*k)
	}
	g.ride()
	yaw, pitch := g.controls.Angles()
	v.Yaw, v.Pitch = float32(yaw), float32(pitch)
	g.watchOthers()
}

// pace waits where there is a limit of frames per second.
func (g *game) pace(began int64) {
	most := g.vars.MaxFPS.Get()
	if most == 0 {
		return
	}
	if left := int64(1e9)/int64(most) - (g.cfg.Now() - began); left > 0 {
		time.Sleep(time.Duration(left))
	}
}

// exec runs the line of a key, or one that was typed.
func (g *game) exec(line string) {
	g.reg.Exec(line, g.overlay)
	g.keyboard()
}

// submit takes a finished line.
func (g *game) submit(f Field, line string) {
	if f != ConsoleField && g.client == nil {
		g.show.say("nobody hears you in a demo")
		return
	}
	if f != ConsoleField {
		g.client.Say(line, f == TeamField)
		return
	}
	g.exec(line)
	g.controls.Rebind()
}

func (g *game) pick(item int) {
	switch item {
	case MenuConsole:
		g.overlay.Open(ConsoleField)
	case MenuLeave:
		g.quit = true
		fallthrough
	default:
		g.overlay.Open(NoField)
	}
}

// clientFile is where a player's settings are kept.
const clientFile = "client.cfg"

// recall reads the settings and the history of the last run.
func (g *game) recall() {
	if g.cfg.DataDir == "" {
		return
	}
	if err := os.MkdirAll(g.cfg.DataDir, 0o755); err != nil {
		g.log.Warn("settings are not kept", "error", err)
		g.cfg.DataDir = ""
		return
	}
	root, err := console.OpenRoot(g.cfg.DataDir)
	if err != nil {
		g.log.Warn("settings are not kept", "error", err)
		g.cfg.DataDir = ""
		return
	}
	g.reg.SetFiles(root)
	if _, err := os.Stat(filepath.Join(g.cfg.DataDir, clientFile)); err == nil {
		src := console.Source{Layer: console.LayerHost, Where: clientFile}
		g.reg.ExecFrom("exec "+clientFile, g.overlay, src)
	}
	if f, err := os.Open(filepath.Join(g.cfg.DataDir, "history.txt")); err == nil {
		g.overlay.History.Load(f)
		f.Close()
	}
}

// finish says goodbye and keeps what is to be kept.
func (g *game) finish() {
	g.measure()
	if g.tape != nil {
		g.tape.rec.Stop(nil)
		g.endTape(g.overlay)
	}
	g.client.Quit("player leaves")
	g.link.Close()
	g.keep()
}

// keep writes the settings and the history for the next run.
func (g *game) keep() {
	if g.cfg.DataDir == "" || g.cfg.Autoplay {
		return
	}
	var out strings.Builder
	if err := g.reg.Exec("writeconfig "+clientFile, &out); err != nil {
		g.log.Warn("settings not kept", "error", err)
	}
	f, err := os.Create(filepath.Join(g.cfg.DataDir, "history.txt"))
	if err == nil {
		err = g.overlay.History.Save(f)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		g.log.Warn("history not kept", "error", err)
	}
}
