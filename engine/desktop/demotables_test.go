package desktop_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/engine/desktop"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/net/wire"
)

// turned is a demo anew, whose tables are others from its fifth second on, and others
// again from its eighth; head names its own.
func turned(t *testing.T, d *taped, head func(*demo.Header)) *demo.Reader {
	t.Helper()
	r := d.reader(t)
	info := r.Info()
	h := info.Header
	if head != nil {
		head(&h)
	}
	var out bytes.Buffer
	rec, err := demo.NewRecorder(&out, h, demo.Options{Queue: 1 << 12})
	if err != nil {
		t.Fatal(err)
	}
	blob := func(eye float32) []byte {
		arena := tables.Arena()
		set, err := arena.With([]tables.Value{{Name: "movement.stand_eye", To: eye}})
		if err != nil {
			t.Fatal(err)
		}
		return wire.TablesBlob(&set)
	}
	var f demo.Frame
	for err = r.Next(&f); err == nil; err = r.Next(&f) {
		switch s := int(f.Tick-info.First) / info.TickRate; {
		case s >= 8:
			f.Tables = append(f.Tables[:0], blob(1)...)
		case s >= 5:
			f.Tables = append(f.Tables[:0], blob(1.7)...)
		case head != nil:
			f.Tables = append(f.Tables[:0], blob(1.2)...)
		}
		rec.Put(&f)
	}
	if _, err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	if r, err = demo.Open(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
		t.Fatal(err)
	}
	return r
}

// A demo is shown by the tables of its place, after each seek there and back. One whose
// tables nobody has by their hash is shown by those that it holds, and is refused when it
// holds none.
func TestDemoIsShownByTheTablesOfItsPlace(t *testing.T) {
	d := tapeMatch(t, "corner")
	unknown := func(h *demo.Header) { h.TablesHash[0]++ }
	for _, c := range []struct {
		name  string
		head  func(*demo.Header)
		first float32
	}{{"shipped", nil, 1.5625}, {"unknown", unknown, 1.2}} {
		cfg := d.config()
		s, err := desktop.NewShow(cfg, turned(t, d, c.head), "test.sldemo")
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []struct {
			seconds int
			eye     float32
		}{{0, c.first}, {6, 1.7}, {9, 1}, {4, c.first}, {9, 1}, {7, 1.7}, {1, c.first}} {
			if err := cfg.Registry.Exec(fmt.Sprintf("demo.seek %d", at.seconds), io.Discard); err != nil {
				t.Fatal(err)
			}
			s.Frame(0.016)
			if got := s.View().Tables.Movement.StandEye; got != at.eye {
				t.Errorf("%s: at %d s eyes are %v high, want %v", c.name, at.seconds, got, at.eye)
			}
		}
	}
	r := d.reader(t)
	h := r.Info().Header
	unknown(&h)
	var out bytes.Buffer
	rec, err := demo.NewRecorder(&out, h, demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var f demo.Frame
	if err := r.Next(&f); err != nil {
		t.Fatal(err)
	}
	rec.Put(&f)
	rec.Close()
	if r, err = demo.Open(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
		t.Fatal(err)
	}
	if _, err := desktop.NewShow(d.config(), r, "test.sldemo"); err == nil || !strings.Contains(err.Error(), "tables that this program does not have") {
		t.Errorf("%v", err)
	}
}
