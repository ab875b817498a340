package ledger

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vec"
	"github.com/sightline-engine/sightline/game/vis"
)

// batch is what the tick's goroutine copies of one tick. Its memory is reused.
type batch struct {
	tick  state.Tick
	lost  int // ticks left out before it
	items int

	source   vis.Source
	decided  bool
	viewers  []viewer
	subjects []subject
	words    int
	permit   []uint64
	asked    []uint64
	reason   []vis.Reason

	names   []named
	plugins []pluginNote
	tables  []tableNote
	acks    []ack
	shots   []fired
	packets []packet
	of      []state.ID // subjects of the packets, one after another
	reports []report
	replays []replay
	late    []lateOne // subjects of the replays, one after another
}

type viewer struct {
	id, watching state.ID
	body         int32 // its subject while it is alive; −1 none
}

type subject struct {
	id         state.ID
	kind       state.Kind
	team       uint8
	alive      bool
	eye, chest vec.V3
	yaw, pitch float32
}

type named struct {
	id   state.ID
	text string
	bot  bool
	left bool
}

type pluginNote struct {
	text string
	pid  uint32
}

// tableNote is a number of the tables that has changed.
type tableNote struct {
	name    string
	to      float32
	version uint32
}

type ack struct {
	viewer state.ID
	seq    uint64
}

type fired struct {
	shooter state.ID
	shot    Shot
}

type packet struct {
	viewer state.ID
	seq    uint64
	n      int // subjects
}

type report struct {
	viewer, target state.ID
	seq            uint64
	sentAt         state.Tick
	claim          Claim
}

func (b *batch) reset() {
	b.lost, b.items, b.decided, b.words, b.source = 0, 0, false, 0, vis.FromPolicy
	b.viewers, b.subjects = b.viewers[:0], b.subjects[:0]
	b.permit, b.asked, b.reason = b.permit[:0], b.asked[:0], b.reason[:0]
	clear(b.names) // lets go of texts
	clear(b.plugins)
	b.plugins = b.plugins[:0]
	clear(b.tables)
	b.tables = b.tables[:0]
	clear(b.shots)
	b.names, b.acks, b.shots = b.names[:0], b.acks[:0], b.shots[:0]
	b.packets, b.of, b.reports = b.packets[:0], b.of[:0], b.reports[:0]
	b.replays, b.late = b.replays[:0], b.late[:0]
}

// take copies the answer of a tick.
func (b *batch) take(in *vis.Input, ans *vis.Answer) {
	if ans.Viewers != len(in.Viewers) || ans.Subjects != len(in.Subjects) || ans.Words*64 < ans.Subjects ||
		len(ans.Permit) < ans.Words*ans.Viewers || len(ans.Reason) < ans.Viewers*ans.Subjects {
		return // of another tick; vis.Gate lets none through
	}
	b.decided, b.source, b.words = true, ans.Source, ans.Words
	b.viewers, b.subjects = b.viewers[:0], b.subjects[:0]
	for i := range in.Viewers {
		v := &in.Viewers[i]
		body := int32(-1)
		if v.Subject >= 0 && v.Subject < len(in.Subjects) && in.Subjects[v.Subject].Alive {
			body = int32(v.Subject)
		}
		b.viewers = append(b.viewers, viewer{v.ID, v.Spectating, body})
	}
	for i := range in.Subjects {
		s := &in.Subjects[i]
		b.subjects = append(b.subjects, subject{s.ID, s.Kind, s.Team, s.Alive, s.Eye, s.Chest, s.Yaw, s.Pitch})
	}
	b.permit = append(b.permit[:0], ans.Permit[:ans.Words*ans.Viewers]...)
	b.reason = append(b.reason[:0], ans.Reason[:ans.Viewers*ans.Subjects]...)
	b.asked = b.asked[:0]
	if in.Words == ans.Words && len(in.Asked) == in.Words*len(in.Viewers) {
		b.asked = append(b.asked, in.Asked...)
	}
}

// size is about how many bytes a batch holds.
func (b *batch) size() int {
	return 8*len(b.viewers) + 48*len(b.subjects) + 8*(len(b.permit)+len(b.asked)) + len(b.reason) +
		48*len(b.names) + 24*(len(b.plugins)+len(b.tables)) + 16*len(b.acks) + 144*len(b.shots) + 32*len(b.packets) + 2*len(b.of) + 4*(len(b.replays)+len(b.late)) + 48*len(b.reports)
}
