// Command arena is the playable example: a window, and either a listen server of
// its own with bots, rules and policy, or somebody else's server.
//
//	arena                        play the shipped levels against 7 bots
//	arena -map some.pk3:maps/x.bsp -assets folder
//	arena -join host:port
//	arena -demo some.sldemo
//	arena -autoplay -seconds 20 -screenshot out/play.png
//
// With -autoplay a bot is at the local player's controls and the exit status says
// whether it joined, moved 10 m, fired, and drew a picture that is not blank.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/examples/internal/host"
	"github.com/sightline-engine/sightline/net/handshake"
	"github.com/sightline-engine/sightline/net/link"
	"github.com/sightline-engine/sightline/net/udp"
)

func init() { desktop.Lock() } // the window belongs to the first thread

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "arena: "+err.Error())
		os.Exit(1)
	}
}

// options are the flags that arena has beside those of every host.
type options struct {
	join, token, shot, name, data string
	demo                          string
	partial                       bool
	autoplay, fullscreen          bool
	width, height                 int
}

func run(args []string, out, errs io.Writer) error {
	reg := console.New()
	set := host.Declare(reg)
	vars := desktop.Declare(reg)
	config.Register(reg)
	var o options
	fl, err := host.ParseFlags("arena", args, errs, reg, func(f *flag.FlagSet) {
		f.StringVar(&o.join, "join", "", "joins the server at `host:port` instead of starting one")
		f.StringVar(&o.token, "token", "", "`file` with the ticket that a matchmaker gave for the server of -join; good for one connection")
		f.StringVar(&o.name, "name", playerName(), "the `name` to play under")
		f.StringVar(&o.shot, "screenshot", "", "writes a picture of the best moment to `file` (PNG) at the end")
		f.StringVar(&o.data, "data", dataDir(), "`folder` for settings, history and the keys of known servers; empty keeps nothing")
		f.StringVar(&o.demo, "demo", "", "plays a recorded match from `file` (.sldemo); F1 lists the keys")
		f.BoolVar(&o.partial, "partial", false, "with -demo: plays what is whole of a demo that was cut off")
		f.BoolVar(&o.autoplay, "autoplay", false, "puts a bot at the controls")
		f.BoolVar(&o.fullscreen, "fullscreen", false, "covers the whole display")
		f.IntVar(&o.width, "width", 1280, "of the window")
		f.IntVar(&o.height, "height", 720, "of the window")
	})
	if err != nil {
		return err
	}
	if o.width < 1 || o.height < 1 || o.width > 16384 || o.height > 16384 {
		return fmt.Errorf("-width %d -height %d: a window is 1 to 16384 wide and high", o.width, o.height)
	}
	if o.token != "" && o.join == "" {
		return errors.New("-token: it is for the server of -join, which is missing")
	}
	if fl.Given["join"] && o.join == "" {
		return errors.New("-join: an address is needed: host:port")
	}
	switch {
	case fl.Given["demo"] && o.demo == "":
		return errors.New("-demo: a file is needed")
	case o.demo != "" && (o.join != "" || o.autoplay):
		return errors.New("-demo: a demo is watched, not played: without -join and -autoplay")
	case o.partial && o.demo == "":
		return errors.New("-partial: only with -demo FILE")
	}
	lines, err := set.Load(reg, fl.Flags, os.Environ())
	if err != nil {
		return err
	}
	if fl.ShowConfig {
		fmt.Fprint(out, config.Template(reg))
		return nil
	}
	level := fl.LogLevel
	if o.autoplay && level == slog.LevelInfo {
		level = slog.LevelWarn
	}
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: level}))
	levels, err := host.NewLevels(host.OwnMaps(), set.Assets.Get(), set.Scale.Get())
	if err != nil {
		return err
	}
	if o.autoplay {
		o.data = "" // a run without a person leaves a person's settings alone
	}
	cfg := desktop.Config{
		Title: "Sightline arena", Width: o.width, Height: o.height, Fullscreen: o.fullscreen, VSync: true,
		Registry: reg, Vars: vars, Lines: lines, Log: log, Name: o.name, Tables: host.TablesByHash,
		Autoplay: o.autoplay, Skill: 0.7, Seed: 99, Seconds: fl.Seconds, Screenshot: o.shot, DataDir: o.data,
	}
	shown := &art{levels: levels}
	cfg.Load, cfg.Files = shown.load, shown.files

	sig := make(chan os.Signal, 1)
	signal.Notify(sig, os.Interrupt, syscall.SIGTERM)
	stop := make(chan struct{})
	go func() { <-sig; close(stop) }()
	cfg.Stop = stop

	if o.demo != "" {
		if fl.Map != "" { // the demo's level lies where no search path leads
			got, err := levels.Open(fl.Map)
			if err != nil {
				return err
			}
			got.Files.Close()
		}
		return show(cfg, o, out)
	}
	if o.join != "" {
		cfg.DemoFolder = set.DemoFolder.Get // beside a server of its own, record is the server's
		return join(cfg, o, out)
	}
	key, err := host.LoadKey(fl.KeyFile)
	if err != nil {
		return err
	}
	notices := make(chan string, 8) // what does not fit is in the log
	cfg.Notices = notices
	h, err := host.Start(host.Config{Settings: set, Levels: levels, Log: log, Key: key, Notice: func(line string) {
		select {
		case notices <- line:
		default:
		}
	}})
	if err != nil {
		return err
	}
	defer h.Stop("the host has left")
	host.Commands(reg, h, false)
	pub := h.Key()
	cfg.Dial, cfg.Now = h.Dial, h.Now
	cfg.Hello = handshake.ClientConfig{Server: "this machine", Key: &pub}
	cfg.Tested = h.TestedShots
	cfg.Insight = h.Insight
	cfg.ServerStats = func() []string {
		var b bytes.Buffer
		host.Summary(&b, h)
		return strings.Split(strings.TrimSpace(b.String()), "\n")
	}
	return play(cfg, out)
}

