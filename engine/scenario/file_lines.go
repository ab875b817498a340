package scenario

import (
	"fmt"
	"reflect"
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

// nearest returns the key that a name was probably meant to be, "" when none is
// near.
func nearest(name string) string {
	best, least := "", len(name)/3+2
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			key := f.Tag.Get("toml")
			if key == "" {
				key = strings.ToLower(f.Name)
			}
			if d := editDistance(name, key); d < least {
				best, least = key, d
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeOf(File{}))
	return best
}

// editDistance is how many letters must change to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		was := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := was
			if a[i] != b[j] {
				cost++
			}
			was = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
