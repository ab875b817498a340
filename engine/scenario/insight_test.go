package scenario_test

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-engine/sightline/engine/scenario"
	"github.com/sightline-engine/sightline/engine/server"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// What is looked into on the server leaves it nowhere: every packet of a match is as
// long, at the same time and about the same, whether somebody looks into all players in
// turn or nobody does; and what was looked into agrees with what was sent.
func TestLookingIntoAServerChangesNoPacket(t *testing.T) {
	t.Logf("seed %d", *seed)
	play := func(look bool) (sum [32]byte, found int) {
		var x server.Insights
		var h hash.Hash = sha256.New()
		cfg := config(maps{}, "corner", 6)
		told := map[state.ID]map[state.ID]bool{}
		cfg.Hooks = server.Hooks{
			View: func(v *vis.View) {
				m := map[state.ID]bool{}
				for _, k := range v.Entities() {
					m[k.ID] = true
					binary.Write(h, binary.LittleEndian, []uint32{uint32(v.Tick()), uint32(v.Own().ID), uint32(k.ID), uint32(k.Pos.X)})
				}
				told[v.Own().ID] = m
			},
			Sent: func(v *vis.View, bytes int) {
				binary.Write(h, binary.LittleEndian, []uint32{uint32(v.Tick()), uint32(v.Own().ID), uint32(bytes)})
			},
		}
		cfg.Hooks = x.Hook(cfg.Hooks, rate)
		var n server.Insight
		cfg.Each = func(m *scenario.Match) {
			if !look {
				return
			}
			of := state.ID(1 + m.Report.Ticks/64%6)
			if !x.Look(&n, of) {
				return
			}
			if n.Viewer != of {
				t.Fatalf("%d instead of %d", n.Viewer, of)
			}
			if n.Tick != m.Server.Tick() || !n.Alive {
				return
			}
			for i := range n.Bodies {
				b := &n.Bodies[i]
				if b.Kind != state.KindPlayer {
					continue
				}
				found++
				if b.Told != told[of][b.ID] || b.Told != (b.Why == server.WhyTold) || b.Told && b.By == vis.Hidden {
					t.Fatalf("tick %d, %d and %d: %+v, sent %v", n.Tick, of, b.ID, b, told[of][b.ID])
				}
			}
		}
		m, err := scenario.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for range 8 * rate {
			m.Step()
		}
		copy(sum[:], h.Sum(nil))
		return sum, found
	}
	with, found := play(true)
	without, _ := play(false)
	if with != without {
		t.Error("looking changes what is sent")
	}
	if found < 500 {
		t.Errorf("%d pairs were looked into", found)
	}
}

// No message and no client knows of it.
func TestInsightHasNoWayOut(t *testing.T) {
	for _, dir := range []string{"../../net", "../client", "../bots", "../demo"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil && strings.Contains(string(text), "Insight") {
				t.Errorf("%s knows of server.Insight", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
