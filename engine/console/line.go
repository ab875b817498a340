package console

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of one line and of what it sets off. Judgements: far above what people
// write, far below what could hurt.
const (
	MaxLine       = 4096 // bytes
	MaxWords      = 256  // words of one command
	MaxCommands   = 1000 // commands run by one line, aliases and files included
	MaxAliasDepth = 16
	MaxExecDepth  = 8
	MaxFile       = 256 << 10 // bytes of a file that exec reads
	maxAliases    = 1000
	maxWaiting    = 64
)

// Split cuts a line into commands and their words. Words are separated by blanks;
// a word in double quotes may hold blanks and semicolons, and \" and \\ inside it
// stand for a quote and a backslash. A semicolon outside quotes ends a command;
// two slashes at the start of a word begin a comment.
func Split(line string) ([][]string, error) {
	if len(line) > MaxLine {
		return nil, fmt.Errorf("line of %d bytes: at most %d are taken", len(line), MaxLine)
	}
	var cmds [][]string
	var words []string
	end := func() {
		if len(words) > 0 {
			cmds, words = append(cmds, words), nil
		}
	}
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
			continue
		case c == ';':
			end()
			i++
			continue
		case strings.HasPrefix(line[i:], "//"):
			i = len(line)
			continue
		case c == '"':
			w, n, err := quoted(line[i:])
			if err != nil {
				return nil, err
			}
			words = append(words, w)
			i += n
		default:
			n := strings.IndexAny(line[i:], " \t\r\n;\"")
			if n < 0 {
				n = len(line) - i
			}
			words = append(words, line[i:i+n])
			i += n
		}
		if len(words) > MaxWords {
			return nil, fmt.Errorf("command of more than %d words", MaxWords)
		}
	}
	end()
	return cmds, nil
}

func quoted(s string) (word string, n int, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), i + 1, nil
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", 0, errors.New("a quote is opened and not closed")
}

// Quote writes a word so that Split reads it back as one word.
func Quote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}
