package codec_test

import (
	"reflect"
	"testing"

	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
	"github.com/sightline-engine/sightline/plugins/internal/codec"
)

// An Answer decoded into the memory of others, good ones, denied ones and nonsense, of
// this shape and of another, is the one decoded into fresh memory.
func TestAnswersAreDecodedIntoUsedMemory(t *testing.T) {
	r := vec.NewRand(4, 1)
	var used vis.Answer
	var in vis.Input
	for round := range 400 {
		if round%40 == 0 {
			in.Subjects, in.Viewers = make([]vis.Subject, 1+r.Intn(200)), make([]vis.Viewer, 1+r.Intn(20))
			in.SizeAsked()
		}
		in.Tick++
		var a vis.Answer
		a.Reset(&in)
		for range r.Intn(300) {
			a.Allow(r.Intn(a.Viewers), r.Intn(a.Subjects), vis.Reason(r.Intn(int(vis.NumReasons))), in.Tick+9, uint8(r.Intn(256)))
		}
		frame := codec.AppendAnswer(nil, &a)
		if r.Intn(4) == 0 {
			bad := append([]byte{}, frame...)
			for range 1 + r.Intn(3) {
				bad[r.Intn(len(bad))] ^= byte(1 + r.Intn(255))
			}
			_ = codec.DecodeAnswer(bad[:len(bad)-r.Intn(2)], &in, &used)
		}
		var fresh vis.Answer
		if err := codec.DecodeAnswer(frame, &in, &fresh); err != nil {
			t.Fatal(err)
		}
		if err := codec.DecodeAnswer(frame, &in, &used); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(used, fresh) {
			t.Fatalf("round %d, %d×%d: into used memory\n%+v\ninto fresh\n%+v", round, a.Viewers, a.Subjects, used, fresh)
		}
		for range r.Intn(30) { // as the engine does with it
			used.Deny(r.Intn(a.Viewers), r.Intn(a.Subjects))
			used.Allow(r.Intn(a.Viewers), r.Intn(a.Subjects), vis.Teammate, in.Tick, 3)
		}
	}
}
