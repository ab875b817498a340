package server

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/sightline-engine/sightline/engine/ledger"
	"github.com/sightline-engine/sightline/game/rules"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// pages is a ledger's store in memory.
type pages struct{ bytes.Buffer }

func (p *pages) Create(n int) (io.WriteCloser, error) {
	if n > 1 {
		return nil, errors.New("one part is enough")
	}
	return p, nil
}
func (p *pages) Remove(int) error { return nil }
func (p *pages) Close() error     { return nil }

// at is a policy that shows everybody in some ticks.
type at struct {
	out  vis.Answer
	from state.Tick
	to   state.Tick
}

func (p *at) Submit(in *vis.Input) {
	p.out.Reset(in)
	for v := range in.Viewers {
		for s := range in.Subjects {
			if in.Tick >= p.from && in.Tick < p.to {
				p.out.Allow(v, s, vis.EyeEye, in.Tick, 0)
			}
		}
	}
	if p.from == 0 {
		p.out.Source = vis.FromFallback
	}
}
func (p *at) Collect() *vis.Answer { return &p.out }

// The ledger has each disclosure with its ticks, its first packet by the number that
// the client has it under, and the hits at somebody who was not shown.
func TestServerKeepsTheLedger(t *testing.T) {
	var book pages
	w, err := ledger.NewWriter(&book, ledger.Header{TickRate: rate}, ledger.Options{Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &at{}
	seqs := map[state.Tick]uint64{}
	st, a, b := duel(t, func(c *Config) {
		start := c.Start
		c.Start = func(ref string) (*Match, error) {
			m, err := start(ref)
			if m != nil {
				m.Policy = p
			}
			return m, err
		}
		var now state.Tick
		c.Hooks.Decided = func(in *vis.Input, _ *vis.Answer) { now = in.Tick }
		c.Hooks.Packet = func(id state.ID, seq uint64, of []state.ID) {
			if id == 1 {
				seqs[now] = seq
			}
		}
		c.Hooks = Ledger(c.Hooks, func() *ledger.Writer { return w })
	})
	shot := fire(st, a, b)
	if !shot.Evidence() {
		t.Fatalf("%+v", shot)
	}
	for _, g := range st.clients {
		g.mute = false
	}
	st.rules.ops = append(st.rules.ops, rules.Op{Kind: rules.OpSpawn, ID: b.id, Pos: st.level.Spawns[0].Pos.Add(vec.V3{X: 2}), Value: 100})
	st.run(10)
	p.from, p.to = st.s.Tick()+5, st.s.Tick()+25
	from, to := p.from, p.to
	st.run(40)
	st.s.Kick(b.name, "enough")
	st.run(2)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	r, err := ledger.Open(bytes.NewReader(book.Bytes()), int64(book.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []ledger.Disclosure
	var fired []ledger.Record
	left, sources := "", []vis.Source{}
	rp := ledger.Replay{
		Ended: func(d *ledger.Disclosure) {
			if d.Viewer == a.id && d.Target == b.id {
				got = append(got, *d)
			}
		},
		Other: func(r *ledger.Record) {
			switch r.Kind {
			case ledger.Fired:
				fired = append(fired, *r)
			case ledger.Left:
				left = r.Text
			case ledger.Source:
				sources = append(sources, r.Who)
			}
		},
	}
	var rec ledger.Record
	for err = r.Next(&rec); err == nil; err = r.Next(&rec) {
		rp.Add(&rec)
	}
	if !errors.Is(err, io.EOF) || r.Info().Truncated {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	d := &got[0]
	if d.Begin != from || d.End != to || d.First != vis.EyeEye || d.Cause != ledger.Withheld || d.ViewerName != "Ada" || d.TargetName != "Bob \"B\"" ||
		d.Seq == 0 || d.Seq != seqs[d.Sent] || int32(d.Sent-from) < 0 || d.Sent-from > 2 || !d.HasCome || d.Packets < 10 {
		t.Errorf("%+v, packet %d", d, seqs[d.Sent])
	}
	if len(fired) != 1 || !fired[0].Shot.Evidence || fired[0].Viewer != a.id || fired[0].Shot.Target != b.id || fired[0].Shot.Weapon == "" || fired[0].Tick != shot.Tick {
		t.Errorf("%+v", fired)
	}
	if left != "enough" || len(sources) != 2 || sources[0] != vis.FromFallback || sources[1] != vis.FromPolicy {
		t.Errorf("left %q, sources %v", left, sources)
	}
}
