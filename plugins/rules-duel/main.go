// Rules-duel is the game rules game/rules/duel as a plugin: free-for-all
// deathmatch.
package main

import (
	"github.com/sightline-engine/sightline/game/rules/duel"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServeRules(duel.Spec()) }
