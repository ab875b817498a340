// Rules-teams is the game rules game/rules/teams as a plugin: team
// deathmatch.
package main

import (
	"github.com/sightline-engine/sightline/game/rules/teams"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServeRules(teams.Spec()) }
