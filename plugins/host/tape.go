package host

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// recordQueue is how many ticks may wait for the disk: 4 s at 64 Hz.
const recordQueue = 256

// errNoRecord is of a file that is none.
var errNoRecord = errors.New("this is no record of a plugin: plugin.record on a server's console makes one")

// tape writes down ticks and what was answered to them, on a goroutine of its own: who
// hands them over never waits for a disk.
type tape struct {
	// Patient waits for the disk, so that no tick is left out: for stepped time.
	Patient bool

	free chan *turn
	todo chan *turn
	done chan struct{}

	mu     sync.Mutex
	err    error
	kept   int
	missed int
	ended  bool
}

// turn is one tick of a record.
type turn struct {
	asked  []byte
	answer []byte
}

func newTape(w *bufio.Writer) *tape {
	t := &tape{free: make(chan *turn, recordQueue), todo: make(chan *turn, recordQueue), done: make(chan struct{})}
	for range recordQueue {
		t.free <- &turn{}
	}
	go t.run(w)
	return t
}

// blank returns a turn to fill; nil when the disk is behind, which is counted.
func (t *tape) blank() *turn {
	if t.Patient {
		return <-t.free
	}
	select {
	case n := <-t.free:
		return n
	default:
		t.mu.Lock()
		t.missed++
		t.mu.Unlock()
		return nil
	}
}

// put hands a turn to the disk.
func (t *tape) put(n *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		t.free <- n // there is room: there are as many turns as places
		return
	}
	t.todo <- n // likewise
}

// run owns the writer.
func (t *tape) run(w *bufio.Writer) {
	defer close(t.done)
	for n := range t.todo {
		t.mu.Lock()
		bad := t.err != nil
		t.mu.Unlock()
		if !bad {
			writeChunk(w, n.asked)
			writeChunk(w, n.answer)
			var err error
			if len(t.todo) == 0 {
				err = w.Flush()
			}
			if err == nil {
				_, err = w.Write(nil) // says whether an earlier write failed
			}
			t.mu.Lock()
			if err != nil {
				t.err = err
			} else {
				t.kept++
			}
			t.mu.Unlock()
		}
		t.free <- n
	}
	if err := w.Flush(); err != nil {
		t.fail(err)
	}
}

// fail ends the record with what went wrong.
func (t *tape) fail(err error) {
	t.mu.Lock()
	if t.err == nil {
		t.err = err
	}
	t.mu.Unlock()
}

// Close ends the record and says how many ticks are in it, how many were left out,
// and what went wrong. Whoever decides goes on.
func (t *tape) Close() (kept, missed int, err error) {
	t.mu.Lock()
	if !t.ended {
		t.ended = true
		close(t.todo)
	}
	t.mu.Unlock()
	<-t.done
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept, t.missed, t.err
}

func writeChunk(w *bufio.Writer, b []byte) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(b)))
	_, _ = w.Write(n[:])
	_, _ = w.Write(b)
}

// chunks reads what writeChunk wrote.
type chunks struct {
	r   *bufio.Reader
	buf []byte
}

func newChunks(r io.Reader) chunks { return chunks{r: bufio.NewReaderSize(r, 1<<16)} }

// magic returns what the file begins with.
func (c *chunks) magic() string {
	var m [len(recordMagic)]byte
	_, _ = io.ReadFull(c.r, m[:])
	return string(m[:])
}

// chunk returns the next piece, valid until the next call. It takes memory only as
// bytes come.
func (c *chunks) chunk(most int) ([]byte, error) {
	var n [4]byte
	if _, err := io.ReadFull(c.r, n[:]); err != nil {
		return nil, err
	}
	size := int(binary.LittleEndian.Uint32(n[:]))
	if size > most {
		return nil, fmt.Errorf("a piece of %d bytes, more than %d", size, most)
	}
	c.buf = c.buf[:0]
	for len(c.buf) < size {
		part := min(size-len(c.buf), 1<<16)
		at := len(c.buf)
		if cap(c.buf) < at+part {
			c.buf = append(c.buf, make([]byte, part)...)
		}
		c.buf = c.buf[:at+part]
		if _, err := io.ReadFull(c.r, c.buf[at:]); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
	}
	return c.buf, nil
}
