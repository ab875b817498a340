package console

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// builtins declares the commands that every registry has.
func (r *Registry) builtins() {
	name := func(f func(*Call, string) error) func(*Call) error {
		return func(c *Call) error { return f(c, c.Args[0]) }
	}
	vars := func(args []string) []Match {
		if len(args) > 1 {
			return r.completeValue(args[0], args[len(args)-1])
		}
		return r.completeVars(args[len(args)-1])
	}
	anyName := func(args []string) []Match { return r.completeNames(args[len(args)-1]) }
	for _, c := range []Command{
		{Name: "help", Usage: "[NAME]", Max: 1, Help: "Says what a setting or command is for.", Run: help, Complete: anyName},
		{Name: "searchhelp", Usage: "WORD", Min: 1, Max: 1, Help: "Lists settings and commands whose name or help has the word.", Run: searchHelp},
		{Name: "cvarlist", Usage: "[PREFIX]", Max: 1, Help: "Lists settings with their values.", Run: varList, Complete: vars},
		{Name: "cmdlist", Usage: "[PREFIX]", Max: 1, Help: "Lists commands.", Run: cmdList, Complete: anyName},
		{Name: "set", Usage: "NAME VALUE", Min: 2, Max: -1, Help: "Gives a setting a value.", Complete: vars,
			Run: func(c *Call) error { return c.set(c.Args[0], c.Args[1:]) }},
		{Name: "reset", Usage: "NAME", Min: 1, Max: 1, Help: "Gives a setting its default.", Run: name(reset), Complete: vars},
		{Name: "toggle", Usage: "NAME [VALUE VALUE…]", Min: 1, Max: -1, Help: "Flips a setting, or moves it to the next of its or the given values.", Run: name(toggle), Complete: vars},
		{Name: "alias", Usage: "[NAME [COMMANDS]]", Max: -1, Local: true, Help: "Makes a name stand for commands.", Run: alias},
		{Name: "unalias", Usage: "NAME", Min: 1, Max: 1, Local: true, Help: "Removes an alias.", Run: unalias},
		{Name: "bind", Usage: "[KEY [COMMANDS]]", Max: -1, Local: true, Help: "Makes a key run commands.", Run: bind},
		{Name: "unbind", Usage: "KEY", Min: 1, Max: 1, Local: true, Help: "Removes a key's commands.",
			Run: func(c *Call) error { return r.binds.Set(c.Args[0], "") }},
		{Name: "unbindall", Local: true, Help: "Removes the commands of all keys.", Run: func(*Call) error { r.binds.Clear(); return nil }},
		{Name: "exec", Usage: "FILE", Min: 1, Max: 1, Help: "Runs the lines of a .cfg file in the host's folder.", Run: execFile},
		{Name: "writeconfig", Usage: "[FILE]", Max: 1, Local: true, Help: "Writes archived settings, aliases and binds to a .cfg file in the host's folder.", Run: writeConfig},
		{Name: "wait", Usage: "[FRAMES]", Max: 1, Help: "Lets the rest of the line run a frame later.", Run: func(*Call) error { return nil }},
		{Name: "echo", Usage: "[TEXT]", Max: -1, Help: "Prints a text.",
			Run: func(c *Call) error { c.Printf("%s\n", strings.Join(c.Args, " ")); return nil }},
	} {
		r.Command(c)
	}
}

func help(c *Call) error {
	r := c.Registry
	if len(c.Args) == 0 {
		c.Printf("NAME shows a setting, NAME VALUE sets it. Try: cvarlist, cmdlist, searchhelp WORD, help NAME.\n")
		return nil
	}
	name := strings.ToLower(c.Args[0])
	r.mu.RLock()
	cmd := r.commands[name]
	text, isAlias := r.aliases[name]
	r.mu.RUnlock()
	switch {
	case cmd != nil:
		c.Printf("%s\n  %s\n", strings.TrimSpace(name+" "+cmd.Usage), cmd.Help)
		return nil
	case isAlias:
		c.Printf("%s is an alias for %s\n", name, Quote(text))
		return nil
	}
	return r.print(c, name)
}

