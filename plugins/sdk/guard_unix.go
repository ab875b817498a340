//go:build unix && !linux

package sdk

import (
	"os"
	"syscall"
)

// dieWithParent: only Linux knows a signal for it; the poll of watchParent and
// the end of the stream do it here.
func dieWithParent() {}

// guardStdout keeps the channel of the handshake for go-plugin alone and points
// descriptor 1 at stderr, for prints of every language in this process.
func guardStdout() {
	fd, err := syscall.Dup(1)
	if err != nil {
		return
	}
	syscall.CloseOnExec(fd)
	if err := syscall.Dup2(2, 1); err != nil {
		return
	}
	os.Stdout = os.NewFile(uintptr(fd), "handshake")
}
