package wire_test

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/net/bits"
	"github.com/sightline-engine/sightline/net/rangecode"
	"github.com/sightline-engine/sightline/net/wire"
)

var update = flag.Bool("update", false, "write STANDARD.md anew")

// vectors returns examples of every layout with their bytes.
func vectors() string {
	var b strings.Builder
	line := func(what any, raw []byte) {
		s := strings.TrimPrefix(fmt.Sprintf("%+v", what), "&")
		fmt.Fprintf(&b, "%s\n  = %s\n", s, hex.EncodeToString(raw))
	}
	for _, m := range messages() {
		line(fmt.Sprintf("%T %+v", m, m), wire.Append(nil, m))
	}
	packed := func(what any, put func(w *bits.Writer)) {
		var w bits.Writer
		w.Reset(make([]byte, 256))
		put(&w)
		line(what, w.Bytes())
	}
	cl := &wire.Client{HasSnap: true, SnapTick: 64, Cmds: []state.Cmd{
		{Tick: 70, Forward: 127, Yaw: 100, ViewTick: 60, ViewFrac: 128},
		{Tick: 71, Forward: 127, Yaw: 90, Buttons: state.BtnFire, ViewTick: 61, ViewFrac: 128},
	}}
	packed(fmt.Sprintf("wire.Client %+v", *cl), func(w *bits.Writer) { wire.PutClient(w, cl) })
	e := state.Entity{ID: 9, Kind: state.KindPlayer, Weapon: 1, Pos: state.Q{X: 256, Y: -512, Z: 10}, Vel: state.Q{X: 640}, Yaw: 16384}
	f := e
	f.Pos.X += 11
	f.ShotSeq = 1
	at := state.Q{X: 300, Y: -400}
	coded := func(what any, put func(c *wire.Coder)) {
		packed(fmt.Sprintf("packed: %v", what), func(w *bits.Writer) { c := wire.Writing(w); put(&c) })
		var e rangecode.Encoder
		e.Reset(make([]byte, 256))
		c := wire.Coding(&e, nil)
		put(&c)
		line(fmt.Sprintf("range coded: %v", what), e.Finish())
	}
	base := wire.Rec{Ent: e, Tick: 7}
	coded(fmt.Sprintf("without a base, seen from %v: %+v", at, e), func(c *wire.Coder) { b := base; c.First(&b, at) })
	coded(fmt.Sprintf("one tick of 64 Hz later %+v", f), func(c *wire.Coder) {
		c.Record(&wire.Rec{Ent: f, Tick: 8}, &base, 64)
	})
	p := state.Player{Pos: vec.V3{X: 1.5}, Health: 100, Ground: -1}
	coded(fmt.Sprintf("%+v", p), func(c *wire.Coder) { q := p; c.Player(&q, &state.Player{}, 0, 64) })
	coded(fmt.Sprintf("as predicted but for health %d", p.Health), func(c *wire.Coder) { q := p; c.Unpredicted(&q, &state.Player{}) })
	ev := state.Event{Kind: state.EvImpact, Pos: vec.V3{X: 2}, Dir: vec.V3{Z: 1}}
	coded(fmt.Sprintf("%+v", ev), func(c *wire.Coder) { q := ev; c.Happened(&q, state.Q{X: 500}) })
	return b.String()
}

// TestStandardIsTheCode holds STANDARD.md to the schema and the vectors: with
// -update it writes them.
func TestStandardIsTheCode(t *testing.T) {
	raw, err := os.ReadFile("STANDARD.md")
	if err != nil {
		t.Fatal(err)
	}
	want := replaceBlock(string(raw), "schema", fmt.Sprintf("%shash %x\n", wire.Schema(), wire.SchemaHash()))
	want = replaceBlock(want, "vectors", vectors())
	if *update {
		if err := os.WriteFile("STANDARD.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(raw) {
		t.Fatal("the wire has changed: go test ./net/wire -update, and review the difference")
	}
}

// replaceBlock replaces what stands in the fenced block of a name.
func replaceBlock(doc, name, content string) string {
	head, rest, ok := strings.Cut(doc, "```"+name+"\n")
	_, tail, ok2 := strings.Cut(rest, "```\n")
	if !ok || !ok2 {
		return doc + "\nno block " + name + "\n"
	}
	return head + "```" + name + "\n" + content + "```\n" + tail
}
