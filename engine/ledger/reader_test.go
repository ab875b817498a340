package ledger_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/state"
)

// made writes a small ledger.
func made(t testing.TB, ticks int) []byte {
	t.Helper()
	store := &shelf{}
	w, err := ledger.NewWriter(store, head(), ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	m := newMatch(3, 0)
	w.Name(1, "Ada", false)
	shot := ledger.Shot{Target: 2, Weapon: "rifle"}
	w.Shot(1, &shot)
	for range ticks {
		m.step()
		m.put(w)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return store.parts[1].Bytes()
}

// sentence checks that an error is one line that says what is asked.
func sentence(t *testing.T, name string, err error, is error, words ...string) {
	t.Helper()
	if !errors.Is(err, is) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q does not say %q", name, err, w)
		}
	}
}

func TestForeignAndTruncatedFilesGetOneSentence(t *testing.T) {
	whole := made(t, 300)
	open := func(b []byte) (*ledger.Reader, error) { return ledger.Open(bytes.NewReader(b), int64(len(b))) }
	for name, c := range map[string]struct {
		b     []byte
		is    error
		words []string
	}{
		"empty":       {nil, ledger.ErrForeign, []string{"empty"}},
		"text":        {[]byte("hello\n"), ledger.ErrForeign, []string{"text"}},
		"demo":        {[]byte("SLDEMO\r\n12345678901234567"), ledger.ErrForeign, []string{"demo"}},
		"gzip":        {[]byte("\x1f\x8b\x08\x00"), ledger.ErrForeign, []string{"gzip"}},
		"noise":       {[]byte{1, 2, 3, 0, 255}, ledger.ErrForeign, nil},
		"magic only":  {whole[:5], ledger.ErrCut, []string{"header"}},
		"half header": {whole[:30], ledger.ErrCut, []string{"header"}},
		"version":     {append(append([]byte{}, whole[:8]...), 99, 0, 1, 0, 0, 0, 0, 0, 0, 0), ledger.ErrVersion, []string{"99"}},
		"bad header":  {append(append(append([]byte{}, whole[:20]...), ^whole[20]), whole[21:]...), ledger.ErrDamaged, []string{"header"}},
	} {
		_, err := open(c.b)
		sentence(t, name, err, c.is, c.words...)
	}
	for n := 120; n < len(whole); n += 61 {
		r, err := open(whole[:n])
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		i := r.Info()
		sentence(t, "cut", i.Cut(), ledger.ErrCut, "at byte")
		var rec ledger.Record
		k := 0
		for r.Next(&rec) == nil {
			k++
		}
		if k != i.Records {
			t.Fatalf("%d bytes: %d records, %d said", n, k, i.Records)
		}
	}
	bad := append([]byte{}, whole...)
	bad[len(bad)*2/3] ^= 4
	r, err := open(bad)
	if err != nil {
		t.Fatal(err)
	}
	i := r.Info()
	sentence(t, "damaged", i.Cut(), ledger.ErrCut, "damaged")
	r, _ = open(append(append([]byte{}, whole...), 1, 2, 3))
	i = r.Info()
	sentence(t, "longer", i.Cut(), ledger.ErrCut, "more follows")
}

func TestFolderKeepsItsFiles(t *testing.T) {
	for _, bad := range []string{"", ".x", "-x", "a/b", "..", strings.Repeat("x", 65), "a\\b"} {
		if _, err := ledger.NewFolder(t.TempDir(), bad); err == nil {
			t.Errorf("%q", bad)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	f, err := ledger.NewFolder(dir, "m")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := ledger.NewWriter(f, head(), ledger.Options{Wait: true, PartBytes: 4 << 10, Parts: 2})
	if err != nil {
		t.Fatal(err)
	}
	m := newMatch(*seed, 0)
	for range 3000 {
		m.step()
		m.put(w)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 2 {
		t.Fatalf("%v", files)
	}
	for _, e := range files {
		r, done, err := ledger.OpenFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if i := r.Info(); i.Truncated {
			t.Errorf("%s: %v", e.Name(), i.Cut())
		}
		done()
	}
	if _, _, err := ledger.OpenFile(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
	// A name that is taken ends that ledger, and says so.
	g, err := ledger.NewFolder(dir, strings.TrimSuffix(files[0].Name(), ".slledger"))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if err := os.WriteFile(filepath.Join(dir, g.File(1)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err = ledger.NewWriter(g, head(), ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Done(1)
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "already") {
		t.Error(err)
	}
}

// Times of the match find their tick again, at any rate, also past the wrap.
func TestTimesFindTheirTick(t *testing.T) {
	for _, rate := range []int{20, 60, 64, 100, 128, 240} {
		h := ledger.Header{TickRate: rate, Origin: 1<<32 - 1000}
		for k := range state.Tick(5000) {
			if at := h.TickAt(h.At(h.Origin + k)); at != h.Origin+k {
				t.Fatalf("%d Hz: tick %d became %d", rate, k, at-h.Origin)
			}
		}
	}
}

// A file that opens more than there can be is not followed without a bound.
func TestReplayHoldsABoundedNumberOpen(t *testing.T) {
	var p ledger.Replay
	for viewer := state.ID(1); viewer <= 30; viewer++ {
		for target := range state.ID(5000) {
			p.Add(&ledger.Record{Kind: ledger.Begin, Viewer: viewer, Target: target})
		}
	}
	if n := len(p.Open(0)); n != ledger.MaxOpen {
		t.Errorf("%d open", n)
	}
}

// Whatever a file holds, reading and replaying it end, within the limits.
func FuzzReader(f *testing.F) {
	whole := made(f, 40)
	f.Add(whole)
	f.Add(whole[:len(whole)*3/4])
	f.Add([]byte("SLLEDG\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ledger.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			return
		}
		replay(t, r, int64(len(b)))
	})
}

func replay(t *testing.T, r *ledger.Reader, size int64) {
	i := r.Info()
	if i.Whole > size || i.Truncated != (i.Cut() != nil) || int64(i.Records) > size {
		t.Fatalf("%+v", i)
	}
	ended := 0
	p := ledger.Replay{Ended: func(d *ledger.Disclosure) {
		if ended++; d.Viewer > state.MaxPlayers || d.Cause >= ledger.NumCauses {
			t.Fatalf("%+v", d)
		}
		_ = d.Cause.String() + d.Reason.String()
	}}
	var rec ledger.Record
	n, prev := 0, i.First
	for r.Next(&rec) == nil {
		if n++; int32(rec.Tick-prev) < 0 || len(rec.Text) > ledger.MaxText {
			t.Fatalf("%+v after %d", rec, prev)
		}
		prev = rec.Tick
		p.Add(&rec)
	}
	p.Finish(i.Last)
	if n > i.Records || ended > n {
		t.Fatalf("%d records of %d, %d ended", n, i.Records, ended)
	}
}
