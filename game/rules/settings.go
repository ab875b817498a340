package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Setting is one whole number that rules can be started with.
type Setting struct {
	Name       string
	Usual, Max int // from 0 to Max
	Unit       string
	Help       string
}

// Schema is the settings of rules, in the order in which Values returns them. Hosts
// offer them under the name of the rules: duel.frag_limit.
type Schema []Setting

// Values returns the value of every setting: what was given, or the usual. who names
// the rules in the error, which is one sentence about the first thing wrong.
func (s Schema) Values(who string, given map[string]string) ([]int, error) {
	v := make([]int, len(s))
	known := 0
	for i, set := range s {
		v[i] = set.Usual
		text, ok := given[set.Name]
		if !ok {
			continue
		}
		known++
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > set.Max {
			return nil, fmt.Errorf("%s: setting %s = %q is not a whole number from 0 to %d", who, set.Name, text, set.Max)
		}
		v[i] = n
	}
	if known == len(given) {
		return v, nil
	}
	least := ""
	for name := range given {
		if !s.has(name) && (least == "" || name < least) {
			least = name
		}
	}
	return nil, fmt.Errorf("%s: there is no setting %q; there are %s", who, least, s.names())
}

func (s Schema) has(name string) bool {
	for _, set := range s {
		if set.Name == name {
			return true
		}
	}
	return false
}

func (s Schema) names() string {
	var names []string
	for _, set := range s {
		names = append(names, set.Name)
	}
	return strings.Join(names, ", ")
}
