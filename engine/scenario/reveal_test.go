package scenario_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/sightline-engine/sightline/engine/client"
	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/link"
)

// page is a ledger's store in memory.
type page struct{ bytes.Buffer }

func (p *page) Create(int) (io.WriteCloser, error) { return p, nil }
func (p *page) Remove(int) error                   { return nil }
func (p *page) Close() error                       { return nil }

// span is a stretch of frames that drew somebody, by the clock.
type span struct{ from, to int64 }

// reveals plays bots with a ledger and returns its disclosures of players, and when the
// frames of each viewer really drew whom.
func reveals(t *testing.T, down link.SimConfig, seconds int, change func(*scenario.Config)) (got []ledger.Disclosure, drawn map[[2]state.ID][]span, when map[state.Tick]int64) {
	t.Helper()
	t.Logf("seed %d", *seed)
	var book page
	w, err := ledger.NewWriter(&book, ledger.Header{TickRate: rate}, ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(maps{}, "corner", 8)
	cfg.Up, cfg.Down = link.SimConfig{LatencyMS: 20}, down
	start := cfg.Start
	cfg.Start = func(ref string) (*server.Match, error) {
		m, err := start(ref)
		if m != nil {
			m.Reveals = true
		}
		return m, err
	}
	cfg.Hooks = server.Ledger(cfg.Hooks, func() *ledger.Writer { return w })
	drawn, when = map[[2]state.ID][]span{}, map[state.Tick]int64{}
	var others []client.Shown
	last := int64(0)
	cfg.Frame = func(m *scenario.Match, now int64) {
		for _, b := range m.Crew.Bots() {
			if b.State() != client.Playing {
				continue
			}
			others = b.Others(others[:0])
			for i := range others {
				if others[i].Kind != state.KindPlayer {
					continue
				}
				k := [2]state.ID{b.ID(), others[i].ID}
				s := drawn[k]
				if n := len(s); n == 0 || s[n-1].to != last && s[n-1].to != now {
					drawn[k] = append(s, span{now, now})
				} else {
					s[n-1].to = now
				}
			}
		}
		last = now
	}
	cfg.Truth = func(m *scenario.Match) { when[m.Server.Tick()] = m.Now }
	if change != nil {
		change(&cfg)
	}
	m, err := scenario.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range seconds * rate {
		m.Step()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ledger.Open(bytes.NewReader(book.Bytes()), int64(book.Len()))
	if err != nil {
		t.Fatal(err)
	}
	p := ledger.Replay{Await: 8 * rate, Ended: func(d *ledger.Disclosure) {
		if d.Subject == state.KindPlayer && d.Seq != 0 {
			got = append(got, *d)
		}
	}}
	var rec ledger.Record
	for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
		p.Add(&rec)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	p.Finish(r.Info().Last)
	return got, drawn, when
}

// apart is the difference of two times in nanoseconds, in microseconds and rounded.
func apart(a, b int64) int64 { return (max(a, b) - min(a, b)) / 1000 }

// In stepped time what the ledger has of A and R by the client's word is what was: A is
// the step in which the packet came out of the link, R the first frame from then on
// that drew the target.
func TestRevealReportsAreExactInSteppedTime(t *testing.T) {
	const oneWay = 35_000_000
	got, drawn, when := reveals(t, link.SimConfig{LatencyMS: oneWay / 1e6}, 25, nil)
	joined, undrawn, again := 0, 0, 0
	for i := range got {
		d := &got[i]
		us, least, most, ok := d.Delay(rate)
		if !ok {
			continue
		}
		joined++
		if d.Claim.Clamped || least != us || most != us || d.Claim.LookUS != 0 || d.ClaimSeq != d.Seq {
			t.Fatalf("%+v", d)
		}
		sent := when[d.Sent]
		// A packet waits for the next of the four steps of a tick.
		const step = 1_000_000_000 / rate / 4
		come := sent + (oneWay+step-1)/step*step
		at := sent + int64(us)*1000
		if apart(at, come) > 2 {
			t.Fatalf("tick %d: A is %d us after S, not %d: %+v", d.Sent, us, (come-sent)/1000, d)
		}
		r := int64(0)
		for _, s := range drawn[[2]state.ID{d.Viewer, d.Target}] {
			if s.to >= come-2000 {
				r = max(s.from, come)
				break
			}
		}
		if !d.Claim.Drawn {
			undrawn++
			continue
		}
		if r > come {
			again++
		}
		if apart(at+int64(d.Claim.DrawnUS)*1000, r) > 3 {
			t.Fatalf("tick %d: R is %d us after A, not %d: %+v", d.Sent, d.Claim.DrawnUS, (r-come)/1000, d)
		}
	}
	t.Logf("%d disclosures, %d with the client's word, %d of them never drawn, %d not drawn at once", len(got), joined, undrawn, again)
	if joined < 30 || joined < len(got)*8/10 {
		t.Errorf("%d of %d disclosures have the client's word", joined, len(got))
	}
}

// Behind a bad line, and with clocks of their own, the true A lies within the bounds
// that the ledger gives, and so does R.
func TestRevealReportsBoundWhatWas(t *testing.T) {
	got, _, when := reveals(t, link.SimConfig{LatencyMS: 50, JitterMS: 10, Loss: 0.05}, 20, nil)
	joined, late := 0, 0
	for i := range got {
		d := &got[i]
		us, least, most, ok := d.Delay(rate)
		if !ok {
			continue
		}
		joined++
		if d.Claim.Clamped || us < least || us > most || us < 40_000 || us > 1_000_000 || when[d.ClaimAt] < when[d.Sent] {
			t.Fatalf("%d %d %d: %+v", least, us, most, d)
		}
		if d.ClaimSeq > d.Seq {
			late++ // the first was lost
		}
	}
	t.Logf("%d disclosures, %d with the client's word, %d in a later packet", len(got), joined, late)
	if joined < 20 || late == 0 {
		t.Errorf("%d joined, %d late", joined, late)
	}
}
