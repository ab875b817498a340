//go:build linux && !wayland

package window

/*
#cgo LDFLAGS: -lX11
#include <X11/Xlib.h>
static int sightline_down(void *display, int code) {
	char keys[32];
	if (display == NULL || code < 8 || code > 255) return 0;
	XQueryKeymap((Display *)display, keys);
	return (keys[code >> 3] >> (code & 7)) & 1;
}
*/
import "C"

import (
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/sightline-engine/sightline/render/window/input"
)

// stillDown asks the X server whether a key is physically down. GLFW forgets
// keys when the focus goes, and would report the keyboard's own repeating of a
// key that is held on return as a new press.
func stillDown(k input.Key) bool {
	g, ok := toGLFW(k)
	if !ok {
		return false
	}
	return C.sightline_down(unsafe.Pointer(glfw.GetX11Display()), C.int(glfw.GetKeyScancode(g))) != 0
}
