package console

import (
	"errors"
	"fmt"
)

// Why a value or a command was refused; test with errors.Is.
var (
	ErrUnknown  = errors.New("unknown name")
	ErrType     = errors.New("wrong type")
	ErrRange    = errors.New("out of range")
	ErrCheat    = errors.New("cheats are not allowed")
	ErrReadOnly = errors.New("read-only")
	ErrServer   = errors.New("the server's to set")
	ErrLocal    = errors.New("only at this machine's own console")
)

// Refusal says which setting or command was refused and why.
type Refusal struct {
	Name    string
	Value   string // as it is shown, "" where it does not matter
	Reason  error  // one of the Err… values
	Why     string // claim about Value: "is out of range"
	Allowed string // what would be accepted
	Near    string // for ErrUnknown: the nearest known name, or ""
	Where   string // file:line, environment variable or flag, where it has one
}

func (r *Refusal) Error() string {
	at := ""
	if r.Where != "" {
		at = r.Where + ": "
	}
	switch r.Reason {
	case ErrUnknown:
		return at + fmt.Sprintf("no setting or command is named %s%s", r.Name, DidYouMean(r.Near))
	case ErrCheat:
		return at + r.Name + ": is a cheat; the server must allow cheats first (sv.cheats 1)"
	case ErrReadOnly:
		return at + r.Name + ": is read-only; the program sets it"
	case ErrServer:
		return at + r.Name + ": is set by the server; it cannot be changed here"
	case ErrLocal:
		return at + r.Name + ": may only be used at the host's own console"
	}
	return at + fmt.Sprintf("%s: %s %s; allowed: %s", r.Name, r.Value, r.Why, r.Allowed)
}

// Unwrap returns the reason.
func (r *Refusal) Unwrap() error { return r.Reason }

// DidYouMean returns the words that a message ends with when near is a known
// name, and nothing when it is "".
func DidYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}
