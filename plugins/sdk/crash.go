package sdk

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// mostFrames is how many lines of the author's a crash names.
const mostFrames = 5

// crashed is deferred where the author's code is called: a panic in it ends the process,
// as it should, with one line in the server's log that says where, and not with a page of
// this package's and gRPC's frames. Under a debugger nothing is recovered.
func (s *server) crashed(in string) {
	if s.debugged {
		return
	}
	e := recover()
	if e == nil {
		return
	}
	loggerTo(s.stderr).Error(fmt.Sprintf("panic in %s after tick %d: %v, at %s", in, s.lastTick.Load(), e, frames()))
	if s.atExit != nil {
		s.atExit()
	}
	os.Exit(2)
}

// frames are the author's lines on the way to a panic, the last first.
func frames() string {
	var pc [64]uintptr
	it := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])])
	var out []string
	for {
		f, more := it.Next()
		if strings.Contains(f.Function, "/plugins/sdk.") || len(out) == mostFrames {
			break
		}
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			out = append(out, fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line))
		}
		if !more {
			break
		}
	}
	return strings.Join(out, " by ")
}
