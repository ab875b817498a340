// Policy-netoptimize is the visibility policy game/vis/netoptimize as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/netoptimize"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(netoptimize.Spec()) }
