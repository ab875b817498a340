package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Numbers of what a living plugin is watched for. They are judgement.
const (
	memoryEvery = 500 * time.Millisecond // between two looks at its memory
	floodLimit  = 32 << 20               // bytes of output within floodWindow that end it
	floodWindow = 10 * time.Second
	droppedSaid = time.Second // between two warnings of lines that were left out
)

// resident returns how many bytes of memory a process of ours has resident; false
// where the system does not tell.
func resident(pid int) (int64, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, false
	}
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// watchMemory ends the life when its process grows beyond a limit, until it is dead.
func (l *life) watchMemory(mb int) {
	t := time.NewTicker(memoryEvery)
	defer t.Stop()
	for {
		select {
		case <-l.dead:
			return
		case <-t.C:
		}
		n, ok := resident(l.proc.pid())
		if !ok {
			return // another system
		}
		if n > int64(mb)<<20 {
			l.fail(fmt.Errorf("it has %d MiB of memory, and %d are allowed (plugin.memory_mb)", n>>20, mb))
			return
		}
	}
}
