package window

import (
	"bytes"
	"fmt"
	"log"
	"strings"
)

// heard is what the GLFW binding said while we listened. It reports the errors
// of the platform (no display, for one) to the standard logger and returns nil
// for them, so the logger is the only place to learn them from.
type heard struct {
	buf   bytes.Buffer
	out   interface{ Write([]byte) (int, error) }
	flags int
}

func listen() *heard {
	h := &heard{out: log.Writer(), flags: log.Flags()}
	log.SetFlags(0)
	log.SetOutput(&h.buf)
	return h
}

func (h *heard) stop() {
	log.SetOutput(h.out)
	log.SetFlags(h.flags)
}

// text returns what was said so far in one line.
func (h *heard) text() string {
	return strings.Join(strings.Fields(h.buf.String()), " ")
}

// refusal makes the one sentence that a person reads when there is no window.
func refusal(said string, err error) error {
	if err != nil {
		if said != "" {
			said += "; "
		}
		said += strings.Join(strings.Fields(err.Error()), " ")
	}
	advice := "a desktop session with OpenGL 4.1 is needed, or a virtual display such as xvfb-run"
	if strings.Contains(said, "version") || strings.Contains(said, "Version") || strings.Contains(said, "context") || strings.Contains(said, "FBConfig") {
		advice = "a graphics driver with OpenGL 4.1 core is needed"
	}
	return fmt.Errorf("%w: %s (%s)", ErrNoWindow, said, advice)
}
