package console

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Command is something a person can tell the host to do.
type Command struct {
	Name  string // lower case; dots are allowed
	Usage string // what follows the name: "NAME [VALUE]"
	Help  string // one sentence
	Min   int    // fewest and
	Max   int    // most arguments; −1: any number
	Cheat bool   // refused unless cheats are allowed
	Local bool   // refused when the line came over the net

	// Run does it. What it prints goes to c.Out; an error is printed by Exec.
	Run func(c *Call) error
	// Complete, if set, offers what the last of args could become.
	Complete func(args []string) []Match
}

// Call is one command being run.
type Call struct {
	Registry *Registry
	Name     string
	Args     []string
	Out      io.Writer
	Source   Source

	run  *batch
	item item
}

// Printf writes to c.Out.
func (c *Call) Printf(format string, args ...any) { fmt.Fprintf(c.Out, format, args...) }

// batch is the work that one line sets off: a queue of commands, so that what an
// alias or a file stands for runs before what follows it.
type batch struct {
	queue []item
	left  int // commands that may still run
	out   io.Writer
	src   Source
	err   error // the first
}

// item is a command with how it came about.
type item struct {
	words   []string
	aliases int    // nested aliases around it
	files   int    // nested files around it
	where   string // file:line
}

type waiting struct {
	frames int
	batch  *batch
}

// Command declares a command. It panics if the name is wrong or taken.
func (r *Registry) Command(c Command) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !isName(c.Name) || c.Help == "" || c.Run == nil || r.takenLocked(c.Name) {
		panic(fmt.Sprintf("console: declare command %q: name taken or not lower case, or no help, or nothing to run", c.Name))
	}
	r.commands[c.Name] = &c
}

// Exec runs a line typed at the host's own console. Messages and errors are
// written to out; the first error is also returned. The rest of the line runs in
// spite of an error.
func (r *Registry) Exec(line string, out io.Writer) error {
	return r.ExecFrom(line, out, Source{Layer: LayerRuntime})
}

// ExecFrom is Exec with another source: a remote console, a file of binds.
func (r *Registry) ExecFrom(line string, out io.Writer, src Source) error {
	b := &batch{left: MaxCommands, out: out, src: src}
	b.prepend(r, line, item{where: src.Where})
	return r.drain(b)
}

// Frame lets lines that said wait go on; a host calls it once per frame or tick.
func (r *Registry) Frame() {
	r.mu.Lock()
	var due []*batch
	r.waiting = slices.DeleteFunc(r.waiting, func(w waiting) bool {
		if w.frames <= 1 {
			due = append(due, w.batch)
			return true
		}
		return false
	})
	for i := range r.waiting {
		r.waiting[i].frames--
	}
	r.mu.Unlock()
	for _, b := range due {
		b.left = MaxCommands
		_ = r.drain(b) // already written to its out
	}
}

// prepend puts the commands of a line in front of the queue.
func (b *batch) prepend(r *Registry, line string, like item) {
	cmds, err := Split(line)
	if err != nil {
		b.fail(like, err)
		return
	}
	items := make([]item, len(cmds))
	for i, words := range cmds {
		items[i] = like
		items[i].words = words
	}
	b.queue = append(items, b.queue...)
}

func (b *batch) fail(at item, err error) {
	var refused *Refusal
	if at.where != "" && !(errors.As(err, &refused) && refused.Where != "") {
		err = fmt.Errorf("%s: %w", at.where, err)
	}
	fmt.Fprintln(b.out, err)
	if b.err == nil {
		b.err = err
	}
}