// join connects to somebody else's server, whose key is remembered at first use.
func join(cfg desktop.Config, o options, out io.Writer) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	addr, err := udp.Resolve(ctx, o.join, 27960)
	if err != nil {
		return err
	}
	began := time.Now()
	cfg.Now = func() int64 { return int64(time.Since(began)) + 1 }
	cfg.Dial = func() (link.Link, link.Addr, error) {
		c, err := udp.Listen(":0", udp.Options{})
		return c, addr, err
	}
	cfg.Hello = handshake.ClientConfig{Server: udp.Name(o.join, 27960)}
	if o.token != "" {
		ticket, err := host.LoadTicket(o.token)
		if err != nil {
			return fmt.Errorf("-token: %w", err)
		}
		ticket.Use(&cfg.Hello)
	}
	if o.data != "" {
		pins, err := openPins(filepath.Join(o.data, "known_servers"))
		if err != nil {
			return err
		}
		cfg.Hello.Pins = pins
	}
	return play(cfg, out)
}

// play runs the window and, for a run without a person, judges it.
func play(cfg desktop.Config, out io.Writer) error {
	sum, err := desktop.Run(cfg)
	if (cfg.Autoplay || cfg.Seconds > 0) && sum.Renderer != "" { // a window came up
		sum.Print(out)
	}
	if err != nil {
		return err
	}
	if cfg.Autoplay {
		return sum.Judge()
	}
	return nil
}

// art loads levels and remembers where their pictures are.
type art struct {
	levels *host.Levels
	last   *host.Loaded
}

func (a *art) load(name string, hash [32]byte) (client.Loaded, error) {
	got, err := a.levels.OpenNamed(name, hash)
	if err != nil {
		return client.Loaded{}, err
	}
	if a.last != nil {
		a.last.Files.Close()
	}
	a.last = got
	return got.Loaded, nil
}

func (a *art) files(string) desktop.Art {
	if a.last == nil {
		return desktop.Art{}
	}
	return desktop.Art{Files: a.last.Files, Shaders: a.last.Shaders.Lookup}
}

func playerName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "player"
}

func dataDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "sightline")
}
