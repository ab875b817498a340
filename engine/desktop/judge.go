package desktop

import (
	"errors"
	"fmt"
	"strings"
)

// minMoved is how far a run without a person must have walked, metres.
const minMoved = 10

// Judge returns an error that names everything a run without a person did not do:
// join, walk, shoot, draw.
func (s *Summary) Judge() error {
	var not []string
	if !s.Joined {
		not = append(not, "never joined")
	}
	if s.Moved < minMoved {
		not = append(not, fmt.Sprintf("moved only %.1f of %d m", s.Moved, minMoved))
	}
	if s.Fired == 0 {
		not = append(not, "never fired")
	}
	if !s.NotBlank {
		not = append(not, "the picture is blank")
	}
	if len(not) == 0 {
		return nil
	}
	return errors.New("the run is not good: " + strings.Join(not, ", "))
}
