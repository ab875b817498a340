package bot

import (
	"github.com/sightline-engine/sightline/game/nav"
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
)

// Job is what the rules want of a player just now, as its screen says.
type Job uint8

// The jobs. None is a match in which one only fights.
const (
	NoJob  Job = iota
	Plant      // carries something to a zone of the level, and holds use there
	Fetch      // takes up what its side has dropped, if it sees it
	Disarm     // goes where it was left, and holds use there
	Defend     // stays about where it was left
)

const (
	jobReach = 1.0 // metres from what lies there at which a bot sets to work: less than what the rules allow
	jobStays = 8   // metres from it within which a defender of it may wander
	inside   = 0.3 // how far within a zone a bot stands at least, metres
)

// worker is what a bot remembers of its job.
type worker struct {
	job   Job
	zones [][]int32 // for each zone of the job its nodes
	boxes []vec.Box
	zone  int   // where it goes, or looks next
	node  int32 // of that zone
	lies  vec.V3
	known bool // lies was seen
}

// learn notes the zones of a name, with the places in which one can stand in them.
func (k *worker) learn(cfg *Config) {
	zones := cfg.World.Level().Zones
	for i := range zones {
		if cfg.Zone == "" || zones[i].Name != cfg.Zone {
			continue
		}
		in := zones[i].Box
		in.Min, in.Max = in.Min.Add(vec.V3{X: inside, Y: inside, Z: -inside}), in.Max.Add(vec.V3{X: -inside, Y: -inside})
		nodes := within(cfg.Graph, in)
		if len(nodes) > 0 {
			k.zones, k.boxes = append(k.zones, nodes), append(k.boxes, in)
		}
	}
}

// within lists the nodes in a box.
func within(g *nav.Graph, box vec.Box) (nodes []int32) {
	for i := range g.Nodes {
		if box.Contains(g.Nodes[i].Pos) {
			nodes = append(nodes, int32(i))
		}
	}
	return nodes
}

// attend takes in what the screen shows of the job.
func (b *Brain) attend(s *Senses) {
	k := &b.worker
	if s.Job != k.job {
		k.job, k.known = s.Job, k.known && s.Job == Defend
		b.repath = 0
		if s.Job != NoJob && len(k.zones) > 0 {
			b.next(b.rng.Intn(len(k.zones)))
		}
	}
	if s.Job == NoJob {
		return
	}
	for i := range s.Others {
		if o := &s.Others[i]; o.Kind == state.KindObjective && o.OwnedBy == 0 {
			if !k.known || k.lies.Dist(o.Pos) > 0.5 {
				b.repath = 0
			}
			k.lies, k.known = o.Pos, true
		}
	}
	if s.Job == Disarm && !k.known && len(k.zones) > 0 && k.boxes[k.zone].Contains(s.Own.Pos) {
		b.next((k.zone + 1) % len(k.zones)) // it is not here
		b.repath = 0
	}
}

// next chooses a zone and a place in it.
func (b *Brain) next(zone int) {
	k := &b.worker
	k.zone = zone
	k.node = k.zones[zone][b.rng.Intn(len(k.zones[zone]))]
}

// duty returns the node to which the job sends a bot, -1 for none.
func (b *Brain) duty(s *Senses) int32 {
	k := &b.worker
	switch {
	case s.Job == Plant && len(k.zones) > 0:
		return k.node
	case (s.Job == Disarm || s.Job == Fetch) && k.known:
		return b.cfg.Graph.Nearest(k.lies)
	case s.Job == Defend && k.known && k.lies.Dist(s.Own.Pos) > jobStays:
		return b.cfg.Graph.Nearest(k.lies)
	case s.Job == Disarm && len(k.zones) > 0:
		return k.node
	}
	return -1
}

// works reports whether a bot stands where its work is and has nobody to fight.
func (b *Brain) works(s *Senses, enemy *Other) bool {
	k := &b.worker
	if enemy != nil || s.Own.Flags&state.OnGround == 0 {
		return false
	}
	switch s.Job {
	case Plant:
		return len(k.boxes) > 0 && k.boxes[k.zone].Contains(s.Own.Pos)
	case Disarm:
		d := s.Own.Pos.Sub(k.lies)
		return k.known && d.Len2() < jobReach && vec.Abs(d.Z) < jobReach
	}
	return false
}
