package tables

import (
	"fmt"
	"strings"
)

// unknownValue is the error about a name that no number has. The names that it
// suggests are looked for when it is read: most are only counted.
type unknownValue struct {
	set  *Set
	name string
}

func (u *unknownValue) Error() string {
	name := u.name
	if len(name) > MaxValueName {
		return fmt.Sprintf("no number of the tables has a name as long as %.32q…", name)
	}
	near := u.near()
	if len(near) == 0 {
		return fmt.Sprintf("no number of the tables is named %q; names are like movement.gravity and weapon.rifle.damage", name)
	}
	return fmt.Sprintf("no number of the tables is named %q; near are %s", name, strings.Join(near, ", "))
}

// near returns up to three names that are like the one that is not known: those that
// end in it, else those that are spelt nearly so.
func (u *unknownValue) near() []string {
	const most = 3
	var near []string
	names := ValueNames(u.set)
	for _, n := range names {
		if u.name != "" && strings.HasSuffix(n, "."+u.name) && len(near) < most {
			near = append(near, n)
		}
	}
	if len(near) > 0 {
		return near
	}
	least := 2 + len(u.name)/4 // letters that may be otherwise
	for _, n := range names {
		d := distance(u.name, n, least)
		if d > least {
			continue
		}
		if d < least {
			near = near[:0]
		}
		if least = d; len(near) < most {
			near = append(near, n)
		}
	}
	return near
}

// distance is how many letters have to be changed, added or left out to make a of b;
// limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	prev, cur := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		cur[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			cur[j+1] = min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
