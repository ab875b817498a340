package snapshot_test

import (
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/net/snapshot"
)

// FuzzBothForms writes one world range coded and packed, over the same losses, and
// wants the same Snapshots.
func FuzzBothForms(f *testing.F) {
	f.Add(uint64(1), uint8(20), []byte{0, 1, 0, 0, 3, 0})
	f.Add(uint64(2), uint8(90), []byte{0, 0, 2, 2, 2, 0, 0, 1, 1, 1, 1, 0})
	f.Fuzz(func(t *testing.T, seed uint64, calm uint8, fates []byte) {
		if len(fates) > 64 {
			return
		}
		w := newWorld(seed, 20, state.Tick(seed>>32))
		w.predicts, w.coarse = true, true
		var enc [2]*snapshot.Encoder
		var dec [2]*snapshot.Decoder
		for i := range enc {
			enc[i], dec[i] = snapshot.NewEncoder(64), snapshot.NewDecoder(64)
			dec[i].Predict(func(state.Tick) (*state.Player, bool) { return &w.own.Player, true })
		}
		enc[1].Pack(true)
		for i, fate := range fates {
			seq := uint64(i + 1)
			w.step(int(calm) % 101)
			v := w.build()
			var got [2]snapshot.Snapshot
			var errs [2]error
			for k := range enc {
				b, err := encode(enc[k], v, seq, snapshot.MaxPayload)
				if err != nil {
					t.Fatal(err)
				}
				if fate&1 != 0 {
					continue // lost
				}
				s, err := decode(dec[k], b, seq)
				if errs[k] = err; err == nil {
					got[k] = *s
				}
				if fate&2 == 0 {
					enc[k].Acked(seq)
				}
			}
			if errs[0] != errs[1] || !reflect.DeepEqual(got[0], got[1]) {
				t.Fatalf("packet %d: range coded %v\n%+v\npacked %v\n%+v", seq, errs[0], got[0], errs[1], got[1])
			}
			if errs[0] != nil {
				t.Fatal(errs[0])
			}
		}
	})
}
