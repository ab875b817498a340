// Policy-pvs is the visibility policy game/vis/pvs as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/pvs"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(pvs.Spec()) }
