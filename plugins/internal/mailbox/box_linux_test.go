package mailbox

import (
	"bytes"
	"errors"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pair is a box with both ends in this process, beside a process that only lives.
func pair(t *testing.T) (*Host, *Plugin, *exec.Cmd) {
	t.Helper()
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	first := 200 // four numbers in a row that nothing else has
	for i, f := range h.Files() {
		if err := unix.Dup3(int(f.Fd()), first+i, unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Open(first)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = unix.Close(p.wake), unix.Close(p.told)
		_, _ = unix.Munmap(p.w.mem), unix.Munmap(p.r.mem)
	})
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if err := h.Started(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if !h.Use() {
		t.Fatal("closed")
	}
	t.Cleanup(h.Leave)
	return h, p, cmd
}

// An answer, the deadline and the end are waited for in one call, and nothing on the
// way allocates.
func TestThereAndBack(t *testing.T) {
	h, p, cmd := pair(t)
	frame := bytes.Repeat([]byte("frame "), 2000)
	var at, back []byte
	trip := func() {
		if !h.Put(frame) {
			t.Fatal("not put")
		}
		if err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		var ok bool
		if at, ok, _ = p.Take(at); !ok || !p.Put(at) {
			t.Fatal("not answered")
		}
		for h.Wait(time.Second) != Rung {
		}
		if back, _, ok, _ = h.Take(back); !ok || !bytes.Equal(back, frame) {
			t.Fatal("another answer")
		}
	}
	trip()
	if n := testing.AllocsPerRun(50, trip); n != 0 && !raceEnabled {
		t.Errorf("%v allocations there and back", n)
	}
	if e := h.Wait(time.Microsecond); e != Nothing {
		t.Errorf("event %d when nothing happens", e)
	}
	_ = cmd.Process.Kill()
	if e := h.Wait(10 * time.Second); e != Gone {
		t.Errorf("event %d when the process ends", e)
	}
}

// A plugin cannot write requests, cut the memory off or make the host's bell wait.
func TestAPluginCanSpoilItsAnswersOnly(t *testing.T) {
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	req, ans := int(h.Files()[0].Fd()), int(h.Files()[1].Fd())
	if _, err := unix.Mmap(req, 0, pieceLen, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); !errors.Is(err, unix.EPERM) {
		t.Errorf("requests can be mapped for writing: %v", err)
	}
	if _, err := unix.Pwrite(req, []byte{1}, 0); !errors.Is(err, unix.EPERM) {
		t.Errorf("requests can be written: %v", err)
	}
	for _, fd := range []int{req, ans} {
		for _, n := range []int64{0, 2 * pieceLen} {
			if err := unix.Ftruncate(fd, n); !errors.Is(err, unix.EPERM) {
				t.Errorf("the memory can be made %d bytes long: %v", n, err)
			}
		}
	}

	full := [8]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	if _, err := unix.Write(h.wake, full[:]); err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(h.wake, true); err != nil {
		t.Fatal(err)
	}
	if !h.Put([]byte("rings a full bell")) {
		t.Error("a full bell stops the host")
	}
}

// What is in use is given back when it is used no longer.
func TestClosedWhileInUse(t *testing.T) {
	h, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if !h.Use() {
		t.Fatal("closed")
	}
	h.Close()
	if h.gone || h.Use() {
		t.Error("given back while it is used, or used when closed")
	}
	h.Put([]byte("still there"))
	h.Leave()
	h.Close()
	if !h.gone {
		t.Error("not given back")
	}
}
