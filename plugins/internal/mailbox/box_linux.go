package mailbox

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Event is what Wait came back for.
type Event uint8

// The events.
const (
	Nothing Event = iota // the time is up
	Rung                 // there may be an answer
	Gone                 // the process has ended
)

// Host is the host's end of a box.
type Host struct {
	w Writer
	r Reader

	wake, told int // the bells: for requests, for answers
	pid        int // a pidfd; -1 before Started
	down       []*os.File
	polls      [2]unix.PollFd
	ring       [8]byte

	mu     sync.Mutex
	users  int
	closed bool
	gone   bool // everything is given back
}

// New makes a box. The error says which call this system refused.
func New() (*Host, error) {
	h := &Host{wake: -1, told: -1, pid: -1}
	req, err := h.piece("sightline-requests")
	if err == nil {
		h.w = NewWriter(req)
		var ans []byte
		if ans, err = h.piece("sightline-answers"); err == nil {
			h.r = NewReader(ans)
		}
	}
	if err == nil {
		// Mapped for the host already: from here on nobody can map it for writing, or write.
		err = seal(h.down[0], unix.F_SEAL_FUTURE_WRITE|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err == nil {
		err = seal(h.down[1], unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	for _, fd := range []*int{&h.wake, &h.told} {
		if err == nil {
			err = h.bell(fd)
		}
	}
	if err != nil {
		h.Close()
		return nil, fmt.Errorf("shared memory for a plugin: %w", err)
	}
	return h, nil
}

// piece makes and maps one piece of memory, and keeps its file for the plugin.
func (h *Host) piece(name string) ([]byte, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	h.down = append(h.down, os.NewFile(uintptr(fd), name))
	if err := unix.Ftruncate(fd, pieceLen); err != nil {
		return nil, fmt.Errorf("ftruncate: %w", err)
	}
	mem, err := unix.Mmap(fd, 0, pieceLen, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap: %w", err)
	}
	return mem, nil
}

func seal(f *os.File, seals int) error {
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return fmt.Errorf("seal: %w", err)
	}
	return nil
}

// bell makes an eventfd, one for us and the same for the plugin. It never blocks: a
// plugin that has filled the counter must not stop the host that rings.
func (h *Host) bell(fd *int) (err error) {
	if *fd, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		return fmt.Errorf("eventfd: %w", err)
	}
	theirs, err := unix.FcntlInt(uintptr(*fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return fmt.Errorf("dup: %w", err)
	}
	h.down = append(h.down, os.NewFile(uintptr(theirs), "bell"))
	return nil
}

// Files are what the plugin inherits, in order (see EnvFirst).
func (h *Host) Files() []*os.File { return h.down }

// Started is told the id of the process, which has not been waited for yet. The files
// for the plugin are closed here.
func (h *Host) Started(pid int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.down {
		f.Close()
	}
	h.down = nil
	for _, fd := range []int{h.wake, h.told} { // handing files down has changed it
		if err := unix.SetNonblock(fd, true); err != nil {
			return fmt.Errorf("eventfd: %w", err)
		}
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	h.pid = fd
	return nil
}

// Use keeps the box from being given back until Leave; false when it is closed.
func (h *Host) Use() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.users++
	return true
}

// Leave ends what Use began.
func (h *Host) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.users--
	h.give()
}

// Close gives everything back, as soon as nobody uses it.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.give()
}

func (h *Host) give() {
	if !h.closed || h.users > 0 || h.gone {
		return
	}
	h.gone = true
	for _, f := range h.down {
		f.Close()
	}
	for _, fd := range []int{h.wake, h.told, h.pid} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	for _, mem := range [][]byte{h.w.mem, h.r.mem} {
		if mem != nil {
			_ = unix.Munmap(mem)
		}
	}
}

// Put hands a frame to the plugin. It never waits. Between Use and Leave only, as the
// rest.
func (h *Host) Put(frame []byte) bool {
	return h.w.Put(frame, Now()) && toll(h.wake)
}

// Take copies the newest answer over dst; the stamp is of Now, if the plugin says the
// truth.
func (h *Host) Take(dst []byte) (frame []byte, stamp int64, ok bool, err error) { return h.r.Take(dst) }

// Answers is the memory that the plugin writes, for tests that spoil it.
func (h *Host) Answers() []byte { return h.r.mem }

// Wait waits until the plugin rings, ends, or the time is up.
func (h *Host) Wait(d time.Duration) Event {
	h.polls[0] = unix.PollFd{Fd: int32(h.told), Events: unix.POLLIN}
	h.polls[1] = unix.PollFd{Fd: int32(h.pid), Events: unix.POLLIN}
	t := unix.NsecToTimespec(max(0, d.Nanoseconds()))
	n, err := unix.Ppoll(h.polls[:], &t, nil)
	switch {
	case err != nil: // EINTR: the runtime's signals; the caller looks at its clock again
		return Rung
	case n == 0:
		return Nothing
	case h.polls[0].Revents != 0:
		_, _ = unix.Read(h.told, h.ring[:])
		return Rung
	}
	return Gone
}

// toll rings a bell.
func toll(fd int) bool {
	one := [8]byte{1}
	for {
		_, err := unix.Write(fd, one[:])
		if err != unix.EINTR {
			return err == nil || err == unix.EAGAIN // EAGAIN: it rings already
		}
	}
}

// Now is the clock of stamps: nanoseconds that both processes count alike.
func Now() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return t.Nano()
}

// Plugin is the plugin's end of a box.
type Plugin struct {
	w Writer
	r Reader

	wake, told int
	polls      [1]unix.PollFd
	ring       [8]byte
}

// Open takes over the four descriptors that begin with first.
func Open(first int) (*Plugin, error) {
	for fd := first; fd < first+4; fd++ {
		unix.CloseOnExec(fd)
	}
	req, err := mapped(first, unix.PROT_READ)
	if err != nil {
		return nil, err
	}
	ans, err := mapped(first+1, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	return &Plugin{w: NewWriter(ans), r: NewReader(req), wake: first + 2, told: first + 3}, nil
}

func mapped(fd, prot int) ([]byte, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	if st.Size != pieceLen {
		return nil, fmt.Errorf("shared memory has %d bytes, wanted %d", st.Size, pieceLen)
	}
	mem, err := unix.Mmap(fd, 0, pieceLen, prot, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("shared memory: %w", err)
	}
	_ = unix.Close(fd)
	return mem, nil
}

// Wait waits until the host, or Ring, rings.
func (p *Plugin) Wait() error {
	for {
		p.polls[0] = unix.PollFd{Fd: int32(p.wake), Events: unix.POLLIN}
		if _, err := unix.Ppoll(p.polls[:], nil, nil); err != nil && err != unix.EINTR {
			return fmt.Errorf("shared memory: %w", err)
		}
		if n, _ := unix.Read(p.wake, p.ring[:]); n == 8 {
			return nil
		}
	}
}

// Ring wakes Wait from another goroutine.
func (p *Plugin) Ring() { toll(p.wake) }

// Take copies the newest request over dst.
func (p *Plugin) Take(dst []byte) (frame []byte, ok bool, err error) {
	frame, _, ok, err = p.r.Take(dst)
	return frame, ok, err
}

// Put hands an answer to the host.
func (p *Plugin) Put(frame []byte) bool { return p.w.Put(frame, Now()) && toll(p.told) }
