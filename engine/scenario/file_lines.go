package scenario

import (
	"fmt"
	"regexp"
	"strings"
)

// lineIndex knows in which line a key stands. A key below the second [[player]] is
// "player.1.team"; a table itself is "player.1".
type lineIndex map[string]int

var (
	headLine = regexp.MustCompile(`^\s*(\[\[?)\s*([A-Za-z][\w.-]*)\s*\]\]?\s*(#.*)?$`)
	keyLine  = regexp.MustCompile(`^\s*([A-Za-z][\w-]*)\s*=`)
)

func fileLines(data []byte) lineIndex {
	x, n, at := lineIndex{}, map[string]int{}, ""
	for i, line := range strings.Split(string(data), "\n") {
		if m := headLine.FindStringSubmatch(line); m != nil {
			at = m[2]
			if m[1] == "[[" {
				at = fmt.Sprintf("%s.%d", m[2], n[m[2]])
				n[m[2]]++
			}
			x.put(at, i+1)
			continue
		}
		if m := keyLine.FindStringSubmatch(line); m != nil {
			key := m[1]
			if at != "" {
				key = at + "." + key
			}
			x.put(key, i+1)
		}
	}
	return x
}

func (x lineIndex) put(key string, line int) {
	if _, ok := x[key]; !ok {
		x[key] = line
	}
}

// of returns the line of a key of which it is not known in which of several tables
// it stands: the first that has it, or what it is part of.
func (x lineIndex) of(key ...string) int {
	for n := len(key); n > 0; n-- {
		if l := x[strings.Join(key[:n], ".")]; l != 0 {
			return l
		}
		for i := range 4096 {
			table := fmt.Sprintf("%s.%d", key[0], i)
			if x[table] == 0 {
				break
			}
			if l := x[table+"."+strings.Join(key[1:n], ".")]; l != 0 && n > 1 {
				return l
			}
		}
	}
	return 0
}
