// Policy-reach is the visibility policy game/vis/reach as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/reach"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(reach.Spec()) }
