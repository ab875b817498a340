//go:build unix && !linux

package host

import (
	"os/exec"
	"syscall"
)

// prepare puts the child into a group of its own. The child itself watches for
// the end of its parent here.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// awaitZombie cannot wait without reaping here.
func awaitZombie(int) bool { return false }
