//go:build !linux || wayland

package window

import "github.com/sightline-engine/sightline/render/window/input"

// stillDown cannot be known here; keys are taken to have been let go.
func stillDown(input.Key) bool { return false }
