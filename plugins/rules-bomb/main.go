// Rules-bomb is the game rules game/rules/bomb as a plugin: rounds of planting and
// disarming a bomb.
package main

import (
	"github.com/sightline-engine/sightline/game/rules/bomb"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServeRules(bomb.Spec()) }
