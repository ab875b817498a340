package console

import "github.com/sightline-engine/sightline/game/words"

// Nearest returns the name that was most likely meant by word, as words.Nearest finds it,
// or "" when none comes close: a third of the letters may be otherwise.
func Nearest(word string, names []string) string {
	for _, n := range words.Nearest(word, names, max(1, len(word)/3), 1) {
		return n
	}
	return ""
}