func searchHelp(c *Call) error {
	word := strings.ToLower(c.Args[0])
	found := false
	for _, m := range c.Registry.completeNames("") {
		if strings.Contains(strings.ToLower(m.Text+" "+m.Help), word) {
			c.Printf("%-28s %s\n", m.Text, m.Help)
			found = true
		}
	}
	if !found {
		c.Printf("nothing has %s in its name or help\n", Quote(clip(word)))
	}
	return nil
}

func varList(c *Call) error {
	vars := c.Registry.Vars(strings.Join(c.Args, ""))
	for _, in := range vars {
		mark := " "
		if in.Changed {
			mark = "*"
		}
		c.Printf("%s %-28s %-16s %s\n", mark, in.Name, in.Value, in.Help)
	}
	c.Printf("%d settings; * is not at its default\n", len(vars))
	return nil
}

func cmdList(c *Call) error {
	n := 0
	for _, cmd := range c.Registry.Commands() {
		if strings.HasPrefix(cmd.Name, strings.ToLower(strings.Join(c.Args, ""))) {
			c.Printf("%-36s %s\n", strings.TrimSpace(cmd.Name+" "+cmd.Usage), cmd.Help)
			n++
		}
	}
	c.Printf("%d commands\n", n)
	return nil
}

// Commands returns all commands, by name.
func (r *Registry) Commands() []Command {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var out []Command
	for _, n := range slices.Sorted(maps.Keys(r.commands)) {
		out = append(out, *r.commands[n])
	}
	return out
}

func reset(c *Call, name string) error {
	in, ok := c.Registry.Lookup(name)
	if !ok {
		return c.unknown(name)
	}
	waits, err := c.Registry.Set(name, in.Default, c.Source)
	if waits {
		c.Printf("%s: %s takes effect %s\n", in.Name, in.DefaultText(), in.When())
	}
	return err
}

func (c *Call) unknown(name string) error {
	c.Registry.mu.RLock()
	defer c.Registry.mu.RUnlock()
	return c.Registry.unknownLocked(name, c.Source.Where)
}

func toggle(c *Call, name string) error {
	in, ok := c.Registry.Lookup(name)
	if !ok {
		return c.unknown(name)
	}
	steps := c.Args[1:]
	if len(steps) == 0 {
		switch in.Kind {
		case KindBool:
			steps = []string{"false", "true"}
		case KindEnum:
			steps = in.Values
		case KindInt, KindFloat:
			steps = []string{"0", "1"}
		default:
			return fmt.Errorf("toggle %s: name the values to go through", in.Name)
		}
	}
	next := steps[0]
	if i := slices.Index(steps, in.Value); i >= 0 {
		next = steps[(i+1)%len(steps)]
	} else if in.Kind == KindInt || in.Kind == KindFloat {
		if len(c.Args) == 1 && in.Value != "0" {
			next = "0"
		}
	}
	return c.set(in.Name, []string{next})
}

func alias(c *Call) error {
	r := c.Registry
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(c.Args) == 0 {
		for _, n := range slices.Sorted(maps.Keys(r.aliases)) {
			c.Printf("alias %s %s\n", n, Quote(r.aliases[n]))
		}
		return nil
	}
	name := strings.ToLower(c.Args[0])
	text, known := r.aliases[name]
	switch {
	case len(c.Args) == 1 && !known:
		return fmt.Errorf("alias %s: there is none", clip(name))
	case len(c.Args) == 1:
		c.Printf("alias %s %s\n", name, Quote(text))
		return nil
	case len(name) > 64 || strings.ContainsAny(name, " \";\\") || clip(name) != name:
		return errors.New("alias: a name is at most 64 letters without blanks, quotes or semicolons")
	case r.takenLocked(name) || r.resolveLocked(name) != nil:
		return fmt.Errorf("alias %s: there is a setting or command of that name", name)
	case !known && len(r.aliases) >= maxAliases:
		return fmt.Errorf("alias %s: there are %d already", name, maxAliases)
	}
	r.aliases[name] = strings.Join(c.Args[1:], " ")
	return nil
}

