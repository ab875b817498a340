package console

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Flags say who may change a variable, when, and what happens to it.
type Flags uint16

// The flags.
const (
	Archive    Flags = 1 << iota // kept by writeconfig
	Latch                        // while a match runs a change waits for the next map
	Cheat                        // at its default unless cheats are allowed
	Replicated                   // the server's value is sent to clients and stands there
	ReadOnly                     // shown, set by the program only
	Secret                       // never printed, archived or sent
	Restart                      // read when the host starts; a change waits for its next start
)

var flagNames = []string{"archive", "latch", "cheat", "replicated", "read-only", "secret", "restart"}

// String lists the flags by name, separated by commas.
func (f Flags) String() string {
	var names []string
	for i, n := range flagNames {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// Kind is a variable's type.
type Kind uint8

// The kinds.
const (
	KindBool Kind = iota
	KindInt
	KindFloat
	KindString
	KindEnum
	KindList
)

var kindNames = []string{"true or false", "whole number", "number", "text", "one of a set", "list of texts"}

// String names the kind for a person.
func (k Kind) String() string { return kindNames[k] }

// Var declares a variable.
type Var struct {
	Name    string   // dotted, lower case: sv.tick_rate
	Default any      // bool, int, float64, string or []string, as the kind wants
	Min     float64  // allowed range of a number, inclusive;
	Max     float64  // both 0: any finite number
	Values  []string // what an Enum may be
	MaxLen  int      // longest text in bytes; 0: 256
	MaxList int      // most entries of a List; 0: 1024
	Unit    string   // "ms", "m/s", "degrees"
	Flags   Flags
	Help    string   // one sentence
	Aliases []string // further names that people know it by

	// Check refuses a text beyond length and characters; an error says what is
	// allowed. For a List it is asked about each entry.
	Check func(string) error
}

// Text is a value that still has to be parsed: typed on a console, an
// environment variable, a flag, received.
type Text string

const (
	defaultMaxLen  = 256
	defaultMaxList = 1024
)

// Allowed describes the values that a variable of this kind accepts.
func (v *Var) allowed(k Kind) string {
	unit := ""
	if v.Unit != "" {
		unit = " " + v.Unit
	}
	switch k {
	case KindBool:
		return "true or false"
	case KindEnum:
		return strings.Join(v.Values, ", ")
	case KindString:
		return fmt.Sprintf("text of at most %d bytes", v.maxLen())
	case KindList:
		return fmt.Sprintf("at most %d texts, such as [\"a\", \"b\"]", v.maxList())
	}
	if v.Min == 0 && v.Max == 0 {
		return "any " + k.String() + unit
	}
	return formatFloat(v.Min) + " to " + formatFloat(v.Max) + unit
}

func (v *Var) maxLen() int {
	if v.MaxLen > 0 {
		return v.MaxLen
	}
	return defaultMaxLen
}

func (v *Var) maxList() int {
	if v.MaxList > 0 {
		return v.MaxList
	}
	return defaultMaxList
}

// accept turns a value of any source into the kind's own type (bool, int64,
// float64, string, []string) or says why not. The list is copied.
func (v *Var) accept(k Kind, val any) (any, *Refusal) {
	refuse := func(reason error, shown, why string) *Refusal {
		if v.Flags&Secret != 0 {
			shown = "(secret)"
		}
		return &Refusal{Name: v.Name, Value: shown, Reason: reason, Why: why, Allowed: v.allowed(k)}
	}
	wrong := func(why string) *Refusal { return refuse(ErrType, show(val), why) }
	if t, ok := val.(Text); ok {
		p, ok := parseText(k, string(t))
		if !ok {
			return nil, wrong("is not a " + k.String())
		}
		val = p
	}
	switch k {
	case KindBool:
		b, ok := val.(bool)
		if !ok {
			return nil, wrong("is not true or false")
		}
		return b, nil
	case KindInt:
		i, ok := asInt(val)
		if !ok {
			return nil, wrong("is not a whole number")
		}
		if v.outside(float64(i)) {
			return nil, refuse(ErrRange, show(val), "is out of range")
		}
		return i, nil
	case KindFloat:
		f, ok := asFloat(val)
		if !ok {
			return nil, wrong("is not a number")
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, refuse(ErrRange, show(val), "is not a finite number")
		}
		if v.outside(f) {
			return nil, refuse(ErrRange, show(val), "is out of range")
		}
		return f + 0, nil // −0 becomes 0
	case KindString, KindEnum:
		s, ok := val.(string)
		if !ok {
			return nil, wrong("is not a text")
		}
		if k == KindEnum {
			if i := slices.IndexFunc(v.Values, func(n string) bool { return strings.EqualFold(n, s) }); i >= 0 {
				return v.Values[i], nil
			}
			return nil, refuse(ErrRange, show(val), "is not one of the choices")
		}
		if err := v.checkText(s); err != nil {
			return nil, refuse(ErrRange, show(val), err.Error())
		}
		return s, nil
	default:
		l, ok := val.([]string)
		if !ok {
			return nil, wrong("is not a list of texts")
		}
		if len(l) > v.maxList() {
			return nil, refuse(ErrRange, strconv.Itoa(len(l))+" entries", "are too many")
		}
		for _, s := range l {
			if err := v.checkText(s); err != nil {
				return nil, refuse(ErrRange, show(s), err.Error())
			}
		}
		return slices.Clone(l), nil
	}
}

func (v *Var) outside(f float64) bool {
	return !(v.Min == 0 && v.Max == 0) && !(f >= v.Min && f <= v.Max)
}

func (v *Var) checkText(s string) error {
	if len(s) > v.maxLen() {
		return fmt.Errorf("is longer than %d bytes", v.maxLen())
	}
	if !utf8.ValidString(s) {
		return errors.New("is not valid UTF-8")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("has a control character in it")
	}
	if v.Check != nil {
		return v.Check(s)
	}
	return nil
}

func asInt(val any) (int64, bool) {
	switch n := val.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	}
	return 0, false
}

func asFloat(val any) (float64, bool) {
	switch n := val.(type) {
	case float64:
		return n, true
	case float32:
		return float64(n), true
	}
	i, ok := asInt(val)
	return float64(i), ok
}

func parseText(k Kind, s string) (any, bool) {
	switch k {
	case KindBool:
		switch strings.ToLower(s) {
		case "1", "true", "on", "yes":
			return true, true
		case "0", "false", "off", "no":
			return false, true
		}
		return nil, false
	case KindInt:
		i, err := strconv.ParseInt(s, 10, 64)
		return i, err == nil
	case KindFloat:
		f, err := strconv.ParseFloat(s, 64)
		return f, err == nil
	case KindList:
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }), true
	}
	return s, true
}

// format writes an accepted value the way parseText reads it.
func format(val any) string {
	switch x := val.(type) {
	case bool:
		return strconv.FormatBool(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return formatFloat(x)
	case []string:
		return strings.Join(x, " ")
	case string:
		return x
	}
	return ""
}

func formatFloat(f float64) string {
	if math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// show writes any value for a message: short, on one line.
func show(val any) string {
	s := ""
	switch x := val.(type) {
	case Text:
		s = string(x)
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			s = strconv.Quote(s)
		}
	case string:
		s = strconv.Quote(x)
	case []string:
		s = fmt.Sprintf("%q", x)
	case float64:
		s = strings.ToLower(strings.TrimPrefix(formatFloat(x), "+"))
	default:
		s = fmt.Sprint(x)
	}
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:57], "") + "…"
	}
	return s
}

func equal(a, b any) bool {
	if x, ok := a.([]string); ok {
		y, ok := b.([]string)
		return ok && slices.Equal(x, y)
	}
	return a == b
}
