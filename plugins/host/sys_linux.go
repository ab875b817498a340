package host

import (
	"os/exec"
	"syscall"
	"unsafe"
)

// prepare puts the child into a group of its own, so that a terminal's Ctrl-C is
// the host's to answer and the child's children end with it, and asks for its
// death when the thread that starts it ends (proc.run keeps that thread).
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitZombie returns when the child has ended but still has its id, so that its
// group can be signalled without hitting anybody else.
func awaitZombie(pid int) bool {
	const pPID, wExited, wNoWait = 1, 4, 0x01000000
	var info [128]byte
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(pid), uintptr(unsafe.Pointer(&info)), wExited|wNoWait, 0, 0)
		if e != syscall.EINTR {
			return e == 0
		}
	}
}
