package snapshot

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

const (
	maxQueue = 128 // events under way; beyond it the oldest are given up
	overdue  = 48  // packets after which one without a word counts as lost
	overtake = 4   // so many packets later acknowledged, one counts as lost: waiting
	//                for netchan's verdict, 33 packets, would cost half a second
)

// queued is an event that is not known to have arrived.
type queued struct {
	num    uint32
	tick   state.Tick
	event  state.Event
	sent   uint64
	flying bool // sent, and nothing heard of it
	done   bool
}

func (q *queued) due(seq, acked uint64) bool {
	return !q.done && (!q.flying || seq-q.sent > overdue || acked >= q.sent+overtake)
}

// queue holds a client's events, oldest first, with ascending numbers.
type queue struct {
	next uint32
	list []queued
}

// add takes the View's events and forgets those that arrived or are older than
// life.
func (q *queue) add(view *vis.View, life state.Tick) {
	n := 0
	for i := range q.list {
		if it := &q.list[i]; !it.done && view.Tick()-it.tick <= life {
			q.list[n] = *it
			n++
		}
	}
	q.list = q.list[:n]
	events := view.Events()
	if over := len(events) - maxQueue; over > 0 {
		events = events[over:]
	}
	if over := len(q.list) + len(events) - maxQueue; over > 0 {
		q.list = q.list[:copy(q.list, q.list[over:])]
	}
	for i := range events {
		if events[i].Kind >= state.NumEvents {
			continue
		}
		q.list = append(q.list, queued{num: q.next, tick: view.Tick(), event: events[i]})
		q.next++
	}
}

func (q *queue) find(num uint32) *queued {
	for i := range q.list {
		if q.list[i].num == num {
			return &q.list[i]
		}
	}
	return nil
}

func (q *queue) arrived(num uint32) {
	if it := q.find(num); it != nil {
		it.done = true
	}
}

func (q *queue) lost(num uint32, seq uint64) {
	if it := q.find(num); it != nil && it.sent == seq {
		it.flying = false
	}
}
