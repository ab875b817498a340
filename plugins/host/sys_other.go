//go:build !unix

package host

import (
	"io/fs"
	"os"
	"os/exec"
)

// needsMTLS: the socket is a TCP port that every user can reach.
const needsMTLS = true

func isOurs(fs.FileInfo) bool               { return false }
func processExists(int) bool                { return true }
func prepare(*exec.Cmd)                     {}
func awaitZombie(int) bool                  { return false }
func terminateGroup(c *exec.Cmd)            { _ = c.Process.Kill() }
func killGroup(c *exec.Cmd)                 { _ = c.Process.Kill() }
func howItEnded(st *os.ProcessState) string { return st.String() }
