package scenario

import (
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/tables"
)

// tableEvent checks an event that changes a number of the tables. In a scene nobody is
// simulated: of the tables it is the earshots that matter.
func tableEvent(set *tables.Set, e *EventSpec) error {
	if !strings.HasPrefix(e.Name, "sounds.") && !strings.HasSuffix(e.Name, ".earshot") && !strings.HasSuffix(e.Name, ".muffled") {
		return fmt.Errorf("name = %q is no earshot: a scene has sounds.…, weapon.….earshot and weapon.….muffled", e.Name)
	}
	_, err := set.With([]tables.Value{{Name: e.Name, To: float32(e.To)}})
	return err
}
