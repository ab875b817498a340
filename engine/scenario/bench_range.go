package scenario

import (
	"fmt"

	"github.com/sightline-engine/sightline/game/sim"
)

// Hits are shown hits, and those that the server agreed with; of shooters who were
// pushed too.
type Hits struct {
	Shown  int `json:"shown"`
	Agreed int `json:"agreed"`
}

// The classes of distance by which hits are counted: up to so many metres, and beyond
// the last.
var rangeM = [...]float32{50, 150, 350}

// NumRanges is how many classes there are.
const NumRanges = len(rangeM) + 1

// RangeName says which distances a class has.
func RangeName(class int) string {
	if class >= len(rangeM) {
		return fmt.Sprintf("beyond %g m", rangeM[len(rangeM)-1])
	}
	return fmt.Sprintf("to %g m", rangeM[class])
}

func rangeClass(m float32) int {
	for i, far := range rangeM {
		if m <= far {
			return i
		}
	}
	return len(rangeM)
}

// byRange counts a shown hit when the returned function is called: by what has been
// counted in between.
func (j *Judge) byRange(a *Aim, r *sim.ShotRecord) func() {
	hits, agreed := j.shown()
	return func() {
		n, ok := j.shown()
		if n == hits {
			return
		}
		at, found := j.past.Sample(a.Target, r.Tick)
		if !found {
			return
		}
		c := &j.ByRange[rangeClass(at.Pos.V3().Dist(r.Origin))]
		c.Shown += n - hits
		c.Agreed += ok - agreed
	}
}

// byRange gives the counts by the names of their classes.
func (v *Verdict) byRange() map[string]Hits {
	out := map[string]Hits{}
	for i := range v.ByRange {
		if v.ByRange[i].Shown > 0 {
			out[RangeName(i)] = v.ByRange[i]
		}
	}
	return out
}
