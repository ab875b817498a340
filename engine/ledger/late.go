package ledger

import (
	"github.com/sightline-engine/sightline/game/state"
	"github.com/sightline-engine/sightline/game/vis"
)

// replay says that a viewer was not told the answer of this tick but what somebody knew
// earlier: n subjects of batch.late.
type replay struct {
	viewer state.ID
	n      int
}

// lateOne is one subject of a replay.
type lateOne struct {
	id     state.ID
	kind   state.Kind
	reason vis.Reason
}

// Replayed notes, after Decided, that a viewer is told in this tick of v, which is of an
// earlier one: what the answer says of it does not count. What comes of whom it watches
// is disclosed because that one is watched, whatever reason there was for that one; of a
// free camera the reasons are its own.
func (w *Writer) Replayed(v *vis.View) {
	own := v.Own()
	if w.ended.Load() || !own.ID.IsPlayer() || own.Delay == 0 {
		return
	}
	b := w.cur
	for i := range b.viewers {
		if b.viewers[i].id != own.ID {
			continue
		}
		b.viewers[i].watching, b.viewers[i].body = own.Watching, -1
		clear(b.permit[i*b.words : (i+1)*b.words])
	}
	if len(b.late)+len(v.Entities()) > maxItems {
		w.items++
		return
	}
	b.replays = append(b.replays, replay{own.ID, len(v.Entities())})
	for i := range v.Entities() {
		k := &v.Entities()[i]
		r := k.Reason
		if own.Watching != 0 {
			r = vis.Spectated
		}
		b.late = append(b.late, lateOne{k.ID, k.Kind, r})
	}
}

// replayed opens and goes on with what those know who are told late.
func (b *book) replayed(t *batch) error {
	at := 0
	for _, r := range t.replays {
		s := b.at[r.viewer]
		for i := range t.late[at : at+r.n] {
			it := &t.late[at+i]
			if s == nil || it.id == r.viewer || it.id == 0 || int(it.id) >= idSpace {
				continue
			}
			if err := b.knows(t, r.viewer, s, it.id, it.kind, min(it.reason, vis.NumReasons-1), -1); err != nil {
				return err
			}
		}
		at += r.n
	}
	return nil
}
