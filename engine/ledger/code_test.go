package ledger

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// Any bytes behind right checksums are records or an error, within the limits.
func FuzzRecords(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range uint32(8) {
		b := make([]byte, rng.IntN(300))
		for i := range b {
			b[i] = byte(rng.Uint32() & rng.Uint32())
		}
		f.Add(b, uint32(5), uint32(60), n*9)
	}
	c := code{write: true}
	for k := Begin; k < numKinds; k++ {
		c.record(&Record{Kind: k, Tick: 7, Viewer: 3, Target: 9, Seq: 4, HasCome: true, Since: 2, Text: "Ada", Shot: Shot{Weapon: "rifle", Damage: -4}}, 7)
	}
	f.Add(c.buf, uint32(7), uint32(7), uint32(numKinds-1))
	f.Fuzz(func(t *testing.T, b []byte, first, last, count uint32) {
		file := Header{TickRate: 64}.append(nil)
		for k := range uint32(2) {
			rec := append(make([]byte, chunkHead+chunkBase), b[:min(len(b), MaxChunk-chunkBase)]...)
			seal(rec, byte(1+k), first, last, count)
			file = append(file, rec...)
		}
		r, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		p := Replay{}
		var rec Record
		n := 0
		for r.Next(&rec) == nil {
			n++
			p.Add(&rec)
			if rec.Viewer > state.MaxPlayers || int(rec.Target) >= idSpace || rec.Reason >= vis.NumReasons || rec.Cause >= NumCauses || int32(last-rec.Tick) < 0 {
				t.Fatalf("%+v", rec)
			}
		}
		if p.Finish(last); n > 2*len(b) {
			t.Fatal(n, "records of", len(b), "bytes")
		}
	})
}

// What is written of a record is what is read, for every kind and value.
func TestEveryRecordIsReadAsWritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	words := []string{"", "rifle", "Ada Lovelace", "ünïcode"}
	for range 20_000 {
		tick := rng.Uint32()
		r := Record{Kind: Kind(1 + rng.IntN(int(numKinds)-1)), Tick: tick}
		prev := tick - uint32(rng.IntN(5))
		pair := func() {
			r.Viewer, r.Target = state.ID(1+rng.IntN(state.MaxPlayers)), state.ID(rng.IntN(idSpace))
		}
		switch r.Kind {
		case Begin:
			pair()
			r.Subject, r.Reason = state.Kind(rng.IntN(5)), vis.Reason(rng.IntN(int(vis.NumReasons)))
		case Change:
			pair()
			r.Reason = vis.Reason(rng.IntN(int(vis.NumReasons)))
		case End:
			pair()
			r.Cause, r.Seq, r.Packets = Cause(rng.IntN(int(NumCauses))), rng.Uint64(), rng.Uint32()
		case Sent, Arrived:
			pair()
			r.Seq = rng.Uint64()
		case Source:
			r.Who = vis.Source(rng.IntN(3))
		case Name:
			r.Viewer, r.Text, r.Bot = 5, words[rng.IntN(4)], rng.IntN(2) == 0
		case Plugin:
			r.Count, r.Text = rng.Uint32(), words[rng.IntN(4)]
		case Table:
			r.Count, r.Text, r.To = rng.Uint32(), words[rng.IntN(4)], rng.Float32()
		case Left:
			r.Viewer, r.Text = 5, words[rng.IntN(4)]
		case Gap:
			r.Count, r.Items = rng.Uint32(), rng.Uint32()
		case Carry:
			pair()
			r.Since, r.Packets, r.HasCome = rng.Uint32(), rng.Uint32(), rng.IntN(2) == 0
			if r.HasCome {
				r.ArrivedAt = rng.Uint32()
			}
			if r.Seq = rng.Uint64() & -uint64(rng.IntN(2)); r.Seq != 0 {
				r.SentAt = rng.Uint32()
			}
		case Fired:
			r.Viewer = 9
			r.Shot = Shot{
				Target: state.ID(rng.IntN(idSpace)), Near: 3, Weapon: words[rng.IntN(4)], Result: words[rng.IntN(4)], Why: words[rng.IntN(4)], Shown: words[rng.IntN(4)],
				Damage: int32(rng.Uint32()), Killed: rng.IntN(2) == 0, Evidence: rng.IntN(2) == 0,
				Claimed256: int64(rng.Uint64()), Used256: rng.Uint32(), Limit256: rng.Uint32(),
			}
		case Sample:
			pair()
			r.Reason, r.Distance, r.Aim = vis.Reason(rng.IntN(int(vis.NumReasons))), rng.Uint32(), uint8(rng.IntN(181))
		case Report:
			pair()
			r.Seq, r.SentAt = rng.Uint64(), rng.Uint32()
			r.Claim = Claim{CameUS: rng.Uint32(), LeastUS: rng.Uint32(), MostUS: rng.Uint32(), Clamped: rng.IntN(2) == 0}
			if rng.IntN(2) == 0 {
				r.Claim.Drawn, r.Claim.DrawnUS, r.Claim.LookUS = true, rng.Uint32(), rng.Uint32()
			}
		}
		w := code{write: true}
		w.record(&r, prev)
		var got Record
		c := code{buf: w.buf}
		if c.record(&got, prev); c.err != nil || len(c.buf) != 0 || got != r {
			t.Fatalf("%+v became %+v: %v", r, got, c.err)
		}
		if len(w.buf) > maxRecord {
			t.Fatal(len(w.buf))
		}
	}
}
