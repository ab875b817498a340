package vis_test

import (
	"testing"

	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// Which doors a View holds is the same as if each had been measured: many doors and
// eyes at random, some of them just within the range and just beyond, and on the way of
// each as it goes on or rests, while doors are opened and shut.
func TestDoorsInRangeAreThoseMeasuredOneByOne(t *testing.T) {
	r := vec.NewRand(7, 1)
	inCones := 0
	for round := range 100 {
		s := newScene()
		n := 1 + r.Intn(200)
		s.frame.Doors = make([]state.DoorState, n)
		for range n {
			at := vec.V3{X: 400 * (r.Float() - 0.5), Y: 400 * (r.Float() - 0.5), Z: 10 * r.Float()}
			s.frame.DoorAt = append(s.frame.DoorAt, vec.Box{Min: at, Max: at.Add(vec.V3{X: 6 * r.Float(), Y: 6 * r.Float(), Z: 3})})
		}
		s.frame.DoorRange = 20 + 100*r.Float()
		edge := &s.frame.DoorAt[0]
		for k := range 8 {
			x, y := 300*(r.Float()-0.5), 300*(r.Float()-0.5)
			if k < 2 { // at the very edge of one
				x, y = edge.Min.X-s.frame.DoorRange, edge.Min.Y
			}
			v := s.player(state.ID(k+1), 0, x, y)
			if k%2 == 1 { // through an optic, to anywhere
				s.in.Subjects[v].Yaw, s.in.Subjects[v].Pitch = 360*r.Float(), 60*r.Signed()
				s.in.Viewers[v].Scope = vis.Scope{Magnification: 4, HalfDeg: 3 + 10*r.Float(), RangeM: 50 + 300*r.Float(), TurnDPS: 60, Since: s.in.Tick, Last: s.in.Tick}
			}
		}
		far := []float32{0.1, 3}[round%2]
		for step := range 24 - round%2*16 {
			s.next()
			for range r.Intn(3) {
				s.frame.Doors[r.Intn(n)] = state.DoorState{Open: r.Intn(2) == 0, Start: state.Tick(step), From: uint16(r.Intn(1 << 16))}
			}
			for v := range s.in.Subjects {
				if r.Intn(3) == 0 {
					continue
				}
				d := vec.V3{X: r.Signed(), Y: r.Signed()}.Scale(float32(min(step, 1)) * far)
				it := &s.in.Subjects[v]
				it.Pos, it.Eye, it.Chest = it.Pos.Add(d), it.Eye.Add(d), it.Chest.Add(d)
				s.frame.Own[v].Player.Pos = it.Pos
			}
			s.decide(none)
			for v := range s.in.Viewers {
				s.ids(v)
				eye := s.in.Subjects[v].Eye
				var want []int
				cone, scoped := s.in.UsualSector(v)
				for i := range s.frame.DoorAt {
					if !(s.frame.DoorAt[i].Dist(eye) > s.frame.DoorRange) || scoped && cone.HoldsBox(s.frame.DoorAt[i]) {
						want = append(want, i)
					}
				}
				got := s.view.Doors()
				for _, i := range want {
					if s.frame.DoorAt[i].Dist(eye) > s.frame.DoorRange {
						inCones++
					}
				}
				same := len(got) == len(want)
				for i := range got {
					same = same && got[i].Index == want[i] && got[i].State == s.frame.Doors[want[i]] && got[i].Near == (s.frame.DoorAt[want[i]].Dist(s.frame.Own[v].Player.Pos) < 24)
				}
				if !same {
					t.Fatalf("round %d, scoped %v, eye %v, range %v: %d doors %+v, want %v", round, scoped, eye, s.frame.DoorRange, len(got), got, want)
				}
			}
		}
	}
	if inCones < 100 {
		t.Errorf("only %d doors were told of for a cone", inCones)
	}
}
