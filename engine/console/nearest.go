package console

import "strings"

// Nearest returns the name that was most likely meant by word, or "" when none
// comes close. A name that is word with a prefix and a dot (fov, cl.fov) wins;
// otherwise the fewest inserted, dropped, changed or swapped letters, at most a
// third of the word. Equal names tie in favour of the earlier one.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > 128 {
		return "" // bounds the work; nobody mistypes that much
	}
	word = strings.ToLower(word)
	best, least := "", max(1, len(word)/3)+1
	for _, n := range names {
		l := strings.ToLower(n)
		if strings.HasSuffix(l, "."+word) {
			return n
		}
		if d := distance(word, l, least); d < least {
			best, least = n, d
		}
	}
	return best
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
