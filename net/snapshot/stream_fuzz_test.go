package snapshot_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// FuzzStream is a whole session with a server that lies now and then: of every three
// bytes the first says whether a packet is true, damaged, somebody's own bytes, old or
// lost, and the others where and how. Whatever came, what the client holds is sound,
// and after a full snapshot of the true server it is what that one sent.
func FuzzStream(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 9, 3, 0, 0, 0, 2, 60, 4, 7, 7, 7, 7, 0, 0, 0, 3, 2, 0, 4, 0, 0, 0, 0, 0})
	f.Add(bytes.Repeat([]byte{1, 30, 0x55, 0, 0, 0}, 30))
	f.Add(bytes.Repeat([]byte{6, 12, 0xAA, 3, 1, 0, 4, 0, 0}, 20))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 600 {
			return
		}
		w := newWorld(4, 16, 0)
		w.predicts = true
		enc, dec := snapshot.NewEncoder(64), snapshot.NewDecoder(64)
		dec.Predict(func(state.Tick) (*state.Player, bool) { return &w.own.Player, true })
		var sent [][]byte
		seq := uint64(0)
		next := func() []byte {
			seq++
			w.step(20)
			b, err := encode(enc, w.build(), seq, snapshot.MaxPayload)
			if err != nil {
				t.Fatal(err)
			}
			sent = append(sent, bytes.Clone(b))
			return sent[len(sent)-1]
		}
		take := func(b []byte, seq uint64) error {
			s, err := decode(dec, b, seq)
			if err == nil {
				sound(t, s, max(len(b), 64))
			}
			return err
		}
		for len(in) >= 3 {
			kind, at, how := in[0]%8, int(in[1]), in[2]
			in = in[3:]
			enc.Plain(kind >= 6)
			b := next()
			switch kind {
			case 0: // true, and acknowledged
				if err := take(b, seq); err == nil {
					enc.Acked(seq)
				} else if errors.Is(err, snapshot.ErrNeedFull) {
					enc.Reset()
				}
			case 1, 6: // one byte of it changed
				b = bytes.Clone(b)
				b[at%len(b)] ^= how
				take(b, seq)
			case 2: // what the input says
				n := min(at, len(in))
				take(in[:n], seq)
				in = in[n:]
			case 3: // an old one once more
				k := at % len(sent)
				take(sent[k], uint64(k+1))
			case 4:
				enc.Lost(seq)
			case 5: // it counts as arrived, and did not
				enc.Acked(seq)
			case 7: // cut, and ones behind it
				n := at % len(b)
				take(append(bytes.Clone(b[:n]), bytes.Repeat([]byte{how}, 40)...), seq)
			}
		}
		// The true server is told that nothing can be read, as a client would.
		enc.Plain(false)
		for range 3 {
			enc.Reset()
			if b := next(); take(b, seq) == nil {
				break
			}
		}
		enc.Acked(seq)
		b := next()
		if _, err := decode(dec, b, seq); err != nil && !errors.Is(err, snapshot.ErrMismatch) {
			t.Fatalf("the true server is not understood any more: %v", err)
		}
	})
}
