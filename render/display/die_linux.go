package display

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system end the server if the test binary is killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