func (r *Registry) drain(b *batch) error {
	for len(b.queue) > 0 {
		it := b.queue[0]
		b.queue = b.queue[1:]
		if b.left--; b.left < 0 || len(b.queue) > 4*MaxCommands {
			b.queue = nil
			b.fail(it, fmt.Errorf("stopped: one line set off more than %d commands", MaxCommands))
			break
		}
		wait, err := r.one(b, it)
		if err != nil {
			b.fail(it, err)
		}
		if wait > 0 && len(b.queue) > 0 {
			r.mu.Lock()
			full := len(r.waiting) >= maxWaiting
			if !full {
				rest := &batch{queue: b.queue, out: b.out, src: b.src}
				// Each frame has its own budget, so an alias may name itself behind a wait.
				for i := range rest.queue {
					rest.queue[i].aliases = 0
				}
				r.waiting = append(r.waiting, waiting{wait, rest})
			}
			r.mu.Unlock()
			b.queue = nil
			if full {
				b.fail(it, fmt.Errorf("wait: %d lines are waiting already", maxWaiting))
			}
		}
	}
	return b.err
}

// one runs a single command: a command, else an alias, else a variable.
func (r *Registry) one(b *batch, it item) (wait int, err error) {
	name := strings.ToLower(it.words[0])
	r.learn(name)
	r.mu.RLock()
	cmd, alias, isAlias := r.commands[name], "", false
	if cmd == nil {
		alias, isAlias = r.aliases[name]
	}
	cheats, isVar := r.cheats, r.resolveLocked(name) != nil
	r.mu.RUnlock()

	src := b.src
	if it.where != "" {
		src.Where = it.where
	}
	c := &Call{Registry: r, Name: name, Args: it.words[1:], Out: b.out, Source: src, run: b, item: it}
	switch {
	case cmd != nil:
		if cmd.Cheat && !cheats {
			return 0, &Refusal{Name: name, Reason: ErrCheat}
		}
		if cmd.Local && src.Remote {
			return 0, &Refusal{Name: name, Reason: ErrLocal}
		}
		if n := len(c.Args); n < cmd.Min || cmd.Max >= 0 && n > cmd.Max {
			return 0, fmt.Errorf("usage: %s", strings.TrimSpace(name+" "+cmd.Usage))
		}
		if name == "wait" {
			return waitFrames(c)
		}
		return 0, cmd.Run(c)
	case isAlias:
		if it.aliases >= MaxAliasDepth {
			return 0, fmt.Errorf("alias %s: nested more than %d deep; does it name itself?", name, MaxAliasDepth)
		}
		it.aliases++
		b.prepend(r, alias, it)
		return 0, nil
	case isVar && len(c.Args) == 0:
		return 0, r.print(c, name)
	case isVar:
		return 0, c.set(name, c.Args)
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return 0, r.unknownLocked(it.words[0], src.Where)
}

// set gives a variable the words that follow it: a list takes them all, anything
// else one word, or several joined as people type names.
func (c *Call) set(name string, words []string) error {
	var v any = Text(strings.Join(words, " "))
	if in, ok := c.Registry.Lookup(name); ok && in.Kind == KindList {
		v = slices.Clone(words)
	}
	waits, err := c.Registry.Set(name, v, c.Source)
	if err != nil {
		return err
	}
	if waits {
		in, _ := c.Registry.Lookup(name)
		c.Printf("%s: %s takes effect %s; now %s\n", in.Name, in.Waiting, in.When(), in.Value)
	}
	return nil
}

// print shows a variable on a line of its own, with its help.
func (r *Registry) print(c *Call, name string) error {
	in, ok := r.Lookup(name)
	if !ok {
		r.mu.RLock()
		defer r.mu.RUnlock()
		return r.unknownLocked(name, "")
	}
	value := in.Value
	if in.Kind == KindString || in.Kind == KindList {
		value = Quote(value)
	}
	c.Printf("%s = %s (default %s; %s)", in.Name, value, in.DefaultText(), in.Allowed)
	if in.Waiting != "" {
		c.Printf(", %s %s", in.Waiting, in.When())
	}
	if f := in.Flags.String(); f != "" {
		c.Printf(" [%s]", f)
	}
	c.Printf("\n  %s\n", in.Help)
	return nil
}

// Sensitive reports whether a line names a secret variable, so that it should not
// be kept in a history or a log.
func (r *Registry) Sensitive(line string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, w := range strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t;\"", c) }) {
		if e := r.resolveLocked(w); e != nil && e.Flags&Secret != 0 {
			return true
		}
	}
	return false
}
