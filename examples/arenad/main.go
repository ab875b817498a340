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
	host.Commands(reg, h, true)
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
