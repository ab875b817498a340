package console

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Match is one way to complete the last word of a line.
type Match struct {
	Text string // replaces the word
	Help string // one line beside it
}

// Complete offers what the last word of a line could become, sorted: a name for
// a first word, otherwise what the command or the variable suggests. A semicolon
// starts anew.
func (r *Registry) Complete(line string) []Match {
	if len(line) > MaxLine {
		return nil
	}
	line = line[strings.LastIndexByte(line, ';')+1:]
	words := strings.Fields(line)
	if len(words) == 0 || line[len(line)-1] == ' ' {
		words = append(words, "")
	}
	last := words[len(words)-1]
	if len(words) == 1 {
		return r.completeNames(last)
	}
	r.mu.RLock()
	cmd := r.commands[strings.ToLower(words[0])]
	r.mu.RUnlock()
	switch {
	case cmd == nil:
		return r.completeValue(words[0], last)
	case cmd.Complete == nil:
		return nil
	}
	return cmd.Complete(words[1:])
}

// completeNames offers variables, commands and aliases.
func (r *Registry) completeNames(prefix string) []Match {
	out := r.completeVars(prefix)
	prefix = strings.ToLower(prefix)
	r.mu.RLock()
	defer r.mu.RUnlock()
	for n, c := range r.commands {
		if strings.HasPrefix(n, prefix) {
			out = append(out, Match{n, c.Help})
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.aliases)) {
		if strings.HasPrefix(n, prefix) {
			out = append(out, Match{n, "alias for " + clip(r.aliases[n])})
		}
	}
	slices.SortFunc(out, func(a, b Match) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

func (r *Registry) completeVars(prefix string) []Match {
	var out []Match
	for _, in := range r.Vars(prefix) {
		out = append(out, Match{in.Name, in.Help})
	}
	return out
}

// completeValue offers values of a variable.
func (r *Registry) completeValue(name, prefix string) []Match {
	in, ok := r.Lookup(name)
	if !ok {
		return nil
	}
	var out []Match
	add := func(text, help string) {
		if text != "" && strings.HasPrefix(strings.ToLower(text), strings.ToLower(prefix)) &&
			!slices.ContainsFunc(out, func(m Match) bool { return m.Text == text }) {
			out = append(out, Match{text, help})
		}
	}
	if in.Flags&Secret != 0 {
		return nil
	}
	add(in.Value, "now")
	add(in.DefaultText(), "default")
	switch in.Kind {
	case KindBool:
		add("false", "")
		add("true", "")
	case KindEnum:
		for _, v := range in.Values {
			add(v, "")
		}
	}
	return out
}
