// Policy-newpolicy decides who may know of whom: see policy.go. A server starts it by
// itself; run by hand it says what it is.
package main

import "github.com/sightline-engine/sightline/plugins/sdk"

func main() { sdk.ServePolicy(Spec()) }
