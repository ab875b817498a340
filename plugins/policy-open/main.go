// Policy-open is the visibility policy game/vis/open as a plugin.
package main

import (
	"github.com/sightline-engine/sightline/game/vis/open"
	"github.com/sightline-engine/sightline/plugins/sdk"
)

func main() { sdk.ServePolicy(open.Spec()) }
