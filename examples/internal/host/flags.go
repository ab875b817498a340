package host

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/net/handshake"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// Line is a parsed command line.
type Line struct {
	Flags
	KeyFile    string
	Seconds    float64
	ShowConfig bool
	LogLevel   slog.Level
	Given      map[string]bool // the flags that the command line has
}

// ParseFlags reads a command line. more, when not nil, adds a program's own flags.
// Its errors are one sentence; -help prints the usage and is flag.ErrHelp.
func ParseFlags(name string, args []string, errs io.Writer, reg *console.Registry, more func(*flag.FlagSet)) (*Line, error) {
	rest, plus := config.ParsePlusArgs(args)
	l := &Line{}
	var assets string
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&l.Config, "config", "", "`file` of settings (TOML); an unknown key is an error")
	f.StringVar(&l.Map, "map", "", "`level` to play instead of the rotation: a name, a .map or .bsp file, or archive.pk3:maps/file.bsp")
	f.StringVar(&assets, "assets", "", "`places` for levels and pictures: folders and .pk3 files, separated by "+string(filepath.ListSeparator))
	f.StringVar(&l.Plugins, "plugins", "", "`folder` of the plugins, searched before the program's own")
	f.StringVar(&l.KeyFile, "key", "", "`file` with the server's private key, made when it is not there; without, each run has a new one")
	f.Float64Var(&l.Seconds, "seconds", 0, "ends after so many `seconds` and prints a summary; 0 runs until told to quit")
	f.BoolVar(&l.ShowConfig, "show-config", false, "prints all settings as a TOML file and ends")
	verbose := f.Bool("v", false, "writes more to the log")
	if more != nil {
		more(f)
	}
	f.Usage = func() {}
	err := f.Parse(rest)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(errs, "usage: %s [flags] [+set NAME VALUE] [+COMMAND ARGS]\n\nFlags:\n", name)
		f.SetOutput(errs)
		f.PrintDefaults()
		Usage(errs, reg)
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%s -help lists the flags)", err, name)
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is no flag: a level is named with -map %s", f.Arg(0), f.Arg(0))
	}
	l.Given = map[string]bool{}
	f.Visit(func(g *flag.Flag) { l.Given[g.Name] = true })
	if !(l.Seconds >= 0 && l.Seconds <= maxSeconds) {
		return nil, fmt.Errorf("-seconds %v: allowed: 0 to %d", l.Seconds, maxSeconds)
	}
	if l.Plugins != "" {
		if st, err := os.Stat(l.Plugins); err != nil || !st.IsDir() {
			return nil, fmt.Errorf("-plugins %s: there is no such folder; make plugins builds them into bin", l.Plugins)
		}
	}
	if assets != "" {
		l.Assets = strings.Split(assets, string(filepath.ListSeparator))
	}
	if *verbose {
		l.LogLevel = slog.LevelDebug
	}
	l.Plus = plus
	return l, nil
}

// maxSeconds bounds -seconds: a year.
const maxSeconds = 366 * 24 * 3600

// OwnMaps returns the folders in which the program's own levels may lie: beside
// the binary, and where a source checkout has them.
func OwnMaps() []string {
	dirs := []string{filepath.Join("examples", "arena")}
	if exe, err := os.Executable(); err == nil {
		d := filepath.Dir(exe)
		dirs = append(dirs, filepath.Join(d, "..", "examples", "arena"), filepath.Join(d, "arena"))
	}
	// The last existing one is enough: the others would hold the same names.
	for i := len(dirs) - 1; i >= 0; i-- {
		if st, err := os.Stat(filepath.Join(dirs[i], "maps")); err == nil && st.IsDir() {
			return dirs[i : i+1]
		}
	}
	return nil
}

// LoadKey reads the server's key from a file, making it when there is none. An
// empty name gives the zero Key.
func LoadKey(file string) (handshake.Key, error) {
	if file == "" {
		return handshake.Key{}, nil
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		key, err := handshake.NewKey(nil)
		if err != nil {
			return key, err
		}
		return key, os.WriteFile(file, []byte(key.PrivateText()+"\n"), 0o600)
	}
	if err != nil {
		return handshake.Key{}, err
	}
	key, err := handshake.ParseKey(string(data))
	if err != nil {
		return key, fmt.Errorf("key file %s: %w", file, err)
	}
	return key, nil
}

// Summary prints how a host fares.
func Summary(w io.Writer, h *Host) {
	s := h.srv.Stats()
	fmt.Fprintf(w, "server       level %s, tick %d, %d clients (%d bots), %d kills in %d shots\n", s.Level, s.Tick, s.Clients, s.Bots, s.Kills, s.Shots)
	fmt.Fprintf(w, "ticks        mean %s, max %s, %d late; %d commands made up, %d came late\n", s.TickMean.Round(time.Microsecond), s.TickMax.Round(time.Microsecond), s.LateTicks, s.Starved, s.LateCmds)
	if s.KnownTicks > 0 {
		fmt.Fprintf(w, "disclosure   %.1f enemies known and %.1f withheld per player on average; answers: %d policy, %d standing, %d fallback\n",
			s.KnownSum/float64(s.KnownTicks), s.WithheldSum/float64(s.KnownTicks), s.Sources[0], s.Sources[1], s.Sources[2])
	}
	if p, r, ok := h.Plugins(); ok {
		fmt.Fprintf(w, "policy       %s pid %d, round trip p50 %s p99 %s, %d misses, %d restarts\n", p.Plugin, p.PID, p.P50.Round(time.Microsecond), p.P99.Round(time.Microsecond), p.Misses, p.Restarts)
		fmt.Fprintf(w, "rules        %s pid %d, round trip p50 %s p99 %s, %d restarts\n", r.Plugin, r.PID, r.P50.Round(time.Microsecond), r.P99.Round(time.Microsecond), r.Restarts)
		fmt.Fprintf(w, "crossings    policy %s; rules %s\n", crossings(&p), crossings(&r))
	} else {
		fmt.Fprintln(w, "plugins      policy and rules are linked in")
	}
}

// crossings says what goes to a plugin and comes from it in a tick.
func crossings(s *plugin.Stats) string {
	if s.Ticks == 0 {
		return "none"
	}
	n := float64(s.Ticks)
	return fmt.Sprintf("%.2f frames a tick of %.1f kB there, %.2f of %.1f kB back", float64(s.Sent)/n, perFrame(s.BytesOut, s.Sent), float64(s.Received)/n, perFrame(s.BytesIn, s.Received))
}

func perFrame(bytes, frames uint64) float64 { return float64(bytes) / float64(max(frames, 1)) / 1000 }