func unalias(c *Call) error {
	r := c.Registry
	r.mu.Lock()
	defer r.mu.Unlock()
	name := strings.ToLower(c.Args[0])
	if _, ok := r.aliases[name]; !ok {
		return fmt.Errorf("unalias %s: there is none", clip(name))
	}
	delete(r.aliases, name)
	return nil
}

func bind(c *Call) error {
	b := &c.Registry.binds
	switch len(c.Args) {
	case 0:
		for _, k := range b.Keys() {
			c.Printf("bind %s %s\n", Quote(k), Quote(b.Get(k)))
		}
		return nil
	case 1:
		c.Printf("bind %s %s\n", Quote(c.Args[0]), Quote(b.Get(c.Args[0])))
		return nil
	}
	return b.Set(c.Args[0], strings.Join(c.Args[1:], " "))
}

func waitFrames(c *Call) (int, error) {
	if len(c.Args) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(c.Args[0])
	if err != nil || n < 1 || n > 100000 {
		return 0, fmt.Errorf("wait: %s is not a number of frames; allowed: 1 to 100000", show(Text(c.Args[0])))
	}
	return n, nil
}

func execFile(c *Call) error {
	name := c.Args[0]
	if c.item.files >= MaxExecDepth {
		return fmt.Errorf("exec %s: files nested more than %d deep; does one run itself?", clip(name), MaxExecDepth)
	}
	files := c.Registry.filesOrNone()
	f, err := files.Open(name)
	if err != nil {
		return fmt.Errorf("exec: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("exec %s: %w", name, err)
	}
	if len(data) > MaxFile {
		return fmt.Errorf("exec %s: longer than %d bytes", name, MaxFile)
	}
	var items []item
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	lines.Buffer(nil, MaxFile+1)
	for n := 1; lines.Scan(); n++ {
		at := item{aliases: c.item.aliases, files: c.item.files + 1, where: fmt.Sprintf("%s:%d", name, n)}
		cmds, err := Split(lines.Text())
		if err != nil {
			c.run.fail(at, err)
			continue
		}
		for _, words := range cmds {
			at.words = words
			items = append(items, at)
		}
	}
	c.run.queue = append(items, c.run.queue...)
	return nil
}

func writeConfig(c *Call) error {
	name := "config.cfg"
	if len(c.Args) > 0 {
		name = c.Args[0]
	}
	f, err := c.Registry.filesOrNone().Create(name)
	if err != nil {
		return fmt.Errorf("writeconfig: %w", err)
	}
	w := bufio.NewWriter(f)
	c.Registry.Write(w)
	err = w.Flush()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("writeconfig %s: %w", name, err)
	}
	c.Printf("wrote %s\n", name)
	return nil
}

// Write writes the archived settings that are not at their defaults, the aliases
// and the binds as lines that exec reads back.
func (r *Registry) Write(w io.Writer) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	fmt.Fprintln(w, "// Written by writeconfig; a later writeconfig replaces it.")
	for _, n := range r.names {
		e := r.vars[n]
		v, layer := r.wantedLocked(e)
		if e.Flags&(Archive|Secret) != Archive || layer == LayerServer || equal(v, e.layers[LayerDefault].value) {
			continue
		}
		words := []string{format(v)}
		if l, ok := v.([]string); ok {
			words = l
		}
		fmt.Fprintf(w, "set %s", n)
		for _, word := range words {
			fmt.Fprintf(w, " %s", Quote(word))
		}
		fmt.Fprintln(w)
	}
	for _, n := range slices.Sorted(maps.Keys(r.aliases)) {
		fmt.Fprintf(w, "alias %s %s\n", n, Quote(r.aliases[n]))
	}
	for _, k := range r.binds.Keys() {
		fmt.Fprintf(w, "bind %s %s\n", Quote(k), Quote(r.binds.Get(k)))
	}
}
