package demo

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/game/state"
)

// Who finds a player by its name, or by its number: among those on the board now at
// the keyframes of the demo, first met first. It reads through the demo; where the
// Reader was does not matter afterwards.
func (r *Reader) Who(name string) (state.ID, error) {
	number, err := strconv.ParseUint(name, 10, 16)
	isNumber := err == nil
	names := map[string]bool{}
	var list []string
	var f Frame
	for _, k := range r.keys {
		if err := r.At(k.tick, &f); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := range f.Roster {
			s := &f.Roster[i]
			if strings.EqualFold(s.Name, name) || isNumber && uint64(s.ID) == number {
				return s.ID, nil
			}
			if !names[s.Name] && len(list) < state.MaxPlayers {
				names[s.Name] = true
				list = append(list, s.Name)
			}
		}
	}
	if len(list) == 0 {
		return 0, errors.New("nobody is in this demo")
	}
	return 0, fmt.Errorf("nobody in this demo is called %q: there are %s", name, strings.Join(list[:min(len(list), 16)], ", "))
}
