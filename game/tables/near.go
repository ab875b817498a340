package tables

import (
	"fmt"
	"strings"

	"github.com/sightline-engine/sightline/game/words"
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
	near := words.Nearest(name, ValueNames(u.set), 2+len(name)/4, 3)
	if len(near) == 0 {
		return fmt.Sprintf("no number of the tables is named %q; names are like movement.gravity and weapon.rifle.damage", name)
	}
	return fmt.Sprintf("no number of the tables is named %q; near are %s", name, strings.Join(near, ", "))
}
