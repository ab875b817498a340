package host

import (
	"context"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/sightline-engine/sightline/engine/config"
	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/game/vis"
	plugin "github.com/sightline-engine/sightline/plugins/host"
)

// strangers are plugins that are not shipped. Their settings become variables when the
// plugin runs, or when somebody names one: vis.mine.hold_ms of policy-mine, mine.rounds of
// rules-mine. To know them the plugin is asked, in a process that ends at once.
type strangers struct {
	mu      sync.Mutex
	folders []string // that are named beside the settings of plugins in them, before they are settings
	values  map[string]map[string]*console.Float
	rules   map[string]map[string]*console.Int
	asked   map[string]bool     // files that were asked, by path and age
	changed func(policy string) // of a variable; may be nil
}

// Bounds of what a plugin may have.
const mostSettings = 64

var (
	plainName = regexp.MustCompile(`^[a-z][a-z0-9]{0,23}$`)
	plainKey  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
)

// learn declares the variables of the plugin that a name may be of.
func (s *Settings) learn(name string) {
	parts := strings.Split(strings.ToLower(name), ".")
	var file string
	switch {
	case len(parts) == 3 && parts[0] == "vis" && plainName.MatchString(parts[1]):
		file = "policy-" + parts[1]
	case len(parts) == 2 && plainName.MatchString(parts[0]):
		file = "rules-" + parts[0]
	default:
		return
	}
	if !plainKey.MatchString(parts[len(parts)-1]) || s.shipped(file) {
		return
	}
	dirs := s.pluginDirs()
	path := ""
	for _, dir := range dirs {
		st, err := os.Stat(filepath.Join(dir, file))
		if err == nil && st.Mode().IsRegular() {
			path = filepath.Join(dir, file)
			key := path + st.ModTime().String()
			s.strange.mu.Lock()
			was := s.strange.asked[key]
			s.strange.asked[key] = true
			s.strange.mu.Unlock()
			if was {
				return
			}
			break
		}
	}
	if path == "" {
		return
	}
	d, err := plugin.Describe(context.Background(), plugin.Config{
		Path: path, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Engine: "sightline",
		Decode: config.DecodeStrict, LockedOnly: s.Competitive.Get() || !s.Unlocked.Get(),
	})
	if err == nil && file == d.Kind+"-"+d.Name {
		s.know(file, d.Settings)
	}
}

// shipped reports whether a plugin's settings were declared with all others.
func (s *Settings) shipped(file string) bool {
	_, policy := policies()[file]
	_, rules := modes()[file]
	return policy || rules
}

// lookIn notes folders in which plugins will be looked for.
func (s *Settings) lookIn(dirs ...string) {
	s.strange.mu.Lock()
	defer s.strange.mu.Unlock()
	for _, d := range dirs {
		if d != "" {
			s.strange.folders = append(s.strange.folders, d)
		}
	}
}

// pluginDirs are where plugins are looked for.
func (s *Settings) pluginDirs() []string {
	dirs := append([]string{}, s.Dirs.Get()...)
	s.strange.mu.Lock()
	dirs = append(dirs, s.strange.folders...)
	s.strange.mu.Unlock()
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	return dirs
}

// know declares what a plugin that is not shipped says of its settings. What cannot be a
// variable is left out: a plugin's words are not this program's.
func (s *Settings) know(file string, has []plugin.Described) {
	kind, name, _ := strings.Cut(file, "-")
	if s.shipped(file) || !plainName.MatchString(name) {
		return
	}
	s.strange.mu.Lock()
	defer s.strange.mu.Unlock()
	if s.strange.values[file] == nil {
		s.strange.values[file], s.strange.rules[file] = map[string]*console.Float{}, map[string]*console.Int{}
	}
	for _, d := range has[:min(len(has), mostSettings)] {
		v := console.Var{Name: name + "." + d.Name, Default: d.Default, Min: d.Min, Max: d.Max, Unit: oneLine(d.Unit, 16), Help: oneLine(d.Help, 300)}
		if v.Help == "" {
			v.Help = "A setting of " + file + "."
		}
		if kind == "policy" {
			v.Name = "vis." + v.Name
		}
		if !plainKey.MatchString(d.Name) || !(d.Min <= d.Default && d.Default <= d.Max) || math.IsInf(d.Min, 0) || math.IsInf(d.Max, 0) {
			continue
		}
		if _, taken := s.reg.Lookup(v.Name); taken {
			continue
		}
		if kind == "policy" {
			f := s.reg.Float(v)
			f.OnChange(func(float64) { s.strangeChanged(file) })
			s.strange.values[file][d.Name] = f
			continue
		}
		if d.Default != math.Trunc(d.Default) || d.Max > 1<<31-1 || d.Min < -1<<31 {
			continue
		}
		v.Default, v.Flags = int(d.Default), console.Latch
		s.strange.rules[file][d.Name] = s.reg.Int(v)
	}
}

func (s *Settings) strangeChanged(file string) {
	s.strange.mu.Lock()
	f := s.strange.changed
	s.strange.mu.Unlock()
	if f != nil {
		f(file)
	}
}

// strangePolicy are the values of a policy that is not shipped; nil where none are known.
func (s *Settings) strangePolicy(file string) vis.Settings {
	s.strange.mu.Lock()
	defer s.strange.mu.Unlock()
	var out vis.Settings
	for name, v := range s.strange.values[file] {
		if out == nil {
			out = vis.Settings{}
		}
		out[name] = v.Get()
	}
	return out
}

// strangeRules are the values of rules that are not shipped; nil where none are known.
func (s *Settings) strangeRules(file string) map[string]string {
	s.strange.mu.Lock()
	defer s.strange.mu.Unlock()
	var out map[string]string
	for name, v := range s.strange.rules[file] {
		if out == nil {
			out = map[string]string{}
		}
		out[name] = strconv.Itoa(v.Get())
	}
	return out
}

// oneLine is a text without line ends, of so many bytes at most.
func oneLine(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
