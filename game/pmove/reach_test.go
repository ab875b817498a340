package pmove_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/level"
	"github.com/sightline-engine/sightline/game/pmove"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/tables"
	"github.com/sightline-engine/sightline/game/trace"
	"github.com/sightline-engine/sightline/game/vec"
)

// asked counts the questions that lead beyond a box.
type asked struct {
	pmove.World
	reach      vec.Box
	all, hence int
}

func (a *asked) Box(start, end vec.V3, box vec.Box, mask level.Mask) level.Hit {
	a.all++
	lo, hi := start.Min(end).Add(box.Min), start.Max(end).Add(box.Max)
	if !a.reach.Contains(lo) || !a.reach.Contains(hi) {
		a.hence++
	}
	return a.World.Box(start, end, box, mask)
}

// TestLookedUpAtOnceItIsTheSame plays the recorded commands twice: on the Scene,
// and on what is Near where the player is. Every state is the same, and nearly all
// questions stay within Reach.
func TestLookedUpAtOnceItIsTheSame(t *testing.T) {
	cmds := recorded(t)
	w := maze()
	for _, table := range tables.Names() {
		for _, rate := range []int{20, 64, 128} {
			set, _ := tables.ByName(table)
			scene := w.Closed()
			scene.Poses = make([]level.Pose, 2)
			before := make([]level.Pose, 2)
			var near trace.Near
			count := asked{World: &near}
			plain := pmove.Env{World: &scene, Move: &set.Movement, TickRate: rate, Pads: w.Level().Pads, Poses: scene.Poses, Before: before}
			quick := plain
			quick.World = &count
			p := state.Player{Pos: vec.V3{X: -0.5, Z: 0.25}, Ground: -1}
			q := p
			for i, cmd := range cmds {
				before[1] = scene.Poses[1]
				scene.Poses[1].Off.Z = float32(min(i%400, 400-i%400)) / 64
				count.reach = pmove.Reach(&q, &set.Movement, rate)
				near.Gather(scene, count.reach)
				a, b := pmove.Step(&p, cmd, plain), pmove.Step(&q, cmd, quick)
				if p != q || a != b {
					t.Fatalf("%s, %d Hz, command %d:\n%+v %+v\n%+v %+v", table, rate, i, p, a, q, b)
				}
			}
			if count.hence*50 > count.all {
				t.Errorf("%s, %d Hz: %d of %d questions lead beyond the reach", table, rate, count.hence, count.all)
			}
			t.Logf("%s, %d Hz: %.1f questions a command, %d of %d beyond", table, rate, float64(count.all)/float64(len(cmds)), count.hence, count.all)
		}
	}
}
