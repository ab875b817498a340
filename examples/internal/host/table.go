package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sightline-engine/sightline/engine/console"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
)

// table lists the numbers of the tables, says one, or changes one for everybody from a
// tick on that is a second ahead at least.
func (h *Host) table(c *console.Call) error {
	do := func(s *server.Server) ([]string, error) { return tableNews(s), nil }
	if n := len(c.Args); n > 0 {
		name := strings.ToLower(c.Args[0])
		switch reset := name == "reset"; {
		case reset && n <= 2:
			ahead, err := aheadOf(c.Args[1:])
			if err != nil {
				return err
			}
			do = func(s *server.Server) ([]string, error) {
				return changed(s)(s.ResetTables(later(s, ahead)))
			}
		case reset:
			return errors.New("table: write reset [SECONDS]")
		case n == 1:
			do = func(s *server.Server) ([]string, error) { return tableNumbers(s, name) }
		default:
			to, bad := strconv.ParseFloat(c.Args[1], 32)
			if bad != nil {
				return fmt.Errorf("table: %q is no number; write table NAME VALUE [SECONDS], as in table movement.gravity 12", c.Args[1])
			}
			ahead, err := aheadOf(c.Args[2:])
			if err != nil {
				return err
			}
			do = func(s *server.Server) ([]string, error) {
				return changed(s)(s.ChangeTables([]tables.Value{{Name: name, To: float32(to)}}, later(s, ahead)))
			}
		}
	}
	return h.printed(c, "table", do)
}

// aheadOf reads how far ahead a change is to be, if that is said.
func aheadOf(args []string) (float64, error) {
	if len(args) == 0 {
		return 0, nil
	}
	s, err := strconv.ParseFloat(args[0], 64)
	if err != nil || !(s >= 0 && s <= 3600) {
		return 0, fmt.Errorf("table: %q is no time; give seconds from 0 to 3600, counted from now", args[0])
	}
	return s, nil
}

// later is the tick that comes in some seconds; 0, as early as can be, for none.
func later(s *server.Server, seconds float64) state.Tick {
	if seconds == 0 {
		return 0
	}
	return s.Tick() + state.Tick(seconds*float64(s.World().TickRate()))
}

// changed says from when a change holds.
func changed(s *server.Server) func(from state.Tick, err error) ([]string, error) {
	return func(from state.Tick, err error) ([]string, error) {
		if err != nil {
			return nil, err
		}
		ahead := float64(int32(from-s.Tick())) / float64(s.World().TickRate())
		return []string{fmt.Sprintf("from tick %d, in %.1f s", from, max(ahead, 0))}, nil
	}
}

// tableNews says what of the tables differs from the server's own, and what is to change.
func tableNews(s *server.Server) []string {
	set, _ := s.Tables()
	own := s.OwnTables()
	diff := tables.Diff(own, set)
	lines := []string{fmt.Sprintf("tables %q, version %d, %d numbers, of which %d are not the server's own", set.Movement.Name, set.Version, len(tables.ValueNames(set)), len(diff))}
	for _, v := range diff {
		was, _ := own.Get(v.Name)
		lines = append(lines, fmt.Sprintf("  %s, instead of %v", v, was))
	}
	for _, l := range s.Coming() {
		lines = append(lines, "  "+l)
	}
	return append(lines, "table NAME says a number, or all that begin so; table NAME VALUE [SECONDS] changes one; table reset takes changes back")
}

// tableNumbers says a number of the tables, or all whose names begin with a word.
func tableNumbers(s *server.Server, name string) ([]string, error) {
	set, _ := s.Tables()
	if v, err := set.Get(name); err == nil {
		return []string{tables.Value{Name: name, To: v}.String()}, nil
	}
	var lines []string
	for _, n := range tables.ValueNames(set) {
		if strings.HasPrefix(n, name+".") {
			v, err := set.Get(n)
			if err != nil {
				return nil, err
			}
			lines = append(lines, tables.Value{Name: n, To: v}.String())
		}
	}
	if len(lines) > 0 {
		return lines, nil
	}
	_, err := set.Get(name)
	return nil, err
}
