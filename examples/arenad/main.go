// Command arenad is the dedicated server of the arena: the same match as arena's
// listen server, with no window, no OpenGL and no cgo in its dependencies.
//
//	arenad -map pit -port 27960
//	arenad -config server.toml +set sv.bots 12
//
// It prints one line when it is ready, reads console commands from its standard
// input while there is one, and ends on quit, SIGINT or SIGTERM with exit status 0.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/examples/internal/host"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return
		}
		fmt.Fprintln(os.Stderr, "arenad: "+err.Error())
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out, errs io.Writer) error {
	reg := console.New()
	set := host.Declare(reg)
	config.Register(reg)
	fl, err := host.ParseFlags("arenad", args, errs, reg, nil)
	if err != nil {
		return err
	}
	lines, err := set.Load(reg, fl.Flags, os.Environ())
	if err != nil {
		return err
	}
	if fl.ShowConfig {
		fmt.Fprint(out, config.Template(reg))
		return nil
	}
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: fl.LogLevel}))
	levels, err := host.NewLevels(host.OwnMaps(), set.Assets.Get(), set.Scale.Get())
	if err != nil {
		return err
	}
	key, err := host.LoadKey(fl.KeyFile)
	if err != nil {
		return err
	}
	sig := make(chan os.Signal, 2)
	signal.Notify(sig, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	h, err := host.Start(host.Config{Settings: set, Levels: levels, Log: log, Key: key})
	if err != nil {
		return err
	}
	quit := make(chan string, 1)
	reg.Command(console.Command{Name: "quit", Help: "Ends the server.", Run: func(*console.Call) error {
		select {
		case quit <- "the server was told to quit":
		default:
		}
		return nil
	}})
	commands(reg, h)
	host.DemoCommands(reg, h)
	for _, l := range lines {
		reg.Exec(l, out)
	}
	fmt.Fprintf(out, "arenad ready: %s on %s, level %s, %d bots\n", set.Name.Get(), h.Addr(), h.Server().Stats().Level, set.Bots.Get())

	go func() { // ends with the process: a read of standard input cannot be interrupted
		sc := bufio.NewScanner(in)
		for sc.Scan() {
			if line := strings.TrimSpace(sc.Text()); line != "" {
				reg.Exec(line, out)
			}
		}
		log.Debug("no more console input")
	}()
	var limit <-chan time.Time
	if fl.Seconds > 0 {
		limit = time.After(time.Duration(fl.Seconds * float64(time.Second)))
	}
	why := ""
	for why == "" {
		select {
		case why = <-quit:
		case s := <-sig:
			if s == syscall.SIGHUP {
				continue // a terminal that hung up does not end a server
			}
			why = "the server is shutting down"
			go func() { // asked twice: at once
				for s := range sig {
					if s != syscall.SIGHUP {
						os.Exit(1)
					}
				}
			}()
		case <-limit:
			why = "the time that the server was given is over"
		case <-h.Done():
			return errors.New("the server ended by itself")
		}
	}
	if fl.Seconds > 0 {
		host.Summary(out, h)
	}
	h.Stop(why)
	return nil
}

// commands are what an operator can tell a server.
func commands(reg *console.Registry, h *host.Host) {
	reg.Command(console.Command{Name: "status", Help: "Prints the level, the players and how the server fares.", Run: func(c *console.Call) error {
		done := make(chan struct{})
		if !h.Server().Do(func(s *server.Server) {
			for _, r := range s.Scores() {
				c.Printf("%4d  %-32s %3d kills %3d deaths %4d ms%s\n", r.ID, r.Name, r.Kills, r.Deaths, r.Ping, map[bool]string{true: "  bot"}[r.Bot])
			}
			close(done)
		}) {
			return errors.New("the server is busy: try again")
		}
		select {
		case <-done:
		case <-time.After(2 * time.Second):
			return errors.New("the server does not answer")
		}
		host.Summary(c.Out, h)
		return nil
	}})
	reg.Command(console.Command{Name: "kick", Usage: "NAME [REASON]", Help: "Ends a player's connection.", Min: 1, Max: -1, Run: func(c *console.Call) error {
		name, why := c.Args[0], "kicked"
		if len(c.Args) > 1 {
			why = strings.Join(c.Args[1:], " ")
		}
		found := make(chan bool, 1)
		if !h.Server().Do(func(s *server.Server) { found <- s.Kick(name, why) }) {
			return errors.New("the server is busy: try again")
		}
		select {
		case ok := <-found:
			if !ok {
				return fmt.Errorf("kick: nobody is named %q; status lists the players", name)
			}
			c.Printf("kicked %s: %s\n", name, why)
			return nil
		case <-time.After(2 * time.Second):
			return errors.New("the server does not answer")
		}
	}})
	reg.Command(console.Command{Name: "say", Usage: "TEXT", Help: "Says a line to everybody.", Min: 1, Max: -1, Run: func(c *console.Call) error {
		text := strings.Join(c.Args, " ")
		h.Server().Do(func(s *server.Server) { s.Say(text) })
		return nil
	}})
	reg.Command(console.Command{Name: "map", Usage: "NAME", Help: "Changes to a level at once; when it cannot be loaded the present one goes on.", Min: 1, Max: 1, Local: true, Run: func(c *console.Call) error {
		ref := c.Args[0]
		h.Server().Do(func(s *server.Server) { s.Change(ref) })
		return nil
	}})
	reg.Command(console.Command{Name: "next", Help: "Goes on to the next level of the rotation.", Run: func(c *console.Call) error {
		h.Server().Do(func(s *server.Server) { s.Next() })
		return nil
	}})
}
