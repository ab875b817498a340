package sdk

import (
	"os"
	"syscall"
)

const prSetPdeathsig = 1 // PR_SET_PDEATHSIG

// dieWithParent asks the kernel for SIGKILL when the thread that started this
// process ends. Hosts keep that thread (see plugins/host).
func dieWithParent() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetPdeathsig, uintptr(syscall.SIGKILL), 0)
}

// guardStdout keeps the channel of the handshake for go-plugin alone and points
// descriptor 1 at stderr, for prints of every language in this process.
func guardStdout() {
	fd, err := syscall.Dup(1)
	if err != nil {
		return
	}
	syscall.CloseOnExec(fd)
	if err := syscall.Dup3(2, 1, 0); err != nil {
		return
	}
	os.Stdout = os.NewFile(uintptr(fd), "handshake")
}
