package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxSocketPath is how long the path of a unix socket may be: 104 bytes on
// Darwin, 108 on Linux, each with a zero at the end.
const maxSocketPath = 103

// socketTail is what go-plugin adds to our folder: a folder and a socket.
const socketTail = len("/plugin-dir1234567890/plugin1234567890")

// dirPrefix begins the name of a private folder; the owner's pid follows, so that
// the next start can clear what a killed host left.
const dirPrefix = "sl-"

// privateDir makes a folder that only this user can enter, with a path short
// enough for sockets in it. It tries the system's temporary folder first and then
// the short ones that systems have.
func privateDir(candidates []string) (string, error) {
	var tried []string
	for _, base := range candidates {
		if base == "" {
			continue
		}
		name := dirPrefix + strconv.Itoa(os.Getpid()) + "-"
		if n := len(base) + 1 + len(name) + 10 + socketTail; n > maxSocketPath {
			tried = append(tried, fmt.Sprintf("%s is too long (a socket in it would have %d bytes, the limit is %d)", base, n, maxSocketPath))
			continue
		}
		sweep(base)
		dir, err := os.MkdirTemp(base, name)
		if err != nil {
			tried = append(tried, err.Error())
			continue
		}
		return dir, nil
	}
	return "", fmt.Errorf("no folder for the plugins' sockets: %s; set TMPDIR to a short path that can be written", strings.Join(tried, "; "))
}

// tempDirs lists where private folders may be made.
func tempDirs() []string {
	return []string{os.TempDir(), os.Getenv("XDG_RUNTIME_DIR"), "/tmp", "/dev/shm", "/var/tmp"}
}

// sweep removes the private folders of hosts that are gone.
func sweep(base string) {
	left, err := filepath.Glob(filepath.Join(base, dirPrefix+"*-*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), dirPrefix), "-")
		n, err := strconv.Atoi(pid)
		st, serr := os.Lstat(dir)
		if err != nil || serr != nil || n <= 1 || !st.IsDir() || !isOurs(st) || processExists(n) {
			continue
		}
		_ = os.RemoveAll(dir)
	}
}
