//go:build unix

package host

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

const needsMTLS = false

// isOurs reports whether a file belongs to this user.
func isOurs(st fs.FileInfo) bool {
	s, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// processExists reports whether a process has the id, whoever's it is.
func processExists(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// signalGroup signals the group that a child of ours leads. The caller makes sure
// that the child has not been waited for.
func signalGroup(cmd *exec.Cmd, sig syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, sig) }

func terminateGroup(cmd *exec.Cmd) { signalGroup(cmd, syscall.SIGTERM) }
func killGroup(cmd *exec.Cmd)      { signalGroup(cmd, syscall.SIGKILL) }

// howItEnded tells an exit status from a signal.
func howItEnded(st *os.ProcessState) string {
	if ws, ok := st.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return "was ended by signal " + ws.Signal().String()
	}
	return st.String()
}
