// Package words finds names that were nearly written.
package words

import "strings"

// Nearest returns the names that were most likely meant by word, at most so many, none
// when none comes close. Names that are word with a prefix and a dot (fov, cl.fov) win;
// otherwise those of the fewest inserted, dropped, changed or swapped letters, no more
// than so many. Equal names are in the order of names.
func Nearest(word string, names []string, letters, most int) []string {
	if word == "" || len(word) > 128 {
		return nil // bounds the work; nobody mistypes that much
	}
	word = strings.ToLower(word)
	var ends, near []string
	least := letters
	for _, n := range names {
		l := strings.ToLower(n)
		if strings.HasSuffix(l, "."+word) {
			ends = append(ends, n)
			continue
		}
		d := distance(word, l, least+1)
		if d > least {
			continue
		}
		if d < least {
			least, near = d, near[:0]
		}
		near = append(near, n)
	}
	if len(ends) > 0 {
		near = ends
	}
	return near[:min(len(near), most)]
}

// distance is the optimal string alignment distance of a and b, or limit when it
// is at least that.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
