package desktop

import (
	"errors"
	"fmt"

	"github.com/sightline-engine/sightline/engine/demo"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/render/scene"
)

// marksPerFrame is how many recorded frames are read ahead of the show in each
// picture: some milliseconds of a large match, and forty times real time.
const marksPerFrame = 40

// maxMarks bounds the kills that the bar remembers.
const maxMarks = 1 << 14

// marks finds the kills of a demo by reading through it once, beside the show.
type marks struct {
	r     *demo.Reader
	frame demo.Frame
	kills []killMark // by time
	done  bool
}

type killMark struct {
	tick           state.Tick
	killer, victim state.ID
}

// read goes on by n frames.
func (m *marks) read(n int) {
	for range n {
		if m.done || len(m.kills) >= maxMarks {
			m.done = true
			return
		}
		if m.r.Next(&m.frame) != nil {
			m.done = true
			return
		}
		for i := range m.frame.Events {
			if e := &m.frame.Events[i]; e.Kind == state.EvKill {
				m.kills = append(m.kills, killMark{m.frame.Tick, e.Actor, e.Target})
			}
		}
	}
}

// drawMarks puts a stroke over the bar for each kill: green where the followed player
// killed, red where it died.
func (t *theatre) drawMarks(h *scene.HUD, x, y, w float32) {
	i := t.p.Info()
	span := float32(i.Last - i.First)
	if span <= 0 {
		return
	}
	at := float32(-10)
	for k := range t.marks.kills {
		m := &t.marks.kills[k]
		px := x + w*float32(m.tick-i.First)/span
		c, up := demoDim.Alpha(0.55), float32(3)
		switch t.who {
		case m.victim:
			c, up = scene.RGBA{R: 255, G: 78, B: 66, A: 255}, 5
		case m.killer:
			c, up = toldRGBA, 5
		default:
			if px-at < 1.5 { // of strokes that would touch one is enough
				continue
			}
			at = px
		}
		h.Panel(px-0.75, y-up-1.5, 1.5, up, 0, c, c)
	}
}

// seekKill goes to shortly before the followed player next kills or dies.
func (t *theatre) seekKill() error {
	const before = 2.5 // seconds
	i := t.p.Info()
	t.marks.read(1 << 12)
	for _, m := range t.marks.kills {
		s := float64(m.tick-i.First)/float64(i.TickRate) - before
		if (m.killer == t.who || m.victim == t.who) && s > t.p.Seconds()+0.1 {
			t.seek(s)
			return nil
		}
	}
	if !t.marks.done {
		return errors.New("demo.seek kill: the demo is still being read: again in a moment")
	}
	return fmt.Errorf("demo.seek kill: %s neither kills nor dies after this", playerName(t, t.who))
}
