// Policy-screen is the visibility policy game/vis/screen as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/screen"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(screen.Spec()) }
