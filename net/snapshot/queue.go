package snapshot

import "github.com/sightline-engine/sightline/game/state"

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

// begin forgets the events that arrived or are older than life.
func (q *queue) begin(now, life state.Tick) {
	n := 0
	for i := range q.list {
		if it := &q.list[i]; !it.done && now-it.tick <= life {
			q.list[n] = *it
			n++
		}
	}
	q.list = q.list[:n]
}

// add queues an event; when there are too many the oldest is given up.
func (q *queue) add(now state.Tick, e *state.Event) {
	if len(q.list) == maxQueue {
		q.list = q.list[:copy(q.list, q.list[1:])]
	}
	q.list = append(q.list, queued{num: q.next, tick: now, event: *e})
	q.next++
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
