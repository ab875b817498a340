// Policy-deaddrop is the visibility policy game/vis/deaddrop as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/deaddrop"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(deaddrop.Spec()) }
